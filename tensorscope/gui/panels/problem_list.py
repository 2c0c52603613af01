"""The list of problems: painted rows, walked with the arrow keys."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from tensorscope.render.problem_row import paint_problem_row, problem_row_height
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.problems import ProblemRow


class ProblemList(QAbstractScrollArea):
    """Tells which row was chosen, opened (Enter, double click), or whose place was clicked."""

    chosen = Signal(object)
    opened = Signal(object)
    place_clicked = Signal(object)

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[ProblemRow, ...] = ()
        self._chosen: ProblemRow | None = None
        self._hovered = -1
        self._links: dict[int, QRectF] = {}
        self._tops = [0]  # of every row, and the end of the last
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)

    @property
    def rows(self) -> tuple[ProblemRow, ...]:
        return self._rows

    def rect_of(self, place: int) -> QRectF:
        """Where a row is, in the viewport."""
        top, bottom = self._tops[place], self._tops[place + 1]
        return QRectF(0, top - self.verticalScrollBar().value(), self.viewport().width(), bottom - top)

    def show_rows(self, rows: tuple[ProblemRow, ...], chosen: ProblemRow | None) -> None:
        self._rows, self._chosen = rows, chosen
        self._set_range()
        if chosen in rows:
            self._reveal(rows.index(chosen))
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, top = self._theme(), self.verticalScrollBar().value()
        first = max(bisect_right(self._tops, top) - 1, 0)
        last = min(bisect_left(self._tops, top + self.viewport().height()), len(self._rows))
        self._links = {}
        with QPainter(self.viewport()) as painter:
            for place in range(first, last):
                rect = self.rect_of(place)
                row = self._rows[place]
                is_chosen = row == self._chosen
                self._links[place] = paint_problem_row(painter, rect, row, theme, is_chosen=is_chosen, is_hovered=place == self._hovered)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_range()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._at(event)
        if place < 0 or event.button() is not Qt.MouseButton.LeftButton:
            return
        is_link = self._links.get(place, QRectF()).contains(event.position())
        (self.place_clicked if is_link else self.chosen).emit(self._rows[place])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._at(event)
        if place >= 0:
            self.opened.emit(self._rows[place])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._at(event)
        is_link = self._links.get(place, QRectF()).contains(event.position())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)
        self.viewport().setToolTip(f"{self._rows[place].words}\n{self._rows[place].source or ''}".strip() if place >= 0 else "")
        self._hover(place)

    def leaveEvent(self, event: Any) -> None:
        self._hover(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self._rows.index(self._chosen) if self._chosen in self._rows else -1
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is not None and self._rows:
            self.chosen.emit(self._rows[min(max(at + step, 0), len(self._rows) - 1)])
        elif at >= 0 and event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._rows[at].text)
        elif at >= 0 and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self._rows[at])
        else:
            super().keyPressEvent(event)

    def _at(self, event: QMouseEvent) -> int:
        place = bisect_right(self._tops, int(event.position().y()) + self.verticalScrollBar().value()) - 1
        return place if 0 <= place < len(self._rows) else -1

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            self._hovered = place
            self.viewport().update()

    def _reveal(self, place: int) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        top, bottom = self._tops[place], self._tops[place + 1]
        if top < bar.value():
            bar.setValue(top)
        elif bottom > bar.value() + height:
            bar.setValue(bottom - height)

    def _set_range(self) -> None:
        theme, width = self._theme(), self.viewport().width()
        self._tops = [0, *accumulate(problem_row_height(row, width, theme) for row in self._rows)]
        self.verticalScrollBar().setRange(0, max(self._tops[-1] - self.viewport().height(), 0))
        self.verticalScrollBar().setPageStep(self.viewport().height())
        self.verticalScrollBar().setSingleStep(round(theme.px("size.row.comfortable")))
