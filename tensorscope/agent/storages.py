"""Which tensors lie on which storage, what they are called and who holds them: seen at holds, iteration ends, exceptions and exit.

A tensor has a name only while Python can be asked, so these moments are samples. At iteration ends they are taken within a share of the run
time; the first three always. Tensors that only a graph's nodes have saved are listed with them; what is left is counted in ``unlisted_blocks``: gradients on
their way between nodes, and what torch and C++ extensions keep for themselves.
"""

from typing import Any, Final

from tensorscope.agent.before import Before
from tensorscope.agent.graphs import Graphs
from tensorscope.agent.iterations import Iterations
from tensorscope.agent.names import Names
from tensorscope.agent.optimizers import Optimizers
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch

BUDGET_SHARE: Final = 0.004
FIRST_LOOKS: Final = 3  # a trace keeps its first three iterations in full
LONGEST_FIRST_LOOK_NS: Final = 1_000_000_000  # a heap that takes longer is looked at within the share only
ABOUT_STORAGE: Final = ("storage", "data", "nbytes", "device", "is_external")
ABOUT_TENSOR: Final = ("impl", "shape", "stride", "offset", "dtype", "itemsize", "is_view", "base", "version", "requires_grad")

Here = dict[int, tuple[dict[str, Any], str]]
"""Tensors that perhaps nobody lists, by impl: what ``tensor_info`` says of each, and who holds it."""


class Listing:
    """The storages of one moment as they are told."""

    def __init__(self) -> None:
        self.storages: dict[int, dict[str, Any]] = {}
        self.watched_blocks = 0
        self._impls: set[int] = set()

    def add(self, info: dict[str, Any], names: list[str], category: str, holders: list[str]) -> None:
        """Add a tensor with its storage, or only its holders where it is listed already."""
        if not info["storage"]:
            return
        storage = self.storages.get(info["storage"])
        if storage is None:
            storage = self.storages[info["storage"]] = {key: info[key] for key in ABOUT_STORAGE}
            storage["tensors"], storage["holders"] = [], []
            self.watched_blocks += info["is_watched"]
        if info["impl"] not in self._impls:
            self._impls.add(info["impl"])
            described = {key: info[key] for key in ABOUT_TENSOR}
            storage["tensors"].append({**described, "names": names, "is_parameter": category == "parameter", "category": category})
        storage["holders"] += [holder for holder in holders if holder not in storage["holders"]]


class Storages:
    name = "storages"

    def __init__(self, watch: Watch, parameters: Parameters, optimizers: Optimizers, iterations: Iterations, graphs: Graphs) -> None:
        self._watch = watch
        self._names = Names(watch, parameters, optimizers)
        self._iterations = iterations
        self._graphs = graphs
        self._begin_ns = watch.now_ns()
        self._spent_ns = 0
        self._looks = 0
        self.before: Before | None = None  # where torch was at work before us

    def tell_sampled(self, iteration: int) -> None:
        """At an iteration's end: if it is one of the first, or the time spent so far leaves room for another look."""
        self._note_ends()
        look_ns = self._spent_ns // self._looks if self._looks else 0
        run_ns = self._watch.now_ns() - self._begin_ns
        is_first = self._looks < FIRST_LOOKS and look_ns <= LONGEST_FIRST_LOOK_NS
        if is_first or self._spent_ns + look_ns <= run_ns * BUDGET_SHARE:
            self._guarded("iteration", iteration, 0, {})

    def tell(self, reason: str, backward: int = 0, here: Here | None = None) -> None:
        """Send a ``storages`` message of this moment; ``backward`` is the one that this thread is inside."""
        self._note_ends()
        self._guarded(reason, self._iterations.index, backward, here or {})

    def _note_ends(self) -> None:
        if self.before is not None and not self._watch.is_off(self.name):
            self.before.note_ends()

    def _guarded(self, reason: str, iteration: int, backward: int, here: Here) -> None:
        if not self._watch.is_off(self.name):
            try:
                self._tell(reason, iteration, backward, here)
            except Exception as error:
                self._watch.switch_off(self.name, error)

    def _tell(self, reason: str, iteration: int, backward: int, here: Here) -> None:
        begin_ns = self._watch.now_ns()
        found = self._look(backward, here)
        unlisted = self._watch.probe.watched_block_count() - found.watched_blocks
        spent_ns = self._watch.now_ns() - begin_ns
        self._watch.tell(
            "storages",
            time_ns=begin_ns,
            reason=reason,
            iteration=iteration,
            backward=self._watch.probe.last_backward(),
            is_complete=unlisted == 0,
            spent_ns=spent_ns,
            storages=list(found.storages.values()),
            unlisted_blocks=unlisted,
        )
        if reason == "iteration":
            self._looks += 1
            self._spent_ns += self._watch.now_ns() - begin_ns

    def _look(self, backward: int, here: Here) -> Listing:
        """All live tensors by storage. Every strong reference made here is gone when it returns."""
        listing = Listing()
        probe = self._watch.probe
        names = self._names.collect()
        tensors = probe.live_instances(self._watch.torch.Tensor)
        seen = {id(tensor) for tensor in tensors}
        tensors += [tensor for address, tensor in names.tensors.items() if address not in seen]
        for tensor in tensors:
            listing.add(probe.tensor_info(tensor), names.of(tensor), names.category(tensor), names.holders(tensor))
        for node in probe.live_nodes(tensors, backward):
            for name, tensor in self._graphs.saved_tensors(node):
                listing.add(probe.tensor_info(tensor), [], "", [f"saved by {type(node).__name__} as {name}"])
        for info, holder in here.values():
            listing.add(info, [], "", [holder])
        return listing
