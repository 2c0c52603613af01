"""The sentences that say where a run stands."""

import signal
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from tensorscope.language import tr, tr_later
from tensorscope.session.session import RunState, Status, StepKind
from tensorscope.trace.last_operator import LastOperator, last_operator
from tensorscope.trace.trace import Trace


def closed_descriptors() -> str:
    return tr(
        "Nothing of the script was watched: before it imported torch it closed all its file descriptors, TensorScope's among them, or became another program. "
        "Import torch before they are closed."
    )


def starting() -> Status:
    return Status(RunState.STARTING, tr("Starting"))


def building() -> Status:
    return Status(RunState.BUILDING, tr("Building the probe, once for this torch"))


def pausing() -> Status:
    return Status(RunState.PAUSING, tr("Pausing at the next node"))


def running(iteration: int) -> Status:
    return Status(RunState.RUNNING, tr("Running, iteration {iteration}").format(iteration=iteration))


def stepping(kind: StepKind) -> Status:
    """A step is under way that takes longer than a moment."""
    texts = {
        "node": pausing().text,
        "module": tr("Running to the next module"),
        "out": tr("Running out of the block"),
        "iteration": tr("Running to the next iteration"),
    }
    return Status(RunState.PAUSING, texts[kind])


def held(message: Mapping[str, Any]) -> Status:
    """``message`` is a ``held`` message; its ``position`` counts the nodes that have run."""
    text = tr("Held before node {position} of {count}").format(position=int(message["position"]) + 1, count=message["count"])
    return Status(RunState.HELD, text, held=dict(message))


def ended(code: int, exception: Mapping[str, Any] | None, last: LastOperator | None = None) -> Status:
    """How the script ended; ``code`` is its exit code, negative for the signal that killed it, which came during or after the operator ``last``."""
    if code < 0:
        return Status(RunState.CRASHED, tr("Killed by {signal}").format(signal=signal_name(-code)) + _during(last), exit_code=128 - code)
    if code and exception is not None:
        source = str(exception.get("source") or "")
        place = f", {PurePath(source).name}" if source else ""
        return Status(RunState.CRASHED, tr("Ended by {exception}").format(exception=exception.get("exception", tr("an exception"))) + place, exit_code=code)
    return Status(RunState.ENDED, tr("Ended, exit code {code}").format(code=code), exit_code=code)


def _during(last: LastOperator | None) -> str:
    if last is None:
        return ""
    place = f", {last.place}" if last.place else ""
    return (tr(" in {operator}") if last.is_running else tr(" after {operator}")).format(operator=last.name) + place


def ended_unseen(told: Mapping[str, Any] | None) -> Status:
    """A process ended whose exit code its parent took; ``told`` is its own word on the end, where it had one."""
    if told is not None:
        return Status(RunState.ENDED, tr("Ended"))
    return Status(RunState.CRASHED, tr("Ended without a word: killed, or by os._exit"))


def stopped(code: int) -> Status:
    """The script ended because the user said so; ``code`` as for ``ended``."""
    return Status(RunState.ENDED, tr("Stopped"), exit_code=128 - code if code < 0 else code)


def ended_as_told(
    exit_message: Mapping[str, Any] | None, exception: Mapping[str, Any] | None, last: LastOperator | None = None, *, is_written: bool = False
) -> str:
    """How a recorded run ended, from what its recording tells. ``is_written``: a host still writes it."""
    if exit_message is None and is_written:
        return tr("It still ran when this was opened; open it again to see more")
    if exit_message is None:
        return tr("The recording stops before the script's end")
    if exit_message.get("is_unseen"):
        return ended_unseen(None).text
    number = int(exit_message.get("signal") or 0)
    return ended(-number if number else int(exit_message.get("code") or 0), exception, last).text


def end_of_trace(trace: Trace) -> Status:
    """As the host of a live run would have told its end."""
    exceptions, told = trace.exceptions, trace.exit
    if told is None:
        return Status(RunState.GONE, ended_as_told(None, None))
    if told.get("is_unseen"):
        return ended_unseen(None)
    number = int(told.get("signal") or 0)
    last = last_operator(trace.snapshot()) if number else None
    return ended(-number if number else int(told.get("code") or 0), exceptions[-1] if exceptions else None, last)


def status_of_trace(trace: Trace, *, is_written: bool = False) -> Status:
    """How a recorded process ended."""
    exceptions, told = trace.exceptions, trace.exit or {}
    code = int(told.get("code") or 0) or -int(told.get("signal") or 0)
    if trace.facts.get("imported"):
        return Status(RunState.REPLAY, tr_later("Memory snapshot"))
    last = last_operator(trace.snapshot()) if told.get("signal") else None
    text = ended_as_told(trace.exit, exceptions[-1] if exceptions else None, last, is_written=is_written)
    return Status(RunState.REPLAY, text, exit_code=code if told and not told.get("is_unseen") else None)


def exit_message(code: int, time_ns: int) -> dict[str, Any]:
    """The host's own word on the end: the code as a shell gives it, and the signal where one killed the script."""
    return {"type": "exit", "code": 128 - code if code < 0 else code, "signal": max(-code, 0), "time_ns": time_ns}


def unseen_exit_message(time_ns: int) -> dict[str, Any]:
    """The host's own word on an end whose exit code nobody saw."""
    return {"type": "exit", "code": None, "signal": 0, "time_ns": time_ns, "is_unseen": True}


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return tr("signal {number}").format(number=number)
