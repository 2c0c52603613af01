"""The graph of every backward equals autograd's own: a plain walk over ``next_functions``, and torchviz's picture of it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.truth.harness import Recording

NAMES = (
    "perceptron",
    "convolution",
    "recurrence",
    "attention",
    "tied_weights",
    "written_slice",
    "written_view",
    "custom_function",
    "checkpointed",
    "hand_written",
    "several_outputs",
    "branch_without_gradient",
    "half_precision",
    "perceptron",
    "first_derivative",
    "second_derivative",
    "two_roots",
)


def short(name: str) -> str:
    return name.removeprefix("torch::autograd::")


def as_autograd_has_it(entry: dict[str, Any]) -> tuple[Counter[Any], Counter[Any]]:
    """Nodes and edges of the script's walk, each node told by its name and sequence number, an accumulator by whom it serves."""
    keys = [(short(name), number) for name, number in entry["nodes"]]
    return Counter(keys), Counter((keys[source], keys[target], input_nr) for source, target, input_nr in entry["edges"])


def as_recorded(graph: dict[str, Any]) -> tuple[Counter[Any], Counter[Any]]:
    """The same of a ``query graph``; the GraphRoot that torch puts above several roots is no part of a walk from them."""
    keys = {node["id"]: (short(node["name"]), node["sequence_nr"]) for node in graph["nodes"] if not node["name"].endswith("GraphRoot")}
    edges = Counter((keys[edge["from"]], keys[edge["to"]], edge["input_nr"]) for edge in graph["edges"] if edge["from"] in keys)
    return Counter(keys.values()), edges


@pytest.mark.parametrize(("backward", "name"), list(enumerate(NAMES)), ids=lambda value: str(value))
def test_nodes_and_edges_equal_a_walk_over_next_functions(recorded: Callable[[str], Recording], backward: int, name: str) -> None:
    recording = recorded("graphs.py")
    entry = recording.truth[backward]
    assert entry["case"] == name
    assert as_recorded(recording.query("graph", "--backward", backward)) == as_autograd_has_it(entry)


def test_torchviz_draws_the_same_nodes_and_edges(recorded: Callable[[str], Recording]) -> None:
    recording = recorded("graphs.py")
    for backward, entry in enumerate(recording.truth):
        keys = [(short(name), number) for name, number in entry["nodes"]]
        nodes = Counter(keys[place] for place in entry["dot_nodes"])
        edges = Counter((keys[source], keys[target]) for source, target in entry["dot_edges"])
        recorded_nodes, recorded_edges = as_recorded(recording.query("graph", "--backward", backward))
        assert recorded_nodes == nodes, entry["case"]
        assert Counter((source, target) for source, target, _ in recorded_edges.elements()) == edges, entry["case"]


def test_every_backward_is_counted_once(recorded: Callable[[str], Recording]) -> None:
    recording = recorded("graphs.py")
    assert recording.query("summary")["backwards"] == len(recording.truth) == len(NAMES)
