"""The files of ``tensorscope export`` that show one backward: its graph as picture or for graphviz, and gradients as a table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tensorscope.analysis.graph import backward_graph, last_backward
from tensorscope.analysis.iterations import backward_spans
from tensorscope.errors import TensorScopeError
from tensorscope.trace.snapshot import Snapshot

if TYPE_CHECKING:
    from tensorscope.analysis.results import BackwardGraph
    from tensorscope.viewmodel.graph import GraphView

GRAPH_OUTPUTS: Final = ("graph_png", "graph_svg", "graph_pdf", "graph_dot", "graph_picture_pdf", "gradients_csv")


def add_graph_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--graph-png", type=Path, metavar="F", help="the graph of a backward as a picture, as large as it needs")
    parser.add_argument("--graph-svg", type=Path, metavar="F", help="the same as SVG")
    parser.add_argument("--graph-picture-pdf", type=Path, metavar="F", help="the same as PDF: one page, shapes and embedded fonts")
    parser.add_argument("--graph-pdf", type=Path, metavar="F", help="every node of autograd, drawn by graphviz in torchviz's colours")
    parser.add_argument("--graph-dot", type=Path, metavar="F", help="the same for graphviz")
    parser.add_argument("--gradients-csv", type=Path, metavar="F", help="gradient statistics: iteration, backward, parameter, stage, norm, …")
    parser.add_argument("--backward", type=_count, metavar="N", help="of graphs (default the last one kept in full) and gradients (default all)")
    parser.add_argument("--expand", type=_depth, metavar="all|none|N", help="modules that stand open in pictures of graphs (default as in the window)")


def write_graph_files(snapshot: Snapshot, options: argparse.Namespace) -> None:
    """Raises TensorScopeError with a sentence where a file cannot be written, or there is no such backward."""
    if options.gradients_csv:
        _write_gradients(snapshot, options)
    if not any((options.graph_png, options.graph_svg, options.graph_picture_pdf, options.graph_pdf, options.graph_dot)):
        return
    backward = last_backward(snapshot) if options.backward is None else options.backward
    if backward is None:
        raise TensorScopeError("There is no graph to export: the run had no backward.")
    graph = backward_graph(snapshot, backward)
    _write_for_graphviz(snapshot, graph, options)
    if options.graph_png or options.graph_svg or options.graph_picture_pdf:
        _write_pictures(snapshot, graph, options)


def _write_gradients(snapshot: Snapshot, options: argparse.Namespace) -> None:
    from tensorscope.analysis.gradients import gradient_table
    from tensorscope.export.gradients_csv import save_gradients_csv

    if options.backward is not None and options.backward + 1 not in {identity for identity, _, _ in backward_spans(snapshot, outermost=False)}:
        backward_graph(snapshot, options.backward)  # says that it is not on record
    save_gradients_csv(options.gradients_csv, gradient_table(snapshot), options.backward)


def _write_for_graphviz(snapshot: Snapshot, graph: BackwardGraph, options: argparse.Namespace) -> None:
    from tensorscope.export.graph_dot import save_graph_dot, save_graphviz_pdf
    from tensorscope.viewmodel.graph_request import parameter_shapes

    if options.graph_dot:
        save_graph_dot(options.graph_dot, graph, parameter_shapes(snapshot))
    if options.graph_pdf:
        save_graphviz_pdf(options.graph_pdf, graph, parameter_shapes(snapshot))


def _write_pictures(snapshot: Snapshot, graph: BackwardGraph, options: argparse.Namespace) -> None:
    from tensorscope.export.graph_picture import GraphPictureOptions, save_graph_pdf, save_graph_png, save_graph_svg
    from tensorscope.export.offscreen import offscreen_application

    with offscreen_application():
        view = _view(snapshot, graph, options)
        picture = GraphPictureOptions(options.theme, options.dpi, snapshot.facts)
        if options.graph_png:
            save_graph_png(options.graph_png, view, picture)
        if options.graph_svg:
            save_graph_svg(options.graph_svg, view, picture)
        if options.graph_picture_pdf:
            save_graph_pdf(options.graph_picture_pdf, view, picture)


def _view(snapshot: Snapshot, graph: BackwardGraph, options: argparse.Namespace) -> GraphView:
    from tensorscope.render.graph_style import graph_metrics
    from tensorscope.render.theme import Theme
    from tensorscope.viewmodel.graph import GraphDocument
    from tensorscope.viewmodel.graph_open import OpenState, expanded
    from tensorscope.viewmodel.graph_request import parameter_shapes

    document, shapes = GraphDocument(), parameter_shapes(snapshot)
    tree = document.tree(graph, shapes)
    state = OpenState() if options.expand is None else expanded(tree.groups.values(), None if options.expand == "all" else int(options.expand))
    view = document.view(graph, state, graph_metrics(Theme.named(options.theme)), parameter_shapes=shapes)
    if view.notice:
        raise TensorScopeError(f"{view.notice.split(':')[0]}: export it with a smaller --expand.")
    return view


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a backward: they count from 0")
    return int(text)


def _depth(text: str) -> str:
    if text == "none":
        return "0"
    if text != "all" and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no depth: give all, none or a number of levels")
    return text
