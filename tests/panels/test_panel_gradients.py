"""The gradients panel: cells select, stages switch, the cursor's iteration is marked."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tensorscope.gui.panels.gradients import GradientsPanel
from tensorscope.gui.panels.gradients_menu import RowMenu
from tensorscope.session.session import RunState
from tensorscope.viewmodel.gradient_curves import CurveChoice
from tensorscope.viewmodel.gradient_series import SeriesKind
from tensorscope.viewmodel.gradient_state import GradientState
from tensorscope.viewmodel.gradients import norms_at
from tensorscope.viewmodel.workspace import ModuleSelection, NodeSelection, ParameterSelection
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


def test_a_large_map_is_shown_before_its_curves(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorscope.viewmodel.gradient_state.LARGE", 1)
    seen: list[tuple[bool, int]] = []
    show = GradientsPanel.show_result

    def watched(panel: GradientsPanel, result: GradientState) -> None:
        seen.append((result.is_first, len(result.curves)))
        show(panel, result)

    monkeypatch.setattr(GradientsPanel, "show_result", watched)
    with staged(GradientsPanel, demo_snapshot("cuda", is_held=False), (500, 400)) as stage:
        first, *_, last = seen
        assert first == (True, 0)
        assert not last[0]
        assert last[1] > 0
        assert len(stage.panel.plot.look.curves) == last[1]


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


def press(stage: Stage, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(stage.panel.plot, key)


def test_home_and_end_go_to_the_first_and_last_iteration_though_the_window_has_end_too(stage: Stage) -> None:
    press(stage, Qt.Key.Key_Down, Qt.Key.Key_Home)
    assert stage.workspace.selection == ParameterSelection(stage.panel.plot.look.rows.names[0], 0, 0)
    press(stage, Qt.Key.Key_End)
    assert stage.workspace.selection.iteration == 7
    override = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier)
    assert stage.panel.plot.event(override)
    assert override.isAccepted()


def test_letters_pin_mute_and_leave_alone_the_chosen_rows_curve(stage: Stage) -> None:
    press(stage, Qt.Key.Key_Down)
    look, name = stage.panel.plot.look, stage.panel.plot.look.rows.names[0]
    press(stage, Qt.Key.Key_P)
    assert [curve.name for curve in stage.panel.plot.look.curves if curve.is_pinned] == [name]
    assert stage.panel.plot.look.row_marks[name].icon == "pin"
    press(stage, Qt.Key.Key_M)
    assert name not in [curve.name for curve in stage.panel.plot.look.curves]
    press(stage, Qt.Key.Key_Return)
    assert [curve.name for curve in stage.panel.plot.look.curves] == [name]
    press(stage, Qt.Key.Key_Return)
    assert len(stage.panel.plot.look.curves) == len(look.curves)


def test_minus_folds_the_chosen_rows_module_and_plus_opens_it(stage: Stage) -> None:
    view = stage.panel.plot.look.view
    parameter = view.parameters.index("h.0.attn.qkv.weight") if "h.0.attn.qkv.weight" in view.parameters else 3
    module = view.table.modules[parameter]
    stage.workspace.select(ParameterSelection(view.parameters[parameter]))
    press(stage, Qt.Key.Key_Minus)
    row = stage.panel.plot.look.rows.row_named(module)
    assert stage.panel.plot.marks.selected == row  # its parameter is still what is selected
    press(stage, Qt.Key.Key_Left)
    assert stage.workspace.selection == ModuleSelection(module, 6)
    press(stage, Qt.Key.Key_Plus)
    assert len(stage.panel.plot.look.rows.rows) == len(view.parameters)


def test_the_wheel_zooms_iterations_with_ctrl_rows_and_f_shows_all(stage: Stage) -> None:
    plot = stage.panel.plot
    at = QPointF(cell(stage, 5, 3))
    turn(plot, at)
    assert plot.sight.iterations is not None
    assert plot.sight.rows is None
    assert plot.cell_at(at) == (5, 3)  # what was under the pointer still is
    turn(plot, at, Qt.KeyboardModifier.ControlModifier)
    assert plot.sight.rows is not None
    assert plot.cell_at(at) == (5, 3)
    press(stage, Qt.Key.Key_F)
    assert plot.sight.is_whole


def turn(plot: QWidget, at: QPointF, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    turned = QWheelEvent(at, QPointF(plot.mapToGlobal(at)), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(plot, turned)


def test_a_drag_moves_a_zoomed_map_and_chooses_nothing(stage: Stage) -> None:
    plot = stage.panel.plot
    plot.show_sight(plot.sight.zoomed_iterations(0, 0.5))
    begin = cell(stage, 5, 3)
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, begin)
    plot.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, QPointF(begin - QPoint(60, 0)), QPointF(), Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton,
                                    Qt.KeyboardModifier.NoModifier))  # fmt: skip
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, begin - QPoint(60, 0))
    assert plot.sight.iterations[0] > 0
    assert stage.workspace.selection is None


def test_ctrl_c_copies_the_chosen_rows_numbers(stage: Stage) -> None:
    press(stage, Qt.Key.Key_Down)
    QTest.keyClick(stage.panel.plot, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0].startswith("iteration\tbackward\tparameter\tstage\tnorm")
    assert len(lines) == 1 + 2 * 8  # raw and clipped in eight iterations


def test_a_screen_reader_hears_the_chosen_cell(stage: Stage) -> None:
    press(stage, Qt.Key.Key_Down)
    words = stage.panel.plot.accessibleDescription()
    assert words.startswith(f"{stage.panel.plot.look.rows.names[0]}, iteration 7: norm, raw ")
    assert stage.panel.plot.accessibleName() == "Gradient norms by parameter and iteration"
    assert stage.panel.summary().startswith(words)
    stage.workspace.select(None)
    assert stage.panel.summary().startswith("Gradients, raw: ")


def test_the_panel_says_its_stage_its_rows_and_its_iterations(stage: Stage) -> None:
    rows = stage.panel.plot.look.rows
    assert stage.panel.summary() == f"Gradients, raw: {len(rows.rows)} rows, iterations 0–7."
    stage.panel.tools.stage_chosen.emit(3)
    assert stage.panel.summary().startswith("Gradients, clipped: ")


def test_the_curves_below_can_be_stages_weights_or_histograms_of_the_chosen_row(stage: Stage) -> None:
    press(stage, Qt.Key.Key_Down)
    for kind in SeriesKind:
        stage.panel.tools.kind_chosen.emit(kind)
        assert stage.panel.plot.look.series.kind is kind
        assert not stage.picture().isNull()
    stage.panel.tools.kind_chosen.emit(SeriesKind.STAGES)
    press(stage, Qt.Key.Key_Down)
    assert stage.panel.plot.look.series.name == stage.panel.plot.look.rows.names[1]
    assert [curve.name for curve in stage.panel.plot.look.series.curves] == ["raw", "clipped"]


def test_the_menu_offers_what_the_keys_do(stage: Stage) -> None:
    row = stage.panel.plot.look.rows.rows[2]
    done: list[str] = []
    menu = RowMenu(row.name, row, CurveChoice(pinned=(row.name,)), done.append, stage.panel)
    words = [action.text() for action in menu.actions() if action.text()]
    assert words[:3] == ["Pin the curve  (P)", "Show only this curve  (O)", "Leave the curve out  (M)"]
    assert menu.actions()[0].isChecked()
    menu.actions()[0].trigger()
    assert done == ["pin"]
    menu.deleteLater()
