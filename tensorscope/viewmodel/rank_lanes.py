"""The ranks of a job below the run's strip, one lane each: phases, the iterations in which the others waited for it, how it stands or ended."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tensorscope.analysis.rank_times import RankTimes, are_one_job, is_slow, rank_times, slow_iterations, usual_ns
from tensorscope.language import tr
from tensorscope.session.session import RankInfo, RunState
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_duration
from tensorscope.viewmodel.ranks import status_of, trouble_of
from tensorscope.viewmodel.scrubber import ScrubberAxis, ScrubberView, Strip, axis_edges, phase_strips, scrubber_view

MOST_LANES: Final = 32
End = Literal["runs", "held", "ended", "died"]


@dataclass(frozen=True, slots=True)
class RankLane:
    """Positions are shares of the strip's width, 0 to 1."""

    rank: int
    label: str
    note: str  # a word: what is wrong with it, else its own time an iteration
    hint: str
    is_noted: bool  # the note is a warning
    end: float  # up to where it is known
    how: End
    strips: tuple[Strip, ...]
    turns: tuple[float, ...]  # begins of iterations
    slow: tuple[tuple[float, float], ...]  # iterations in which the others waited for it


def run_strip(ranks: Mapping[int, Snapshot], infos: Sequence[RankInfo], shown: int) -> tuple[ScrubberView, tuple[RankLane, ...]]:
    """The strip of the shown rank's run, as long as the longest of all, with the lanes below it. For a worker."""
    view = scrubber_view(ranks[shown], max(snapshot.end_ns for snapshot in ranks.values()))
    return view, rank_lanes(ranks, infos, shown, view.axis)


def rank_lanes(ranks: Mapping[int, Snapshot], infos: Sequence[RankInfo], shown: int, axis: ScrubberAxis) -> tuple[RankLane, ...]:
    """None of a single rank; of very many those around the shown one. For a worker: cuts every rank's run into phases."""
    if len(ranks) < 2:
        return ()
    by_rank = {info.rank: info for info in infos}
    times = {rank: rank_times(snapshot) for rank, snapshot in ranks.items()}
    own = {rank: usual_ns(one.own_ns) for rank, one in times.items()}
    whole = {rank: usual_ns(one.whole_ns) for rank, one in times.items()}
    is_job = are_one_job(ranks)
    slow = slow_iterations(times) if is_job else {}
    stragglers = {rank for rank in ranks if is_job and is_slow(own, whole, rank)}
    edges = axis_edges(axis)
    lanes = []
    for rank in lanes_shown(tuple(ranks), shown):
        snapshot, info = ranks[rank], by_rank.get(rank)
        note, hint = _words(info, infos, own[rank] if is_job else whole[rank], is_job=is_job, is_straggler=rank in stragglers)
        lanes.append(
            RankLane(
                rank=rank,
                label=info.label if info is not None else tr("rank {rank}").format(rank=rank),
                note=note,
                hint=hint,
                is_noted=rank in stragglers or _how(info) == "died" or (info is not None and bool(trouble_of(info, infos))),
                end=axis.position(snapshot.end_ns),
                how=_how(info),
                strips=phase_strips(snapshot, edges),
                turns=tuple(axis.position(begin) for begin in times[rank].begin_ns.tolist()),
                slow=_spans(times[rank], set(slow[rank].tolist()) if rank in slow else set(), axis),
            )
        )
    return tuple(lanes)


def lanes_shown(ranks: tuple[int, ...], shown: int, most: int = MOST_LANES) -> tuple[int, ...]:
    """All, or as many as there is room for around the shown one."""
    at = ranks.index(shown) if shown in ranks else 0
    first = max(min(at - most // 2, len(ranks) - most), 0)
    return ranks[first : first + most]


def _how(info: RankInfo | None) -> End:
    state = info.status.state if info is not None else RunState.REPLAY
    if state is RunState.CRASHED or (info is not None and info.status.exit_code):
        return "died"
    if state is RunState.HELD:
        return "held"
    return "runs" if state in (RunState.RUNNING, RunState.PAUSING) else "ended"


def _words(info: RankInfo | None, infos: Sequence[RankInfo], usual_ns: float | None, *, is_job: bool, is_straggler: bool) -> tuple[str, str]:
    """The note and the tool tip."""
    lines = [] if info is None else [f"{info.label} · {trouble_of(info, infos) or status_of(info, infos).text}"]
    took = "" if usual_ns is None else format_duration(round(usual_ns))
    if took:
        words = tr("{time} of its own work an iteration (median)") if is_job else tr("{time} an iteration (median)")
        lines.append(words.format(time=took))
    if is_straggler:
        lines.append(tr("The others wait for it: look at its longest iterations, marked below the lane."))
    lines.append(tr("Click shows this rank"))
    note = took
    if _how(info) == "died":
        note = _end_word(info.status.exit_code if info is not None else None)
    elif info is not None and trouble_of(info, infos):
        note = tr("silent")
    elif _how(info) == "held":
        note = tr("held")
    return note, "\n".join(lines)


def _end_word(code: int | None) -> str:
    """How it ended: "SIGKILL", "exit 1"."""
    if code is None:
        return tr("died")
    with contextlib.suppress(ValueError):
        return signal.Signals(code - 128).name
    return tr("exit {code}").format(code=code)


def _spans(times: RankTimes, slow: set[int], axis: ScrubberAxis) -> tuple[tuple[float, float], ...]:
    rows = zip(times.index.tolist(), times.begin_ns.tolist(), times.end_ns.tolist(), strict=True)
    return tuple((axis.position(begin), axis.position(end)) for index, begin, end in rows if index in slow)
