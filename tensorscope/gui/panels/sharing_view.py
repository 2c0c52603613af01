"""The sharing graph of the chosen storage: wheel zooms at the pointer, drag moves, F fits, Ctrl+C copies its edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from tensorscope.gui.panels.hover_card import HoverCard
from tensorscope.language import tr
from tensorscope.render.hover_card import Card
from tensorscope.render.message import paint_message
from tensorscope.render.sharing import paint_sharing
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.sharing import BoxKind, SharingBox, SharingScene, box_at, scene_text
from tensorscope.viewmodel.storages import storage_facts, tensor_facts

_MARGIN: Final = 14.0
_ZOOM: Final = (0.25, 3.0)
_LEAST_FIT: Final = 0.6  # smaller than that nobody can read it: then its middle is shown
_STEP: Final = 1.2
_KEY_STEP: Final = 40.0
_MOVES: Final = {
    Qt.Key.Key_A: (1, 0),
    Qt.Key.Key_D: (-1, 0),
    Qt.Key.Key_Left: (1, 0),
    Qt.Key.Key_Right: (-1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_ZOOMS: Final = {Qt.Key.Key_Plus: _STEP, Qt.Key.Key_Equal: _STEP, Qt.Key.Key_W: _STEP, Qt.Key.Key_Minus: 1 / _STEP, Qt.Key.Key_S: 1 / _STEP}


class SharingView(QWidget):
    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._scene: SharingScene | None = None
        self._zoom, self._origin = 1.0, QPointF()  # where the scene's (0, 0) is
        self._is_fitted = True
        self._grip: QPointF | None = None
        self._card = HoverCard(theme, self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Sharing graph of the chosen storage"))

    @property
    def scene(self) -> SharingScene | None:
        return self._scene

    @property
    def zoom(self) -> float:
        return self._zoom

    def show_scene(self, scene: SharingScene | None) -> None:
        is_other = scene is None or self._scene is None or scene.item.row.data != self._scene.item.row.data
        self._scene = scene
        self.setAccessibleDescription(scene_text(scene) if scene else "")
        if is_other or self._is_fitted:
            self.fit()
        self.update()

    def fit(self) -> None:
        """The whole graph, no larger than life; its middle where that would be too small to read."""
        self._is_fitted = True
        if self._scene is None:
            return
        room_x, room_y = self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN
        self._zoom = min(max(min(room_x / self._scene.width, room_y / max(self._scene.height, 1.0), 1.0), _LEAST_FIT), 1.0)
        width, height = self._scene.width * self._zoom, self._scene.height * self._zoom
        self._origin = QPointF((self.width() - width) / 2 if width <= room_x else _MARGIN, (self.height() - height) / 2)
        self.update()

    def zoom_at(self, at: QPointF, factor: float) -> None:
        """The point under ``at`` stays there."""
        zoom = min(max(self._zoom * factor, _ZOOM[0]), _ZOOM[1])
        self._origin = at - (at - self._origin) * (zoom / self._zoom)
        self._zoom, self._is_fitted = zoom, False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("surface.panel"))
            if self._scene is None:
                title, advice = tr("No storage is chosen."), tr("Choose one in the list, a block in the memory timeline or a parameter.")
                paint_message(painter, QRectF(self.rect()), theme, title, advice, "layers")
                return
            painter.translate(self._origin)
            painter.scale(self._zoom, self._zoom)
            paint_sharing(painter, self._scene, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom_at(event.position(), _STEP ** (event.angleDelta().y() / 120))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grip = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._origin += event.position() - self._grip
            self._grip, self._is_fitted = event.position(), False
            self.update()
            return
        box = self.box_under(event.position())
        self._card.explain(self._card_of(box) if box is not None else None, event.globalPosition().toPoint() if box is not None else QPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy) and self._scene is not None:
            QGuiApplication.clipboard().setText(scene_text(self._scene))
        elif key is Qt.Key.Key_F:
            self.fit()
        elif key in _ZOOMS:
            self.zoom_at(QPointF(self.rect().center()), _ZOOMS[key])
        elif key in _MOVES:
            self._origin += QPointF(*_MOVES[key]) * _KEY_STEP
            self._is_fitted = False
            self.update()
        else:
            super().keyPressEvent(event)

    def box_under(self, at: QPointF) -> SharingBox | None:
        place = (at - self._origin) / self._zoom
        return box_at(self._scene, place.x(), place.y()) if self._scene is not None else None

    def _card_of(self, box: SharingBox) -> Card | None:
        if self._scene is None or box.kind is BoxKind.MORE:
            return None
        item = self._scene.item
        if box.tensor is not None:
            return Card(box.title, facts=(*tensor_facts(box.tensor, item.row), *((tr("held by"), note) for note in box.notes)), category=item.row.category)
        return Card(box.title, facts=storage_facts(item), category=item.row.category) if box.kind is BoxKind.STORAGE else Card(box.title)
