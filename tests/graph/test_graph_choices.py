"""Search with kinds, pins, paths, comparisons and the list beside the graph, in the panel under keys and mouse."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from tensorscope.analysis.results import BackwardSummary
from tensorscope.gui.panels.graph_context import context_menu
from tensorscope.viewmodel.graph import GraphDocument, GraphView
from tensorscope.viewmodel.graph_change import Tone, change_view, choose_other
from tensorscope.viewmodel.graph_find import ALL_KINDS, Kind, find
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_open import OpenState, expanded
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_tree import GroupKey
from tensorscope.viewmodel.graph_work import GraphWork, LayoutCancelled
from tensorscope.viewmodel.workspace import ModuleSelection, NodeSelection, SourceSelection
from tests.graph.desk import Desk
from tests.graph.real_graphs import GPT, chain, load
from tests.graph.scenes import METRICS


def gpt_view() -> GraphView:
    return GraphDocument().view(load(GPT), OpenState(), METRICS)


def view_of(desk: Desk) -> GraphView:
    assert desk.panel.view is not None
    return desk.panel.view


def test_hits_are_told_apart_by_what_was_found() -> None:
    view = gpt_view()
    counts = {query: find(view, query).counts for query in ("h.1", "gelu", "c_fc.weight", "[2, 16, 64]", "model.py:12")}
    assert counts["h.1"][Kind.MODULE] == 3  # the block, its attention, its multilayer perceptron; what is in them only where more words ask for it
    assert counts["h.1"][Kind.NODE] == 0
    assert counts["gelu"][Kind.NODE] == 2
    assert counts["c_fc.weight"][Kind.PARAMETER] == 2
    assert counts["[2, 16, 64]"][Kind.TENSOR] > 10
    assert counts["model.py:12"][Kind.LINE] > 0


def test_accumulators_are_found_by_the_beginning_of_their_name_and_by_their_parameter() -> None:
    view = gpt_view()
    assert {view.graph.nodes[hit.place].name for hit in find(view, "mul").found if hit.kind is Kind.NODE} <= {"MulBackward0"}
    assert find(view, "accum").counts[Kind.NODE] > 3
    assert find(view, "c_fc.weight").counts[Kind.PARAMETER] == 2


def test_a_kind_left_out_is_still_counted() -> None:
    view = gpt_view()
    every, some = find(view, "weight"), find(view, "weight", ALL_KINDS - {Kind.PARAMETER})
    assert every.counts == some.counts
    assert len(every.found) - len(some.found) == every.counts[Kind.PARAMETER] > 0


def test_enter_goes_on_shift_enter_back_and_f3_from_anywhere(desk: Desk) -> None:
    field = desk.panel.tools.search
    field.setText("gelu")
    field.searched.emit("gelu")
    QTest.keyClick(field, Qt.Key.Key_Return)
    first = desk.workspace.selection
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.workspace.selection != first
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert desk.workspace.selection == first
    side = desk.panel.side.view
    assert side is not None
    assert side.current == 0
    assert [row.text for row in side.rows] == ["Gelu"] * 4
    desk.panel.go_to_hit(-1)
    assert isinstance(desk.workspace.selection, NodeSelection)


def test_a_module_among_the_hits_is_gone_to_and_selected(desk: Desk) -> None:
    field = desk.panel.tools.search
    field.setText("h.2 mlp")
    field.searched.emit("h.2 mlp")
    field.returnPressed.emit()
    desk.settle()
    assert desk.workspace.selection == ModuleSelection("h.2.mlp", 7)
    key = BoxKey(-1, GroupKey("h.2.mlp", 0))
    assert key in view_of(desk).scene.index
    assert desk.panel.canvas.camera.viewport.scene_rect.contains(desk.box(key).x, desk.box(key).y)


def test_a_switch_of_the_list_leaves_a_kind_out_and_closing_it_ends_the_search(desk: Desk) -> None:
    desk.panel.tools.search.setText("weight")
    desk.panel.search("weight")
    side = desk.panel.side
    assert side.view is not None
    before = len(side.view.rows)
    side.kind_toggled.emit(Kind.PARAMETER)
    assert side.view is not None
    assert len(side.view.rows) < before
    assert {kind: is_on for kind, _, is_on in side.view.kinds}[Kind.PARAMETER] is False
    side.closed.emit()
    assert side.view is None
    assert desk.panel.tools.search.text() == ""


def test_closed_groups_say_how_many_hits_they_hold(desk: Desk) -> None:
    desk.panel.search("gelu")
    assert sum(desk.panel.canvas.look.inside.values()) == 4
    desk.panel.choices.expand_all()
    assert not desk.panel.canvas.look.inside


def test_a_pinned_module_stays_open_when_everything_closes_and_when_it_is_rolled_up(desk: Desk) -> None:
    key = BoxKey(-1, GroupKey("h.2", 0))
    desk.panel.choices.pin(key)
    assert desk.box(key).kind is BoxKind.OPEN
    desk.panel.choices.collapse_all()
    assert desk.box(key).kind is BoxKind.OPEN
    assert all(group.key.module != "h.2" for box in view_of(desk).scene.boxes if box.kind is BoxKind.RUN for group in box.groups)
    desk.panel.choices.pin(key)
    assert desk.box(key).kind is BoxKind.OPEN
    desk.panel.choices.collapse_all()
    assert key not in view_of(desk).scene.index or desk.box(key).kind is not BoxKind.OPEN


def test_shift_click_shows_the_path_from_what_is_selected(desk: Desk) -> None:
    view = view_of(desk)
    nodes = {view.graph.nodes[box.key.node].name: box.key for box in view.scene.boxes if box.kind is BoxKind.NODE}
    start, end = nodes["NllLossBackward0"], nodes["LogSoftmaxBackward0"]
    desk.panel.navigator.choose(start)
    desk.panel.canvas.go_to(end)
    desk.settle()
    QTest.mouseClick(desk.panel.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, desk.at(end))
    shown = view_of(desk).path
    assert shown is not None
    assert shown.words == "NllLossBackward0 to LogSoftmaxBackward0: the only way, 1 edge"
    assert desk.panel.side.view is not None
    assert [row.target for row in desk.panel.side.view.rows] == [start, end]
    desk.panel.cancel()
    assert view_of(desk).path is None
    assert desk.panel.side.view is None


def test_the_menu_begins_a_path_and_the_next_click_ends_it(desk: Desk) -> None:
    view = view_of(desk)
    nodes = {view.graph.nodes[box.key.node].name: box.key for box in view.scene.boxes if box.kind is BoxKind.NODE}
    desk.panel.choices.begin_path(nodes["NllLossBackward0"])
    assert desk.panel.canvas.words.startswith("Click where the path leads to")
    desk.panel.canvas.chosen.emit(nodes["LogSoftmaxBackward0"])
    assert view_of(desk).path is not None
    assert desk.panel.canvas.words == ""


def test_the_menu_offers_what_fits_the_thing_under_the_pointer(desk: Desk) -> None:
    view = view_of(desk)
    run = next(box for box in view.scene.boxes if box.kind is BoxKind.RUN)
    group = run._replace(kind=BoxKind.GROUP, groups=run.groups[:1])
    node = next(box for box in view.scene.boxes if box.kind is BoxKind.NODE)
    words = []
    for box in (group, node, None):
        menu = context_menu(desk.panel.choices, desk.panel.canvas, desk.panel.navigator.show_path, view, box, None, desk.panel)
        words.append({action.text().partition("\t")[0] for action in menu.actions() if action.isEnabled()})
        menu.deleteLater()
    assert {"Open", "Pin: keep it open", "Path to…"} <= words[0]
    assert "Open" not in words[1]
    assert "Path from the selection to here" not in words[1]
    assert words[2] - {""} == {"Open everything", "Close everything", "Fit into the panel"}


def test_a_line_says_how_many_nodes_it_made_and_how_many_are_drawn(desk: Desk) -> None:
    view = view_of(desk)
    source = next(node.source for node in view.graph.nodes if node.name == "GeluBackward0" and node.source is not None)
    made = sum(node.source is not None and (node.source.file, node.source.line) == (source.file, source.line) for node in view.graph.nodes)
    desk.workspace.select(SourceSelection(source.file, source.line))
    assert f"made {made} nodes" in desk.panel.canvas.words
    drawn = made - sum(desk.panel.canvas.look.inside.values())
    assert f", {drawn} of them drawn" in desk.panel.canvas.words


def test_comparing_says_what_changed_and_colours_by_it(desk: Desk) -> None:
    desk.panel.choices.compare_with(6)
    view = view_of(desk)
    assert view.change is not None
    assert view.heat is not None
    assert view.heat.measure is Measure.CHANGE
    assert view.change.words.startswith("Against backward 6 of iteration ")
    assert "equal graphs" in view.change.words
    assert desk.panel.side.view is not None
    assert desk.panel.side.view.title == "What changed"
    desk.panel.close_list()
    assert desk.panel.side.view is None
    assert view_of(desk).heat is not None


def test_what_is_new_gone_or_of_another_shape_is_told_and_times_are_ratios() -> None:
    before = chain("A", "B", "C")
    now = chain("A", "X", "B")
    nodes = list(now.nodes)
    nodes[0] = replace(nodes[0], backward_ns=300, output_shape=(9,))
    old = list(before.nodes)
    old[0] = replace(old[0], backward_ns=100)
    view = change_view(replace(now, nodes=tuple(nodes), backward=5), replace(before, nodes=tuple(old), backward=2))
    assert view.tones[0] is Tone.RESHAPED
    assert view.tones[1] is Tone.NEW
    assert view.gone == ("C",)
    assert view.ratios == {0: 3.0}
    assert (
        view.words
        == "Against backward 2 of iteration 0: 1 node new, 1 node gone, 1 node of another shape, 1 node with other edges, 3.00× the time, saved bytes equal"
    )


def test_without_a_choice_the_nearest_earlier_backward_of_equal_shape_is_compared_with() -> None:
    known = [BackwardSummary(number, number, 0, 1, 10, graph, False) for number, graph in enumerate((1, 2, 1, 2, 3))]
    assert choose_other(known, 3, None) == 1
    assert choose_other(known, 2, None) == 0
    assert choose_other(known, 4, None) == 3
    assert choose_other(known, 0, None) == 1
    assert choose_other(known, 3, 0) == 0
    assert choose_other(known[:1], 0, None) is None


def test_a_cancelled_layout_stops_at_its_next_check() -> None:
    document, graph = GraphDocument(), load(GPT)
    tree = document.tree(graph, {})
    work = GraphWork(len(tree.folded.drawn))
    document.view(graph, expanded(tree.groups.values(), None), METRICS, check=work.check)
    assert 0.5 < work.share <= 1.0
    stopped = GraphWork(10)
    stopped.cancel()
    with pytest.raises(LayoutCancelled):
        GraphDocument().view(graph, OpenState(), METRICS, check=stopped.check)


def test_escape_cancels_and_the_old_picture_stays(desk: Desk) -> None:
    before = view_of(desk)
    snapshot = desk.panel.context.snapshot()
    state = desk.panel.choices.state
    desk.panel.choices.state = expanded(before.tree.groups.values(), None)
    compute = desk.panel.request(snapshot)
    assert compute is not None
    desk.panel.canvas.wait(0.4)
    QTest.keyClick(desk.panel.canvas, Qt.Key.Key_Escape)
    desk.panel.show_result(compute())
    assert view_of(desk) is before
    assert desk.panel.canvas.waiting is None
    assert desk.panel.choices.state == state


def test_z_zooms_to_what_is_selected(desk: Desk) -> None:
    box = next(box for box in view_of(desk).scene.boxes if box.kind is BoxKind.NODE and not box.badges)
    desk.panel.navigator.choose(box.key)
    QTest.keyClick(desk.panel.canvas, Qt.Key.Key_Z)
    desk.settle()
    middle = desk.panel.canvas.camera.viewport.scene_rect.center()
    assert (middle - QPointF(box.x + box.width / 2, box.y + box.height / 2)).manhattanLength() < 1
