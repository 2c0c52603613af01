"""Ties the window's breakpoints to its session, which obeys them, and to the settings, which keep them over a restart."""

from __future__ import annotations

from tensorscope.errors import ProtocolError
from tensorscope.gui.settings import Settings
from tensorscope.protocol.breakpoints import parse_breakpoint
from tensorscope.session.session import Session
from tensorscope.viewmodel.breakpoints import Breakpoints


class BreakpointKeeper:
    """Those of the command line count for this run and are not kept."""

    def __init__(self, breakpoints: Breakpoints, session: Session, settings: Settings) -> None:
        self._breakpoints = breakpoints
        self._session = session
        self._settings = settings
        self._given = frozenset(session.breakpoints)
        breakpoints.begin_with((*session.breakpoints, *(spec for spec in settings.breakpoints if _is_good(spec))))
        if breakpoints.active != session.breakpoints:
            session.set_breakpoints(breakpoints.active)
        self._kept = self._own()
        breakpoints.observe(self._changed)

    def _changed(self) -> None:
        self._session.set_breakpoints(self._breakpoints.active)
        before, self._kept = self._kept, self._own()
        added, removed = [spec for spec in self._kept if spec not in before], [spec for spec in before if spec not in self._kept]
        if added or removed:
            self._settings.change_breakpoints(added, removed)

    def _own(self) -> list[str]:
        """Those that are not of the command line."""
        return [spec for spec in self._breakpoints.specs if spec not in self._given]


def _is_good(spec: str) -> bool:
    try:
        parse_breakpoint(spec)
    except ProtocolError:
        return False
    return True
