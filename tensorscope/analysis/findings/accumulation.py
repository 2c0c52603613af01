"""What each AccumulateGrad did: keep what came, or add it to the ``.grad`` that was there."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.accumulated import accumulated, owners
from tensorscope.analysis.results import Ints
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Accumulations:
    """One run of AccumulateGrad a row, arrays [n], in order of their end; only those whose operators are on record."""

    parameter: Ints
    end_ns: Ints
    adds: NDArray[np.bool_]

    def adding(self, begin_ns: int, end_ns: int, parameters: set[int]) -> set[int]:
        """The parameters of these that were added to within a span."""
        return self._within(begin_ns, end_ns, parameters, self.adds)

    def filled(self, begin_ns: int, end_ns: int, parameters: set[int]) -> set[int]:
        """The parameters of these that got a gradient within a span."""
        return self._within(begin_ns, end_ns, parameters, np.ones(len(self.adds), np.bool_))

    def _within(self, begin_ns: int, end_ns: int, parameters: set[int], chosen: NDArray[np.bool_]) -> set[int]:
        low, high = np.searchsorted(self.end_ns, [begin_ns, end_ns + 1])
        return set(self.parameter[low:high][chosen[low:high]].tolist()) & parameters


def accumulations(snapshot: Snapshot) -> Accumulations:
    """AccumulateGrad runs ``add_`` or ``add`` where there was a gradient (torch/csrc/autograd/functions/accumulate_grad.h)."""
    found = accumulated(snapshot)
    parameter = owners(snapshot, found)
    operators = snapshot.table(OPERATORS)
    adders = [identity for identity, name in snapshot.strings.items() if name in ("aten::add_", "aten::add")]
    rows = np.flatnonzero(np.isin(operators.column("name"), adders))
    adds = np.isin(found.operator, operators.column("parent")[rows])
    order = np.argsort(found.end_ns, kind="stable")
    return Accumulations(parameter[order], found.end_ns[order], adds[order])


def clearing_times(snapshot: Snapshot) -> Ints:
    """When operators that set tensors to zero ran: gradients may be cleared by hand."""
    operators = snapshot.table(OPERATORS)
    zeros = [identity for identity, name in snapshot.strings.items() if name in ("aten::zero_", "aten::_foreach_zero_")]
    rows = np.flatnonzero(np.isin(operators.column("name"), zeros))
    return np.sort(operators.column("begin_ns")[rows].astype(np.int64))
