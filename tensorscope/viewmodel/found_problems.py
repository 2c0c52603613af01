"""The problems found so far, for all who mark them: scrubber and source. One for the window; GUI thread only."""

from __future__ import annotations

from collections.abc import Callable

from tensorscope.analysis.results import Finding, Severity

_WEIGHT: tuple[Severity, ...] = ("info", "warning", "error")


class FoundProblems:
    """``observe`` is told when others were found, ``on_choice`` when one was chosen from outside its panel."""

    def __init__(self) -> None:
        self._findings: tuple[Finding, ...] = ()
        self._observers: list[Callable[[], None]] = []
        self._on_choice: list[Callable[[Finding], None]] = []

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Errors first, as they stand in the panel."""
        return self._findings

    def show(self, findings: tuple[Finding, ...]) -> None:
        if findings != self._findings:
            self._findings = findings
            for observer in tuple(self._observers):
                observer()

    def choose(self, finding: Finding) -> None:
        """Select one, as a click on its row would."""
        for observer in tuple(self._on_choice):
            observer(finding)

    def of_file(self, file: str) -> dict[int, Finding]:
        """The gravest one at each line of a file."""
        found: dict[int, Finding] = {}
        for finding in self._findings:
            if finding.source is not None and finding.source.file == file:
                before = found.get(finding.source.line)
                if before is None or _WEIGHT.index(finding.severity) > _WEIGHT.index(before.severity):
                    found[finding.source.line] = finding
        return found

    def observe(self, observer: Callable[[], None]) -> None:
        self._observers.append(observer)

    def on_choice(self, observer: Callable[[Finding], None]) -> None:
        self._on_choice.append(observer)
