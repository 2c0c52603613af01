"""The command line in a process of its own whose window tells how it stands, a JSON line at each change, and does what it is asked, a word a line.

``python -m tests.support.driven_window WORDS…``: as after ``tensorscope``. Asked on stdin: the name of an action of the window, or ``break SPEC``.
"""

import json
import os
import sys
from typing import Any

from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from tensorscope.cli.main import main
from tensorscope.gui import app, welcome
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.welcome import Welcome

LOOK_MS = 30


class Driver:
    """Lives as long as the process."""

    def __init__(self) -> None:
        self._told: dict[str, Any] = {}
        self._waiting = b""
        self._timer = QTimer(interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        os.set_blocking(0, False)
        self._notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._read)

    def _look(self) -> None:
        state = self._state()
        if state != self._told:
            self._told = state
            os.write(1, json.dumps(state).encode() + b"\n")

    def _state(self) -> dict[str, Any]:
        window = main_window()
        focus = QApplication.focusWidget()
        state: dict[str, Any] = {
            "welcome": any(isinstance(widget, Welcome) and widget.isVisible() for widget in QApplication.topLevelWidgets()),
            "dialog": any(isinstance(widget, QFileDialog) and widget.isVisible() for widget in QApplication.topLevelWidgets()),
            "active": type(QApplication.activeWindow()).__name__,
            "top_id": int(shown[-1].winId()) if (shown := _shown_windows()) else 0,
            "focus": type(focus).__name__,
            "focus_name": focus.accessibleName() if focus is not None else "",
            "text": focus.currentItem().text() if type(focus).__name__ == "ChoiceList" and focus.currentItem() is not None else "",  # type: ignore[union-attr]
        }
        if window is None:
            return state
        return state | {
            "ready": window.is_ready,
            "is_quiet": not window.supply.failures,
            "state": window.status.state.value,
            "held": (window.status.held or {}).get("position"),
            "iterations": len(window.snapshot.iterations),
            "panel": window.deck.focused.key if window.deck.focused is not None else "",
            "selection": repr(window.workspace.selection),
            "cursor_ns": window.workspace.cursor_ns,
            "breakpoints": list(window.breakpoints.specs),
            "undocked": [one.key for one in window.deck.windows],
            "notice": window.status_bar.notice,
            "theme": window.theme().name,
            "strip": (lambda at: (at.x(), at.y()))(window.scrubber.strip.mapToGlobal(window.scrubber.strip.rect().center())),
        }

    def _read(self) -> None:
        text = os.read(0, 65536)
        if not text:
            self._notifier.setEnabled(False)
            return
        *lines, self._waiting = (self._waiting + text).split(b"\n")
        for line in lines:
            self._do(line.decode())

    @staticmethod
    def _do(line: str) -> None:
        window = main_window()
        if window is None:
            return
        word, _, rest = line.partition(" ")
        if word == "break":
            window.breakpoints.add(rest)
        else:
            window.actions_by_name[word].trigger()


def _shown_windows() -> list[QWidget]:
    """Windows, those of dialogs last."""
    shown = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget.isWindow()]
    kinds = (Welcome, MainWindow, QFileDialog)
    return sorted((widget for widget in shown if isinstance(widget, kinds)), key=lambda widget: kinds.index(type(widget)))  # type: ignore[arg-type]


def main_window() -> MainWindow | None:
    return next((widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow) and widget.isVisible()), None)


_make = app.application
_drivers: list[Driver] = []


def _application() -> QApplication:
    qt = _make()
    if not _drivers:
        _drivers.append(Driver())
    return qt


if __name__ == "__main__":
    app.application = welcome.application = _application
    code = main(sys.argv[1:])
    _drivers.clear()
    sys.exit(code)
