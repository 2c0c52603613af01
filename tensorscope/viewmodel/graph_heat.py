"""Which number colours each box of a graph, and between which two the colours run."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from tensorscope.analysis.results import BackwardGraph
from tensorscope.language import tr_later
from tensorscope.viewmodel.graph_numbers import GradientNumbers, KnownGradients, joined_norm
from tensorscope.viewmodel.graph_progress import Figures
from tensorscope.viewmodel.graph_scene import Box, BoxKey, BoxKind, Scene


class Measure(Enum):
    """The value is what the user reads."""

    PROGRESS = tr_later("progress")
    TIME = tr_later("time")
    SAVED = tr_later("saved bytes")
    GRADIENT = tr_later("gradient norm")
    NONFINITE = tr_later("non-finite")
    CHANGE = tr_later("change")  # of time against another backward


@dataclass(frozen=True, slots=True)
class Heat:
    """``values``: of every node and closed group, None where the number is not known, nan or inf for norms of gradients that are not finite."""

    measure: Measure
    values: Mapping[BoxKey, float | None]
    low: float  # the least known value above 0, and the greatest; 0 where there is none
    high: float

    def share(self, key: BoxKey) -> float | None:
        """Place of a box on the ramp, 0 to 1 on a log scale; None if its value is not known or not finite."""
        value = self.values.get(key)
        if value is None or not math.isfinite(value):
            return None
        if self.measure is Measure.CHANGE:
            return min(max(0.5 + math.log(max(value, 1e-9)) / (2 * math.log(self.high)), 0.0), 1.0)
        if value <= self.low:
            return 1.0 if 0 < value == self.high else 0.0
        return math.log(value / self.low) / math.log(self.high / self.low)

    def is_bad(self, key: BoxKey) -> bool:
        """Some element is not finite."""
        value = self.values.get(key)
        return value is not None and (value > 0 if self.measure is Measure.NONFINITE else not math.isfinite(value))


def heat_of(measure: Measure, graph: BackwardGraph, scene: Scene, figures: Mapping[BoxKey, Figures], gradients: KnownGradients) -> Heat:
    """``gradient norm`` is that of the parameters' ``.grad`` that a box writes; ``non-finite`` counts those and what stops saw a node take."""
    values = {box.key: _value(measure, box, graph, figures, gradients) for box in scene.boxes if box.kind is not BoxKind.OPEN}
    seen = [value for value in values.values() if value is not None and math.isfinite(value) and value > 0]
    return Heat(measure, values, min(seen, default=0.0), max(seen, default=0.0))


def _value(measure: Measure, box: Box, graph: BackwardGraph, figures: Mapping[BoxKey, Figures], gradients: KnownGradients) -> float | None:
    is_node = box.kind is BoxKind.NODE
    if measure is Measure.TIME:
        return graph.nodes[box.key.node].backward_ns if is_node else figures[box.key].backward_ns
    if measure is Measure.SAVED:
        if is_node:
            return graph.nodes[box.key.node].saved_bytes
        kept, freed = figures[box.key].kept_bytes, figures[box.key].freed_bytes
        return None if kept is None else kept + (freed or 0)
    known = list(_written(box, graph, gradients))
    if measure is Measure.GRADIENT:
        return joined_norm(known)
    nodes = [box.key.node] if is_node else [member for group in box.groups for member in group.members]
    known += [one for node in nodes for one in gradients.taken.get(graph.nodes[node].id, ())]
    return float(sum(one.nonfinite for one in known)) if known else None


def _written(box: Box, graph: BackwardGraph, gradients: KnownGradients) -> Iterable[GradientNumbers]:
    """Of the parameters that a box writes a gradient to, each once."""
    if box.kind is BoxKind.NODE:
        names = [badge.parameter for badge in box.badges] or [graph.nodes[box.key.node].parameter]
    else:
        names = [graph.nodes[member].parameter for group in box.groups for member in group.members]
    return (gradients.parameters[name] for name in dict.fromkeys(names) if name in gradients.parameters)
