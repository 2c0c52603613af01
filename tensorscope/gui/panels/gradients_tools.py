"""The gradients panel's tool row: stage, what the rows and the curves are, and a menu with everything that has no room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from tensorscope.gui.panels.segmented import Segmented
from tensorscope.gui.panels.tool_widgets import Chooser, Words
from tensorscope.language import tr
from tensorscope.render.icons import icon
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_series import SeriesKind
from tensorscope.viewmodel.gradients import STAGES
from tensorscope.viewmodel.words import word_of

ROOMY: Final = 470  # px from which the rows have a chooser of their own
WORDY: Final = 640  # px from which the row says what is shown


class GradientsTools(QWidget):
    stage_chosen = Signal(int)
    kind_chosen = Signal(object)  # SeriesKind
    depth_chosen = Signal(object)  # int or None: see ``folds_at``
    range_chosen = Signal(bool)  # robust
    axis_chosen = Signal(bool)  # logarithmic
    curves_freed = Signal()
    whole_wanted = Signal()

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.stages = Segmented(tuple(word_of(stage) for stage in STAGES.values()), theme, self)
        self.stages.setAccessibleName(tr("Stage of the gradients"))
        self.kinds = Chooser(theme, self)
        self.kinds.addItems([tr(kind.value) for kind in SeriesKind])
        self.kinds.setToolTip(tr("What the curves below the map show"))
        self.kinds.setAccessibleName(tr("Curves"))
        self.rows = Chooser(theme, self)
        self.rows.setToolTip(tr("What a row of the map stands for"))
        self.rows.setAccessibleName(tr("Rows"))
        self._depths: tuple[int | None, ...] = ()
        self._words = Words(theme, self)
        self._words.set_text(tr("Gradient norm, row × iteration"))
        self._more = QToolButton(self)
        self._more.setToolTip(tr("Range, axis, rows and curves"))
        self._more.setAccessibleName(tr("How the gradients are shown"))
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        side = round(theme().px("size.hit_target_min"))
        self._more.setFixedSize(side, side)
        self._more.setStyleSheet("QToolButton { padding: 0; min-height: 0; }")
        self._more.clicked.connect(lambda: self.show_menu(self._more.mapToGlobal(QPoint(0, side))))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(6)
        row.addWidget(self._words, 1)
        for widget in (self.rows, self.kinds, self.stages, self._more):
            row.addWidget(widget)
        row.insertStretch(1)
        self.is_robust = self.is_log = True
        self.stages.chosen.connect(lambda index: self.stage_chosen.emit(index + 1))
        self.kinds.activated.connect(lambda index: self.kind_chosen.emit(tuple(SeriesKind)[index]))
        self.rows.activated.connect(lambda index: self.depth_chosen.emit(self._depths[index]))
        self.show_depths(0, None)
        self.apply_theme()

    def show_stages(self, stages: tuple[int, ...], current: int) -> None:
        self.stages.set_enabled_words(frozenset(stage - 1 for stage in stages))
        self.stages.set_current(current - 1)

    def show_kind(self, kind: SeriesKind) -> None:
        self.kinds.setCurrentIndex(tuple(SeriesKind).index(kind))

    def show_depths(self, deepest: int, current: int | None) -> None:
        """Rows can be parameters, modules, or modules of each depth down to ``deepest``."""
        depths: tuple[int | None, ...] = (None, -1, *range(deepest - 1, -1, -1)) if deepest else (None, 0)
        if depths != self._depths:
            self._depths = depths
            self.rows.clear()
            self.rows.addItems([depth_words(depth) for depth in depths])
        self.rows.setCurrentIndex(depths.index(current) if current in depths else 0)

    def show_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        rows = menu.addMenu(tr("Rows"))
        self._choices(rows, [depth_words(depth) for depth in self._depths], self.rows.currentIndex(), lambda index: self.depth_chosen.emit(self._depths[index]))
        curves = menu.addMenu(tr("Curves"))
        kinds = tuple(SeriesKind)
        self._choices(curves, [tr(kind.value) for kind in kinds], self.kinds.currentIndex(), lambda index: self.kind_chosen.emit(kinds[index]))
        menu.addSeparator()
        self._switch(menu, tr("Leave outliers out of the range"), self.is_robust, self.range_chosen.emit)
        self._switch(menu, tr("Logarithmic axis"), self.is_log, self.axis_chosen.emit)
        menu.addSeparator()
        menu.addAction(tr("Show all curves again")).triggered.connect(self.curves_freed.emit)
        menu.addAction(tr("Show the whole map  (F)")).triggered.connect(self.whole_wanted.emit)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.rows.setVisible(self.width() >= ROOMY)
        self._words.setVisible(self.width() >= WORDY)

    def apply_theme(self) -> None:
        theme = self._theme()
        self._more.setIcon(icon("ellipsis", theme.color("text.secondary"), theme.color("text.disabled"), theme.px("size.icon.panel")))
        self.update()

    def _choices(self, menu: QMenu, words: list[str], current: int, choose: Callable[[int], None]) -> None:
        group = QActionGroup(menu)
        for index, word in enumerate(words):
            action = QAction(word, menu, checkable=True, checked=index == current)
            action.triggered.connect(lambda _=False, index=index: choose(index))
            group.addAction(action)
            menu.addAction(action)

    def _switch(self, menu: QMenu, words: str, is_on: bool, choose: Callable[[bool], object]) -> None:
        action = QAction(words, menu, checkable=True, checked=is_on)
        action.toggled.connect(choose)
        menu.addAction(action)


def depth_words(depth: int | None) -> str:
    if depth is None:
        return tr("parameters")
    if depth == 0:
        return tr("whole model")
    return tr("modules") if depth < 0 else tr("modules, depth {depth}").format(depth=depth)
