"""A Qt application without a screen, for painting into files."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtGui import QGuiApplication

from tensorscope.render.fonts import load_fonts

_PLATFORM = "QT_QPA_PLATFORM"


@contextmanager
def offscreen_application(make: Callable[[], QGuiApplication] | None = None) -> Iterator[None]:
    """What painting needs while the block runs: the application that is there already, else one of ``make`` that shows nothing."""
    if QGuiApplication.instance() is not None:
        yield
        return
    before = os.environ.get(_PLATFORM)
    os.environ[_PLATFORM] = "offscreen"
    application = make() if make is not None else QGuiApplication(sys.argv[:1])
    load_fonts()  # each application starts without them, and themes keep the fonts they made under the one before
    try:
        yield
    finally:
        application.shutdown()
        if before is None:
            del os.environ[_PLATFORM]
        else:
            os.environ[_PLATFORM] = before
