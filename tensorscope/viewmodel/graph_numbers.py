"""What is known of the gradients of one backward: of parameters from the agent's statistics, of other nodes where the script stopped at them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tensorscope.analysis.gradients import UNREAD, parameter_name
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.schema import GRADIENTS
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class GradientNumbers:
    """``norm`` is nan or inf where an element is not finite, None where it was not read."""

    norm: float | None
    nonfinite: int
    name: str = ""  # at a stop, as the agent calls it
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class KnownGradients:
    parameters: Mapping[str, GradientNumbers] = field(default_factory=dict)  # by FQN: ``.grad`` as it stood at the backward's end
    taken: Mapping[int, tuple[GradientNumbers, ...]] = field(default_factory=dict)  # by node id: what it takes
    given: Mapping[int, tuple[GradientNumbers, ...]] = field(default_factory=dict)  # by node id: what it gave


def known_gradients(snapshot: Snapshot, backward: int) -> KnownGradients:
    """Of a backward (0-based)."""
    table = snapshot.table(GRADIENTS)
    rows = np.flatnonzero((table.column("backward") == backward + 1) & (table.column("stage") == GradientStage.RAW))
    columns = [table.column(name)[rows].tolist() for name in ("parameter", "flags", "sum_squares", "max_abs", "nonfinite")]
    parameters = {
        parameter_name(snapshot, identity): GradientNumbers(None if flags & UNREAD else _norm(squares, largest, nonfinite), nonfinite)
        for identity, flags, squares, largest, nonfinite in zip(*columns, strict=True)
    }
    holds = [held for held in snapshot.holds if held.get("backward") == backward + 1]
    taken = {int(held["node_index"]): _told(held.get("gradients_in", ())) for held in holds}
    finished = [held["finished"] for held in holds if held.get("finished")]
    return KnownGradients(parameters, taken, {int(told["index"]): _told(told.get("gradients_out", ())) for told in finished})


def joined_norm(numbers: Iterable[GradientNumbers]) -> float | None:
    """The norm over several gradients; None if none is known."""
    known = [one.norm for one in numbers if one.norm is not None]
    return math.sqrt(sum(norm * norm for norm in known)) if known else None


def _norm(sum_squares: float, max_abs: float, nonfinite: int) -> float:
    """As ``p.grad.double().norm()``: nan if an element is, else inf if one is."""
    if nonfinite:
        return math.inf if math.isinf(max_abs) else math.nan
    return math.sqrt(sum_squares)


def _told(stats: Iterable[Mapping[str, Any]]) -> tuple[GradientNumbers, ...]:
    """JSON has no words for nan and the infinities: they come as text."""
    return tuple(
        GradientNumbers(
            float(one["norm"]) if one.get("norm") is not None else None,
            int(one.get("nonfinite") or 0),
            str(one.get("name", "")),
            tuple(one["shape"]) if one.get("shape") is not None else None,
        )
        for one in stats
    )
