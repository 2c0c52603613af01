"""``tensorscope export`` on a recording: the files it writes, and the sentences where it cannot."""

import csv
import json
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tensorscope.cli.main import main
from tensorscope.protocol.records import MarkKind
from tensorscope.recording.writer import RecordingWriter
from tensorscope.trace.ingest import batches_of_records
from tests.support.trace_builder import TraceBuilder


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Two iterations of 100 ms; blocks of 1,000 (for ever), 4,000 (10 to 60 ms) and 2,000 bytes (50 to 150 ms): the peak is 7,000 at 50 ms."""
    builder = TraceBuilder().message({"type": "facts", "script": "/home/me/train.py", "wall_begin_ns": 1_700_000_000_000_000_000, "begin_ns": 0})
    for address, size, begin, end in ((0x1000, 1000, 1, 0), (0x2000, 4000, 10, 60), (0x3000, 2000, 50, 150)):
        builder.alloc(address=address, size=size, time=begin * 1_000_000)
        if end:
            builder.free(address=address, time=end * 1_000_000)
    for index in range(2):
        builder.mark(MarkKind.OPTIMIZER_STEP, begin=(index + 1) * 100_000_000 - 1000, end=(index + 1) * 100_000_000 - 10, a=1, x=0.1)
        builder.message({"type": "iteration", "index": index, "time_ns": (index + 1) * 100_000_000, "learning_rate": 0.1, "optimizers": [1]})
    path = tmp_path / "run.tscope"
    writer = RecordingWriter(path)
    writer.add_definitions(builder.definition_block(), 0)
    for thread, content in builder.blocks():
        writer.add_batches(batches_of_records(content, thread)[0], 0)
    writer.close()
    return path


def export(recording: Path, *words: object) -> int:
    return main(["export", str(recording), *(str(word) for word in words)])


def test_all_memory_files_come_out_of_one_command(recording: Path, qapp: object, tmp_path: Path) -> None:
    png, svg, curve, blocks = (tmp_path / name for name in ("m.png", "m.svg", "m.csv", "b.csv"))
    code = export(recording, "--memory-png", png, "--memory-svg", svg, "--memory-csv", curve, "--memory-blocks-csv", blocks, "--size", "800x400")
    assert code == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "train.py" in svg.read_text(encoding="utf-8")
    rows = list(csv.DictReader(curve.read_text(encoding="utf-8").splitlines()))
    assert [(int(row["time_ns"]), int(row["allocated_bytes"])) for row in rows] == [
        (1_000_000, 1000),
        (10_000_000, 5000),
        (50_000_000, 7000),
        (60_000_000, 3000),
        (150_000_000, 1000),
    ]
    assert [int(row["size_bytes"]) for row in csv.DictReader(blocks.read_text(encoding="utf-8").splitlines())] == [1000, 4000, 2000]


def test_a_range_may_be_given_in_seconds_or_by_name(recording: Path, tmp_path: Path) -> None:
    assert export(recording, "--memory-csv", tmp_path / "m.csv", "--from", "peak", "--to", "iteration:0") == 0
    rows = list(csv.DictReader((tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()))
    assert [int(row["time_ns"]) for row in rows] == [50_000_000, 60_000_000]


def test_the_numbers_equal_those_of_query(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export(recording, "--memory-csv", tmp_path / "m.csv")
    rows = list(csv.DictReader((tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()))
    assert main(["query", str(recording), "memory", "--at", "peak", "--json"]) == 0
    assert max(int(row["allocated_bytes"]) for row in rows) == json.loads(capsys.readouterr().out)["memory"]["allocated_bytes"] == 7000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Nothing to export: name a file, such as --memory-png memory.png."),
        (("--memory-csv", "missing/m.csv"), "Cannot write missing/m.csv: no such file or directory."),
        (("--memory-csv", "m.csv", "--device", "cuda:7"), "No memory of device cuda:7 is on record; devices on record: cpu."),
        (("--memory-csv", "m.csv", "--from", "0.9", "--to", "0.1"), "--to (0.100000 s) must be later than --from (0.200000 s)."),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    assert export(recording, *words) == 2
    assert sentence in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("option", ["--memory-png", "--memory-svg"])
def test_a_run_without_a_tensor_has_no_picture_and_says_so(qapp: object, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    writer = RecordingWriter(tmp_path / "none.tscope")
    writer.add_definitions(TraceBuilder().message({"type": "facts", "script": "/home/me/none.py", "begin_ns": 0}).definition_block(), 0)
    writer.close()
    assert export(tmp_path / "none.tscope", option, tmp_path / "m") == 2
    assert capsys.readouterr().err == "tensorscope: There is no memory timeline to paint: no tensor's memory is on record.\n"
    assert not (tmp_path / "m").exists()


def test_a_size_that_is_none_is_refused(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(recording, "--memory-png", "m.png", "--size", "wide") == 2
    assert "such as 1600x900" in capsys.readouterr().err


def test_the_window_is_a_picture_of_the_size_that_was_asked_for(recording: Path, qapp: object, tmp_path: Path) -> None:
    assert export(recording, "--window-png", tmp_path / "window.png", "--size", "1280x720", "--theme", "light") == 0
    image = QImage(str(tmp_path / "window.png"))
    assert (image.width(), image.height()) == (1280, 720)
