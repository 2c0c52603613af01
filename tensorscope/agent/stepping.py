"""Holds a backward before a node, tells what is there, and waits for the host's word.

The probe asks in the start of a node's ``evaluate_function`` event. There a prehook and a post hook of ours go on the node, and come off at the
event's end: the prehook has the gradients in and is where we wait, the post hook has the gradients out, told with the next hold as ``finished``.
AccumulateGrad gets no hook, since graphs and threads share it: for it we wait in the event itself, where its gradient cannot be read (the node
before has given it out), and ``finished`` has the accumulated ``.grad``.
"""

from collections.abc import Callable
from typing import Any, Final

from tensorscope.agent.graphs import Graphs
from tensorscope.agent.importer import as_machinery
from tensorscope.agent.parameters import Parameter, Parameters
from tensorscope.agent.storages import Storages
from tensorscope.agent.watch import Watch, without_nan
from tensorscope.protocol.records import MarkKind

RUN: Final = 0
HOLD_AT_NEXT_NODE: Final = 1


class Node:
    """The node that is held: what the host was told of it, and our hooks on it."""

    def __init__(self, backward: int, index: int, name: str, sequence_nr: int) -> None:
        self.backward = backward
        self.index = index
        self.name = name
        self.sequence_nr = sequence_nr
        self.hooks: list[Any] = []
        self.parameter: Parameter | None = None  # of an AccumulateGrad


class Stepping:
    name = "stepping"

    def __init__(self, watch: Watch, graphs: Graphs, parameters: Parameters, storages: Storages, detach: Callable[[], None]) -> None:
        self._watch = watch
        self._graphs = graphs
        self._parameters = parameters
        self._storages = storages
        self._detach = detach
        self._node: Node | None = None
        self._finished: dict[str, Any] | None = None

    def install(self) -> None:
        self._watch.probe.set_on_hold(self._unless_compiling(self._watch.guard_from_c(self.name, self._on_hold)))
        self._watch.probe.set_on_node_end(self._watch.guard_from_c(self.name, self._on_node_end))

    def _unless_compiling(self, hold: Callable[..., Any]) -> Callable[..., Any]:
        """Compilers trace backwards of their own: those are not held, and the wish to pause stays."""
        is_compiling = self._watch.torch.compiler.is_compiling

        def unless_compiling(*node: Any) -> None:
            if is_compiling():
                self._watch.probe.arm(HOLD_AT_NEXT_NODE)
            else:
                hold(*node)

        return as_machinery(unless_compiling)

    def remove(self) -> None:
        self._watch.probe.set_on_hold(None)
        self._watch.probe.set_on_node_end(None)
        self._take_hooks_off()

    def _on_hold(self, backward: int, index: int, name: str, sequence_nr: int) -> None:
        node = self._watch.torch._C._current_autograd_node()
        self._take_hooks_off()
        self._node = held = Node(backward, index, name, sequence_nr)
        if node is None:
            return
        if type(node).__name__ == "AccumulateGrad":
            held.parameter = self._parameters.find(node.variable)
            self._hold(held, node, ())
            return
        held.hooks = [node.register_prehook(self._before(held, node)), node.register_hook(self._after(held))]

    def _before(self, held: Node, node: Any) -> Callable[[Any], None]:
        waiting = [node]

        def before(gradients_in: Any) -> None:
            if waiting:
                self._guarded_hold(held, waiting.pop(), gradients_in)

        return before

    def _guarded_hold(self, held: Node, node: Any, gradients_in: Any) -> None:
        try:
            self._hold(held, node, gradients_in)
        except Exception as error:
            self._watch.switch_off(self.name, error)

    def _after(self, held: Node) -> Callable[[Any, Any], None]:
        def after(gradients_out: Any, gradients_in: Any) -> None:
            try:
                self._finish(held, [self._stats(f"gradient {number}", tensor) for number, tensor in enumerate(gradients_out) if tensor is not None])
            except Exception as error:
                self._watch.switch_off(self.name, error)

        return after

    def _finish(self, held: Node, gradients_out: list[dict[str, Any]]) -> None:
        if self._graphs.is_detailed:
            self._finished = {"index": held.index, "name": held.name, "gradients_out": gradients_out}

    def _on_node_end(self, backward: int, index: int) -> None:
        held = self._node
        leaf = None if held is None or held.parameter is None or held.parameter.tensor is None else held.parameter.tensor()
        gradient = None if leaf is None else self._watch.gradient_of(leaf)
        if held is not None and held.parameter is not None and gradient is not None:
            self._finish(held, [self._stats(f"{held.parameter.fqn}.grad", gradient)])
        self._take_hooks_off()

    def _take_hooks_off(self) -> None:
        if self._node is not None:
            for handle in self._node.hooks:
                handle.remove()
            self._node = None

    def _hold(self, held: Node, node: Any, gradients_in: Any) -> None:
        """Tell and wait. The GIL is let go while waiting; no lock of ours is held."""
        begin_ns = self._watch.now_ns()
        probe = self._watch.probe
        probe.flush_open()
        message = self._describe(held, node, gradients_in)
        extra = {}
        for name, tensor in self._graphs.saved_tensors(node):
            impl = probe.tensor_info(tensor)["impl"]
            extra[impl] = (tensor, [f"saved by {held.name} as {name}"])
        self._storages.tell("hold", extra)
        extra.clear()
        self._watch.tell("held", **message)
        del node, gradients_in
        self._watch.control.send(without_nan({"type": "held", **message}))
        try:
            command = self._wait()
        finally:
            now = self._watch.now_ns()
            probe.mark(MarkKind.HOLD, begin_ns, now, a=held.backward)
            self._watch.tell("resumed", time_ns=now)
            self._watch.control.send({"type": "resumed", "time_ns": now})
        self._obey(command)

    def _wait(self) -> str:
        """The host's word that lets go: "continue", "step" or "detach". A host that is gone says "continue"."""
        try:
            while True:
                command = self._watch.control.receive()
                if command is None:
                    return "gone"
                if command["type"] in ("continue", "step", "detach"):
                    return str(command["type"])
                self._watch.control.send({"type": "reply", "to": command["type"], "trouble": "not known"})
        except KeyboardInterrupt:
            self._watch.probe.arm(RUN)
            raise

    def _obey(self, command: str) -> None:
        self._graphs.is_detailed = command == "step"
        if command == "step":
            self._watch.probe.arm(HOLD_AT_NEXT_NODE)
        else:
            self._finished = None
            self._watch.probe.arm(RUN)
        if command == "detach":
            self._detach()

    def _describe(self, held: Node, node: Any, gradients_in: Any) -> dict[str, Any]:
        name = held.name
        if type(node).__name__ == "AccumulateGrad":
            parameter = self._parameters.find(node.variable)
            name = f"{name} ({parameter.fqn})" if parameter is not None else name
        return {
            "backward": held.backward,
            "node_index": held.index,
            "node": held.index,
            "name": name,
            "sequence_nr": held.sequence_nr,
            "position": self._watch.probe.nodes_run(held.backward),
            "count": self._graphs.node_count(held.backward),
            "gradients_in": [self._stats(f"gradient {number}", tensor) for number, tensor in enumerate(gradients_in) if tensor is not None],
            "saved": [self._stats(name, tensor) for name, tensor in self._graphs.saved_tensors(node)],
            "finished": self._finished,
            "time_ns": self._watch.now_ns(),
        }

    def _stats(self, name: str, tensor: Any) -> dict[str, Any]:
        stats = self._watch.probe.tensor_stats(tensor, True)
        return {"name": name, **stats, "shape": list(stats.get("shape", ()))}
