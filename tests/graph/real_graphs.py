"""Backward graphs of real models: walked over ``next_functions`` with torch 2.13 and kept as JSON, or written down in a test."""

import heapq
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tensorscope.analysis.results import BackwardGraph, GraphEdge, GraphNode, ModuleCallNode, SavedTensor, Source

DATA = Path(__file__).parent.parent / "data"
GPT, RESNET = "graph_gpt_2_blocks", "graph_resnet_2_stages"
NODE_NS, PAUSE_NS = 1_000, 100


def load(name: str, ran: int | None = None) -> BackwardGraph:
    """The graph of a file, of which the first ``ran`` nodes (all: None) have run, each 1 µs after 0.1 µs."""
    return with_times(graph_of(json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))), ran)


def graph_of(raw: dict[str, Any]) -> BackwardGraph:
    """``nodes``: [name, sequence number, call, parameter, shape, saved tensors]; ``edges``: [from, to, output_nr, input_nr];
    ``calls``: [call, parent, module, class]."""
    calls = {call[0]: call for call in raw["calls"]}
    nodes = []
    for place, (name, sequence_nr, call, parameter, shape, saved) in enumerate(raw["nodes"]):
        tensors = tuple(SavedTensor(label, tuple(sizes), dtype, nbytes, 0, 0, 0, False) for label, sizes, dtype, nbytes in saved)
        nodes.append(
            GraphNode(
                id=place,
                name=name,
                thread=1,
                sequence_nr=sequence_nr,
                module=calls[call][2] if call else "",
                module_class=calls[call][3] if call else "",
                call=call,
                source=Source("/train/model.py", 10 + place),
                stack=0,
                operator=0,
                saved=tensors,
                saved_bytes=sum(tensor.nbytes for tensor in tensors),
                forward_ns=500,
                backward_ns=None,
                begin_ns=None,
                end_ns=None,
                parameter=parameter,
                output_shape=tuple(shape) if shape is not None else None,
            )
        )
    edges = tuple(GraphEdge(source, target, output_nr, input_nr) for source, target, output_nr, input_nr in raw["edges"])
    roots = tuple(sorted(set(range(len(nodes))) - {edge.target for edge in edges}))
    return BackwardGraph(0, 0, 0, None, tuple(nodes), edges, roots, tuple(ModuleCallNode(*call) for call in raw["calls"]))


def chain(*names: str, calls: Sequence[tuple[int, int, str, str]] = (), of_call: Sequence[int] = ()) -> BackwardGraph:
    """Nodes that follow one another; ``of_call``: the call of each."""
    inside = list(of_call) or [0] * len(names)
    nodes = [[name, len(names) - place, inside[place], "", [4], []] for place, name in enumerate(names)]
    edges = [[place, place + 1, 0, 0] for place in range(len(names) - 1)]
    return graph_of({"nodes": nodes, "edges": edges, "calls": [list(call) for call in calls]})


def execution_order(graph: BackwardGraph) -> list[int]:
    """Autograd's order: of the nodes whose gradients are complete, an accumulator first, then the highest sequence number."""
    missing = [0] * len(graph.nodes)
    leaving: dict[int, list[int]] = {}
    for edge in graph.edges:
        missing[edge.target] += 1
        leaving.setdefault(edge.source, []).append(edge.target)

    def rank(place: int) -> int:
        number = graph.nodes[place].sequence_nr
        return -number if number >= 0 else -(1 << 60)

    ready = [(rank(place), place) for place, count in enumerate(missing) if count == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        _, place = heapq.heappop(ready)
        order.append(place)
        for target in leaving.get(place, ()):
            missing[target] -= 1
            if missing[target] == 0:
                heapq.heappush(ready, (rank(target), target))
    return order


def with_times(graph: BackwardGraph, ran: int | None = None) -> BackwardGraph:
    nodes = list(graph.nodes)
    order = execution_order(graph)
    for position, place in enumerate(order[:ran]):
        begin = position * (NODE_NS + PAUSE_NS)
        nodes[place] = replace(nodes[place], begin_ns=begin, end_ns=begin + NODE_NS, backward_ns=NODE_NS)
    end = len(order) * (NODE_NS + PAUSE_NS) if ran is None else None
    return replace(graph, nodes=tuple(nodes), end_ns=end)
