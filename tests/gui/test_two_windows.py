"""Several windows at once, each a process of its own, over one settings file: nothing that one of them kept is lost by another."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tensorscope.gui.settings import Settings
from tests.support.driving import ROOT, Starter
from tests.truth.harness import Recording

HAMMER = """
import sys
from tensorscope.gui.settings import Settings

settings, name = Settings(), sys.argv[1]
print(flush=True)
sys.stdin.read(1)
for number in range(5):
    settings.add_recent((f"{name}{number}.py",))
    settings.change_breakpoints((f"node:{name}{number}*", f"node:{name}x{number}*"), ())
    settings.change_breakpoints((), (f"node:{name}x{number}*",))
    settings.keep_bookmarks(f"/{name}{number}.tscope", [(number, name)])
"""


def test_what_two_processes_add_at_the_same_time_is_all_kept(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HAMMER]
    workers = [subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) for name in ("a", "b")]
    for worker in workers:
        assert worker.stdout is not None
        worker.stdout.readline()  # both are ready
    for worker in workers:
        worker.communicate(b"\n", timeout=240)
        assert worker.returncode == 0
    settings = Settings()
    names = {f"{name}{number}" for name in "ab" for number in range(5)}
    assert {Path(words[0]).stem for words in settings.recent} == names
    assert {spec.removeprefix("node:").removesuffix("*") for spec in settings.breakpoints} == names
    assert all(settings.bookmarks(f"/{name}.tscope") == [(int(name[1]), name[0])] for name in names)


SCRIPT = """
import os, sys, time
import torch

net = torch.nn.Linear(8, 1)
while not os.path.exists(sys.argv[1]):
    net(torch.ones(4, 8)).sum().backward()
    time.sleep(0.02)
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A script that trains until the test is over, and its argument."""
    (tmp_path / "train.py").write_text(SCRIPT)
    yield "train.py", str(tmp_path / "enough")
    (tmp_path / "enough").touch()


def test_a_live_run_and_a_recording_are_watched_at_the_same_time(
    recorded: Callable[[str], Recording], script: tuple[str, str], tmp_path: Path, started: Starter
) -> None:
    live, replayed = started(*script), started("open", str(recorded("linear_regression.py").file))
    live.wait_for(lambda state: state.get("iterations", 0) > 0, "the live run's first iteration")
    replayed.wait_for(lambda state: state.get("ready"), "the recording's window")
    live.ask("break node:Addmm*")
    replayed.ask("break node:Pow*")
    replayed.ask("theme")
    live.wait_for(lambda state: "node:Addmm*" in state["breakpoints"], "the live window's breakpoint")
    replayed.wait_for(lambda state: "node:Pow*" in state["breakpoints"] and state["theme"] == "light", "the other window's breakpoint")
    for window in (replayed, live):
        window.ask("close")
    (tmp_path / "enough").touch()
    assert replayed.wait_for_end() == 0
    assert live.wait_for_end() == 0
    settings = Settings()
    assert set(settings.breakpoints) == {"node:Addmm*", "node:Pow*"}
    assert settings.theme == "light"
    assert [words[0] for words in settings.recent].count("open") == 1
    assert len(settings.recent) == 2
