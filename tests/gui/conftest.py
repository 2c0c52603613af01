"""Windows for tests: over the hand-made trace, waited for until every panel is filled, closed afterwards."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import QEventLoop, QSettings
from PySide6.QtWidgets import QApplication

from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.settings import Settings
from tensorscope.render.theme import Theme
from tests.support.demo_trace import demo_snapshot
from tests.support.driving import started
from tests.support.fake_session import FakeSession

__all__ = ["started"]
Opener = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def private_settings(private_cache: Path) -> None:
    """QSettings asks the environment for its folder once a process; a test's children ask for themselves."""
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(private_cache / "config"))


def wait_until_ready(window: MainWindow, seconds: float = 240) -> None:
    """Run the event loop until the window has nothing left to do; fails with a panel's own exception."""
    deadline, quiet = monotonic() + seconds, 0
    while quiet < 3:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        quiet = quiet + 1 if window.is_ready else 0
        if window.failures:
            raise window.failures[0][1]
        assert monotonic() < deadline, "the window never came to rest"


@pytest.fixture
def open_window(qapp: object) -> Iterator[Opener]:
    """``open_window(session=None, size=(1600, 900), theme="dark")``: a shown window whose panels are filled."""
    windows: list[MainWindow] = []

    def opener(session: FakeSession | None = None, size: tuple[int, int] = (1600, 900), theme: str = "dark", **options: object) -> MainWindow:
        window = MainWindow(session or FakeSession(demo_snapshot()), Theme.named(theme), Settings(is_kept=False), **options)  # type: ignore[arg-type]
        windows.append(window)
        window.resize(*size)
        window.show()
        wait_until_ready(window)
        return window

    yield opener
    for window in windows:
        window.close()
        window.deleteLater()
    QApplication.sendPostedEvents(None, 0)
    QApplication.processEvents()
