"""A graph panel with its surroundings, on a hand-made run: what it asks for is computed at once."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.graph import GraphPanel
from tensorscope.render.theme import Theme
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.kept import Kept
from tensorscope.viewmodel.workspace import Workspace
from tests.support.fake_session import FakeSession


class Desk:
    """A panel with its surroundings; what it asks for is computed at once."""

    def __init__(self, snapshot: Snapshot, kept: Kept | None = None) -> None:
        self.kept = kept or Kept()
        self.session = FakeSession(snapshot)
        self.workspace = Workspace()
        self.computed = 0
        context = PanelContext(self.workspace, self.session, Theme.dark, self._submit, lambda: snapshot, kept=self.kept)
        self.panel = GraphPanel(context)
        self.tools = self.panel.tool_row()
        self.workspace.observe(self.panel.workspace_changed)
        self.panel.resize(538, 386)
        self.panel.show()
        self.panel.refresh()

    def _submit(self, panel: Panel, compute: Callable[[], Any]) -> None:
        self.computed += 1
        panel.show_result(compute())

    def close(self) -> None:
        for widget in (self.panel, self.tools):
            assert widget is not None
            widget.close()
            widget.deleteLater()
        QTest.qWait(1)

    def box(self, key: BoxKey) -> Any:
        assert self.panel.view is not None
        return self.panel.view.scene.boxes[self.panel.view.scene.index[key]]

    def at(self, key: BoxKey, dx: float = 60, dy: float = 10) -> QPoint:
        box = self.box(key)
        return self.panel.canvas.camera.viewport.from_scene(QPointF(box.x + dx, box.y + dy)).toPoint()

    def settle(self) -> None:
        for _ in range(100):
            if not self.panel.canvas.camera.is_moving:
                return
            QTest.qWait(10)
        raise AssertionError("the camera never came to rest")


def unroll(desk: Desk) -> None:
    assert desk.panel.view is not None
    run = next(box.key for box in desk.panel.view.scene.boxes if box.kind is BoxKind.RUN)
    desk.panel.canvas.go_to(run)
    desk.settle()
    QTest.mouseDClick(desk.panel.canvas, Qt.MouseButton.LeftButton, pos=desk.at(run))
    desk.settle()
