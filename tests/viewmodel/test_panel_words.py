"""What a screen reader says of each panel, worked out by hand from views of a few rows."""

import numpy as np

from tensorscope.analysis.results import Finding, Source, StorageRow, StorageView
from tensorscope.viewmodel.code import Code
from tensorscope.viewmodel.event_rows import EventKind, EventRow, RowState
from tensorscope.viewmodel.line_heat import Heat
from tensorscope.viewmodel.output import OutputLine, OutputView
from tensorscope.viewmodel.panel_words import events_words, output_words, problems_words, scrubber_words, source_words, storages_words
from tensorscope.viewmodel.problems import Problems
from tensorscope.viewmodel.scrubber import ScrubberAxis, ScrubberView
from tensorscope.viewmodel.source_view import SourceView
from tensorscope.viewmodel.storages import storage_tree


def event(label: str, state: RowState = "") -> EventRow:
    return EventRow((label, 0, ""), 0, EventKind.OPERATOR, label, "", 0, 10, 0, 1.0, has_children=False, is_open=False, state=state, selection=None)


def test_events_say_how_many_rows_from_which_to_which_and_where_it_is_held() -> None:
    assert events_words([]) == ""
    assert events_words([event("iteration 0")]) == "1 row, from iteration 0 to iteration 0."
    rows = [event("iteration 0"), event("MulBackward0", "held"), event("iteration 1")]
    assert events_words(rows) == "3 rows, from iteration 0 to iteration 1. Held at MulBackward0."


def source(selected: int = 0, held: int = 0, problem: str = "", *, is_changed: bool = False) -> SourceView:
    code = Code("/user/train.py", ("import torch", "loss.backward()"), problem=problem)
    return SourceView((code.file,), code.file, code, {}, 0, Heat.TIME, {}, (), selected, held, (), is_changed)


def test_source_says_its_file_and_the_lines_that_stand_out() -> None:
    assert source_words(source()) == "train.py, 2 lines."
    assert source_words(source(1, 2, is_changed=True)) == "train.py, 2 lines. Held at line 2. Line 1 is selected. The file is newer than the run."
    assert source_words(source(problem="The file is not here.")) == ""


def test_problems_say_their_counts_and_the_first_with_its_place() -> None:
    first = Finding("nan", "error", "The loss is not finite.", Source("/user/train.py", 61, "main"))
    second = Finding("sync", "warning", "item() waits.", None)
    assert problems_words(Problems((), 5)) == ""
    assert problems_words(Problems((first, second), 5)) == "1 error, 1 warning. The first: The loss is not finite. train.py:61"
    assert problems_words(Problems((second,), 5)) == "1 warning. The first: item() waits."


def test_output_says_its_newest_line_that_has_words() -> None:
    lines = tuple(OutputLine(text, (), 0, "stdout") for text in ("step 0", "step 1  ", ""))
    assert output_words(OutputView(lines, (), frozenset({"stdout"}), "/", is_captured=True)) == "3 lines. The last: step 1"
    assert output_words(OutputView((), (), frozenset(), "/", is_captured=True)) == ""


def storage(number: int, nbytes: int) -> StorageRow:
    return StorageRow(number, number, "cpu", nbytes, "unknown", False, 0, "", None, "aten::mul", None, "", (), ())


def test_storages_say_their_bytes_their_moment_and_the_largest() -> None:
    view = StorageView(0, "iteration", 12, True, (storage(1, 1024), storage(2, 3072)))
    assert storages_words(storage_tree(view)) == "2 storages with 4.00 KiB as of iteration 12's end. The largest: mul result, 3.00 KiB."
    assert storages_words(storage_tree(StorageView(0, "iteration", 12, True, ()))) == ""


def test_the_scrubber_says_the_length_the_moment_and_the_problems() -> None:
    view = ScrubberView(ScrubberAxis(2_000_000_000), "", np.zeros(1), (), (), (0, 1_000_000_000))
    assert scrubber_words(view, None, 0) == "2 iterations in 2.000 s. Looking at the newest moment."
    assert scrubber_words(view, 1_500_000_000, 1) == "2 iterations in 2.000 s. Looking at 1.500 s. 1 problem marked."
