"""Recordings: what was written is read, whatever happened to the writer, and nothing else is taken for one."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.recording.copying import copy_recording
from tensorscope.recording.format import APPLICATION_ID
from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.recording.writer import RecordingWriter
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.retention import Keep
from tensorscope.trace.schema import ALLOCATIONS, MARKS, OPERATORS, TABLES
from tensorscope.trace.snapshot import Snapshot
from tests.support.fake_run import PATIENCE_S, wait_until
from tests.support.trace_builder import MarkKind, TraceBuilder


def a_run() -> TraceBuilder:
    return (
        TraceBuilder()
        .operator("aten::mm", begin=10, end=20, stack=[("/user/train.py", 12, "main")])
        .tensor(shape=(2, 3), nbytes=24)
        .alloc(address=0x1000, size=24, time=12, op=1)
        .graph(1, ["MmBackward0"], [])
        .backward(1, begin=25, addresses=[7])
        .node("MmBackward0", backward=1, index=0, begin=26, end=30)
        .mark(MarkKind.HOLD, begin=40, end=50)
        .message({"type": "iteration", "index": 0, "time_ns": 60, "learning_rate": 0.1, "optimizers": [1]})
        .operator("aten::add", begin=70, end=0)
    )


def write(path: Path, builder: TraceBuilder, keep: Keep | None = None) -> RecordingWriter:
    writer = RecordingWriter(path, keep=keep)
    writer.add_definitions(builder.definition_block(), 0)
    for thread, content in builder.blocks():
        writer.add_batches(batches_of_records(content, thread)[0], 0)
    return writer


def read(path: Path) -> Snapshot:
    with RecordingReader(path) as reader:
        return read_trace(reader).snapshot()


def same(one: Snapshot, other: Snapshot) -> bool:
    """Whether two snapshots say the same, row by row and definition by definition."""
    for table in TABLES:
        for column in table.columns:
            assert np.array_equal(one.table(table).column(column.name), other.table(table).column(column.name)), (table.name, column.name)
    assert (one.strings, one.stacks, one.shapes, one.facts) == (other.strings, other.stacks, other.shapes, other.facts)
    assert one.backwards[1].node_addresses.tolist() == other.backwards[1].node_addresses.tolist()
    assert (one.iterations, one.end_ns, one.held_ns) == (other.iterations, other.end_ns, other.held_ns)
    return True


def test_a_recording_gives_back_the_very_trace(tmp_path: Path) -> None:
    writer = write(tmp_path / "run.tscope", a_run())
    writer.add_message({"type": "exit", "code": 0, "signal": 0, "time_ns": 1_000_000_000_099}, 1)
    writer.set_facts(dropped_events=3, cost_ns=17)
    writer.close()
    snapshot = read(tmp_path / "run.tscope")
    expected = a_run().trace()
    expected.add_message({"type": "exit", "code": 0, "signal": 0, "time_ns": 1_000_000_000_099})
    assert same(snapshot, expected.snapshot())
    assert snapshot.exit == {"type": "exit", "code": 0, "signal": 0, "time_ns": 89}
    assert snapshot.health.dropped_events == 3
    assert snapshot.cost_ns == 17


def test_a_closed_recording_is_one_file(tmp_path: Path) -> None:
    write(tmp_path / "run.tscope", a_run()).close()
    assert [path.name for path in tmp_path.iterdir()] == ["run.tscope"]


def test_it_is_read_while_it_is_written(tmp_path: Path) -> None:
    writer = write(tmp_path / "run.tscope", a_run())
    writer.flush()
    assert same(read(tmp_path / "run.tscope"), a_run().snapshot())
    writer.close()


def test_what_waits_is_committed_within_a_second_without_being_asked(tmp_path: Path) -> None:
    writer = write(tmp_path / "run.tscope", a_run())
    wait_until(lambda: len(read(tmp_path / "run.tscope").table(OPERATORS)) == 2)
    writer.close()


def test_a_recording_left_by_a_killed_host_is_read_also_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    program = (
        "import sys, time; from pathlib import Path; from tests.recording.test_recording import a_run, write\n"
        "writer = write(Path(sys.argv[1]), a_run()); writer.flush(); print('ready', flush=True); time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(folder / "run.tscope")], stdout=subprocess.PIPE, cwd=Path(__file__).resolve().parents[2])
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGKILL)
    assert (folder / "run.tscope-wal").stat().st_size > 0
    shutil.copytree(folder, tmp_path / "as-it-was")
    assert same(read(folder / "run.tscope"), a_run().snapshot())
    RecordingWriter(folder / "run.tscope").close()  # the next run may take its place
    assert len(read(folder / "run.tscope").table(OPERATORS)) == 0
    refuse_once(monkeypatch)
    assert same(read(tmp_path / "as-it-was" / "run.tscope"), a_run().snapshot())


def refuse_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next opening fail as in a folder that cannot be written (root can write everywhere)."""
    connect = sqlite3.connect
    refusals = iter([sqlite3.OperationalError("unable to open database file")])

    def refusing(*arguments: Any, **more: Any) -> sqlite3.Connection:
        for error in refusals:
            raise error
        return connect(*arguments, **more)

    monkeypatch.setattr(sqlite3, "connect", refusing)


def test_a_copy_is_whole_and_one_file_while_the_run_goes_on(tmp_path: Path) -> None:
    writer = write(tmp_path / "run.tscope", a_run())
    writer.flush()
    (tmp_path / "copies").mkdir()
    copy_recording(tmp_path / "run.tscope", tmp_path / "copies" / "copy.tscope")
    writer.close()
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["copy.tscope"]
    assert same(read(tmp_path / "copies" / "copy.tscope"), a_run().snapshot())


def test_a_full_disk_is_said_once_and_what_was_committed_stays(tmp_path: Path) -> None:
    path = tmp_path / "run.tscope"
    program = f"""
import resource, signal, sys
from pathlib import Path
from tensorscope.recording.writer import RecordingWriter
from tests.recording.test_recording import a_run
from tensorscope.trace.ingest import batches_of_records
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
writer = RecordingWriter(Path({str(path)!r}), failed=print)
writer.add_definitions(a_run().definition_block(), 0)
writer.flush()
for _ in range(40):
    for thread, content in a_run().blocks():
        writer.add_batches(batches_of_records(content * 5000, thread)[0], 0)
    writer.flush()
assert writer.is_stopped
writer.close()
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, cwd=root, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The recording stopped") == 1
    assert str(path) in done.stdout
    assert read(path).name(1) == "aten::mm"


def test_a_recording_over_its_disk_budget_lets_go_of_middle_iterations(tmp_path: Path) -> None:
    path = tmp_path / "run.tscope"
    writer = RecordingWriter(path, keep=Keep(disk_bytes=400_000, first=1, last=2))
    for iteration in range(10):
        for thread, content in TraceBuilder().operator("aten::mm", begin=iteration + 1, end=iteration + 2).blocks():
            writer.add_batches(batches_of_records(content * 1000, thread)[0], iteration)
        for thread, content in TraceBuilder().mark(MarkKind.OPTIMIZER_STEP, begin=iteration + 1).blocks():
            writer.add_batches(batches_of_records(content, thread)[0], iteration)
        writer.flush()
    writer.close()
    snapshot = read(path)
    kept = set((snapshot.table(OPERATORS).column("begin_ns") - snapshot.table(OPERATORS).column("begin_ns").min()).tolist())
    assert {0, 8, 9} <= kept
    assert 1 not in kept
    assert len(snapshot.table(MARKS)) == 10
    assert snapshot.health.retired_rows > 0
    assert snapshot.health.retired_iterations.start == 1


def test_a_recording_that_cannot_shrink_stops_at_its_budget(tmp_path: Path) -> None:
    told: list[str] = []
    writer = RecordingWriter(tmp_path / "run.tscope", keep=Keep(disk_bytes=100_000), failed=told.append)
    for thread, content in TraceBuilder().alloc(address=1, size=1, time=1).blocks():
        writer.add_batches(batches_of_records(content * 10_000, thread)[0], 0)
    writer.close()
    assert len(told) == 1
    assert "budget" in told[0]
    assert len(read(tmp_path / "run.tscope").table(ALLOCATIONS)) == 10_000


def test_a_damaged_frame_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.tscope"
    write(path, a_run()).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE frames SET payload = substr(payload, 1, 50) WHERE kind = 'tensors'")
        connection.execute("UPDATE frames SET payload = zeroblob(200) WHERE kind = 'marks'")
    connection.close()
    snapshot = read(path)
    assert snapshot.health.damaged_frames == 2
    assert len(snapshot.table(OPERATORS)) == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "is not a TensorScope recording"), (b"GIF89a" * 100, "is not a TensorScope recording"), (b"SQLite format 3\0" + b"\1" * 5000, "is damaged")],
)
def test_a_foreign_or_damaged_file_is_one_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "x.tscope"
    path.write_bytes(content)
    with pytest.raises(TensorScopeError, match=sentence):
        read(path)


def test_a_recording_cut_before_its_first_frame_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "run.tscope"
    write(path, a_run()).close()
    os.truncate(path, 65_536 + 100)
    with pytest.raises(TensorScopeError, match=r"run\.tscope is damaged"):
        read(path)


def test_another_programs_database_is_no_recording(tmp_path: Path) -> None:
    path = tmp_path / "x.tscope"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    with pytest.raises(TensorScopeError, match="is not a TensorScope recording"):
        read(path)
    with pytest.raises(TensorScopeError, match="exists and is no recording"):
        RecordingWriter(path)


def test_a_newer_format_asks_for_an_update(tmp_path: Path) -> None:
    path = tmp_path / "x.tscope"
    with sqlite3.connect(path) as connection:
        connection.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 7; CREATE TABLE facts (key, value)")
    connection.close()
    with pytest.raises(TensorScopeError, match=r"newer TensorScope \(format 7\)"):
        read(path)


def test_a_missing_file_and_a_folder_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TensorScopeError, match="There is no file"):
        read(tmp_path / "gone.tscope")
    with pytest.raises(TensorScopeError, match="is a folder"):
        read(tmp_path)


def test_an_older_recording_is_replaced_and_a_foreign_file_is_not(tmp_path: Path) -> None:
    path = tmp_path / "run.tscope"
    write(path, a_run()).close()
    RecordingWriter(path).close()
    assert len(read(path).table(OPERATORS)) == 0
    text = tmp_path / "notes.txt"
    text.write_text("mine")
    with pytest.raises(TensorScopeError, match=r"notes\.txt exists and is no recording"):
        RecordingWriter(text)
    assert text.read_text() == "mine"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TensorScopeError, match="there is no folder"):
        RecordingWriter(tmp_path / "gone" / "run.tscope")


def test_a_million_allocations_are_read_in_seconds(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "run.tscope")
    for thread, content in TraceBuilder().alloc(address=1, size=1, time=1).blocks():
        for _ in range(10):
            writer.add_batches(batches_of_records(content * 100_000, thread)[0], 0)
    writer.close()
    begin = time.process_time()  # what others compute meanwhile does not count
    assert len(read(tmp_path / "run.tscope").table(ALLOCATIONS)) == 1_000_000
    assert time.process_time() - begin < 8  # a quarter of a second on an idle machine


def test_rows_from_before_the_first_iteration_are_kept_whatever_number_they_are_given(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "run.tscope")
    writer.add_definitions(a_run().definition_block(), -1)
    for thread, content in a_run().blocks():
        writer.add_batches(batches_of_records(content, thread)[0], -1)
    writer.close()
    snapshot = read(tmp_path / "run.tscope")
    assert same(snapshot, a_run().snapshot())
    assert snapshot.health.damaged_frames == 0


def test_a_recording_that_another_run_writes_just_now_is_not_taken_away(tmp_path: Path) -> None:
    writer = write(tmp_path / "run.tscope", a_run())
    with pytest.raises(TensorScopeError, match="just now written by another run"):
        RecordingWriter(tmp_path / "run.tscope")
    writer.close()
    assert same(read(tmp_path / "run.tscope"), a_run().snapshot())
    RecordingWriter(tmp_path / "run.tscope").close()
