"""Which part of the gradient map is in sight, and how wheel, drag and keys change it. Spans are (first, last) in iterations or rows; None is all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

Span = tuple[float, float]
ZOOM_STEP: Final = 1.25  # a wheel notch
PAN_STEP: Final = 0.15  # of what is in sight, a key press
LEAST_ITERATIONS: Final = 4.0
LEAST_ROWS: Final = 4.0


@dataclass(frozen=True, slots=True)
class MapSight:
    """What is in sight of a map with ``whole_iterations`` and ``whole_rows``."""

    whole_iterations: Span = (0.0, 1.0)
    whole_rows: Span = (0.0, 1.0)
    iterations: Span | None = None
    rows: Span | None = None

    @property
    def columns_shown(self) -> Span:
        return self.iterations or self.whole_iterations

    @property
    def rows_shown(self) -> Span:
        return self.rows or self.whole_rows

    @property
    def is_whole(self) -> bool:
        return self.iterations is None and self.rows is None

    def of_map(self, whole_iterations: Span, whole_rows: Span) -> MapSight:
        """The same for a map that has grown or has other rows; what is no longer there goes out of sight."""
        rows = self.rows if whole_rows == self.whole_rows else None
        sight = MapSight(whole_iterations, whole_rows, self.iterations, rows)
        return sight.showing(iterations=sight.columns_shown) if self.iterations is not None else sight

    def showing(self, iterations: Span | None = None, rows: Span | None = None) -> MapSight:
        """Other spans, kept within the whole; those not given stay."""
        sight = self
        if iterations is not None:
            sight = replace(sight, iterations=_kept(iterations, sight.whole_iterations, LEAST_ITERATIONS))
        if rows is not None:
            sight = replace(sight, rows=_kept(rows, sight.whole_rows, LEAST_ROWS))
        return sight

    def all(self) -> MapSight:
        return MapSight(self.whole_iterations, self.whole_rows)

    def zoomed_iterations(self, at: float, factor: float) -> MapSight:
        """``factor`` below 1 zooms in; iteration ``at`` stays where it is."""
        return self.showing(iterations=_zoomed(self.columns_shown, at, factor))

    def zoomed_rows(self, at: float, factor: float) -> MapSight:
        return self.showing(rows=_zoomed(self.rows_shown, at, factor))

    def panned(self, iterations: float = 0.0, rows: float = 0.0) -> MapSight:
        """Moved by so many iterations and rows, not past the ends."""
        sight = self
        if iterations and self.iterations is not None:
            sight = sight.showing(iterations=(self.iterations[0] + iterations, self.iterations[1] + iterations))
        if rows and self.rows is not None:
            sight = sight.showing(rows=(self.rows[0] + rows, self.rows[1] + rows))
        return sight

    def revealing(self, iteration: int | None = None, row: int | None = None) -> MapSight:
        """Moved as little as needed so that a cell is in sight."""
        sight = self
        if iteration is not None and self.iterations is not None:
            sight = sight.panned(iterations=_way_to(self.iterations, iteration))
        if row is not None and self.rows is not None:
            sight = sight.panned(rows=_way_to(self.rows, row))
        return sight


def _zoomed(span: Span, at: float, factor: float) -> Span:
    return at - (at - span[0]) * factor, at + (span[1] - at) * factor


def _kept(span: Span, whole: Span, least: float) -> Span | None:
    """Within the whole and not too narrow; None where it is all of it."""
    length = max(span[1] - span[0], min(least, whole[1] - whole[0]))
    if length >= (whole[1] - whole[0]) * 0.999:
        return None
    middle = (span[0] + span[1]) / 2
    first = min(max(middle - length / 2, whole[0]), whole[1] - length)
    return first, first + length


def _way_to(span: Span, place: int) -> float:
    return min(place - span[0], 0.0) + max(place + 1 - span[1], 0.0)
