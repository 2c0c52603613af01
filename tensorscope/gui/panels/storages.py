"""The storages panel: which tensors share which bytes, at the last moment when they were looked at before the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tensorscope.analysis.results import Source
from tensorscope.analysis.storages import storage_view
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.field import SearchField
from tensorscope.gui.panels.storages_model import StoragesModel
from tensorscope.gui.panels.storages_view import StoragesView
from tensorscope.gui.panels.tool_widgets import Words
from tensorscope.language import tr, tr_later
from tensorscope.render.message import paint_message
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes, format_count
from tensorscope.viewmodel.run_growth import may_grow
from tensorscope.viewmodel.storages import StorageTree, selected_storage, storage_tree
from tensorscope.viewmodel.workspace import Aspect, SourceSelection, StorageSelection


class StoragesPanel(Panel):
    title = tr_later("Storages")
    key = "storages"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._tree: StorageTree | None = None
        self._asked: tuple[int, int, int] | None = None
        self.model = StoragesModel(self)
        self.view = StoragesView(self.model, context.theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 0, 0, 0)
        layout.addWidget(self.view)
        self._tools = QWidget()
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(12, 0, 12, 0)
        self.seen = Words(context.theme, self._tools)
        self.filter = SearchField(tr("Filter"), context.theme, self._tools)
        self.filter.setToolTip(tr("Words that must occur: names, operators, lines, categories, dtypes, external, view"))
        self.filter.setMaximumWidth(140)
        row.addWidget(self.seen, 1)
        row.addWidget(self.filter, 1)
        self.setFocusProxy(self.view)
        self.view.hide()
        self.filter.searched.connect(self.model.show_only)
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.source_clicked.connect(self._choose_source)
        self.model.modelReset.connect(self._show_selection)

    def tool_row(self) -> QWidget | None:
        return self._tools

    def badge(self) -> str:
        return format_count(len(self._tree.items)) if self._tree and self._tree.items else ""

    def sizeHint(self) -> QSize:
        return QSize(435, 220)

    def request(self, snapshot: Snapshot) -> Callable[[], Any] | None:
        """None while the last look at or before the cursor is the one shown; what it says of categories may change as the run goes on."""
        workspace = self.context.workspace
        cursor_ns = workspace.cursor_ns if workspace.is_looking_back else None
        looks = [int(message.get("time_ns", 0)) for message in snapshot.storages]
        seen = max((look for look in looks if cursor_ns is None or look <= cursor_ns), default=-1)
        asked = (seen, len(snapshot.iterations), len(snapshot.exceptions) if snapshot.exit is None else -1)
        if asked == self._asked:
            return None
        self._asked = asked
        return lambda: storage_tree(storage_view(snapshot, cursor_ns))

    def show_result(self, result: StorageTree) -> None:
        if result == self._tree:
            return
        self._tree = result
        scroll = self.view.verticalScrollBar()
        place = scroll.value()
        self.model.show_tree(result)
        scroll.setValue(place)
        self.view.setVisible(bool(result.items))
        partly = "" if result.is_complete else tr(" (part of them, out of time)")
        outside = tr(" + {external_bytes} external").format(external_bytes=format_bytes(result.external_bytes)) if result.external_bytes else ""
        self.seen.set_text(f"{result.seen}{partly}: {format_bytes(result.total_bytes)}{outside}" if result.items else "")
        self.header_changed.emit()
        self.update()

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.SELECTION:
            self._show_selection()
        elif aspect is Aspect.CURSOR:
            self.refresh()

    def theme_changed(self) -> None:
        self.view.viewport().update()
        self.view.header().viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.view.isHidden():
            is_live = may_grow(self.context.session.status)
            title = tr("No storage was looked at yet.") if self._asked is None or self._asked[0] == -1 else tr("No storage was alive then.")
            advice = tr("They are listed at the end of each iteration and where the script is held.") if is_live else tr("Move the cursor to a later moment.")
            with QPainter(self) as painter:
                paint_message(painter, self.rect().toRectF(), self.context.theme(), title, advice)

    def _choose(self, current: QModelIndex) -> None:
        found = self.model.item_of(current)
        if found is not None and self._tree is not None:
            self.context.workspace.select(StorageSelection(found[0].row.data, self._tree.seen_ns))

    def _choose_source(self, source: Source) -> None:
        self.context.workspace.select(SourceSelection(source.file, source.line))

    def _show_selection(self) -> None:
        self.view.select_storage(selected_storage(self.context.workspace.selection, self.model.items))
