"""What operators did to one storage over its life: which made it, wrote it, gave out a view of it, copied it or read it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.effects import changes_layout_by_name, copies_by_name, writes_by_name
from tensorscope.analysis.join import ForwardJoin, node_name
from tensorscope.analysis.operators import CallIndex, call_index, outermost, source_of
from tensorscope.analysis.results import Ints, Source
from tensorscope.protocol.records import AllocationAction, TensorRole
from tensorscope.trace.schema import ALLOCATIONS, TENSORS
from tensorscope.trace.snapshot import Snapshot

EFFECTS: Final = ("reads", "copies", "shares", "writes", "makes")  # codes of StorageUses.effect
READS, COPIES, SHARES, WRITES, MAKES = range(5)
MOST_LISTED: Final = 200

_STARTS: Final = (AllocationAction.ALLOC, AllocationAction.BEFORE)
_ENDS: Final = (AllocationAction.FREE, AllocationAction.FREE_REQUESTED, AllocationAction.BEFORE_FREED)


@dataclass(frozen=True, slots=True)
class StorageUse:
    """One outermost operator (or node of a backward) that touched the storage."""

    operator: int
    name: str
    is_node: bool
    effect: int
    begin_ns: int
    end_ns: int
    source: Source | None


@dataclass(frozen=True, slots=True)
class StorageUses:
    """All uses of one storage, arrays [u] in order of begin; ``listed`` describes those from ``first_listed`` on."""

    data: int
    life_ns: tuple[int, int]  # from its allocation (-1: not on record) to its end, or the newest moment on record
    is_alive: bool
    begin_ns: Ints
    effect: NDArray[np.uint8]
    operator: NDArray[np.uint64]
    is_node: NDArray[np.bool_]
    first_listed: int = 0
    listed: tuple[StorageUse, ...] = field(default=())

    @property
    def counts(self) -> tuple[int, ...]:
        """How many uses of each effect."""
        return tuple(np.bincount(self.effect, minlength=len(EFFECTS)).tolist())


@dataclass(frozen=True, slots=True)
class _Sightings:
    """Tensor rows on the storage, arrays [s] in order of time; within a call inputs stand before outputs."""

    position: NDArray[np.intp]  # of the call, in the call index
    is_output: NDArray[np.bool_]
    version: Ints
    argument: Ints
    impl: NDArray[np.uint64]


def storage_uses(snapshot: Snapshot, data: int, seen_ns: int, around_ns: int | None = None, most: int = MOST_LISTED) -> StorageUses:
    """Every use of the storage that lay at an address at a moment. At most ``most`` are described: those around a time (None: the newest).

    A use is the operator that the user's line called, or the node that ran: what happened inside counts as its doing. It makes the storage if it is
    the first to give it out without having taken it in; writes if it, or an operator inside, left a higher version, is in place by name or has it as
    ``out=``; shares if its own output lies on the storage; copies if by torch's name it gives out the same elements on new memory; and else reads.
    """
    begin, end, is_alive = _life(snapshot, data, seen_ns)
    index = call_index(snapshot)
    calls, codes = _effects_of_calls(snapshot, index, _sightings(snapshot, index, data, begin, end))
    tops, effects = _effects_of_tops(snapshot, index, calls, codes)
    order = np.argsort(index.begin_ns[tops], kind="stable")
    tops, effects = tops[order], effects[order]
    begins = index.begin_ns[tops]
    first = _first_listed(begins, around_ns, most)
    return StorageUses(
        data=data,
        life_ns=(begin, end),
        is_alive=is_alive,
        begin_ns=begins,
        effect=effects,
        operator=index.id[tops],
        is_node=index.is_node[tops],
        first_listed=first,
        listed=_describe(snapshot, index, tops[first : first + most], effects[first : first + most]),
    )


def _life(snapshot: Snapshot, data: int, seen_ns: int) -> tuple[int, int, bool]:
    """(begin, end, is alive) of the block that held an address at a moment; (-1, newest moment, True) where none is on record."""
    table = snapshot.table(ALLOCATIONS)
    action, address, time_ns = table.column("action"), table.column("address"), table.column("time_ns")
    wanted = np.uint64(data)
    holds = np.isin(action, _STARTS) & (address <= wanted) & (wanted - address < table.column("size")) & (time_ns <= seen_ns)
    starts = np.flatnonzero(holds)
    if not len(starts):
        return -1, snapshot.end_ns, True
    start = starts[np.argmax(time_ns[starts])]
    ends = time_ns[np.isin(action, _ENDS) & (address == address[start]) & (time_ns > time_ns[start])]
    return int(time_ns[start]), int(ends.min(initial=snapshot.end_ns)), not len(ends)


def _sightings(snapshot: Snapshot, index: CallIndex, data: int, begin: int, end: int) -> _Sightings:
    tensors = snapshot.table(TENSORS)
    role = tensors.column("role")
    rows = np.flatnonzero((tensors.column("data") == data) & (role != TensorRole.ROOT_INPUT)) if data else np.empty(0, np.intp)
    position = index.find(tensors.column("op")[rows])
    rows, position = rows[position >= 0], position[position >= 0]
    is_output = role[rows] == TensorRole.OUTPUT
    times = np.where(is_output, index.end_ns[position], index.begin_ns[position])
    order = np.lexsort((is_output, times))
    order = order[(times[order] >= begin) & (times[order] <= end)]
    rows = rows[order]
    version, argument = tensors.column("version")[rows].astype(np.int64), tensors.column("argument")[rows].astype(np.int64)
    return _Sightings(position[order], is_output[order], version, argument, tensors.column("impl")[rows])


def _effects_of_calls(snapshot: Snapshot, index: CallIndex, sightings: _Sightings) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """(positions, effects) of the calls that had the storage among their tensors, in order of position. Only the first that gave it out made it."""
    calls, place = np.unique(sightings.position, return_inverse=True)
    into, out = ~sightings.is_output, sightings.is_output
    has_input, has_output = np.zeros((2, len(calls)), np.bool_)
    has_input[place[into]], has_output[place[out]] = True, True
    before, after = _lowest(place[into], sightings.version[into], len(calls)), -_lowest(place[out], -sightings.version[out], len(calls))
    in_place, layout_only = (_named(snapshot, index, calls, is_meant) for is_meant in (writes_by_name, changes_layout_by_name))
    rises = has_input & has_output & ((after > before) & ~layout_only | in_place | _is_out_argument(sightings, place, len(calls)))
    rises |= has_input & ~has_output & in_place & _is_followed_by_more(sightings, place, before, len(calls))
    effects = np.full(len(calls), READS, np.uint8)
    effects[has_output] = SHARES
    effects[rises] = WRITES
    gives = np.flatnonzero(has_output & ~has_input)
    if len(gives):
        begins, ends = index.begin_ns[calls[gives]], index.end_ns[calls[gives]]
        first = np.argmin(ends)
        effects[gives[(begins <= begins[first]) & (ends >= ends[first])]] = MAKES
    copies = _named(snapshot, index, calls, copies_by_name)
    effects[copies & (effects == READS)] = COPIES
    return calls, effects


def _effects_of_tops(snapshot: Snapshot, index: CallIndex, calls: NDArray[np.intp], effects: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """The same of the operators around them, which the user's lines called: that one inside made or wrote counts, else the own effect, else a read."""
    around = outermost(index, calls)
    calls, effects, around = calls[around >= 0], effects[around >= 0], around[around >= 0]
    tops, place = np.unique(around, return_inverse=True)
    strongest = np.zeros(len(tops), np.uint8)
    np.maximum.at(strongest, place, effects)
    weakest = np.full(len(tops), MAKES, np.uint8)
    np.minimum.at(weakest, place, effects)
    own = weakest.copy()
    is_own = around == calls
    own[place[is_own]] = effects[is_own]
    return tops, np.where(strongest >= WRITES, strongest, own).astype(np.uint8)


def _lowest(place: NDArray[np.intp], values: Ints, count: int) -> Ints:
    """The lowest value of each call; a number beyond all versions where it has none."""
    lowest = np.full(count, 1 << 40, np.int64)
    np.minimum.at(lowest, place, values)
    return lowest


def _is_out_argument(sightings: _Sightings, place: NDArray[np.intp], count: int) -> NDArray[np.bool_]:
    """Which calls gave out a tensor that they took in as a later argument only (``out=``): views and no-ops give out their first."""
    found = np.zeros(count, np.bool_)
    first: dict[tuple[int, int], int] = {}
    for call, impl, argument, is_output in zip(place.tolist(), sightings.impl.tolist(), sightings.argument.tolist(), sightings.is_output.tolist(), strict=True):
        if not is_output:
            first[call, impl] = min(argument, first.get((call, impl), argument))
        elif impl and first.get((call, impl), 0) > 0:
            found[call] = True
    return found


def _is_followed_by_more(sightings: _Sightings, place: NDArray[np.intp], before: Ints, count: int) -> NDArray[np.bool_]:
    """Which calls are followed by a higher version; of the last one the order of its arguments tells (``_foreach_add_`` writes its first list)."""
    found = np.zeros(count, np.bool_)
    last = np.zeros(count, np.intp)
    last[place] = np.arange(len(place))  # the last assignment of a call stands: its last sighting
    following = last + 1
    is_last = following >= len(place)
    found[~is_last] = sightings.version[following[~is_last]] > before[~is_last]
    first_argument = _lowest(place, sightings.argument, count)
    found[is_last] = first_argument[is_last] == 0
    return found


def _named(snapshot: Snapshot, index: CallIndex, calls: NDArray[np.intp], is_meant: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Which calls are operators whose name is meant [calls]."""
    names, place = np.unique(index.name[calls], return_inverse=True)
    is_one = np.array([is_meant(snapshot.name(int(name))) for name in names], np.bool_)
    result: NDArray[np.bool_] = is_one[place] & ~index.is_node[calls]
    return result


def _first_listed(begins: Ints, around_ns: int | None, most: int) -> int:
    middle = len(begins) if around_ns is None else int(np.searchsorted(begins, around_ns, "left"))
    return max(min(middle - most // 2, len(begins) - most), 0)


def _describe(snapshot: Snapshot, index: CallIndex, tops: NDArray[np.intp], effects: NDArray[np.uint8]) -> tuple[StorageUse, ...]:
    join = ForwardJoin(snapshot, index)
    return tuple(
        StorageUse(
            operator=int(index.id[top]),
            name=node_name(snapshot.name(int(index.name[top]))),
            is_node=bool(index.is_node[top]),
            effect=effect,
            begin_ns=int(index.begin_ns[top]),
            end_ns=int(index.end_ns[top]),
            source=source_of(snapshot, join.origin(top)[0]),
        )
        for top, effect in zip(tops.tolist(), effects.tolist(), strict=True)
    )
