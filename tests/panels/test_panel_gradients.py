"""The gradients panel: cells select, stages switch, the cursor's iteration is marked."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from tensorscope.gui.panels.gradients import GradientsPanel
from tensorscope.session.session import RunState
from tensorscope.viewmodel.gradients import norms_at
from tensorscope.viewmodel.workspace import NodeSelection, ParameterSelection
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import Stage, hover, settle, staged
from tests.support.trace_builder import TraceBuilder


@pytest.fixture
def stage(qapp: object) -> Iterator[Stage]:
    with staged(GradientsPanel, demo_snapshot("cuda", is_held=False), (500, 400)) as made:
        yield made


def cell(stage: Stage, parameter: int, iteration: int) -> QPoint:
    geometry = stage.panel.plot.geometry_of_map()
    return QPointF(geometry.x_of(iteration + 0.5), geometry.y_of(parameter + 0.5)).toPoint()


def test_a_click_selects_parameter_iteration_and_backward(stage: Stage) -> None:
    name = stage.panel.plot.look.rows.names[5]
    QTest.mouseClick(stage.panel.plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cell(stage, 5, 3))
    assert stage.workspace.selection == ParameterSelection(name, 3, 3)
    iteration = stage.panel._state.iterations[3]
    assert iteration.begin_ns <= stage.workspace.cursor_ns <= iteration.end_ns


def test_arrows_move_the_selected_cell(stage: Stage) -> None:
    names = stage.panel.plot.look.rows.names
    QTest.mouseClick(stage.panel.plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cell(stage, 5, 3))
    QTest.keyClick(stage.panel.plot, Qt.Key.Key_Down)
    QTest.keyClick(stage.panel.plot, Qt.Key.Key_Right)
    assert stage.workspace.selection == ParameterSelection(names[6], 4, 4)


def test_only_stages_on_record_can_be_chosen(stage: Stage) -> None:
    stages = stage.panel.tools.stages
    raw = norms_at(stage.panel.plot.look.view, 2)[0][3]
    QTest.keyClick(stages, Qt.Key.Key_Right)
    assert stages.current == 2  # clipped: there is no unscaled
    assert norms_at(stage.panel.plot.look.view, 2)[0][3] == pytest.approx(0.8 * raw)


def test_hovering_names_parameter_iteration_and_norm(stage: Stage) -> None:
    hover(stage.panel.plot, QPointF(cell(stage, 5, 3)))
    card = stage.panel.plot.card
    assert (card.title, card.note) == (stage.panel.plot.look.rows.names[5], "iteration 3")
    assert "norm, raw" in dict(card.facts)
    stage.panel.plot.explain(None, QPoint())


def test_the_cursors_iteration_is_marked(stage: Stage) -> None:
    stage.workspace.move_cursor(stage.panel._state.iterations[2].begin_ns + 5)
    assert stage.panel.plot.marks.current == 2
    stage.workspace.move_cursor(None)
    assert stage.panel.plot.marks.current == 7


def test_while_held_the_unfinished_iteration_is_amber(qapp: object) -> None:
    with staged(GradientsPanel, demo_snapshot("cuda", is_held=True), state=RunState.HELD) as stage:
        assert stage.panel.plot.marks.is_held_there
        assert stage.panel.plot.marks.current == 7


def test_a_selection_made_elsewhere_marks_its_row(stage: Stage) -> None:
    name = stage.panel.plot.look.rows.names[9]
    stage.workspace.select(ParameterSelection(name))
    assert stage.panel.plot.marks.selected == 9
    settle()


def test_the_node_that_accumulates_a_gradient_marks_its_row(stage: Stage) -> None:
    graph = stage.snapshot.graphs[stage.snapshot.backwards[3].graph]
    node = next(node for node, parameter in enumerate(graph.parameters) if parameter)
    stage.workspace.select(NodeSelection(2, node))
    name = stage.snapshot.parameters[int(graph.parameters[node])]["fqn"]
    assert stage.panel.plot.look.rows.names[stage.panel.plot.marks.selected] == name
    stage.workspace.select(NodeSelection(2, int((graph.parameters == 0).argmax())))
    assert stage.panel.plot.marks.selected is None


def test_without_gradients_it_says_what_to_do(qapp: object) -> None:
    with staged(GradientsPanel, TraceBuilder().snapshot()) as stage:
        assert stage.panel.plot.isHidden()
        stage.picture()
