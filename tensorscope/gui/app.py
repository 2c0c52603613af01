"""The application: shows a session in a window until that is closed. The window is on screen first; panels come into it afterwards."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QByteArray, QSocketNotifier, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QApplication

from tensorscope.gui.cascade import WindowNumber, cascaded
from tensorscope.gui.main_window import OVER, MainWindow
from tensorscope.gui.settings import Settings
from tensorscope.gui.style import system_theme
from tensorscope.gui.translation import readable_language, use_language
from tensorscope.render.brand import mark_image
from tensorscope.render.theme import Theme
from tensorscope.session.session import Session
from tensorscope.viewmodel.collector import calm_collector

LARGEST: Final = (1600, 900)
NO_FONT: Final = "No font here has Chinese characters, so the window speaks English: install one, such as fonts-noto-cjk."


def run_window(session: Session, theme: str = "", start_again: Callable[[], Session] | None = None, *, command: Sequence[str] = ()) -> Session:
    """Show the session until its window is closed; a live script runs on. GUI thread, which is the main thread.

    ``theme`` is dark, light or "" (as kept, else as the system). ``start_again`` makes a new session of the same script for *Restart*.
    ``command``: the words that the welcome window is to offer from now on. Returns the session shown last, closed.
    """
    calm_collector()
    if command:
        Settings().add_recent(command)
    return Application(theme, start_again).show_until_closed(session)


class Application:
    """Holds the one window; *Restart* puts another in its place."""

    def __init__(self, theme: str, start_again: Callable[[], Session] | None) -> None:
        self._qt = application()
        self._settings = Settings()
        use_language(readable_language(self._settings.language))
        self._theme = Theme.named(theme or self._settings.theme or system_theme(), self._settings.palette)
        self._is_fixed = bool(theme)  # by the command line
        self._qt.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._qt.setWindowIcon(QIcon(QPixmap.fromImage(mark_image(self._theme))))
        self._start_again = start_again
        self._window: MainWindow | None = None
        self._is_restarting = False

    def _system_changed(self) -> None:
        if self._window is not None and not self._is_fixed and not self._settings.theme:
            self._window.follow_theme("")

    def show_until_closed(self, session: Session) -> Session:
        self._number = WindowNumber(self._settings)
        self._show(session)
        with _python_signals(self._take_signal):
            self._qt.exec()
        window, self._window = self._window, None
        assert window is not None
        last = window.session
        window.shut_down()
        window.deleteLater()
        self._qt.sendPostedEvents(None, 0)
        self._number.release()
        return last

    def _show(self, session: Session, place: QByteArray | None = None) -> None:
        """``place``: of the window that this one replaces; else as kept, beside the windows of other processes."""
        window = MainWindow(session, self._theme, self._settings, restart=self._restart if self._start_again is not None else None)
        window.keeps_place = not self._number.value  # the place of the others is only lent
        kept = place or self._settings.geometry
        if kept is None or not window.restoreGeometry(kept):
            available = self._qt.primaryScreen().availableSize()
            window.resize(min(LARGEST[0], available.width()), min(LARGEST[1], available.height()))
        if place is None and self._number.value and not window.windowState() & (Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen):
            window.move(cascaded(window.frameGeometry(), self._number.value, window.screen().availableGeometry()))
        window.show()
        self._window = window
        if readable_language(self._settings.language) != self._settings.language:
            window.notice(NO_FONT, seconds=20)

    def _restart(self) -> None:
        """End the script if it still runs; when it has ended, start it again in a new window at the same place."""
        window = self._window
        if window is None or self._is_restarting:
            return
        self._is_restarting = True
        if window.status.state in OVER:
            self._replace()
        else:
            window.status_changed.connect(lambda status: self._replace() if status.state in OVER else None, Qt.ConnectionType.QueuedConnection)
            window.session.stop()

    def _replace(self) -> None:
        old = self._window
        if old is None or not self._is_restarting or self._start_again is None:
            return
        self._is_restarting = False
        self._theme = old.theme()
        self._qt.setQuitOnLastWindowClosed(False)
        place = old.saveGeometry()
        old.close()
        old.deleteLater()
        self._show(self._start_again(), place)
        self._qt.setQuitOnLastWindowClosed(True)

    def _take_signal(self, number: int) -> None:
        """Terminating or hanging up closes the window; so does Ctrl+C once the script is over (before, it is the script's)."""
        window = self._window
        if window is not None and (number in (signal.SIGTERM, signal.SIGHUP) or (number == signal.SIGINT and window.status.state in OVER)):
            window.close()


def application() -> QApplication:
    """The process's QApplication, made if need be."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QApplication.setApplicationName("TensorScope")
    QApplication.setApplicationDisplayName("TensorScope")
    QApplication.setDesktopFileName("tensorscope")
    return QApplication(sys.argv[:1])


@contextmanager
def _python_signals(take: Callable[[int], None]) -> Iterator[None]:
    """Let Python's signal handlers run while Qt's loop has the thread: each signal's number arrives at a pipe that Qt watches."""
    reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    notifier = QSocketNotifier(reading, QSocketNotifier.Type.Read)

    def arrived() -> None:
        for number in os.read(reading, 64):
            take(number)

    notifier.activated.connect(arrived)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        notifier.setEnabled(False)
        os.close(reading)
        os.close(writing)
