"""Paints into a PDF file with the painters of the screen."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMarginsF, QSizeF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

_DPI: Final = 96
_POINTS_AN_INCH: Final = 72
_LARGEST: Final = 14_400  # points a side that readers of PDF open (ISO 32000-1, annex C)


def paint_pdf(path: Path, width: int, height: int, title: str, paint: Callable[[QPainter], None]) -> None:
    """One page of ``width`` × ``height`` pixels at 96 dpi, smaller where no reader would open it: shapes stay shapes, words stay text, their fonts are
    embedded. Raises OSError where the file cannot be written."""
    points = _POINTS_AN_INCH / _DPI
    shrunk = min(_LARGEST / (max(width, height) * points), 1.0)
    writer = QPdfWriter(str(path))
    writer.setResolution(_DPI)
    writer.setTitle(title)
    writer.setCreator("TensorScope")
    writer.setPageSize(QPageSize(QSizeF(width, height) * points * shrunk, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF())
    painter = QPainter()
    if not painter.begin(writer):
        raise OSError(0, "the picture could not be stored")
    painter.scale(shrunk, shrunk)
    paint(painter)
    painter.end()
