"""The list beside the graph: a title, a sentence, switches of kinds, rows to go to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tensorscope.gui.panels.graph_side_kinds import KindSwitches
from tensorscope.language import tr
from tensorscope.render.graph_emphasis import tone_color
from tensorscope.render.icons import icon
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph_scene import BoxKey
from tensorscope.viewmodel.graph_side import SideRow, SideView

WIDTH: Final = 204
DOT: Final = 3.5
LEAST_NOTE: Final = 24.0

Index = QModelIndex | QPersistentModelIndex
TOP: Final = QModelIndex()


class _Rows(QAbstractListModel):
    """An adapter without data of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[SideRow, ...] = ()

    def show_rows(self, rows: tuple[SideRow, ...]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return "  ".join(part for part in (row.text, row.note, tr(row.tone.value) if row.tone is not None else "") if part)
        return None


class _RowPainter(QStyledItemDelegate):
    def __init__(self, rows: _Rows, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH, round(self._theme().px("size.row.default")))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, row = self._theme(), self._rows.rows[index.row()]
        whole = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(whole, theme.color("surface.selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(whole, theme.color("surface.hover"))
        inner = whole.adjusted(theme.px("space.cell_padding_x"), 0, -theme.px("space.cell_padding_x"), 0)
        if row.tone is not None:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tone_color(row.tone, theme))
            painter.drawEllipse(QPointF(inner.left() + DOT, inner.center().y()), DOT, DOT)
            painter.restore()
            inner.adjust(3 * DOT + 2, 0, 0, 0)
        color = theme.color("text.primary" if row.target is not None else "text.tertiary")
        used = draw_text(painter, inner, row.text, theme.font("body"), color) + theme.px("space.icon_to_text")
        room = inner.adjusted(used, 0, 0, 0)
        note = tr(row.tone.value) if row.tone is not None and not row.note else row.note
        if room.width() > LEAST_NOTE:
            font = theme.font("caption")
            words = QFontMetricsF(font).elidedText(note, Qt.TextElideMode.ElideLeft, room.width())  # the end of a module's name tells the most
            draw_text(painter, room, words, font, theme.color("text.tertiary"), Qt.AlignmentFlag.AlignRight)


class GraphSide(QWidget):
    gone_to = Signal(object)  # BoxKey
    kind_toggled = Signal(object)  # Kind
    closed = Signal()

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: SideView | None = None
        self._model = _Rows()
        self.setFixedWidth(WIDTH)
        self._title, self._words = QLabel(self), QLabel(self)
        self._title.setFont(theme().font("body", "semibold"))
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._words.setFont(theme().font("caption"))
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton(self)
        self._close.setToolTip(tr("Close the list  (Esc)"))
        self._close.setStyleSheet("QToolButton { padding: 0; min-height: 0; }")
        self._close.clicked.connect(self.closed.emit)
        self.kinds = KindSwitches(theme, self)
        self.kinds.toggled.connect(self.kind_toggled.emit)
        self.list = QListView(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_RowPainter(self._model, theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(tr("Found in the graph"))
        self.list.clicked.connect(self._go)
        self.list.activated.connect(self._go)
        self._lay_out()
        self.apply_theme()
        self.hide()

    @property
    def view(self) -> SideView | None:
        return self._view

    def show_side(self, view: SideView | None) -> None:
        if view == self._view:
            return
        old, self._view = self._view, view
        self.setVisible(view is not None)
        if view is None:
            return
        self._title.setText(view.title)
        self._title.setToolTip(view.title)
        self._words.setText(view.words)
        self._words.setVisible(bool(view.words))
        self.kinds.show_switches(view.kinds)
        self.kinds.setVisible(bool(view.kinds))
        if old is None or old.rows != view.rows:
            self._model.show_rows(view.rows)
        if 0 <= view.current < len(view.rows):
            self.list.setCurrentIndex(self._model.index(view.current))

    def apply_theme(self) -> None:
        theme = self._theme()
        self._close.setIcon(icon("x", theme.color("text.secondary"), theme.color("text.disabled"), theme.px("size.icon.panel")))
        self._words.setStyleSheet(f"color: {theme.color('text.secondary').name()};")
        self._title.setStyleSheet(f"color: {theme.color('text.strong').name()};")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(QRectF(0, 0, 1, self.height()), self._theme().color("line.subtle"))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        upper = QVBoxLayout()
        upper.setContentsMargins(10, 4, 6, 4)
        upper.setSpacing(4)
        upper.addLayout(head)
        upper.addWidget(self._words)
        upper.addWidget(self.kinds)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper)
        column.addWidget(self.list, 1)

    def _go(self, index: QModelIndex) -> None:
        target: BoxKey | None = self._model.rows[index.row()].target
        if target is not None:
            self.gone_to.emit(target)
