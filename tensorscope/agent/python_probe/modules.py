"""Module calls: a Python function in the place of ``nn.Module.__call__``, whose frame is hidden."""

import struct
from collections.abc import Callable
from typing import Any, Final

from tensorscope.agent.python_probe.calls import like
from tensorscope.agent.python_probe.hidden import hide
from tensorscope.protocol.records import RecordKind, TensorRole

MODULE_CALL: Final = struct.Struct("<BBxxIIIqqI28x")
DEPTH: Final = 3


class Call:
    __slots__ = ("begin_ns", "id", "module", "parent", "stack")

    def __init__(self, identity: int, parent: int, module: int, stack: int, begin_ns: int) -> None:
        self.id = identity
        self.parent = parent
        self.module = module
        self.stack = stack
        self.begin_ns = begin_ns

    def record(self, end_ns: int, is_raised: bool = False) -> bytes:
        return MODULE_CALL.pack(RecordKind.MODULE_CALL, is_raised, self.module, self.id, self.parent, self.begin_ns, end_ns, self.stack)


class ModuleCalls:
    def __init__(self, probe: Any) -> None:
        self._probe = probe
        self._ids: dict[int, int] = {}  # by the module's address
        self._count = 0

    def forget(self, address: int) -> None:
        self._ids.pop(address, None)

    def wrap(self, original: Callable[..., Any], on_new_module: Callable[[Any], int]) -> Callable[..., Any]:
        enter, leave = self._enter, self._leave

        def call(*arguments: Any, **keywords: Any) -> Any:
            scope = enter(on_new_module, arguments, keywords)
            try:
                result = original(*arguments, **keywords)
            except BaseException:
                leave(scope, True)
                raise
            leave(scope, False)
            return result

        return like(hide(call), original)

    def _enter(self, on_new_module: Callable[[Any], int], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Call | None:
        probe = self._probe
        if not arguments or not probe.is_watching():
            return None
        begin_ns = probe.now_ns()
        try:
            thread = probe.threads.this()
            module = arguments[0]
            if id(module) not in self._ids:
                self._ids[id(module)] = on_new_module(module)
            self._count += 1
            call = Call(self._count, thread.calls[-1].id if thread.calls else 0, self._ids[id(module)], probe.current_stack(), 0)
            if not thread.calls:
                self._write_root_inputs(thread.id, call.id, [*arguments[1:], *keywords.values()])
            thread.calls.append(call)
            call.begin_ns = probe.now_ns()
            probe.add_cost(call.begin_ns - begin_ns)
        except Exception as error:
            probe.failed("modules", error)
            return None
        return call

    def _leave(self, call: Call | None, is_raised: bool) -> None:
        if call is None:
            return
        end_ns = self._probe.now_ns()
        thread = self._probe.threads.this()
        if call in thread.calls:
            del thread.calls[thread.calls.index(call) :]
        self._probe.area.records(thread.id, call.record(end_ns, is_raised))

    def _write_root_inputs(self, thread: int, call: int, values: list[Any]) -> None:
        probe = self._probe
        with probe.torch._C.DisableTorchFunction():
            records = [probe.tensors.record(TensorRole.ROOT_INPUT, at, call, tensor) for at, tensor in enumerate(tensors_in(values, probe.is_tensor, DEPTH))]
        if records:
            probe.area.records(thread, b"".join(records))


def tensors_in(values: Any, is_tensor: Callable[[Any], bool], depth: int) -> list[Any]:
    """The tensors among values, and in the lists, tuples and dicts among them."""
    found: list[Any] = []
    for value in values:
        if is_tensor(value):
            found.append(value)
        elif depth and type(value) in (list, tuple):
            found += tensors_in(value, is_tensor, depth - 1)
        elif depth and type(value) is dict:
            found += tensors_in(value.values(), is_tensor, depth - 1)
    return found
