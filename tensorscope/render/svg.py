"""Paints into an SVG file with the painters of the screen."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

_DPI = 96
_WIDE = b",Noto Sans,DejaVu Sans,"  # as the tokens name them: where Inter is missing, words in these would run into one another
_NARROW = b",Helvetica Neue,Arial,Liberation Sans"


def paint_svg(path: Path, width: int, height: int, title: str, paint: Callable[[QPainter], None]) -> None:
    """Shapes stay shapes and words stay text. Raises OSError where the file cannot be written."""
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(QSize(width, height))
    generator.setViewBox(QRectF(0, 0, width, height))
    generator.setResolution(_DPI)
    generator.setTitle(title)
    painter = QPainter()
    if not painter.begin(generator):
        raise OSError(0, "the picture could not be stored")
    paint(painter)
    painter.end()
    path.write_bytes(path.read_bytes().replace(_WIDE, _NARROW + _WIDE))
