"""The memory timeline panel: device chooser, plot, categories and blocks; it follows the shared cursor, range and selection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from tensorscope.analysis.results import Source
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.memory_camera import save_what_is_shown
from tensorscope.gui.panels.memory_plot import MemoryPlot
from tensorscope.gui.panels.memory_side import CATEGORY_PAGE, MemorySide
from tensorscope.gui.panels.segmented import Segmented
from tensorscope.gui.panels.tool_widgets import Chooser, Words
from tensorscope.language import tr, tr_later
from tensorscope.render.hover_card import Card
from tensorscope.render.icons import icon
from tensorscope.render.memory_side import CursorLook
from tensorscope.render.message import paint_message
from tensorscope.render.theme import Theme
from tensorscope.session.session import RunState
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes, format_time
from tensorscope.viewmodel.emptiness import why_empty
from tensorscope.viewmodel.memory import hide_categories, peak_moment
from tensorscope.viewmodel.memory_cards import block_facts, moment_facts
from tensorscope.viewmodel.memory_groups import GROUPINGS, BlockGroup
from tensorscope.viewmodel.memory_side import category_rows, solo, toggle_hidden
from tensorscope.viewmodel.memory_state import MemoryRequest, MemoryState, compute_memory
from tensorscope.viewmodel.run_growth import may_grow
from tensorscope.viewmodel.ticks import time_decimals
from tensorscope.viewmodel.timeline_range import around, followed
from tensorscope.viewmodel.workspace import Aspect, BlockSelection, ModuleSelection, SourceSelection

_SIDE_SHARE: Final = 0.34
_SIDE_WIDTH: Final = (272, 340)
_NO_SIDE_BELOW: Final = 460
_HIDDEN_AT_ONCE: Final = 500_000  # steps of the curve that can be summed up anew on the GUI thread


class MemoryPanel(Panel):
    title = tr_later("Memory timeline")
    key = "memory"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._state: MemoryState | None = None
        self._request = MemoryRequest(None, frozenset(), context.workspace.cursor_ns, context.workspace.selection)
        self._asked: tuple[Snapshot, MemoryRequest] | None = None
        self._has_chosen_axis = False  # by the user, or by what is shown: snapshots of other tools go by events
        self.plot = MemoryPlot(context.theme, self)
        self.side = MemorySide(context.theme, self)
        self._tools = _tool_row(context.theme)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.plot, 1)
        layout.addWidget(self.side)
        self.setFocusProxy(self.plot)
        self._show_content(has_content=False)
        self._connect()

    def tool_row(self) -> QWidget | None:
        return self._tools.row

    def request(self, snapshot: Snapshot) -> Callable[[], Any] | None:
        """None while what is shown, or already asked for, is of this snapshot, cursor, selection, device and choice of categories."""
        workspace = self.context.workspace
        self._request = replace(self._request, cursor_ns=workspace.cursor_ns, selection=workspace.selection, linked=workspace.linked)
        wanted, before = self._request, self._state
        if self._asked is not None and self._asked[0] is snapshot and self._asked[1] == wanted:
            return None
        self._asked = (snapshot, wanted)
        ranks = self.context.ranks()
        self._tools.ranks.setVisible(len(ranks) > 1)
        return lambda: compute_memory(snapshot, wanted, before, ranks)

    def show_result(self, result: MemoryState) -> None:
        is_current = result.request.hidden == self._request.hidden or len(result.model.timeline.times_ns) > _HIDDEN_AT_ONCE
        self._state = result if is_current else replace(result, model=hide_categories(result.model, self._request.hidden))
        self._show_devices(result)
        if result.snapshot.facts.get("imported") and not self._has_chosen_axis:
            self._tools.axis.set_current(1)
            self._choose_axis(1)
        workspace = self.context.workspace
        if workspace.range_ns is not None and workspace.is_following and may_grow(self.context.session.status) and workspace.cursor_ns is None:
            workspace.show_range(followed(workspace.range_ns, result.model.end_ns))
        self._show_content(has_content=len(result.model.timeline.times_ns) > 0)
        self._show_plot()
        self._show_side()
        self._show_moment()

    def summary(self) -> str:
        state = self._state
        peak = peak_moment(state.model) if state is not None else None
        if state is None or peak is None:
            return ""
        at_ns = state.model.end_ns if self.context.workspace.cursor_ns is None else self.context.workspace.cursor_ns
        now = next((row.at_cursor_bytes for row in category_rows(state.model, at_ns) if row.number is None), 0)
        words = tr("{device}: {now} allocated at {time}, at most {peak} at {peak_time}.")
        now_bytes, peak_bytes = format_bytes(now), format_bytes(peak.bytes)
        return words.format(device=state.model.timeline.device, now=now_bytes, time=format_time(at_ns), peak=peak_bytes, peak_time=format_time(peak.time_ns))

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.RANGE:
            self._show_moment()
            return
        if aspect is Aspect.CURSOR:
            self._show_moment()
        self.refresh()

    def theme_changed(self) -> None:
        self._tools.camera.setIcon(icon("camera", self.context.theme().color("text.secondary"), size=14))
        self.plot.redraw()
        self.side.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.plot.isHidden():
            title, advice = why_empty(self.key, self.context.session.status, self.context.snapshot())
            with QPainter(self) as painter:
                paint_message(painter, self.rect().toRectF(), self.context.theme(), title, advice, "hard-drive")

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_side()

    def sizeHint(self) -> QSize:
        return QSize(712, 300)

    def _connect(self) -> None:
        workspace = self.context.workspace
        self.plot.range_chosen.connect(self._choose_range)
        self.plot.time_chosen.connect(workspace.move_cursor)
        self.plot.block_chosen.connect(self._choose_block)
        self.plot.peak_wanted.connect(self._go_to_peak)
        self.plot.hovered.connect(self._explain)
        self.plot.other_chosen.connect(self._compare_with)
        self.side.category_clicked.connect(self._click_category)
        self.side.block_clicked.connect(self._choose_row)
        self.side.source_clicked.connect(self._choose_source)
        self._tools.devices.activated.connect(self._choose_device)
        self._tools.axis.chosen.connect(self._choose_axis)
        self._tools.pages.chosen.connect(self._show_page)
        self._tools.groupings.activated.connect(self._group)
        self._tools.camera.clicked.connect(self._take_picture)
        self._tools.ranks.toggled.connect(self._show_ranks)

    def _show_content(self, *, has_content: bool) -> None:
        for widget in (self.plot, self._tools.devices, self._tools.axis, self._tools.range, self._tools.camera):
            widget.setVisible(has_content)
        self._place_side()
        self.update()

    def _place_side(self) -> None:
        has_room = self.width() >= _NO_SIDE_BELOW and not self.plot.isHidden()
        self.side.setVisible(has_room)
        self.side.setFixedWidth(min(max(round(self.width() * _SIDE_SHARE), _SIDE_WIDTH[0]), _SIDE_WIDTH[1]))
        self._tools.beside.setFixedWidth(self.side.width())
        self._tools.beside.setVisible(has_room)

    def _show_devices(self, state: MemoryState) -> None:
        names = [self._tools.devices.itemText(index) for index in range(self._tools.devices.count())]
        if names != list(state.devices):
            self._tools.devices.clear()
            self._tools.devices.addItems(state.devices)
        self._tools.devices.setCurrentText(state.model.timeline.device)

    def _show_plot(self) -> None:
        if self._state is not None:
            selected = self._state.selected
            self.plot.show_model(self._state.model, selected.rows, selected.label, self._stands_ns(), is_live=may_grow(self.context.session.status))

    def _show_side(self) -> None:
        if self._state is not None:
            self.side.show_blocks(self._state.at_cursor, self._state.below, frozenset(self._state.selected.rows))

    def _show_moment(self) -> None:
        """Cursor and range: at once, without waiting for the worker."""
        if self._state is None:
            return
        workspace, model = self.context.workspace, self._state.model
        self.plot.show_range(workspace.range_ns)
        self.plot.show_cursor(workspace.cursor_ns)
        begin, end = self.plot.range_ns
        decimals = time_decimals(begin, end)
        self._tools.range.set_text(f"{begin / 1e9:,.{decimals}f} – {format_time(end, decimals)}")
        role = "text.link" if workspace.cursor_ns is not None else "exec.text" if self._stands_ns() is not None else "text.secondary"
        word = tr_later("at cursor") if workspace.cursor_ns is not None or self._stands_ns() is not None else tr_later("now")
        since_ns = self._request.since_ns
        cursor_ns = model.end_ns if workspace.cursor_ns is None else workspace.cursor_ns
        self.side.show_categories(category_rows(model, cursor_ns, since_ns), CursorLook(role, word, since_ns is not None))

    def _stands_ns(self) -> int | None:
        """Where the script is held."""
        holds = self._state.snapshot.holds if self._state else ()
        is_held = self.context.session.status.state is RunState.HELD
        return int(holds[-1].get("time_ns", 0)) if holds and is_held else None

    def _choose_range(self, range_ns: tuple[int, int] | None) -> None:
        if range_ns is not None and self._state is not None:
            self.context.workspace.follow(range_ns[1] >= self._state.model.end_ns)
        self.context.workspace.show_range(range_ns)

    def _choose_block(self, row: int | None) -> None:
        if row is not None and self._state is not None:
            blocks = self._state.model.timeline.blocks
            self._select(int(blocks.address[row]), int(blocks.begin_ns[row]))

    def _choose_row(self, group: BlockGroup) -> None:
        """Of several blocks the first; of a module's the module."""
        if len(group.blocks) > 1 and group.first.module and self._request.grouping == "module" and self.side.is_of_blocks:
            self.context.workspace.select(ModuleSelection(group.first.module))
        else:
            self._select(group.first.address, group.first.begin_ns)

    def _compare_with(self, time_ns: int | None) -> None:
        """Show what changed between a moment and the cursor's; the same moment again, or None, ends that."""
        self._request = replace(self._request, since_ns=None if time_ns == self._request.since_ns else time_ns)
        self.plot.show_other(self._request.since_ns)
        self._show_moment()
        self.refresh()

    def _choose_axis(self, index: int) -> None:
        self._has_chosen_axis = True
        self.plot.go_by_events(index == 1)

    def _show_page(self, page: int) -> None:
        self.side.show_page(page)
        self._tools.groupings.setVisible(page != CATEGORY_PAGE)

    def _group(self, index: int) -> None:
        self._request = replace(self._request, grouping=GROUPINGS[index])
        self.refresh()

    def _select(self, address: int, begin_ns: int) -> None:
        assert self._state is not None
        self.context.workspace.select(BlockSelection(address, begin_ns, self._state.model.timeline.device))

    def _choose_source(self, source: Source) -> None:
        self.context.workspace.select(SourceSelection(source.file, source.line))

    def _show_ranks(self, has_ranks: bool) -> None:
        self._request = replace(self._request, has_ranks=has_ranks)
        self.refresh()

    def _choose_device(self, index: int) -> None:
        self._request = replace(self._request, device=self._tools.devices.itemText(index))
        self.refresh()

    def _click_category(self, number: int, is_alone: bool) -> None:
        hidden = self._request.hidden
        self._request = replace(self._request, hidden=solo(hidden, number) if is_alone else toggle_hidden(hidden, number))
        if self._state is not None and len(self._state.model.timeline.times_ns) <= _HIDDEN_AT_ONCE:
            self._state = replace(self._state, model=hide_categories(self._state.model, self._request.hidden))
            self._show_plot()
            self._show_moment()
        self.refresh()

    def _go_to_peak(self) -> None:
        peak = peak_moment(self._state.model) if self._state else None
        if peak is None:
            return
        workspace = self.context.workspace
        workspace.move_cursor(peak.time_ns)
        if workspace.range_ns is not None:
            workspace.show_range(around(workspace.range_ns, peak.time_ns, self.plot.whole_ns))

    def _explain(self, row: int | None, time_ns: int | None, at: QPoint) -> None:
        if self._state is None or time_ns is None:
            self.plot.explain(None, at)
        elif row is None:
            card = Card(format_time(time_ns, time_decimals(*self.plot.range_ns)), facts=moment_facts(self._state.model, time_ns))
            self.plot.explain(card, at)
        else:
            block = self._state.namer.describe(self._state.model.timeline, [row], time_ns)[0]
            self.plot.explain(Card(block.name, facts=block_facts(block), category=block.category, footer=tr("Click selects the block")), at)

    def _take_picture(self) -> None:
        if self._state is not None:
            save_what_is_shown(self, self._state, self.plot.size(), self.plot.range_ns, self.context, is_by_events=self.plot.is_by_events)


@dataclass(frozen=True, slots=True)
class _Tools:
    """The tool row and what stands in it; ``beside`` is as wide as the side and holds its pages."""

    row: QWidget
    devices: Chooser
    axis: Segmented
    range: Words
    camera: QToolButton
    ranks: QToolButton
    beside: QWidget
    pages: Segmented
    groupings: Chooser


def _tool_row(theme: Callable[[], Theme]) -> _Tools:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(12, 0, 0, 0)
    layout.setSpacing(8)
    devices = Chooser(theme, row)
    devices.setToolTip(tr("Device"))
    axis = Segmented((tr("Time"), tr("Events")), theme, row)
    axis.setAccessibleName(tr("What the x axis counts"))
    axis.setToolTip(tr("Seconds, or allocations and frees: then idle time takes no room"))
    shown = Words(theme, row, Qt.AlignmentFlag.AlignRight)
    camera = QToolButton(row)
    camera.setIcon(icon("camera", theme().color("text.secondary"), size=14))
    camera.setToolTip(tr("Save this picture…"))
    ranks = QToolButton(row)
    ranks.setText(tr("Ranks"))
    ranks.setCheckable(True)
    ranks.setChecked(True)
    ranks.setToolTip(tr("Show the allocated memory of the other ranks"))
    ranks.hide()
    beside = QWidget(row)
    pages = Segmented((tr("Categories"), tr("Blocks")), theme, beside)
    inner = QHBoxLayout(beside)
    inner.setContentsMargins(12, 0, 12, 0)
    groupings = Chooser(theme, beside)
    groupings.addItems((tr("each"), tr("lines"), tr("modules")))
    groupings.setToolTip(tr("How the blocks are listed"))
    groupings.hide()
    inner.setSpacing(6)
    inner.addWidget(pages)
    inner.addWidget(groupings)
    inner.addStretch(1)
    layout.addWidget(devices)
    layout.addWidget(axis)
    layout.addWidget(shown, 1)
    layout.addWidget(ranks)
    layout.addWidget(camera)
    layout.addWidget(beside)
    return _Tools(row, devices, axis, shown, camera, ranks, beside, pages, groupings)
