"""The lanes under the gradient map: learning rates and loss scale as lines, accumulated, clipped and skipped steps as marks."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Floats
from tensorscope.analysis.training_marks import TrainingMarks
from tensorscope.language import tr

_MOST_RATES: Final = 3


class StepMark(IntFlag):
    """What happened in an iteration besides one backward and one step."""

    ACCUMULATED = 1
    CLIPPED = 2
    SKIPPED = 4


@dataclass(frozen=True, slots=True)
class Lane:
    """One line: what held in each iteration, nan before the first value."""

    title: str
    values: Floats  # [iterations]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GradientLanes:
    first_iteration: int
    lines: tuple[Lane, ...] = ()
    marks: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))  # [iterations] of StepMark

    @property
    def kinds(self) -> StepMark:
        """Those that occur."""
        return StepMark(int(np.bitwise_or.reduce(self.marks, initial=0)))

    def window(self, first: int, last: int, step: int) -> NDArray[np.uint8]:
        """Marks of iterations [first, last), those of every ``step`` together."""
        marks = self.marks[max(first, 0) : last]
        return marks if step <= 1 or not len(marks) else np.bitwise_or.reduceat(marks, np.arange(0, len(marks), step))


def gradient_lanes(told: TrainingMarks) -> GradientLanes:
    many = len(told.learning_rates) > 1
    lines = [_lane(f"{tr('lr')} {one.optimizer}" if many else tr("lr"), one.rates) for one in told.learning_rates[:_MOST_RATES]]
    if not np.isnan(told.loss_scale).all():
        lines.append(_lane(tr("loss scale"), told.loss_scale))
    marks = np.where(told.accumulated > 1, StepMark.ACCUMULATED, 0) | np.where(told.is_clipped, StepMark.CLIPPED, 0)
    marks |= np.where(told.is_skipped, StepMark.SKIPPED, 0)
    return GradientLanes(told.first_iteration, tuple(line for line in lines if np.isfinite(line.values).any()), marks.astype(np.uint8))


def _lane(title: str, values: Floats) -> Lane:
    held = carried(values)
    known = held[np.isfinite(held)]
    return Lane(title, held, float(known.min()) if len(known) else 0.0, float(known.max()) if len(known) else 0.0)


def carried(values: Floats) -> Floats:
    """Every nan replaced by the value before it."""
    if not len(values):
        return values
    at = np.maximum.accumulate(np.where(np.isnan(values), -1, np.arange(len(values))))
    return np.where(at >= 0, values[at], np.nan)
