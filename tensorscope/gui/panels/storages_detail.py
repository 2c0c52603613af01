"""One storage in full beside the list: its lines scroll; a click on a mark or an operator goes there, one on a place opens the line."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from tensorscope.gui.panels.hover_card import HoverCard
from tensorscope.language import tr
from tensorscope.render.hover_card import Card
from tensorscope.render.message import paint_message
from tensorscope.render.storage_badge import placed_badges
from tensorscope.render.storage_detail import badges_rect, line_height, link_rect, paint_line, source_of_line, strip_rect
from tensorscope.render.storage_strip import mark_at
from tensorscope.render.theme import Theme
from tensorscope.units import format_time
from tensorscope.viewmodel.storage_detail import DetailLine, Mark, SectionLine, StorageDetail, StripLine, TensorLine, TitleLine, UseLine, line_text, mark_words
from tensorscope.viewmodel.storages import tensor_facts

_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}


class StorageDetailView(QAbstractScrollArea):
    use_clicked = Signal(int)  # index of the use among all
    source_clicked = Signal(object)  # Source

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._detail: StorageDetail | None = None
        self._tops: list[float] = [0.0]  # of each line, then the end
        self._current = -1
        self._cursor_ns: int | None = None
        self._card = HoverCard(theme, self.viewport())
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Storage in full"))
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(round(theme().px("size.row.compact")))

    @property
    def detail(self) -> StorageDetail | None:
        return self._detail

    @property
    def card(self) -> Card | None:
        return self._card.card

    def show_detail(self, detail: StorageDetail | None) -> None:
        is_same = self._detail is not None and detail is not None and detail.item.row.data == self._detail.item.row.data
        self._detail = detail
        self._tops = [0.0]
        for line in detail.lines if detail else ():
            self._tops.append(self._tops[-1] + line_height(line, self._theme()))
        self._current = min(self._current, len(self._tops) - 2) if is_same else -1
        self.setAccessibleDescription(line_text(detail.lines[0]) if detail else "")
        self._fit()
        if not is_same:
            self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def show_cursor(self, cursor_ns: int | None) -> None:
        self._cursor_ns = cursor_ns
        self.viewport().update()

    def rect_of(self, number: int) -> QRectF:
        """Where a line is, in the viewport."""
        top = self._tops[number] - self.verticalScrollBar().value()
        return QRectF(0, top, self.viewport().width(), self._tops[number + 1] - self._tops[number])

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), theme.color("surface.panel"))
            if self._detail is None:
                title, advice = tr("No storage is chosen."), tr("Choose one in the list, a block in the memory timeline or a parameter.")
                paint_message(painter, QRectF(self.viewport().rect()), theme, title, advice, "layers")
                return
            for number, line in enumerate(self._detail.lines):
                rect = self.rect_of(number)
                if rect.bottom() < 0 or rect.top() > self.viewport().height():
                    continue
                if number == self._current:
                    painter.fillRect(rect, theme.color("surface.selected" if self.hasFocus() else "surface.selected_inactive"))
                painter.save()
                paint_line(painter, rect, line, theme, self._cursor_ns)
                painter.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseMove:
            self._explain(event.position(), event.globalPosition().toPoint())
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._line_at(event.position())
        if number is None or self._detail is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        line, rect = self._detail.lines[number], self.rect_of(number)
        if link_rect(rect, line, self._theme()).contains(event.position()):
            self.source_clicked.emit(source_of_line(line))
            return
        mark = self._mark_at(number, event.position())
        if mark is not None:
            self.use_clicked.emit(mark.first)
        elif not isinstance(line, SectionLine | TitleLine | StripLine):
            self._choose(number)
            self._activate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _KEYS.get(Qt.Key(event.key()))
        if event.matches(QKeySequence.StandardKey.Copy) and self._detail is not None:
            lines = self._detail.lines if self._current < 0 else (self._detail.lines[self._current],)
            QGuiApplication.clipboard().setText("\n".join(map(line_text, lines)))
        elif step is not None and self._detail is not None:
            self._choose(min(max(self._current + step, 0), len(self._detail.lines) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate()
        else:
            super().keyPressEvent(event)

    def _choose(self, number: int) -> None:
        self._current = number
        bar, top, bottom = self.verticalScrollBar(), self._tops[number], self._tops[number + 1]
        bar.setValue(round(min(max(bar.value(), bottom - self.viewport().height()), top)))
        if self._detail is not None:
            self.setAccessibleDescription(line_text(self._detail.lines[number]))
        self.viewport().update()

    def _activate(self) -> None:
        """Go to the operator of the current line, or to its source line."""
        if self._detail is None or self._current < 0:
            return
        line = self._detail.lines[self._current]
        if isinstance(line, UseLine):
            self.use_clicked.emit(self._detail.uses.first_listed + self._detail.uses.listed.index(line.use))
        elif source_of_line(line) is not None:
            self.source_clicked.emit(source_of_line(line))

    def _explain(self, at: QPointF, global_at: QPoint) -> None:
        number = self._line_at(at)
        if number is None or self._detail is None:
            self._card.explain(None, QPoint())
            return
        line = self._detail.lines[number]
        mark = self._mark_at(number, at)
        is_link = link_rect(self.rect_of(number), line, self._theme()).contains(at)
        is_clickable = is_link or mark is not None or isinstance(line, UseLine)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_clickable else Qt.CursorShape.ArrowCursor)
        self._card.explain(self._card_of(line, mark, self.rect_of(number), at), global_at)

    def _card_of(self, line: DetailLine, mark: Mark | None, rect: QRectF, at: QPointF) -> Card | None:
        match line:
            case StripLine(uses) if mark is not None:
                first, last = format_time(int(uses.begin_ns[mark.first]), 6), format_time(int(uses.begin_ns[mark.last]), 6)
                return Card(mark_words(mark, uses), facts=((tr("at"), first if mark.count == 1 else f"{first} – {last}"),), footer=tr("Click goes to it"))
            case TitleLine(item):
                badges = placed_badges(badges_rect(rect, self._theme()), item.badges, self._theme())
                return next((Card(badge.word, facts=(("", badge.explains),)) for badge, place in badges if place.contains(at)), None)
            case TensorLine(tensor, item):
                return Card(tensor.name, facts=tensor_facts(tensor, item.row), category=item.row.category)
            case _:
                return None

    def _mark_at(self, number: int, at: QPointF) -> Mark | None:
        line = self._detail.lines[number] if self._detail else None
        return mark_at(strip_rect(self.rect_of(number), self._theme()), line.uses, at) if isinstance(line, StripLine) else None

    def _line_at(self, at: QPointF) -> int | None:
        y = at.y() + self.verticalScrollBar().value()
        return next((number for number in range(len(self._tops) - 1) if self._tops[number] <= y < self._tops[number + 1]), None)

    def _fit(self) -> None:
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setRange(0, max(round(self._tops[-1] + 6 - self.viewport().height()), 0))
