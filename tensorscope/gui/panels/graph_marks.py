"""What the graph says of things looked for that lie in closed groups: how many in each, and how many nodes a source line made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tensorscope.analysis.results import Source
from tensorscope.language import tr
from tensorscope.units import plural
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_selection import linked_places
from tensorscope.viewmodel.graph_side import line_words
from tensorscope.viewmodel.linked import Linked
from tensorscope.viewmodel.workspace import Selection, SourceSelection


def marked_inside(view: GraphView, places: Iterable[int]) -> Mapping[BoxKey, int]:
    """By closed box, how many of these nodes it holds."""
    counts: dict[BoxKey, int] = {}
    for place in places:
        box = view.scene.box_of(place)
        if box.kind is not BoxKind.NODE:
            counts[box.key] = counts.get(box.key, 0) + 1
    return counts


def shown_links(view: GraphView, selection: Selection | None, links: Linked) -> tuple[tuple[int, ...], str]:
    """The nodes that belong to the selected source line or storage, and a sentence on them; nothing where there are none."""
    places = linked_places(view, selection, links)
    if not places:
        return (), ""
    if isinstance(selection, SourceSelection):
        return places, line_words(view, Source(selection.file, selection.line), places)
    return places, tr("{nodes} saved this storage, or made its gradient").format(nodes=plural(len(places), "node"))
