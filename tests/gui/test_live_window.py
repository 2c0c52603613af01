"""The main job, by key: a real script is watched, held inside backward, stepped, let go; closing the window leaves it running to its end."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.panels.inspector import InspectorPanel
from tensorscope.gui.settings import Settings
from tensorscope.render.theme import Theme
from tensorscope.session.build import find_probe
from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.session.session import RunState

SCRIPT = """
import os, sys, time
import torch

net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
while not os.path.exists(sys.argv[1]):
    loss = net(torch.ones(4, 8)).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    time.sleep(0.02)
with open(sys.argv[2], "w") as report:
    report.write("done")
"""
PATIENCE_S = 240.0


def wait_for(is_so: Callable[[], bool], what: str) -> None:
    deadline = monotonic() + PATIENCE_S
    while not is_so():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        assert monotonic() < deadline, f"waited in vain for {what}"


@pytest.fixture
def watched(qapp: object, tmp_path: Path) -> Iterator[tuple[MainWindow, LiveSession]]:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    options = LaunchOptions(str(script), (str(tmp_path / "enough"), str(tmp_path / "report")))
    session = LiveSession(options, tmp_path / "run.tscope", find_probe(sys.executable))
    window = MainWindow(session, Theme.dark(), Settings(is_kept=False))
    window.resize(1600, 900)
    window.show()
    yield window, session
    window.close()
    (tmp_path / "enough").touch()
    session.wait_for_script()
    window.deleteLater()
    QApplication.sendPostedEvents(None, 0)


def test_a_script_is_watched_held_stepped_and_let_go(watched: tuple[MainWindow, LiveSession], tmp_path: Path) -> None:
    window, session = watched
    wait_for(lambda: bool(window.snapshot.iterations), "the first iteration")
    QTest.keyClick(window, Qt.Key.Key_F6)
    wait_for(lambda: window.status.state is RunState.HELD, "the stop")
    QTest.keyClick(window, Qt.Key.Key_F10)
    wait_for(lambda: window.status.state is RunState.HELD and (window.status.held or {}).get("position") == 1, "the second node")
    inspector = window.deck.panel("inspector")
    assert isinstance(inspector, InspectorPanel)

    def shows_the_stop() -> bool:  # the node's page may first come without what is known only at a stop
        view = inspector.view
        return view is not None and view.title == "PowBackward0" and [section.title for section in view.sections][:2] == ["Gradient in", "Gradients out"]

    wait_for(shows_the_stop, "the held node's page")
    QTest.keyClick(window, Qt.Key.Key_F5)
    held_at = len(window.snapshot.iterations)
    wait_for(lambda: window.status.state is RunState.RUNNING and len(window.snapshot.iterations) > held_at, "the run to go on")
    assert not window.failures
    window.close()
    assert not (tmp_path / "report").exists()
    (tmp_path / "enough").touch()
    assert session.wait_for_script() == 0
    assert (tmp_path / "report").read_text() == "done"
