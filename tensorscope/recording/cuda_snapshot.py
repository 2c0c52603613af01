"""Reads torch's CUDA memory snapshots (``torch.cuda.memory._dump_snapshot``, of torch 2.0 and later) as allocations with stacks.

The schema over the versions: https://github.com/pytorch/pytorch/blob/main/torch/cuda/memory.py (``_snapshot``). A snapshot's history may begin late:
blocks that it frees or still holds without having allocated them were there before.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tensorscope.errors import TensorScopeError
from tensorscope.protocol.records import AllocationAction

Frames = tuple[tuple[str, int, str], ...]
Json = Mapping[str, Any]

_ACTIONS: Final = {
    "alloc": AllocationAction.ALLOC,
    "free_requested": AllocationAction.FREE_REQUESTED,
    "free_completed": AllocationAction.FREE_COMPLETED,
    "segment_alloc": AllocationAction.SEGMENT_ALLOC,
    "segment_free": AllocationAction.SEGMENT_FREE,
    "segment_map": AllocationAction.SEGMENT_MAP,
    "segment_unmap": AllocationAction.SEGMENT_UNMAP,
    "oom": AllocationAction.OOM,
}
_GROWS: Final = ("segment_alloc", "segment_map")
_SHRINKS: Final = ("segment_free", "segment_unmap")
_STEP_NS: Final = 1000  # between events of a file that has no times
_STATE_NS: Final = 1_000_000_000  # for which a file without history shows its one state


@dataclass(frozen=True, slots=True)
class Event:
    """``time_ns`` counts from the first event of the file; ``address`` of an OOM is the device's free bytes."""

    device: int
    action: AllocationAction
    address: int
    size: int
    time_ns: int
    stream: int
    frames: Frames  # of Python, innermost first


@dataclass(frozen=True, slots=True)
class CudaSnapshot:
    """``begin_ns`` is the wall clock of the first event, 0 where the file has no times."""

    events: tuple[Event, ...]
    begin_ns: int
    end_ns: int  # since the first event


def is_cuda_snapshot(path: Path) -> bool:
    """By its name's ending; what is in it is looked at when it is read."""
    return path.suffix in (".pickle", ".pkl")


def read_cuda_snapshot(path: Path) -> CudaSnapshot:
    """Raises TensorScopeError where the file is none, or not to be trusted: nothing in it is ever run."""
    try:
        content = _Plain(io.BytesIO(path.read_bytes())).load()
        segments = content if isinstance(content, list) else content["segments"]
        traces = [] if isinstance(content, list) else content.get("device_traces") or []
        return _joined(segments, traces)
    except FileNotFoundError:
        raise TensorScopeError(f"There is no file {path}.") from None
    except OSError as error:
        raise TensorScopeError(f"Cannot read {path}: {(error.strerror or str(error)).lower()}.") from None
    except _Refused as refused:
        raise TensorScopeError(f"{path} is no CUDA memory snapshot: it wants {refused} to be run, which a snapshot never does.") from None
    except (pickle.UnpicklingError, EOFError, AttributeError, IndexError, KeyError, TypeError, ValueError, MemoryError):
        raise TensorScopeError(f"{path} is no CUDA memory snapshot, or it is damaged: torch.cuda.memory._dump_snapshot writes them.") from None


class _Refused(Exception):
    """The pickle names something to be imported."""


class _Plain(pickle.Unpickler):
    """Only what pickle makes without importing anything."""

    def find_class(self, module: str, name: str) -> Any:
        raise _Refused(f"{module}.{name}")


def _joined(segments: Sequence[Json], traces: Sequence[Sequence[Json]]) -> CudaSnapshot:
    events: list[Event] = []
    traces = [trace if len(trace) > 1 else [] for trace in traces]  # enabled="state" keeps one entry, which is no history
    times = [int(entry.get("time_us") or 0) for trace in traces for entry in trace]
    begin_us = min(times, default=0)
    for device in sorted({int(segment["device"]) for segment in segments} | {number for number, trace in enumerate(traces) if trace}):
        own = [segment for segment in segments if int(segment["device"]) == device]
        trace = list(traces[device]) if device < len(traces) else []
        events += _before(device, own, trace)
        events += _told(device, trace, begin_us)
    last_ns = max((event.time_ns for event in events), default=0)
    return CudaSnapshot(tuple(events), begin_us * 1000, last_ns + _STEP_NS if last_ns else _STATE_NS)


def _before(device: int, segments: Sequence[Json], trace: Sequence[Json]) -> Iterator[Event]:
    """What was there when the history began, or (without one) what is there: sizes are as asked for with a history, else as given."""
    reserved = sum(int(segment["total_size"]) for segment in segments)
    reserved += sum(int(entry["size"]) * (-1 if entry["action"] in _GROWS else 1) for entry in trace if entry["action"] in (*_GROWS, *_SHRINKS))
    if reserved > 0:
        yield Event(device, AllocationAction.SEGMENT_ALLOC, 1, reserved, 0, 0, ())
    known: set[int] = set()
    for entry in trace:
        if entry["action"] == "alloc":
            known.add(int(entry["addr"]))
        elif entry["action"] in ("free_requested", "free_completed") and int(entry["addr"]) not in known:
            known.add(int(entry["addr"]))  # its free_completed follows its free_requested
            yield Event(device, AllocationAction.BEFORE, int(entry["addr"]), int(entry["size"]), 0, int(entry.get("stream") or 0), _frames(entry))
    for segment in segments:
        address = int(segment["address"])
        for block in segment["blocks"]:
            begin = int(block.get("address") or address)
            if block["state"] == "active_allocated" and begin not in known:
                size = int((block.get("requested_size") if trace else 0) or block["size"])
                yield Event(device, AllocationAction.BEFORE, begin, size, 0, int(segment.get("stream") or 0), _frames(block))
            address += int(block["size"])


def _told(device: int, trace: Sequence[Json], begin_us: int) -> Iterator[Event]:
    asked: set[int] = set()  # addresses whose free was requested, and so has ended the block
    for place, entry in enumerate(trace):
        action = _ACTIONS.get(entry["action"])
        if action is None:
            continue
        time_ns = (int(entry["time_us"]) - begin_us) * 1000 if entry.get("time_us") else place * _STEP_NS
        address = int(entry["device_free"] if entry["action"] == "oom" else entry["addr"])
        if action is AllocationAction.FREE_REQUESTED:
            asked.add(address)
        elif action is AllocationAction.FREE_COMPLETED and address not in asked:
            action = AllocationAction.FREE  # recorded without its request
        elif action is AllocationAction.FREE_COMPLETED:
            asked.discard(address)
        yield Event(device, action, address, int(entry["size"]), time_ns + _STEP_NS, int(entry.get("stream") or 0), _frames(entry))


def _frames(entry: Json) -> Frames:
    """Those of Python; torch 2.0 has a block's in its history."""
    history = entry.get("history") or [{}]
    frames = entry.get("frames") or history[0].get("frames") or ()
    return tuple((_posix(str(frame["filename"])), int(frame["line"]), str(frame["name"])) for frame in frames if str(frame["filename"]).endswith(".py"))


def _posix(file: str) -> str:
    """``C:/code/train.py`` for a file name of Windows."""
    return file.replace("\\", "/") if file[1:3] == ":\\" else file
