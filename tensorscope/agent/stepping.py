"""Holds a backward at a node, tells what is there, and waits for the host's word.

A hold is in the start of a node's ``evaluate_function`` event. There a prehook and a post hook of ours go on the node and come off at the event's
end: the prehook sees the gradients in and is where we wait; the post hook sees the gradients out, told with the next hold as ``finished``.
AccumulateGrad gets no hook, since graphs and threads share it (and a hook makes it keep its gradient apart): for it we wait in the event's start,
where its gradient cannot be read, so ``gradients_in`` is empty there and the gradient is the one that the node before gave out.
"""

from collections.abc import Callable
from typing import Any

from tensorscope.agent.graphs import Graphs
from tensorscope.agent.storages import Storages
from tensorscope.agent.watch import Watch, without_nan
from tensorscope.protocol.records import MarkKind

HOLD_AT_NEXT_NODE = 1


class Stepping:
    name = "stepping"

    def __init__(self, watch: Watch, graphs: Graphs, storages: Storages, detach: Callable[[], None]) -> None:
        self._watch = watch
        self._graphs = graphs
        self._storages = storages
        self._detach = detach

    def install(self) -> None:
        self._watch.probe.set_on_hold(self._watch.guard(self.name, self._on_hold))
        self._watch.probe.set_on_node_end(self._watch.guard(self.name, self._on_node_end))

    def remove(self) -> None:
        self._watch.probe.set_on_hold(None)
        self._watch.probe.set_on_node_end(None)

    def _on_hold(self, backward: int, index: int, name: str, sequence_nr: int) -> None: ...
    def _on_node_end(self, backward: int, index: int) -> None: ...
