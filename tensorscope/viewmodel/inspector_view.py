"""The parts an Inspector page is made of, whatever it is about."""

from __future__ import annotations

from dataclasses import dataclass, field

from tensorscope.analysis.results import Source
from tensorscope.units import Quantity, format_place
from tensorscope.viewmodel.workspace import Selection, SourceSelection


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the (up to three) key figures. ``hint`` says why it is not known."""

    label: str
    value: Quantity
    hint: str = ""


@dataclass(frozen=True, slots=True)
class FactRow:
    """A label and a value on one line; ``target`` makes the value a link."""

    label: str
    value: Quantity
    is_code: bool = False
    target: Selection | None = None
    exact: str = ""  # what Ctrl+C copies, if more than what is shown


@dataclass(frozen=True, slots=True)
class TensorRow:
    """A tensor's statistics on two lines: name over shape, histogram, norm over largest magnitude."""

    name: str
    shape: str
    norm: float | None
    max_abs: float | None
    nonfinite: int
    bins: tuple[float, ...]  # counts, signed log scale; empty: unknown
    category: str  # colour of the histogram
    exact: str = ""


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A thing and its size, mostly a tensor that holds memory: swatch, name, shape, a note, its bytes."""

    name: str
    shape: str
    note: str
    size: Quantity
    category: str
    is_freed: bool = False
    target: Selection | None = None  # makes the row a link


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A sentence on what is not known, and why."""

    text: str


Row = FactRow | TensorRow | MemoryRow | NoteRow


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    note: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class InspectorView:
    """``icon`` stands before the title where the thing is no node."""

    title: str
    detail: str = ""  # dim, behind the title: a class
    module: str = ""
    source: Source | None = None
    note: str = ""  # such as "seq 1182"
    swatch: str = ""  # category of the thing
    figures: tuple[Figure, ...] = ()
    sections: tuple[Section, ...] = field(default=())


def facts(*rows: FactRow | None) -> tuple[FactRow, ...]:
    """The rows that have something to say."""
    return tuple(row for row in rows if row is not None and row.value.digits)


def fact(label: str, text: str, *, is_code: bool = False, target: Selection | None = None, exact: str = "") -> FactRow:
    return FactRow(label, Quantity(text), is_code, target, exact)


def place_fact(label: str, source: Source | None) -> FactRow | None:
    """A source line as a link."""
    return fact(label, format_place(source.file, source.line), target=SourceSelection(source.file, source.line)) if source is not None else None
