"""The source shows the right line for everything that can be chosen, what each line costs, and whether the file is another one now."""

from dataclasses import replace
from pathlib import Path

import pytest

from tensorscope.viewmodel.code import Span, read_code, spans_of
from tensorscope.viewmodel.line_costs import line_costs
from tensorscope.viewmodel.line_heat import Heat, amount_of, heat_named, hot_lines
from tensorscope.viewmodel.links import place_of, resting_moment, selection_of_hold
from tensorscope.viewmodel.source_view import source_view
from tensorscope.viewmodel.workspace import BlockSelection, ModuleSelection, NodeSelection, OperatorSelection, SourceSelection
from tests.support.demo_run import SCRIPT, line_of
from tests.support.demo_trace import demo_snapshot
from tests.support.trace_builder import TraceBuilder

PLACE = "/user/model.py"


def test_a_nodes_line_is_its_forwards_and_its_calls_lead_there() -> None:
    snapshot = demo_snapshot()
    view = source_view(snapshot, selection_of_hold(snapshot.holds[0]), selection_of_hold(snapshot.holds[0]), None, "")
    assert view is not None
    assert view.file == str(SCRIPT)
    assert view.selected_line == view.held_line == line_of("x = self.gelu(x)")
    assert [call.function for call in view.calls] == ["main", "GPT.forward", "Block.forward", "MLP.forward"]
    assert not view.is_changed


def test_without_a_selection_the_dearest_line_is_in_view() -> None:
    view = source_view(demo_snapshot(), None, None, None, "")
    assert view is not None
    assert (view.selected_line, view.held_line) == (0, 0)
    assert view.focus_line == line_of("return self.lm_head(self.ln_f(x))")


def test_a_line_costs_its_operators_forward_and_backward() -> None:
    costs = line_costs(demo_snapshot(is_held=False), None)
    assert costs.iteration == 7
    gelu = costs.by_place[str(SCRIPT), line_of("x = self.gelu(x)")]
    # four blocks: 210 µs forward, and 2 · 210 + 1 µs in backward, each
    assert gelu.time_ns == 4 * (210_000 + 421_000)


def test_live_bytes_of_a_line_are_those_at_the_cursor() -> None:
    snapshot = demo_snapshot(is_held=False)
    place = (str(SCRIPT), line_of("x = self.gelu(x)"))
    at_end = line_costs(snapshot, None).by_place[place].live_bytes
    in_forward = line_costs(snapshot, snapshot.backwards[8].begin_ns).by_place[place]
    assert at_end == 0
    assert in_forward.live_bytes == 4 * 8 * 256 * 1024 * 4  # four blocks' outputs, saved for c_proj
    assert in_forward.category == "activation"


def test_a_newer_file_is_said_to_have_changed(tmp_path: Path) -> None:
    snapshot = demo_snapshot()
    old = replace(snapshot, facts={**snapshot.facts, "wall_begin_ns": 1_000_000_000})
    view = source_view(old, None, None, None, "")
    assert view is not None
    assert view.is_changed


def test_a_file_that_is_gone_says_so() -> None:
    view = source_view(demo_snapshot(), SourceSelection("/nowhere/model.py", 3), None, None, "")
    assert view is not None
    assert view.code.problem == "model.py is not here."


def test_every_kind_of_selection_has_its_place() -> None:
    snapshot = (
        TraceBuilder()
        .operator("aten::mm", begin=10, end=20, stack=[(PLACE, 12, "forward")])
        .alloc(address=0x1000, size=24, time=12, op=1)
        .message({"type": "module", "id": 1, "fqn": "net", "class": "Net", "parent": 0, "root": 1, "source": f"{PLACE}:9"})
        .snapshot()
    )
    operator = place_of(snapshot, OperatorSelection(1))
    assert operator is not None
    assert (operator.source.file, operator.source.line) == (PLACE, 12)
    module = place_of(snapshot, ModuleSelection("net"))
    assert module is not None
    assert module.source.line == 9
    assert place_of(snapshot, NodeSelection(5, 5)) is None
    assert place_of(snapshot, BlockSelection(0x2000, 12, "cpu")) is None
    assert place_of(snapshot, None) is None


def test_a_run_that_is_over_rests_at_its_exception_or_last_step_or_backward() -> None:
    snapshot = demo_snapshot(is_held=False)
    assert resting_moment(snapshot) == snapshot.iterations[-1]["time_ns"]
    assert resting_moment(replace(snapshot, exceptions=({"type": "exception", "time_ns": 5},))) == 5
    assert resting_moment(replace(snapshot, exit={"type": "exit", "code": 137, "signal": 9})) == snapshot.end_ns
    begin, end = snapshot.backwards[8].begin_ns, snapshot.iterations[-1]["time_ns"]
    without = resting_moment(replace(snapshot, iterations=()))
    assert without is not None
    assert begin < without < end
    assert resting_moment(TraceBuilder().snapshot()) is None


def test_pythons_own_tokens_are_coloured() -> None:
    (spans,) = spans_of(("    return self.fc(x, 2)  # ok",))
    assert spans == (
        Span(4, 10, "keyword"),
        Span(11, 15, "self"),
        Span(16, 18, "function"),
        Span(22, 23, "number"),
        Span(26, 30, "comment"),
    )


def test_a_string_over_several_lines_is_a_string_on_each() -> None:
    first, second = spans_of(('a = """one', 'two"""'))
    assert first == (Span(4, 10, "string"),)
    assert second == (Span(0, 6, "string"),)


def test_what_does_not_tokenize_stays_readable() -> None:
    assert len(spans_of(("def f(:", "  (((", ""))) == 3


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"# -*- coding: nonsense -*-\n"])
def test_a_file_that_is_no_text_is_a_problem_not_a_crash(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes(content)
    assert "cannot be read" in read_code(str(path)).problem


def test_costs_are_told_in_the_unit_of_the_dearest_line() -> None:
    view = source_view(demo_snapshot(is_held=False), None, None, None, "")
    assert view is not None
    assert view.unit_of(Heat.TIME) == "ms"
    line = line_of("x = self.gelu(x)")
    assert view.quantity(view.costs[line], Heat.TIME).text == "2.52"  # 4 · (210 + 421) µs
    assert view.hint(line).splitlines()[1] == "2.524000 ms in iteration 7, forward and backward"
    assert view.hint(1) == ""


def test_lines_are_compared_by_what_is_chosen() -> None:
    snapshot = demo_snapshot(is_held=False)
    gelu = line_of("x = self.gelu(x)")
    by_time, by_count = (source_view(snapshot, None, None, None, "", heat=heat) for heat in (Heat.TIME, Heat.OPERATORS))
    assert by_time is not None
    assert by_count is not None
    assert (by_time.columns, by_count.columns) == ((Heat.TIME, Heat.LIVE), (Heat.TIME, Heat.OPERATORS))
    assert max(by_time.warmth(line) for line in by_time.costs) == 1.0
    assert by_time.warmth(gelu) == 2_524_000 / by_time.hot[0].amount
    assert by_time.warmth(1) == 0
    assert by_count.quantity(by_count.costs[gelu], Heat.OPERATORS).text == "4"  # one a block
    assert "4 operators called in iteration 7" in by_count.hint(gelu).splitlines()


def test_the_hottest_lines_of_all_files_come_first() -> None:
    builder = TraceBuilder()
    for line, begin, end in ((3, 10, 20), (4, 20, 60), (3, 60, 70), (5, 70, 75)):
        builder.operator("aten::mm", begin=begin, end=end, stack=[(PLACE, line, "forward")])
    costs = line_costs(builder.snapshot(), None)
    assert [(one.line, one.amount, round(one.share, 2)) for one in hot_lines(costs, Heat.TIME)] == [(4, 40, 0.62), (3, 20, 0.31), (5, 5, 0.08)]
    assert [(one.line, one.amount) for one in hot_lines(costs, Heat.OPERATORS, most=2)] == [(3, 2), (4, 1)]
    assert hot_lines(costs, Heat.SAVED) == ()
    assert amount_of(costs.by_place[PLACE, 3], Heat.SAVED) == 0
    assert [heat_named(name) for name in ("saved", "", None, 3)] == [Heat.SAVED, Heat.TIME, Heat.TIME, Heat.TIME]
