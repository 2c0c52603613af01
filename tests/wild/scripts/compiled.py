"""torch.compile of every kind that needs no compiler: the same graphs, as often compiled."""

import warnings
from typing import Any

import torch
from cases import case, main, train
from torch import nn
from torch._dynamo.testing import CompileCounter

warnings.filterwarnings("error", message=".*recompile.*")


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.norm(x)


def fresh() -> None:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()


def graphs() -> Any:
    return sorted((kind, sorted(counts.items())) for kind, counts in torch._dynamo.utils.counters.items() if kind in ("stats", "graph_break", "recompiles"))


@case(backwards=3, iterations=3)
def eager_backend() -> Any:
    fresh()
    model = Net()
    train(torch.compile(model, backend="eager"), torch.randn(3, 4), 3, torch.optim.SGD(model.parameters(), 0.1))
    return model, graphs()


@case(backwards=3, iterations=3)
def aot_eager_backend() -> Any:
    fresh()
    model = Net()
    train(torch.compile(model, backend="aot_eager"), torch.randn(3, 4), 3, torch.optim.SGD(model.parameters(), 0.1))
    return model, graphs()


@case(backwards=4, iterations=4)
def full_graph_compiled_once() -> Any:
    fresh()
    counter, model = CompileCounter(), Net()
    compiled = torch.compile(model, backend=counter, fullgraph=True)
    optimizer = torch.optim.Adam(model.parameters(), 0.1)
    for _ in range(4):
        optimizer.zero_grad()
        compiled(torch.ones(3, 4)).sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    print("frames compiled", counter.frame_count, "operators", counter.op_count)
    return model, graphs()


@case(backwards=3)  # the optimizer's step lies inside of compiled code, where nobody sees it end
def whole_step_is_compiled() -> Any:
    fresh()
    counter, model = CompileCounter(), Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)

    @torch.compile(backend=counter)
    def step(x: torch.Tensor) -> torch.Tensor:
        optimizer.zero_grad()
        loss = model(x).square().sum()
        loss.backward()
        optimizer.step()
        return loss

    losses = [step(torch.ones(3, 4)) for _ in range(3)]
    print("frames compiled", counter.frame_count, "operators", counter.op_count)
    return losses, model, graphs()


@case(backwards=3)
def compiled_again_for_new_shapes() -> Any:
    fresh()
    counter = CompileCounter()
    model = torch.compile(nn.Linear(4, 2), backend=counter)
    for rows in (2, 3, 4):
        model(torch.ones(rows, 4)).sum().backward()
    print("frames compiled", counter.frame_count)
    return model, graphs()


@case(backwards=2)
def graph_breaks_and_hooks() -> Any:
    fresh()
    counter, model, seen = CompileCounter(), Net(), []
    model.layers[0].register_forward_hook(lambda module, inputs, output: seen.append("hook") or output * 2)

    def step(x: torch.Tensor) -> torch.Tensor:
        y = model(x)
        torch._dynamo.graph_break()
        return y.sum() + len(seen)

    compiled = torch.compile(step, backend=counter)
    for _ in range(2):
        compiled(torch.ones(3, 4)).backward()
    print("frames compiled", counter.frame_count, seen)
    return model, graphs()


@case()  # compiled code stands in the engine's place
def compiled_autograd() -> Any:
    fresh()
    model = Net()
    with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
        for _ in range(2):
            model(torch.ones(3, 4)).sum().backward()
    return model


@case()
def exported_program() -> Any:
    fresh()
    program = torch.export.export(Net().eval(), (torch.ones(3, 4),))
    print(program.graph)
    return program.module()(torch.ones(3, 4))


@case(backwards=1)
def traced_by_fx() -> Any:
    traced = torch.fx.symbolic_trace(Net())
    print(traced.code)
    traced(torch.ones(3, 4)).sum().backward()
    return traced


main(counts_tensors=False)  # Dynamo's caches let go of their fake tensors at moments of their own
