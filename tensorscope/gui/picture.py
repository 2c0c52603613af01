"""The picture of the whole window, made from a recording without a screen: for ``export --window-png``, the README and tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QEventLoop, QPoint, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from tensorscope.errors import TensorScopeError
from tensorscope.export.offscreen import offscreen_application
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.settings import Settings
from tensorscope.language import tr
from tensorscope.render.theme import Theme
from tensorscope.session.replay import ReplaySession
from tensorscope.session.session import Session

PATIENCE_S: Final = 120.0
METER_PER_INCH: Final = 0.0254


def window_picture(
    path: Path,
    size: tuple[int, int] = (1600, 900),
    theme: str = "dark",
    *,
    dpi: int = 96,
    cursor_ns: int | None = None,
    range_ns: tuple[int, int] | None = None,
    rank: int | None = None,
) -> QImage:
    """The window over a recording, ``size`` in pixels at 96 dpi; other ``dpi`` scale it. Raises TensorScopeError.

    Main thread; needs no display. Waits until every panel is filled.
    """
    with offscreen_application(lambda: QApplication(["tensorscope"])):
        return session_picture(ReplaySession(path), size, theme, dpi=dpi, prepare=lambda window: _look_at(window, cursor_ns, range_ns, rank))


def session_picture(
    session: Session, size: tuple[int, int] = (1600, 900), theme: str = "dark", *, dpi: int = 96, prepare: Callable[[MainWindow], None] | None = None
) -> QImage:
    """The same over any session, which it closes; needs a QApplication. ``prepare`` may choose what is shown."""
    window = MainWindow(session, Theme.named(theme), Settings(is_kept=False))
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    try:
        window.resize(*size)
        window.show()
        _wait_until_ready(window)
        if prepare is not None:
            prepare(window)
            _wait_until_ready(window)
        return _painted(window, dpi / 96)
    finally:
        window.close()
        window.deleteLater()
        QApplication.sendPostedEvents(None, 0)


def _look_at(window: MainWindow, cursor_ns: int | None, range_ns: tuple[int, int] | None, rank: int | None) -> None:
    if rank is not None:
        window.workspace.show_rank(rank)
    if range_ns is not None:
        window.workspace.follow(False)
        window.workspace.show_range(range_ns)
    if cursor_ns is not None:
        window.workspace.move_cursor(cursor_ns)


def _wait_until_ready(window: MainWindow) -> None:
    """Run the event loop until nothing is left to do; the first failure of a panel is raised."""
    deadline = monotonic() + PATIENCE_S
    quiet = 0
    while quiet < 3:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        quiet = quiet + 1 if window.is_ready else 0
        if window.failures:
            raise window.failures[0][1]
        if monotonic() > deadline:
            raise TensorScopeError(tr("The picture of the window took longer than two minutes; try a smaller recording."))


def _painted(window: MainWindow, scale: float) -> QImage:
    size = QSize(round(window.width() * scale), round(window.height() * scale))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(window.theme().color("surface.window"))
    with QPainter(image) as painter:
        window.render(painter, QPoint())
    dots = round(96 * scale / METER_PER_INCH)
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)
    return image
