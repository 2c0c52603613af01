"""The tree view of the storages: 20 px rows, cells painted by ``render``, columns that come and go with the room there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from tensorscope.gui.panels.hover_card import HoverCard
from tensorscope.gui.panels.storages_model import BYTES, LAYOUT, NAME, SHAPE, SIZE, WRITER, StoragesModel
from tensorscope.gui.panels.table_header import TableHeader
from tensorscope.language import tr
from tensorscope.render.hover_card import Card
from tensorscope.render.icons import draw_icon
from tensorscope.render.storage_bar import paint_storage_bar, paint_tensor_bar
from tensorscope.render.storage_row import paint_group, paint_group_size, paint_layout, paint_name, paint_shape, paint_size, paint_writer, writer_link_rect
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.storage_groups import StorageGroup
from tensorscope.viewmodel.storages import StorageItem, TensorItem, storage_facts, tensor_facts

_WIDTHS: Final = {SHAPE: 116, LAYOUT: 190, WRITER: 190, SIZE: 72}
_BYTES: Final = (84, 220)
_NAME: Final = 124
_NAME_FIRST: Final = 60  # pixels more that names get before other columns do
_EXPANDED_AT_FIRST: Final = 200  # storages


class StoragesView(QTreeView):
    source_clicked = Signal(object)  # Source
    opened = Signal()  # Enter on a row

    def __init__(self, model: StoragesModel, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._theme = theme
        self._collapsed: set[int | str] = set()  # addresses of storages and titles of groups that the user closed
        self.linked: frozenset[int] = frozenset()
        self._card = HoverCard(theme, self.viewport())
        self.setIndentation(round(theme().px("space.tree_indent")) + 2)
        self.setHeader(TableHeader(theme, {NAME: 4, SIZE: 6, BYTES: 6}, self))
        self.setModel(model)
        self.setItemDelegate(_Cells(model, self, theme))
        self.setAccessibleName(tr("Storages and their tensors"))
        self.setUniformRowHeights(True)
        self.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(True)
        self.setSortingEnabled(True)
        self.header().setSortIndicator(SIZE, Qt.SortOrder.DescendingOrder)
        self.collapsed.connect(lambda index: self._remember(index, is_open=False))
        self.expanded.connect(lambda index: self._remember(index, is_open=True))
        model.modelReset.connect(self._open_again)

    @property
    def card(self) -> Card | None:
        return self._card.card

    def show_linked(self, addresses: frozenset[int]) -> None:
        """Mark the storages that belong to the selection; the first of them comes into view where none is chosen."""
        if addresses == self.linked:
            return
        self.linked = addresses
        first = next((number for number, item in enumerate(self._model.items) if item.row.data in addresses), -1)
        if first >= 0 and not self.currentIndex().isValid() and not self.underMouse():
            self.expand(self._model.index_at(first).parent())
            self.scrollTo(self._model.index_at(first))
        self.viewport().update()

    def select_storage(self, data: int | None) -> None:
        """Show a storage as selected, without telling anybody."""
        selection = self.selectionModel()
        blocked = selection.blockSignals(True)
        index = self._model.index_of(data) if data is not None else QModelIndex()
        current = self._model.item_of(self.currentIndex())
        if not index.isValid():
            self.clearSelection()
        elif current is None or current[0].row.data != data:
            self.expand(index.parent())
            self.setCurrentIndex(index)
            if not self.underMouse():
                self.scrollTo(index)
        selection.blockSignals(blocked)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        theme = self._theme()
        found = self._model.item_of(index)
        if found is not None and found[1] is not None:
            x = rect.right() - self.indentation() - self.indentation() // 2
            painter.fillRect(QRectF(x, rect.top(), 1, rect.height()), theme.color("line.guide"))
        elif found is None or found[0].others:
            icon = "chevron-down" if self.isExpanded(index) else "chevron-right"
            draw_icon(
                painter, icon, QRectF(rect.right() - self.indentation() + 1, rect.top(), self.indentation(), rect.height()), theme.color("text.secondary"), 12
            )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        found = self._model.item_of(index)
        is_link = self._link_at(index, event.position().toPoint()) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)
        if found is None:
            self._card.explain(None, QPoint())
            return
        item, tensor = found
        shown = tensor or (item.base if item.base and index.column() in (SHAPE, LAYOUT) else None)
        facts = tensor_facts(shown, item.row) if shown else storage_facts(item)
        self._card.explain(Card((tensor or item).name, facts=facts, category=item.row.category), event.globalPosition().toPoint())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        item = self._link_at(index, event.position().toPoint())
        if item is not None:
            self.source_clicked.emit(item.row.last_writer_source)
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            cells = [self._model.data(self.currentIndex().siblingAtColumn(column)) or "" for column in range(self._model.columnCount())]
            QGuiApplication.clipboard().setText("\t".join(cells))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def is_column_shown(self, column: int) -> bool:
        return not self.isColumnHidden(column)

    def _fit_columns(self) -> None:
        """Name, shape, size and bytes always; layout and last writer where there is room."""
        room = self.viewport().width() - _NAME - _WIDTHS[SHAPE] - _WIDTHS[SIZE] - _BYTES[0]
        for column in (LAYOUT, WRITER):
            self.setColumnHidden(column, room < _WIDTHS[column] + _NAME_FIRST)
            if room >= _WIDTHS[column] + _NAME_FIRST:
                room -= _WIDTHS[column]
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        extra = max(room, 0)
        bytes_width = min(_BYTES[0] + max(extra - _NAME_FIRST, 0) // 2, _BYTES[1])
        self.setColumnWidth(BYTES, bytes_width)
        self.setColumnWidth(NAME, max(_NAME + min(room, 0) + extra - (bytes_width - _BYTES[0]), 60))

    def _link_at(self, index: QModelIndex, at: QPoint) -> StorageItem | None:
        """The storage whose last writer's line is at a position."""
        found = self._model.item_of(index)
        if found is None or found[1] is not None or index.column() != WRITER or found[0].row.last_writer_source is None:
            return None
        return found[0] if writer_link_rect(QRectF(self.visualRect(index)), found[0], self._theme()).contains(at.toPointF()) else None

    def _remember(self, index: QModelIndex, *, is_open: bool) -> None:
        found = self._model.item_of(index)
        group = self._model.group_of(index)
        key: int | str | None = group.title if group is not None else found[0].row.data if found is not None and found[1] is None else None
        if key is not None:
            (self._collapsed.discard if is_open else self._collapsed.add)(key)

    def _open_again(self) -> None:
        for row in range(self._model.rowCount()):
            group = self._model.group_of(self._model.index(row, 0))
            if group is not None and group.title not in self._collapsed:
                self.expand(self._model.index(row, 0))
        for number, item in enumerate(self._model.items[:_EXPANDED_AT_FIRST]):
            if item.others and item.row.data not in self._collapsed:
                self.expand(self._model.index_at(number))


class _Cells(QStyledItemDelegate):
    def __init__(self, model: StoragesModel, view: StoragesView, theme: Callable[[], Theme]) -> None:
        super().__init__(view)
        self._model = model
        self._view = view
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(20, round(self._theme().px("size.row.default")))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        theme, rect = self._theme(), QRectF(option.rect)
        state = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("surface.selected"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("surface.hover"))
        group, found = self._model.group_of(index), self._model.item_of(index)
        if found is not None and found[0].row.data in self._view.linked and not state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("surface.selected_inactive"))
            if index.column() == NAME:
                painter.fillRect(QRectF(rect.left(), rect.top(), 2, rect.height()), theme.color("accent.base"))
        if group is not None:
            self._paint_group(painter, rect, index.column(), group)
        elif found is not None:
            self._paint_cell(painter, rect, index.column(), *found)
        painter.restore()

    def _paint_group(self, painter: QPainter, rect: QRectF, column: int, group: StorageGroup) -> None:
        if column == NAME:
            paint_group(painter, rect, group, self._theme())
        elif column == SIZE:
            paint_group_size(painter, rect, group, self._theme())

    def _paint_cell(self, painter: QPainter, rect: QRectF, column: int, item: StorageItem, tensor: TensorItem | None) -> None:
        theme = self._theme()
        match column:
            case 0:
                paint_name(painter, rect, item, tensor, theme, with_writer=not self._view.is_column_shown(WRITER))
            case 1:
                paint_shape(painter, rect, tensor or item.base, theme, with_note=not self._view.is_column_shown(LAYOUT))
            case 2:
                paint_layout(painter, rect, tensor or item.base, theme)
            case 3:
                if tensor is None:
                    paint_writer(painter, rect, item, theme)
            case 4:
                paint_size(painter, rect, item, tensor, theme)
            case _:
                cell = rect.adjusted(6, 0, -10, 0)
                if tensor is None:
                    paint_storage_bar(painter, cell, item, theme)
                else:
                    paint_tensor_bar(painter, cell, tensor, item, theme)

    def helpEvent(self, *arguments: object) -> bool:
        """The hover card explains, no tool tip."""
        return isinstance(arguments[0], QEvent)
