"""What the training loop did in each iteration besides its backward: learning rates, loss scale, accumulation, clipping, skipped steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.gradients import parameter_name
from tensorscope.analysis.iterations import backward_spans, iteration_at
from tensorscope.analysis.results import Floats, Ints, Iteration
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.schema import MARKS
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class LearningRate:
    """Of the first parameter group of one optimizer, [iterations]; nan where it made no step."""

    optimizer: str
    rates: Floats
    parameters: frozenset[str]  # names of those it holds


@dataclass(frozen=True, slots=True)
class TrainingMarks:
    """Arrays [iterations]; the first belongs to iteration ``first_iteration``."""

    first_iteration: int
    learning_rates: tuple[LearningRate, ...]  # in order of the optimizers' first steps
    loss_scale: Floats  # what GradScaler divided by, nan where it did not
    accumulated: Ints  # backwards, outermost ones, with no zero_grad between them; 0 without any
    clip_limit: Floats  # of the last clip call, nan without one
    clip_norm: Floats  # total norm before it; nan where it is not known (clip_grad_value_)
    is_skipped: NDArray[np.bool_]  # GradScaler skipped an optimizer's step

    @property
    def is_clipped(self) -> NDArray[np.bool_]:
        """The clip call made the gradients smaller, or may have (clipping by value tells no norm)."""
        return ~np.isnan(self.clip_limit) & ~(self.clip_norm <= self.clip_limit)


def training_marks(snapshot: Snapshot, bounds: Sequence[Iteration] | Sequence[tuple[int, int, int, bool]]) -> TrainingMarks:
    """``bounds`` are all iterations in order. A mark belongs to the iteration in which it began."""
    indices = [one.index if isinstance(one, Iteration) else one[0] for one in bounds]
    first, count = (indices[0], indices[-1] - indices[0] + 1) if indices else (0, 0)
    marks = snapshot.table(MARKS)
    kinds, begins = marks.column("mark"), marks.column("begin_ns").astype(np.int64)
    places = iteration_at(bounds, begins) - first
    is_inside = (places >= 0) & (places < count)

    def of_kind(kind: MarkKind) -> NDArray[np.intp]:
        rows = np.flatnonzero((kinds == kind) & is_inside)
        return rows[np.argsort(begins[rows], kind="stable")]

    def values(rows: NDArray[np.intp], column: str) -> Floats:
        line = np.full(count, np.nan)
        line[places[rows]] = marks.column(column)[rows]
        return line

    steps, clips = of_kind(MarkKind.OPTIMIZER_STEP), of_kind(MarkKind.CLIP)
    is_skipped = np.zeros(count, np.bool_)
    is_skipped[places[of_kind(MarkKind.SCALER_SKIP)]] = True
    optimizers = marks.column("a")
    known = dict.fromkeys(optimizers[steps].tolist())
    return TrainingMarks(
        first_iteration=first,
        learning_rates=tuple(LearningRate(_name(snapshot, one), values(steps[optimizers[steps] == one], "x"), _held(snapshot, one)) for one in known),
        loss_scale=values(of_kind(MarkKind.UNSCALE), "x"),
        accumulated=_accumulated(snapshot, bounds, first, count, begins[kinds == MarkKind.ZERO_GRAD]),
        clip_limit=values(clips, "x"),
        clip_norm=values(clips, "y"),
        is_skipped=is_skipped,
    )


def _accumulated(snapshot: Snapshot, bounds: Sequence[Iteration] | Sequence[tuple[int, int, int, bool]], first: int, count: int, zeroed_ns: Ints) -> Ints:
    """The longest run of an iteration's backwards without a ``zero_grad`` between them."""
    result = np.zeros(count, np.int64)
    begins = np.array([begin for _, begin, _ in backward_spans(snapshot)], np.int64)
    if not len(begins) or not count:
        return result
    place = iteration_at(bounds, begins) - first
    zeroed = np.searchsorted(np.sort(zeroed_ns), begins)
    is_new = np.ones(len(begins), np.bool_)
    is_new[1:] = (np.diff(place) != 0) | (np.diff(zeroed) != 0)
    run = np.cumsum(is_new)
    length = np.arange(len(begins)) - np.flatnonzero(is_new)[run - 1] + 1
    is_inside = (place >= 0) & (place < count)
    np.maximum.at(result, place[is_inside], length[is_inside])
    return result


def _name(snapshot: Snapshot, optimizer: int) -> str:
    told = snapshot.optimizers.get(optimizer, {})
    return str(told.get("name") or told.get("class") or "")


def _held(snapshot: Snapshot, optimizer: int) -> frozenset[str]:
    held = snapshot.optimizers.get(optimizer, {}).get("parameters", ())
    return frozenset(parameter_name(snapshot, int(identity)) for identity in held)
