"""What a panel is: a widget that turns a snapshot and the workspace into a finished view, computed off the GUI thread.

The window calls ``refresh`` whenever there is a newer snapshot or the workspace changed. ``request`` runs on the GUI thread and returns a pure
function (or None: nothing to do); it runs on the panel's worker (the newest request of a panel wins); ``show_result`` gets its value on the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from tensorscope.language import tr
from tensorscope.viewmodel.bookmarks import Bookmarks
from tensorscope.viewmodel.breakpoints import Breakpoints
from tensorscope.viewmodel.found_problems import FoundProblems
from tensorscope.viewmodel.kept import Kept
from tensorscope.viewmodel.workspace import Aspect

if TYPE_CHECKING:
    from tensorscope.render.theme import Theme
    from tensorscope.session.session import Session
    from tensorscope.trace.snapshot import Snapshot
    from tensorscope.viewmodel.workspace import Workspace


@dataclass(frozen=True, slots=True)
class PanelContext:
    """What a panel may use. ``submit(panel, compute)`` runs ``compute`` off the GUI thread and hands its value to ``panel.show_result``."""

    workspace: Workspace
    session: Session
    theme: Callable[[], Theme]
    submit: Callable[[Panel, Callable[[], Any]], None]
    snapshot: Callable[[], Snapshot]  # the newest one shown, the same for all panels
    breakpoints: Breakpoints = field(default_factory=Breakpoints)
    bookmarks: Bookmarks = field(default_factory=Bookmarks)
    kept: Kept = field(default_factory=Kept)  # what the user chose in panels, over restarts
    ranks: Callable[[], Mapping[int, Snapshot]] = dict  # the newest of every rank, that of the shown one the same as ``snapshot``
    problems: FoundProblems = field(default_factory=FoundProblems)


class Panel(QWidget):
    """Base of all panels."""

    title = ""
    key = ""  # for the kept layout and --window-png
    is_always_fed = False  # refreshed while another tab hides it, for its badge
    work_wanted = Signal(str, object, str)  # its key, slow work for off the GUI thread, the sentence once it is done
    front_wanted = Signal()  # it has what should be seen now: its tab comes to the front, the keys stay where they are
    header_changed = Signal()  # tabs, current tab or badge are others now

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context

    def refresh(self) -> None:
        """Ask for what is to be shown now."""
        compute = self.request(self.context.snapshot())
        if compute is not None:
            self.context.submit(self, compute)

    def request(self, snapshot: Snapshot) -> Callable[[], Any] | None:
        raise NotImplementedError

    def show_result(self, result: Any) -> None:
        raise NotImplementedError

    def workspace_changed(self, aspect: Aspect) -> None:
        """Cheap reactions (a cursor line); default: refresh, but for what belongs to the selection, which few panels show."""
        if aspect is not Aspect.LINKED:
            self.refresh()

    def theme_changed(self) -> None:
        self.update()

    def late_import(self) -> Callable[[], Any] | None:
        """What to import once the window stands and every panel is there; runs off the GUI thread, its value goes to ``take_import``."""
        return None

    def take_import(self, value: Any) -> None:
        """What ``late_import`` brought. GUI thread."""

    def tool_row(self) -> QWidget | None:
        """Widgets for the panel's tool row, or None."""
        return None

    def tabs(self) -> tuple[str, ...]:
        """What stands in the header: the panel's title, or one tab for each of its pages."""
        return (tr(self.title),)

    def current_tab(self) -> int:
        return 0

    def choose_tab(self, index: int) -> None:
        """A tab of the header was clicked."""

    def summary(self) -> str:
        """What it shows now, in a sentence or a few lines, for screen readers; "" for what its rows say themselves."""
        return ""

    def badge(self) -> str:
        """A count beside the title, such as ``1,067``; "" for none."""
        return ""

    def badge_of(self, page: int) -> str:
        """The count beside a tab; that of the title stands at the first."""
        return self.badge() if page == 0 else ""
