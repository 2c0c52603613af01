"""What the window says about the run as a whole: the state chip, the cost chip, which controls make sense, the status bar."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import Final

from tensorscope.language import tr, tr_later
from tensorscope.session.session import Changed, RunState, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes, format_count, format_ratio, format_time, plural


@dataclass(frozen=True, slots=True)
class ChipView:
    """A chip's icon, its bold first words, the rest, and the roles of its colours."""

    icon: str
    strong: str
    rest: str
    color: str  # role of outline and icon
    fill: str  # role of the ground
    text: str = "text.primary"
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Controls:
    """Which run controls are of use now. ``primary`` is the one filled button: continue, pause, restart or "" (a recording)."""

    primary: str
    can_primary: bool
    can_step: bool
    can_stop: bool
    has_run: bool
    can_walk: bool = False  # over the nodes of a run that is over


@dataclass(frozen=True, slots=True)
class StatusItem:
    text: str
    hint: str = ""
    role: str = "text.secondary"
    dot: str = ""  # role of a dot before it


_LOOK: Final = {
    RunState.STARTING: ("loader", "state.running", "surface.panel"),
    RunState.BUILDING: ("loader", "state.running", "surface.panel"),
    RunState.RUNNING: ("play", "state.running", "surface.panel"),
    RunState.PAUSING: ("pause", "state.running", "surface.panel"),
    RunState.HELD: ("pause", "state.held", "exec.soft"),
    RunState.ENDED: ("square", "state.ended", "surface.panel"),
    RunState.CRASHED: ("octagon-x", "state.crashed", "severity.error_soft"),
    RunState.REPLAY: ("square", "state.ended", "surface.panel"),
    RunState.GONE: ("triangle-alert", "severity.warning", "severity.warning_soft"),
}
_CONNECTION: Final = {
    RunState.STARTING: (tr_later("starting"), "state.running"),
    RunState.BUILDING: (tr_later("building the probe"), "state.running"),
    RunState.RUNNING: (tr_later("connected"), "state.running"),
    RunState.PAUSING: (tr_later("connected"), "state.running"),
    RunState.HELD: (tr_later("connected"), "state.held"),
    RunState.ENDED: (tr_later("ended"), "state.ended"),
    RunState.CRASHED: (tr_later("ended"), "state.crashed"),
    RunState.REPLAY: (tr_later("recording"), "state.ended"),
    RunState.GONE: (tr_later("not connected"), "severity.warning"),
}
_LIVE: Final = (RunState.RUNNING, RunState.PAUSING, RunState.HELD)


def controls(status: Status, *, can_restart: bool) -> Controls:
    state = status.state
    is_over = state in (RunState.ENDED, RunState.CRASHED)
    if state in (RunState.REPLAY, RunState.GONE) or (is_over and not can_restart):
        return Controls("", False, False, False, has_run=False, can_walk=True)
    if is_over:
        return Controls("restart", True, False, False, has_run=True, can_walk=True)
    is_waiting = state in (RunState.HELD, RunState.PAUSING)
    return Controls("continue" if is_waiting else "pause", state in _LIVE, state is RunState.HELD, state in _LIVE, has_run=True)


def state_chips(status: Status, cursor_ns: int | None, end_ns: int) -> tuple[ChipView, ...]:
    """Where the script stands; and, while the cursor is in the past, that one looks back."""
    icon, color, fill = _LOOK[RunState.CRASHED if status.state is RunState.REPLAY and status.exit_code else status.state]
    is_looking_back = cursor_ns is not None
    text = tr(status.text)  # a session that was made before the window speaks English
    if is_looking_back and status.state is RunState.HELD:
        text = tr("Held at {end_ns}").format(end_ns=format_time(end_ns))
    strong, _, rest = text.partition(" ")
    chip = ChipView(icon, strong, rest, color, fill, "exec.text" if status.state is RunState.HELD else "text.primary", hint=status.text)
    if not is_looking_back:
        return (chip,)
    return chip, ChipView("history", tr("Looking back"), format_time(cursor_ns), "accent.base", "surface.selected", hint=tr("Click to return to now (End)"))


def cost_chip(changed: Changed | None, snapshot: Snapshot) -> ChipView | None:
    """What watching costs; a warning with the count once events were dropped. None while nothing is known, or nothing has run."""
    dropped = changed.dropped_events if changed is not None else snapshot.health.dropped_events
    ratio = changed.overhead_ratio if changed is not None and changed.events else None
    if dropped:
        return ChipView("triangle-alert", plural(dropped, "event"), tr("dropped"), "severity.warning", "severity.warning_soft", hint=_cost_hint(ratio, dropped))
    if ratio is None or snapshot.facts.get("imported"):
        return None
    return ChipView("gauge", format_ratio(ratio), tr("cost"), "line.strong", "surface.panel", hint=_cost_hint(ratio, dropped))


def status_items(status: Status, changed: Changed | None, snapshot: Snapshot, count: int = 1) -> tuple[tuple[StatusItem, ...], tuple[StatusItem, ...]]:
    """The status bar: who is connected (left), how much was seen (right). ``count``: ranks on record."""
    facts = snapshot.facts
    words, dot = _CONNECTION[status.state]
    left = [StatusItem(tr(words), status.text, dot=dot)]
    if facts.get("imported"):
        left.append(StatusItem(str(facts["imported"])))
    elif facts:
        left.append(StatusItem(f"Python {facts.get('python_version') or platform.python_version()}"))
        unmet = tr("torch not imported yet") if status.state in _LIVE else tr("torch not imported")
        left.append(StatusItem(f"torch {facts['torch_version']}" if facts.get("torch_version") else unmet))
        left.append(StatusItem(tr("{probe} probe").format(probe=facts.get("probe", "native"))))
        ranks = int(facts.get("world_size") or 1)
        if ranks > 1:
            left.append(StatusItem(tr("rank {rank} of {ranks}").format(rank=facts.get("rank", 0), ranks=ranks)))
    if changed is not None and changed.warning:
        left.append(StatusItem(changed.warning, changed.warning, "severity.warning"))
    left += [StatusItem(tr("{tracker} is off").format(tracker=tracker), reason, "severity.warning") for tracker, reason in snapshot.health.trackers_off]
    return tuple(left), _right_items(changed, snapshot, count)


def _right_items(changed: Changed | None, snapshot: Snapshot, ranks: int) -> tuple[StatusItem, ...]:
    events = changed.events if changed is not None else sum(len(table) for table in snapshot.tables.values())
    dropped = changed.dropped_events if changed is not None else snapshot.health.dropped_events
    items = [
        StatusItem(tr("{events} events").format(events=format_count(events))),
        StatusItem(
            tr("{dropped} dropped").format(dropped=format_count(dropped)),
            tr("Events that found no free block in the ring"),
            "severity.warning" if dropped else "text.secondary",
        ),
    ]
    if changed is not None:
        words = tr("recording {recording_bytes}").format(recording_bytes=format_bytes(changed.recording_bytes))
        items.append(StatusItem(words, kept_in_full(snapshot, changed.memory_bytes, ranks)))
    if snapshot.health.damaged_frames:
        items.append(StatusItem(plural(snapshot.health.damaged_frames, "damaged frame"), role="severity.warning"))
    items.append(
        StatusItem(
            tr("run {end_ns}").format(end_ns=format_time(snapshot.end_ns)),
            tr("Held time is left out: {held_ns}").format(held_ns=format_time(snapshot.held_ns)) if snapshot.held_ns else "",
        )
    )
    return tuple(items)


def kept_in_full(snapshot: Snapshot, memory_bytes: int = 0, ranks: int = 1) -> str:
    """Which iterations are kept in full, and what the run may take and takes; "" where nobody said so."""
    keep = snapshot.facts.get("keep")
    if not isinstance(keep, dict):
        return ""
    lines = [tr("Kept in full when it gets too much: the first {first} iterations and the last {last}.").format(first=keep["first"], last=keep["last"])]
    if memory_bytes:
        words = tr("Memory: {used} of {budget}.") if ranks < 2 else tr("Memory: {used} of {budget}, shared by {count} ranks.")
        lines.append(words.format(used=format_bytes(memory_bytes), budget=format_bytes(keep["memory_bytes"]), count=ranks))
    lines.append(tr("Disk: at most {budget}. Set both with --keep.").format(budget=format_bytes(keep["disk_bytes"])))
    gone = snapshot.health.retired_iterations
    if gone:
        told = tr("Detail of iterations {first} to {last} is not all here; what is recorded comes when you go there.")
        lines.append(told.format(first=gone.start, last=gone.stop - 1))
    flagged = snapshot.health.flagged
    if flagged:
        told = tr("Kept in full besides, for a stop, an exception, a peak, a gradient that is not finite or a bookmark: {count}.")
        lines.append(told.format(count=plural(len(flagged), "iteration")))
    lost = snapshot.health.lost_iterations
    if lost:
        lines.append(tr("Detail was let go for good among iterations {first} to {last}.").format(first=lost.start, last=lost.stop - 1))
    return "\n".join(lines)


def _cost_hint(ratio: float | None, dropped: int) -> str:
    cost = (
        tr("Watched, the script takes {ratio} the time it takes alone.").format(ratio=format_ratio(ratio))
        if ratio is not None
        else tr("The cost of watching is not known yet.")
    )
    return (
        tr("{cost}\n{dropped} dropped.").format(cost=cost, dropped=plural(dropped, "event"))
        if dropped
        else tr("{cost}\nNo event was dropped.").format(cost=cost)
    )
