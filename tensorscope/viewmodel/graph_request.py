"""From a snapshot and the workspace to the graph view: which backward, which moment, what is opened. Runs on a worker."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from tensorscope.analysis.gradients import parameter_name
from tensorscope.analysis.graph import backwards, last_backward
from tensorscope.analysis.results import BackwardSummary
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph import GraphDocument, GraphView, Moment
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.graph_change import change_heat, change_view, choose_other
from tensorscope.viewmodel.graph_fold import Shape
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_numbers import known_gradients
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_path import Ends, path_view
from tensorscope.viewmodel.workspace import NodeSelection


@dataclass(frozen=True, slots=True)
class GraphWish:
    """All that decides what is shown."""

    metrics: Metrics
    state: OpenState = field(default_factory=OpenState)
    cursor_ns: int | None = None
    held: tuple[int, int] | None = None  # backward and node id before which the script stands
    pinned: int | None = None  # backward that the user chose
    reveal: NodeSelection | None = None  # to be made visible
    measure: Measure = Measure.PROGRESS
    ends: Ends | None = None  # of a path
    other: int | None = None  # backward to compare with, where the measure is the change; None: the nearest of equal shape


def compute_graph(snapshot: Snapshot, wish: GraphWish, document: GraphDocument, check: Callable[[], None] = lambda: None) -> GraphView | None:
    """None while there is no backward on record. Raises LevelTooLarge, and what ``check`` raises."""
    summaries = [summary for summary in backwards(snapshot) if summary.node_count]
    chosen = choose_backward(summaries, wish, last_backward(snapshot))
    graph = GRAPHS.get(snapshot, chosen) if chosen is not None else None
    if graph is None or not graph.nodes:
        return None
    held = wish.held[1] if wish.held is not None and wish.held[0] == graph.backward else -1
    reveal = wish.reveal.node if wish.reveal is not None and wish.reveal.backward == graph.backward else -1
    moment = Moment(wish.cursor_ns, held)
    numbers = tuple(summary.backward for summary in summaries)
    gradients = known_gradients(snapshot, graph.backward)
    shapes = parameter_shapes(snapshot)
    view = document.view(graph, wish.state, wish.metrics, moment, shapes, numbers, reveal, check, gradients, wish.measure)
    path = path_view(graph, view.tree, wish.ends) if wish.ends is not None else None
    view = replace(view, aliases=parameter_aliases(snapshot), path=path, summaries=tuple(summaries))
    return _compared(snapshot, view, wish.other) if wish.measure is Measure.CHANGE else view


def _compared(snapshot: Snapshot, view: GraphView, picked: int | None) -> GraphView:
    """The same view, coloured by what changed; as it is where there is nothing to compare with."""
    chosen = choose_other(view.summaries, view.graph.backward, picked)
    other = GRAPHS.get(snapshot, chosen) if chosen is not None else None
    if other is None:
        return replace(view, notice=view.notice or tr("There is no other backward to compare with yet."))
    change = change_view(view.graph, other)
    return replace(view, change=change, heat=change_heat(change, view.graph, other, view.scene))


def choose_backward(summaries: list[BackwardSummary], wish: GraphWish, last: int | None) -> int | None:
    """What the user chose, else the one to reveal, else the one at or before the cursor, else the one held in, else the newest that is kept."""
    known = {summary.backward for summary in summaries}
    wanted = (wish.pinned, wish.reveal.backward if wish.reveal is not None else None)
    for backward in wanted:
        if backward is not None and backward in known:
            return backward
    if wish.cursor_ns is not None:
        begun = [summary for summary in summaries if summary.begin_ns <= wish.cursor_ns]
        within = [summary for summary in begun if summary.end_ns is None or wish.cursor_ns <= summary.end_ns]
        if begun:
            return (within or begun)[-1].backward
        return summaries[0].backward if summaries else None
    if wish.held is not None and wish.held[0] in known:
        return wish.held[0]
    return last


def parameter_shapes(snapshot: Snapshot) -> Mapping[str, Shape]:
    return {parameter_name(snapshot, identity): tuple(known["shape"]) for identity, known in snapshot.parameters.items() if known.get("shape") is not None}


def parameter_aliases(snapshot: Snapshot) -> Mapping[str, tuple[str, ...]]:
    """The further names of parameters that modules share."""
    return {parameter_name(snapshot, identity): tuple(known["aliases"]) for identity, known in snapshot.parameters.items() if known.get("aliases")}
