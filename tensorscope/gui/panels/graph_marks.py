"""What the graph says of things looked for that lie in closed groups: how many in each, and how many nodes a source line made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_selection import places_of_line
from tensorscope.viewmodel.graph_side import line_words
from tensorscope.viewmodel.workspace import Selection, SourceSelection


def marked_inside(view: GraphView, places: Iterable[int]) -> Mapping[BoxKey, int]:
    """By closed box, how many of these nodes it holds."""
    counts: dict[BoxKey, int] = {}
    for place in places:
        box = view.scene.box_of(place)
        if box.kind is not BoxKind.NODE:
            counts[box.key] = counts.get(box.key, 0) + 1
    return counts


def shown_line(view: GraphView, selection: Selection | None) -> tuple[tuple[int, ...], str]:
    """The nodes that the selected source line made, and a sentence on them; nothing where no line is selected or it made none."""
    if not isinstance(selection, SourceSelection):
        return (), ""
    places = tuple(places_of_line(view, selection))
    source = view.graph.nodes[places[0]].source if places else None
    return (places, line_words(view, source, places)) if source is not None else ((), "")
