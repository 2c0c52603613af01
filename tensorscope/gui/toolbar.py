"""The toolbar: what runs, the run controls (one of them filled), where the script stands and what watching costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from tensorscope.gui.accessible_names import name_all_in
from tensorscope.gui.actions import STEPS
from tensorscope.gui.break_menu import BreakButton
from tensorscope.gui.buttons import ToolbarButton
from tensorscope.gui.chips import Chip
from tensorscope.gui.rank_selector import RankSelector
from tensorscope.language import tr
from tensorscope.render.brand import paint_mark
from tensorscope.render.icons import icon
from tensorscope.render.text import Run, draw_runs, elide, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.breakpoints import Breakpoints
from tensorscope.viewmodel.run_state import ChipView, Controls

MENU: Final = ("open", "save_as", None, "export_picture", "export_window", None, "maximize", "reset_layout", "theme", "settings", None, "keys", None, "close")
NARROW: Final = 1500
WALKS: Final = ("step_node", "step_back")  # of use in a recording as well
CHIPS: Final = 3


class Toolbar(QWidget):
    """Shows actions and chips; decides nothing."""

    chip_clicked = Signal(int)

    def __init__(self, actions: Mapping[str, QAction], breakpoints: Breakpoints, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._actions = actions
        self._controls: Controls | None = None
        self._menu = QMenu(self)
        self._menu_button = QToolButton(self)
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu_button.setMenu(self._menu)
        self._menu_button.setToolTip(tr("Menu"))
        self._menu_button.setFixedSize(28, 28)
        self.brand = _Brand(theme, self)
        self.target = _Target(theme, self)
        self.ranks = RankSelector(theme, self)
        self._primary = ToolbarButton(actions["pause"], theme, is_wide=True, is_filled=True, parent=self)
        self._stop = ToolbarButton(actions["stop"], theme, parent=self)
        self._restart = ToolbarButton(actions["restart"], theme, parent=self)
        self._steps = {name: ToolbarButton(actions[name], theme, is_wide=True, parent=self) for name in STEPS}
        self._separator, self._break_separator = _Separator(theme, self), _Separator(theme, self)
        self._break = BreakButton(breakpoints, theme, self)
        self.chips = [Chip(theme, self) for _ in range(CHIPS)]
        self.cost = Chip(theme, self)
        self._run_widgets: tuple[QWidget, ...] = (self._primary, self._stop, self._restart, self._break_separator, self._break)
        self._lay_out()
        for name in MENU:
            self._menu.addAction(actions[name]) if name else self._menu.addSeparator()
        for number, chip in enumerate(self.chips):
            chip.clicked.connect(lambda number=number: self.chip_clicked.emit(number))
        self.setFixedHeight(round(theme().px("size.toolbar")))
        self.theme_changed()
        name_all_in(self, tr("Toolbar"))

    def show_controls(self, controls: Controls) -> None:
        if controls == self._controls:
            return
        self._controls = controls
        for widget in self._run_widgets:
            widget.setVisible(controls.has_run)
        for name, button in self._steps.items():
            button.setVisible(controls.primary not in ("restart", "") or (controls.can_walk and name in WALKS))
        self._separator.setVisible(controls.has_run)
        if not controls.has_run:
            return
        self._primary.set_action(self._actions[controls.primary])
        self._stop.setVisible(controls.primary != "restart")
        self._restart.setVisible(controls.primary != "restart" and self._actions["restart"].isEnabled())

    def show_chips(self, chips: tuple[ChipView, ...], cost: ChipView | None) -> None:
        for number, chip in enumerate(self.chips):
            chip.show_view(chips[number] if number < len(chips) else None)
        self.cost.show_view(cost)

    def theme_changed(self) -> None:
        theme = self._theme()
        self._menu_button.setIcon(icon("menu", theme.color("text.primary")))
        for action in self._menu.actions():
            name = action.property("icon_name")
            if name:
                action.setIcon(icon(str(name), theme.color("text.secondary"), theme.color("text.disabled"), 14))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_narrow = self.width() < NARROW
        self.brand.set_short(is_narrow)
        for name, button in self._steps.items():
            button.set_wide(not is_narrow or name == "step_node")
        self._break.set_wide(not is_narrow)
        super().resizeEvent(event)

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 12, 0)
        layout.setSpacing(6)
        for widget, space in (
            (self._menu_button, 0),
            (self.brand, 4),
            (self.target, 0),
            (self.ranks, 6),
            (self._primary, 2),
            (self._stop, 0),
            (self._restart, 4),
            (self._separator, 4),
            *((button, 0) for button in self._steps.values()),
            (self._break_separator, 4),
            (self._break, 0),
        ):
            layout.addWidget(widget)
            layout.addSpacing(space)
        layout.addStretch(1)
        for chip in (*self.chips, self.cost):
            layout.addWidget(chip)


class _Brand(QWidget):
    """The name with its mark: four bars in category colours. Below 1500 px the mark alone."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_short = False
        self.setFixedSize(self.sizeHint())

    def set_short(self, is_short: bool) -> None:
        if is_short != self._is_short:
            self._is_short = is_short
            self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        words = 0 if self._is_short else round(text_width("TensorScope", self._theme().font("body", "semibold"))) + 10
        return QSize(18 + words, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            paint_mark(painter, 0, 22, theme)
            if not self._is_short:
                run = Run("TensorScope", theme.font("body", "semibold"), theme.color("text.primary"))
                draw_runs(painter, QRectF(self.rect()).adjusted(26, 0, 0, 0), (run,))


class _Target(QWidget):
    """The script that runs, its arguments dim."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name, self._rest = "", ""
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_title(self, title: str) -> None:
        name, _, rest = title.partition(" ")
        if (name, rest) != (self._name, self._rest):
            self._name, self._rest = name, rest
            self.setToolTip(title)
            self.setVisible(bool(title))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        theme = self._theme()
        width = text_width(self._name, theme.font("body", "medium")) + min(text_width(self._rest, theme.font("body")) + 8 if self._rest else 0, 160)
        return QSize(round(width) + 24, round(theme.px("size.toolbar_button")))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("line.strong"), 1))
            painter.setBrush(theme.color("surface.panel"))
            rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(rect, theme.px("radius.button"), theme.px("radius.button"))
            inner = rect.adjusted(11, 0, -11, 0)
            font = theme.font("body", "medium")
            name = elide(self._name, font, inner.width())
            used = draw_runs(painter, inner, (Run(name, font, theme.color("text.primary")),))
            rest = elide(self._rest, theme.font("body"), inner.width() - used - 8)
            if rest and inner.width() - used > 30:
                draw_runs(painter, inner.adjusted(used + 8, 0, 0, 0), (Run(rest, theme.font("body"), theme.color("text.tertiary")),))


class _Separator(QWidget):
    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedSize(1, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme().color("line.strong"))
