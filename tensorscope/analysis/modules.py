"""The tree of module calls: which module a call ran, its class, what it ran inside of."""

from dataclasses import dataclass

import numpy as np

from tensorscope.analysis.iterations import open_ends_closed
from tensorscope.analysis.results import ModuleCallNode
from tensorscope.trace.schema import MODULE_CALLS
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ModuleCall:
    call: int
    parent: int  # call id, 0: outermost
    module: str  # FQN
    module_class: str
    begin_ns: int
    end_ns: int
    stack: int
    thread: int


def module_calls(snapshot: Snapshot) -> dict[int, ModuleCall]:
    """Every module call by its id, in order of begin."""
    table = snapshot.table(MODULE_CALLS)
    begins = table.column("begin_ns")
    ends = open_ends_closed(begins, table.column("end_ns"), snapshot.end_ns)
    order = np.argsort(begins, kind="stable")
    columns = [table.column(name)[order].tolist() for name in ("call", "parent", "module", "stack", "thread")]
    names = {module: module_name(snapshot, module) for module in set(columns[2])}
    rows = zip(*columns, begins[order].tolist(), ends[order].tolist(), strict=True)
    return {call: ModuleCall(call, parent, *names[module], begin, end, stack, thread) for call, parent, module, stack, thread, begin, end in rows}


def module_name(snapshot: Snapshot, module: int) -> tuple[str, str]:
    """(FQN, class) of a module id; an unknown one gets its class as "?"."""
    known = snapshot.modules.get(module)
    if known is None:
        return "", "?"
    return str(known.get("fqn", "")), str(known.get("class", "?"))


def call_tree(calls: dict[int, ModuleCall], used: set[int]) -> tuple[ModuleCallNode, ...]:
    """The calls in ``used`` and all calls around them, parents before children, in order of begin."""
    wanted: set[int] = set()
    for call in used:
        while call and call in calls and call not in wanted:
            wanted.add(call)
            call = calls[call].parent
    ordered = sorted((calls[call] for call in wanted), key=lambda one: (one.begin_ns, one.call))
    return tuple(ModuleCallNode(one.call, one.parent if one.parent in wanted else 0, one.module, one.module_class) for one in ordered)
