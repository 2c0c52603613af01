"""Backward graphs of models of any depth, walked over ``next_functions`` as the probe walks them."""

from typing import Any

import torch
from torch import nn

from tensorscope.analysis.results import BackwardGraph, GraphEdge, GraphNode, ModuleCallNode


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, 2, width // 2).transpose(1, 2) for part in self.qkv(self.ln1(x)).split(width, dim=2))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, length, width)
        x = x + self.proj(mixed)
        return x + self.mlp(self.ln2(x))


class Transformer(nn.Module):
    def __init__(self, blocks: int, width: int = 8) -> None:
        super().__init__()
        self.emb, self.h, self.head = nn.Embedding(16, width), nn.ModuleList(Block(width) for _ in range(blocks)), nn.Linear(width, 16)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.emb(tokens)
        for block in self.h:
            x = block(x)
        return torch.as_tensor(self.head(x))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.head = nn.LSTM(4, 8), nn.Linear(8, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.as_tensor(self.head(self.lstm(x)[0][-1]))


def transformer_graph(blocks: int) -> BackwardGraph:
    return _graph(Transformer(blocks), torch.randint(0, 16, (1, 4)))


def lstm_graph(steps: int) -> BackwardGraph:
    torch.backends.mkldnn.enabled = False  # one node a step and operator instead of one for all
    return _graph(Recurrent(), torch.randn(steps, 1, 4, requires_grad=True))


def _graph(model: nn.Module, batch: torch.Tensor) -> BackwardGraph:
    calls: list[tuple[ModuleCallNode, int, list[int]]] = []  # call, first sequence number, [last + 1]
    stack = [0]

    def enter(module: nn.Module, _: Any, name: str) -> None:
        calls.append((ModuleCallNode(len(calls) + 1, stack[-1], name, type(module).__name__), torch._C._autograd._get_sequence_nr(), []))
        stack.append(len(calls))

    def leave(*_: Any) -> None:
        calls[stack.pop() - 1][2].append(torch._C._autograd._get_sequence_nr())

    for name, module in model.named_modules():
        module.register_forward_pre_hook(lambda module, args, name=name: enter(module, args, name))
        module.register_forward_hook(leave)
    root = model(batch).sum().grad_fn
    names = {parameter: name for name, parameter in model.named_parameters()}
    call_of = {number: call for call, first, last in calls for number in range(first, last[0])}
    places, order, edges = {root: 0}, [root], []
    for place, node in enumerate(order):  # grows while it is walked
        for output_nr, (target, input_nr) in enumerate(node.next_functions):
            if target is not None:
                if target not in places:
                    places[target] = len(order)
                    order.append(target)
                edges.append(GraphEdge(place, places[target], output_nr, input_nr))
    nodes = tuple(_node(place, node, call_of, names) for place, node in enumerate(order))
    return BackwardGraph(0, 0, 0, None, nodes, tuple(edges), (0,), tuple(call for call, _, _ in calls))


def _node(place: int, node: Any, call_of: dict[int, ModuleCallNode], names: dict[Any, str]) -> GraphNode:
    variable = getattr(node, "variable", None)
    call = call_of.get(node._sequence_nr()) if variable is None else None
    shape = tuple(variable.shape) if variable is not None else tuple(node._input_metadata[0].shape)
    return GraphNode(
        id=place,
        name=node.name(),
        thread=1,
        sequence_nr=node._sequence_nr(),
        module=call.module if call else "",
        module_class=call.module_class if call else "",
        call=call.call if call else 0,
        source=None,
        stack=0,
        operator=0,
        saved=(),
        saved_bytes=0,
        forward_ns=None,
        backward_ns=1_000,
        begin_ns=place * 1_000,
        end_ns=place * 1_000 + 900,
        parameter=names.get(variable, "") if variable is not None else "",
        output_shape=shape,
    )
