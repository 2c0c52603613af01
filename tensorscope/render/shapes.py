"""Polygons from NumPy arrays without a Python object per point."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, QDataStream
from PySide6.QtGui import QPolygonF

from tensorscope.analysis.results import Floats


def polygon(x: Floats, y: Floats) -> QPolygonF:
    """A polygon through the points (x[i], y[i]), through the stream format of ``QPolygonF``: a count and big-endian pairs of doubles."""
    points = np.empty((len(x), 2), ">f8")
    points[:, 0], points[:, 1] = x, y
    result = QPolygonF()
    QDataStream(QByteArray(len(x).to_bytes(4, "big") + points.tobytes())) >> result
    return result


def step_band(edges: Floats, top: Floats, bottom: Floats) -> QPolygonF:
    """The area between two step functions over the same columns."""
    is_new = np.concatenate([[True], (top[1:] != top[:-1]) | (bottom[1:] != bottom[:-1])])
    starts = np.flatnonzero(is_new)
    x, upper = _corners(edges, top, starts)
    _, lower = _corners(edges, bottom, starts)
    return polygon(np.concatenate([x, x[::-1]]), np.concatenate([upper, lower[::-1]]))


def runs_of(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The [first, last) of every run of True."""
    borders = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return list(zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True))


def _corners(edges: Floats, y: Floats, starts: NDArray[np.intp]) -> tuple[Floats, Floats]:
    x = np.empty(2 * len(starts))
    x[::2], x[1::2] = edges[starts], edges[np.append(starts[1:], len(y))]
    return x, np.repeat(y[starts], 2)
