"""The scrolling lines of a source file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.render.source import BREAK_WIDTH, CODE_LEFT, GUTTER, LineLook, gutter_role, paint_overview, paint_source_line
from tensorscope.render.text import text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.source_view import SourceView


class CodeArea(QAbstractScrollArea):
    """Paints what is visible. Tells which line was clicked (from 1)."""

    line_clicked = Signal(int)
    gutter_clicked = Signal(int)
    hot_wanted = Signal(int)  # 1 the next hottest line, -1 the one before
    linked_wanted = Signal(int)  # 1 the next line that belongs to the selection, -1 the one before

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: SourceView | None = None
        self._hovered = 0
        self._is_in_gutter = False
        self._breakpoints: dict[int, bool] = {}
        self._problems: dict[int, Finding] = {}
        self._linked: tuple[int, ...] = ()
        self._at_linked = 0  # the one last gone to
        self.line_height = round(theme().px("size.code_line_min"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)

    def show_view(self, view: SourceView) -> None:
        """Show a file; scrolls to its selected (else held) line when that is another one."""
        old, self._view = self._view, view
        self._at_linked = self._at_linked if old is not None and old.file == view.file else 0
        self._set_ranges()
        has_moved = old is None or (view.file, view.selected_line, view.held_line) != (old.file, old.selected_line, old.held_line)
        if has_moved or (old is not None and not old.focus_line):
            self.reveal(view.focus_line)
        self.viewport().update()

    def show_breakpoints(self, lines: dict[int, bool]) -> None:
        """Lines that have one, and whether it is on."""
        if lines != self._breakpoints:
            self._breakpoints = lines
            self.viewport().update()

    def show_problems(self, lines: dict[int, Finding]) -> None:
        """Lines that a problem names, with the gravest one."""
        if lines != self._problems:
            self._problems = lines
            self.viewport().update()

    def show_linked(self, lines: frozenset[int]) -> None:
        """Lines that belong to the selection."""
        if tuple(sorted(lines)) != self._linked:
            self._linked = tuple(sorted(lines))
            self.viewport().update()

    def go_to_linked(self, step: int) -> bool:
        """Have the next line that belongs to the selection in view, or (-1) the one before; False where this file has none there, or shows the only one."""
        at = self._at_linked or (self._view.selected_line if self._view is not None else 0)
        onward = [line for line in self._linked if (line - at) * step > 0]
        self._at_linked = (onward[0] if step > 0 else onward[-1]) if onward else 0
        if onward:
            self.reveal(self._at_linked)
            self._hover(self._at_linked, is_in_gutter=False)
        return bool(onward)

    def reveal(self, line: int) -> None:
        """Scroll so that a line is well inside."""
        top = max(line - 1, 0) * self.line_height
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if not bar.value() + 2 * self.line_height <= top <= bar.value() + height - 3 * self.line_height:
            bar.setValue(round(top - height / 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._view is None:
            return
        theme, view = self._theme(), self._view
        with QPainter(self.viewport()) as painter:
            painter.fillRect(QRectF(0, 0, GUTTER, self.viewport().height()), theme.color(gutter_role(theme)))
            top = self.verticalScrollBar().value()
            shift = self.horizontalScrollBar().value()
            first = top // self.line_height
            last = min(len(view.code.lines), (top + self.viewport().height()) // self.line_height + 1)
            for index in range(first, last):
                rect = QRectF(0, index * self.line_height - top, self.viewport().width(), self.line_height)
                number = index + 1
                look = self._look(number, view)
                paint_source_line(painter, rect, number, view, look, shift, theme)
            if self.verticalScrollBar().maximum():
                paint_overview(painter, QRectF(self.viewport().rect()), len(view.code.lines), self._linked, theme)

    def _look(self, number: int, view: SourceView) -> LineLook:
        is_hovered = number == self._hovered
        return LineLook(
            number == view.held_line,
            number == view.selected_line,
            is_hovered,
            number in self._breakpoints,
            self._breakpoints.get(number, False),
            is_hovered and self._is_in_gutter,
            self._problems[number].severity if number in self._problems else "",
            number in self._linked,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_ranges()
        if self._view is not None and event.oldSize().height() < 2 * self.line_height:
            self.reveal(self._view.focus_line)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self._line_at(event.position().y())
        if line and event.button() is Qt.MouseButton.LeftButton:
            (self.gutter_clicked if event.position().x() < BREAK_WIDTH else self.line_clicked).emit(line)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_in_gutter = event.position().x() < BREAK_WIDTH
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_in_gutter else Qt.CursorShape.ArrowCursor)
        self._hover(self._line_at(event.position().y()), is_in_gutter=is_in_gutter)

    def leaveEvent(self, event: Any) -> None:
        self._hover(0, is_in_gutter=False)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            line = self._line_at(event.pos().y())
            is_cost = BREAK_WIDTH <= event.pos().x() < GUTTER
            hint = self._view.hint(line) if self._view is not None and line and is_cost else ""
            if line and event.pos().x() < BREAK_WIDTH:
                hint = "\n".join(filter(None, (self._problems[line].message if line in self._problems else "", self._break_hint(line))))
            QToolTip.showText(event.globalPos(), hint, self)
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - event.angleDelta().y())
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self._view is not None and (line := self._view.selected_line or self._view.held_line):
            QGuiApplication.clipboard().setText(self._view.code.lines[line - 1].strip())
            return
        aside = {Qt.Key.Key_Left: -40, Qt.Key.Key_Right: 40}.get(Qt.Key(event.key()))
        walk = {Qt.Key.Key_L: self.linked_wanted, Qt.Key.Key_H: self.hot_wanted}.get(Qt.Key(event.key()))
        if walk is not None and event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            walk.emit(-1 if event.modifiers() else 1)
            return
        if aside is not None:
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + aside)
            return
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and self._view is not None and self._view.selected_line:
            self.line_clicked.emit(min(max(self._view.selected_line + step, 1), len(self._view.code.lines)))
        else:
            super().keyPressEvent(event)

    def _set_ranges(self) -> None:
        lines = self._view.code.lines if self._view is not None else ()
        height, width = self.viewport().height(), self.viewport().width()
        longest = max(map(len, lines), default=0) * text_width("0", self._theme().font("body", code=True))
        self.verticalScrollBar().setRange(0, max(len(lines) * self.line_height - height, 0))
        self.verticalScrollBar().setPageStep(height)
        self.verticalScrollBar().setSingleStep(self.line_height)
        self.horizontalScrollBar().setRange(0, max(round(longest + CODE_LEFT + 16 - width), 0))
        self.horizontalScrollBar().setPageStep(width)

    def _line_at(self, y: float) -> int:
        line = int((y + self.verticalScrollBar().value()) // self.line_height) + 1
        return line if self._view is not None and 1 <= line <= len(self._view.code.lines) else 0

    def _hover(self, line: int, *, is_in_gutter: bool) -> None:
        if (line, is_in_gutter) != (self._hovered, self._is_in_gutter):
            self._hovered, self._is_in_gutter = line, is_in_gutter
            self.viewport().update()

    def _break_hint(self, line: int) -> str:
        if line not in self._breakpoints:
            return tr("Click to hold backwards before the nodes of this line (F9)")
        if self._view is not None and line not in self._view.costs:
            return tr("Breakpoint: no operator has run on this line yet")
        return tr("Breakpoint: click to take it away (F9)")
