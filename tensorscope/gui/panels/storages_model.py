"""The storages as a Qt model: storages at the top, their tensors below. An adapter without data of its own."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from tensorscope.language import tr, tr_later
from tensorscope.units import format_shape
from tensorscope.viewmodel.storages import Sort, StorageItem, StorageTree, TensorItem, choose_items, place_of

NAME, SHAPE, LAYOUT, WRITER, SIZE, BYTES = range(6)
HEADS: Final = (tr_later("Storage, views"), tr_later("Shape"), tr_later("Layout"), tr_later("Last writer"), tr_later("Size"), tr_later("Bytes"))
_SORTS: Final = {NAME: Sort.NAME, SHAPE: Sort.SHAPE, SIZE: Sort.SIZE}

Index = QModelIndex | QPersistentModelIndex


class StoragesModel(QAbstractItemModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree: StorageTree | None = None
        self._items: tuple[StorageItem, ...] = ()
        self._filter = ""
        self._sort, self._is_descending = Sort.SIZE, True

    @property
    def items(self) -> tuple[StorageItem, ...]:
        """What is shown, in order."""
        return self._items

    def show_tree(self, tree: StorageTree) -> None:
        self._tree = tree
        self._choose()

    def show_only(self, text: str) -> None:
        self._filter = text
        self._choose()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column in _SORTS:
            self._sort, self._is_descending = _SORTS[column], order is Qt.SortOrder.DescendingOrder
            self._choose()

    def item_of(self, index: Index) -> tuple[StorageItem, TensorItem | None] | None:
        """The storage of a row, and the tensor if it is one; a storage's own row gives None for the tensor."""
        if not index.isValid():
            return None
        parent = index.internalId()
        if parent == 0:
            return self._items[index.row()], None
        item = self._items[parent - 1]
        return item, item.others[index.row()]

    def index_of(self, data: int) -> QModelIndex:
        """The row of the storage at an address."""
        row = next((row for row, item in enumerate(self._items) if item.row.data == data), -1)
        return self.index(row, 0) if row >= 0 else QModelIndex()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 (Qt's own signature)
        if not parent.isValid():
            return self.createIndex(row, column, 0) if 0 <= row < len(self._items) else QModelIndex()
        return self.createIndex(row, column, parent.row() + 1)

    def parent(self, child: Index) -> QModelIndex:  # type: ignore[override]
        number = child.internalId() if child.isValid() else 0
        return self.createIndex(number - 1, 0, 0) if number else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self._items)
        return len(self._items[parent.row()].others) if parent.internalId() == 0 and parent.column() == 0 else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(HEADS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignRight if section == SIZE else Qt.AlignmentFlag.AlignLeft)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Plain words, for the clipboard, accessibility and tests; the delegate paints."""
        found = self.item_of(index)
        if found is None or role != Qt.ItemDataRole.DisplayRole:
            return None
        item, tensor = found
        shown = tensor or item.base
        match index.column():
            case 0:
                return (tensor or item).name
            case 1:
                return format_shape(shown.tensor.shape, shown.tensor.dtype) if shown else ""
            case 2:
                return (
                    tr("{kind}, {layout}, version {version}").format(
                        kind=tr("view") if shown.tensor.is_view else tr("base"), layout=shown.layout, version=shown.tensor.version
                    )
                    if shown
                    else ""
                )
            case 3:
                return f"{item.row.last_writer} {place_of(item.row.last_writer_source)}" if tensor is None else ""
            case 4:
                return f"{tensor.size_bytes if tensor else item.row.nbytes} B"
            case _:
                return f"{shown.tensor.begin_byte}-{shown.tensor.end_byte}" if shown else f"0-{item.row.nbytes}"

    def _choose(self) -> None:
        self.beginResetModel()
        self._items = choose_items(self._tree, self._filter, self._sort, is_descending=self._is_descending) if self._tree else ()
        self.endResetModel()
