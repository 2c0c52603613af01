"""The list of event rows: a flat model of what is unfolded, painted by ``render``; parents that scrolled away stay pinned at the top."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem, QToolTip, QWidget

from tensorscope.analysis.events import EventKind
from tensorscope.render.event_row import Link, RowLook, chevron_rect, paint_event_row
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.event_rows import EventRow, Key, row_at
from tensorscope.viewmodel.workspace import Selection

MOST_PINNED: Final = 3
Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()


class EventModel(QAbstractListModel):
    """An adapter over the unfolded rows, without data of its own."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: tuple[EventRow, ...] = ()

    def show_rows(self, rows: tuple[EventRow, ...]) -> None:
        """Take new rows; the list keeps its place when only their contents differ."""
        if len(rows) == len(self.rows):
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.layoutAboutToBeChanged.emit()
        self.rows = rows
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and index.row() < len(self.rows):
            return self.rows[index.row()].label
        return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, view: EventList) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self._view.paint_row(painter, QRectF(option.rect), index.row())

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, self._view.row_height)


class EventList(QListView):
    """Tells which row was toggled, chosen or opened (double click, Enter)."""

    toggled = Signal(object)
    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.row_height = round(theme().px("size.row.default"))
        self._model = EventModel(self)
        self._selection: Selection | None = None
        self._chosen_key: Key | None = None
        self._hovered = -1
        self._cursor_ns: int | None = None
        self._at_cursor = -1
        self._bookmarked_ns: frozenset[int] = frozenset()
        self._linked: frozenset[Key] = frozenset()
        self._shows_self = False
        self._is_pointer_inside = False
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)

    @property
    def rows(self) -> tuple[EventRow, ...]:
        return self._model.rows

    def show_rows(self, rows: tuple[EventRow, ...], selection: Selection | None, *, reveal: bool) -> None:
        """Show rows; ``reveal`` scrolls to the selected one (or the last) unless the pointer is here."""
        self._model.show_rows(rows)
        self._at_cursor = row_at(rows, self._cursor_ns)
        self.doItemsLayout()
        self.show_selection(selection)
        if reveal and not self._is_pointer_inside:
            at = next((place for place, row in enumerate(rows) if self._is_selected(row)), len(rows) - 1)
            self.scrollTo(self._model.index(at), QListView.ScrollHint.EnsureVisible if self._is_seen(at) else QListView.ScrollHint.PositionAtCenter)
        self.viewport().update()

    @property
    def chosen_row(self) -> EventRow | None:
        return next((row for row in self.rows if self._is_selected(row)), None)

    def show_bookmarks(self, times_ns: frozenset[int]) -> None:
        """Mark the rows that begin at these moments."""
        self._bookmarked_ns = times_ns
        self.viewport().update()

    def show_self_times(self, wanted: bool) -> None:
        """In the column of times, what lies in no row under a row, or all of it."""
        self._shows_self = wanted
        self.viewport().update()

    def show_linked(self, keys: frozenset[Key]) -> None:
        """Mark the rows in which something lies that belongs to the selection."""
        if keys != self._linked:
            self._linked = keys
            self.viewport().update()

    def go_to_cursor(self) -> None:
        """Choose the innermost row at the cursor and have it in view."""
        if self._at_cursor >= 0:
            self._chosen_key = self.rows[self._at_cursor].key
            self.scrollTo(self._model.index(self._at_cursor), QListView.ScrollHint.PositionAtCenter)
            self.viewport().update()

    def show_selection(self, selection: Selection | None) -> None:
        if selection != self._selection:
            self._selection = selection
            if selection is not None:
                self._chosen_key = None
            self.viewport().update()

    def show_cursor(self, cursor_ns: int | None) -> None:
        """Mark the innermost open row in which a moment of the past lies."""
        self._cursor_ns = cursor_ns
        self._at_cursor = row_at(self.rows, cursor_ns)
        self.viewport().update()

    def paint_row(self, painter: QPainter, rect: QRectF, place: int) -> None:
        if 0 <= place < len(self.rows):
            row = self.rows[place]
            look = RowLook(
                self._is_selected(row),
                place == self._hovered,
                row.state == "held",
                place == self._at_cursor,
                row.begin_ns in self._bookmarked_ns,
                self._link_of(row),
                self._shows_self,
            )
            paint_event_row(painter, rect, row, look, self._theme())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        pinned = self._pinned()
        if not pinned:
            return
        theme = self._theme()
        with QPainter(self.viewport()) as painter:
            for level, place in enumerate(pinned):
                rect = QRectF(0, level * self.row_height, self.viewport().width(), self.row_height)
                painter.fillRect(rect, theme.color("surface.panel"))
                self.paint_row(painter, rect, place)
            painter.fillRect(QRectF(0, len(pinned) * self.row_height, self.viewport().width(), 1), theme.color("line.strong"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, rect = self._at(event.position())
        if place < 0 or event.button() is not Qt.MouseButton.LeftButton:
            return
        row = self.rows[place]
        if row.has_children and (chevron_rect(rect, row, self._theme()).contains(event.position()) or row.selection is None):
            self.toggled.emit(row)
        self._choose(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place, rect = self._at(event.position())
        if place >= 0 and not chevron_rect(rect, self.rows[place], self._theme()).contains(event.position()):
            self.opened.emit(self.rows[place])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hovered, _ = self._at(event.position())
        self._is_pointer_inside = True
        if hovered != self._hovered:
            self._hovered = hovered
            self.viewport().update()

    def leaveEvent(self, event: Any) -> None:
        self._hovered = -1
        self._is_pointer_inside = False
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            place, _ = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.rows[place].text if place >= 0 else "", self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        place = next((place for place, row in enumerate(self.rows) if self._is_selected(row)), -1)
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy) and place >= 0:
            QGuiApplication.clipboard().setText(self.rows[place].text)
            return
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 12, Qt.Key.Key_PageUp: -12}
        if key in steps and self.rows:
            self._choose(min(max(place + steps[Qt.Key(key)], 0), len(self.rows) - 1))
        elif place >= 0 and key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self._open_or_leave(place, is_right=key == Qt.Key.Key_Right)
        elif place >= 0 and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.rows[place])
        else:
            super().keyPressEvent(event)

    def _open_or_leave(self, place: int, *, is_right: bool) -> None:
        row = self.rows[place]
        if row.has_children and row.is_open != is_right:
            self.toggled.emit(row)
        elif not is_right:
            above = next((up for up in range(place - 1, -1, -1) if self.rows[up].depth < row.depth), -1)
            if above >= 0:
                self._choose(above)

    def _choose(self, place: int) -> None:
        row = self.rows[place]
        self._chosen_key = row.key
        self._selection = row.selection or self._selection
        self.scrollTo(self._model.index(place))
        self.viewport().update()
        self.chosen.emit(row)

    def _link_of(self, row: EventRow) -> Link:
        if row.key not in self._linked:
            return Link.NONE
        return Link.INSIDE if row.has_children and row.kind not in (EventKind.NODE, EventKind.OPERATOR) else Link.ITSELF

    def _is_selected(self, row: EventRow) -> bool:
        if self._chosen_key is not None:
            return row.key == self._chosen_key
        return row.selection is not None and row.selection == self._selection

    def _is_seen(self, place: int) -> bool:
        return self.viewport().rect().contains(self.visualRect(self._model.index(place)))

    def _pinned(self) -> list[int]:
        """Places of the rows above the first visible one that hold it, outermost first."""
        first = self.indexAt(self.viewport().rect().topLeft()).row()
        if first <= 0 or self.verticalScrollBar().value() == 0:
            return []
        depth = self.rows[min(first + MOST_PINNED, len(self.rows) - 1)].depth
        pinned: list[int] = []
        for place in range(min(first + MOST_PINNED, len(self.rows) - 1), -1, -1):
            if self.rows[place].depth < depth:
                depth = self.rows[place].depth
                if place < first + depth:
                    pinned.insert(0, place)
            if depth == 0:
                break
        return pinned[:MOST_PINNED]

    def _at(self, position: QPointF) -> tuple[int, QRectF]:
        level = int(position.y() // self.row_height)
        pinned = self._pinned()
        if 0 <= level < len(pinned):
            return pinned[level], QRectF(0, level * self.row_height, self.viewport().width(), self.row_height)
        index = self.indexAt(position.toPoint())
        return index.row(), QRectF(self.visualRect(index))
