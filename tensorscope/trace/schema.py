"""All tables of a trace, declared as data.

A column's type is a NumPy type string. ``is_time`` columns hold monotonic nanoseconds in chunks as they came; a snapshot gives them as run time
(since the script's start, held time taken out). Every row carries ``rank``; hot tables also carry ``thread``.
"""

from dataclasses import dataclass, field
from typing import Final

from tensorscope.protocol.records import LAYOUT, RecordKind


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    is_time: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[Column, ...]
    names: tuple[str, ...] = field(init=False)
    time_names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(column.name for column in self.columns))
        object.__setattr__(self, "time_names", tuple(column.name for column in self.columns if column.is_time))


def _of_records(name: str, kind: RecordKind) -> Table:
    fields = tuple(Column(one.name, one.type, one.name.endswith("_ns")) for one in LAYOUT[kind])
    return Table(name, (Column("rank", "u2"), Column("thread", "u4"), *fields))


OPERATORS: Final = _of_records("operators", RecordKind.OPERATOR)
TENSORS: Final = _of_records("tensors", RecordKind.TENSOR)
ALLOCATIONS: Final = _of_records("allocations", RecordKind.ALLOCATION)
NODES: Final = _of_records("nodes", RecordKind.NODE)
MODULE_CALLS: Final = _of_records("module_calls", RecordKind.MODULE_CALL)
MARKS: Final = _of_records("marks", RecordKind.MARK)
GRADIENTS: Final = _of_records("gradients", RecordKind.GRADIENT)
HISTOGRAMS: Final = _of_records("histograms", RecordKind.HISTOGRAM)

TABLES: Final = (OPERATORS, TENSORS, ALLOCATIONS, NODES, MODULE_CALLS, MARKS, GRADIENTS, HISTOGRAMS)
TABLE_OF_KIND: Final = {
    RecordKind.OPERATOR: OPERATORS,
    RecordKind.TENSOR: TENSORS,
    RecordKind.ALLOCATION: ALLOCATIONS,
    RecordKind.NODE: NODES,
    RecordKind.MODULE_CALL: MODULE_CALLS,
    RecordKind.MARK: MARKS,
    RecordKind.GRADIENT: GRADIENTS,
    RecordKind.HISTOGRAM: HISTOGRAMS,
}
KIND_OF_TABLE: Final = {table.name: kind for kind, table in TABLE_OF_KIND.items()}
