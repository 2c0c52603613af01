"""Which tensors lie on which storage, what they are called and who holds them: seen at holds, iteration ends, exceptions and exit.

A tensor has a name only while Python can be asked, so these moments are samples. At iteration ends they are taken within a share of the run
time; the first iterations always.
"""

from typing import Any, Final

from tensorscope.agent.iterations import Iterations
from tensorscope.agent.names import Names
from tensorscope.agent.optimizers import Optimizers
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch

ALWAYS_FIRST: Final = 3
BUDGET_SHARE: Final = 0.01


class Storages:
    name = "storages"

    def __init__(self, watch: Watch, parameters: Parameters, optimizers: Optimizers, iterations: Iterations) -> None:
        self._watch = watch
        self._names = Names(watch, parameters, optimizers)
        self._parameters = parameters
        self._iterations = iterations
        self._begin_ns = watch.now_ns()
        self._spent_ns = 0
        self._samples = 0

    def tell_sampled(self) -> None:
        """At an iteration's end: if it is one of the first, or the time spent so far leaves room for another look."""
        last_cost_ns = self._spent_ns // self._samples if self._samples else 0
        run_ns = self._watch.now_ns() - self._begin_ns
        if self._samples < ALWAYS_FIRST or self._spent_ns + last_cost_ns <= run_ns * BUDGET_SHARE:
            self._samples += 1
            self.tell("iteration")

    def tell(self, reason: str, extra: dict[int, tuple[Any, list[str]]] | None = None) -> None:
        """Send a ``storages`` message of this moment. ``extra``: tensors that Python does not list (saved ones) with their holders, by impl."""
        if not self._watch.is_off(self.name):
            try:
                self._tell(reason, extra or {})
            except Exception as error:
                self._watch.switch_off(self.name, error)

    def _tell(self, reason: str, extra: dict[int, tuple[Any, list[str]]]) -> None:
        begin_ns = self._watch.now_ns()
        found = self._describe(extra)
        spent_ns = self._watch.now_ns() - begin_ns
        self._spent_ns += spent_ns
        self._watch.tell(
            "storages",
            time_ns=begin_ns,
            reason=reason,
            iteration=self._iterations.index,
            backward=self._watch.probe.last_backward(),
            is_complete=True,
            spent_ns=spent_ns,
            storages=found,
        )
        self._watch.cost(begin_ns)

    def _describe(self, extra: dict[int, tuple[Any, list[str]]]) -> list[dict[str, Any]]:
        """All live tensors grouped by storage. Every strong reference made here is gone when it returns."""
        names = self._names.collect()
        tensors = self._watch.probe.live_instances(self._watch.torch.Tensor)
        seen = {id(tensor) for tensor in tensors}
        tensors += [tensor for address, tensor in names.tensors.items() if address not in seen]
        tensor_info = self._watch.probe.tensor_info
        storages: dict[int, dict[str, Any]] = {}
        impls: set[int] = set()
        for tensor in tensors:
            info = tensor_info(tensor)
            impls.add(info["impl"])
            self._add(storages, info, names.of(tensor), names.category(tensor), names.holders(tensor))
        for impl, (tensor, holders) in extra.items():
            if impl not in impls:
                self._add(storages, tensor_info(tensor), [], "", holders)
            else:
                entry = storages.get(tensor_info(tensor)["storage"])
                if entry is not None:
                    entry["holders"] += holders
        return list(storages.values())

    @staticmethod
    def _add(storages: dict[int, dict[str, Any]], info: dict[str, Any], names: list[str], category: str, holders: list[str]) -> None:
        if not info["storage"]:
            return
        entry = storages.get(info["storage"])
        if entry is None:
            entry = {key: info[key] for key in ("storage", "data", "nbytes", "device", "is_external")}
            storages[info["storage"]] = entry
            entry["tensors"], entry["holders"] = [], []
        keys = ("impl", "shape", "stride", "offset", "dtype", "itemsize", "is_view", "base", "version", "requires_grad")
        described = {key: info[key] for key in keys}
        entry["tensors"].append({**described, "names": names, "is_parameter": category == "parameter", "category": category})
        entry["holders"] += [holder for holder in holders if holder not in entry["holders"]]
