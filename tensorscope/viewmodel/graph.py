"""What the graph panel shows: one backward, laid out with the groups that stand open, at one moment."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import numpy as np

from tensorscope.analysis.layout import LayoutCache, LevelTooLarge
from tensorscope.analysis.results import BackwardGraph, BackwardSummary
from tensorscope.viewmodel.graph_build import build_scene
from tensorscope.viewmodel.graph_change import ChangeView
from tensorscope.viewmodel.graph_fold import Shape
from tensorscope.viewmodel.graph_heat import Heat, Measure, heat_of
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_numbers import KnownGradients
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_path import PathView
from tensorscope.viewmodel.graph_progress import Columns, Figures, Progress, figures_of, progress_at
from tensorscope.viewmodel.graph_scene import BoxKey, Scene
from tensorscope.viewmodel.graph_tree import GraphTree, build_tree

_KEPT_TREES: Final = 4
_KEPT_SCENES: Final = 8


@dataclass(frozen=True, slots=True)
class GraphView:
    graph: BackwardGraph
    tree: GraphTree
    scene: Scene
    progress: Progress
    figures: Mapping[BoxKey, Figures]  # of every group that is drawn
    state: OpenState
    numbers: tuple[int, ...]  # all backwards on record, for going to the one before or after
    notice: str = ""  # a sentence on what could not be shown
    gradients: KnownGradients = field(default_factory=KnownGradients)
    heat: Heat | None = None  # None: colours show the progress
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # further names of tied parameters, by FQN
    path: PathView | None = None  # between two boxes that the user chose
    change: ChangeView | None = None  # against another backward
    summaries: tuple[BackwardSummary, ...] = ()  # of the backwards on record


@dataclass(frozen=True, slots=True)
class Moment:
    """Which moment to show: ``cursor_ns`` None is now; ``held_node`` is the id of the node before which the script is held in this backward, -1: none."""

    cursor_ns: int | None = None
    held_node: int = -1


class GraphDocument:
    """Keeps trees and layouts, so that a backward of known shape costs only its progress. Any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._trees: OrderedDict[int, list[GraphTree]] = OrderedDict()
        self._scenes: OrderedDict[tuple[int, OpenState, Metrics, int], tuple[GraphTree, Scene]] = OrderedDict()
        self._layouts = LayoutCache()

    def tree(self, graph: BackwardGraph, parameter_shapes: Mapping[str, Shape]) -> GraphTree:
        """The tree of this graph, or of an earlier one of equal shape."""
        with self._lock:
            return self._tree(graph, parameter_shapes)

    def view(
        self,
        graph: BackwardGraph,
        state: OpenState,
        metrics: Metrics,
        moment: Moment = Moment(),
        parameter_shapes: Mapping[str, Shape] | None = None,
        numbers: tuple[int, ...] = (),
        reveal: int = -1,
        check: Callable[[], None] = lambda: None,
        gradients: KnownGradients | None = None,
        measure: Measure = Measure.PROGRESS,
    ) -> GraphView:
        """A finished view; the groups around the node with the id ``reveal`` stand open in it. ``check`` cancels by raising.

        A group too large to be drawn closes everything again, with a notice; raises LevelTooLarge if even that is too large.
        """
        with self._lock:
            tree = self._tree(graph, parameter_shapes or {})
            columns = Columns.of(graph)
            progress = progress_at(graph, columns, moment.cursor_ns, place_of(graph, moment.held_node))
            wanted = place_of(graph, reveal)
            if wanted >= 0:
                state = state.revealing(tree.path(wanted))
            notice = ""
            try:
                scene = self._scene(tree, state, metrics, progress.current, check)
            except LevelTooLarge as error:
                state, notice = OpenState(), str(error)
                scene = self._scene(tree, state, metrics, progress.current, check)
        figures = {
            box.key: figures_of(np.array([member for group in box.groups for member in group.members], np.int64), columns, progress)
            for box in (scene.boxes[index] for index in scene.group_boxes)
        }
        known = gradients or KnownGradients()
        heat = heat_of(measure, graph, scene, figures, known) if measure not in (Measure.PROGRESS, Measure.CHANGE) else None
        return GraphView(graph, tree, scene, progress, figures, state, numbers, notice, known, heat)

    def _tree(self, graph: BackwardGraph, parameter_shapes: Mapping[str, Shape]) -> GraphTree:
        key = len(graph.nodes)
        known = self._trees.setdefault(key, [])
        self._trees.move_to_end(key)
        for tree in known:
            if _is_same_shape(tree.graph, graph):
                return tree
        known.append(build_tree(graph, parameter_shapes))
        while len(self._trees) > _KEPT_TREES:
            self._trees.popitem(last=False)
        del known[:-_KEPT_TREES]
        return known[-1]

    def _scene(self, tree: GraphTree, state: OpenState, metrics: Metrics, tall_node: int, check: Callable[[], None]) -> Scene:
        key = (id(tree), state, metrics, tall_node)  # the tree is kept beside it, so its id is not used again
        if key not in self._scenes:
            self._scenes[key] = (tree, build_scene(tree, state, metrics, tall_node, self._layouts, check))
            while len(self._scenes) > _KEPT_SCENES:
                self._scenes.popitem(last=False)
        self._scenes.move_to_end(key)
        return self._scenes[key][1]


def place_of(graph: BackwardGraph, node_id: int) -> int:
    """Place in ``graph.nodes`` of a node's id, -1 if there is none."""
    if 0 <= node_id < len(graph.nodes) and graph.nodes[node_id].id == node_id:
        return node_id
    return next((place for place, node in enumerate(graph.nodes) if node.id == node_id), -1) if node_id >= 0 else -1


def _is_same_shape(first: BackwardGraph, second: BackwardGraph) -> bool:
    if first is second:
        return True
    return (
        len(first.nodes) == len(second.nodes)
        and first.edges == second.edges
        and first.roots == second.roots
        and all(
            a.name == b.name and a.module == b.module and a.parameter == b.parameter and a.output_shape == b.output_shape and a.output_dtype == b.output_dtype
            for a, b in zip(first.nodes, second.nodes, strict=True)
        )
        and [(call.module, call.module_class) for call in first.calls] == [(call.module, call.module_class) for call in second.calls]
    )
