"""The storages as a Qt model: groups if wanted, storages, and their tensors below. An adapter without data of its own.

An index's id says its parent: 0 is the top, ``group + 1`` a group, ``(item + 1) << 32`` a storage.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from tensorscope.language import tr, tr_later
from tensorscope.units import format_shape, plural
from tensorscope.viewmodel.storage_groups import Grouping, StorageGroup, group_items
from tensorscope.viewmodel.storages import Sort, StorageItem, StorageTree, TensorItem, choose_items, place_of

NAME, SHAPE, LAYOUT, WRITER, SIZE, BYTES = range(6)
HEADS: Final = (tr_later("Storage, views"), tr_later("Shape"), tr_later("Layout"), tr_later("Last writer"), tr_later("Size"), tr_later("Bytes"))
_SORTS: Final = {NAME: Sort.NAME, SHAPE: Sort.SHAPE, SIZE: Sort.SIZE}
_OF_ITEM: Final = 32

Index = QModelIndex | QPersistentModelIndex


class StoragesModel(QAbstractItemModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree: StorageTree | None = None
        self._items: tuple[StorageItem, ...] = ()
        self._groups: tuple[StorageGroup, ...] = ()
        self._starts: tuple[int, ...] = ()  # of each group among the items
        self._filter = ""
        self._grouping = Grouping.NONE
        self._sort, self._is_descending = Sort.SIZE, True

    @property
    def items(self) -> tuple[StorageItem, ...]:
        """What is shown, in order."""
        return self._items

    @property
    def grouping(self) -> Grouping:
        return self._grouping

    def show_tree(self, tree: StorageTree) -> None:
        self._tree = tree
        self._choose()

    def show_only(self, text: str) -> None:
        self._filter = text
        self._choose()

    def group_by(self, grouping: Grouping) -> None:
        self._grouping = grouping
        self._choose()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column in _SORTS:
            self._sort, self._is_descending = _SORTS[column], order is Qt.SortOrder.DescendingOrder
            self._choose()

    def group_of(self, index: Index) -> StorageGroup | None:
        """The group of a heading's row; None for every other row."""
        return self._groups[index.row()] if index.isValid() and self._groups and index.internalId() == 0 else None

    def item_of(self, index: Index) -> tuple[StorageItem, TensorItem | None] | None:
        """The storage of a row, and the tensor if it is one; a storage's own row gives None for the tensor. None for a group's heading."""
        if not index.isValid() or self.group_of(index) is not None:
            return None
        parent = index.internalId()
        if parent >> _OF_ITEM:
            item = self._items[(parent >> _OF_ITEM) - 1]
            return item, item.others[index.row()]
        return self._items[self._number(index)], None

    def index_of(self, data: int) -> QModelIndex:
        """The row of the storage at an address."""
        return self.index_at(next((number for number, item in enumerate(self._items) if item.row.data == data), -1))

    def index_at(self, number: int) -> QModelIndex:
        """The row of a storage by its place among ``items``; no index for -1."""
        if number < 0:
            return QModelIndex()
        group = self._group_number(number)
        return self.createIndex(number - (self._starts[group] if group >= 0 else 0), 0, group + 1)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 (Qt's own signature)
        if not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, 0)
        if self.group_of(parent) is not None:
            return self.createIndex(row, column, parent.row() + 1)
        return self.createIndex(row, column, self._number(parent) + 1 << _OF_ITEM)

    def parent(self, child: Index) -> QModelIndex:  # type: ignore[override]
        identity = child.internalId() if child.isValid() else 0
        if identity >> _OF_ITEM:
            return self.index_at((identity >> _OF_ITEM) - 1)
        return self.createIndex(identity - 1, 0, 0) if identity else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self._groups) if self._groups else len(self._items)
        if parent.column() or parent.internalId() >> _OF_ITEM:
            return 0
        group = self.group_of(parent)
        return len(group.items) if group is not None else len(self._items[self._number(parent)].others)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(HEADS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignRight if section == SIZE else Qt.AlignmentFlag.AlignLeft)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Plain words, for the clipboard, screen readers and tests; the delegate paints."""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(index)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        group = self.group_of(index)
        if group is not None:
            return {NAME: group.title, SHAPE: plural(len(group.items), "storage"), SIZE: f"{group.nbytes} B"}.get(index.column(), "")
        found = self.item_of(index)
        if found is None:
            return None
        item, tensor = found
        shown = tensor or item.base
        match index.column():
            case 0:
                return (tensor or item).name
            case 1:
                return format_shape(shown.tensor.shape, shown.tensor.dtype) if shown else ""
            case 2:
                return _layout_words(shown) if shown else ""
            case 3:
                return f"{item.row.last_writer} {place_of(item.row.last_writer_source)}" if tensor is None else ""
            case 4:
                return f"{tensor.size_bytes if tensor else item.row.nbytes} B"
            case _:
                return f"{shown.tensor.begin_byte}-{shown.tensor.end_byte}" if shown else f"0-{item.row.nbytes}"

    def _spoken(self, index: Index) -> str:
        """A cell for screen readers: the name with its badges, any other after its column's head."""
        text = self.data(index) or ""
        if index.column() != NAME:
            return f"{tr(HEADS[index.column()])}: {text}"
        found = self.item_of(index)
        badges = found[0].badges if found is not None and found[1] is None else ()
        return ", ".join((text, *(badge.word for badge in badges)))

    def _number(self, index: Index) -> int:
        """The place among ``items`` of a storage's row."""
        group = index.internalId() - 1
        return index.row() + (self._starts[group] if group >= 0 else 0)

    def _group_number(self, number: int) -> int:
        """The group that an item is in; -1 without groups."""
        return bisect_right(self._starts, number) - 1

    def _choose(self) -> None:
        self.beginResetModel()
        items = choose_items(self._tree, self._filter, self._sort, is_descending=self._is_descending) if self._tree else ()
        self._groups = group_items(items, self._grouping)
        self._items = tuple(item for group in self._groups for item in group.items) if self._groups else items
        sizes = [len(group.items) for group in self._groups]
        self._starts = tuple(accumulate(sizes[:-1], initial=0)) if sizes else ()
        self.endResetModel()


def _layout_words(item: TensorItem) -> str:
    kind = tr("view") if item.tensor.is_view else tr("base")
    return tr("{kind}, {layout}, version {version}").format(kind=kind, layout=item.layout, version=item.tensor.version)
