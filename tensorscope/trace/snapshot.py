"""A frozen view of a trace at one moment, safe to read from any thread: what every analysis takes.

``snapshot.table(OPERATORS).column("begin_ns")`` is one contiguous array over all kept rows, in order of arrival (rows of one thread in order;
threads interleave: sort by time where order matters). Times are run time in ns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NewType

import numpy as np
from numpy.typing import NDArray

from tensorscope.trace.schema import Table

StackId = NewType("StackId", int)


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One frame of a stack."""

    filename: str
    line: int
    function: str
    is_users: bool
    first_line: int = 0  # of the function, at its first decorator where it has any; 0: unknown


@dataclass(frozen=True, slots=True)
class Shape:
    sizes: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GraphShape:
    """A backward graph's structure, defined once for all backwards of equal shape. Index = node index (0-based), in the probe's walk order."""

    names: tuple[str, ...]
    parameters: NDArray[np.uint32]  # [n] parameter id of an AccumulateGrad, 0 elsewhere
    edges: NDArray[np.uint32]  # [m, 4] from, output_nr, to, input_nr


@dataclass(frozen=True, slots=True)
class Backward:
    """One backward's instance of a graph shape."""

    id: int  # the probe's id, from 1
    graph: int
    begin_ns: int  # run time
    parent: int
    node_addresses: NDArray[np.uint64]
    sequence_nrs: NDArray[np.int64]
    forward_threads: NDArray[np.uint32]


class TableView:
    """The rows of one table in a snapshot."""

    def __init__(self, table: Table, columns: Mapping[str, NDArray[Any]], rows: int) -> None:
        self.table = table
        self.rows = rows
        self._columns = columns

    def __len__(self) -> int:
        return self.rows

    def column(self, name: str) -> NDArray[Any]:
        """The column as one array [rows]. Read-only."""
        return self._columns[name]


@dataclass(frozen=True, slots=True)
class Health:
    """Known losses and troubles, counted."""

    dropped_events: int = 0
    trackers_off: tuple[tuple[str, str], ...] = ()  # (tracker, reason)
    damaged_frames: int = 0
    retired_rows: int = 0  # detail rows that retention let go of
    retired_iterations: range = range(0)  # the iterations among which some lost them
    flagged: tuple[tuple[int, str], ...] = ()  # iterations of the middle that are kept in full, and why: hold, exception, peak, nonfinite, bookmark
    lost_iterations: range = range(0)  # those among which some are not in the recording either


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Messages are the decoded JSON objects of ``protocol.messages``; their ``time_ns`` is already run time."""

    tables: Mapping[str, TableView]
    strings: Mapping[int, str]
    stacks: Mapping[int, tuple[CodeLine, ...]]  # innermost first
    shapes: Mapping[int, Shape]
    threads: Mapping[int, str]
    graphs: Mapping[int, GraphShape]
    backwards: Mapping[int, Backward]
    facts: Mapping[str, Any]
    modules: Mapping[int, Mapping[str, Any]]
    parameters: Mapping[int, Mapping[str, Any]]
    optimizers: Mapping[int, Mapping[str, Any]]
    iterations: tuple[Mapping[str, Any], ...]  # ended ones, in order
    storages: tuple[Mapping[str, Any], ...]  # every storages message, in order
    graph_details: Mapping[int, Mapping[str, Any]]  # by backward id, then see GraphDetails
    exceptions: tuple[Mapping[str, Any], ...]
    holds: tuple[Mapping[str, Any], ...]  # held messages, in order
    exit: Mapping[str, Any] | None
    end_ns: int  # newest time seen, run time
    held_ns: int
    cost_ns: int
    health: Health = field(default_factory=Health)
    outputs: tuple[Mapping[str, Any], ...] = ()  # what the script printed, in order
    iteration_count: int = 0  # that have ended; ``iterations`` may have old ones rolled up
    backward_count: int = 0  # that have begun; ``backwards`` may lack old ones
    looked_ns: int = 0  # long looks of our trackers, taken out of run time as held time is

    def table(self, table: Table) -> TableView:
        return self.tables[table.name]

    def name(self, string: int) -> str:
        """The string of a name id, "?" while its definition is unknown."""
        return self.strings.get(string, "?")

    def source(self, stack: int) -> CodeLine | None:
        """The source line of a stack: its innermost frame of the user's files, else its innermost frame."""
        frames = self.stacks.get(stack)
        if not frames:
            return None
        return next((frame for frame in frames if frame.is_users), frames[0])
