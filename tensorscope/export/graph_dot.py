"""The graph of a backward for graphviz, as torchviz draws it: every node and edge that autograd has, parameters light blue, results green.

Edges run from inputs to results, against backward, as torchviz's do. Nodes carry their module and line as tooltip.
"""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import graphviz

from tensorscope.analysis.results import BackwardGraph, GraphNode
from tensorscope.errors import TensorScopeError
from tensorscope.export.files import write_atomically
from tensorscope.units import format_place, plural

PARAMETER: Final = "lightblue"
RESULT: Final = "darkolivegreen1"
NODE_STYLE: Final = {"style": "filled", "shape": "box", "align": "left", "fontsize": "10", "ranksep": "0.1", "height": "0.2", "fontname": "monospace"}
PATIENCE_S: Final = 120
LARGE: Final = 1_500  # nodes from which dot would look for better ranks for minutes
INCHES_AN_ELEMENT: Final = 0.15
LEAST_INCHES: Final = 12.0

Shape = tuple[int, ...]


def graph_dot(graph: BackwardGraph, parameter_shapes: Mapping[str, Shape]) -> graphviz.Digraph:
    """Nodes are ``n3`` by their id; ``v3`` is the leaf that accumulator 3 writes to, ``r0`` the result whose gradient root 0 takes."""
    dot = graphviz.Digraph(name="backward", node_attr=NODE_STYLE)
    for node in graph.nodes:
        name = node.name.rpartition("::")[2]
        if name == "AccumulateGrad":
            shape = parameter_shapes.get(node.parameter, node.output_shape)
            dot.node(f"v{node.id}", _variable(node.parameter, shape), fillcolor=PARAMETER)
            dot.edge(f"v{node.id}", f"n{node.id}")
        dot.node(f"n{node.id}", graphviz.escape(name), **_tooltip(node))
    for edge in graph.edges:
        dot.edge(f"n{edge.target}", f"n{edge.source}")
    shapes = {node.id: node.output_shape for node in graph.nodes}
    for root in graph.roots:
        dot.node(f"r{root}", _variable("", shapes[root]), fillcolor=RESULT)
        dot.edge(f"n{root}", f"r{root}")
    inches = max(LEAST_INCHES, len(dot.body) * INCHES_AN_ELEMENT)
    dot.graph_attr.update(size=f"{inches},{inches}")
    if len(graph.nodes) > LARGE:
        dot.graph_attr.update(nslimit="1", nslimit1="1", mclimit="0.1", splines="line")
    return dot


def save_graph_dot(path: Path, graph: BackwardGraph, parameter_shapes: Mapping[str, Shape]) -> None:
    """Raises TensorScopeError where the file cannot be written."""
    source = graph_dot(graph, parameter_shapes).source
    write_atomically(path, lambda target: _write(target, source.encode()))


def save_graphviz_pdf(path: Path, graph: BackwardGraph, parameter_shapes: Mapping[str, Shape]) -> None:
    """Drawn by graphviz's ``dot``. Raises TensorScopeError without it, where it takes too long, and where the file cannot be written."""
    source, size = graph_dot(graph, parameter_shapes).source, plural(len(graph.nodes), "node")
    save_drawn(path, source, "pdf", size)


def save_drawn(path: Path, source: str, kind: str, size: str) -> None:
    """Let ``dot`` draw a graph as ``pdf``, ``svg`` or ``png``; ``size`` says how large it is. Raises TensorScopeError as ``save_graphviz_pdf`` does."""
    try:
        picture = subprocess.run(["dot", f"-T{kind}"], input=source.encode(), capture_output=True, timeout=PATIENCE_S, check=True).stdout
    except FileNotFoundError:
        raise TensorScopeError(f"The {kind.upper()} is drawn by graphviz, whose program dot was not found: install it (apt install graphviz).") from None
    except subprocess.TimeoutExpired:
        raise TensorScopeError(f"graphviz did not finish {size} in {PATIENCE_S} s: export SVG, or DOT for another layout such as sfdp.") from None
    except subprocess.CalledProcessError as error:
        raise TensorScopeError(f"graphviz could not draw the graph (dot ended with {error.returncode}).") from None
    write_atomically(path, lambda target: _write(target, picture))


def _variable(name: str, shape: Shape | None) -> str:
    sizes = f"({', '.join(str(size) for size in shape)})" if shape is not None else ""
    return f"{graphviz.escape(name)}\n {sizes}"


def _tooltip(node: GraphNode) -> dict[str, str]:
    place = format_place(node.source.file, node.source.line) if node.source is not None else ""
    words = "  ".join(word for word in (node.module, place) if word)
    return {"tooltip": graphviz.escape(words)} if words else {}


def _write(target: Path, content: bytes) -> None:
    target.write_bytes(content)
