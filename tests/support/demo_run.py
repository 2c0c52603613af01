"""Pretends to be a debuggee: a clock, an allocator, operators, module calls and stacks that become the rows of a trace."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tensorscope.protocol.records import AllocationAction, OperatorFlag, Scope, TensorFlag, TensorRole
from tensorscope.trace.schema import ALLOCATIONS, MODULE_CALLS, OPERATORS, TENSORS
from tensorscope.trace.snapshot import CodeLine, Shape
from tests.support.demo_tables import Rows

SCRIPT = Path(__file__).parent / "demo" / "train.py"
LINES = SCRIPT.read_text(encoding="utf-8").splitlines()
THREAD = 1
FLOAT, LONG = 6, 4  # c10::ScalarType
CPU, CUDA = 0, 1  # c10::DeviceType
LINEAR = CodeLine("/usr/lib/python3/site-packages/torch/nn/modules/linear.py", 125, "Linear.forward", False)


def line_of(text: str) -> int:
    """1-based number of the first line of the script that holds ``text``."""
    return next(number for number, line in enumerate(LINES, 1) if text in line)


@dataclass(slots=True)
class Block:
    """A live allocation and how many hold it."""

    address: int
    size: int
    storage: int
    holders: int = 0
    is_freed: bool = False


@dataclass(slots=True)
class Value:
    """A tensor of the pretended run; ``node`` is the key of the graph node that made it, "" for leaves."""

    shape: tuple[int, ...]
    block: Block
    impl: int
    node: str = ""
    parameter: int = 0
    item: int = 4
    strides: tuple[int, ...] = field(default=())

    @property
    def nbytes(self) -> int:
        size = self.item
        for length in self.shape:
            size *= length
        return size


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


class Run:
    """What the pretended process has done so far."""

    def __init__(self, device: int) -> None:
        self.rows = Rows(THREAD)
        self.now = 0
        self.device = device
        self.strings: dict[int, str] = {}
        self.shapes: dict[int, Shape] = {}
        self.stacks: dict[int, tuple[CodeLine, ...]] = {}
        self.frames: list[CodeLine] = []
        self.calls: list[int] = []
        self.open: list[int] = []
        self.sequence = 0
        self.made_in_call: list[Block] = []
        self._interned: dict[tuple[str, Any], int] = {}
        self._operators = 0
        self._calls = 0
        self._addresses = 0x7F3A_0000_0000
        self._impls = 0x55D0_0000_0000

    def string(self, text: str) -> int:
        return self._intern("string", text, self.strings, text)

    def shape(self, shape: tuple[int, ...], strides: tuple[int, ...] = ()) -> int:
        known = Shape(shape, strides or row_major(shape))
        return self._intern("shape", (known.sizes, known.strides), self.shapes, known)

    def stack(self, *, in_library: bool = False) -> int:
        frames = ((LINEAR,) if in_library else ()) + tuple(reversed(self.frames))
        return self._intern("stack", frames, self.stacks, frames)

    @contextmanager
    def frame(self, function: str, text: str) -> Iterator[None]:
        """Be inside ``function``, at the line that holds ``text``."""
        self.frames.append(CodeLine(str(SCRIPT), line_of(text), function, True))
        yield
        self.frames.pop()

    def at(self, text: str) -> None:
        """Go on to the line that holds ``text`` in the same function."""
        self.frames[-1] = CodeLine(str(SCRIPT), line_of(text), self.frames[-1].function, True)

    @contextmanager
    def module(self, identity: int) -> Iterator[int]:
        self._calls += 1
        row = self.rows.add(MODULE_CALLS, module=identity, call=self._calls, parent=self.calls[-1] if self.calls else 0, begin_ns=self.now, stack=self.stack())
        self.calls.append(self._calls)
        yield self._calls
        self.calls.pop()
        row["end_ns"] = self.now

    @contextmanager
    def operator(self, name: str, *, micros: float = 2.0, scope: Scope = Scope.FUNCTION, sequence: int = -1, in_library: bool = False) -> Iterator[int]:
        """An operator around what runs inside, which takes ``micros`` of its own."""
        identity = self.next_operator()
        row = self.rows.add(
            OPERATORS,
            scope=scope,
            flags=OperatorFlag.GRAD_ENABLED if scope == Scope.FUNCTION else 0,
            name=self.string(name),
            id=identity,
            parent=self.open[-1] if self.open else 0,
            begin_ns=self.now,
            sequence_nr=sequence,
            stack=self.stack(in_library=in_library) if scope == Scope.FUNCTION else 0,
            module_call=self.calls[-1] if self.calls else 0,
            forward_thread=THREAD if scope == Scope.BACKWARD_FUNCTION else 0,
        )
        self.open.append(identity)
        self.now += round(micros * 500)
        yield identity
        self.now += round(micros * 500)
        self.open.pop()
        row["end_ns"] = self.now

    def next_operator(self) -> int:
        self._operators += 1
        return THREAD << 40 | self._operators

    def allocate(self, size: int) -> Block:
        self._addresses += (size + 511) // 512 * 512
        self._impls += 0x80
        block = Block(self._addresses, size, self._impls)
        self._allocation(AllocationAction.ALLOC, block, size)
        self.made_in_call.append(block)
        return block

    def free(self, block: Block) -> None:
        if not block.is_freed:
            block.is_freed = True
            self._allocation(AllocationAction.FREE, block, 0 if self.device == CPU else block.size)

    def reserve(self, size: int) -> None:
        """A segment of the caching allocator."""
        self.rows.add(ALLOCATIONS, action=AllocationAction.SEGMENT_ALLOC, device_type=self.device, address=self._addresses + 512, size=size, time_ns=self.now)

    def tensor(self, shape: tuple[int, ...], *, item: int = 4, block: Block | None = None, node: str = "") -> Value:
        """A new tensor, in ``block`` if given (a view), else in memory of its own."""
        size = item
        for length in shape:
            size *= length
        self._impls += 0x80
        return Value(shape, block or self.allocate(size), self._impls, node, item=item)

    def seen(self, operator: int, role: TensorRole, argument: int, value: Value) -> None:
        """Write the TENSOR row of an operator's input or output."""
        flags = TensorFlag.REQUIRES_GRAD if value.node or value.parameter else TensorFlag(0)
        self.rows.add(
            TENSORS,
            role=role,
            argument=argument,
            shape=self.shape(value.shape, value.strides),
            op=operator,
            impl=value.impl,
            storage=value.block.storage,
            data=value.block.address,
            nbytes=value.block.size,
            dtype=FLOAT if value.item == 4 else LONG,
            device_type=self.device,
            flags=flags | (TensorFlag.IS_LEAF_PARAMETER if value.parameter else TensorFlag(0)),
        )

    def _allocation(self, action: AllocationAction, block: Block, size: int) -> None:
        self.rows.add(
            ALLOCATIONS,
            action=action,
            device_type=self.device,
            module_call=self.calls[-1] if self.calls else 0,
            op=self.open[-1] if self.open else 0,
            address=block.address,
            size=size,
            time_ns=self.now,
            stack=self.stack() if self.frames else 0,
        )

    def _intern(self, kind: str, key: Any, known: dict[int, Any], value: Any) -> int:
        identity = self._interned.get((kind, key))
        if identity is None:
            identity = self._interned[kind, key] = len(known) + 1
            known[identity] = value
        return identity
