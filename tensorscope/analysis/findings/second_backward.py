"""A backward runs into nodes that an earlier backward has run and freed."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import iteration_of, raised
from tensorscope.analysis.findings.raising_node import made_after, raising_node, shared_with, where
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot

SAYS: Final = "Trying to backward through the graph a second time"


def second_backward(snapshot: Snapshot) -> Iterator[Finding]:
    """Either two losses share a forward pass, or something made once lies on the path of every iteration."""
    error, raising = raised(snapshot), raising_node(snapshot)
    if error is None or raising is None or SAYS not in error.message:
        return
    earlier = shared_with(snapshot, raising)
    node, shared = raising.node, where(raising.node)
    is_made_once = earlier is not None and made_after(snapshot, raising.graph, earlier.begin_ns)
    if is_made_once:
        message = tr("{node} was made once and lies on the path of every backward; an earlier one has freed it. Make it anew each time, or detach it.").format(
            node=shared
        )
        source, others = node.source, ((earlier.source if earlier else None, tr("this backward freed it")), (error.source, tr("this backward needs it again")))
    else:
        message = tr(
            "This backward freed {node}, through which another loss runs as well. Add the losses up and call backward() once, or keep the graph."
        ).format(node=shared)
        source = earlier.source if earlier is not None else node.source
        others = ((node.source, tr("shared by both losses")), (error.source, tr("needs it again")))
    yield Finding(
        rule="second-backward",
        severity="error",
        message=message,
        source=source or error.source,
        related=tuple(Related(line, role) for line, role in others if line is not None and line != source),
        iteration=iteration_of(snapshot, raising.mark.begin_ns),
        evidence={"node": node.name, "first_backward": earlier.a - 1 if earlier is not None else None, "backward": raising.graph.backward},
        backward=raising.graph.backward,
        node=node.id,
        time_ns=raising.mark.begin_ns,
    )
