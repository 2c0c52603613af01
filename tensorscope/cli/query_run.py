"""The views over the whole run: summary, iterations, gradients."""

import math
from typing import Any, Final

import numpy as np

from tensorscope.analysis.findings import find
from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.iterations import iterations
from tensorscope.analysis.memory import devices, memory_timeline
from tensorscope.analysis.results import Finding, MemoryTimeline
from tensorscope.analysis.training_marks import TrainingMarks, training_marks
from tensorscope.protocol.records import AllocationAction, OperatorFlag, Scope
from tensorscope.trace.last_operator import last_operator
from tensorscope.trace.overhead import overhead_ratio
from tensorscope.trace.schema import ALLOCATIONS, OPERATORS
from tensorscope.trace.snapshot import Snapshot

STAGES: Final = {1: "raw", 2: "unscaled", 3: "clipped"}


def summary(snapshot: Snapshot) -> dict[str, Any]:
    """What ran and how it went; ``null`` is unknown."""
    timelines = {device: memory_timeline(snapshot, device) for device in devices(snapshot)}
    operators = snapshot.table(OPERATORS)
    is_operator = ((operators.column("flags") & (OperatorFlag.OURS | OperatorFlag.COMPILING)) == 0) & (operators.column("scope") != Scope.USER_SCOPE)
    allocations = snapshot.table(ALLOCATIONS)
    return {
        "script": snapshot.facts.get("script"),
        "argv": snapshot.facts.get("argv"),
        "torch_version": snapshot.facts.get("torch_version"),
        "python_version": snapshot.facts.get("python_version"),
        "probe": snapshot.facts.get("probe"),
        "devices": list(timelines),
        "ranks": [],  # a matter of the whole recording
        "iterations": snapshot.iteration_count,
        "backwards": snapshot.backward_count,
        "operators": int(np.count_nonzero(is_operator)),
        "allocations": int(np.count_nonzero(allocations.column("action") == AllocationAction.ALLOC)),
        "peak_allocated_bytes": {device: _peak(timeline.allocated_bytes) for device, timeline in timelines.items()},
        "peak_reserved_bytes": {device: _peak(timeline.reserved_bytes) for device, timeline in timelines.items()},
        "peak_requested_bytes": {device: _peak(timeline.requested_bytes) for device, timeline in timelines.items()},
        "peak_ns": {device: _peak_time(timeline) for device, timeline in timelines.items()},
        "duration_ns": snapshot.end_ns,
        "held_ns": snapshot.held_ns,
        "overhead_ratio": overhead_ratio(snapshot.end_ns + snapshot.looked_ns, snapshot.cost_ns),
        "dropped_events": snapshot.health.dropped_events,
        "damaged_frames": snapshot.health.damaged_frames,
        "trackers_off": [{"tracker": tracker, "reason": reason} for tracker, reason in snapshot.health.trackers_off],
        "unknown_frees": {device: timeline.unknown_frees for device, timeline in timelines.items()},
        "kept": _kept(snapshot),
        "last_operator": _last_operator(snapshot),
        "exception": _exception(snapshot),
        "exit_code": snapshot.exit.get("code") if snapshot.exit is not None else None,
    }


def _kept(snapshot: Snapshot) -> dict[str, Any] | None:
    """The budgets of the run, and the iterations some of whose detail was let go."""
    keep, gone = snapshot.facts.get("keep"), snapshot.health.retired_iterations
    if not isinstance(keep, dict):
        return None
    flagged = [{"iteration": iteration, "reason": reason} for iteration, reason in snapshot.health.flagged]
    return {**keep, "let_go_iterations": [gone.start, gone.stop - 1] if gone else None, "flagged_iterations": flagged}


def _last_operator(snapshot: Snapshot) -> dict[str, Any] | None:
    last = last_operator(snapshot)
    if last is None:
        return None
    source = f"{last.line.filename}:{last.line.line}" if last.line is not None else None
    return {"name": last.name, "source": source, "time_ns": last.time_ns, "is_running": last.is_running}


def iterations_view(snapshot: Snapshot, iteration: int | None) -> list[dict[str, Any]]:
    known = iterations(snapshot)
    told = training_marks(snapshot, known)
    return [
        {
            "iteration": one.index,
            "first_iteration": one.index if one.first_index is None else one.first_index,
            "begin_ns": one.begin_ns,
            "end_ns": one.end_ns,
            "is_ended": one.is_ended,
            "forward_ns": one.forward_ns,
            "backward_ns": one.backward_ns,
            "optimizer_ns": one.optimizer_ns,
            "shortest_ns": one.shortest_ns,
            "longest_ns": one.longest_ns,
            "peak_allocated_bytes": one.peak_allocated_bytes,
            "learning_rate": None if one.learning_rate is None else plain(one.learning_rate),
            **_loop(told, one.index - told.first_iteration),
        }
        for one in known
        if iteration is None or (one.index if one.first_index is None else one.first_index) <= iteration <= one.index
    ]


def _loop(told: TrainingMarks, at: int) -> dict[str, Any]:
    return {
        "accumulated_backwards": int(told.accumulated[at]),
        "loss_scale": _known(float(told.loss_scale[at])),
        "clip_limit": _known(float(told.clip_limit[at])),
        "clip_norm": _known(float(told.clip_norm[at])),
        "is_step_skipped": bool(told.is_skipped[at]),
    }


def findings_view(snapshot: Snapshot, iteration: int | None) -> list[dict[str, Any]]:
    return [
        {
            "rule": one.rule,
            "severity": one.severity,
            "message": one.message,
            "source": str(one.source) if one.source is not None else None,
            "related": [{"source": str(other.source), "role": other.role} for other in one.related],
            "iteration": one.iteration,
            "last_iteration": one.last_iteration if one.last_iteration is not None else one.iteration,
            "certainty": one.certainty,
            "parameter": one.parameter or None,
            "backward": one.backward,
            "node": one.node,
            "time_ns": one.time_ns,
            "evidence": dict(one.evidence),
        }
        for one in find(snapshot)
        if iteration is None or _spans(one, iteration)
    ]


def _spans(finding: Finding, iteration: int) -> bool:
    first, last = finding.iteration, finding.last_iteration
    return first is not None and first <= iteration <= (first if last is None else last)


def gradients_view(snapshot: Snapshot, iteration: int | None, backward: int | None) -> list[dict[str, Any]]:
    table = gradient_table(snapshot)
    is_wanted = np.ones(len(table.backward), np.bool_)
    is_wanted &= table.iteration == iteration if iteration is not None else True
    is_wanted &= table.backward == backward if backward is not None else True
    return [
        {
            "iteration": int(table.iteration[row]),
            "backward": int(table.backward[row]),
            "parameter": table.parameters[int(table.parameter[row])],
            "module": table.modules[int(table.parameter[row])],
            "stage": STAGES.get(int(table.stage[row]), "?"),
            "time_ns": int(table.time_ns[row]),
            "norm": _known(float(table.norm[row]), int(table.nonfinite[row])),
            "max_abs": _known(float(table.max_abs[row]), int(table.nonfinite[row])),
            "nonfinite": int(table.nonfinite[row]),
            "numel": int(table.numel[row]),
            "weight_norm": _known(float(table.weight_norm[row])),
            "update_norm": _known(float(table.update_norm[row])),
        }
        for row in np.flatnonzero(is_wanted)
    ]


def plain(value: float) -> float | str:
    """A number as JSON has it; what JSON lacks as "nan", "inf" or "-inf", as in messages."""
    return value if math.isfinite(value) else str(value)


def _known(value: float, nonfinite: int = 0) -> float | str | None:
    """A statistic; null where nan means that it is not known, not that an element is."""
    return None if math.isnan(value) and not nonfinite else plain(value)


def _peak(curve: np.ndarray[Any, Any] | None) -> int | None:
    return None if curve is None else int(curve.max(initial=0))


def _peak_time(timeline: MemoryTimeline) -> int | None:
    return int(timeline.times_ns[timeline.peak_index]) if timeline.peak_index >= 0 else None


def _exception(snapshot: Snapshot) -> dict[str, Any] | None:
    if not snapshot.exceptions:
        return None
    last = snapshot.exceptions[-1]
    return {key: last.get(key) for key in ("exception", "message", "source", "time_ns")}
