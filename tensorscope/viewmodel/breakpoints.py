"""The user's breakpoints: lines clicked in Source, and others given in words. One list for the window; GUI thread only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tensorscope.language import tr
from tensorscope.protocol.breakpoints import line_spec, parse_breakpoint
from tensorscope.units import format_place

NONFINITE: Final = "nonfinite"


class Breakpoints:
    """Keeps specs (``protocol.breakpoints``) in the order in which they came. Observers are called after each change."""

    def __init__(self) -> None:
        self._specs: dict[str, bool] = {}  # whether it is on
        self._observers: list[Callable[[], None]] = []

    @property
    def specs(self) -> tuple[str, ...]:
        return tuple(self._specs)

    @property
    def active(self) -> tuple[str, ...]:
        return tuple(spec for spec, is_on in self._specs.items() if is_on)

    def is_on(self, spec: str) -> bool:
        return self._specs.get(spec, False)

    def lines_of(self, file: str) -> dict[int, bool]:
        """The lines of a file that have one, and whether it is on."""
        found: dict[int, bool] = {}
        for spec, is_on in self._specs.items():
            for name, line in parse_breakpoint(spec).lines:
                if name == file:
                    found[line] = is_on or found.get(line, False)
        return found

    def begin_with(self, specs: Iterable[str]) -> None:
        """Those that were kept or given at the start."""
        for spec in specs:
            self._specs.setdefault(spec, True)
        self._tell()

    def add(self, spec: str) -> None:
        """Raises ProtocolError where it is none."""
        parse_breakpoint(spec)
        self._specs[spec] = True
        self._tell()

    def remove(self, *specs: str) -> None:
        for spec in specs:
            self._specs.pop(spec, None)
        self._tell()

    def switch(self, spec: str) -> None:
        """Off, without being forgotten, or on again; one that is not there is added."""
        self._specs[spec] = not self._specs.get(spec, False)
        self._tell()

    def toggle_line(self, file: str, line: int) -> None:
        spec = line_spec(file, line)
        if spec in self._specs:
            self.remove(spec)
        else:
            self.add(spec)

    def observe(self, observer: Callable[[], None]) -> None:
        self._observers.append(observer)

    def _tell(self) -> None:
        for observer in tuple(self._observers):
            observer()


def words_of(spec: str) -> str:
    """A breakpoint as a menu writes it."""
    found = parse_breakpoint(spec)
    if spec == NONFINITE:
        return tr("NaN or infinity in a gradient")
    if found == found.__class__(spec, lines=found.lines):
        return ", ".join(format_place(file, line) for file, line in found.lines)
    return spec
