"""The storages panel: which tensors share which bytes, at the last moment when they were looked at before the cursor, and one of them in full."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from tensorscope.analysis.results import Source
from tensorscope.analysis.storage_uses import storage_uses
from tensorscope.analysis.storages import storage_view
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.sharing_export import ask_for_sharing_file, save_sharing
from tensorscope.gui.panels.sharing_view import SharingView
from tensorscope.gui.panels.storages_detail import StorageDetailView
from tensorscope.gui.panels.storages_model import StoragesModel
from tensorscope.gui.panels.storages_tools import StoragesTools
from tensorscope.gui.panels.storages_view import StoragesView
from tensorscope.language import tr, tr_later
from tensorscope.render.message import paint_message
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes, format_count
from tensorscope.viewmodel.emptiness import why_empty
from tensorscope.viewmodel.links import node_selection_of_operator
from tensorscope.viewmodel.panel_words import storages_words
from tensorscope.viewmodel.sharing import sharing_scene
from tensorscope.viewmodel.storage_detail import StorageDetail, storage_detail
from tensorscope.viewmodel.storages import StorageItem, StorageTree, selected_storage, storage_tree
from tensorscope.viewmodel.workspace import Aspect, OperatorSelection, SourceSelection, StorageSelection

LIST, DETAIL, SHARING = range(3)
WIDE: Final = 700  # pixels from which list and detail stand side by side
DETAIL_SHARE: Final = 0.4  # of the width
SHARING_SHARE: Final = 0.58


@dataclass(frozen=True, slots=True)
class StoragesResult:
    """What of the panel is new: None leaves it as it is."""

    tree: StorageTree | None
    detail: StorageDetail | None
    asked: tuple[object, ...] | None  # what each of them answers
    asked_detail: tuple[object, ...] | None


class StoragesPanel(Panel):
    title = tr_later("Storages")
    key = "storages"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._tree: StorageTree | None = None
        self._asked: tuple[object, ...] | None = None
        self._asked_detail: tuple[object, ...] | None = None
        self._shown: tuple[object, ...] | None = None
        self._shown_detail: tuple[object, ...] | None = None
        self._chosen: StorageItem | None = None
        self._page = LIST
        self.model = StoragesModel(self)
        self.view = StoragesView(self.model, context.theme, self)
        self.detail = StorageDetailView(context.theme, self)
        self.side = QStackedWidget(self)
        self.sharing = SharingView(context.theme, self)
        for page in (self.detail, self.sharing):
            self.side.addWidget(page)
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._split.setHandleWidth(1)
        self._split.setObjectName("inner")
        self._split.setChildrenCollapsible(False)
        for widget, stretch in ((self.view, 3), (self.side, 2)):
            self._split.addWidget(widget)
            self._split.setStretchFactor(self._split.count() - 1, stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 0, 0, 0)
        layout.addWidget(self._split)
        self.tools = StoragesTools(context.theme, self.model)
        self.seen, self.filter = self.tools.seen, self.tools.filter
        self.setFocusProxy(self.view)
        self._split.hide()
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.source_clicked.connect(self._choose_source)
        self.view.opened.connect(lambda: self.choose_tab(DETAIL))
        self.detail.source_clicked.connect(self._choose_source)
        self.detail.use_clicked.connect(self._go_to_use)
        self.tools.save.clicked.connect(lambda: ask_for_sharing_file(self, self.context.snapshot().facts, self.save_sharing))
        self.model.modelReset.connect(self._show_selection)

    def tool_row(self) -> QWidget | None:
        return self.tools

    def tabs(self) -> tuple[str, ...]:
        return (tr(self.title), tr("Uses"), tr("Sharing"))

    def current_tab(self) -> int:
        return self._page

    def choose_tab(self, index: int) -> None:
        self._page = index
        self.side.setCurrentWidget(self.sharing if index == SHARING else self.detail)
        self._show_pages()
        self._share_room()
        self.setFocusProxy((self.view, self.detail, self.sharing)[index])
        self.setFocus()
        self.header_changed.emit()

    def badge(self) -> str:
        return format_count(len(self._tree.items)) if self._tree and self._tree.items else ""

    def sizeHint(self) -> QSize:
        return QSize(435, 220)

    def request(self, snapshot: Snapshot) -> Callable[[], StoragesResult] | None:
        """None while the last look at or before the cursor is the one shown, with the chosen storage; categories and uses may change as the run goes on."""
        workspace, chosen = self.context.workspace, self._chosen
        cursor_ns = workspace.cursor_ns if workspace.is_looking_back else None
        looks = [int(message.get("time_ns", 0)) for message in snapshot.storages]
        seen = max((look for look in looks if cursor_ns is None or look <= cursor_ns), default=-1)
        state = (len(snapshot.iterations), len(snapshot.exceptions) if snapshot.exit is None else -1)
        asked, asked_detail = (seen, *state), (chosen.row.data, chosen.row.seen_ns, cursor_ns, *state) if chosen is not None else None
        if (asked, asked_detail) == (self._asked, self._asked_detail):
            return None
        self._asked, self._asked_detail = asked, asked_detail
        wanted = chosen if asked_detail != self._shown_detail else None
        has_tree = asked != self._shown  # also one that was asked for and is not here yet: this request takes that one's place
        return lambda: _compute(snapshot, cursor_ns, wanted, asked if has_tree else None, asked_detail)

    def show_result(self, result: StoragesResult) -> None:
        if result.tree is not None:
            self._shown = result.asked
        if result.detail is not None:
            self._shown_detail = result.asked_detail
        if result.detail is not None and self._chosen is not None and result.detail.item.row.data == self._chosen.row.data:
            self._show_chosen(result.detail)
        if result.tree is not None:
            self.show_tree(result.tree)

    def show_tree(self, tree: StorageTree) -> None:
        if tree == self._tree:
            return
        self._tree = tree
        scroll = self.view.verticalScrollBar()
        place = scroll.value()
        self.model.show_tree(tree)
        scroll.setValue(place)
        self._split.setVisible(bool(tree.items))
        partly = tr(" (part of them, out of time)") if not tree.is_complete else ""
        outside = tr(" + {bytes} external").format(bytes=format_bytes(tree.external_bytes)) if tree.external_bytes else ""
        self.seen.set_text(f"{tree.seen}{partly}: {format_bytes(tree.total_bytes)}{outside}" if tree.items else "")
        self.tools.show_tree(tree)
        self.header_changed.emit()
        self.update()

    def summary(self) -> str:
        return storages_words(self._tree) if self._tree is not None else ""

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.SELECTION:
            self._show_selection()
        elif aspect is Aspect.LINKED:
            self._show_linked()
        elif aspect is Aspect.CURSOR:
            self.detail.show_cursor(self.context.workspace.cursor_ns)
            self.refresh()
        elif aspect is Aspect.RANK:
            self._chosen = None
            self._asked = self._shown = self._shown_detail = None
            self._show_chosen(None)
            self.refresh()

    def theme_changed(self) -> None:
        for widget in (self.view.viewport(), self.view.header().viewport(), self.detail.viewport(), self.sharing, self.tools):
            widget.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_pages()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._split.isHidden():
            snapshot = self.context.snapshot()
            title, advice = why_empty(self.key, self.context.session.status, snapshot)
            if snapshot.storages:
                title, advice = tr("No storage was alive then."), tr("Move the cursor to a later moment.")
            with QPainter(self) as painter:
                paint_message(painter, self.rect().toRectF(), self.context.theme(), title, advice, "layers")

    def save_sharing(self, path: Path) -> None:
        """The sharing graph of the chosen storage, PNG or SVG by the name's ending."""
        if self.sharing.scene is not None:
            save_sharing(self, path, self.sharing.scene, self.context.theme().look, self.context.snapshot().facts)

    def _show_chosen(self, detail: StorageDetail | None) -> None:
        self.detail.show_detail(detail)
        self.sharing.show_scene(sharing_scene(detail.item) if detail is not None else None)
        self.tools.save.setEnabled(detail is not None)

    def _show_pages(self) -> None:
        """Side by side where there is room, else the page that the header's tab says."""
        is_wide = self.width() >= WIDE
        self.tools.save.setVisible(self._page == SHARING)
        self.view.setVisible(is_wide or self._page == LIST)
        self.side.setVisible(is_wide or self._page != LIST)

    def _share_room(self) -> None:
        """The graph takes more than the lines do."""
        side = round(self._split.width() * (SHARING_SHARE if self._page == SHARING else DETAIL_SHARE))
        self._split.setSizes([self._split.width() - side, side])

    def _choose(self, current: QModelIndex) -> None:
        found = self.model.item_of(current)
        if found is not None and self._tree is not None:
            self._show_in_full(found[0])
            self.context.workspace.select(StorageSelection(found[0].row.data, self._tree.seen_ns))

    def _show_in_full(self, item: StorageItem) -> None:
        """The chosen storage stays while something else is selected, such as one of its operators."""
        if item != self._chosen:
            self._chosen = item
            self.refresh()

    def _choose_source(self, source: Source) -> None:
        self.context.workspace.select(SourceSelection(source.file, source.line))

    def _go_to_use(self, number: int) -> None:
        """Move the cursor to where an operator began, and select it, or the node that ran."""
        if self.detail.detail is None:
            return
        uses, workspace = self.detail.detail.uses, self.context.workspace
        operator = int(uses.operator[number])
        node = node_selection_of_operator(self.context.snapshot(), operator) if uses.is_node[number] else None
        workspace.move_cursor(int(uses.begin_ns[number]))
        workspace.select(node or OperatorSelection(operator))

    def _show_selection(self) -> None:
        data = selected_storage(self.context.workspace.selection, self.model.items)
        self.view.select_storage(data)
        item = next((item for item in self.model.items if item.row.data == data), None) if data is not None else None
        if item is not None:
            self._show_in_full(item)
        self._show_linked()

    def _show_linked(self) -> None:
        items = self.model.items
        places = self.context.workspace.linked.among((item.row.data, item.row.seen_ns) for item in items)
        self.view.show_linked(frozenset(items[place].row.data for place in places))


def _compute(
    snapshot: Snapshot, cursor_ns: int | None, chosen: StorageItem | None, asked: tuple[object, ...] | None, asked_detail: tuple[object, ...] | None
) -> StoragesResult:
    """The list where it is asked for, the chosen storage in full where there is one."""
    tree = storage_tree(storage_view(snapshot, cursor_ns)) if asked is not None else None
    detail = storage_detail(chosen, storage_uses(snapshot, chosen.row.data, chosen.row.seen_ns, cursor_ns)) if chosen is not None else None
    return StoragesResult(tree, detail, asked, asked_detail)
