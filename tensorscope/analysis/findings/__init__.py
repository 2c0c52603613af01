"""Diagnosed problems of a run. A rule is a file here with one pure function, and a line in ``RULES``."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tensorscope.analysis.results import Finding
from tensorscope.trace.snapshot import Snapshot

Rule = Callable[[Snapshot], Iterable[Finding]]

RULES: tuple[Rule, ...] = ()

_ORDER: Final = ("error", "warning", "info")


def find(snapshot: Snapshot, rules: Sequence[Rule] | None = None) -> tuple[Finding, ...]:
    """What the rules (None: all of them) find: errors first, then by certainty, then by iteration; those of the whole run before the rest."""
    found = [finding for rule in (RULES if rules is None else rules) for finding in rule(snapshot)]
    return tuple(sorted(found, key=_place))


def _place(finding: Finding) -> tuple[int, float, int]:
    return _ORDER.index(finding.severity), -finding.certainty, -1 if finding.iteration is None else finding.iteration
