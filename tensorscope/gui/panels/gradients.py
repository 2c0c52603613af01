"""The gradients panel: norm by parameter and iteration, raw, unscaled or clipped, with curves below."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.gradients_plot import GradientsPlot
from tensorscope.gui.panels.segmented import Segmented
from tensorscope.gui.panels.tool_widgets import Words
from tensorscope.render.gradients import GradientsMarks
from tensorscope.render.hover_card import Card
from tensorscope.render.message import paint_message
from tensorscope.session.session import RunState
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.gradient_state import GradientState, cell_facts, compute_gradients, curve_facts, largest_of, selected_parameter
from tensorscope.viewmodel.gradients import STAGES, column_of_time, facts_of
from tensorscope.viewmodel.run_growth import backward_advice
from tensorscope.viewmodel.workspace import Aspect, ParameterSelection

if TYPE_CHECKING:
    from tensorscope.gui.panels.gradients_axes import GradientsAxes


class GradientsPanel(Panel):
    title = "Gradients"
    key = "gradients"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._state: GradientState | None = None
        self._stage = 1
        self._asked: tuple[Snapshot, int] | None = None
        self.plot = GradientsPlot(context.theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self._tools = QWidget()
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(12, 0, 12, 0)
        words = Words(context.theme, self._tools)
        words.set_text("Norm, parameter × iteration")
        self._stages = Segmented(tuple(STAGES.values()), context.theme, self._tools)
        row.addWidget(words, 1)
        row.addWidget(self._stages)
        self.setFocusProxy(self.plot)
        self.plot.hide()
        self.plot.cell_chosen.connect(self._choose)
        self.plot.hovered.connect(self._explain)
        self.plot.curve_hovered.connect(self._explain_curve)
        self.plot.curve_chosen.connect(self._choose_curve)
        self._stages.chosen.connect(self._choose_stage)

    def tool_row(self) -> QWidget | None:
        return self._tools

    def sizeHint(self) -> QSize:
        return QSize(388, 300)

    def request(self, snapshot: Snapshot) -> Callable[[], Any] | None:
        stage, before = self._stage, self._state
        if self._asked is not None and self._asked[0] is snapshot and self._asked[1] == stage:
            return None
        self._asked = (snapshot, stage)
        return lambda: compute_gradients(snapshot, stage, before)

    def show_result(self, result: GradientState) -> None:
        is_other = self._state is None or result.map is not self._state.map
        self._state = result
        if not is_other:
            self._show_marks()
            return
        self._stages.set_enabled_words(frozenset(stage - 1 for stage in result.map.stages))
        self._stages.set_current(result.map.stage - 1)
        self.plot.show_map(result.map, result.curves)
        self.plot.setVisible(not result.map.is_empty)
        self._show_marks()
        self.update()

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect in (Aspect.SELECTION, Aspect.CURSOR):
            self._show_marks()

    def late_import(self) -> Callable[[], Any]:
        return load_axes

    def take_import(self, kind: type[GradientsAxes]) -> None:
        self.plot.take_axes(kind)

    def theme_changed(self) -> None:
        self.plot.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.plot.isHidden():
            advice = backward_advice(self.context.session.status)
            with QPainter(self) as painter:
                paint_message(painter, self.rect().toRectF(), self.context.theme(), "No gradient on record yet.", advice)

    def _show_marks(self) -> None:
        if self._state is None or self._state.map.is_empty:
            return
        workspace, view = self.context.workspace, self._state.map
        selected = selected_parameter(workspace.selection, self._state)
        current = column_of_time(self._state.iterations, workspace.cursor_ns)
        if current is not None and not view.first_iteration <= current <= view.last_iteration:
            current = None
        is_held = self.context.session.status.state is RunState.HELD and workspace.cursor_ns is None
        self.plot.show_marks(GradientsMarks(selected, current, is_held))

    def _choose(self, parameter: int, iteration: int) -> None:
        assert self._state is not None
        view, workspace = self._state.map, self.context.workspace
        found = facts_of(view, parameter, iteration)
        workspace.select(ParameterSelection(view.parameters[parameter], iteration, found[-1].backward if found else None))
        begins = [one for one in self._state.iterations if one.index == iteration]
        if begins and column_of_time(self._state.iterations, workspace.cursor_ns) != iteration:
            row = int(view.rows[parameter, iteration - view.first_iteration])
            workspace.move_cursor(int(view.table.time_ns[row]) if row >= 0 else begins[0].end_ns)

    def _choose_stage(self, index: int) -> None:
        self._stage = index + 1
        self.refresh()

    def _explain(self, cell: tuple[int, int] | None, at: QPoint) -> None:
        if cell is None or self._state is None:
            self.plot.explain(None, at)
            return
        parameter, iteration = cell
        view = self._state.map
        self.plot.explain(Card(view.parameters[parameter], f"iteration {iteration}", cell_facts(view, parameter, iteration)), at)

    def _explain_curve(self, found: tuple[str, int] | None, at: QPoint) -> None:
        if found is None or self._state is None:
            self.plot.explain(None, at)
            return
        name, iteration = found
        view = self._state.map
        if name in view.parameters:
            self._explain((view.parameters.index(name), iteration), at)
        else:
            self.plot.explain(Card(name or "the model", f"iteration {iteration}", curve_facts(view, self._state.curves, name, iteration)), at)

    def _choose_curve(self, name: str, iteration: int) -> None:
        """The parameter of a curve; of a module's, the one with the largest norm then."""
        if self._state is None:
            return
        parameter = largest_of(self._state.map, name, iteration)
        if parameter is not None:
            self._choose(parameter, iteration)


def load_axes() -> type[GradientsAxes]:
    """Any thread; takes half a second."""
    from tensorscope.gui.panels.gradients_axes import GradientsAxes

    return GradientsAxes
