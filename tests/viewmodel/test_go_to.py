"""Ctrl+G understands iterations and times, and says what there is where it finds none; bookmarks stay in order."""

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.viewmodel.bookmarks import Bookmark, Bookmarks
from tensorscope.viewmodel.event_rows import EventRows
from tensorscope.viewmodel.go_to import iteration_words, moment_of
from tests.support.demo_trace import demo_snapshot
from tests.support.trace_builder import TraceBuilder


@pytest.mark.parametrize("text", ["3", "iteration 3", " 3 "])
def test_an_iteration_is_its_begin(text: str) -> None:
    snapshot = demo_snapshot()
    moment = moment_of(snapshot, text)
    assert iteration_words(snapshot, moment + 1) == "Iteration 3"
    assert iteration_words(snapshot, moment - 1) == "Iteration 2"
    (key,) = EventRows(snapshot, None).keys_at(moment)
    assert key == ("iteration", 3, "")


@pytest.mark.parametrize(("text", "time_ns"), [("1.5 s", 1_500_000_000), ("20ms", 20_000_000), ("7 us", 7000)])
def test_a_time_is_from_the_start_of_the_run(text: str, time_ns: int) -> None:
    assert moment_of(demo_snapshot(), text) == time_ns


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("12", "There is no iteration 12: they go from 0 to 7."),
        ("9 min", "The run is 1.672 s long so far."),
        ("soon", "Type an iteration, such as 12, or a time, such as 1.5 s."),
        ("", "Type an iteration, such as 12, or a time, such as 1.5 s."),
    ],
)
def test_what_is_not_there_is_said(text: str, words: str) -> None:
    with pytest.raises(TensorScopeError) as raised:
        moment_of(demo_snapshot(), text)
    assert str(raised.value) == words


def test_without_iterations_a_number_leads_nowhere() -> None:
    with pytest.raises(TensorScopeError, match="has no iteration yet"):
        moment_of(TraceBuilder().operator("aten::mm", begin=10, end=20).snapshot(), "0")


def test_a_bookmark_is_set_and_taken_away_and_kept_in_order_of_time() -> None:
    marks, told = Bookmarks(), []
    marks.observe(lambda: told.append(len(marks.marks)))
    assert marks.toggle(Bookmark(20, "second"))
    assert marks.toggle(Bookmark(10, ""))
    assert [mark.time_ns for mark in marks.marks] == [10, 20]
    assert not marks.toggle(Bookmark(20, "another word"))
    assert marks.times_ns == {10}
    assert told == [1, 2, 1]
