"""A list of choices, each a bold title over a dim note; Enter, Space or a click takes one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.welcome import Choice

ROW: Final = 42
_CHOICE: Final = Qt.ItemDataRole.UserRole


class ChoiceList(QListWidget):
    """``chosen`` carries the ``Choice``."""

    chosen = Signal(object)

    def __init__(self, name: str, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setItemDelegate(_Row(theme, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setObjectName("choices")
        self.itemClicked.connect(self._take)

    def show_choices(self, choices: Sequence[Choice]) -> None:
        if [self.item(row).data(_CHOICE) for row in range(self.count())] == list(choices):
            return
        at = self.currentRow()
        self.clear()
        for choice in choices:
            item = QListWidgetItem(choice.title, self)
            item.setData(_CHOICE, choice)
            item.setToolTip(f"{choice.title}\n{choice.note}")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{choice.title}: {choice.note}")
        if choices:
            self.setCurrentRow(min(max(at, 0), len(choices) - 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentItem() is not None:
            self._take(self.currentItem())
        else:
            super().keyPressEvent(event)

    def _take(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(_CHOICE))


class _Row(QStyledItemDelegate):
    def __init__(self, theme: Callable[[], Theme], parent: ChoiceList) -> None:
        super().__init__(parent)
        self._theme = theme
        self._list = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        theme, choice = self._theme(), index.data(_CHOICE)
        rect = QRectF(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_current = bool(state & QStyle.StateFlag.State_Selected) and self._list.hasFocus()
        if is_current or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(QPen(theme.color("accent.focus_ring"), 1) if is_current else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("surface.selected" if is_current else "surface.hover"))
            painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -1.5), theme.px("radius.button"), theme.px("radius.button"))
        draw_icon(painter, choice.icon, QRectF(rect.left() + 8, rect.top(), 16, rect.height()), theme.color("text.secondary"), 14)
        words = rect.adjusted(34, 4, -10, -4)
        half = words.height() / 2
        mode = Qt.TextElideMode.ElideMiddle if "/" in choice.note else Qt.TextElideMode.ElideRight
        draw_text(painter, words.adjusted(0, 0, 0, -half), choice.title, theme.font("body", "semibold"), theme.color("text.primary"))
        draw_text(painter, words.adjusted(0, half, 0, 0), choice.note, theme.font("caption"), theme.color("text.secondary"), mode=mode)
        painter.restore()
