"""Turn what a person writes for a moment (seconds, ``peak``, ``end``, ``iteration:N``) into run time."""

from tensorscope.analysis.iterations import iteration_bounds, rolled_up_with
from tensorscope.analysis.memory import default_device, memory_timeline, peak_ns
from tensorscope.errors import TensorScopeError
from tensorscope.trace.snapshot import Snapshot


def moment_ns(snapshot: Snapshot, text: str, device: str | None = None) -> int:
    """Run time of ``T``: seconds from the start, "peak" (of the device, by default the one with the highest), "end", or "iteration:N" (its end).

    Seconds after the end are the end. Raises TensorScopeError with a sentence where the text means nothing or there is no such iteration.
    """
    if text == "end":
        return snapshot.end_ns
    if text == "peak":
        return peak_ns(memory_timeline(snapshot, device or default_device(snapshot)))
    kind, _, number = text.partition(":")
    if kind == "iteration" and number.isdecimal():
        return iteration_end(snapshot, int(number))
    try:
        return max(0, min(round(float(text) * 1e9), snapshot.end_ns))
    except (ValueError, OverflowError):
        raise TensorScopeError(f"{text!r} is no moment: give seconds from the start, peak, end or iteration:N.") from None


def iteration_end(snapshot: Snapshot, iteration: int) -> int:
    """Run time at which an iteration ended, or now where it has not. Raises TensorScopeError where there is none."""
    bounds = iteration_bounds(snapshot)
    for index, _, end, _ in bounds:
        if index == iteration:
            return end
    row = rolled_up_with(snapshot, iteration)
    if row is not None:
        raise TensorScopeError(f"Iteration {iteration} is only known together with {row[0]} to {row[1]}: see iterations; give --at seconds for a moment.")
    known = f"iterations {bounds[0][0]} to {bounds[-1][0]} are" if len(bounds) > 1 else f"only iteration {bounds[0][0]} is" if bounds else "none is"
    raise TensorScopeError(f"Iteration {iteration} is not on record; {known}.")
