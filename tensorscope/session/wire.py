"""Sessions' words as messages of the stream between a served host and an attached window, and back: whatever comes is checked."""

import json
from collections.abc import Mapping
from typing import Any, Final, get_args

from tensorscope.errors import ProtocolError
from tensorscope.protocol.stream import message_item
from tensorscope.session.session import Changed, RankInfo, RunState, Session, Status, StepKind

STEPS: Final = get_args(StepKind)
MAX_COUNT: Final = 1 << 63
HELD_NUMBERS: Final = ("backward", "node_index", "node", "position", "count", "time_ns")
HELD_LISTS: Final = ("gradients_in", "saved", "all_finished")


def item(kind: str, /, **fields: Any) -> bytes:
    """The bytes of one message; not-a-number and infinities must already be strings."""
    return message_item(json.dumps({"type": kind, **fields}, separators=(",", ":"), allow_nan=False).encode())


def changed_item(changed: Changed, ranks: tuple[RankInfo, ...]) -> bytes:
    return item(
        "changed",
        **_status_fields(changed.status),
        events=changed.events,
        dropped_events=changed.dropped_events,
        overhead_ratio=changed.overhead_ratio,
        recording_bytes=changed.recording_bytes,
        warning=changed.warning,
        memory_bytes=changed.memory_bytes,
        ranks=[_rank_fields(rank) for rank in ranks],
    )


def changed_of(message: Mapping[str, Any]) -> tuple[Changed, tuple[RankInfo, ...]]:
    """What the host said of its session; raises ProtocolError where it makes no sense."""
    ranks = message.get("ranks")
    if not isinstance(ranks, list) or not ranks or not all(isinstance(rank, dict) for rank in ranks):
        raise ProtocolError("message of type changed names no ranks")
    ratio = message.get("overhead_ratio")
    if ratio is not None and not (isinstance(ratio, float | int) and 0 <= ratio < MAX_COUNT):
        raise ProtocolError("message of type changed has an impossible overhead_ratio")
    changed = Changed(
        status=_status_of(message),
        has_new_events=False,
        events=number(message, "events"),
        dropped_events=number(message, "dropped_events"),
        overhead_ratio=None if ratio is None else float(ratio),
        recording_bytes=number(message, "recording_bytes"),
        warning=text(message, "warning"),
        memory_bytes=number(message, "memory_bytes"),
    )
    return changed, tuple(_rank_of(rank) for rank in ranks)


def obey(session: Session, command: Mapping[str, Any]) -> None:
    """Do what a window asks for; raises ProtocolError where it makes no sense."""
    rank = command.get("rank")
    if rank is not None and type(rank) is not int:
        raise ProtocolError(f"command for the impossible rank {rank!r:.80}")
    match command:
        case {"name": "pause"}:
            session.pause(rank)
        case {"name": "resume"}:
            session.resume(rank)
        case {"name": "step", "kind": kind} if kind in STEPS:
            session.step(kind, rank)
        case {"name": "set_breakpoints", "specs": list(specs)} if all(isinstance(spec, str) for spec in specs):
            session.set_breakpoints(specs)
        case {"name": "keep_moment", "time_ns": int(time_ns)} if 0 <= time_ns < MAX_COUNT:
            session.keep_moment(time_ns, rank)
        case {"name": "stop"}:
            session.stop()
        case _:
            raise ProtocolError(f"command is not known: {command.get('name')!r:.80}")


def number(message: Mapping[str, Any], key: str) -> int:
    """A count; raises ProtocolError where there is none."""
    value = message.get(key)
    if type(value) is not int or not 0 <= value < MAX_COUNT:
        raise ProtocolError(f"message of type {message.get('type')!s:.40} has an impossible {key}: {value!r:.80}")
    return value


def text(message: Mapping[str, Any], key: str) -> str:
    """A text; raises ProtocolError where there is none."""
    value = message.get(key)
    if not isinstance(value, str):
        raise ProtocolError(f"message of type {message.get('type')!s:.40} has no {key}")
    return value


def _rank_fields(rank: RankInfo) -> dict[str, Any]:
    named = {"rank": rank.rank, "label": rank.label, "pid": rank.pid, "device": rank.device, "quiet_ns": rank.quiet_ns, "backwards": rank.backwards}
    return {**named, **_status_fields(rank.status)}


def _status_fields(status: Status) -> dict[str, Any]:
    return {"state": status.state.value, "text": status.text, "held": status.held, "exit_code": status.exit_code}


def _status_of(message: Mapping[str, Any]) -> Status:
    try:
        state = RunState(message.get("state"))
    except ValueError:
        raise ProtocolError(f"status has the unknown state {message.get('state')!r:.80}") from None
    held = message.get("held")
    if held is not None:
        _check_held(held)
    if state is RunState.HELD and held is None:
        raise ProtocolError("status is held, but says not where")
    code = message.get("exit_code")
    if code is not None and type(code) is not int:
        raise ProtocolError("status has an impossible exit_code")
    return Status(state, text(message, "text"), held, code)


def _check_held(held: Any) -> None:
    """What the panels read of a hold without looking."""
    is_whole = (
        isinstance(held, dict)
        and all(type(held.get(key)) is int for key in HELD_NUMBERS)
        and isinstance(held.get("name"), str)
        and all(isinstance(stats, dict) for key in HELD_LISTS for stats in _listed(held.get(key, [])))
        and isinstance(held.get("finished"), dict | None)
    )
    if not is_whole:
        raise ProtocolError("status is held, but garbles where")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [None]


def _rank_of(message: Mapping[str, Any]) -> RankInfo:
    rank, pid, quiet_ns, backwards = (number(message, key) for key in ("rank", "pid", "quiet_ns", "backwards"))
    return RankInfo(rank, text(message, "label"), pid, _status_of(message), text(message, "device"), quiet_ns, backwards)
