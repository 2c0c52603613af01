"""What a script prints looks as on a terminal, knows when it was printed and which lines it names."""

from dataclasses import replace
from typing import Any

from tensorscope.analysis.results import Source
from tensorscope.viewmodel.ansi import Style, StyledSpan, Terminal, TerminalLine, styled
from tensorscope.viewmodel.output import OutputReader, links_of
from tests.support.demo_trace import demo_snapshot


def shown(*texts: str) -> list[TerminalLine]:
    lines: list[TerminalLine] = []
    terminal = Terminal("both", lines)
    for number, text in enumerate(texts):
        terminal.feed(text, number)
    return lines


def test_colours_and_weights_are_spans() -> None:
    (line,) = shown("a \x1b[1;31mred\x1b[0m b \x1b[92mgreen")
    assert line.text == "a red b green"
    assert line.spans == [StyledSpan(2, 5, Style(color=1, is_bold=True)), StyledSpan(8, 13, Style(color=10))]


def test_256_and_true_colours_are_their_rgb() -> None:
    assert styled(Style(), [38, 5, 196]).color == 16 + 0xFF0000
    assert styled(Style(), [38, 5, 244]).color == 16 + 0x808080
    assert styled(Style(), [48, 2, 1, 2, 3, 1]) == Style(ground=16 + 0x010203, is_bold=True)
    assert styled(Style(color=1, is_bold=True), [0]) == Style()


def test_a_progress_bar_is_one_line_as_it_stands_now() -> None:
    lines = shown("\r 10%|#   | 1/10", "\r 20%|##  | 2/10", "\r100%|####| 10/10\n", "done\n")
    assert [line.text for line in lines] == ["100%|####| 10/10", "done"]
    assert [line.begin_ns for line in lines] == [0, 3]


def test_nested_bars_stay_on_their_lines() -> None:
    lines = shown("outer 0\n", "inner 0", "\r\x1b[A", "outer 1\n", "inner 1\x1b[K\n")
    assert [line.text for line in lines] == ["outer 1", "inner 1"]


def test_a_shorter_text_over_a_longer_one_leaves_its_end_unless_erased() -> None:
    assert shown("12345\rab")[0].text == "ab345"
    assert shown("12345\rab\x1b[K")[0].text == "ab"
    assert shown("abc\b\bX")[0].text == "aXc"


def test_a_sequence_cut_in_two_is_read_whole_and_others_are_left_out() -> None:
    (line,) = shown("a\x1b[3", "2mb", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x07\x1b[?25l")
    assert line.text == "ablink"
    assert line.spans[0].style == Style(color=2)


def test_empty_lines_stay() -> None:
    assert [line.text for line in shown("a\n\n\nb")] == ["a", "", "", "b"]


def snapshot_with(*messages: dict[str, Any]) -> Any:
    return replace(demo_snapshot(), outputs=tuple(messages))


def output(time_ns: int, *pieces: list[Any]) -> dict[str, Any]:
    return {"type": "output", "time_ns": time_ns, "pieces": list(pieces)}


def test_streams_apart_keep_their_lines_and_are_in_order_of_time() -> None:
    view = OutputReader().view(snapshot_with(output(10, [0, "stdout", "a", 0], [5, "stderr", "warn\n", 0], [9, "stdout", "b\n", 0])), "", "")
    assert [(line.text, line.stream, line.time_ns) for line in view.lines] == [("ab", "stdout", 10), ("warn", "stderr", 15)]
    assert view.line_at(12) == 1
    assert view.line_at(None) == 2


def test_only_what_is_new_is_read_and_a_search_finds_lines() -> None:
    reader = OutputReader()
    first = output(10, [0, "both", "loss 0.5\nlo", 0])
    assert [line.text for line in reader.view(snapshot_with(first), "", "").lines] == ["loss 0.5", "lo"]
    view = reader.view(snapshot_with(first, output(20, [0, "both", "ss 0.4\nend\n", 0])), "", "LOSS")
    assert [line.text for line in view.lines] == ["loss 0.5", "loss 0.4", "end"]
    assert view.hits == (0, 1)
    assert [line.text for line in reader.view(snapshot_with(output(1, [0, "both", "other", 0])), "", "").lines] == ["other"]


def test_what_was_not_kept_is_said() -> None:
    view = OutputReader().view(snapshot_with(output(10, [0, "stdout", "a\n", 0], [5, "stdout", "z\n", 3 * 2**20])), "stdout", "")
    assert [line.text for line in view.lines] == ["a", "… 3.00 MiB were printed here that are not kept", "z"]


def test_tracebacks_and_places_name_source_lines() -> None:
    assert links_of('  File "/user/train.py", line 61, in main', "/cwd") == ((2, 32, Source("/user/train.py", 61)),)
    assert links_of("at src/model.py:77: bad", "/cwd") == ((3, 18, Source("/cwd/src/model.py", 77)),)
    assert links_of('  File "<string>", line 1', "/cwd") == ()


def test_the_exception_of_a_traceback_is_marked() -> None:
    text = 'Traceback (most recent call last):\n  File "/user/train.py", line 3\nValueError: no\n'
    view = OutputReader().view(snapshot_with(output(1, [0, "stderr", text, 0])), "", "")
    assert [line.is_error for line in view.lines] == [False, False, True]


def test_a_traceback_that_was_not_kept_is_told_by_its_exception() -> None:
    frames = [["/user/train.py", 61, "main"], ["/user/model.py", 7, "Net.forward"]]
    raised = {"exception": "ValueError", "message": "no\nway", "source": "/user/model.py:7", "frames": frames, "time_ns": 30}
    view = OutputReader().view(replace(snapshot_with(), exceptions=(raised,)), "", "")
    assert [line.text for line in view.lines[1:]] == [
        "Traceback (most recent call last):",
        '  File "/user/train.py", line 61, in main',
        '  File "/user/model.py", line 7, in Net.forward',
        "ValueError: no",
        "way",
    ]
    assert [line.is_error for line in view.lines] == [False, False, False, False, True, False]
    printed = output(30, [0, "stderr", "Traceback (most recent call last):\nValueError: no\n", 0])
    assert len(OutputReader().view(replace(snapshot_with(printed), exceptions=(raised,)), "", "").lines) == 2
