"""The loss applies the activation once more, or wants another one: softmax before ``cross_entropy``, sigmoid before a loss with logits."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tensorscope.analysis.findings.facts import line_at, marks
from tensorscope.analysis.findings.raising_node import where
from tensorscope.analysis.graph import backward_graph
from tensorscope.analysis.join import node_name
from tensorscope.analysis.results import BackwardGraph, Finding, GraphNode, Related
from tensorscope.language import tr, tr_later
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import GraphShape, Snapshot


@dataclass(frozen=True, slots=True)
class Mistake:
    rule: str
    loss: tuple[str, ...]  # nodes of the loss
    activation: str  # the node that must not feed it
    sentence: str
    role: str


MISTAKES: Final = (
    Mistake(
        "double-softmax",
        ("LogSoftmaxBackward0",),
        "SoftmaxBackward0",
        tr_later("{inner} feeds {outer}: the loss takes a softmax of probabilities and cannot get near zero. Give the loss the scores before the softmax."),
        tr_later("the second softmax, in the loss"),
    ),
    Mistake(
        "double-sigmoid",
        ("BinaryCrossEntropyWithLogitsBackward0",),
        "SigmoidBackward0",
        tr_later("{inner} feeds {outer}, which takes a sigmoid itself: gradients shrink and the loss stays high. Give the loss the scores before the sigmoid."),
        tr_later("the second sigmoid, in the loss"),
    ),
    Mistake(
        "nll-of-probabilities",
        ("NllLossBackward0", "NllLoss2DBackward0"),
        "SoftmaxBackward0",
        tr_later("{inner} feeds {outer}, which takes log-probabilities and gets probabilities. Use log_softmax, or cross_entropy on the scores."),
        tr_later("takes log-probabilities"),
    ),
)
MAX_SHAPES: Final = 20  # of graphs that are looked at
SAME_NUMBERS: Final = (
    "ViewBackward0",
    "ReshapeAliasBackward0",
    "UnsafeViewBackward0",
    "ToCopyBackward0",
    "CloneBackward0",
    "SqueezeBackward0",
    "SqueezeBackward1",
    "UnsqueezeBackward0",
    "TransposeBackward0",
    "PermuteBackward0",
)


def activation_before_loss(snapshot: Snapshot) -> Iterator[Finding]:
    """Looked for in the newest backwards of different shapes; once a mistake."""
    newest = {snapshot.backwards[mark.a].graph: mark for mark in marks(snapshot, MarkKind.BACKWARD) if mark.a in snapshot.backwards}
    told: set[str] = set()
    for shape, mark in sorted(newest.items(), key=lambda item: -item[1].a)[:MAX_SHAPES]:
        known = snapshot.graphs.get(shape)
        for mistake in MISTAKES if known is not None else ():
            pair = _pair(known, mistake) if known is not None and mistake.rule not in told else None
            if pair is not None:
                told.add(mistake.rule)
                graph = backward_graph(snapshot, mark.a - 1)
                nodes = {node.id: node for node in graph.nodes}
                yield _finding(snapshot, graph, mistake, nodes[pair[0]], nodes[pair[1]])


def _finding(snapshot: Snapshot, graph: BackwardGraph, mistake: Mistake, outer: GraphNode, inner: GraphNode) -> Finding:
    """The culprit is the line that made the activation's module, where it is one, else the line that computes it."""
    made = next((line_at(one.get("made")) for one in snapshot.modules.values() if inner.module and one.get("fqn") == inner.module), None)
    is_module = made is not None and inner.module_class.endswith(inner.name.removesuffix("Backward0"))
    return Finding(
        rule=mistake.rule,
        severity="warning",
        message=tr(mistake.sentence).format(inner=where(inner), outer=where(outer)),
        source=made if is_module else inner.source,
        related=(Related(outer.source, tr(mistake.role)),) if outer.source is not None else (),
        iteration=graph.iteration,
        evidence={"inner": inner.name, "inner_module": inner.module, "outer": outer.name},
        certainty=0.9,
        backward=graph.backward,
        node=inner.id,
        time_ns=graph.begin_ns,
    )


def _pair(shape: GraphShape, mistake: Mistake) -> tuple[int, int] | None:
    """(node of the loss, activation that feeds it) with nothing between that changes numbers."""
    names = [node_name(name) for name in shape.names]
    if mistake.activation not in names:
        return None
    below = {int(edge[0]): int(edge[2]) for edge in reversed(shape.edges.tolist())}  # the first input of each
    for outer in (place for place, name in enumerate(names) if name in mistake.loss):
        at, steps = below.get(outer), 0
        while at is not None and steps < len(names):
            if names[at] == mistake.activation:
                return outer, at
            at, steps = below.get(at) if names[at] in SAME_NUMBERS else None, steps + 1
    return None
