"""The graph's tool row: which backward, the way of modules to the selection, the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from tensorscope.gui.panels.field import SearchField
from tensorscope.gui.panels.graph_menu import OptionsMenu
from tensorscope.gui.panels.tool_widgets import Chooser
from tensorscope.language import tr
from tensorscope.render.icons import icon
from tensorscope.render.text import ELLIPSIS, Run, draw_runs, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_choices import GraphChoices
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_selection import selected_place
from tensorscope.viewmodel.workspace import ModuleSelection, Selection

ARROW = "  ›  "
ROOMY = 500  # px from which the colour chooser says what it is


@dataclass(frozen=True, slots=True)
class Crumb:
    text: str
    value: object  # what a click on it means


def crumbs_of(view: GraphView, selection: Selection | None) -> tuple[Crumb, ...]:
    """The backward, then the modules around what is selected, else around the node that stands out."""
    selected = selected_place(view, selection)
    place = selected if selected >= 0 else view.progress.current
    path = view.tree.path(place) if place >= 0 else ()
    if isinstance(selection, ModuleSelection) and (group := view.tree.group_of_module(selection.module)) is not None:
        path = (*view.tree.around(group), group)
    shown = path[1:] if path and path[0].is_alone else path
    return (Crumb(tr("backward {backward}").format(backward=view.graph.backward), None), *(Crumb(group.name or group.class_name, group.key) for group in shown))


class Crumbs(QWidget):
    """``backward 47 › h.7 › mlp``; the first ones give way where there is no room."""

    clicked = Signal(object)

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._crumbs: tuple[Crumb, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)

    @property
    def crumbs(self) -> tuple[Crumb, ...]:
        return self._crumbs

    def show_crumbs(self, crumbs: tuple[Crumb, ...]) -> None:
        if crumbs != self._crumbs:
            self._crumbs = crumbs
            self.setToolTip("".join(f"{ARROW}{crumb.text}" for crumb in crumbs).removeprefix(ARROW))
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(180, round(self._theme().px("size.field")))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            draw_runs(painter, QRectF(self.rect()), [run for _, run in self._runs()])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        x = 0.0
        for crumb, run in self._runs():
            x += text_width(run.text, run.font)
            if event.position().x() <= x:
                if crumb is not None:
                    self.clicked.emit(crumb.value)
                return

    def _runs(self) -> list[tuple[Crumb | None, Run]]:
        theme = self._theme()
        plain, strong = theme.font("body"), theme.font("body", "semibold")
        for skipped in range(len(self._crumbs) or 1):
            kept = self._crumbs[skipped:]
            runs: list[tuple[Crumb | None, Run]] = [(None, Run(ELLIPSIS + ARROW, plain, theme.color("text.tertiary")))] if skipped else []
            for number, crumb in enumerate(kept):
                is_last = number == len(kept) - 1 and len(self._crumbs) > 1
                runs.append((crumb, Run(crumb.text, strong if is_last else plain, theme.color("text.strong" if is_last else "text.secondary"))))
                if number < len(kept) - 1:
                    runs.append((None, Run(ARROW, plain, theme.color("text.tertiary"))))
            if sum(text_width(run.text, run.font) for _, run in runs) <= self.width():
                return runs
        return runs


class ColourChooser(Chooser):
    """What the nodes' colours show; says so before the name where there is room."""

    is_short = False

    def currentText(self) -> str:
        name = super().currentText()
        return name if self.is_short else tr("Colour: {name}").format(name=name)


class GraphTools(QWidget):
    stepped = Signal(int)  # to the backward before (-1) or after (1)
    measure_chosen = Signal(object)  # Measure
    follow_clicked = Signal()
    options_chosen = Signal(object)  # GraphOptions

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.crumbs = Crumbs(theme, self)
        self.search = SearchField(tr("Find a node, module, parameter"), theme, self)
        self.search.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.search.setMinimumWidth(110)
        self.search.setMaximumWidth(196)
        self.colour = ColourChooser(theme, self)
        self.colour.setToolTip(tr("What the colours of the nodes show"))
        self.colour.addItems([tr(measure.value) for measure in Measure])
        self.colour.currentIndexChanged.connect(lambda index: self.measure_chosen.emit(tuple(Measure)[index]))
        self._before = self._button("chevron-left", tr("Backward before this one  ["), lambda: self.stepped.emit(-1))
        self._after = self._button("chevron-right", tr("Backward after this one  ]"), lambda: self.stepped.emit(1))
        self._follow = self._button("skip-forward", tr("Follow the cursor and the run again"), self.follow_clicked.emit)
        self.menu = OptionsMenu(self.options_chosen.emit, self)
        self._more = self._button("ellipsis", tr("Directions, what is shown, groups, comparing, exports"), self._open_menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 12, 0)
        row.setSpacing(2)
        for button in (self._before, self._after, self._follow):
            row.addWidget(button)
        row.addSpacing(4)
        row.addWidget(self.crumbs, 2)
        row.addSpacing(6)
        row.addWidget(self.colour)
        row.addSpacing(6)
        row.addWidget(self.search, 1)
        row.addWidget(self._more)
        self.show_numbers(False, False, False)

    def show_numbers(self, has_before: bool, has_after: bool, is_pinned: bool) -> None:
        self._before.setEnabled(has_before)
        self._after.setEnabled(has_after)
        self._follow.setVisible(is_pinned)

    def show_choices(self, choices: GraphChoices) -> None:
        self.menu.show_options(choices.options)
        self.colour.setCurrentIndex(tuple(Measure).index(choices.measure))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.colour.is_short = self.width() < ROOMY
        self.colour.updateGeometry()

    def apply_theme(self) -> None:
        theme = self._theme()
        icons = ((self._before, "chevron-left"), (self._after, "chevron-right"), (self._follow, "skip-forward"), (self._more, "ellipsis"))
        for button, name in icons:
            button.setIcon(icon(name, theme.color("text.secondary"), theme.color("text.disabled"), theme.px("size.icon.panel")))
        self.update()

    def _open_menu(self) -> None:
        self.menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    def _button(self, name: str, tip: str, act: Callable[[], object]) -> QToolButton:
        theme = self._theme()
        button = QToolButton(self)
        button.setIcon(icon(name, theme.color("text.secondary"), theme.color("text.disabled"), theme.px("size.icon.panel")))
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        side = round(theme.px("size.hit_target_min"))
        button.setFixedSize(side, side)
        button.setStyleSheet("QToolButton { padding: 0; min-height: 0; }")
        button.clicked.connect(lambda: act())
        return button
