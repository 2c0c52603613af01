"""The events tree unfolds as the forward was nested, shows where the script stands, and is filtered by words and limits."""

from tensorscope.analysis.events import EventKind
from tensorscope.viewmodel.event_rows import EventRow, EventRows, row_at
from tensorscope.viewmodel.links import selection_of_hold
from tensorscope.viewmodel.workspace import NodeSelection, OperatorSelection
from tests.support.demo_trace import demo_snapshot


def held_rows() -> EventRows:
    return EventRows(demo_snapshot(), demo_snapshot().holds[0])


def labels(rows: tuple[EventRow, ...], depth: int) -> list[str]:
    return [row.label for row in rows if row.depth == depth]


def test_closed_there_is_one_row_an_iteration() -> None:
    rows = held_rows().unfold(frozenset())
    assert labels(rows, 0) == ["Before the first iteration", *(f"Iteration {number}" for number in range(8))]
    assert not any(row.is_open for row in rows)


def test_backward_nodes_are_grouped_by_the_modules_of_their_forward() -> None:
    rows = held_rows()
    shown = rows.unfold(rows.keys_to_newest())
    backward = next(place for place, row in enumerate(shown) if row.label == "backward")
    assert [row.label for row in shown[backward + 1 :]] == ["NllLossBackward0", "LogSoftmaxBackward0", "lm_head", "ln_f", "h.3", "h.2"]


def test_a_groups_time_is_the_sum_of_its_nodes() -> None:
    rows = held_rows()
    newest = rows.keys_to_newest()
    group = next(row for row in rows.unfold(newest) if row.label == "ln_f")
    inside = [row for row in rows.unfold(newest | {group.key}) if row.depth == group.depth + 1 and row.begin_ns >= group.begin_ns]
    assert group.duration_ns == sum(row.duration_ns for row in inside[:3]) == 81_000 + 2_000 + 2_000


def test_the_held_node_is_found_before_it_has_run() -> None:
    rows = held_rows()
    selection = selection_of_hold(demo_snapshot().holds[0])
    shown = rows.unfold(rows.keys_to(selection))
    (held,) = [row for row in shown if row.state == "held"]
    assert held.selection == selection
    assert held.label == "GeluBackward0"
    above = [row for row in shown[: shown.index(held)] if row.is_open]
    assert [row.label for row in above] == ["Iteration 7", "backward", "h.2", "mlp"]


def test_an_operator_inside_a_node_is_unfolded_without_the_nodes_double() -> None:
    rows = held_rows()
    node = NodeSelection(7, 2)
    shown = rows.unfold(rows.keys_to(node))
    row = next(row for row in shown if row.selection == node)
    inside = rows.unfold(rows.keys_to(node) | {row.key})
    below = inside[inside.index(next(one for one in inside if one.key == row.key)) + 1]
    assert (below.label, below.kind) == ("aten::mm_backward", EventKind.OPERATOR)
    assert isinstance(below.selection, OperatorSelection)


def test_gradient_accumulation_is_shown_by_its_parameter() -> None:
    rows = held_rows()
    shown = rows.unfold(rows.keys_to(selection_of_hold(demo_snapshot().holds[0])))
    assert [row.detail for row in shown if row.label == "AccumulateGrad"] == ["c_proj.bias", "c_proj.weight"]


def test_a_filter_shows_matches_under_those_that_hold_them() -> None:
    shown = held_rows().unfold(frozenset(), "gelu_backward")
    assert shown[0].label == "Iteration 7"
    matches = [row for row in shown if not row.has_children]
    assert matches
    assert {row.label for row in matches} == {"aten::gelu_backward"}


def test_a_moment_lies_in_the_innermost_open_row() -> None:
    rows = held_rows()
    closed = rows.unfold(frozenset())
    assert closed[row_at(closed, 1_600_000_000)].label == "Iteration 5"
    opened = rows.unfold(rows.keys_to_newest())
    newest = demo_snapshot().backwards[8].begin_ns
    assert opened[row_at(opened, newest + 10)].label == "NllLossBackward0"
    assert row_at(opened, None) == -1
    assert row_at(opened, 10**15) == -1
