"""Why a panel has nothing to show, and what to do: for a run that may still bring something, and for one that is over."""

from __future__ import annotations

from typing import Final

from tensorscope.language import tr, tr_later
from tensorscope.session.session import RunState, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.run_growth import backward_advice, may_grow

_YET: Final = {
    "events": (tr_later("Nothing has run yet."), tr_later("The script's operators appear here as soon as it imports torch.")),
    "source": (tr_later("No line has run yet."), tr_later("The script's lines appear here with what each costs.")),
    "memory": (tr_later("No memory on record yet."), tr_later("It fills as soon as the script makes its first tensor.")),
    "storages": (tr_later("No storage was looked at yet."), tr_later("They are listed at the end of each iteration and where the script is held.")),
    "problems": (tr_later("Nothing has run yet."), tr_later("What is found to be wrong appears here, with its line and what to do.")),
}
_OVER: Final = {
    "events": (tr_later("No operator is on record."), tr_later("It ended before it ran one: Output has what it printed.")),
    "source": (tr_later("No line is on record."), tr_later("It ended before it ran an operator: Output has what it printed.")),
    "memory": (tr_later("No memory is on record."), tr_later("It made no tensor that could be watched; tensorscope doctor says what works here.")),
    "storages": (tr_later("No storage was looked at."), tr_later("They are listed at the end of each iteration, and this run had none.")),
    "problems": (tr_later("There was nothing to look at."), tr_later("It ended before it ran an operator: Output has what it printed.")),
}
_PYTHON_PROBE: Final = (tr_later("The Python probe sees no allocations."), tr_later("Install the package g++ and start again: then the native probe watches."))
_NOTHING_CAME: Final = tr_later("Nothing has come yet.")
_HISTORY: Final = tr_later("What it did so far comes first, then what it does now.")
_NO_OPERATOR_YET: Final = tr_later("The script's operators appear here as they run.")


def why_empty(panel: str, status: Status, snapshot: Snapshot) -> tuple[str, str]:
    """Title and advice for an empty panel of the catalogue, by its key."""
    is_live = may_grow(status)
    if panel == "memory" and snapshot.facts.get("probe") == "python":
        title, advice = _PYTHON_PROBE
    elif panel in ("graph", "gradients"):
        title, advice = _backward_title(panel, is_live=is_live), backward_advice(status)
    else:
        title, advice = (_YET if is_live else _OVER)[panel]
    if status.state is RunState.STARTING and snapshot.facts.get("torch_version"):
        title, advice = _NOTHING_CAME if panel in ("events", "problems") else title, _HISTORY
    elif panel == "events" and is_live and snapshot.facts.get("torch_version"):
        advice = _NO_OPERATOR_YET
    elif status.state is RunState.GONE:
        advice = tr_later("Nothing of it came before the window let go of the script.")
    elif snapshot.facts.get("imported"):
        advice = tr_later("A memory snapshot holds allocations and their stacks, nothing else.")
    elif not is_live and not snapshot.facts.get("torch_version"):
        never, before = (
            tr_later("The script never imported torch: give the one that trains."),
            tr_later("It ended before torch was imported: Output has what it printed."),
        )
        advice = never if snapshot.facts else before
    return tr(title), tr(advice)


def _backward_title(panel: str, *, is_live: bool) -> str:
    if panel == "graph":
        return tr("No backward yet.") if is_live else tr("No backward is on record.")
    return tr("No gradient on record yet.") if is_live else tr("No gradient is on record.")
