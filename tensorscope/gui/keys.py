"""The sheet of all keys, shown by ``?``: in columns, by panel, made of the same lists as actions and panels; typing narrows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from tensorscope.gui.actions import ACTIONS, RUN_CONTROLS, STEPS, ActionSpec
from tensorscope.gui.panel_keys import PANEL_KEYS
from tensorscope.gui.panels.catalog import CATALOG
from tensorscope.gui.panels.field import SearchField
from tensorscope.language import tr
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme

ROW: Final = 20.0  # less where the window is low
COLUMN: Final = 320
KEY: Final = 116
MARGIN: Final = 20
HEAD: Final = 52


@dataclass(frozen=True, slots=True)
class KeyRow:
    keys: str
    words: str
    is_title: bool = False


def key_groups() -> tuple[tuple[KeyRow, ...], ...]:
    """All keys, each group with its title first: the run's, the window's, the way to panels, then each panel's own."""
    run = (KeyRow("", tr("Run"), is_title=True), *(_action(spec) for spec in ACTIONS if spec.name in RUN_CONTROLS))
    window = (KeyRow("", tr("Window"), is_title=True), *(_action(spec) for spec in ACTIONS if spec.name not in RUN_CONTROLS))
    panels = [KeyRow("", tr("Panels"), is_title=True)]
    panels += [KeyRow(f"Alt+{number}", tr("Go to {panel}").format(panel=tr(entry.title))) for number, entry in enumerate(CATALOG, 1)]
    titles = {entry.key: tr(entry.title) for entry in CATALOG} | {"scrubber": tr("The whole run")}
    own = [(KeyRow("", titles[key], is_title=True), *(KeyRow(_shown(row.keys), tr(row.words)) for row in rows)) for key, rows in PANEL_KEYS.items()]
    return (run, window, tuple(panels), *own)


def narrowed(groups: Sequence[Sequence[KeyRow]], typed: str) -> tuple[tuple[KeyRow, ...], ...]:
    """The rows that hold every word typed, in their group's title, key or words; groups without any are left out."""
    wanted = typed.casefold().split()

    def fits(title: KeyRow, row: KeyRow) -> bool:
        text = f"{title.words} {row.keys} {row.words}".casefold()
        return all(word in text for word in wanted)

    found = [(group[0], *(row for row in group[1:] if fits(group[0], row))) for group in groups]
    return tuple(group for group in found if len(group) > 1)


def in_columns(groups: Sequence[Sequence[KeyRow]], count: int) -> list[list[KeyRow | None]]:
    """The groups in order over at most ``count`` columns as even as may be, None for the room between two."""
    total = sum(len(group) + 1 for group in groups)
    columns: list[list[KeyRow | None]] = [[]]
    for group in groups:
        column = columns[-1]
        if column and len(columns) < count and len(column) + len(group) / 2 > total / count:
            columns.append(list(group))
        else:
            column += [None, *group] if column else list(group)
    return columns


class KeySheet(QWidget):
    """Over the window until Esc, Enter or a click beside the field."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._groups = key_groups()
        self.field = SearchField(tr("Find a key"), lambda: theme, self)
        self.field.setAccessibleName(tr("Find a key"))
        self.field.setFixedWidth(220)
        self.field.textChanged.connect(lambda _: self.update())
        self.setFocusProxy(self.field)
        self.setAccessibleName(tr("Keys"))
        self.setGeometry(parent.rect())
        self.field.setFocus()

    @property
    def rows(self) -> tuple[KeyRow, ...]:
        """What is shown now, without titles."""
        return tuple(row for group in narrowed(self._groups, self.field.text()) for row in group[1:])

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, card = self._theme, self._card()
        columns = in_columns(narrowed(self._groups, self.field.text()), self._most_columns())
        pitch = self._pitch()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("line.strong"), 1))
            painter.setBrush(theme.color("surface.raised"))
            painter.drawRoundedRect(card, theme.px("radius.card"), theme.px("radius.card"))
            draw_text(painter, QRectF(card.left() + MARGIN, card.top() + 12, 120, 24), tr("Keys"), theme.font("title"), theme.color("text.strong"))
            if not columns[0]:
                rect = QRectF(card.left() + MARGIN, card.top() + HEAD, card.width() - 2 * MARGIN, ROW)
                draw_text(painter, rect, tr("No key has these words."), theme.font("body"), theme.color("text.tertiary"))
            for number, column in enumerate(columns):
                for place, row in enumerate(column):
                    if row is not None:
                        rect = QRectF(card.left() + MARGIN + number * COLUMN, card.top() + HEAD + place * pitch, COLUMN - 16, pitch)
                        _paint_row(painter, rect, row, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        card = self._card()
        self.field.move(round(card.right() - MARGIN - self.field.width()), round(card.top() + 13))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()  # else the window takes Esc for itself
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.close()

    def _most_columns(self) -> int:
        return max((self.width() - 2 * MARGIN - 24) // COLUMN, 1)

    def _longest(self) -> int:
        return max(len(column) for column in in_columns(self._groups, self._most_columns()))

    def _pitch(self) -> float:
        return min(ROW, (self.height() - HEAD - MARGIN - 16) / self._longest())

    def _card(self) -> QRectF:
        width = len(in_columns(self._groups, self._most_columns())) * COLUMN + 2 * MARGIN - 16
        height = HEAD + self._longest() * self._pitch() + MARGIN
        return QRectF((self.width() - width) / 2, max((self.height() - height) / 2, 8), width, height)


def _action(spec: ActionSpec) -> KeyRow:
    words = tr(spec.text).rstrip("…")
    return KeyRow(_shown(spec.key), tr("Step: {what}").format(what=words) if spec.name in STEPS else words)


def _shown(keys: str) -> str:
    """Qt's words as the platform writes them, such as ← for Left."""
    signs = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→", "-": "−", "PageUp": "PgUp", "PageDown": "PgDn", "Shift+Click": tr("Shift+click")}
    native = QKeySequence.SequenceFormat.NativeText
    return "  ".join(signs.get(key) or QKeySequence(key).toString(native) or key for key in keys.split(" "))


def _paint_row(painter: QPainter, rect: QRectF, row: KeyRow, theme: Theme) -> None:
    if row.is_title:
        draw_text(painter, rect, row.words, theme.font("body", "semibold"), theme.color("text.link"))
        return
    draw_text(painter, QRectF(rect.left(), rect.top(), KEY - 6, rect.height()), row.keys, theme.font("body", "semibold"), theme.color("text.primary"))
    draw_text(painter, rect.adjusted(KEY, 0, 0, 0), row.words, theme.font("body"), theme.color("text.secondary"))
