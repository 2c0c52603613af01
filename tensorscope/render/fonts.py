"""The shipped fonts, given to Qt once a process: so that a window looks the same on every machine."""

from typing import Final

from PySide6.QtGui import QFontDatabase

from tensorscope.render.resource_files import resource_path

_FILES: Final = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf", "JetBrainsMono-Medium.ttf")


def load_fonts() -> None:
    """Add the fonts unless they are there; needs a QGuiApplication. A missing file leaves the families' fallbacks."""
    if "Inter" in QFontDatabase.families() and "JetBrains Mono" in QFontDatabase.families():
        return
    for name in _FILES:
        QFontDatabase.addApplicationFont(str(resource_path(f"fonts/{name}")))
