"""Holds a backward before a node, tells what is there, and waits for the host's word.

The probe asks in the start of a node's ``evaluate_function`` event. There a prehook and a post hook of ours go on the node, and come off at the
event's end: the prehook has the gradients in and is where we wait, the post hook has the gradients out, told with the next hold as ``finished``.
AccumulateGrad gets no hook, since graphs and threads share it: for it the probe asks in the start of its function and gives the gradient's
statistics, and ``finished`` has the accumulated ``.grad``.

Several nodes can be between their hold and their end: backwards of other threads, and a backward that runs inside a node of another. Of threads that
meet breakpoints at once, one holds and the others wait for their turn.
"""

from _thread import allocate_lock
from collections.abc import Callable, Sequence
from typing import Any

from tensorscope.agent.breakpoints import Breakpoints
from tensorscope.agent.graphs import Graphs
from tensorscope.agent.importer import as_machinery
from tensorscope.agent.parameters import Parameter, Parameters
from tensorscope.agent.steps import COMMANDS, HOLD_AT_NEXT_NODE, RUN, Steps
from tensorscope.agent.storages import Storages
from tensorscope.agent.torchviz_picture import torchviz_picture
from tensorscope.agent.watch import Watch, without_nan
from tensorscope.protocol.records import MarkKind


class Node:
    """A node that is held, or was and runs now: what the host was told of it, and our hooks on it."""

    def __init__(self, backward: int, index: int, name: str, sequence_nr: int) -> None:
        self.backward = backward
        self.index = index
        self.name = name
        self.sequence_nr = sequence_nr
        self.hooks: list[Any] = []
        self.was_told = False
        self.is_leaf = False  # an AccumulateGrad
        self.file, self.line = "", 0  # of the forward operator
        self.module = 0  # its id
        self.stops: list[str] = []  # breakpoints that hold it
        self.parameter: Parameter | None = None

    @property
    def shown_name(self) -> str:
        return f"{self.name} ({self.parameter.fqn})" if self.parameter is not None else self.name

    def take_hooks_off(self) -> None:
        for handle in self.hooks:
            handle.remove()
        self.hooks.clear()


class Stepping:
    name = "stepping"

    def __init__(
        self,
        watch: Watch,
        graphs: Graphs,
        parameters: Parameters,
        storages: Storages,
        detach: Callable[[], None],
        steps: Steps,
        breakpoints: Breakpoints,
        breaks: Sequence[str],
    ) -> None:
        """``breaks``: breakpoints to begin with."""
        self._watch = watch
        self._graphs = graphs
        self._parameters = parameters
        self._storages = storages
        self._detach = detach
        self._steps = steps
        self._breakpoints = breakpoints
        self._breaks = breaks
        self._holding = allocate_lock()  # by the one thread that talks to the host
        self._running: list[Node] = []
        self._finished: list[dict[str, Any]] = []  # since the hold before
        self._is_interrupted = False  # Ctrl+C came while held

    def install(self) -> None:
        self._watch.probe.set_on_hold(self._unless_compiling(self._watch.guard_from_c(self.name, self._on_hold)))
        self._watch.probe.set_on_node_end(self._watch.guard_from_c(self.name, self._on_node_end))
        self._watch.probe.set_on_breakpoints_changed(self._watch.guard_from_c(self.name, self._on_breakpoints_changed))
        self._breakpoints.install(self._breaks, self.name)

    def _unless_compiling(self, hold: Callable[..., Any]) -> Callable[..., Any]:
        """Compilers trace backwards of their own: those are not held, and the wish to pause stays."""
        is_compiling = self._watch.torch.compiler.is_compiling

        def unless_compiling(*node: Any) -> None:
            if not is_compiling():
                hold(*node)
            elif not node[-1] and not self._steps.asks:
                self._watch.probe.arm(HOLD_AT_NEXT_NODE)

        return as_machinery(unless_compiling)

    def remove(self) -> None:
        self._watch.probe.set_on_hold(None)
        self._watch.probe.set_on_breakpoints_changed(None)
        self._breakpoints.remove()
        self._watch.probe.set_on_node_end(None)
        while self._running:
            self._running.pop().take_hooks_off()

    def _on_hold(self, backward: int, index: int, name: str, sequence_nr: int, breaks: int) -> None:
        node = self._watch.torch._C._current_autograd_node()
        if node is None:
            return
        held = self._meet(node, Node(backward, index, name, sequence_nr))
        if not breaks and self._steps.asks and not self._steps.is_over(backward, held.module):
            return
        self._steps.end()
        held.stops = self._breakpoints.meet(breaks, held.file, held.line)
        self._running.append(held)
        if held.is_leaf or self._breakpoints.asks_gradient(breaks):
            self._hold_in_function(held, node)
        else:
            untraced = self._watch.untraced
            held.hooks = [node.register_prehook(untraced(self._before(held, node))), node.register_hook(untraced(self._after(held)))]

    def _meet(self, node: Any, held: Node) -> Node:
        """Where a node belongs."""
        if type(node).__name__ == "AccumulateGrad":
            held.is_leaf = True
            held.parameter = self._parameters.find(node.variable)
            held.module = 0 if held.parameter is None else held.parameter.module
        else:
            held.file, held.line, held.module = self._watch.probe.held_place() or ("", 0, 0)
        return held

    def _hold_in_function(self, held: Node, node: Any) -> None:
        gradients = self._watch.probe.held_gradients()
        holder = f"gradient into {held.shown_name}"
        self._hold(held, node, [_as_told("gradient 0", stats) for _, stats in gradients], {info["impl"]: (info, holder) for info, _ in gradients})

    def _before(self, held: Node, node: Any) -> Callable[..., Any]:
        waiting = [node]

        def before(gradients_in: Any) -> None:
            if waiting:
                self._hold_with(held, waiting.pop(), gradients_in)

        return self._watch.guard_from_c(self.name, before)

    def _hold_with(self, held: Node, node: Any, gradients_in: Any) -> None:
        told, here = [], {}
        for number, tensor in enumerate(gradients_in):
            if tensor is not None:
                told.append(self._stats(f"gradient {number}", tensor))
                info = self._watch.probe.tensor_info(tensor)
                here[info["impl"]] = (info, f"gradient into {held.shown_name}")
        self._hold(held, node, told, here)

    def _after(self, held: Node) -> Callable[..., Any]:
        def after(gradients_out: Any, gradients_in: Any) -> None:
            self._finish(held, [self._stats(f"gradient {number}", tensor) for number, tensor in enumerate(gradients_out) if tensor is not None])

        return self._watch.guard_from_c(self.name, after)

    def _finish(self, held: Node, gradients_out: list[dict[str, Any]]) -> None:
        if self._graphs.is_detailed:
            self._finished.append({"index": held.index, "name": held.shown_name, "gradients_out": gradients_out, "backward": held.backward})

    def _on_node_end(self, backward: int, index: int) -> None:
        held = next((node for node in reversed(self._running) if (node.backward, node.index) == (backward, index)), None)
        if held is None:
            return
        self._running.remove(held)
        held.take_hooks_off()
        if held.is_leaf:
            self._finish(held, self._accumulated(held))
        elif (
            not held.was_told and not held.stops and not self._steps.asks
        ):  # the engine only wanted its gradients in (torch.autograd.grad), so it did not run: hold the next
            self._watch.probe.arm(HOLD_AT_NEXT_NODE)
        if self._is_interrupted:
            self._is_interrupted = False
            raise KeyboardInterrupt

    def _accumulated(self, held: Node) -> list[dict[str, Any]]:
        """The ``.grad`` that an AccumulateGrad has left; none where a hook of the script's has taken it away."""
        leaf = None if held.parameter is None or held.parameter.tensor is None else held.parameter.tensor()
        gradient = None if leaf is None else self._watch.gradient_of(leaf)
        return [] if held.parameter is None or gradient is None else [self._stats(f"{held.parameter.fqn}.grad", gradient)]

    def _hold(self, held: Node, node: Any, gradients_in: list[dict[str, Any]], here: dict[int, tuple[dict[str, Any], str]]) -> None:
        """Tell and wait. The GIL is let go while waiting; no lock of ours is held. ``here``: gradients that perhaps only the engine holds."""
        held.was_told = True
        try:
            with self._holding:
                if not self._watch.is_off(self.name):  # another thread's hold may have ended with detaching
                    self._hold_until_let_go(held, node, gradients_in, here)
            self._take_breakpoints()
        except KeyboardInterrupt:  # raised anew at the node's end, from C: in the script's own frames, as if we were not there
            self._is_interrupted = True
            self._watch.probe.arm(RUN)

    def _hold_until_let_go(self, held: Node, node: Any, gradients_in: list[dict[str, Any]], here: dict[int, tuple[dict[str, Any], str]]) -> None:
        begin_ns = self._watch.now_ns()
        probe = self._watch.probe
        probe.flush_open()
        message = self._describe(held, node, gradients_in)
        self._finished = []
        del node
        self._storages.tell("hold", held.backward, here)
        self._watch.tell("held", **message)
        self._watch.control.send(without_nan({"type": "held", **message}))
        try:
            command = self._wait(held)
        finally:
            now = self._watch.now_ns()
            probe.mark(MarkKind.HOLD, begin_ns, now, a=held.backward)
            self._watch.tell("resumed", time_ns=now)
            self._watch.control.send({"type": "resumed", "time_ns": now})
        self._obey(command, held)

    def _wait(self, held: Node) -> str:
        """The host's word that lets go: "continue", a step or "detach". A host that is gone says "gone"."""
        while True:
            command = self._watch.control.receive()
            if command is None:
                return "gone"
            if command["type"] in ("continue", "detach", *COMMANDS):
                return str(command["type"])
            if command["type"] == "breakpoints":
                self._breakpoints.take(command)
            elif command["type"] == "torchviz_picture":
                picture = torchviz_picture(self._watch, self._parameters, held.backward, int(command.get("roots") or 1))
                self._watch.control.send({"type": "reply", "to": command["type"], **picture})
            else:
                self._watch.control.send({"type": "reply", "to": command["type"], "trouble": "not known"})

    def _obey(self, command: str, held: Node) -> None:
        self._graphs.is_detailed = command in COMMANDS
        self._steps.begin(command, held.backward, held.module)
        if command not in COMMANDS:
            self._finished = []
        if command == "gone":
            self._breakpoints.take_none()
        if command == "detach":
            self._detach()

    def _on_breakpoints_changed(self, number: int) -> None:
        self._take_breakpoints()

    def _take_breakpoints(self) -> None:
        """Read the host's newest list, which it sent before it counted up; while a thread is held, that one reads it."""
        while self._watch.probe.breakpoints_wanted() != self._breakpoints.number and self._holding.acquire(False):
            try:
                message = self._watch.control.receive()
            finally:
                self._holding.release()
            if message is None:
                self._breakpoints.take_none()
            elif message["type"] == "breakpoints":
                self._breakpoints.take(message)
            elif message["type"] == "detach":
                self._detach()
                return

    def _describe(self, held: Node, node: Any, gradients_in: list[dict[str, Any]]) -> dict[str, Any]:
        running = self._watch.probe.running_backward(held.backward)
        return {
            "backward": held.backward,
            "node_index": held.index,
            "node": held.index,
            "name": held.shown_name,
            "sequence_nr": held.sequence_nr,
            "position": self._watch.probe.nodes_run(held.backward),
            "count": running[2] if running is not None else 0,
            "source": f"{held.file}:{held.line}" if held.file else "",
            "module": self._steps.module_name(held.module),
            "stops": held.stops,
            "gradients_in": gradients_in,
            "saved": [self._stats(name, tensor) for name, tensor in self._graphs.saved_tensors(node)],
            "finished": self._finished[-1] if self._finished else None,
            "time_ns": self._watch.now_ns(),
            "all_finished": self._finished,
        }

    def _stats(self, name: str, tensor: Any) -> dict[str, Any]:
        return _as_told(name, self._watch.probe.tensor_stats(tensor, True))


def _as_told(name: str, stats: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, **stats, "shape": list(stats.get("shape", ()))}
