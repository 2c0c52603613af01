"""Who made a storage and who wrote to it last, from the versions that operators saw on their way in and left on their way out."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.effects import writes_by_name
from tensorscope.analysis.join import ForwardJoin
from tensorscope.analysis.operators import CallIndex, call_index, source_of
from tensorscope.analysis.results import Ints, Source
from tensorscope.protocol.records import Scope, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Writer:
    """An operator that wrote; an empty name where it is not known."""

    name: str = ""
    source: Source | None = None
    operator: int = 0
    module_call: int = 0
    begin_ns: int = -1


NOBODY: Final = Writer()


@dataclass(frozen=True, slots=True)
class _Sightings:
    """Tensor rows on one storage within its life, in order of time; arrays [s]."""

    position: NDArray[np.intp]  # of the operator, in the call index
    is_output: NDArray[np.bool_]
    version: Ints
    time_ns: Ints


def find_writers(snapshot: Snapshot, data: list[int], begins_ns: list[int], seen_ns: int) -> list[tuple[Writer, Writer]]:
    """(maker, last writer) of each storage, given by its data pointer and the time since when it is there (-1: not known), up to ``seen_ns``.

    The maker is the first operator that gave the storage out without having taken it in. A writer took the storage in with one version
    and left it with a higher one or is in place by name, or left nothing and the next sighting has a higher one (``_foreach_add_``). Of nested operators
    the outermost counts: the one that the user's line called.
    """
    tensors = snapshot.table(TENSORS)
    wanted = np.unique(np.array([one for one in data if one], np.uint64))
    rows = np.flatnonzero(np.isin(tensors.column("data"), wanted) & (tensors.column("role") != TensorRole.ROOT_INPUT))
    index = call_index(snapshot)
    position = index.find(tensors.column("op")[rows])
    rows, position = rows[position >= 0], position[position >= 0]
    is_output = tensors.column("role")[rows] == TensorRole.OUTPUT
    times = np.where(is_output, index.end_ns[position], index.begin_ns[position])
    order = np.lexsort((is_output, times, tensors.column("data")[rows]))
    rows, position, is_output, times = rows[order], position[order], is_output[order], times[order]
    pointers = tensors.column("data")[rows]
    join = ForwardJoin(snapshot, index)
    found = []
    for pointer, begin in zip(data, begins_ns, strict=True):
        low, high = np.searchsorted(pointers, [np.uint64(pointer), np.uint64(pointer + 1)]) if pointer else (0, 0)
        within = np.arange(low, high)[(times[low:high] >= begin) & (times[low:high] <= seen_ns)]
        version = tensors.column("version")[rows[within]].astype(np.int64)
        sightings = _Sightings(position[within], is_output[within], version, times[within])
        found.append(_made_and_wrote(snapshot, join, sightings))
    return found


def _made_and_wrote(snapshot: Snapshot, join: ForwardJoin, sightings: _Sightings) -> tuple[Writer, Writer]:
    taken: dict[int, int] = {}  # call → version on its way in
    made: int | None = None
    writes: dict[int, int] = {}  # call → order of its write
    open_reader, version = -1, 0
    for step in range(len(sightings.position)):
        call, now = int(sightings.position[step]), int(sightings.version[step])
        if sightings.is_output[step]:
            if call not in taken:
                made = call if made is None or _holds(join.index, call, made) else made
            elif now > taken[call] or _writes_by_name(snapshot, join.index, call):
                writes[call] = step
            open_reader = -1
        else:
            if now > version and open_reader >= 0 and _writes_by_name(snapshot, join.index, open_reader):
                writes[open_reader] = step
            taken.setdefault(call, now)
            open_reader = call
        version = max(version, now)
    last = max(writes, key=writes.__getitem__, default=made)
    if last is not None:
        around = [call for call in taken if _writes_by_name(snapshot, join.index, call)] + ([made] if made is not None else [])
        last = min((call for call in around if _holds(join.index, call, last)), key=lambda call: int(join.index.begin_ns[call]), default=last)
    return _writer(snapshot, join, made), _writer(snapshot, join, last)


def _writes_by_name(snapshot: Snapshot, index: CallIndex, call: int) -> bool:
    return not index.is_node[call] and writes_by_name(snapshot.name(int(index.name[call])))


def _holds(index: CallIndex, outer: int, inner: int) -> bool:
    """Whether one call ran around another: same thread, and its span covers the other's."""
    is_around = index.begin_ns[outer] <= index.begin_ns[inner] and index.end_ns[inner] <= index.end_ns[outer]
    return bool(is_around and index.thread[outer] == index.thread[inner])


def _writer(snapshot: Snapshot, join: ForwardJoin, call: int | None) -> Writer:
    if call is None:
        return NOBODY
    index = join.index
    if not index.is_node[call] and snapshot.table(OPERATORS).column("scope")[index.row[call]] == Scope.BACKWARD_FUNCTION:
        name = snapshot.name(int(index.name[call])).removeprefix("torch::autograd::")
    else:
        name = snapshot.name(int(index.name[call]))
    stack, module_call = join.origin(call)
    return Writer(name, source_of(snapshot, stack), int(index.id[call]), module_call, int(index.begin_ns[call]))
