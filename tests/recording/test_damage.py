"""A recording with wrong bytes is read as far as it can be, or refused in one sentence; it is never a traceback."""

import argparse
import random
from pathlib import Path

import pytest

from tensorscope.cli.query import VIEWS, view
from tensorscope.errors import TensorScopeError
from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.recording.writer import RecordingWriter
from tensorscope.trace.ingest import batches_of_records
from tests.recording.test_recording import a_run, write
from tests.support.trace_builder import TraceBuilder

POSITIONS = 250


@pytest.fixture
def recording(tmp_path: Path) -> bytes:
    writer = write(tmp_path / "whole.tscope", a_run())
    writer.add_message({"type": "exit", "code": 0, "signal": 0, "time_ns": 1_000_000_000_099}, 1)
    writer.close()
    return (tmp_path / "whole.tscope").read_bytes()


def ask_everything(path: Path) -> str:
    try:
        with RecordingReader(path) as reader:
            snapshot = read_trace(reader).snapshot()
        for name in VIEWS:
            view(snapshot, argparse.Namespace(view=name, iteration=None, backward=None, at=None, device=None))
    except TensorScopeError as error:
        return str(error)
    return ""


def test_wrong_bytes_anywhere_are_no_traceback(recording: bytes, tmp_path: Path) -> None:
    path = tmp_path / "damaged.tscope"
    chosen = random.Random(7)
    said = set()
    for position in chosen.sample([index for index, byte in enumerate(recording) if byte], POSITIONS):
        damaged = bytearray(recording)
        damaged[position] ^= chosen.randrange(1, 256)
        path.write_bytes(damaged)
        said.add(ask_everything(path))
    assert "" in said
    assert all(sentence.count("\n") == 0 for sentence in said)


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.9, 0.999])
def test_a_recording_that_is_cut_is_read_in_part_or_refused_in_a_sentence(recording: bytes, tmp_path: Path, share: float) -> None:
    path = tmp_path / "cut.tscope"
    path.write_bytes(recording[: round(len(recording) * share)])
    assert ask_everything(path).count("\n") == 0


def test_what_lies_before_a_cut_is_read_and_the_cut_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "whole.tscope"
    writer = RecordingWriter(path)
    for iteration in range(40):
        builder = TraceBuilder()
        for _ in range(500):
            builder.operator("aten::mm", begin=iteration * 100 + 1, end=iteration * 100 + 2)
        writer.add_definitions(builder.definition_block(), iteration)
        for thread, content in builder.blocks():
            writer.add_batches(batches_of_records(content, thread)[0], iteration)
        writer.flush()
    writer.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2 + 1000])
    with RecordingReader(path) as reader:
        snapshot = read_trace(reader).snapshot()
    assert 2000 < len(snapshot.tables["operators"]) < 18_000
    assert snapshot.health.damaged_frames == 1
