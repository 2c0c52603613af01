"""Puts one panel on a stage: a workspace, a session that only says what state it is in, and computations that run at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from tensorscope.gui.linker import Linker
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.style import palette, style_sheet
from tensorscope.render.theme import Theme
from tensorscope.session.session import Changed, RunState, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.workspace import Workspace


class StillSession:
    """A session in which nothing happens."""

    path = Path("run.tscope")
    title = "train.py"

    def __init__(self, state: RunState) -> None:
        self._status = Status(state, "")

    @property
    def is_live(self) -> bool:
        return self._status.state in (RunState.RUNNING, RunState.HELD)

    @property
    def status(self) -> Status:
        return self._status

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        return lambda: None


class Stage:
    """Holds the panel with its tool row above it, in a theme. ``snapshot`` may be replaced before ``refresh``."""

    def __init__(self, panel_class: type[Panel], snapshot: Snapshot, size: tuple[int, int], theme: str = "dark", state: RunState = RunState.REPLAY) -> None:
        self.snapshot = snapshot
        self.theme = Theme.named(theme)
        self.workspace = Workspace()
        self.submitted = 0
        self.window = QWidget()
        self.window.setObjectName("stage")
        self.window.setPalette(palette(self.theme))
        self.window.setStyleSheet(style_sheet(self.theme) + f"QWidget#stage {{ background: {self.theme.color('surface.panel').name()}; }}")
        self.window.setFont(self.theme.font("body"))
        context = PanelContext(self.workspace, StillSession(state), lambda: self.theme, self._submit, lambda: self.snapshot)  # type: ignore[arg-type]
        self.panel = panel_class(context, self.window)
        layout = QVBoxLayout(self.window)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        tools = self.panel.tool_row()
        if tools is not None:
            tools.setParent(self.window)
            tools.setFixedHeight(30)
            layout.addWidget(tools)
        layout.addWidget(self.panel, 1)
        self.window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.window.resize(*size)
        self.workspace.observe(self.panel.workspace_changed)
        self.linker = Linker(self.workspace, lambda: self.snapshot, lambda key, compute, show: show(compute()))
        self.window.show()
        self.panel.refresh()
        settle()

    def _submit(self, panel: Panel, compute: Callable[[], Any]) -> None:
        self.submitted += 1
        panel.show_result(compute())

    def picture(self) -> QImage:
        settle()
        return self.window.grab().toImage()

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()
        settle()


@contextmanager
def staged(
    panel_class: type[Panel], snapshot: Snapshot, size: tuple[int, int] = (712, 309), theme: str = "dark", state: RunState = RunState.REPLAY
) -> Iterator[Stage]:
    application()
    stage = Stage(panel_class, snapshot, size, theme, state)
    try:
        yield stage
    finally:
        stage.close()


def hover(widget: QWidget, at: QPointF) -> None:
    """Move the pointer over a widget without a screen."""
    no_button = Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, at, widget.mapToGlobal(at), no_button, no_button, Qt.KeyboardModifier.NoModifier)
    QCoreApplication.sendEvent(widget, event)


def application() -> QApplication:
    return QApplication.instance() or QApplication([])  # type: ignore[return-value]


def settle() -> None:
    """Let every event and deletion through."""
    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
