"""The menu of the storages list: how to group it, and which facets to ask for. The filter's text stays the only truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from tensorscope.language import tr
from tensorscope.viewmodel.storage_groups import Grouping, toggled
from tensorscope.viewmodel.storages import StorageTree


class StoragesMenu(QMenu):
    """Calls ``grouped`` with a way to group, ``filtered`` with the filter's new text."""

    def __init__(self, grouped: Callable[[Grouping], None], filtered: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._grouped, self._filtered = grouped, filtered

    def fill(self, tree: StorageTree | None, text: str, grouping: Grouping) -> None:
        """Say what there is to choose from now."""
        self.clear()
        self.addSection(tr("Group by"))
        ways = QActionGroup(self)
        groupings = {Grouping.NONE: tr("Nothing"), Grouping.MODULE: tr("Module"), Grouping.CATEGORY: tr("Category"), Grouping.LINE: tr("Line that made it")}
        for way, word in groupings.items():
            ways.addAction(self._checkable(self, word, way is grouping, partial(self._group, way)))
        self.addSection(tr("Show only"))
        facets = {
            "is:shared": tr("Shared by several tensors"),
            "is:view": tr("With views"),
            "is:kept": tr("Kept by a small view"),
            "is:tied": tr("Tied parameters"),
            "is:saved": tr("Saved by a node"),
            "is:written": tr("Written after it was made"),
            "is:external": tr("Not of torch's allocators"),
        }
        for facet, word in facets.items():
            self._facet(self, facet, word, text)
        self._submenu(tr("Category"), "category", tree, text)
        self._submenu(tr("Device"), "device", tree, text)

    def _group(self, way: Grouping, _: bool) -> None:
        self._grouped(way)

    def _submenu(self, title: str, key: str, tree: StorageTree | None, text: str) -> None:
        present = sorted({facet for item in (tree.items if tree else ()) for facet in item.facets if facet.startswith(f"{key}:")})
        menu = self.addMenu(title)
        menu.setEnabled(bool(present))
        for facet in present:
            self._facet(menu, facet, facet.removeprefix(f"{key}:").replace("_", " "), text)

    def _facet(self, menu: QMenu, facet: str, word: str, text: str) -> None:
        self._checkable(menu, word, facet in text.casefold().split(), lambda _: self._filtered(toggled(text, facet)))

    def _checkable(self, menu: QMenu, word: str, is_checked: bool, chosen: Callable[[bool], None]) -> QAction:
        action = menu.addAction(word)
        action.setCheckable(True)
        action.setChecked(is_checked)
        action.triggered.connect(chosen)
        return action
