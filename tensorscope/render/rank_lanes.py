"""Paints the ranks' lanes below the strip of the whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.rank_lanes import RankLane

GAP: Final = 2.0
HEIGHTS: Final = ((4, 11.0), (8, 9.0), (16, 6.0))  # of a lane, for as many of them
LEAST_HEIGHT: Final = 4.0
SLOW_HEIGHT: Final = 2.0
LEAST_TURN: Final = 4.0  # pixels from which iterations are told apart
LINE: Final = 12.0
SIDE: Final = 8.0
_ENDS: Final = {"died": "severity.error", "held": "exec.base"}


@dataclass(frozen=True, slots=True)
class LanesLook:
    """The lanes, where the strip above them begins and ends, the shown rank's and the hovered lane's number."""

    lanes: tuple[RankLane, ...]
    left: float
    right: float
    shown: int
    hovered: int | None = None


def lane_height(count: int) -> float:
    return next((height for most, height in HEIGHTS if count <= most), LEAST_HEIGHT)


def lanes_height(count: int) -> float:
    """Of all lanes together, with the gap below each."""
    return count * (lane_height(count) + GAP)


def lane_at(y: float, count: int) -> int | None:
    """The lane at a height."""
    at = int(y // (lane_height(count) + GAP))
    return at if 0 <= at < count else None


def paint_lanes(painter: QPainter, look: LanesLook, width: float, theme: Theme) -> None:
    """From the top of the painter's area, which is ``width`` wide: labels and notes stand left of the strip."""
    height = lane_height(len(look.lanes))
    for place, lane in enumerate(look.lanes):
        area = QRectF(look.left, place * (height + GAP), look.right - look.left, height)
        if lane.rank == look.shown or place == look.hovered:
            role = "surface.selected" if lane.rank == look.shown else "surface.hover"
            painter.fillRect(QRectF(0, area.top() - GAP / 2, width, height + GAP), theme.color(role))
        _paint_lane(painter, area, lane, theme)
    _paint_words(painter, look, height, theme)


def paint_lane_cursor(painter: QPainter, look: LanesLook, position: float, height: float, theme: Theme) -> None:
    """The cursor of the strip above, on through the lanes."""
    width = theme.px("line.cursor")
    x = min(look.left + position * (look.right - look.left), look.right - width)
    painter.fillRect(QRectF(x, 0, width, height), theme.color("accent.base"))


def _paint_lane(painter: QPainter, area: QRectF, lane: RankLane, theme: Theme) -> None:
    painter.save()
    painter.setClipRect(area)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(area, theme.color("surface.header"))
    for strip in lane.strips:
        left = area.left() + strip.begin * area.width()
        painter.fillRect(QRectF(left, area.top(), (strip.end - strip.begin) * area.width(), area.height()), theme.color(f"phase.{strip.kind}"))
    if area.width() > LEAST_TURN * len(lane.turns):
        for turn in lane.turns:
            painter.fillRect(QRectF(area.left() + turn * area.width(), area.top(), 1, area.height()), theme.color("surface.header"))
    for begin, end in lane.slow:
        left = area.left() + begin * area.width()
        painter.fillRect(QRectF(left, area.bottom() - SLOW_HEIGHT, max((end - begin) * area.width() - 1, 1), SLOW_HEIGHT), theme.color("severity.warning"))
    if lane.how in _ENDS:
        x = min(area.left() + lane.end * area.width(), area.right() - 3)
        painter.fillRect(QRectF(x, area.top(), 3, area.height()), theme.color(_ENDS[lane.how]))
    painter.restore()


def _paint_words(painter: QPainter, look: LanesLook, height: float, theme: Theme) -> None:
    """Where there is no room for all: the shown rank's first, then what is wrong, then from the top."""
    taken: list[float] = []
    for place in _by_worth(look.lanes, look.shown):
        lane, middle = look.lanes[place], place * (height + GAP) + height / 2
        if any(abs(middle - other) < LINE - 1 for other in taken) and height < LINE - GAP:
            continue
        taken.append(middle)
        is_shown = lane.rank == look.shown
        font = theme.font("caption", "semibold" if is_shown else None)
        role = "severity.error" if lane.how == "died" else "severity.warning" if lane.is_noted else "text.secondary"
        row = QRectF(SIDE, middle - LINE / 2, look.left - 2 * SIDE, LINE)
        used = draw_text(painter, row, lane.note, font, theme.color(role), Qt.AlignmentFlag.AlignRight)
        draw_text(painter, row.adjusted(0, 0, -used - SIDE, 0), lane.label, font, theme.color("text.strong" if is_shown else "text.secondary"))


def _by_worth(lanes: Sequence[RankLane], shown: int) -> list[int]:
    return sorted(range(len(lanes)), key=lambda place: (lanes[place].rank != shown, not lanes[place].is_noted, place))
