"""Whether a run can still bring something new: then there is a future to leave room for, and an empty panel may fill."""

from typing import Final

from tensorscope.session.session import RunState, Status

_OVER: Final = (RunState.ENDED, RunState.CRASHED, RunState.REPLAY)


def may_grow(status: Status) -> bool:
    return status.state not in _OVER
