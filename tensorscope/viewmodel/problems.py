"""What the Problems panel shows: one row a finding, under the chosen one the other lines that it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tensorscope.analysis.findings import find
from tensorscope.analysis.results import Finding, Related, Severity, Source
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_place
from tensorscope.viewmodel.workspace import NodeSelection, ParameterSelection, Selection, SourceSelection

SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A finding, or (``related``) a line of one."""

    finding: Finding
    related: Related | None = None

    @property
    def source(self) -> Source | None:
        return self.related.source if self.related is not None else self.finding.source

    @property
    def words(self) -> str:
        return self.related.role if self.related is not None else self.finding.message

    @property
    def place(self) -> str:
        """``train.py:61``, "" where no line is known."""
        return format_place(self.source.file, self.source.line) if self.source is not None else ""

    @property
    def when(self) -> str:
        first, last = self.finding.iteration, self.finding.last_iteration
        if self.related is not None or first is None:
            return ""
        if last is None or last == first:
            return tr("iteration {number}").format(number=first)
        return tr("iterations {first}–{last}").format(first=first, last=last)

    @property
    def text(self) -> str:
        """For the clipboard: everything, with the whole path."""
        parts = (self.finding.severity, self.words, str(self.source or ""), self.when) if self.related is None else (self.words, str(self.source))
        return "\t".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Problems:
    findings: tuple[Finding, ...]
    stands_at_ns: int  # how far the run was looked at

    def at_least(self, floor: Severity) -> Problems:
        """Those of a severity, and the graver ones."""
        shown = SEVERITIES[: SEVERITIES.index(floor) + 1]
        return Problems(tuple(finding for finding in self.findings if finding.severity in shown), self.stands_at_ns)

    @property
    def counts(self) -> str:
        """``2 errors, 1 warning``; "" where there are none."""
        words = {
            "error": (tr("1 error"), tr("{count} errors")),
            "warning": (tr("1 warning"), tr("{count} warnings")),
            "info": (tr("1 note"), tr("{count} notes")),
        }
        counts = {severity: sum(finding.severity == severity for finding in self.findings) for severity in SEVERITIES}
        return ", ".join(words[severity][count > 1].format(count=count) for severity, count in counts.items() if count)

    @property
    def text(self) -> str:
        """For the clipboard: a line each."""
        return "\n".join(ProblemRow(finding).text for finding in self.findings)

    def rows(self, chosen: Finding | None) -> tuple[ProblemRow, ...]:
        """One a finding; the chosen one's other lines below it."""
        rows: list[ProblemRow] = []
        for finding in self.findings:
            rows.append(ProblemRow(finding))
            if finding == chosen:
                rows += [ProblemRow(finding, related) for related in finding.related]
        return tuple(rows)


def problems(snapshot: Snapshot) -> Problems:
    """For a worker."""
    return Problems(find(snapshot), snapshot.end_ns)


def selection_of(row: ProblemRow) -> Selection | None:
    """What choosing a row selects everywhere: the node or parameter that the finding is about, else its line."""
    finding = row.finding
    if row.related is None and finding.backward is not None and finding.node is not None:
        return NodeSelection(finding.backward, finding.node)
    if row.related is None and finding.parameter:
        return ParameterSelection(finding.parameter, finding.iteration, finding.backward)
    return SourceSelection(row.source.file, row.source.line) if row.source is not None else None
