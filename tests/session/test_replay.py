"""A session over a recording."""

from pathlib import Path

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.recording.writer import RecordingWriter
from tensorscope.session.replay import ReplaySession
from tensorscope.session.session import Changed, RunState, Session
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.schema import OPERATORS
from tests.support.fake_run import wait_until
from tests.support.trace_builder import TraceBuilder


def recording(path: Path, *messages: dict[str, object]) -> Path:
    builder = TraceBuilder().operator("aten::mm", begin=1, end=2)
    writer = RecordingWriter(path)
    writer.add_definitions(builder.definition_block(), 0)
    for thread, content in builder.blocks():
        writer.add_batches(batches_of_records(content, thread)[0], 0)
    for message in messages:
        writer.add_message(message, 0)
    writer.close()
    return path


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        ([], "The recording stops before the script's end"),
        ([{"type": "exit", "code": 0, "signal": 0, "time_ns": 9}], "Ended, exit code 0"),
        ([{"type": "exit", "code": None, "signal": 0, "time_ns": 9, "is_unseen": True}], "Ended without a word: killed, or by os._exit"),
        ([{"type": "exit", "code": 137, "signal": 9, "time_ns": 9}], "Killed by SIGKILL after aten::mm"),
        (
            [{"type": "exception", "exception": "ValueError", "source": "/user/train.py:61"}, {"type": "exit", "code": 1, "signal": 0, "time_ns": 9}],
            "Ended by ValueError, train.py:61",
        ),
    ],
)
def test_a_recording_says_how_the_run_ended(tmp_path: Path, messages: list[dict[str, object]], text: str) -> None:
    session = ReplaySession(recording(tmp_path / "run.tscope", *messages))
    session.close()
    assert session.status.state is RunState.REPLAY
    assert session.status.text == text


def test_a_recording_that_is_still_written_is_not_told_as_cut_short(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "run.tscope")
    session = ReplaySession(writer.path)
    assert session.status.text == "It still ran when this was opened; open it again to see more"
    session.close()
    writer.close()


def test_everything_is_there_at_once_and_told_to_a_listener(tmp_path: Path) -> None:
    session: Session = ReplaySession(recording(tmp_path / "run.tscope"))
    heard: list[Changed] = []
    session.listen(heard.append)
    wait_until(lambda: heard)
    session.close()
    session.close()
    assert heard[0].has_new_events
    assert heard[0].events == 1
    assert session.title == "train.py"
    assert not session.is_live
    assert len(session.snapshot().table(OPERATORS)) == 1


def test_a_recording_is_saved_under_another_name(tmp_path: Path) -> None:
    session = ReplaySession(recording(tmp_path / "run.tscope"))
    session.save_as(tmp_path / "kept.tscope")
    with pytest.raises(TensorScopeError, match="could not be saved"):
        session.save_as(tmp_path / "gone" / "kept.tscope")
    session.close()
    again = ReplaySession(tmp_path / "kept.tscope")
    again.close()
    assert len(again.snapshot().table(OPERATORS)) == 1
