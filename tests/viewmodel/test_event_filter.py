"""The filter of the events reads words, limits and fields, says what it cannot read, and finds what fits."""

import pytest

from tensorscope.analysis.events import EventKind
from tensorscope.viewmodel.event_filter import EventFilter
from tensorscope.viewmodel.event_rows import EventRow, EventRows
from tests.support.demo_run import line_of
from tests.support.demo_trace import demo_snapshot


def matches(text: str) -> list[EventRow]:
    return [row for row in EventRows(demo_snapshot(is_held=False), None).unfold(frozenset(), text) if not row.has_children]


@pytest.mark.parametrize(
    ("text", "words", "limits"),
    [
        ("addmm h.2", ("addmm", "h.2"), ()),
        ("> 1 MiB", (), ((True, True, 2**20),)),
        ("mm <2.5ms", ("mm",), ((False, False, 2_500_000),)),
        (">1GiB, relu", ("relu",), ((True, True, 2**30),)),
        ("dur>1ms mem<2KB", (), ((True, False, 1_000_000), (False, True, 2048))),
        ("dur>=1us", (), ((True, False, 999),)),
        ("aten::mm model.py:3", ("aten::mm", "model.py:3"), ()),
        ("", (), ()),
    ],
)
def test_a_filter_is_words_and_limits(text: str, words: tuple[str, ...], limits: tuple[tuple[bool, bool, float], ...]) -> None:
    parsed = EventFilter.parse(text)
    assert (parsed.words, parsed.limits, parsed.problem) == (words, limits, "")
    assert parsed.is_empty == (not words and not limits)


def test_fields_are_read_by_their_names() -> None:
    parsed = EventFilter.parse("name:mm module:h.* line:train.py:41 gelu")
    assert parsed.fields == (("name", "mm"), ("module", "h.*"), ("line", "train.py:41"))
    assert parsed.words == ("gelu",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nmae:mm", "“nmae:” is no field. There are name:, module:, phase:, iteration:, thread:, line:."),
        ("dur>1MiB", "“dur>1MiB” needs a number and a unit, such as dur>1ms or mem>1MiB."),
        ("mem>5", "“mem>5” needs a number and a unit, such as dur>1ms or mem>1MiB."),
        ("mm >", "“>” needs a number and a unit, such as dur>1ms or mem>1MiB."),
        ("phase:", "“phase:” needs a value behind it."),
    ],
)
def test_what_cannot_be_read_is_said(text: str, problem: str) -> None:
    assert EventFilter.parse(text).problem == problem
    assert matches(text) == []


def test_a_phase_and_an_iteration_leave_what_ran_in_them() -> None:
    found = matches("iteration:2 phase:backward name:gelu")
    assert {row.label for row in found} == {"GeluBackward0", "aten::gelu_backward"}
    assert len(found) == 8  # in each of four blocks


def test_a_module_holds_what_runs_inside_it_forward_and_backward() -> None:
    inside = matches("iteration:2 module:h.2 name:gelu")
    assert len([row for row in inside if row.kind is EventKind.OPERATOR and row.label == "aten::gelu"]) == 1
    assert len([row for row in inside if row.label == "aten::gelu_backward"]) == 1
    assert [row.key for row in matches("iteration:2 module:h.?.mlp* name:gelu")] == [row.key for row in matches("iteration:2 name:gelu")]
    assert matches("module:h.22 name:gelu") == []


def test_a_line_is_where_the_forward_was_called() -> None:
    line = line_of("x = self.gelu(x)")
    found = matches(f"iteration:2 line:{line} aten::gelu")
    assert {row.label for row in found} == {"aten::gelu", "aten::gelu_backward"}
    assert matches(f"iteration:2 line:elsewhere.py:{line}") == []


def test_a_thread_is_known_by_number_and_name() -> None:
    assert matches("iteration:2 thread:1 aten::gelu") == matches("iteration:2 thread:mainthread aten::gelu") != []
    assert matches("thread:99") == []
