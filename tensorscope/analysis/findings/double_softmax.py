"""The loss takes the softmax of a softmax: ``cross_entropy`` wants raw scores."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import marks
from tensorscope.analysis.findings.raising_node import where
from tensorscope.analysis.graph import backward_graph
from tensorscope.analysis.results import BackwardGraph, Finding, GraphNode, Related
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

INNER: Final = ("SoftmaxBackward0", "LogSoftmaxBackward0")
OUTER: Final = ("LogSoftmaxBackward0", "SoftmaxBackward0")
SAME_NUMBERS: Final = (
    "ViewBackward0",
    "ReshapeAliasBackward0",
    "UnsafeViewBackward0",
    "ToCopyBackward0",
    "CloneBackward0",
    "SqueezeBackward1",
    "UnsqueezeBackward0",
)


def double_softmax(snapshot: Snapshot) -> Iterator[Finding]:
    """Looked for in the newest backward of each shape of graph that contains two softmaxes."""
    newest = {snapshot.backwards[mark.a].graph: mark for mark in marks(snapshot, MarkKind.BACKWARD) if mark.a in snapshot.backwards}
    for shape, mark in newest.items():
        names = snapshot.graphs[shape].names if shape in snapshot.graphs else ()
        if sum(name.endswith(INNER) for name in names) < 2:
            continue
        graph = backward_graph(snapshot, mark.a - 1)
        for outer, inner in _pairs(graph):
            yield Finding(
                rule="double-softmax",
                severity="warning",
                message=tr(
                    "{inner} feeds {outer}: the loss takes a softmax of probabilities and cannot get near zero. Give the loss the scores before the softmax."
                ).format(inner=where(inner), outer=where(outer)),
                source=inner.source,
                related=(Related(outer.source, tr("the second softmax, in the loss")),) if outer.source is not None else (),
                iteration=graph.iteration,
                evidence={"inner": inner.name, "inner_module": inner.module, "outer": outer.name},
                certainty=0.9,
                backward=graph.backward,
                node=inner.id,
                time_ns=graph.begin_ns,
            )
            return


def _pairs(graph: BackwardGraph) -> Iterator[tuple[GraphNode, GraphNode]]:
    """(softmax nearer the loss, softmax that feeds it) with nothing between that changes numbers."""
    below: dict[int, list[int]] = {}
    for edge in graph.edges:
        below.setdefault(edge.source, []).append(edge.target)
    for node in graph.nodes:
        if node.name == OUTER[0]:
            at, steps = node.id, 0
            while len(below.get(at, ())) == 1 and steps < len(graph.nodes):
                at, steps = below[at][0], steps + 1
                if graph.nodes[at].name in INNER:
                    yield node, graph.nodes[at]
                if graph.nodes[at].name not in SAME_NUMBERS:
                    break
