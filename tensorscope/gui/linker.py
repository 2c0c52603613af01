"""Keeps the workspace told of all that its selection means: looked up off the GUI thread when the selection, the cursor or the snapshot is another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.linked import Linked
from tensorscope.viewmodel.linking import linked
from tensorscope.viewmodel.workspace import Aspect, Selection, Workspace

LINKS: Final = "links"

Submit = Callable[[str, Callable[[], Any], Callable[[Any], None]], None]


class Linker:
    """``submit(key, compute, show)`` runs ``compute`` elsewhere and gives its value to ``show`` on the GUI thread."""

    def __init__(self, workspace: Workspace, snapshot: Callable[[], Snapshot], submit: Submit) -> None:
        self._workspace = workspace
        self._snapshot = snapshot
        self._submit = submit
        self._asked: tuple[Snapshot, Selection, int | None] | None = None
        workspace.observe(self._changed)

    def look_again(self) -> None:
        """There is another snapshot."""
        workspace, snapshot = self._workspace, self._snapshot()
        selection, cursor = workspace.selection, workspace.cursor_ns
        if selection is None:
            self._asked = None
            return
        if self._asked is not None and self._asked[0] is snapshot and self._asked[1:] == (selection, cursor):
            return
        self._asked = (snapshot, selection, cursor)
        self._submit(LINKS, lambda: (selection, linked(snapshot, selection, cursor)), self._show)

    def _show(self, found: tuple[Selection, Linked]) -> None:
        selection, links = found
        if selection == self._workspace.selection:
            self._workspace.show_linked(links)

    def _changed(self, aspect: Aspect) -> None:
        if aspect in (Aspect.SELECTION, Aspect.CURSOR):
            self.look_again()
