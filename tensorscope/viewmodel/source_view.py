"""What the Source panel shows: a file with each line's time and live bytes, where the script stands, what is selected, and the calls that led there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tensorscope.analysis.results import Source
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import Quantity, format_count, plural, split_bytes, split_duration, split_in_unit
from tensorscope.viewmodel.caches import LINE_COSTS
from tensorscope.viewmodel.code import Code, read_code
from tensorscope.viewmodel.line_costs import LineCost
from tensorscope.viewmodel.line_heat import Heat, HotLine, amount_of, hot_lines
from tensorscope.viewmodel.linked import NOTHING, Linked
from tensorscope.viewmodel.links import place_of
from tensorscope.viewmodel.words import word_of
from tensorscope.viewmodel.workspace import NodeSelection, Selection

MOST_TABS: Final = 5
_TIME_UNITS: Final = (("s", 10**9), ("ms", 10**6), ("µs", 10**3))
_BYTE_UNITS: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


@dataclass(frozen=True, slots=True)
class SourceView:
    files: tuple[str, ...]  # the tabs, the shown one among them
    file: str
    code: Code
    costs: dict[int, LineCost]
    iteration: int
    heat: Heat
    largest: dict[Heat, int]  # of any line of the file
    hot: tuple[HotLine, ...]  # of all files, the hottest first
    selected_line: int  # 0: none in this file
    held_line: int
    calls: tuple[Source, ...]  # outermost first, the user's own frames
    is_changed: bool  # the file is newer than the run

    @property
    def columns(self) -> tuple[Heat, Heat]:
        """What the two columns left of the code say: time, and what the heat is by (live bytes beside time)."""
        return Heat.TIME, Heat.LIVE if self.heat is Heat.TIME else self.heat

    def unit_of(self, heat: Heat) -> str:
        """What a column's head says: the unit of the line that has most of it."""
        largest = self.largest.get(heat, 0)
        if heat is Heat.TIME:
            return next((unit for unit, factor in _TIME_UNITS if largest >= factor), "ns") if largest else "ms"
        if heat is Heat.OPERATORS:
            return tr("ops")
        return split_bytes(largest).unit if largest else "MiB"

    def quantity(self, cost: LineCost, heat: Heat) -> Quantity:
        """In the column's unit; with its own where it is too small for that."""
        amount, unit = amount_of(cost, heat), self.unit_of(heat)
        if heat is Heat.TIME:
            return split_in_unit(split_duration(amount), amount, dict(_TIME_UNITS).get(unit, 1), unit)
        if heat is Heat.OPERATORS:
            return Quantity(format_count(amount))
        return split_in_unit(split_bytes(amount), amount, 1024 ** _BYTE_UNITS.index(unit), unit)

    def warmth(self, line: int) -> float:
        """From 0 to 1, by the file's hottest line."""
        cost, largest = self.costs.get(line), self.largest.get(self.heat, 0)
        return amount_of(cost, self.heat) / largest if cost is not None and largest else 0.0

    @property
    def when(self) -> str:
        return tr("iteration {iteration}").format(iteration=self.iteration) if self.iteration >= 0 else tr("the run")

    def hint(self, line: int) -> str:
        """The exact costs of a line, "" where it has none."""
        cost = self.costs.get(line)
        if cost is None:
            return ""
        told = [tr("{time_ms:,.6f} ms in {when}, forward and backward").format(time_ms=cost.time_ns / 1e6, when=self.when)] if cost.time_ns else []
        told += [tr("{operators} called in {when}").format(operators=plural(cost.operators, "operator"), when=self.when)] if cost.operators else []
        told += [tr("{saved_bytes:,} B saved for the backward, without parameters").format(saved_bytes=cost.saved_bytes)] if cost.saved_bytes else []
        told += (
            [tr("{live_bytes:,} B live at the cursor, mostly {category}").format(live_bytes=cost.live_bytes, category=word_of(cost.category))]
            if cost.live_bytes
            else []
        )
        return "\n".join((f"{self.title}:{line}", *told)) if told else ""

    @property
    def title(self) -> str:
        return Path(self.file).name

    @property
    def focus_line(self) -> int:
        """The line to have in view: the selected one, where the script stands, else the hottest."""
        hottest = max(self.costs, key=lambda line: amount_of(self.costs[line], self.heat), default=0)
        return self.selected_line or self.held_line or hottest


def source_view(
    snapshot: Snapshot,
    selection: Selection | None,
    held: NodeSelection | None,
    cursor_ns: int | None,
    chosen_file: str,
    links: Linked = NOTHING,
    heat: Heat = Heat.TIME,
) -> SourceView | None:
    """For a worker. ``chosen_file`` is the tab that was clicked, "" to show the selection's; files with lines of ``links`` have tabs.

    None while no file is known.
    """
    costs = LINE_COSTS.get(snapshot, cursor_ns)
    selected, standing = place_of(snapshot, selection), place_of(snapshot, held)
    failed = _exception_line(snapshot)
    files = _files(snapshot, [*(place.source.file for place in (selected, standing) if place is not None), *links.count_by_file()])
    shown = selected or standing
    file = chosen_file or (shown.source.file if shown is not None else failed.file if failed is not None else files[0] if files else "")
    if not file:
        return None
    if file not in files:
        files = (file, *files[: MOST_TABS - 1])
    of_file = costs.of_file(file)
    code = read_code(file)
    wall_begin = int(snapshot.facts.get("wall_begin_ns") or 0)
    stack = shown.stack if shown is not None else 0
    return SourceView(
        files=files,
        file=file,
        code=code,
        costs=of_file,
        iteration=costs.iteration,
        heat=heat,
        largest={kind: max((amount_of(cost, kind) for cost in of_file.values()), default=0) for kind in Heat},
        hot=hot_lines(costs, heat),
        selected_line=_line_in(file, selected.source if selected is not None else None),
        held_line=_line_in(file, standing.source if standing is not None else failed),
        calls=tuple(Source(frame.filename, frame.line, frame.function) for frame in reversed(snapshot.stacks.get(stack, ())) if frame.is_users),
        is_changed=bool(wall_begin and code.modified_ns > wall_begin),
    )


def _line_in(file: str, source: Source | None) -> int:
    return source.line if source is not None and source.file == file else 0


def _exception_line(snapshot: Snapshot) -> Source | None:
    """Where the script failed: the innermost frame that names a file that is there."""
    if not snapshot.exceptions:
        return None
    frames = [frame for frame in snapshot.exceptions[-1].get("frames", ()) if Path(str(frame[0])).is_file()]
    library = tuple(str(prefix) for prefix in snapshot.facts.get("library_prefixes", ()))
    own = [frame for frame in frames if not str(frame[0]).startswith(library or ("\0",))]
    chosen = (own or frames)[-1:]
    return Source(str(chosen[0][0]), int(chosen[0][1])) if chosen else None


def _files(snapshot: Snapshot, first: list[str]) -> tuple[str, ...]:
    """The user's files that ran an operator, the script among them, in a steady order."""
    counts: dict[str, int] = {}
    for frames in snapshot.stacks.values():
        for frame in frames:
            if frame.is_users:
                counts[frame.filename] = counts.get(frame.filename, 0) + 1
    script = str(snapshot.facts.get("script") or "")
    if script.endswith(".py"):
        counts.setdefault(str(Path(str(snapshot.facts.get("cwd") or ""), script)), 0)
    kept = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_TABS]
    missing = [file for file in dict.fromkeys(first) if file not in kept]
    return tuple((*missing, *kept)[:MOST_TABS])
