"""The ranks' lanes in the scrubber: which stands where; a click shows a rank."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from tensorscope.gui.kept_picture import KeptPicture
from tensorscope.language import tr
from tensorscope.render.rank_lanes import LanesLook, lane_at, lanes_height, paint_lane_cursor, paint_lanes
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.rank_lanes import RankLane


class RankLanes(QWidget):
    """As high as its lanes, hidden while there are none. ``span`` tells where the strip above begins and ends, in this widget's pixels."""

    chosen = Signal(int)  # rank

    def __init__(self, theme: Callable[[], Theme], span: Callable[[], tuple[float, float]], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._span = span
        self._lanes: tuple[RankLane, ...] = ()
        self._shown = 0
        self._hovered: int | None = None
        self._picture = KeptPicture()
        self._painted: LanesLook | None = None
        self._cursor: float | None = None
        self.setMouseTracking(True)
        self.setAccessibleName(tr("The ranks of the job"))
        self.hide()

    @property
    def lanes(self) -> tuple[RankLane, ...]:
        return self._lanes

    def show_lanes(self, lanes: tuple[RankLane, ...], shown: int) -> None:
        self._lanes, self._shown = lanes, shown
        self.setFixedHeight(round(lanes_height(len(lanes))))
        self.setVisible(bool(lanes))
        self.setAccessibleDescription("\n".join(f"{lane.label}: {lane.note}" for lane in lanes))
        self.update()

    def show_cursor(self, position: float | None) -> None:
        """A share of the strip's width."""
        self._cursor = position
        self.update()

    def theme_changed(self) -> None:
        self._picture.forget()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = LanesLook(self._lanes, *self._span(), self._shown, self._hovered)
        if look != self._painted:
            self._painted = look
            self._picture.forget()
        with QPainter(self) as painter:
            self._picture.draw(painter, self.size(), lambda inner, rect: paint_lanes(inner, look, rect.width(), self._theme()))
            if self._cursor is not None:
                paint_lane_cursor(painter, look, self._cursor, self.height(), self._theme())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(lane_at(event.position().y(), len(self._lanes)))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = lane_at(event.position().y(), len(self._lanes))
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(self._lanes[place].rank)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            place = lane_at(event.pos().y(), len(self._lanes))
            QToolTip.showText(event.globalPos(), self._lanes[place].hint if place is not None else "", self)
            return True
        return super().event(event)

    def _hover(self, place: int | None) -> None:
        if place != self._hovered:
            self._hovered = place
            self.setCursor(Qt.CursorShape.PointingHandCursor if place is not None else Qt.CursorShape.ArrowCursor)
            self.update()
