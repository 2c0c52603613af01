"""Writes a PNG of any size in strips of rows, so that a picture of 100,000 pixels a side needs the memory of one strip."""

import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
EIGHT_BIT_RGB: Final = bytes((8, 2, 0, 0, 0))
PIXELS_PER_METER: Final = 1
INCH: Final = 0.0254


def write_png(path: Path, width: int, height: int, dpi: int, strips: Iterable[NDArray[np.uint8]]) -> None:
    """``strips``: [rows, width, 3], together ``height`` rows. The format: W3C PNG, third edition. Raises OSError."""
    packer = zlib.compressobj(6)
    with path.open("wb") as file:

        def chunk(kind: bytes, content: bytes) -> None:
            file.write(struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content)))

        file.write(SIGNATURE)
        chunk(b"IHDR", struct.pack(">II", width, height) + EIGHT_BIT_RGB)
        dots = round(dpi / INCH)
        chunk(b"pHYs", struct.pack(">IIB", dots, dots, PIXELS_PER_METER))
        for strip in strips:
            rows = np.zeros((len(strip), 1 + width * 3), np.uint8)  # each row begins with its filter: 0, none
            rows[:, 1:] = strip.reshape(len(strip), -1)
            packed = packer.compress(rows.tobytes())
            if packed:
                chunk(b"IDAT", packed)
        chunk(b"IDAT", packer.flush())
        chunk(b"IEND", b"")
