"""A host that sends anything at all: the window shows what makes sense, or says that the connection ended; it never fails."""

import random
import socket
import threading
from pathlib import Path

import pytest

from tensorscope import __version__
from tensorscope.errors import TensorScopeError
from tensorscope.protocol.stream import StoredFrame, frame_item_head, preface
from tensorscope.recording.feed import RecordingFeed
from tensorscope.session.attached import AttachedSession
from tensorscope.session.connection import SocketConnection
from tensorscope.session.jobs import Job
from tensorscope.session.session import Changed, RankInfo, RunState, Status
from tensorscope.session.wire import changed_item, item
from tests.support.fake_run import fake_session, wait_until
from tests.support.serving import runtime

__all__ = ["runtime"]

RUNNING = Status(RunState.RUNNING, "Running, iteration 1")


def stream_of(frames: list[StoredFrame]) -> bytes:
    changed = Changed(RUNNING, True, 5, 0, None, 9)
    parts = [part for frame in frames for part in (frame_item_head(frame), frame.payload)]
    ranks = (RankInfo(0, "rank 0", 1, RUNNING, "", 0),)
    skipped = item("skipped", frames=1, first_iteration=0, last_iteration=2, last_sequence=1)
    told = [skipped, item("facts", counters={"0": [1, 2]}), changed_item(changed, ranks)]
    return b"".join((*parts, *told))


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> list[StoredFrame]:
    """The frames of a whole small run."""
    folder = tmp_path_factory.mktemp("run")
    session = fake_session(folder, [["operators", 40], ["iteration", 0], ["hold_once"], ["exit", 0]])
    wait_until(lambda: session.status.state is RunState.HELD or session.wait(0))
    session.resume()
    session.wait()
    session.close()
    return RecordingFeed(session.path, 1 << 30).next_frames()


def shown(folder: Path, words: bytes) -> AttachedSession:
    """A window on a host that says these words and hangs up, when it has heard all of them."""
    path = folder / "job.sock"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        hello = item("hello", name="job", title="train.py", pid=1, script_pids=[], recording="/gone", machine="m")

        def speak() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(preface(__version__) + hello + words)

        host = threading.Thread(target=speak)
        host.start()
        window = AttachedSession(SocketConnection(Job("job", "train.py", 1, "", folder=str(folder))), lambda title: folder / "mirror.tscope")
        host.join()
    wait_until(lambda: window.status.state is RunState.GONE)
    return window


def test_a_true_stream_is_shown_and_its_end_is_told(runtime: Path, frames: list[StoredFrame]) -> None:
    window = shown(runtime, stream_of(frames))
    assert len(window.snapshot().iterations) == 1
    assert window.snapshot().health.damaged_frames == 0
    assert window.status.text == "Connection lost; attach again: tensorscope attach job"
    window.close()


def test_damaged_streams_never_break_the_window(runtime: Path, frames: list[StoredFrame]) -> None:
    chance = random.Random(2)
    true = stream_of(frames)
    ended_by_damage = damaged_frames = 0
    for number in range(60):
        words = bytearray(true)
        for _ in range(chance.randint(1, 20)):
            words[chance.randrange(len(words))] = chance.randrange(256)
        try:
            window = shown(runtime, bytes(words[: chance.randint(1, len(words))] if number % 2 else words))
        except TensorScopeError as error:  # the damage came with the greeting
            ended_by_damage += str(error).startswith("job cannot be attached: ")
            continue
        ended_by_damage += window.status.text.startswith("Connection ended: ")
        damaged_frames += window.snapshot().health.damaged_frames
        window.close()
    assert ended_by_damage
    assert damaged_frames
