"""Following a recording by range: everything within the budget, and of a long past the first iterations and the newest."""

from pathlib import Path

import numpy as np

from tensorscope.protocol.frames import decode_frame
from tensorscope.recording.feed import RecordingFeed, Skipped
from tensorscope.recording.writer import RecordingWriter
from tensorscope.trace.ingest import Batch
from tensorscope.trace.schema import MARKS, OPERATORS, Table

ROWS = 1000


def rows(table: Table, number: int) -> Batch:
    columns = {column.name: np.full(ROWS, number if column.name == "begin_ns" else 0, f"<{column.type}") for column in table.columns}
    return Batch(table, ROWS, columns)


def write(writer: RecordingWriter, iterations: range) -> None:
    """One frame of operators and one of marks an iteration."""
    for iteration in iterations:
        writer.add_batches([rows(OPERATORS, iteration), rows(MARKS, iteration)], iteration)
        writer.flush()


def read_all(feed: RecordingFeed) -> list[tuple[str, int]]:
    found = []
    while frames := feed.next_frames():
        decoded = [decode_frame(frame.payload) for frame in frames]
        found += [(frame.table, frame.iteration) for frame in decoded]
    return found


def test_all_frames_come_in_order_while_they_are_written(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "run.tscope")
    write(writer, range(2))
    feed = RecordingFeed(tmp_path / "run.tscope", 1 << 30)
    assert read_all(feed) == [("operators", 0), ("marks", 0), ("operators", 1), ("marks", 1)]
    assert read_all(feed) == []
    write(writer, range(2, 3))
    assert read_all(feed) == [("operators", 2), ("marks", 2)]
    writer.close()
    assert feed.take_skipped() == []


def test_of_a_long_past_the_first_and_the_newest_detail_comes_and_the_rest_is_told(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "run.tscope")
    write(writer, range(40))
    frame_bytes = ROWS * sum(int(column.type[1]) for column in OPERATORS.columns)
    feed = RecordingFeed(tmp_path / "run.tscope", round(frame_bytes * 8.5))
    found = read_all(feed)
    assert [iteration for table, iteration in found if table == "marks"] == list(range(40))
    assert [iteration for table, iteration in found if table == "operators"] == [0, 1, 34, 35, 36, 37, 38, 39]
    assert feed.take_skipped() == [Skipped(32, 2, 33, 67)]
    write(writer, range(40, 60))  # more than the budget, before the next look
    found = read_all(feed)
    assert [iteration for table, iteration in found if table == "operators"] == list(range(52, 60))
    assert [iteration for table, iteration in found if table == "marks"] == list(range(40, 60))
    assert feed.take_skipped() == [Skipped(12, 40, 51, 103)]
    writer.close()
