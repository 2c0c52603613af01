"""The line at the foot of the window: who is connected, how much was seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from tensorscope.language import tr
from tensorscope.render.text import Run, draw_runs, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.run_state import StatusItem

_MARGIN: Final = 12.0
COUNTS_MS: Final = 200
_GAP: Final = 10.0
_DOT: Final = 7.0


class StatusBar(QWidget):
    """Paints its items from both ends; when room is short, the innermost ones go first."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._left: tuple[StatusItem, ...] = ()
        self._right: tuple[StatusItem, ...] = ()
        self.notice = self.advice = ""
        self.setAccessibleName(tr("State of the run"))
        self._repaint = QTimer(self, singleShot=True, interval=COUNTS_MS)
        self._repaint.timeout.connect(self.update)
        self.setObjectName("statusbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(round(theme().px("size.status_bar")))

    def show_items(self, left: tuple[StatusItem, ...], right: tuple[StatusItem, ...], advice: str = "") -> None:
        """``advice`` stands between both ends where there is room. Counts that run on are painted a few times a second: more often nobody can read them."""
        is_other = left != self._left or advice != self.advice
        self.advice = advice
        self.setAccessibleDescription(advice)
        has_other_counts = right != self._right
        self._left, self._right = left, right
        if is_other:
            self.update()
        elif has_other_counts and not self._repaint.isActive():
            self._repaint.start()

    def show_notice(self, text: str) -> None:
        """A sentence in the middle, such as where a picture was saved; "" takes it away."""
        self.notice = text
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            placed = self._placed(theme)
            for item, rect, is_first in placed:
                if item.dot:
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(theme.color(item.dot))
                    painter.drawEllipse(QRectF(rect.left(), rect.center().y() - _DOT / 2 + 0.5, _DOT, _DOT))
                shift = _DOT + 7 if item.dot else 0.0
                draw_runs(painter, rect.adjusted(shift, 0, 0, 0), (Run(item.text, theme.font("caption", "medium"), theme.color(item.role)),))
                if not is_first:
                    painter.fillRect(QRectF(round(rect.left() - _GAP) - 0.0, 5, 1, self.height() - 10), theme.color("line.strong"))
            if self.notice:
                draw_runs(
                    painter,
                    QRectF(self.rect()),
                    (Run(self.notice, theme.font("caption", "medium"), theme.color("text.primary")),),
                    Qt.AlignmentFlag.AlignHCenter,
                )

            elif self.advice:
                self._paint_advice(painter, [rect for _, rect, _ in placed], theme)

    def _paint_advice(self, painter: QPainter, taken: list[QRectF], theme: Theme) -> None:
        """In the gap between the items of both ends; not at all where it does not fit."""
        font = theme.font("caption", "medium")
        middle = self.width() * 0.62
        begin = max((rect.right() for rect in taken if rect.left() < middle), default=0) + 2 * _GAP
        end = min((rect.left() for rect in taken if rect.left() >= middle), default=self.width()) - 2 * _GAP
        if text_width(self.advice, font) <= end - begin:
            room = QRectF(begin, 0, end - begin, self.height())
            draw_runs(painter, room, (Run(self.advice, font, theme.color("text.secondary")),), Qt.AlignmentFlag.AlignHCenter)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            at = QPointF(event.pos())
            hint = next((item.hint for item, rect, _ in self._placed(self._theme()) if rect.contains(at)), "")
            QToolTip.showText(event.globalPos(), hint, self)
            return True
        return super().event(event)

    def _placed(self, theme: Theme) -> list[tuple[StatusItem, QRectF, bool]]:
        """Items with their places, and whether each is the first of its end."""
        font = theme.font("caption", "medium")
        placed: list[tuple[StatusItem, QRectF, bool]] = []
        x, limit = _MARGIN, self.width() - _MARGIN - (text_width(self.notice, font) + 40 if self.notice else 0)
        for number, item in enumerate(self._left):
            width = text_width(item.text, font) + (_DOT + 7 if item.dot else 0)
            if x + width > limit * 0.62:
                break
            placed.append((item, QRectF(x, 0, width, self.height()), number == 0))
            x += width + 2 * _GAP
        right = self.width() - _MARGIN
        shown: list[tuple[StatusItem, QRectF]] = []
        for item in reversed(self._right):
            width = text_width(item.text, font)
            if right - width < x:
                break
            shown.append((item, QRectF(right - width, 0, width, self.height())))
            right -= width + 2 * _GAP
        placed += [(item, rect, place == len(shown) - 1) for place, (item, rect) in enumerate(shown)]
        return placed
