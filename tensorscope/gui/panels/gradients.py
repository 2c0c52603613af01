"""The gradients panel: norm by parameter or module and iteration, raw, unscaled or clipped, with what the loop did and curves below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.gradients_menu import RowMenu
from tensorscope.gui.panels.gradients_plot import GradientsPlot
from tensorscope.gui.panels.gradients_tools import GradientsTools
from tensorscope.language import tr, tr_later
from tensorscope.render.gradients import GradientsLook, GradientsMarks, selected_curve
from tensorscope.render.gradients_legend import signs_of
from tensorscope.render.gradients_map import RowMark
from tensorscope.render.hover_card import Card
from tensorscope.render.message import paint_message
from tensorscope.session.session import RunState
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.emptiness import why_empty
from tensorscope.viewmodel.gradient_cards import curve_facts, largest_of, row_facts
from tensorscope.viewmodel.gradient_copy import row_text, sheet_text
from tensorscope.viewmodel.gradient_curves import CurveChoice
from tensorscope.viewmodel.gradient_kept import GradientChoices, recall, remember
from tensorscope.viewmodel.gradient_ranks import band_of, differs_words
from tensorscope.viewmodel.gradient_rows import refolded
from tensorscope.viewmodel.gradient_series import SeriesKind
from tensorscope.viewmodel.gradient_state import GradientRequest, GradientState, compute_gradients, linked_rows, selected_row
from tensorscope.viewmodel.gradients import column_of_time, facts_of
from tensorscope.viewmodel.panel_words import gradients_words
from tensorscope.viewmodel.workspace import Aspect, ModuleSelection, ParameterSelection

if TYPE_CHECKING:
    from tensorscope.gui.panels.gradients_axes import GradientsAxes


class GradientsPanel(Panel):
    title = tr_later("Gradients")
    key = "gradients"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._state: GradientState | None = None
        self._told = ""  # of the chosen cell, to a screen reader
        known = recall(context.kept)
        self._wanted = known.request
        self._asked: tuple[Snapshot, GradientRequest] | None = None
        self._is_robust, self._is_log = known.is_robust, known.is_log
        self.plot = GradientsPlot(context.theme, self)
        self.plot.setAccessibleName(tr("Gradient norms by parameter and iteration"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self.tools = GradientsTools(context.theme, self)
        self.tools.is_robust, self.tools.is_log = known.is_robust, known.is_log
        self.setFocusProxy(self.plot)
        self.plot.hide()
        self._connect()

    def _connect(self) -> None:
        plot, tools = self.plot, self.tools
        plot.cell_chosen.connect(self._choose)
        plot.hovered.connect(self._explain)
        plot.curve_hovered.connect(self._explain_curve)
        plot.curve_chosen.connect(self._choose_curve)
        plot.wished.connect(self._do)
        plot.fold_wanted.connect(self._refold)
        plot.menu_wanted.connect(self._show_row_menu)
        tools.stage_chosen.connect(lambda stage: self._want(replace(self._wanted, stage=stage)))
        tools.kind_chosen.connect(lambda kind: self._want(replace(self._wanted, kind=kind)))
        tools.depth_chosen.connect(lambda depth: self._want(replace(self._wanted, depth=depth, folds=None)))
        tools.range_chosen.connect(lambda is_robust: self._look(is_robust, self._is_log))
        tools.axis_chosen.connect(lambda is_log: self._look(self._is_robust, is_log))
        tools.curves_freed.connect(lambda: self._want(replace(self._wanted, choice=CurveChoice())))
        tools.whole_wanted.connect(lambda: plot.show_sight(plot.sight.all()))

    def tool_row(self) -> QWidget | None:
        return self.tools

    def sizeHint(self) -> QSize:
        return QSize(388, 300)

    def request(self, snapshot: Snapshot) -> Callable[[], Any] | None:
        wanted, before = replace(self._wanted, chosen=self._chosen_name()), self._state
        if self._asked is not None and self._asked[0] is snapshot and self._asked[1] == wanted:
            return None
        self._asked = (snapshot, wanted)
        ranks = self.context.ranks()
        return lambda: compute_gradients(snapshot, wanted, before, ranks)

    def show_result(self, result: GradientState) -> None:
        before, self._state = self._state, result
        if before is None or any(getattr(before, part) is not getattr(result, part) for part in ("map", "rows", "curves", "series", "lanes", "differing")):
            self._show_state(result, before)
        self._show_marks()
        if result.is_first:
            self._asked = None
            self.refresh()

    def _show_state(self, state: GradientState, before: GradientState | None) -> None:
        view, tools = state.map, self.tools
        if before is None or before.map is not view:
            self._signs = signs_of(view.codes.facts.kinds, state.lanes.kinds)
        tools.show_stages(view.stages, view.stage)
        tools.show_kind(state.request.kind)
        deepest = max((module.count(".") + 1 for module in view.table.modules if module), default=0)
        tools.show_depths(deepest, state.request.depth)
        choice = state.request.choice
        marks = {name: RowMark("octagon-x", "severity.error") for name in state.unoptimized}
        marks |= {name: RowMark("circle", "text.tertiary") for name in state.retained}
        marks |= {name: RowMark("arrow-left-right", "severity.warning") for name in state.differing}
        marks |= {name: RowMark("minus", "text.tertiary") for name in choice.muted} | {name: RowMark("pin", "text.primary") for name in choice.pinned}
        self.plot.show_look(
            GradientsLook(
                view,
                state.rows,
                state.curves,
                state.series,
                state.lanes,
                is_robust=self._is_robust,
                is_log=self._is_log,
                row_marks=marks,
                signs=self._signs,
            )
        )
        self.plot.setVisible(not view.is_empty)
        self.update()

    def summary(self) -> str:
        words = gradients_words(self._state.map, len(self._state.rows.rows)) if self._state is not None else ""
        return "\n".join(part for part in (self._told, words) if part)

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.SELECTION:
            self._told = ""
        if aspect in (Aspect.SELECTION, Aspect.CURSOR):
            self._show_marks()
            if aspect is Aspect.SELECTION and self._wanted.kind is not SeriesKind.NORMS:
                self.refresh()
        elif aspect is Aspect.LINKED:
            self._show_marks()

    def late_import(self) -> Callable[[], Any]:
        return load_axes

    def take_import(self, kind: type[GradientsAxes]) -> None:
        self.plot.take_axes(kind)

    def theme_changed(self) -> None:
        self.tools.apply_theme()
        self.plot.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.plot.isHidden():
            title, advice = why_empty(self.key, self.context.session.status, self.context.snapshot())
            with QPainter(self) as painter:
                paint_message(painter, self.rect().toRectF(), self.context.theme(), title, advice, "chart-line")

    def _want(self, request: GradientRequest) -> None:
        self._wanted = request
        self._remember()
        self.refresh()

    def _look(self, is_robust: bool, is_log: bool) -> None:
        self._is_robust = self.tools.is_robust = is_robust
        self._is_log = self.tools.is_log = is_log
        self._remember()
        if self._state is not None:
            self._show_state(self._state, self._state)

    def _remember(self) -> None:
        remember(self.context.kept, GradientChoices(self._wanted, self._is_robust, self._is_log))

    def _chosen_name(self) -> str:
        """The row that the series below are of."""
        if self._wanted.kind is SeriesKind.NORMS or self._state is None:
            return ""
        row = selected_row(self.context.workspace.selection, self._state)
        return self._state.request.chosen if row is None else self._state.rows.rows[row].name

    def _show_marks(self) -> None:
        state, look = self._state, self.plot.look
        if state is None or look is None or state.map.is_empty:
            return
        workspace, view = self.context.workspace, state.map
        linked = linked_rows(workspace.linked, state)
        selected = selected_row(workspace.selection, state)
        if selected is None and len(linked) == 1:
            (selected,) = linked
        current = column_of_time(state.iterations, workspace.cursor_ns)
        if current is not None and not view.first_iteration <= current <= view.last_iteration:
            current = None
        is_held = self.context.session.status.state is RunState.HELD and workspace.cursor_ns is None
        before = self.plot.marks
        curve = before.curve if before.selected == selected and look.rows is self._marked_rows else selected_curve(look, selected)
        self._marked_rows = look.rows
        band = before.band if curve is before.curve and self._marked_across is state.across else band_of(state, selected)
        self._marked_across = state.across
        self.plot.show_marks(GradientsMarks(selected, curve, current, is_held, linked - {selected}, band))

    _marked_rows: object = None
    _marked_across: object = None

    def _choose(self, row: int, iteration: int) -> None:
        assert self._state is not None
        state, view, workspace = self._state, self._state.map, self.context.workspace
        chosen = state.rows.rows[row]
        found = facts_of(view, chosen.members[0], iteration)
        backward = found[-1].backward if found else None
        if chosen.is_module:
            workspace.select(ModuleSelection(chosen.name, backward))
        else:
            workspace.select(ParameterSelection(chosen.name, iteration, backward))
        begins = [one for one in state.iterations if one.index == iteration]
        if begins and column_of_time(state.iterations, workspace.cursor_ns) != iteration:
            workspace.move_cursor(found[-1].time_ns if found else begins[0].end_ns)
        self._tell_reader(row, iteration)

    def _tell_reader(self, row: int, iteration: int) -> None:
        """What a screen reader says of the chosen cell."""
        assert self._state is not None
        chosen = self._state.rows.rows[row]
        words = ", ".join(f"{label} {value}" for label, value in row_facts(self._state, chosen, iteration))
        self._told = tr("{row}, iteration {iteration}: {facts}").format(row=chosen.name, iteration=iteration, facts=words)
        self.plot.setAccessibleDescription(self._told)
        QAccessible.updateAccessibility(QAccessibleEvent(self.plot, QAccessible.Event.DescriptionChanged))

    def _do(self, command: str, name: str | None = None) -> None:
        """A key's or a menu's command, on a row or curve (the chosen row)."""
        if self._state is None:
            return
        row = self.plot.marks.selected
        if command == "copy all":
            self._copy(sheet_text(self._state.map, self._state.rows.rows, self.plot.sight.columns_shown))
            return
        if name is None:
            if row is None:
                return
            name = self._state.rows.rows[row].name
        choice = self._wanted.choice
        match command:
            case "pin":
                self._want(replace(self._wanted, choice=choice.pin(name)))
            case "mute":
                self._want(replace(self._wanted, choice=choice.mute(name)))
            case "only" | "open":
                self._want(replace(self._wanted, choice=choice.alone(name), kind=SeriesKind.NORMS))
            case "fold" | "unfold":
                place = self._state.rows.row_named(name)
                if place is not None and self._state.rows.rows[place].is_module == (command == "unfold"):
                    self._refold(place)
            case "copy":
                place = self._state.rows.row_named(name)
                if place is not None:
                    self._copy(row_text(self._state.map, self._state.rows.rows[place], self.plot.sight.columns_shown))

    def _refold(self, row: int) -> None:
        assert self._state is not None
        folds = refolded(self._state.request.folds_of(self._state.table), self._state.table, self._state.rows.rows[row])
        self._want(replace(self._wanted, folds=folds))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _show_row_menu(self, name: str | None, at: QPoint) -> None:
        if self._state is None:
            return
        place = self._state.rows.row_named(name) if name is not None else None
        row = self._state.rows.rows[place] if place is not None else None
        menu = RowMenu(name, row, self._wanted.choice, lambda command: self._do(command, name), self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _explain(self, cell: tuple[int, int] | None, at: QPoint) -> None:
        if cell is None or self._state is None:
            self.plot.explain(None, at)
            return
        row, iteration = cell
        chosen = self._state.rows.rows[row]
        footer = tr("in no optimizer: it is never stepped") if chosen.name in self._state.unoptimized else ""
        footer = tr("no leaf: its gradient was kept by retain_grad()") if chosen.name in self._state.retained else footer
        differing = self._state.differing.get(chosen.name)
        footer = differs_words(differing) if differing is not None else footer
        note = tr("iteration {iteration}").format(iteration=f"{iteration:,}")
        self.plot.explain(Card(chosen.name, note, row_facts(self._state, chosen, iteration), footer), at)

    def _explain_curve(self, found: tuple[str, int] | None, at: QPoint) -> None:
        if found is None or self._state is None:
            self.plot.explain(None, at)
            return
        name, iteration = found
        title, facts = curve_facts(self._state, name, iteration)
        self.plot.explain(Card(title, tr("iteration {iteration}").format(iteration=f"{iteration:,}"), facts), at)

    def _choose_curve(self, name: str, iteration: int) -> None:
        """The row of a curve; of a module's that is no row, its parameter with the largest norm then."""
        if self._state is None:
            return
        state = self._state
        if state.request.kind is not SeriesKind.NORMS:
            name = state.series.name
        place = state.rows.row_named(name)
        if place is None:
            curve = next((one for one in state.curves if one.name == name), None)
            largest = largest_of(state.map, curve.parameters, iteration) if curve is not None else None
            place = state.rows.row_of_parameter(largest) if largest is not None else None
        if place is not None:
            self._choose(place, iteration)


def load_axes() -> type[GradientsAxes]:
    """Any thread; takes half a second."""
    from tensorscope.gui.panels.gradients_axes import GradientsAxes

    return GradientsAxes
