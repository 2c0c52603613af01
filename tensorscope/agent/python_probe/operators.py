"""Operators: a ``TorchDispatchMode`` that writes a record for each, on the thread that pushed it. It calls the operator with its very arguments."""

import struct
from _thread import get_ident
from typing import Any, Final

from tensorscope.agent.python_probe.hidden import hide
from tensorscope.agent.python_probe.modules import tensors_in
from tensorscope.protocol.records import OperatorFlag, RecordKind, Scope, TensorRole

OPERATOR: Final = struct.Struct("<BBHIQQqqqIIIHH")
LISTS: Final = 2


class Operator:
    """One that runs now."""

    __slots__ = ("begin_ns", "flags", "id", "inputs", "module_call", "name", "parent", "sequence_nr", "stack")

    def __init__(self, identity: int, parent: int, name: int) -> None:
        self.id = identity
        self.parent = parent
        self.name = name
        self.sequence_nr = -1
        self.stack = self.module_call = self.inputs = self.flags = self.begin_ns = 0

    def record(self, thread: int, end_ns: int, outputs: int) -> bytes:
        return OPERATOR.pack(
            RecordKind.OPERATOR,
            Scope.FUNCTION,
            self.flags,
            self.name,
            self.id,
            self.parent,
            self.begin_ns,
            end_ns,
            self.sequence_nr,
            self.stack,
            self.module_call,
            thread,
            min(self.inputs, 0xFFFF),
            min(outputs, 0xFFFF),
        )


class Operators:
    def __init__(self, probe: Any) -> None:
        self._probe = probe
        self._names: dict[Any, int] = {}
        self._overload: Any = probe.torch._ops.OpOverload
        self._next_sequence_nr = probe.torch._C._autograd._get_sequence_nr
        self._current_node = probe.torch._C._current_autograd_node
        self._mode: Any = None
        self._thread = 0

    def push(self) -> None:
        """On the thread that is to be seen."""
        self._mode = self._make_mode()()
        self.push_again()

    def push_again(self) -> None:
        self._thread = get_ident()
        self._probe.torch._C._push_on_torch_dispatch_stack(self._mode)

    def pop(self) -> bool:
        """Take the mode off this thread's stack; False where a mode of the script's lies on it, or none of ours is there."""
        C = self._probe.torch._C
        depth = C._len_torch_dispatch_stack()
        if self._mode is None or get_ident() != self._thread or not depth or C._get_dispatch_stack_at(depth - 1) is not self._mode:
            return False
        C._pop_torch_dispatch_stack(None)
        return True

    def begin(self, function: Any, arguments: Any, keywords: Any) -> Operator | None:
        """Called for every operator: its inputs are written here, the operator at its end."""
        probe = self._probe
        if not probe.is_watching():
            return None
        begin_ns = probe.now_ns()
        try:
            with probe.torch._C.DisableTorchFunction():
                operator = self._begin(function, arguments, keywords)
            operator.begin_ns = probe.now_ns()
            probe.add_cost(operator.begin_ns - begin_ns)
        except Exception as error:
            probe.failed("operators", error)
            return None
        return operator

    def _begin(self, function: Any, arguments: Any, keywords: Any) -> Operator:
        probe = self._probe
        thread = probe.threads.this()
        name = self._names.get(function)
        if name is None:
            name = self._names[function] = probe.definitions.string(name_of(function))
        parent = thread.operators[-1].id if thread.operators else probe.backwards.node_of_this_operator(thread)
        operator = Operator(thread.next_id(), parent, name)
        operator.flags = OperatorFlag.GRAD_ENABLED * probe.torch.is_grad_enabled()
        operator.sequence_nr = self._made_sequence_nr(thread)
        operator.stack = thread.operators[-1].stack if thread.operators else 0 if thread.backwards else probe.current_stack()
        operator.module_call = thread.calls[-1].id if thread.calls else 0
        tensors = tensors_in((arguments, keywords or {}), probe.is_tensor, LISTS)
        operator.inputs = len(tensors)
        thread.operators.append(operator)
        self._write_tensors(thread.id, TensorRole.INPUT, operator.id, tensors)
        return operator

    def end(self, operator: Operator | None, result: Any, is_raised: bool = False) -> None:
        if operator is None:
            return
        probe = self._probe
        end_ns = probe.now_ns()
        try:
            thread = probe.threads.this()
            if operator in thread.operators:
                del thread.operators[thread.operators.index(operator) :]
            tensors = tensors_in((result,), probe.is_tensor, LISTS)
            with probe.torch._C.DisableTorchFunction():
                self._write_tensors(thread.id, TensorRole.OUTPUT, operator.id, tensors)
            operator.flags |= OperatorFlag.RAISED * is_raised
            probe.area.records(thread.id, operator.record(thread.id, end_ns, len(tensors)))
            probe.backwards.operator_ended(thread, end_ns)
            probe.add_cost(probe.now_ns() - end_ns)
        except Exception as error:
            probe.failed("operators", error)

    def _write_tensors(self, thread: int, role: TensorRole, op: int, tensors: list[Any]) -> None:
        if tensors:
            self._probe.area.records(thread, b"".join([self._probe.tensors.record(role, at, op, tensor) for at, tensor in enumerate(tensors)]))

    def _made_sequence_nr(self, thread: Any) -> int:
        """Autograd makes an operator's node before it lets the operator run: the newest number is this one's, if there is a new one."""
        newest = self._next_sequence_nr() - 1
        is_new = newest > thread.sequence_nr
        thread.sequence_nr = newest
        return newest if is_new else -1

    def _make_mode(self) -> type:
        mode: Any = type(
            "TensorScopeMode",
            (self._probe.torch.utils._python_dispatch.TorchDispatchMode,),
            {"supports_higher_order_operators": True, "_should_skip_dynamo": classmethod(lambda cls: False)},
        )
        begin, end, overload = self.begin, self.end, self._overload

        def __torch_dispatch__(self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            call = func._op if type(func) is overload else func
            operator = begin(func, args, kwargs)
            try:
                result = call(*args, **kwargs) if kwargs else call(*args)
            except BaseException:
                end(operator, None, True)
                raise
            end(operator, result)
            return result

        mode.__torch_dispatch__ = hide(__torch_dispatch__)
        return mode  # type: ignore[no-any-return]


def name_of(function: Any) -> str:
    """As the native probe has it: ``aten::add``, without the overload."""
    schema = getattr(function, "_schema", None)
    return str(function.name()) if schema is None else str(schema.name)
