"""The page of settings: looks, language, what a run keeps, breakpoints, layout. Every change counts at once and is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QListWidget, QPushButton, QSpinBox, QVBoxLayout, QWidget

from tensorscope.errors import TensorScopeError
from tensorscope.gui.settings import Settings
from tensorscope.gui.translation import LANGUAGES
from tensorscope.language import tr, tr_later
from tensorscope.render.icons import draw_icon
from tensorscope.session.keep_spec import keep_words, parse_keep
from tensorscope.viewmodel.breakpoints import Breakpoints

THEMES: Final = {"": tr_later("As the system"), "dark": tr_later("Dark"), "light": tr_later("Light")}
PALETTES: Final = {"": tr_later("Standard"), "colour_blind_safe": tr_later("Colour-blind safe")}
MOST_ITERATIONS: Final = 100_000
MOST_RECORDINGS: Final = 1000


class _Combo(QComboBox):
    """With a chevron, which the style sheet takes away."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            draw_icon(painter, "chevron-down", QRectF(self.width() - 20, 0, 14, self.height()), self.palette().color(QPalette.ColorRole.PlaceholderText), 12)


class SettingsPage(QDialog):
    """Not modal. ``looks_changed`` carries the theme's name ("" is the system's)."""

    looks_changed = Signal(str)
    layout_reset = Signal()

    def __init__(self, settings: Settings, breakpoints: Breakpoints, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._breakpoints = breakpoints
        self.setObjectName("window")
        self.setWindowTitle(tr("Settings – TensorScope"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.theme = self._combo(THEMES, settings.theme, self._set_theme)
        self.palette_choice = self._combo(PALETTES, settings.palette, self._set_palette)
        self.language = self._combo(LANGUAGES, settings.language, self._set_language)
        words = keep_words(settings.keep)
        self.memory, self.disk = QLineEdit(words["memory"], self), QLineEdit(words["disk"], self)
        self.first, self.last = self._spin(int(words["first"]), 0, MOST_ITERATIONS), self._spin(int(words["last"]), 0, MOST_ITERATIONS)
        self.recordings = self._spin(settings.recordings, 1, MOST_RECORDINGS)
        self.trouble = QLabel(self)
        self.trouble.setWordWrap(True)
        self.breakpoints = QListWidget(self)
        self.remove = QPushButton(tr("Remove"), self)
        self.reset = QPushButton(tr("Reset the layout"), self)
        self._lay_out()
        for field in (self.memory, self.disk):
            field.editingFinished.connect(self._set_keep)
        for spin in (self.first, self.last):
            spin.valueChanged.connect(self._set_keep)
        self.recordings.valueChanged.connect(self._set_recordings)
        self.remove.clicked.connect(self._remove_breakpoint)
        self.reset.clicked.connect(self.layout_reset)
        self._show_breakpoints()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(8)
        for words, field in (
            (tr("Theme"), self.theme),
            (tr("Colours"), self.palette_choice),
            (tr("Language, from the next window on"), self.language),
            (tr("Memory of a run"), self.memory),
            (tr("Disk of a run"), self.disk),
            (tr("First iterations kept in full"), self.first),
            (tr("Last iterations kept in full"), self.last),
            (tr("Runs kept in the cache"), self.recordings),
        ):
            form.addRow(words, field)
            field.setAccessibleName(words)
        form.addRow(self.trouble)
        self.breakpoints.setAccessibleName(tr("Breakpoints"))
        self.breakpoints.setFixedHeight(110)
        form.addRow(tr("Breakpoints"), self.breakpoints)
        close = QPushButton(tr("Close settings"), self)
        close.clicked.connect(self.close)
        close.setDefault(True)
        row = QHBoxLayout()
        for button in (self.remove, self.reset):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addLayout(row)
        self.setMinimumWidth(520)

    def _combo(self, choices: dict[str, str], chosen: str, take: Callable[[str], None]) -> QComboBox:
        combo = _Combo(self)
        for key, words in choices.items():
            combo.addItem(tr(words), key)
        combo.setCurrentIndex(max(combo.findData(chosen), 0))
        combo.currentIndexChanged.connect(lambda: take(str(combo.currentData())))
        return combo

    def _spin(self, value: int, least: int, most: int) -> QSpinBox:
        spin = QSpinBox(self)
        spin.setRange(least, most)
        spin.setValue(value)
        spin.lineEdit().setTextMargins(6, 0, 0, 0)
        return spin

    def _set_theme(self, name: str) -> None:
        self._settings.theme = name
        self.looks_changed.emit(name)

    def _set_palette(self, name: str) -> None:
        self._settings.palette = name
        self.looks_changed.emit(self._settings.theme)

    def _set_language(self, name: str) -> None:
        self._settings.language = name

    def _set_recordings(self, count: int) -> None:
        self._settings.recordings = count

    def _set_keep(self) -> None:
        """From the next run on; said where it cannot be, and the old one stays."""
        spec = f"memory={self.memory.text().strip()},disk={self.disk.text().strip()},first={self.first.value()},last={self.last.value()}"
        try:
            parse_keep(spec)
        except TensorScopeError as error:
            self.trouble.setText(str(error))
            return
        self.trouble.setText(tr("Counts from the next run on."))
        self._settings.keep = spec

    def _show_breakpoints(self) -> None:
        self.breakpoints.clear()
        self.breakpoints.addItems(self._breakpoints.specs)
        self.remove.setEnabled(bool(self._breakpoints.specs))

    def _remove_breakpoint(self) -> None:
        item = self.breakpoints.currentItem() or self.breakpoints.item(0)
        self._breakpoints.remove(item.text())
        self._show_breakpoints()
