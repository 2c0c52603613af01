"""torch.compile as people use it: inductor with its C++ kernels, dynamic shapes, whole graphs, compiled optimizers; torch's own log tells every graph."""

import os
import re
from typing import Any

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.abspath("inductor")  # nothing compiled before

import torch
from cases import case, main, train
from torch import nn
from torch.utils.checkpoint import checkpoint

torch._logging.set_logs(recompiles=True, graph_breaks=True)


class Block(nn.Module):
    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x + torch.nn.functional.gelu(self.layer(x)))


def counted() -> Any:
    kinds = ("stats", "graph_break", "recompiles", "inductor", "aot_autograd")
    counters = torch._dynamo.utils.counters
    found = sorted(
        (kind, [(re.sub("0x[0-9a-f]+", "…", key), number) for key, number in sorted(counts.items())]) for kind, counts in counters.items() if kind in kinds
    )
    torch._dynamo.reset()
    counters.clear()
    return found


@case(backwards=3, iterations=3)
def whole_graph_by_inductor() -> Any:
    model = Block()
    compiled = torch.compile(model, fullgraph=True)
    optimizer = torch.optim.AdamW(model.parameters(), 0.1)
    for _ in range(3):
        optimizer.zero_grad()
        compiled(torch.ones(3, 4)).square().sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return model, counted()


@case(backwards=3)
def dynamic_shapes() -> Any:
    @torch.compile(dynamic=True)
    def scaled(x: torch.Tensor) -> torch.Tensor:
        return x.sin() * x.shape[0]

    marked = torch.compile(lambda x: x.exp() + x.size(0), backend="aot_eager")
    x = torch.ones(5, requires_grad=True)
    torch._dynamo.mark_dynamic(x, 0)
    results = [marked(x)]
    results[0].sum().backward()
    for rows in (3, 6):
        y = torch.ones(rows, requires_grad=True)
        results.append(scaled(y))
        results[-1].sum().backward()
    return results, x.grad, counted()


@case(backwards=2)
def compiled_optimizer() -> Any:
    model = nn.Linear(3, 2)
    optimizer = torch.optim.Adam(model.parameters(), torch.tensor(0.1))

    @torch.compile(fullgraph=False)
    def step() -> None:
        optimizer.step()

    for _ in range(2):
        optimizer.zero_grad()
        model(torch.ones(1, 3)).square().sum().backward()
        step()
    return model, counted()


@case(backwards=2, iterations=2)
def module_compiled_in_place_with_autocast() -> Any:
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    model.compile()
    with torch.autocast("cpu", torch.bfloat16):
        train(model, torch.ones(2, 4))
    return model, counted()


@case(backwards=3, iterations=2)
def breaks_recompiles_and_parts_that_stay_eager() -> Any:
    class Parts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second, self.calls = nn.Linear(4, 4), nn.Linear(4, 4), 0

        @torch.compiler.disable
        def eager(self, x: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            return self.second(x)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.eager(self.first(x).relu()).tanh()

    model = Parts()
    compiled = torch.compile(model, backend="aot_eager")
    train(compiled, torch.ones(2, 4), 2, torch.optim.SGD(model.parameters(), 0.1))
    model.eval()
    compiled(torch.ones(2, 4)).sum().backward()
    return model, model.calls, counted()


@case(backwards=2, iterations=2)
def checkpoint_inside_of_a_compiled_function() -> Any:
    model = Block()

    @torch.compile(backend="aot_eager", fullgraph=True)
    def run(x: torch.Tensor) -> torch.Tensor:
        return checkpoint(model, x, use_reentrant=False)

    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(2):
        optimizer.zero_grad()
        run(torch.ones(2, 4)).sum().backward()
        optimizer.step()
    return model, counted()


@torch.library.custom_op("wild::doubled", mutates_args=())
def doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


doubled.register_fake(lambda x: torch.empty_like(x))
doubled.register_autograd(lambda context, gradient: gradient * 2)


@case(backwards=2)
def operators_of_the_user() -> Any:
    x = torch.ones(3, requires_grad=True)
    compiled = torch.compile(lambda t: doubled(t.sin()).sum(), fullgraph=True, backend="aot_eager")
    doubled(x).sum().backward()
    compiled(x).backward()
    return x.grad, counted()


@case()  # compiled code stands in the engine's place
def compiled_autograd_of_a_compiled_step() -> Any:
    model = Block()
    with torch._dynamo.config.patch(compiled_autograd=True):

        @torch.compile(backend="aot_eager")
        def step(x: torch.Tensor) -> torch.Tensor:
            loss = model(x).square().sum()
            loss.backward()
            return loss

        losses = [step(torch.ones(2, 4)) for _ in range(2)]
    return losses, model, counted()


@case(backwards=1)
def transforms_inside_of_a_compiled_function() -> Any:
    x = torch.randn(3, 2, requires_grad=True)

    @torch.compile(backend="aot_eager", fullgraph=True)
    def per_sample(x: torch.Tensor) -> torch.Tensor:
        return torch.func.vmap(torch.func.grad(lambda row: row.sin().sum()))(x)

    per_sample(x).sum().backward()
    return x.grad, counted()


main(counts_tensors=False)  # Dynamo's caches let go of their fake tensors at moments of their own
