"""Keeps in full the iterations that problems were found in, while others are thinned: what shows a problem stays on record."""

from __future__ import annotations

from typing import Final

from tensorscope.session.session import Session
from tensorscope.viewmodel.found_problems import FoundProblems
from tensorscope.viewmodel.workspace import Workspace

MOST: Final = 16  # moments; bookmarks have their share besides


class ProblemKeeper:
    def __init__(self, problems: FoundProblems, session: Session, workspace: Workspace) -> None:
        self._problems = problems
        self._session = session
        self._workspace = workspace
        self._kept: set[tuple[int, str, str]] = set()
        problems.observe(self._changed)

    def _changed(self) -> None:
        for finding in self._problems.findings:
            key = (self._workspace.rank, finding.rule, str(finding.source))
            if finding.time_ns is not None and finding.iteration is not None and key not in self._kept and len(self._kept) < MOST:
                self._kept.add(key)
                self._session.keep_moment(finding.time_ns, self._workspace.rank)
