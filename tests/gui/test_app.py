"""The application shows a session until its window is closed, by whatever means, and restarts a script in place."""

import os
import signal
from collections.abc import Callable

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tensorscope.gui.app import run_window
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.settings import Settings
from tensorscope.session.session import RunState, Status
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession


def when_ready(act: Callable[[MainWindow], object]) -> None:
    """Call ``act`` with the one window as soon as its panels are there."""
    timer = QTimer(QApplication.instance(), interval=20)

    def look() -> None:
        windows = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow) and widget.isVisible() and widget.is_ready]
        if windows:
            timer.stop()
            timer.deleteLater()
            act(windows[0])

    timer.timeout.connect(look)
    timer.start()


@pytest.fixture(autouse=True)
def _application(qapp: object) -> None:
    """One for all."""


def test_the_session_is_shown_until_the_window_is_closed() -> None:
    session = FakeSession(demo_snapshot())
    titles: list[str] = []
    when_ready(lambda window: (titles.append(window.windowTitle()), window.close()))
    assert run_window(session, "light") is session
    assert titles == ["train.py --bs 8 – TensorScope"]
    assert session.asked == ["close"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminating_signal_closes_the_window(number: int) -> None:
    before = signal.signal(number, lambda *_: None)
    try:
        session = FakeSession(demo_snapshot())
        when_ready(lambda _: os.kill(os.getpid(), number))
        run_window(session)
        assert session.asked == ["close"]
    finally:
        signal.signal(number, before)


def test_restart_ends_the_script_and_shows_it_again() -> None:
    first, second = FakeSession(demo_snapshot()), FakeSession(demo_snapshot(is_held=False))

    def restart(window: MainWindow) -> None:
        window.actions_by_name["restart"].trigger()
        assert first.asked == ["stop"]
        when_ready(lambda again: again.close() if again.session is second else None)
        first.tell(Status(RunState.ENDED, "Ended, exit code 130", exit_code=130))

    when_ready(restart)
    assert run_window(first, start_again=lambda: second) is second
    assert first.asked == ["stop", "close"]
    assert second.asked == ["close"]


def test_theme_and_layout_are_kept_from_start_to_start() -> None:
    def share_of_the_first_row(window: MainWindow) -> int:
        first, second = window.deck.splitters[0].sizes()
        return round(100 * first / (first + second))  # a window as high as its screen comes back a little lower

    def change(window: MainWindow) -> None:
        window.deck.splitters[0].setSizes([200, 320])
        window.actions_by_name["theme"].trigger()
        window.close()

    when_ready(change)
    run_window(FakeSession(demo_snapshot()), "dark")
    assert Settings().theme == "light"
    seen: list[tuple[bool, int]] = []
    when_ready(lambda window: (seen.append((window.theme().is_dark, share_of_the_first_row(window))), window.close()))
    run_window(FakeSession(demo_snapshot()))
    assert seen == [(False, 38)]
