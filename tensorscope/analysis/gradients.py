"""Gradient statistics over the run: one row a backward, stage and parameter, parameters ordered by depth."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.iterations import backward_spans, iteration_at, iteration_bounds
from tensorscope.analysis.results import Floats, GradientTable, Ints
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.schema import GRADIENTS
from tensorscope.trace.snapshot import Snapshot, TableView

_COLUMNS: Final = (
    "parameter", "backward", "stage", "flags", "nonfinite", "time_ns", "numel", "sum_squares", "max_abs", "weight_sum_squares", "update_sum_squares",
)  # fmt: skip
UNREAD = 1  # GRADIENT flag: the statistics of a device tensor that was not read


def gradient_table(snapshot: Snapshot) -> GradientTable:
    """All gradient rows, by (backward, stage, order of writing): a clip called twice after one backward gives two rows.

    Once there are any, ``parameters`` also names those that an optimizer holds and that never had a gradient.

    How far a step moved a parameter stands at the last backward before it, and what the parameter was then where that was not read otherwise.

    A norm over elements that are not all finite is what ``p.grad.double().norm()`` gives: nan if one of them is, else inf.
    """
    table = _with_updates(snapshot.table(GRADIENTS))
    ids = table["parameter"].astype(np.int64)
    distinct, coded = np.unique(ids, return_inverse=True)
    ordered = parameter_order(snapshot, set(distinct.tolist()) | (_optimized(snapshot) if len(ids) else set()))
    place = {identity: position for position, identity in enumerate(ordered)}
    parameter = np.array([place[identity] for identity in distinct.tolist()], np.int64)[coded]
    backward = np.maximum(table["backward"].astype(np.int64) - 1, 0)
    order = np.lexsort((np.arange(len(ids)), parameter, table["stage"], backward))
    is_unread = (table["flags"] & UNREAD)[order] != 0
    max_abs = np.where(is_unread, np.nan, table["max_abs"][order])
    nonfinite = table["nonfinite"][order].astype(np.int64)
    norm = np.sqrt(np.where(is_unread, np.nan, table["sum_squares"][order]))
    norm = np.where(nonfinite > 0, np.where(np.isinf(max_abs), np.inf, np.nan), norm)
    time = table["time_ns"][order].astype(np.int64)
    return GradientTable(
        parameters=tuple(parameter_name(snapshot, identity) for identity in ordered),
        modules=tuple(module_of_parameter(snapshot, identity) for identity in ordered),
        iteration=_iterations_of(snapshot, backward[order], time),
        backward=backward[order],
        parameter=parameter[order],
        stage=table["stage"][order].astype(np.uint8),
        time_ns=time,
        norm=norm,
        max_abs=max_abs,
        nonfinite=nonfinite,
        numel=table["numel"][order].astype(np.int64),
        weight_norm=np.sqrt(table["weight_sum_squares"][order]),
        update_norm=np.sqrt(table["update_sum_squares"][order]),
    )


def _with_updates(table: TableView) -> dict[str, NDArray[Any]]:
    """The columns without the rows of stage UPDATE, which are joined to the raw rows of their backward and parameter; of two steps after it the last counts."""
    columns = {name: table.column(name) for name in _COLUMNS}
    is_update = columns["stage"] == GradientStage.UPDATE
    if not is_update.any():
        return columns
    key = columns["backward"].astype(np.uint64) << np.uint64(32) | columns["parameter"].astype(np.uint64)
    newest = np.flatnonzero(is_update)[::-1]  # rows are in order of time
    keys, first = np.unique(key[newest], return_index=True)
    newest = newest[first]
    kept = {name: column[~is_update].copy() for name, column in columns.items()}
    at = np.searchsorted(keys, key[~is_update]).clip(max=len(keys) - 1)
    is_joined = (keys[at] == key[~is_update]) & (kept["stage"] == GradientStage.RAW)
    rows = newest[at[is_joined]]
    kept["update_sum_squares"][is_joined] = columns["update_sum_squares"][rows]
    weights = kept["weight_sum_squares"][is_joined]
    kept["weight_sum_squares"][is_joined] = np.where(np.isnan(weights), columns["weight_sum_squares"][rows], weights)
    return kept


def module_norms(table: GradientTable, stage: int = 1) -> dict[str, tuple[Ints, Floats]]:
    """The norm over all parameters of each module (not of its children) by backward: module → (backwards [b], norms [b])."""
    is_stage = table.stage == stage
    rows = np.flatnonzero(is_stage)
    names = sorted(set(table.modules), key=table.modules.index)
    code = np.array([names.index(module) for module in table.modules], np.int64)
    result: dict[str, tuple[Ints, Floats]] = {}
    for position, name in enumerate(names):
        of_module = rows[code[table.parameter[rows]] == position]
        backwards, group = np.unique(table.backward[of_module], return_inverse=True)
        sums = np.bincount(group, weights=table.norm[of_module] ** 2, minlength=len(backwards))
        result[name] = (backwards, np.sqrt(sums))
    return result


def parameter_order(snapshot: Snapshot, wanted: set[int]) -> tuple[int, ...]:
    """Parameter ids nearest the input first: by the first operator that used each in a graph; those in no graph follow as registered."""
    first_use: dict[int, tuple[int, int]] = {}
    seen: set[int] = set()
    for backward in snapshot.backwards.values():
        shape = snapshot.graphs.get(backward.graph)
        if shape is None or backward.graph in seen:
            continue
        seen.add(backward.graph)
        targets = shape.edges[:, 2]
        users = shape.edges[:, 0]
        is_parameter = shape.parameters[targets] != 0
        for target, user in zip(targets[is_parameter], users[is_parameter], strict=True):
            identity, number = int(shape.parameters[target]), int(backward.sequence_nrs[user])
            use = (len(seen), number)
            first_use[identity] = min(use, first_use.get(identity, use))
    registered = {identity: place for place, identity in enumerate(snapshot.parameters)}
    after = (len(seen) + 1, 0)
    return tuple(sorted(wanted, key=lambda one: (first_use.get(one, after), registered.get(one, len(registered)), one)))


def _optimized(snapshot: Snapshot) -> set[int]:
    """Ids of the parameters that optimizers hold."""
    return {int(identity) for told in snapshot.optimizers.values() for identity in told.get("parameters", ())} & snapshot.parameters.keys()


def parameter_name(snapshot: Snapshot, parameter: int) -> str:
    """FQN of a parameter id; "?" and its id while its message is missing; "" for 0."""
    known = snapshot.parameters.get(parameter)
    if known is not None:
        return str(known.get("fqn", ""))
    return f"?{parameter}" if parameter else ""


def module_of_parameter(snapshot: Snapshot, parameter: int) -> str:
    """FQN of the module that owns a parameter, "" for none and for the root."""
    known = snapshot.parameters.get(parameter, {})
    module = snapshot.modules.get(int(known.get("module") or 0), {})
    return str(module.get("fqn", ""))


def _iterations_of(snapshot: Snapshot, backward: Ints, time_ns: Ints) -> Ints:
    """The iteration of each row: that of its backward's begin, else of the row's own time; never below 0."""
    spans = sorted((identity - 1, begin) for identity, begin, _ in backward_spans(snapshot, outermost=False))
    times = time_ns
    if spans:
        known, begins = (np.array(column, np.int64) for column in zip(*spans, strict=True))
        at = np.searchsorted(known, backward).clip(max=len(known) - 1)
        times = np.where(known[at] == backward, begins[at], time_ns)
    return np.maximum(iteration_at(iteration_bounds(snapshot), times), 0)
