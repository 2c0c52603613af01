"""The header of a sheet: tabs with counts on the left, maximize and menu on the right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tensorscope.language import tr
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, elide, text_width
from tensorscope.render.theme import Theme

BUTTON_WIDTH: Final = 22
BADGE_GAP: Final = 6
TEAR_PX: Final = 32  # so far out of the header a dragged tab comes off


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab: the panel's key, which of its pages, and what is written."""

    key: str
    page: int
    title: str
    badge: str = ""


class SheetHeader(QWidget):
    """Paints the tabs and buttons. Tells which was clicked."""

    tab_chosen = Signal(str, int)
    maximize_clicked = Signal()
    menu_clicked = Signal(QPoint)
    torn_off = Signal(str, QPoint)  # a panel's key, and where its tab was let go outside

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tabs: tuple[Tab, ...] = ()
        self._current = 0
        self._is_focused = False
        self._is_maximized = False
        self._is_slow = False
        self._hovered: int | str | None = None
        self._dragged = ""  # the key of the panel whose tab is held
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(theme().px("size.panel_header")))

    @property
    def tabs(self) -> tuple[tuple[Tab, ...], int]:
        """All, and which is the current one."""
        return self._tabs, self._current

    def tab_rects(self) -> list[QRectF]:
        """Where each tab is."""
        theme = self._theme()
        x, rects = 0.0, []
        for index, tab in enumerate(self._tabs):
            width = text_width(tab.title, theme.font("body", "semibold" if index == self._current else "medium")) + 2 * theme.px("space.panel_padding_x")
            if tab.badge:
                width += text_width(tab.badge, theme.font("caption", "medium")) + 12 + BADGE_GAP
            rects.append(QRectF(x, 0, round(width), self.height()))
            x += round(width)
        room = self.width() - 2 * BUTTON_WIDTH - 12
        if rects and x > room > 0:
            rects = [QRectF(rect.left() * room / x, 0, rect.width() * room / x, rect.height()) for rect in rects]
        return rects

    def set_tabs(self, tabs: tuple[Tab, ...], current: int) -> None:
        if (tabs, current) != (self._tabs, self._current):
            self._tabs, self._current = tabs, current
            self.update()

    def set_focused(self, is_focused: bool) -> None:
        if is_focused != self._is_focused:
            self._is_focused = is_focused
            self.update()

    def set_slow(self, is_slow: bool) -> None:
        """A line at the foot while the content is late."""
        if is_slow != self._is_slow:
            self._is_slow = is_slow
            self.update()

    def set_maximized(self, is_maximized: bool) -> None:
        self._is_maximized = is_maximized
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index, (tab, rect) in enumerate(zip(self._tabs, self.tab_rects(), strict=True)):
                self._paint_tab(painter, theme, tab, rect, index)
            for name, rect in self._buttons().items():
                color = theme.color("text.strong" if self._hovered == name else "text.secondary")
                draw_icon(painter, self._icon_of(name), rect, color, theme.px("size.icon.panel"))

            if self._is_slow:
                height = theme.px("line.tab_top")
                painter.fillRect(QRectF(0, self.height() - height, self.width(), height), theme.color("accent.base"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        hit = self._hit(event.position())
        if event.button() is Qt.MouseButton.RightButton and isinstance(hit, int):
            self.tab_chosen.emit(self._tabs[hit].key, self._tabs[hit].page)
            self.menu_clicked.emit(event.globalPosition().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if isinstance(hit, int):
            self._dragged = self._tabs[hit].key
            self.tab_chosen.emit(self._tabs[hit].key, self._tabs[hit].page)
        elif hit == "maximize":
            self.maximize_clicked.emit()
        elif hit == "menu":
            self.menu_clicked.emit(self.mapToGlobal(self._buttons()["menu"].bottomLeft().toPoint()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._hit(event.position()) not in ("menu", "maximize"):
            self.maximize_clicked.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._dragged = self._dragged, ""
        self.unsetCursor()
        if dragged and self._is_out(event.position()):
            self.torn_off.emit(dragged, event.globalPosition().toPoint() - QPoint(40, 12))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged:
            self.setCursor(Qt.CursorShape.DragMoveCursor if self._is_out(event.position()) else Qt.CursorShape.ArrowCursor)
        hovered = self._hit(event.position())
        if hovered != self._hovered:
            self._hovered = hovered
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            words = {"maximize": tr("Restore the layout") if self._is_maximized else tr("Maximize this panel"), "menu": tr("What else this panel can do")}
            QToolTip.showText(event.globalPos(), words.get(str(self._hit(QPointF(event.pos()))), ""), self)
            return True
        return super().event(event)

    def _paint_tab(self, painter: QPainter, theme: Theme, tab: Tab, rect: QRectF, index: int) -> None:
        is_current = index == self._current
        if is_current:
            painter.fillPath(_tab_shape(rect, theme.px("radius.panel") if index == 0 else 2.0), theme.color("surface.panel"))
            line = theme.color("accent.base" if self._is_focused else "line.control")
            painter.save()
            painter.setClipRect(QRectF(rect.left(), rect.top(), rect.width(), theme.px("line.tab_top")))
            painter.fillPath(_tab_shape(rect, theme.px("radius.panel") if index == 0 else 2.0), line)
            painter.restore()
        color = theme.color("text.strong" if is_current else "text.primary" if self._hovered == index else "text.secondary")
        inner = rect.adjusted(theme.px("space.panel_padding_x"), 1, -theme.px("space.panel_padding_x") + 2, 0)
        font = theme.font("body", "semibold" if is_current else "medium")
        width = draw_text(painter, inner, elide(tab.title, font, inner.width()), font, color)
        if tab.badge:
            self._paint_badge(painter, theme, tab.badge, inner.adjusted(width + BADGE_GAP, 0, 0, 0))

    def _paint_badge(self, painter: QPainter, theme: Theme, badge: str, rect: QRectF) -> None:
        font = theme.font("caption", "medium")
        pill = QRectF(rect.left(), rect.center().y() - 8, text_width(badge, font) + 12, 16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("surface.raised" if theme.is_dark else "line.subtle"))
        painter.drawRoundedRect(pill, 8, 8)
        draw_text(painter, pill, badge, font, theme.color("text.primary"), Qt.AlignmentFlag.AlignHCenter)

    def _buttons(self) -> dict[str, QRectF]:
        right = self.width() - 6
        names = ("menu", "maximize")
        return {name: QRectF(right - (place + 1) * BUTTON_WIDTH, 0, BUTTON_WIDTH, self.height()) for place, name in enumerate(names)}

    def _icon_of(self, name: str) -> str:
        return "ellipsis" if name == "menu" else "minimize" if self._is_maximized else "maximize"

    def _is_out(self, at: QPointF) -> bool:
        return not QRectF(self.rect()).adjusted(-TEAR_PX, -TEAR_PX, TEAR_PX, TEAR_PX).contains(at)

    def _hit(self, at: QPointF) -> int | str | None:
        button = next((name for name, rect in self._buttons().items() if rect.contains(at)), None)
        return button or next((index for index, rect in enumerate(self.tab_rects()) if rect.contains(at)), None)


def _tab_shape(rect: QRectF, left_radius: float) -> QPainterPath:
    """A rectangle with its upper corners rounded."""
    path = QPainterPath()
    path.moveTo(rect.bottomLeft())
    path.lineTo(rect.left(), rect.top() + left_radius)
    path.quadTo(rect.topLeft(), QPointF(rect.left() + left_radius, rect.top()))
    path.lineTo(rect.right() - 2, rect.top())
    path.quadTo(rect.topRight(), QPointF(rect.right(), rect.top() + 2))
    path.lineTo(rect.bottomRight())
    path.closeSubpath()
    return path
