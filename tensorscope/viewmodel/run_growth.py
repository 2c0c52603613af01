"""Whether a run can still bring something new: then there is a future to leave room for, and an empty panel may fill."""

from typing import Final

from tensorscope.language import tr
from tensorscope.session.session import RunState, Status

_OVER: Final = (RunState.ENDED, RunState.CRASHED, RunState.REPLAY, RunState.GONE)


def may_grow(status: Status) -> bool:
    return status.state not in _OVER


def backward_advice(status: Status) -> str:
    """What to do for a panel that the first backward fills."""
    if not may_grow(status):
        return tr("It ended before its first backward was done.")
    return tr("Step with F10 or continue with F5.") if status.state is RunState.HELD else tr("It appears with the script's first backward().")
