"""The graph's choices as JSON and back: directions, switches and colours for all runs; which modules stand open or are pinned with a run."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from tensorscope.viewmodel.graph_choices import GraphChoices
from tensorscope.viewmodel.graph_find import ALL_KINDS, Kind
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_options import Flow, GraphOptions, Reading
from tensorscope.viewmodel.graph_tree import GroupKey
from tensorscope.viewmodel.kept import Kept

MOST_GROUPS: Final = 400  # of one kind; opening everything of a deep model is not worth keeping
_SETS: Final = ("opened", "closed", "unrolled", "pinned", "around_pinned")  # what is revealed goes with what is held
_SWITCHES: Final = tuple(one.name for one in fields(GraphOptions) if one.name not in ("flow", "reading"))


def recall(kept: Kept, choices: GraphChoices) -> frozenset[Kind]:
    """Begin with what was chosen last. Returns the kinds that a search finds."""
    choices.options = options_from_json(kept.value("graph.options"))
    choices.measure = measure_from_json(kept.value("graph.colour"))
    choices.state = state_from_json(kept.value_of_run("graph.open"))
    return kinds_from_json(kept.value("graph.kinds"))


def remember(kept: Kept, choices: GraphChoices, kinds: frozenset[Kind]) -> None:
    kept.keep("graph.options", options_as_json(choices.options))
    kept.keep("graph.colour", choices.measure.name)
    kept.keep("graph.kinds", sorted(kind.name for kind in kinds))
    kept.keep_of_run("graph.open", state_as_json(choices.state))


def options_as_json(options: GraphOptions) -> dict[str, Any]:
    return {"flow": options.flow.name, "reading": options.reading.name, **{name: getattr(options, name) for name in _SWITCHES}}


def options_from_json(value: Any) -> GraphOptions:
    """What is missing or cannot be read is as it is at first."""
    known = value if isinstance(value, dict) else {}
    switches = {name: known[name] for name in _SWITCHES if isinstance(known.get(name), bool)}
    first = GraphOptions()
    flow, reading = Flow.__members__.get(str(known.get("flow")), first.flow), Reading.__members__.get(str(known.get("reading")), first.reading)
    return GraphOptions(flow, reading, **switches)


def measure_from_json(value: Any) -> Measure:
    """What a change is measured against is not kept, so it is the progress again."""
    measure = Measure.__members__.get(str(value), Measure.PROGRESS)
    return Measure.PROGRESS if measure is Measure.CHANGE else measure


def kinds_from_json(value: Any) -> frozenset[Kind]:
    return frozenset(Kind[name] for name in value if name in Kind.__members__) if isinstance(value, list) else ALL_KINDS


def state_as_json(state: OpenState) -> dict[str, list[list[Any]]]:
    return {name: sorted([key.module, key.nth] for key in getattr(state, name)) for name in _SETS if 0 < len(getattr(state, name)) <= MOST_GROUPS}


def state_from_json(value: Any) -> OpenState:
    known = value if isinstance(value, dict) else {}
    return OpenState(**{name: _keys(known.get(name)) for name in _SETS})


def _keys(value: Any) -> frozenset[GroupKey]:
    pairs = [one for one in value if isinstance(one, list) and len(one) == 2] if isinstance(value, list) else []
    return frozenset(GroupKey(str(module), int(nth)) for module, nth in pairs if isinstance(nth, int))
