"""Backwards that begin in ``torch.autograd.backward`` or ``torch.autograd.grad``: their graph, the nodes that run operators, the gradients they leave.

No hook is put on anything: which node runs is asked of autograd at each operator (``torch._C._current_autograd_node``).
"""

import struct
from collections.abc import Callable
from typing import Any, Final

from tensorscope.agent.python_probe.hidden import hide
from tensorscope.protocol.records import GradientStage, MarkKind, RecordKind

NODE: Final = struct.Struct("<BBxxIQQQqqqII")
FAILED: Final = 1


class GraphRoot:
    """Stands above several roots, as the engine's own node of this name does, which Python cannot ask for."""

    def __init__(self, roots: list[tuple[Any, int]]) -> None:
        self.next_functions = tuple(roots)

    def _sequence_nr(self) -> int:
        return -1


class Backward:
    """One that runs now. Keeps its nodes alive until it ends, as its root does."""

    def __init__(self, identity: int, parent: int, root: Any, begin_ns: int) -> None:
        self.id = identity
        self.parent = parent
        self.root = root
        self.begin_ns = begin_ns
        self.graph = 0
        self.index: dict[Any, int] = {}
        self.nodes: list[Any] = []
        self.names: list[int] = []
        self.running: tuple[Any, int] | None = None  # the node that runs now, and its record's id
        self.node_begin_ns = self.node_end_ns = 0
        self.nodes_run = 0


class Backwards:
    def __init__(self, probe: Any) -> None:
        self._probe = probe
        self._current_node = probe.torch._C._current_autograd_node
        self._current: Backward | None = None  # for trackers, while one begins
        self.newest = 0
        self.running: dict[int, Backward] = {}
        self.on_unknown_leaves: Callable[[], None] | None = None
        self.on_begin: Callable[[int, int, bool], None] | None = None

    def root(self) -> Any:
        """The root of the backward that begins."""
        return None if self._current is None else self._current.root

    def wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        begin, end = self._begin_guarded, self._end_guarded

        def run(*arguments: Any, **keywords: Any) -> Any:
            backward = begin(arguments, keywords)
            try:
                result = original(*arguments, **keywords)
            except BaseException:
                end(backward, True)
                raise
            end(backward, False)
            return result

        return hide(run)

    def node_of_this_operator(self, thread: Any) -> int:
        """The record id of the node that this operator runs in; 0 outside of all."""
        if not thread.backwards:
            return 0
        backward: Backward = thread.backwards[-1]
        node = self._current_node()
        if node is None or node not in backward.index:
            return 0
        if backward.running is None or backward.running[0] is not node:
            self._end_node(thread, backward)
            backward.running = node, thread.next_id()
            backward.node_begin_ns = self._probe.now_ns()
        return backward.running[1]

    def operator_ended(self, thread: Any, end_ns: int) -> None:
        if thread.backwards:
            thread.backwards[-1].node_end_ns = end_ns

    def _end_node(self, thread: Any, backward: Backward) -> None:
        if backward.running is None:
            return
        node, identity = backward.running
        backward.running = None
        backward.nodes_run += 1
        index = backward.index[node]
        parent = self.running[backward.parent].running if backward.parent in self.running else None
        self._probe.area.records(
            thread.id,
            NODE.pack(
                RecordKind.NODE,
                0,
                backward.names[index],
                id(node),
                identity,
                parent[1] if parent else 0,
                backward.node_begin_ns,
                backward.node_end_ns,
                sequence_nr_of(node),
                backward.id,
                index + 1,
            ),
        )

    def _begin_guarded(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Backward | None:
        probe = self._probe
        if not probe.is_watching():
            return None
        begin_ns = probe.now_ns()
        try:
            return self._begin(probe.threads.this(), arguments, keywords)
        except Exception as error:
            probe.failed("graphs", error)
            return None
        finally:
            self._current = None
            probe.add_cost(probe.now_ns() - begin_ns)

    def _begin(self, thread: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Backward | None:
        probe = self._probe
        roots = self._roots(arguments[0] if arguments else keywords.get("tensors", keywords.get("outputs")))
        if not roots:
            return None
        self.newest += 1
        parent = thread.backwards[-1].id if thread.backwards else 0
        backward = self._current = Backward(self.newest, parent, roots[0][0] if len(roots) == 1 else GraphRoot(roots), probe.now_ns())
        edges = walk(backward)
        leaves = [getattr(node, "variable", None) if type(node).__name__ == "AccumulateGrad" else None for node in backward.nodes]
        if self.on_unknown_leaves is not None and any(leaf is not None and not probe.parameter_of(leaf) for leaf in leaves):
            self.on_unknown_leaves()
        backward.names = [probe.definitions.string(type(node).__name__) for node in backward.nodes]
        described = tuple((name, 0 if leaf is None else probe.parameter_of(leaf)) for name, leaf in zip(backward.names, leaves, strict=True))
        del leaves
        backward.graph, is_new = probe.definitions.graph((described, edges))
        nodes = [(id(node), sequence_nr_of(node)) for node in backward.nodes]
        probe.definitions.backward(backward.id, backward.graph, backward.begin_ns, parent, nodes, thread.id)
        thread.backwards.append(backward)
        self.running[backward.id] = backward
        if self.on_begin is not None:
            self.on_begin(backward.id, backward.graph, is_new)
        return backward

    def _roots(self, tensors: Any) -> list[tuple[Any, int]]:
        """(node, output) of each; leaves have none that could be asked for without making one."""
        given = [tensors] if self._probe.is_tensor(tensors) or hasattr(tensors, "node") else list(tensors or ())
        roots: list[tuple[Any, int]] = []
        with self._probe.torch._C.DisableTorchFunction():
            for one in given:
                if hasattr(one, "node") and not self._probe.is_tensor(one):  # a GradientEdge
                    roots.append((one.node, one.output_nr))
                elif one.requires_grad and (node := one.grad_fn) is not None:
                    roots.append((node, one.output_nr))
        return roots

    def _end_guarded(self, backward: Backward | None, is_raised: bool) -> None:
        if backward is None:
            return
        probe = self._probe
        begin_ns = probe.now_ns()
        try:
            thread = probe.threads.this()
            self._end_node(thread, backward)
            if backward in thread.backwards:
                del thread.backwards[thread.backwards.index(backward) :]
            self.running.pop(backward.id, None)
            if not probe.is_watching():
                return
            if not is_raised:
                probe.write_gradients(GradientStage.RAW, backward.id)
            flags = FAILED * is_raised
            probe.mark(MarkKind.BACKWARD, backward.begin_ns, begin_ns, a=backward.id, b=backward.graph, x=float(len(backward.nodes)), flags=flags)
        except Exception as error:
            probe.failed("graphs", error)
        finally:
            probe.add_cost(probe.now_ns() - begin_ns)


def walk(backward: Backward) -> tuple[tuple[int, int, int, int], ...]:
    """Fill nodes and index from the root on, breadth first as ``Graphs.walk``; gives the edges (from, output_nr, to, input_nr)."""
    backward.nodes, backward.index = [backward.root], {backward.root: 0}
    edges = []
    at = 0
    while at < len(backward.nodes):
        for output_nr, (following, input_nr) in enumerate(backward.nodes[at].next_functions):
            if following is None:
                continue
            to = backward.index.setdefault(following, len(backward.nodes))
            if to == len(backward.nodes):
                backward.nodes.append(following)
            edges.append((at, output_nr, to, input_nr))
        at += 1
    return tuple(edges)


def sequence_nr_of(node: Any) -> int:
    if type(node).__name__ == "AccumulateGrad":
        return -1
    number = int(node._sequence_nr())
    return number if 0 <= number < 1 << 63 else -1
