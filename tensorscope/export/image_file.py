"""Stores a finished image."""

from pathlib import Path

from PySide6.QtGui import QImage, QImageWriter

from tensorscope.export.files import write_atomically


def save_png(path: Path, image: QImage) -> None:
    """As PNG, whatever the name ends with. Raises TensorScopeError where the file cannot be written."""

    def write(target: Path) -> None:
        writer = QImageWriter(str(target), b"png")
        if not writer.write(image):
            raise OSError(0, writer.errorString())

    write_atomically(path, write)
