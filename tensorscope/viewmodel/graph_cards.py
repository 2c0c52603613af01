"""The words of the graph's hover cards."""

from dataclasses import dataclass
from typing import Final

from tensorscope.analysis.results import GraphNode, Source
from tensorscope.language import tr
from tensorscope.units import UNKNOWN, format_bytes, format_count, format_duration, format_norm, format_place, format_shape, plural
from tensorscope.viewmodel.graph import GraphView, place_of
from tensorscope.viewmodel.graph_attributes import attribute_words
from tensorscope.viewmodel.graph_fold import Badge, split_name
from tensorscope.viewmodel.graph_numbers import GradientNumbers, joined_norm
from tensorscope.viewmodel.graph_scene import Box, BoxKind

SAVED_SHOWN: Final = 2  # a card has at most 8 lines


@dataclass(frozen=True, slots=True)
class CardText:
    title: str
    note: str = ""
    source: Source | None = None
    facts: tuple[tuple[str, str], ...] = ()
    footer: str = ""


def box_card(view: GraphView, box: Box) -> CardText:
    return _node_card(view, box.key.node) if box.kind is BoxKind.NODE else _group_card(view, box)


def badge_card(view: GraphView, badge: Badge) -> CardText:
    node = view.graph.nodes[badge.accumulator]
    facts = [(tr("shape"), format_shape(badge.shape))]
    aliases = view.aliases.get(badge.parameter, ())
    if aliases:
        facts.append((tr("tied"), " = ".join((*aliases, badge.parameter))))
    if badge.views:
        facts.append((tr("through"), ", ".join(view.graph.nodes[place].name for place in badge.views)))
    is_written = view.progress.is_done(badge.accumulator)
    known = view.gradients.parameters.get(badge.parameter)
    if known is not None:
        facts.append((tr("norm of .grad"), _norm_words(known)))
    if is_written:
        facts.append((tr("accumulated in"), format_duration(node.backward_ns)))
    return CardText(
        badge.parameter or tr("leaf tensor"),
        tr("parameter") if badge.parameter else "",
        None,
        tuple(facts),
        tr("raised") if view.progress.has_raised(badge.accumulator) else tr("gradient written") if is_written else tr("gradient still to come"),
    )


def link_card(view: GraphView, links: tuple[int, ...]) -> CardText:
    first = view.tree.folded.links[links[0]]
    nodes = view.graph.nodes
    facts = [(tr("from"), nodes[first.source].name), (tr("to"), nodes[first.target].name)]
    if first.views:
        facts.append((tr("through"), ", ".join(nodes[place].name for place in first.views)))
    more = tr("and {links} more").format(links=format_count(len(links) - 1)) if len(links) > 1 else ""
    return CardText(tr("Gradient {shape}").format(shape=format_shape(first.shape)) if first.shape is not None else tr("Gradient"), "", None, tuple(facts), more)


def _node_card(view: GraphView, place: int) -> CardText:
    node, progress = view.graph.nodes[place], view.progress
    facts: list[tuple[str, str]] = []
    if node.module:
        facts.append((tr("module"), f"{node.module}  {node.module_class}"))
    taken, given = view.gradients.taken.get(node.id, ()), view.gradients.given.get(node.id, ())
    facts.append((tr("gradient in"), "  ".join(word for word in (format_shape(node.output_shape), _norm_words(taken[0]) if taken else "") if word)))
    facts += [
        (tr("to {receiver}").format(receiver=_receiver(view, node, one)), f"{format_shape(one.shape)}  {_norm_words(one)}") for one in given[:SAVED_SHOWN]
    ]
    facts += [
        (tr("saved {name}").format(name=saved.name), f"{format_shape(saved.shape, saved.dtype)}  {format_bytes(saved.nbytes)}")
        for saved in node.saved[: SAVED_SHOWN - len(given[:SAVED_SHOWN])]
    ]
    if words := attribute_words(node):
        facts.append((tr("attributes"), words))
    ran = (
        tr("raised after {backward_ns}").format(backward_ns=format_duration(node.backward_ns))
        if progress.has_raised(place)
        else format_duration(node.backward_ns)
    )
    facts.append((tr("backward"), tr("{ran}  (forward {forward_ns})").format(ran=ran, forward_ns=format_duration(node.forward_ns))))
    return CardText(node.name, format_count(node.id), node.source, tuple(facts), _saved_words(node, progress.is_done(place)))


def _saved_words(node: GraphNode, is_done: bool) -> str:
    if node.saved_bytes is None:
        return tr("saved bytes unknown for this backward")
    if not node.saved_bytes:
        return ""
    more = tr(" in {saved} tensors").format(saved=len(node.saved)) if len(node.saved) > SAVED_SHOWN else ""
    return f"{format_bytes(node.saved_bytes)} {'freed' if is_done else 'saved'}{more}"


def _group_card(view: GraphView, box: Box) -> CardText:
    figures, group = view.figures[box.key], box.groups[0]
    title = group.key.module or group.class_name
    if len(box.groups) > 1:
        title = f"{box.groups[-1].key.module} … {title}"
    facts = [
        (tr("nodes"), tr("{done} of {nodes} done").format(done=format_count(figures.done), nodes=format_count(figures.nodes))),
        (tr("backward"), format_duration(figures.backward_ns)),
        (tr("saved"), UNKNOWN if figures.kept_bytes is None else format_bytes(figures.kept_bytes)),
    ]
    if figures.freed_bytes:
        facts.append((tr("freed"), format_bytes(figures.freed_bytes)))
    names = dict.fromkeys(view.graph.nodes[member].parameter for each in box.groups for member in each.members)
    if figures.raised:
        facts.append((tr("raised"), plural(figures.raised, "node")))
    norm = joined_norm(view.gradients.parameters[name] for name in names if name in view.gradients.parameters)
    if norm is not None:
        facts.append((tr("norm of .grads"), format_norm(norm)))
    note = f"{len(box.groups)} × {group.class_name}" if len(box.groups) > 1 else group.class_name
    return CardText(title, note, None, tuple(facts), tr("double click closes it") if box.kind is BoxKind.OPEN else tr("double click opens it"))


def _norm_words(numbers: GradientNumbers) -> str:
    bad = tr("  {nonfinite} not finite").format(nonfinite=plural(numbers.nonfinite, "element")) if numbers.nonfinite else ""
    return format_norm(numbers.norm) + bad


def _receiver(view: GraphView, node: GraphNode, given: GradientNumbers) -> str:
    """Whom a gradient went to: the last part of a parameter's name, another node's without Backward; its own name where the edge is not known."""
    number = given.name.rpartition(" ")[2]
    target = next((edge.target for edge in view.graph.edges if edge.source == node.id and str(edge.output_nr) == number), None)
    if target is None:
        return given.name
    receiver = view.graph.nodes[place_of(view.graph, target)]
    return receiver.parameter.rpartition(".")[2] or split_name(receiver.name)[0]


def place_words(source: Source) -> str:
    return format_place(source.file, source.line)
