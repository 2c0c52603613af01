"""The events of one run, growing while it is watched or filled at once from a recording."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from threading import RLock
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.errors import ProtocolError
from tensorscope.protocol.definitions import Definition, PartJoiner
from tensorscope.protocol.records import DefinitionKind, MarkKind
from tensorscope.trace.clock import Clock
from tensorscope.trace.columns import TableStore
from tensorscope.trace.definitions import Definitions, library_prefixes
from tensorscope.trace.flags import Flags
from tensorscope.trace.health import HealthCounter
from tensorscope.trace.ingest import Batch
from tensorscope.trace.live_bytes import LiveBytes
from tensorscope.trace.open_rows import KEY_COLUMN, OpenRows
from tensorscope.trace.overhead import OwnSpans, overhead_ratio
from tensorscope.trace.past_rows import PastRows, Span
from tensorscope.trace.retention import DETAIL, Keep
from tensorscope.trace.schema import ALLOCATIONS, GRADIENTS, MARKS, TABLES
from tensorscope.trace.snapshot import Snapshot, TableView
from tensorscope.trace.thrift import Thrift
from tensorscope.trace.told import MessageParts, RunTimes, Told, at_run_time

FLAGGING: Final = {"held": "hold", "exception": "exception"}  # message type → why its iteration is kept


class Trace:
    """One thread adds; any thread may take a snapshot."""

    def __init__(self, keep: Keep | None = None) -> None:
        self._keep = keep or Keep()
        self._lock = RLock()
        self._clock = Clock()
        self._health = HealthCounter()
        self._stores = {table.name: TableStore(table) for table in TABLES}
        self._open = {table.name: OpenRows(table) for table in TABLES if table.name in KEY_COLUMN}
        self._definitions = Definitions()
        self._pieces = PartJoiner()
        self._parts = MessageParts()
        self._told = Told(self._clock, self._health)
        self._iterations = RunTimes(self._told.iterations)
        self._storages = RunTimes(self._told.storages)
        self._exceptions = RunTimes(self._told.exceptions)
        self._holds = RunTimes(self._told.holds)
        self._outputs = RunTimes(self._told.outputs)
        self._newest_ns = 0
        self._newest_work_ns = 0  # of operators, nodes and module calls
        self._counted_cost_ns = 0
        self._own_spans = OwnSpans()
        self._live = LiveBytes()
        self._flags = Flags()
        self._past = PastRows(self._stores, self._keep.memory_bytes)
        self._thrift = Thrift(self._keep, self._stores, self._definitions, self._told, self._health, self._flags, self._live, self._past)

    def add_batches(self, batches: Iterable[Batch]) -> None:
        with self._lock:
            for batch in batches:
                self._add_batch(batch)
            if self._thrift.look():
                self._iterations, self._storages = RunTimes(self._told.iterations), RunTimes(self._told.storages)

    def add_definitions(self, definitions: Iterable[Definition]) -> list[dict[str, Any]]:
        """Take in definitions; returns the messages that became whole. What does not fit is counted, the rest goes on."""
        whole = []
        with self._lock:
            for piece in definitions:
                try:
                    definition = self._pieces.join(piece)
                    message = None if definition is None else self._add_definition(definition)
                except ProtocolError:
                    self._health.damaged_frames += 1
                else:
                    whole += [message] if message is not None else []
        return whole

    def add_message(self, message: dict[str, Any]) -> None:
        """Take in a message that came over the socket or is the host's own. Raises ProtocolError if it makes no sense."""
        with self._lock:
            self._told.take(message)
            self._flag_message(message)

    def flag(self, time_ns: int) -> None:
        """The user marked a run time: its iteration is kept in full."""
        with self._lock:
            self._flags.note("bookmark", self._clock.view().monotonic(time_ns))

    def set_counters(self, *, dropped_events: int, cost_ns: int) -> None:
        with self._lock:
            self._health.dropped_events = dropped_events
            self._counted_cost_ns = cost_ns

    def count_damage(self, frames: int = 1) -> None:
        with self._lock:
            self._health.damaged_frames += frames

    def count_retired(self, rows: int, iterations: range, *, is_lost: bool = False) -> None:
        """Detail is not here; ``is_lost``: nor in the recording."""
        with self._lock:
            self._health.retired(rows, iterations)
            if is_lost:
                self._health.lost(iterations)

    # detail of old moments that comes back because somebody looks there

    def untold_at(self, time_ns: int) -> tuple[Span, int] | None:
        """Where detail of the iteration at a run time may be missing: its span and the moment (monotonic); None where it is here."""
        with self._lock:
            retired = self._health.view().retired_iterations
            if not retired:
                return None
            moment = self._clock.view().monotonic(time_ns)
            ends = [int(message["time_ns"]) for message in self._told.iterations]
            at = bisect_left(ends, moment)
            number = int(self._told.iterations[at]["index"]) if at < len(ends) else (int(self._told.iterations[-1]["index"]) + 1 if ends else 0)
            if number not in retired or self._past.has(moment):
                return None
            return (ends[at - 1] if at else 0, ends[at] if at < len(ends) else self.newest_ns), moment

    def seal_detail(self) -> None:
        """Detail is missing between what is here and what comes next; it may come later."""
        with self._lock:
            for name in DETAIL:
                self._stores[name].seal()

    def add_past(self, span: Span, batches: Sequence[Batch]) -> int:
        """Put detail back that lies in a span of monotonic time; gives the number of rows that were not here. It goes again when others are looked at."""
        with self._lock:
            return self._past.add(span, batches)

    @property
    def iteration_count(self) -> int:
        """Iterations that have ended."""
        return self._told.iteration_count

    @property
    def spared(self) -> tuple[Span, ...]:
        """Spans (monotonic) of the iterations whose detail is kept whatever else goes."""
        return self._thrift.spared

    @property
    def backward_count(self) -> int:
        """Backwards that have begun."""
        return self._definitions.newest_backward

    @property
    def facts(self) -> dict[str, Any]:
        return self._told.facts

    @property
    def exceptions(self) -> list[dict[str, Any]]:
        return self._told.exceptions

    @property
    def exit(self) -> dict[str, Any] | None:
        return self._told.exit

    @property
    def newest_ns(self) -> int:
        """The newest moment seen (monotonic); 0 for none."""
        return max(self._newest_ns, self._told.newest_ns)

    @property
    def device(self) -> str:
        """Where the newest parameter lies, such as "cuda:1"; "" while there is none."""
        parameters = self._told.parameters
        return str(parameters[next(reversed(parameters))].get("device") or "") if parameters else ""

    @property
    def dropped_events(self) -> int:
        return self._health.dropped_events

    @property
    def cost_ns(self) -> int:
        """Time that is our own: what the agent counted, or its trackers' marks where they add up to more."""
        return max(self._counted_cost_ns, self._own_spans.total_ns)

    def overhead_ratio(self, now_ns: int | None) -> float | None:
        """Run time over run time without our own, as far as the agent measured it; None before anything ran.

        ``now_ns`` is the monotonic time of now, or None once the script has ended.
        """
        with self._lock:
            run_ns = self._clock.view().run_time(now_ns or self._end_ns)
            return overhead_ratio(run_ns + self._clock.looked_ns, self.cost_ns)

    @property
    def _end_ns(self) -> int:
        """The newest moment (monotonic); once the script has ended, its end: what its interpreter frees on its way out is no part of the run.

        Threads of the script may compute on after its last line.
        """
        exit_ns = 0 if self._told.exit is None else int(self._told.exit.get("time_ns") or 0)
        return max(exit_ns, self._newest_work_ns) if exit_ns else max(self._newest_ns, self._told.newest_ns)

    @property
    def rows(self) -> int:
        """Rows of all tables that are kept."""
        with self._lock:
            return sum(store.rows + len(self._open.get(name, ())) for name, store in self._stores.items())

    @property
    def size_bytes(self) -> int:
        with self._lock:
            return sum(store.size_bytes for store in self._stores.values())

    @property
    def taken_bytes(self) -> int:
        """What counts in the memory budget."""
        with self._lock:
            return self._thrift.taken_bytes

    def limit_memory(self, memory_bytes: int) -> None:
        """Another budget from now on; what is over it is let go at once."""
        with self._lock:
            if self._thrift.limit(memory_bytes):
                self._iterations, self._storages = RunTimes(self._told.iterations), RunTimes(self._told.storages)

    def snapshot(self) -> Snapshot:
        """A frozen view of everything so far. Any thread; cheap, since rows are shared."""
        with self._lock:
            clock = self._clock.view()
            told = self._told
            definitions = self._definitions
            tables = {}
            for name, store in self._stores.items():
                tail = self._open[name].columns() if name in self._open else None
                rows = store.rows + (len(self._open[name]) if tail is not None else 0)
                tables[name] = TableView(store.table, store.columns(clock, tail), rows)
            return Snapshot(
                tables=MappingProxyType(tables),
                strings=MappingProxyType(definitions.strings.copy()),
                stacks=MappingProxyType(definitions.stacks(library_prefixes(told.facts))),
                shapes=MappingProxyType(definitions.shapes.copy()),
                threads=MappingProxyType(definitions.threads.copy()),
                graphs=MappingProxyType(definitions.graphs()),
                backwards=MappingProxyType(definitions.backwards(clock)),
                facts=MappingProxyType(told.facts.copy()),
                modules=MappingProxyType(told.modules.copy()),
                parameters=MappingProxyType(told.parameters.copy()),
                optimizers=MappingProxyType(told.optimizers.copy()),
                iterations=self._iterations.view(clock),
                storages=self._storages.view(clock),
                graph_details=MappingProxyType(told.graph_details.copy()),
                exceptions=self._exceptions.view(clock),
                holds=self._holds.view(clock),
                outputs=self._outputs.view(clock),
                exit=None if told.exit is None else MappingProxyType(at_run_time(told.exit, clock)),
                end_ns=clock.run_time(self._end_ns),
                held_ns=self._clock.held_ns,
                cost_ns=self.cost_ns,
                iteration_count=told.iteration_count,
                backward_count=definitions.newest_backward,
                looked_ns=self._clock.looked_ns,
                health=self._health.view(),
            )

    def _add_definition(self, definition: Definition) -> dict[str, Any] | None:
        """Take in one definition; the message where it completed one."""
        if definition.kind is not DefinitionKind.MESSAGE:
            self._definitions.add(definition)
            return None
        body = self._parts.add(definition.id, definition.payload)
        message = None if body is None else self._told.add(body)
        if message is not None:
            self._flag_message(message)
        return message

    def _flag_message(self, message: dict[str, Any]) -> None:
        reason = FLAGGING.get(message["type"])
        if reason is not None:
            self._flags.note(reason, int(message.get("time_ns") or 0))

    def _add_batch(self, batch: Batch) -> None:
        name = batch.table.name
        if name in self._open:
            batch = self._open[name].take(batch)
        if batch.table is MARKS:
            self._note_spans(batch)
        elif batch.table is ALLOCATIONS and batch.rows:
            for moment in self._live.take(batch):
                self._flags.note("peak", moment)
        elif batch.table is GRADIENTS and batch.rows:
            for moment in _ends_of(batch.columns["time_ns"][batch.columns["nonfinite"] > 0]):
                self._flags.note("nonfinite", moment)
        store = self._stores[name]
        store.append(batch.columns, batch.rows, self._newest_ns, batch.records)
        if store.blocks:
            self._newest_ns = max(self._newest_ns, store.blocks[-1].last_ns)
            if name in self._open:
                self._newest_work_ns = max(self._newest_work_ns, store.blocks[-1].last_ns)
            self._clock.saw(store.blocks[-1].first_ns)

    def _note_spans(self, batch: Batch) -> None:
        for begin, end in _spans(batch, MarkKind.HOLD):
            self._clock.add_hold(begin, end)
        looks = list(_spans(batch, MarkKind.TRACKER))
        self._own_spans.add(looks)
        for begin, end in looks:
            self._clock.add_look(begin, end)


def _ends_of(times: NDArray[np.int64]) -> Iterable[int]:
    """The first and the last of some times."""
    return (int(times.min()), int(times.max())) if len(times) else ()


def _spans(marks: Batch, kind: MarkKind) -> Iterable[tuple[int, int]]:
    """Begin and end (monotonic) of the marks of one kind."""
    rows = marks.columns["mark"] == kind
    return zip(marks.columns["begin_ns"][rows].tolist(), marks.columns["end_ns"][rows].tolist(), strict=True)
