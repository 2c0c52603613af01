"""What each operator did to the memory of its tensors: new, shares or writes."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.operators import CallIndex
from tensorscope.analysis.results import Ints
from tensorscope.protocol.records import TensorRole
from tensorscope.trace.schema import TENSORS
from tensorscope.trace.snapshot import Snapshot

RESULTS: Final = ("", "new", "shares", "writes")  # codes of operator_results
NEW, SHARES, WRITES = 1, 2, 3

# In place by name, but only the tensor's layout or bookkeeping changes, not its elements.
_LAYOUT_ONLY: Final = frozenset(
    (
        "as_strided_", "detach_", "moveaxis_", "rename_", "requires_grad_", "resize_", "resize_as_", "set_", "squeeze_", "swapaxes_", "swapdims_", "t_",
        "transpose_", "unsqueeze_", "_coalesced_",
    )
)  # fmt: skip

# What gives out the elements of an input on memory of its own, by torch's documentation; those that may as well give out a view do so where they can.
_COPIES: Final = frozenset(
    (
        "_copy_from", "_to_copy", "cat", "clone", "concat", "concatenate", "contiguous", "copy", "copy_", "cpu", "cuda", "flatten", "hstack",
        "pin_memory", "repeat", "repeat_interleave", "reshape", "reshape_as", "stack", "tile", "to", "type_as", "vstack",
    )
)  # fmt: skip


def copies_by_name(operator: str) -> bool:
    """Whether an operator of this name copies the elements of its input where it does not give out a view of it (``clone``, ``contiguous``, ``cat``)."""
    return operator.rpartition("::")[2] in _COPIES


def changes_layout_by_name(operator: str) -> bool:
    """Whether an operator of this name is in place and yet leaves the elements alone (``t_``, ``detach_``)."""
    return operator.rpartition("::")[2] in _LAYOUT_ONLY


def writes_by_name(operator: str) -> bool:
    """Whether an operator of this name writes the elements of its first argument, as torch's naming has it (``add_``, ``_foreach_add_``)."""
    plain = operator.rpartition("::")[2]
    return plain.endswith("_") and not plain.endswith("__") and plain not in _LAYOUT_ONLY


def operator_results(snapshot: Snapshot, index: CallIndex) -> NDArray[np.uint8]:
    """What each call did with its output's memory [n], as indices of RESULTS.

    writes: an output lies on an input's storage and that one's version went up, or it is in place by name (inside another operator torch raises no
    versions), or the output is a later argument itself (``out=``); an in-place operator that returns nothing (``_foreach_add_``) writes too.
    shares: an output lies on an input's storage, unwritten. new: no output does. "": no tensor came out. The strongest of all outputs counts.
    """
    tensors = snapshot.table(TENSORS)
    role, storage, version = tensors.column("role"), tensors.column("storage"), tensors.column("version").astype(np.int64)
    position = index.find(tensors.column("op"))
    inputs = np.flatnonzero((role == TensorRole.INPUT) & (position >= 0) & (storage != 0))
    outputs = np.flatnonzero((role == TensorRole.OUTPUT) & (position >= 0))
    known, before = _lowest(position[inputs], storage[inputs], version[inputs])
    match = _find_pairs(known, position[outputs], storage[outputs])
    was = before[match.clip(min=0)] if len(before) else np.zeros(len(match), np.int64)
    in_place, layout_only = _by_name(snapshot, index)
    is_out = _is_out_argument(snapshot, position, inputs, outputs)
    is_written = (version[outputs] > was) & ~layout_only[position[outputs]] | in_place[position[outputs]] | is_out
    code = np.where(match < 0, NEW, np.where(is_written, WRITES, SHARES)).astype(np.uint8)
    codes = np.zeros(len(index.id), np.uint8)
    np.maximum.at(codes, position[outputs], code)
    has_input = np.zeros(len(codes), np.bool_)
    has_input[position[inputs]] = True
    codes[(codes == 0) & has_input & in_place] = WRITES
    return codes


def _by_name(snapshot: Snapshot, index: CallIndex) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which calls write in place by name, and which only change a layout [n] each."""
    writers = [identity for identity, name in snapshot.strings.items() if writes_by_name(name)]
    layouts = [identity for identity, name in snapshot.strings.items() if changes_layout_by_name(name)]
    return np.isin(index.name, writers) & ~index.is_node, np.isin(index.name, layouts) & ~index.is_node


def _is_out_argument(snapshot: Snapshot, position: NDArray[np.intp], inputs: NDArray[np.intp], outputs: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which outputs are the very tensor of a later argument: views and no-ops give out their first, ``out=`` comes last."""
    tensors = snapshot.table(TENSORS)
    impl, argument = tensors.column("impl"), tensors.column("argument").astype(np.int64)
    given = inputs[impl[inputs] != 0]
    known, first = _lowest(position[given], impl[given], argument[given])
    match = _find_pairs(known, position[outputs], impl[outputs])
    result: NDArray[np.bool_] = (match >= 0) & (first[match.clip(min=0)] > 0) if len(first) else np.zeros(len(outputs), np.bool_)
    return result


def _lowest(position: NDArray[np.intp], key: NDArray[np.uint64], value: Ints) -> tuple[NDArray[Any], Ints]:
    """Unique (call, key) pairs, sorted, and the lowest value of each."""
    order = np.lexsort((value, key, position))
    pairs = np.empty(len(order), dtype=[("position", np.int64), ("key", np.uint64)])
    pairs["position"], pairs["key"] = position[order], key[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (pairs["position"][1:] != pairs["position"][:-1]) | (pairs["key"][1:] != pairs["key"][:-1])
    return pairs[is_first], value[order][is_first]


def _find_pairs(known: NDArray[Any], position: NDArray[np.intp], key: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Index in ``known`` of each (call, key) pair; -1 where absent or the key is 0."""
    found = np.full(len(position), -1, np.intp)
    if not len(known) or not len(position):
        return found
    distinct, coded = np.unique(np.concatenate((known["key"], key)), return_inverse=True)
    have = known["position"] * len(distinct) + coded[: len(known)]
    wanted = position.astype(np.int64) * len(distinct) + coded[len(known) :]
    at = np.searchsorted(have, wanted).clip(max=len(have) - 1)
    return np.where((have[at] == wanted) & (key != 0), at, -1).astype(np.intp)
