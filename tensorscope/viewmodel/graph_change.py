"""A graph against that of another backward: what is new, gone or of another shape, and where the time went."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tensorscope.analysis.graph_compare import GraphChange, compare_graphs
from tensorscope.analysis.results import BackwardGraph, BackwardSummary
from tensorscope.language import tr, tr_later
from tensorscope.units import format_byte_change, format_ratio, plural
from tensorscope.viewmodel.graph_heat import Heat, Measure
from tensorscope.viewmodel.graph_scene import Box, BoxKey, BoxKind, Scene

MOST_RATIO: Final = 4.0  # the ramp runs from a quarter of the time to four times it


class Tone(Enum):
    """How a node differs."""

    NEW = tr_later("new")
    GONE = tr_later("gone")
    RESHAPED = tr_later("other shape")
    REWIRED = tr_later("other edges")


@dataclass(frozen=True, slots=True)
class ChangeView:
    change: GraphChange
    words: str
    tones: Mapping[int, Tone]  # by place in this graph
    gone: tuple[str, ...]  # what is not here: name and module
    ratios: Mapping[int, float]  # time over the other's, by place, where both ran


def choose_other(summaries: Sequence[BackwardSummary], shown: int, picked: int | None) -> int | None:
    """The backward that the user picked, else the nearest earlier one of equal shape, else the nearest earlier one, else the next."""
    others = [summary for summary in summaries if summary.backward != shown]
    if picked is not None and any(summary.backward == picked for summary in others):
        return picked
    own = next((summary for summary in summaries if summary.backward == shown), None)
    earlier = [summary for summary in others if summary.backward < shown]
    same = [summary for summary in earlier if own is not None and summary.graph == own.graph]
    nearest = (same or earlier)[-1:] or others[:1]
    return nearest[0].backward if nearest else None


def change_view(graph: BackwardGraph, other: BackwardGraph) -> ChangeView:
    change = compare_graphs(graph, other)
    place = {node.id: index for index, node in enumerate(graph.nodes)}
    known = {node.id: node for node in other.nodes}
    tones = dict.fromkeys((place[node] for node in change.rewired), Tone.REWIRED)
    tones |= dict.fromkeys((place[node] for node in change.reshaped), Tone.RESHAPED)
    tones |= dict.fromkeys((place[node] for node in change.added), Tone.NEW)
    ratios = {}
    for node, same in change.partner.items():
        now, before = graph.nodes[place[node]].backward_ns, known[same].backward_ns
        if now is not None and before:
            ratios[place[node]] = now / before
    gone = tuple(f"{known[node].parameter or known[node].name}  {known[node].module}".rstrip() for node in change.removed)
    return ChangeView(change, _words(graph, other, change), tones, gone, ratios)


def change_heat(view: ChangeView, graph: BackwardGraph, other: BackwardGraph, scene: Scene) -> Heat:
    """The time of each box over its time in the other backward."""
    known = {node.id: node for node in other.nodes}
    before = [known[partner].backward_ns if (partner := view.change.partner.get(node.id)) is not None else None for node in graph.nodes]
    now = [node.backward_ns for node in graph.nodes]
    values: dict[BoxKey, float | None] = {}
    for box in scene.boxes:
        if box.kind is not BoxKind.OPEN:
            members = [place for place in _members(box) if place in view.ratios]
            values[box.key] = _sum(now, members) / _sum(before, members) if members and _sum(before, members) else None
    return Heat(Measure.CHANGE, values, 1 / MOST_RATIO, MOST_RATIO)


def tones_of(view: ChangeView, box: Box) -> list[Tone]:
    """What differs in a box, each once."""
    return list(dict.fromkeys(view.tones[place] for place in _members(box) if place in view.tones))


def _members(box: Box) -> Iterable[int]:
    return (box.key.node, *(badge.accumulator for badge in box.badges)) if box.kind is BoxKind.NODE else (one for group in box.groups for one in group.members)


def _sum(times: Sequence[int | None], places: Iterable[int]) -> float:
    return math.fsum(times[place] or 0 for place in places)


def _words(graph: BackwardGraph, other: BackwardGraph, change: GraphChange) -> str:
    counts = (
        (len(change.added), tr("new")),
        (len(change.removed), tr("gone")),
        (len(change.reshaped), tr("of another shape")),
        (len(change.rewired), tr("with other edges")),
    )
    parts = [f"{plural(count, 'node')} {word}" for count, word in counts if count] or [tr("equal graphs")]
    times = [_sum([node.backward_ns for node in each.nodes], range(len(each.nodes))) for each in (graph, other)]
    if all(times):
        parts.append(tr("{ratio} the time").format(ratio=format_ratio(times[0] / times[1])))
    if all(node.saved_bytes is not None for each in (graph, other) for node in each.nodes):
        saved = [sum(node.saved_bytes or 0 for node in each.nodes) for each in (graph, other)]
        parts.append(tr("saved bytes equal") if saved[0] == saved[1] else tr("{bytes} saved").format(bytes=format_byte_change(saved[0] - saved[1])))
    against = tr("Against backward {other} of iteration {iteration}").format(other=other.backward, iteration=other.iteration)
    return f"{against}: {', '.join(parts)}"
