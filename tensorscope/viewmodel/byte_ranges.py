"""Which bytes of a storage a strided tensor reaches, fitted to a bar of pixels.

Stretches finer than the bar can show are drawn as a comb whose teeth have the true share and place within their period, and a longer period.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tensorscope.analysis.results import StorageTensor

_LEAST_PERIOD: Final = 3.0  # pixels from which a period is drawn to scale
_COMB_PERIOD: Final = 10.0  # pixels of a period that is not
_MOST_SEGMENTS: Final = 2_000

Segment = tuple[float, float]  # from, to in pixels


@dataclass(frozen=True, slots=True)
class ByteBar:
    """A bar's filled stretches in pixels from its left end."""

    segments: tuple[Segment, ...]
    is_schematic: bool = False  # some period is drawn longer than it is
    is_expanded: bool = False  # a dimension of stride 0: the same bytes stand for several elements


@dataclass(frozen=True, slots=True)
class _Pattern:
    """``count`` copies of what is inside, each ``stride`` bytes after the other, outermost first; ``run`` contiguous bytes innermost."""

    loops: tuple[tuple[int, int], ...]
    run: int


def byte_bar(tensor: StorageTensor, nbytes: int, width: float, least: float) -> ByteBar:
    """The bytes of one tensor on a bar of ``width`` pixels for ``nbytes``; no stretch is narrower than ``least``."""
    is_expanded = any(step == 0 and size > 1 for size, step in zip(tensor.shape, tensor.stride, strict=True))
    if nbytes <= 0 or tensor.end_byte <= tensor.begin_byte:
        return ByteBar((), is_expanded=is_expanded)
    scale = width / nbytes
    segments, is_schematic = _segments(_pattern(tensor), tensor.begin_byte, scale)
    wide = [(begin, max(end, begin + least)) for begin, end in segments]
    shifted = [(begin - max(0.0, end - width), min(end, width)) for begin, end in wide]
    return ByteBar(join_segments(shifted), is_schematic, is_expanded)


def covered(bars: Iterable[ByteBar]) -> tuple[Segment, ...]:
    """What any of the bars fills."""
    return join_segments([segment for bar in bars for segment in bar.segments])


def join_segments(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    joined: list[Segment] = []
    for begin, end in sorted(segments):
        if joined and begin <= joined[-1][1] + 1e-9:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return tuple(joined)


def share_reached(tensor: StorageTensor, nbytes: int) -> float:
    """The share of a storage's bytes that lie in the tensor, overlaps counted once."""
    pattern = _pattern(tensor)
    reached = pattern.run
    for count, _ in pattern.loops:
        reached *= count
    return min(reached / nbytes, 1.0) if nbytes else 0.0


def element_bytes(tensor: StorageTensor) -> int:
    """Bytes of its elements, each counted as often as it stands there: what a contiguous copy takes."""
    count = 1
    for size in tensor.shape:
        count *= size
    return count * _itemsize(tensor) if count else 0


def _itemsize(tensor: StorageTensor) -> int:
    reach = 1 + sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride, strict=True))
    return max((tensor.end_byte - tensor.begin_byte) // max(reach, 1), 1)


def _pattern(tensor: StorageTensor) -> _Pattern:
    """Dimensions by falling stride, the contiguous and overlapping ones joined into the run."""
    if 0 in tensor.shape:
        return _Pattern((), 0)
    itemsize = _itemsize(tensor)
    loops = sorted((step * itemsize, size) for size, step in zip(tensor.shape, tensor.stride, strict=True) if size > 1 and step > 0)
    run = itemsize
    outer: list[tuple[int, int]] = []
    for stride, count in loops:
        if not outer and stride <= run:
            run += (count - 1) * stride
        else:
            outer.append((count, stride))
    return _Pattern(tuple(reversed(outer)), run)


def _segments(pattern: _Pattern, begin: int, scale: float) -> tuple[list[Segment], bool]:
    starts = [begin]
    for place, (count, stride) in enumerate(pattern.loops):
        if stride * scale < _LEAST_PERIOD or len(starts) * count > _MOST_SEGMENTS:
            return [tooth for start in starts for tooth in _comb(pattern, place, start, scale)], True
        starts = [start + index * stride for start in starts for index in range(count)]
    return [(start * scale, (start + pattern.run) * scale) for start in starts], False


def _comb(pattern: _Pattern, place: int, start: int, scale: float) -> list[Segment]:
    """The loops from ``place`` on, with a period long enough to be seen."""
    count, stride = pattern.loops[place]
    inner = pattern.run + sum((inner_count - 1) * inner_stride for inner_count, inner_stride in pattern.loops[place + 1 :])
    share, phase = min(inner / stride, 1.0), (start % stride) / stride
    left, length = (start - start % stride) * scale, count * stride * scale
    teeth = max(1, round(length / _COMB_PERIOD))
    period = length / teeth
    return [(left + (index + phase) * period, left + (index + phase + share) * period) for index in range(teeth)]
