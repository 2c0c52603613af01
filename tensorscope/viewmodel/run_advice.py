"""One sentence on what to do next, for every state that a run can be in; it stands in the middle of the status bar."""

from __future__ import annotations

from typing import assert_never

from tensorscope.language import tr
from tensorscope.session.session import Changed, RunState, Status
from tensorscope.trace.snapshot import Snapshot

MUCH_DROPPED = 0.001  # of all events


def advice(status: Status, changed: Changed | None, snapshot: Snapshot, *, is_looking_back: bool = False, can_restart: bool = False) -> str:
    """What is of most use now. Cheap: called at every change."""
    if is_looking_back and changed is not None and changed.past:
        return changed.past
    if is_looking_back:
        return tr("Recorded time. Shift+F10 and F10 go node by node, End returns to now.")
    match status.state:
        case RunState.STARTING:
            return _starting(snapshot)
        case RunState.BUILDING:
            return tr("The script starts when the probe is compiled: under a minute, once for this torch.")
        case RunState.RUNNING:
            return _running(changed, snapshot)
        case RunState.PAUSING:
            return tr("It holds before the next node of a backward; F5 lets it run on.")
        case RunState.HELD:
            return tr("F10 runs this node, F11 goes to the next module, F5 lets it run on.")
        case RunState.ENDED:
            return _ended(snapshot, can_restart=can_restart)
        case RunState.CRASHED:
            return _crashed(snapshot)
        case RunState.REPLAY:
            return _crashed(snapshot) if status.exit_code else _recorded(snapshot)
        case RunState.GONE:
            return tr("What came stays here: click in time to look back, Ctrl+Shift+S keeps it.")
        case unknown:
            assert_never(unknown)


def _starting(snapshot: Snapshot) -> str:
    """A window that was attached may have a past to fetch."""
    if snapshot.facts.get("torch_version"):
        return tr("What it did so far comes first, then what it does now.")
    return tr("Operators appear as soon as the script imports torch.")


def _running(changed: Changed | None, snapshot: Snapshot) -> str:
    facts = snapshot.facts
    if changed is not None and changed.dropped_events > MUCH_DROPPED * max(changed.events, 1):
        return tr("This machine cannot keep up: gaps are hatched. Try --no-stacks, or --iterations N.")
    if facts and not facts.get("torch_version"):
        return tr("Operators appear as soon as the script imports torch.")
    if facts.get("probe") == "python":
        return tr("Python probe: no allocations, no stops. Install g++ and start again.")
    if facts and not snapshot.backwards:
        return tr("No backward yet: Events, Memory timeline and Storages fill already.")
    return tr("F6 holds before the next node of a backward; a click in time looks back.") if facts else ""


def _ended(snapshot: Snapshot, *, can_restart: bool) -> str:
    if not snapshot.facts.get("torch_version"):
        return tr("The script never imported torch: give the one that trains.")
    if not snapshot.backwards:
        return tr("No backward() ran: see Events and Memory timeline for what did.")
    if can_restart:
        return tr("Click in time to look back; Ctrl+Shift+S keeps the run, Ctrl+Shift+F5 runs it again.")
    return tr("Click in time to look back; Ctrl+Shift+S keeps the run.")


def _recorded(snapshot: Snapshot) -> str:
    if snapshot.facts.get("imported"):
        return tr("A memory snapshot: P goes to its peak, a click on a block says who made it.")
    if snapshot.facts and not snapshot.facts.get("torch_version"):
        return tr("The script never imported torch: nothing of it is on record.")
    if not snapshot.backwards:
        return tr("No backward() ran: see Events and Memory timeline for what did.")
    return tr("Click in time, or go node by node with F10 and Shift+F10.")


def _crashed(snapshot: Snapshot) -> str:
    told = snapshot.exceptions[-1] if snapshot.exceptions else {}
    is_out_of_memory = "OutOfMemory" in str(told.get("exception", "")) or "not enough memory" in str(told.get("message", ""))
    if is_out_of_memory and snapshot.facts.get("probe") != "python":
        return tr("Out of memory: Memory timeline lists what was largest at the end; P goes to the peak.")
    if told:
        return tr("Output has the traceback, Source the line; F8 goes to problems, if any were found.")
    if not snapshot.facts.get("torch_version"):
        return tr("It ended before torch was imported: nothing of it is on record but what it printed.")
    return tr("What came until then stays: Events ends with what ran last.")
