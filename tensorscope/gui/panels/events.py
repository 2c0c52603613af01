"""Events: iteration ▸ phase ▸ module ▸ operator, with time and change of memory; the row where the script stands is amber."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from tensorscope.errors import TensorScopeError
from tensorscope.gui.bookmark_button import BookmarkButton
from tensorscope.gui.message import Message, MessageView
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.event_list import EventList
from tensorscope.gui.panels.field import SearchField
from tensorscope.gui.panels.prompt import Prompt
from tensorscope.language import tr, tr_later
from tensorscope.render.event_row import paint_event_head, time_rect
from tensorscope.render.theme import Theme
from tensorscope.session.session import RunState
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.emptiness import why_empty
from tensorscope.viewmodel.event_filter import EXAMPLE, EventFilter
from tensorscope.viewmodel.event_rows import EventRow, EventRows, Key
from tensorscope.viewmodel.go_to import moment_of
from tensorscope.viewmodel.panel_words import events_words
from tensorscope.viewmodel.workspace import Aspect, Selection

UNREADABLE = tr_later("Examples: {example}")
NOTHING_FITS = Message(tr_later("Nothing fits the filter."), tr_later("Take a word away, or Esc to empty it."), "search")


@dataclass(frozen=True, slots=True)
class _Shown:
    unfolder: EventRows
    rows: tuple[EventRow, ...]
    open_keys: frozenset[Key]
    newest: frozenset[Key]
    selection: Selection | None
    is_new_selection: bool
    filter: EventFilter
    linked: frozenset[Key]  # rows in which something lies that belongs to the selection


class EventsPanel(Panel):
    title = tr_later("Events")
    key = "events"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._unfolder: EventRows | None = None
        self._held: dict[str, Any] | None = None
        self._open: frozenset[Key] = frozenset()
        self._newest: frozenset[Key] = frozenset()
        self._goes_to: int | None = None  # a moment whose row is to come into view
        self._seen_selection: Selection | None = None  # what the rows were last unfolded for
        self._field = SearchField(tr("Filter: op, module, > 1 MiB"), context.theme)
        self._field.setToolTip(tr("Words, or fields and limits: {example}").format(example=EXAMPLE))
        self._field.show_note("Ctrl F")
        self._field.searched.connect(lambda _: self.refresh())
        self._bookmarks = BookmarkButton(context.bookmarks, self._go, context.theme, self)
        self._list = EventList(context.theme, self)
        self._list.toggled.connect(self._toggle)
        self._list.chosen.connect(self._choose)
        self._list.opened.connect(self._show_in_time)
        self._stack = QStackedLayout(self)
        body = QWidget(self)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._head = _Head(context.theme, self._list, body)
        self._head.show_self_times(context.kept.value("events self time") is True)
        self._head.self_chosen.connect(lambda wanted: context.kept.keep("events self time", wanted))
        layout.addWidget(self._head)
        layout.addWidget(self._list, 1)
        self._empty = MessageView(self._nothing(), context.theme, self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(body)
        self.setFocusProxy(self._list)
        find = QShortcut(QKeySequence.StandardKey.Find, self, self._field.setFocus)
        self._prompt = Prompt(tr("Go to an iteration or a time: 12, 1.5 s"), context.theme, self._list)
        self._prompt.entered.connect(lambda text, _: self._go_to(text))
        go_to = QShortcut(QKeySequence("Ctrl+G"), self, self._prompt.open)
        go_to.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        context.bookmarks.observe(lambda: self._list.show_bookmarks(context.bookmarks.times_ns))
        self._list.show_bookmarks(context.bookmarks.times_ns)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)  # other panels find with the same key

    @property
    def rows(self) -> tuple[EventRow, ...]:
        """What is unfolded now."""
        return self._list.rows

    @property
    def chosen_row(self) -> EventRow | None:
        return self._list.chosen_row

    @property
    def message_shown(self) -> str:
        """What stands in place of the rows, "" where there are some."""
        return tr(self._empty.message.title) if self._stack.currentWidget() is self._empty else ""

    def tool_row(self) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(6, 0, 6, 0)
        layout.setSpacing(4)
        layout.addWidget(self._field)
        layout.addWidget(self._bookmarks)
        return row

    def request(self, snapshot: Snapshot) -> Callable[[], _Shown]:
        status = self.context.session.status
        held = status.held if status.state is RunState.HELD else None
        known, open_keys, newest = self._unfolder, self._open, self._newest
        selection, links, text = self.context.workspace.selection, self.context.workspace.linked, self._field.text()
        is_new_selection = selection != self._seen_selection
        is_known = known is not None and known.snapshot is snapshot and held == self._held
        self._held = held

        def compute() -> _Shown:
            unfolder = known if is_known and known is not None else EventRows(snapshot, held)
            wanted = unfolder.keys_to_newest()
            keys = (open_keys - (newest - wanted)) | (wanted - newest)
            if is_new_selection:
                keys |= unfolder.keys_to(selection)
            linked = unfolder.keys_holding(links)
            return _Shown(unfolder, unfolder.unfold(keys, text), keys, wanted, selection, is_new_selection, EventFilter.parse(text), linked)

        return compute

    def show_result(self, result: _Shown) -> None:
        is_newer = result.newest != self._newest
        self._unfolder, self._open, self._newest = result.unfolder, result.open_keys, result.newest
        self._empty.message = self._message(result.filter)
        self._empty.update()
        self._stack.setCurrentIndex(1 if result.rows else 0)
        self._field.show_note(tr("{sum} found").format(sum=sum(not row.has_children for row in result.rows)) if self._field.text() else "Ctrl F")
        self._seen_selection = result.selection
        self._list.show_linked(result.linked)
        follows = self.context.workspace.is_following and is_newer
        self._list.show_rows(result.rows, self.context.workspace.selection, reveal=result.is_new_selection or follows)
        if self._goes_to is not None and self._goes_to == self.context.workspace.cursor_ns:
            self._list.go_to_cursor()
        self._goes_to = None

    def summary(self) -> str:
        return events_words(self.rows)

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.SELECTION:
            self._list.show_selection(self.context.workspace.selection)
            self.refresh()
        elif aspect is Aspect.LINKED:
            self.refresh()
        elif aspect is Aspect.CURSOR:
            self._list.show_cursor(self.context.workspace.cursor_ns)

    def theme_changed(self) -> None:
        self._list.viewport().update()
        self.update()

    def _message(self, wanted: EventFilter) -> Message:
        """What stands in place of the rows where there are none."""
        if wanted.problem:
            return Message(wanted.problem, tr(UNREADABLE).format(example=EXAMPLE), "search")
        if not wanted.is_empty:
            return NOTHING_FITS
        return self._nothing()

    def _nothing(self) -> Message:
        return Message(*why_empty(self.key, self.context.session.status, self.context.snapshot()), "list-tree")

    def _go_to(self, text: str) -> None:
        """What was typed after Ctrl+G; trouble is said below the field."""
        try:
            moment = moment_of(self.context.snapshot(), text)
        except TensorScopeError as error:
            self._prompt.say(str(error))
            return
        self._prompt.leave()
        self._go(moment)

    def _go(self, moment_ns: int) -> None:
        """Look at a moment everywhere, and open its iteration here."""
        self._field.clear()
        self._goes_to = moment_ns
        self.context.workspace.follow(False)
        self.context.workspace.move_cursor(moment_ns)
        if self._unfolder is not None:
            self._open |= self._unfolder.keys_at(moment_ns)
        self.refresh()

    def _toggle(self, row: EventRow) -> None:
        self._open = self._open - {row.key} if row.is_open else self._open | {row.key}
        self.refresh()

    def _choose(self, row: EventRow) -> None:
        if row.selection is not None:
            self._seen_selection = row.selection
            self.context.workspace.select(row.selection)

    def _show_in_time(self, row: EventRow) -> None:
        """Show the row's time, with a little before and after, on every axis."""
        margin = max(row.duration_ns // 20, 1000)
        self.context.workspace.follow(False)
        self.context.workspace.show_range((max(row.begin_ns - margin, 0), row.end_ns + margin))


class _Head(QWidget):
    """The column heads, over the list's columns. A click on that of the times changes between whole and self times."""

    self_chosen = Signal(bool)

    def __init__(self, theme: Callable[[], Theme], rows: EventList, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows = rows
        self._shows_self = False
        self.setFixedHeight(round(theme().px("size.table_header")))
        rows.verticalScrollBar().rangeChanged.connect(lambda *_: self.update())

    def show_self_times(self, wanted: bool) -> None:
        self._shows_self = wanted
        self._rows.show_self_times(wanted)
        self.setToolTip(
            tr("Time that lies in no row under it; click for all of it") if wanted else tr("Time with all that ran inside; click for its own alone")
        )
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if time_rect(self._columns()).contains(event.position()):
            self.show_self_times(not self._shows_self)
            self.self_chosen.emit(self._shows_self)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_event_head(painter, self._columns(), self._theme(), shows_self=self._shows_self)

    def _columns(self) -> QRectF:
        return QRectF(0, 0, self._rows.viewport().width(), self.height())
