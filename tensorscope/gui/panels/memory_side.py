"""The table and list beside the memory timeline. Rows are painted; clicks say which category or block was meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from tensorscope.analysis.results import CATEGORIES
from tensorscope.gui.panels.hover_card import HoverCard
from tensorscope.language import tr
from tensorscope.render.hover_card import Card
from tensorscope.render.memory_side import CursorLook, block_link_rect, paint_block, paint_block_head, paint_category, paint_category_head
from tensorscope.render.theme import Theme
from tensorscope.units import format_byte_change, format_bytes, format_time, plural
from tensorscope.viewmodel.memory_cards import group_facts
from tensorscope.viewmodel.memory_groups import BlockGroup
from tensorscope.viewmodel.memory_side import BlockList, CategoryRow

CATEGORY_PAGE: Final = 0


@dataclass(frozen=True, slots=True)
class _Placed:
    """A row of the side and where it is."""

    rect: QRectF
    row: CategoryRow | BlockGroup


class MemorySide(QWidget):
    category_clicked = Signal(int, bool)  # number, with Alt
    block_clicked = Signal(object)  # BlockGroup
    source_clicked = Signal(object)  # Source

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._page = CATEGORY_PAGE
        self._categories: tuple[CategoryRow, ...] = ()
        self._below: BlockList | None = None  # the categories
        self._at_cursor: BlockList | None = None
        self._look = CursorLook("text.secondary")
        self._selected: frozenset[int] = frozenset()
        self._scroll = 0.0
        self._hovered: CategoryRow | BlockGroup | None = None
        self._card = HoverCard(theme, self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    @property
    def is_of_blocks(self) -> bool:
        """The page of the blocks at the cursor is shown, not that of the categories."""
        return self._page != CATEGORY_PAGE

    def show_page(self, page: int) -> None:
        self._page, self._scroll = page, 0.0
        self.update()

    def show_categories(self, rows: tuple[CategoryRow, ...], look: CursorLook) -> None:
        self._categories, self._look = rows, look
        self.update()

    def show_blocks(self, at_cursor: BlockList, below: BlockList, selected: frozenset[int]) -> None:
        self._at_cursor, self._below, self._selected = at_cursor, below, selected
        self._scroll = min(self._scroll, self._most_scroll())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("surface.panel"))
            painter.fillRect(0, 0, 1, self.height(), theme.color("line.subtle"))
            for placed in self._visible_rows():
                is_hovered = placed.row is self._hovered
                if isinstance(placed.row, CategoryRow):
                    paint_category(painter, placed.rect, placed.row, theme, is_hovered=is_hovered and placed.row.number is not None)
                else:
                    is_selected = any(block.row in self._selected for block in placed.row.blocks)
                    paint_block(painter, placed.rect, placed.row, theme, is_selected=is_selected, is_hovered=is_hovered, is_change=self._is_change)
            if self._page == CATEGORY_PAGE:
                paint_category_head(painter, QRectF(0, 0, self.width(), theme.px("size.table_header")), self._look, theme)
            blocks = self._blocks()
            if blocks is not None:
                head = self._block_head_rect()
                painter.fillRect(head.adjusted(1, 0, 0, 0), theme.color("surface.panel"))
                paint_block_head(painter, head, *self._block_head(blocks), theme)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        placed = self._hit(event.position())
        row = placed.row if placed else None
        if row is not self._hovered:
            self._hovered = row
            self.update()
            is_block = isinstance(row, BlockGroup)
            card = Card(row.name, "", group_facts(row), category=row.category) if isinstance(row, BlockGroup) else None
            self._card.explain(card, event.globalPosition().toPoint())
            self.setCursor(Qt.CursorShape.PointingHandCursor if is_block else Qt.CursorShape.ArrowCursor)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        placed = self._hit(event.position())
        if placed is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        row = placed.row
        if isinstance(row, CategoryRow):
            if row.number is not None:
                self.category_clicked.emit(row.number, bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        elif row.source is not None and block_link_rect(placed.rect, row, self._theme()).contains(event.position()):
            self.source_clicked.emit(row.source)
        else:
            self.block_clicked.emit(row)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._scroll = min(max(self._scroll - event.angleDelta().y() / 120 * 3 * self._theme().px("size.row.compact"), 0.0), self._most_scroll())
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.text())
        else:
            super().keyPressEvent(event)

    def text(self) -> str:
        """What is shown, with exact bytes, for the clipboard."""
        lines = [
            f"{'allocated' if row.number is None else self._theme().category_label(CATEGORIES[row.number])}\t{row.at_cursor_bytes} B\t{row.at_peak_bytes} B"
            for row in (self._categories if self._page == CATEGORY_PAGE else ())
        ]
        blocks = self._blocks()
        lines += [f"{block.name}\t{block.source or ''}\t{block.size_bytes} B" for block in (blocks.groups if blocks else ())]
        return "\n".join(lines)

    def _blocks(self) -> BlockList | None:
        return self._below if self._page == CATEGORY_PAGE else self._at_cursor

    def _block_head(self, blocks: BlockList) -> tuple[str, str]:
        if blocks.since_ns is not None:
            return tr("Changed since {time}").format(time=format_time(blocks.since_ns)), format_byte_change(blocks.total_bytes)
        if self._page == CATEGORY_PAGE:
            return tr("Largest at peak"), format_time(blocks.time_ns)
        return tr("Live at cursor"), f"{plural(blocks.count, 'block')}, {format_bytes(blocks.total_bytes)}"

    @property
    def _is_change(self) -> bool:
        blocks = self._blocks()
        return blocks is not None and blocks.since_ns is not None

    def _block_head_rect(self) -> QRectF:
        theme = self._theme()
        top = 0.0
        if self._page == CATEGORY_PAGE:
            top = theme.px("size.table_header") + len(self._categories) * theme.px("size.row.compact") + 4
        return QRectF(0, top, self.width(), theme.px("size.section_header"))

    def _visible_rows(self) -> list[_Placed]:
        theme = self._theme()
        height = theme.px("size.row.compact")
        placed = []
        if self._page == CATEGORY_PAGE:
            top = theme.px("size.table_header")
            placed = [_Placed(QRectF(1, top + index * height, self.width() - 1, height), row) for index, row in enumerate(self._categories)]
        blocks = self._blocks()
        if blocks is not None:
            top = self._block_head_rect().bottom()
            first = int(self._scroll // height)
            count = int((self.height() - top) // height) + 2
            for index, block in enumerate(blocks.groups[first : first + count], first):
                rect = QRectF(1, top + index * height - self._scroll, self.width() - 1, height)
                if rect.bottom() > top:
                    placed.append(_Placed(rect, block))
        return placed

    def _most_scroll(self) -> float:
        blocks = self._blocks()
        if blocks is None:
            return 0.0
        return max(len(blocks.groups) * self._theme().px("size.row.compact") - (self.height() - self._block_head_rect().bottom()), 0.0)

    def _hit(self, at: QPointF) -> _Placed | None:
        if self._block_head_rect().contains(at):
            return None
        return next((placed for placed in self._visible_rows() if placed.rect.contains(at)), None)
