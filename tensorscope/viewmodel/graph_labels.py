"""What stands beside the lines of a level, and where: of the lines that bring a box the same tensor only the first says its shape."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.language import tr
from tensorscope.units import format_shape
from tensorscope.viewmodel.graph_fold import Shape
from tensorscope.viewmodel.graph_levels import Sheet
from tensorscope.viewmodel.graph_options import GraphOptions
from tensorscope.viewmodel.graph_tree import GraphTree

LABEL_CLEARANCE: Final = 70.0  # another line that ends as close to the right would run through a label
LABEL_HEIGHT: Final = 14.0  # the same of lines that run to the right: as close above

Label = tuple[str, float]  # right of this x, or above this y where lines run to the right


@dataclass(slots=True)
class LevelLabels:
    """Worked out box by box, when one of a box's lines is looked at."""

    tree: GraphTree
    sheet: Sheet
    line_ends: NDArray[np.float64]  # [edges] x (or y) where each ends
    options: GraphOptions
    _arriving: dict[int, list[int]] | None = None  # edges by the item where they end
    _known: dict[int, Label] = field(default_factory=dict)  # by edge

    def of(self, edge: int) -> Label:
        if edge not in self._known:
            target = self.sheet.level.edges[edge].target
            numbers = self._arrivals().get(target, [edge])
            self._known.update(self._freed(numbers) if len(numbers) > 1 else {edge: self._plain(edge)})
        return self._known[edge]

    def _arrivals(self) -> dict[int, list[int]]:
        if self._arriving is None:
            found: dict[int, list[int]] = {}
            for number, edge in enumerate(self.sheet.level.edges):
                if edge.target >= 0:
                    found.setdefault(edge.target, []).append(number)
            self._arriving = found
        return self._arriving

    def _plain(self, edge: int) -> Label:
        has_label = self.sheet.level.edges[edge].has_label
        return label_of(self.tree, self.sheet.strands[edge], self.options) if has_label else "", float(self.line_ends[edge])

    def _freed(self, numbers: list[int]) -> dict[int, Label]:
        """A label stands beyond the other lines that end close to it."""
        labels = {number: self._plain(number) for number in numbers}
        places = sorted(at for _, at in labels.values())
        first: dict[str, float] = {}
        for label, at in labels.values():
            first[label] = min(first.get(label, at), at)
        for number, (label, at) in labels.items():
            if label and first[label] < at:
                labels[number] = "", at
            elif label:
                labels[number] = label, self._free(at, places)
        return labels

    def _free(self, at: float, places: list[float]) -> float:
        """Right of the lines that end close to the right, or above those that end close above. ``places``: of all, in order."""
        if self.options.is_sideways:
            return places[bisect_right(places, at - LABEL_HEIGHT)]
        return places[bisect_left(places, at + LABEL_CLEARANCE) - 1]


def label_of(tree: GraphTree, links: list[int], options: GraphOptions) -> str:
    """The shape of what runs along folded links, or how many tensors do."""
    folded = tree.folded.links
    if len(links) == 1:
        target = folded[links[0]].target
        return _words(folded[links[0]].shape, tree.graph.nodes[target].output_dtype if options.has_dtypes else "")
    tensors = {(folded[link].shape, tree.graph.nodes[folded[link].target].output_dtype if options.has_dtypes else "") for link in links}
    if len(tensors) > 1:
        return tr("{count} tensors").format(count=len({(folded[link].target, folded[link].input_nr) for link in links}))
    return _words(*tensors.pop())


@lru_cache(1024)
def _words(shape: Shape | None, dtype: str) -> str:
    return format_shape(shape, dtype) if shape is not None else ""
