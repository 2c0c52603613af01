"""The allocated memory of every rank of a job, on the device that corresponds to a given one."""

from dataclasses import dataclass

from tensorscope.analysis.blocks import allocated_curve, device_keys, join_blocks
from tensorscope.analysis.rank_times import Ranks
from tensorscope.analysis.results import Ints
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class RankMemory:
    """A step function: ``allocated_bytes[i]`` holds from ``times_ns[i]`` on, in the rank's run time, until ``end_ns``."""

    rank: int
    device: str
    times_ns: Ints
    allocated_bytes: Ints
    end_ns: int


def memory_across(ranks: Ranks, device: str) -> dict[int, RankMemory]:
    """By rank; one without memory of the kind on record is left out. Joins all allocations."""
    found = {rank: rank_memory(rank, snapshot, device) for rank, snapshot in ranks.items()}
    return {rank: memory for rank, memory in found.items() if memory is not None}


def rank_memory(rank: int, snapshot: Snapshot, device: str) -> RankMemory | None:
    """On the device of this name; where the rank has none, on the one of its kind ("cuda:1" for "cuda:0") with the highest peak."""
    keys = device_keys(snapshot)
    kind = device.partition(":")[0]
    wanted = [key for key in keys if key.name == device] or [key for key in keys if key.name.partition(":")[0] == kind]
    curves = {key.name: allocated_curve(join_blocks(snapshot, key)) for key in wanted}
    if not curves:
        return None
    name = max(curves, key=lambda one: int(curves[one].allocated_bytes.max(initial=0)))
    return RankMemory(rank, name, curves[name].times_ns, curves[name].allocated_bytes, snapshot.end_ns)
