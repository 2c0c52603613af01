"""A tensor that a node had saved was written in place before its backward: who saved it, who wrote, or why the graph reaches back over the write."""

import re
from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import iteration_of, raised
from tensorscope.analysis.findings.raising_node import RaisingNode, made_after, raising_node, where
from tensorscope.analysis.results import Finding, Related, SavedTensor
from tensorscope.analysis.writers import Writer, find_writers
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot

SAYS: Final = "modified by an inplace operation"
SHAPE: Final = re.compile(r"\[[\w.]+ \[([\d, ]*)\]\]")
VERSIONS: Final = re.compile(r"is at version (\d+); expected version (\d+)")


def overwritten_saved_tensor(snapshot: Snapshot) -> Iterator[Finding]:
    """torch's message names the tensor's newest maker and its shape; the recording knows the node that saved it and the operator that wrote it."""
    error, raising = raised(snapshot), raising_node(snapshot)
    if error is None or raising is None or SAYS not in error.message:
        return
    saved = _overwritten(raising, error.message)
    if saved is None:
        return
    ((_, writer),) = find_writers(snapshot, [saved.data], [-1], raising.mark.begin_ns)
    found = VERSIONS.search(error.message)
    evidence: dict[str, object] = {"saved": saved.name, "shape": list(saved.shape), "node": raising.node.name, "writer": writer.name}
    if found is not None:
        evidence |= {"version": int(found[1]), "expected_version": int(found[2])}
    name = _name_of(snapshot, saved)
    if made_after(snapshot, raising.graph, writer.begin_ns) and name:
        yield _reaches_back(snapshot, raising, name, writer, evidence)
        return
    yield Finding(
        rule="overwritten-saved-tensor",
        severity="error",
        message=tr("{writer} overwrites {what}, which {node} saved for this backward ('{saved}', {shape}). {cure}").format(
            writer=writer.name or tr("Something"),
            what=name or tr("a tensor"),
            node=where(raising.node),
            saved=saved.name,
            shape=list(saved.shape),
            cure=tr("Step after both backwards, or run forward again with the new weights.")
            if name
            else tr("Write to a copy (.clone()), or do not write in place."),
        ),
        source=writer.source or error.source,
        related=tuple(
            Related(line, role) for line, role in ((raising.node.source, tr("saved here")), (error.source, tr("needed by this backward"))) if line is not None
        ),
        iteration=iteration_of(snapshot, raising.mark.begin_ns),
        evidence=evidence,
        backward=raising.graph.backward,
        node=raising.node.id,
        time_ns=writer.begin_ns if writer.begin_ns >= 0 else raising.mark.begin_ns,
    )


def _reaches_back(snapshot: Snapshot, raising: RaisingNode, name: str, writer: Writer, evidence: dict[str, object]) -> Finding:
    lines = ((raising.node.source, tr("made before the step that changed {name}").format(name=name)), (writer.source, tr("changes {name}").format(name=name)))
    return Finding(
        rule="graph-reaches-back",
        severity="error",
        message=tr(
            "This backward runs through the graph of an earlier iteration ({node}), whose weights a step has changed since. Detach what is carried over."
        ).format(node=where(raising.node)),
        source=raising.line,
        related=tuple(Related(line, role) for line, role in lines if line is not None),
        iteration=iteration_of(snapshot, raising.mark.begin_ns),
        evidence=evidence,
        backward=raising.graph.backward,
        node=raising.node.id,
        time_ns=raising.mark.begin_ns,
    )


def _overwritten(raising: RaisingNode, message: str) -> SavedTensor | None:
    """The saved tensor that the message is about: of its shape, and written since it was made."""
    found = SHAPE.search(message)
    shape = tuple(int(size) for size in found[1].split(",") if size.strip()) if found is not None else None
    candidates = [one for one in raising.node.saved if one.data]
    fitting = [one for one in candidates if one.shape == shape] or candidates
    return max(fitting, key=lambda one: one.version, default=None)


def _name_of(snapshot: Snapshot, saved: SavedTensor) -> str:
    """The parameter on whose memory the saved tensor lies, "" for none."""
    held = (str(one.get("fqn", "")) for one in snapshot.parameters.values() if int(one.get("data") or 0) == saved.data and not one.get("is_buffer"))
    return next(held, "")
