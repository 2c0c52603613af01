"""The problems' tool row: how grave they must be, how many there are, copy all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from tensorscope.analysis.results import Severity
from tensorscope.gui.panels.segmented import Segmented
from tensorscope.gui.panels.tool_widgets import Words
from tensorscope.language import tr, tr_later
from tensorscope.render.icons import icon
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.problems import Problems

FLOORS: Final[tuple[tuple[Severity, str], ...]] = (("info", tr_later("All")), ("warning", tr_later("Warnings")), ("error", tr_later("Errors")))
"""The least severity that is shown, and its word."""


class ProblemTools(QWidget):
    floor_chosen = Signal(str)
    copy_wanted = Signal()

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.floors = Segmented(tuple(tr(word) for _, word in FLOORS), theme, self)
        self.floors.setAccessibleName(tr("Least severity"))
        self.floors.setToolTip(tr("All problems, warnings and errors, or errors only"))
        self.floors.chosen.connect(self._choose)
        self.counts = Words(theme, self)
        self.copy = QToolButton(self)
        self.copy.setAccessibleName(tr("Copy all problems"))
        self.copy.setToolTip(tr("Copy what is listed, a line each (Ctrl+C copies the chosen one)"))
        self.copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.copy.setFixedSize(round(theme().px("size.hit_target_min")), round(theme().px("size.hit_target_min")))
        self.copy.setStyleSheet("QToolButton { padding: 0; min-height: 0; }")
        self.copy.clicked.connect(self.copy_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self.floors)
        row.addWidget(self.counts, 1)
        row.addWidget(self.copy)
        self.theme_changed()

    def show_problems(self, problems: Problems) -> None:
        present = {finding.severity for finding in problems.findings}
        enabled = {0} | {place for place, (floor, _) in enumerate(FLOORS) if problems.at_least(floor).findings}
        self.floors.set_enabled_words(frozenset(enabled))
        self.counts.set_text(problems.counts)
        self.copy.setEnabled(bool(present))

    def theme_changed(self) -> None:
        theme = self._theme()
        self.copy.setIcon(icon("copy", theme.color("text.secondary"), theme.color("text.disabled"), theme.px("size.icon.panel")))
        self.update()

    def _choose(self, index: int) -> None:
        self.floors.set_current(index)
        self.floor_chosen.emit(FLOORS[index][0])
