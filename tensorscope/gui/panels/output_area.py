"""The scrolling lines of what the script printed: chosen by line, followed while they grow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from tensorscope.analysis.results import Source
from tensorscope.render.output import OutputLook, code_left, column_at, paint_output_line
from tensorscope.render.text import text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.output import OutputLine, OutputView, links_of


class OutputArea(QAbstractScrollArea):
    """Paints what is visible. Tells which line was clicked, and which source line in it."""

    line_clicked = Signal(object)  # OutputLine
    source_clicked = Signal(object)  # Source
    follow_changed = Signal(bool)

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: OutputView | None = None
        self._printed = 0  # lines that had been printed by the moment that is looked at
        self._wanted = ""
        self._hit = -1
        self._chosen: tuple[int, int] | None = None  # first chosen line and the one that the choice reaches
        self._hovered = -1
        self.is_following = True
        self.line_height = round(theme().px("size.code_line_min"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    @property
    def lines(self) -> tuple[OutputLine, ...]:
        return self._view.lines if self._view is not None else ()

    @property
    def chosen_text(self) -> str:
        if self._chosen is None:
            return ""
        first, last = sorted(self._chosen)
        return "\n".join(line.text for line in self.lines[first : last + 1])

    def show_view(self, view: OutputView, printed: int, wanted: str) -> None:
        self._view, self._printed, self._wanted = view, printed, wanted
        if self._hit not in view.hits:
            self._hit = -1
        self._set_ranges()
        if self.is_following:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self.viewport().update()

    def show_printed(self, printed: int) -> None:
        """Of a moment in the past: what came later is dim, and the last line before it is in view."""
        if printed != self._printed:
            self._printed = printed
            if printed < len(self.lines):
                self._reveal(printed - 1)
            self.viewport().update()

    def follow(self, is_following: bool) -> None:
        if is_following != self.is_following:
            self.is_following = is_following
            self.follow_changed.emit(is_following)
        if is_following:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def go_to_hit(self, step: int) -> int:
        """The next find, round and round; its number from 1, 0 where there is none."""
        hits = self._view.hits if self._view is not None else ()
        if not hits:
            return 0
        place = hits.index(self._hit) + step if self._hit in hits else 0 if step > 0 else -1
        self._hit = hits[place % len(hits)]
        self.follow(False)
        self._reveal(self._hit)
        self.viewport().update()
        return hits.index(self._hit) + 1

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._view is None:
            return
        theme, view = self._theme(), self._view
        top, shift = self.verticalScrollBar().value(), self.horizontalScrollBar().value()
        first = top // self.line_height
        last = min(len(view.lines), (top + self.viewport().height()) // self.line_height + 1)
        chosen = range(0) if self._chosen is None else range(min(self._chosen), max(self._chosen) + 1)
        with QPainter(self.viewport()) as painter:
            for place in range(first, last):
                rect = QRectF(0, place * self.line_height - top, self.viewport().width(), self.line_height)
                look = OutputLook(place in chosen, place == self._hovered, place >= self._printed, self._wanted, place == self._hit)
                paint_output_line(painter, rect, view.lines[place], look, shift, view.cwd, theme)
            if 0 < self._printed < len(view.lines):
                painter.fillRect(QRectF(0, self._printed * self.line_height - top - 1, self.viewport().width(), 1), theme.color("accent.base"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_ranges()
        if self.is_following:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._line_at(event)
        if place < 0 or event.button() is not Qt.MouseButton.LeftButton:
            return
        source = self._link_at(event)
        if source is not None:
            self.source_clicked.emit(source)
            return
        begin = self._chosen[0] if self._chosen is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier else place
        self._chosen = (begin, place)
        self.viewport().update()
        if begin == place:
            self.line_clicked.emit(self.lines[place])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._line_at(event)
        if event.buttons() & Qt.MouseButton.LeftButton and self._chosen is not None and place >= 0:
            self._chosen = (self._chosen[0], place)
            self.viewport().update()
        is_link = self._link_at(event) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.IBeamCursor)
        self._hover(place)

    def leaveEvent(self, event: Any) -> None:
        self._hover(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if event.matches(QKeySequence.StandardKey.Copy) and self._chosen is not None:
            QGuiApplication.clipboard().setText(self.chosen_text)
        elif event.matches(QKeySequence.StandardKey.SelectAll) and self.lines:
            self._chosen = (0, len(self.lines) - 1)
            self.viewport().update()
        elif step is not None and self._chosen is not None:
            place = min(max(self._chosen[1] + step, 0), len(self.lines) - 1)
            has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._chosen = (self._chosen[0] if has_shift else place, place)
            self._reveal(place)
            self.viewport().update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen is not None:
            self._open(self._chosen[1])
        else:
            super().keyPressEvent(event)

    def _open(self, place: int) -> None:
        """By key: the first source line that a line names, else its moment."""
        line = self.lines[place]
        links = links_of(line.text, self._view.cwd) if self._view is not None else ()
        if links:
            self.source_clicked.emit(links[0][2])
        else:
            self.line_clicked.emit(line)

    def _reveal(self, place: int) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        top = max(place, 0) * self.line_height
        if not bar.value() <= top <= bar.value() + height - self.line_height:
            bar.setValue(round(top - height / 2))

    def _scrolled(self, value: int) -> None:
        """Whoever scrolls up wants to read; at the end it follows again."""
        is_at_end = value >= self.verticalScrollBar().maximum()
        if is_at_end != self.is_following:
            self.is_following = is_at_end
            self.follow_changed.emit(is_at_end)

    def _line_at(self, event: QMouseEvent) -> int:
        place = int((event.position().y() + self.verticalScrollBar().value()) // self.line_height)
        return place if 0 <= place < len(self.lines) else -1

    def _link_at(self, event: QMouseEvent) -> Source | None:
        place = self._line_at(event)
        if place < 0 or self._view is None:
            return None
        column = column_at(event.position().x(), self.viewport().width(), self.horizontalScrollBar().value(), self._theme())
        return next((source for begin, end, source in links_of(self.lines[place].text, self._view.cwd) if begin <= column < end), None)

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            self._hovered = place
            self.viewport().update()

    def _set_ranges(self) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        longest = max((len(line.text) for line in self.lines), default=0) * text_width("0", self._theme().font("body", code=True))
        vertical, was_following = self.verticalScrollBar(), self.is_following
        vertical.setPageStep(height)
        vertical.setSingleStep(self.line_height)
        vertical.setRange(0, max(len(self.lines) * self.line_height - height, 0))
        if was_following != self.is_following:  # only a hand on the bar ends following
            self.is_following = was_following
            self.follow_changed.emit(was_following)
        self.horizontalScrollBar().setPageStep(width)
        self.horizontalScrollBar().setRange(0, max(round(longest + code_left(width) + 16 - width), 0))
