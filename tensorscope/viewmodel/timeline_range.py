"""Zoom, pan and follow on a time axis, kept within what there is. Ranges are (begin_ns, end_ns)."""

from typing import Final

LEAST_NS: Final = 2_000
ZOOM_STEP: Final = 1.25  # a wheel notch
PAN_STEP: Final = 0.15  # of the range, a key press
_ROOM_AFTER: Final = 0.04  # of the range, shown after the newest moment while live

Range = tuple[int, int]


def zoomed(range_ns: Range, at_ns: int, factor: float, whole: Range) -> Range:
    """``factor`` below 1 zooms in; the moment ``at_ns`` stays where it is."""
    begin, end = range_ns
    length = min(max(round((end - begin) * factor), LEAST_NS), whole[1] - whole[0])
    share = (at_ns - begin) / max(end - begin, 1)
    return panned((round(at_ns - share * length), round(at_ns - share * length) + length), 0, whole)


def panned(range_ns: Range, by_ns: int, whole: Range) -> Range:
    """Moved, but not past the ends."""
    begin, end = range_ns[0] + by_ns, range_ns[1] + by_ns
    length = min(end - begin, whole[1] - whole[0])
    begin = min(max(begin, whole[0]), whole[1] - length)
    return begin, begin + length


def around(range_ns: Range, time_ns: int, whole: Range) -> Range:
    """Moved so that a moment stands in the middle; unchanged where it is in sight already."""
    begin, end = range_ns
    margin = (end - begin) // 20
    if begin + margin <= time_ns <= end - margin:
        return range_ns
    return panned(range_ns, time_ns - (begin + end) // 2, whole)


def with_room(begin_ns: int, end_ns: int, *, is_live: bool) -> Range:
    """The whole of a run; with a little of the future while it is live."""
    return begin_ns, end_ns + (round((end_ns - begin_ns) * _ROOM_AFTER) if is_live else 0)


def followed(range_ns: Range, end_ns: int) -> Range:
    """Same length, with the newest moment near the right end."""
    length = range_ns[1] - range_ns[0]
    end = end_ns + round(length * _ROOM_AFTER)
    return end - length, end
