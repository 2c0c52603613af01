"""The graph panel on a deep transformer (10,000 nodes) and a long LSTM: first picture, opening a group, panning, layout of everything.

CPU milliseconds of the thread (other work on the machine does not lengthen them), the median of several runs, painted without a screen.
"""

import argparse
import os
from collections.abc import Callable
from statistics import median
from time import thread_time
from typing import Any, Final

from benchmarks.graph_models import lstm_graph, transformer_graph

SIZE: Final = (538, 386)
RUNS: Final = 5


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--blocks", type=int, default=235, help="of the transformer; 235 make 10,115 nodes")
    parser.add_argument("--steps", type=int, default=300, help="of the LSTM")


def measure(options: argparse.Namespace) -> dict[str, Any]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    from tensorscope.viewmodel.collector import calm_collector

    calm_collector()  # as the window does
    application = QGuiApplication.instance() or QGuiApplication([])
    results = {"transformer": _measure(transformer_graph(options.blocks), "h.7"), "lstm": _measure(lstm_graph(options.steps), "lstm")}
    application.processEvents()
    return results


def _measure(graph: Any, module: str) -> dict[str, Any]:
    from tensorscope.analysis.layout import LayoutCache
    from tensorscope.render.graph_style import graph_metrics
    from tensorscope.render.theme import Theme
    from tensorscope.viewmodel.graph import GraphDocument
    from tensorscope.viewmodel.graph_build import build_scene
    from tensorscope.viewmodel.graph_open import OpenState
    from tensorscope.viewmodel.graph_tree import build_tree

    theme = Theme.dark()
    metrics = graph_metrics(theme)
    tree = build_tree(graph)
    group = tree.group_of_module(module)
    assert group is not None
    closed = OpenState()
    opened = closed.toggled(group)
    everything = OpenState(opened=frozenset(tree.groups), unrolled=frozenset(tree.groups))
    document = GraphDocument()
    _paint(document.view(graph, closed, metrics), 0.0)  # loads fonts and icons

    def open_group() -> None:
        other = GraphDocument()
        other.tree(graph, {})
        other.view(graph, closed, metrics)
        begin = thread_time()
        _paint(other.view(graph, opened, metrics), 0.0)
        spent.append((thread_time() - begin) * 1e3)

    spent: list[float] = []
    for _ in range(RUNS):
        open_group()
    plain, whole = document.view(graph, closed, metrics), document.view(graph, everything, metrics)
    return {
        "nodes": len(graph.nodes),
        "edges": len(graph.edges),
        "drawn_nodes": len(tree.folded.drawn),
        "first_picture_ms": _median(lambda: _paint(GraphDocument().view(graph, closed, metrics), 0.0)),
        "open_group_ms": round(median(spent), 2),
        "open_everything_ms": _median(lambda: build_scene(tree, everything, metrics, -1, LayoutCache())),
        "refresh_ms": _median(lambda: document.view(graph, closed, metrics)),
        "opening_frames_ms": _opening(plain, document.view(graph, opened, metrics)),
        "frame_closed_ms": _median(lambda: _paint(plain, 0.0)),
        "frame_everything_open_ms": _median(lambda: _paint(whole, whole.scene.height / 2)),
        "frame_everything_open_far_ms": _median(lambda: _paint(whole, 0.0, zoom=0.05)),
    }


def _opening(before: Any, after: Any) -> float:
    """The slowest of the frames in which a group opens, the first one with what it takes to begin."""
    from tensorscope.viewmodel.graph_motion import Motion

    times = []
    begin = thread_time()
    motion = Motion.between(before.scene, after.scene, (0.0, 0.0))
    for step in range(RUNS):
        scene = motion.at(step / RUNS, (0.0, 0.0, *map(float, SIZE)))
        _paint(after, 0.0, scene=scene)
        times.append((thread_time() - begin) * 1e3)
        begin = thread_time()
    return round(max(times), 2)


def _median(act: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        begin = thread_time()
        act()
        times.append((thread_time() - begin) * 1e3)
    return round(median(times), 2)


def _paint(view: Any, y: float, zoom: float = 1.0, scene: Any = None) -> None:
    from PySide6.QtGui import QImage, QPainter

    from tensorscope.render.graph import Viewport, paint_graph
    from tensorscope.render.graph_minimap import minimap_rect, paint_minimap
    from tensorscope.render.theme import Theme

    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    viewport = Viewport(0.0, y, zoom, *SIZE)
    paint_graph(painter, view, viewport, Theme.dark(), scene=scene)
    paint_minimap(painter, minimap_rect(viewport, Theme.dark()), view, viewport, Theme.dark())
    painter.end()
