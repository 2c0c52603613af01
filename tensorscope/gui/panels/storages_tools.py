"""The storages' tool row: when they were seen, the filter, and the menu that groups and filters."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from tensorscope.gui.panels.field import SearchField
from tensorscope.gui.panels.storages_menu import StoragesMenu
from tensorscope.gui.panels.storages_model import StoragesModel
from tensorscope.gui.panels.tool_widgets import Words
from tensorscope.language import tr
from tensorscope.render.icons import icon
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.storage_groups import Grouping
from tensorscope.viewmodel.storages import StorageTree


class StoragesTools(QWidget):
    def __init__(self, theme: Callable[[], Theme], model: StoragesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model
        self._tree: StorageTree | None = None
        self.seen = Words(theme, self)
        self.filter = SearchField(tr("Filter"), theme, self)
        self.filter.setAccessibleName(tr("Filter storages"))
        self.filter.setToolTip(tr("Words that must occur: names, operators, lines, dtypes; is:shared, category:input, module:h.2; a minus means not"))
        self.filter.setMaximumWidth(220)
        self.filter.setMinimumWidth(110)
        self.menu = StoragesMenu(self.group_by, self.show_only, self)
        self.menu.aboutToShow.connect(lambda: self.menu.fill(self._tree, self.filter.text(), model.grouping))
        self.save = self._button("camera", tr("Save sharing graph…"), tr("The whole sharing graph as a PNG or SVG picture"))
        self.save.hide()
        self.button = self._button("filter", tr("Group and filter storages"), tr("Group the list and choose what it shows"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setMenu(self.menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(6)
        row.addWidget(self.seen, 1)
        row.addWidget(self.filter, 1)
        row.addWidget(self.save)
        row.addWidget(self.button)
        self.filter.searched.connect(model.show_only)

    def show_tree(self, tree: StorageTree) -> None:
        self._tree = tree

    def group_by(self, grouping: Grouping) -> None:
        self._model.group_by(grouping)

    def show_only(self, text: str) -> None:
        self.filter.setText(text)
        self._model.show_only(text)

    def _button(self, name: str, accessible: str, tip: str) -> QToolButton:
        theme = self._theme()
        button = QToolButton(self)
        button.setIcon(icon(name, theme.color("text.secondary"), theme.color("text.disabled"), theme.px("size.icon.panel")))
        button.setAccessibleName(accessible)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setFixedSize(round(theme.px("size.hit_target_min")), round(theme.px("size.hit_target_min")))
        button.setStyleSheet("QToolButton { padding: 0; min-height: 0; } QToolButton::menu-indicator { image: none; }")
        return button
