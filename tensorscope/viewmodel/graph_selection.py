"""What a selection made anywhere means in the graph: which boxes stand out, and which node is to be brought into view."""

from collections.abc import Iterator

from tensorscope.viewmodel.graph import GraphView, place_of
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.linked import NOTHING, Linked
from tensorscope.viewmodel.workspace import (
    BlockSelection,
    ModuleSelection,
    NodeSelection,
    OperatorSelection,
    ParameterSelection,
    Selection,
    SourceSelection,
    StorageSelection,
)


def selected_place(view: GraphView, selection: Selection | None) -> int:
    """Place of the selected node, of the selected parameter's accumulator or of the node that the selected operator made; -1: none of this graph."""
    match selection:
        case NodeSelection(backward, node) if backward == view.graph.backward:
            return place_of(view.graph, node)
        case ParameterSelection(parameter):
            return next((place for place, node in enumerate(view.graph.nodes) if node.parameter == parameter), -1)
        case OperatorSelection(operator):
            return next((place for place, node in enumerate(view.graph.nodes) if node.operator == operator), -1)
        case _:
            return -1


def selected_keys(view: GraphView, selection: Selection | None, links: Linked = NOTHING) -> frozenset[BoxKey]:
    """Boxes that stand for what is selected; of a source line or a storage all nodes that belong to it, as far as they are drawn themselves."""
    if isinstance(selection, ModuleSelection):
        return frozenset(box.key for box in view.scene.boxes if any(group.key.module == selection.module for group in box.groups))
    if isinstance(selection, SourceSelection | StorageSelection | BlockSelection):
        boxes = (view.scene.box_of(place) for place in linked_places(view, selection, links))
        return frozenset(box.key for box in boxes if box.kind is BoxKind.NODE)
    place = selected_place(view, selection)
    return frozenset({view.scene.box_of(place).key}) if place >= 0 else frozenset()


def folded_place(view: GraphView, selection: Selection | None) -> int:
    """Place of a selected node that stands on a line or behind a badge; -1 if it has a box, or a closed group around it."""
    place = selected_place(view, selection)
    is_visible = place in view.tree.folded.carrier and view.scene.box_of(place).kind is BoxKind.NODE
    return place if is_visible else -1


def to_reveal(view: GraphView, selection: Selection | None, links: Linked = NOTHING) -> NodeSelection | None:
    """The node to open the way to: of a source line or a storage the first to run, unless one is drawn already."""
    if isinstance(selection, NodeSelection):
        return selection
    if isinstance(selection, SourceSelection | StorageSelection | BlockSelection):
        places = linked_places(view, selection, links)
        drawn = tuple(place for place in places if view.scene.box_of(place).kind is BoxKind.NODE)
        place = next(iter(drawn or places), -1)
    else:
        place = selected_place(view, selection)
    return NodeSelection(view.graph.backward, view.graph.nodes[place].id) if place >= 0 else None


def linked_places(view: GraphView, selection: Selection | None, links: Linked) -> tuple[int, ...]:
    """Places of the nodes that a source line made, or that saved a storage or stand for it, in the order in which they run."""
    nodes = links.nodes_of(view.graph.backward)
    if isinstance(selection, SourceSelection):
        own = tuple(places_of_line(view, selection))
        return own or tuple(place for place, node in enumerate(view.graph.nodes) if node.id in nodes)
    if isinstance(selection, StorageSelection | BlockSelection):
        return tuple(place for place, node in enumerate(view.graph.nodes) if node.id in nodes)
    return ()


def places_of_line(view: GraphView, line: SourceSelection) -> Iterator[int]:
    return (place for place, node in enumerate(view.graph.nodes) if node.source is not None and (node.source.file, node.source.line) == (line.file, line.line))
