"""Operators that hypothesis strings together: what autograd makes of each graph, and the gradients' norms, are printed for the recording to match.

Of every backward one line: ``graph`` and, as JSON, [nodes as [name, sequence number], edges as [from, to, input_nr], norms of the parameters' gradients].
"""

import json
from collections.abc import Callable
from typing import Any

import torch
from cases import case, main
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

NO_SEQUENCE_NUMBER = 2**64 - 1  # what AccumulateGrad says
SIZE = 4
ONE: dict[str, Callable[[Tensor], Tensor]] = {
    "exp": lambda x: (x * 0.1).exp(),
    "relu": torch.relu,
    "relu in place": lambda x: x.clone().relu_(),
    "transposed": lambda x: x.t().contiguous(),
    "part": lambda x: torch.cat([x[1:], x[:1]]),
    "softmax": lambda x: x.softmax(0),
    "cumulated": lambda x: x.cumsum(1) * 0.2,
    "row written": lambda x: x.index_put((torch.tensor([1]),), torch.ones(SIZE)),
    "masked": lambda x: x.masked_fill(torch.eye(SIZE, dtype=torch.bool), 0.5),
    "sorted": lambda x: x.sort(1).values,
    "taken apart": lambda x: sum(x.unbind(0)).expand(SIZE, SIZE),  # type: ignore[return-value]
    "largest": lambda x: x.max(1, keepdim=True)[0] + x,
    "norm": lambda x: nn.functional.layer_norm(x, (SIZE,)),
    "view written": lambda x: written(x),
    "complex": lambda x: torch.fft.fft(x).abs() * 0.1,
    "detached": lambda x: x.detach() + x,
    "double": lambda x: x.double().sin().float(),
}
TWO: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "add": torch.add,
    "product": lambda a, b: a * b.tanh(),
    "matmul": lambda a, b: a @ b * 0.1,
    "where": lambda a, b: torch.where(a > b, a, b),
    "einsum": lambda a, b: torch.einsum("ij,kj->ik", a, b) * 0.1,
    "stack": lambda a, b: torch.stack([a, b]).mean(0),
    "distance": lambda a, b: torch.cdist(a, b + 1),
    "lerp": lambda a, b: torch.lerp(a, b, 0.3),
}
step = st.tuples(st.sampled_from([*ONE, *TWO]), st.integers(0, 9), st.integers(0, 9))


def written(x: Tensor) -> Tensor:
    y = x.clone()
    y[:, 0].mul_(2)
    y[2] = y[1] * x[0]
    return y


def walk(root: Any) -> tuple[list[Any], list[Any]]:
    found, known = [root], {root}
    for node in found:
        for target, _ in node.next_functions:
            if target is not None and target not in known:
                known.add(target)
                found.append(target)
    place = {node: at for at, node in enumerate(found)}
    nodes = [[node.name(), -1 if node._sequence_nr() == NO_SEQUENCE_NUMBER else node._sequence_nr()] for node in found]
    return nodes, [[place[node], place[target], number] for node in found for target, number in node.next_functions if target is not None]


class Network(nn.Module):
    def __init__(self, recipe: list[tuple[str, int, int]]) -> None:
        super().__init__()
        self.weights = nn.ParameterList([torch.randn(SIZE, SIZE) for _ in range(3)])
        self.recipe = recipe

    def forward(self, x: Tensor) -> Tensor:
        values = [x, *self.weights]
        for name, first, second in self.recipe:
            a, b = values[-1 - first % len(values)], values[-1 - second % len(values)]
            values.append(ONE[name](a) if name in ONE else TWO[name](a, b))
        return torch.stack(values[-3:]).square().mean() + sum(weight.mean() for weight in self.weights)


@case(backwards=25, iterations=25)
def operators() -> Any:
    found: list[Any] = []

    @settings(max_examples=25, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(step, min_size=3, max_size=12))
    def check(recipe: list[tuple[str, int, int]]) -> None:
        torch.manual_seed(0)
        network = Network(recipe)
        optimizer = torch.optim.SGD(network.parameters(), 0.1)
        loss = network(torch.randn(SIZE, SIZE))
        nodes, edges = walk(loss.grad_fn)
        loss.backward()
        norms = [repr(weight.grad.double().norm().item()) for weight in network.weights]
        print("graph", json.dumps([nodes, edges, norms]))
        optimizer.step()
        found.append((recipe, network))

    check()
    return found


main()
