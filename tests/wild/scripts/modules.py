"""Modules of every shape, hooks of every kind, and functions of the user's own."""

import copy
import io
import pickle
import tempfile
from typing import Any

import torch
from cases import case, main, train
from torch import nn
from torch.nn.utils import parametrizations, parametrize
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Own(nn.Module):
    """Defined in ``__main__``, as pickling has it."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x).tanh()


@case(backwards=6, iterations=6)
def files_and_copies() -> Any:
    model = train(Own(), torch.ones(2, 3))
    again = train(pickle.loads(pickle.dumps(model)), torch.ones(2, 3))
    twin = train(copy.deepcopy(again), torch.ones(2, 3))
    buffer = io.BytesIO()
    torch.save(twin, buffer)
    size = buffer.tell()
    buffer.seek(0)
    loaded = torch.load(buffer, weights_only=False)
    with tempfile.TemporaryDirectory() as folder:
        torch.save(model.state_dict(), f"{folder}/weights.pt")
        mapped = torch.load(f"{folder}/weights.pt", mmap=True, weights_only=True)
        model.load_state_dict(mapped, assign=True)
        result = model(torch.ones(1, 3))
    return size, again, twin, loaded, result


@case(backwards=6, iterations=6)
def weights_that_are_computed() -> Any:
    models = [
        parametrizations.weight_norm(nn.Linear(3, 3)),
        parametrizations.spectral_norm(nn.Linear(3, 3)),
        parametrizations.orthogonal(nn.Linear(3, 3)),
    ]
    for model in models:
        train(model, torch.ones(2, 3))
    parametrize.remove_parametrizations(models[0], "weight")
    return models


@case(backwards=2, iterations=2)
def lazy_modules() -> Any:
    model = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d(), nn.ReLU())
    model(torch.ones(2, 3))
    return train(model, torch.randn(2, 3))


@case(backwards=2, iterations=2)
def hooks_of_every_kind() -> Any:
    said: list[Any] = []
    model = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3))

    def say(name: str) -> Any:
        return lambda *arguments: said.append((name, len(arguments)))

    handles = [
        nn.modules.module.register_module_forward_pre_hook(say("global pre")),
        nn.modules.module.register_module_forward_hook(say("global")),
        nn.modules.module.register_module_full_backward_hook(say("global backward")),
        model[0].register_forward_pre_hook(say("pre")),
        model[0].register_forward_hook(say("forward"), with_kwargs=True, always_call=True),
        model[2].register_full_backward_pre_hook(say("backward pre")),
        model[2].register_full_backward_hook(say("backward")),
        model.register_state_dict_pre_hook(say("state")),
        model[0].weight.register_hook(lambda gradient: said.append("weight") or gradient * 0.5),
        model[0].weight.register_post_accumulate_grad_hook(lambda parameter: said.append("accumulated")),
        nn.modules.module.register_module_parameter_registration_hook(say("registered")),
    ]
    train(model, torch.ones(2, 3, requires_grad=True))
    model.state_dict()
    for handle in handles:
        handle.remove()
    return said, model


@case(backwards=2)
def hooks_on_tensors_and_nodes() -> Any:
    said: list[Any] = []
    w = torch.ones(3, requires_grad=True)
    for _ in range(2):
        y = w * 2
        y.register_hook(lambda gradient: said.append(gradient.clone()))
        y.retain_grad()
        z = y.exp()
        z.grad_fn.register_hook(lambda *arguments: said.append(len(arguments)))
        z.grad_fn.register_prehook(lambda gradients: said.append(gradients[0].clone()))
        torch.autograd.graph.register_multi_grad_hook((w, y), lambda gradients: said.append(len(gradients)))
        z.sum().backward()
        said.append(y.grad)
    return said, w.grad


@case(backwards=4, iterations=4)
def optimizer_in_the_backward() -> Any:
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
    optimizers = {parameter: torch.optim.SGD([parameter], 0.1) for parameter in model.parameters()}

    def step(parameter: torch.Tensor) -> None:
        optimizers[parameter].step()
        optimizers[parameter].zero_grad()

    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(step)
    for _ in range(4):
        model(torch.ones(2, 3)).sum().backward()
    return model


class Statistics(torch.autograd.Function):
    """Gives a number and a string besides its tensor, and has no gradient for one of its inputs."""

    @staticmethod
    def forward(context: Any, x: torch.Tensor, factor: float) -> Any:
        context.save_for_backward(x)
        context.factor = factor
        return x * factor, 3, "text"

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor, *others: Any) -> Any:
        (x,) = context.saved_tensors
        return gradient * context.factor + 0 * x, None


class Once(torch.autograd.Function):
    @staticmethod
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x.sin()

    @staticmethod
    def setup_context(context: Any, inputs: Any, output: Any) -> None:
        context.save_for_backward(*inputs)
        context.mark_non_differentiable()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient * context.saved_tensors[0].cos()


@case(backwards=2)
def functions_of_the_user() -> Any:
    x = torch.randn(3, requires_grad=True)
    for _ in range(2):
        y, number, text = Statistics.apply(x, 2.0)
        Once.apply(y).sum().backward()
    return x.grad, number, text


@case(backwards=6)
def checkpointing() -> Any:
    model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(), nn.ReLU())
    for reentrant in (False, True):
        checkpoint(model, torch.randn(4, 3, requires_grad=True), use_reentrant=reentrant).sum().backward()
    checkpoint_sequential(model, 2, torch.randn(4, 3, requires_grad=True), use_reentrant=False).sum().backward()
    checkpoint(lambda x: checkpoint(model, x, use_reentrant=False) * 2, torch.randn(4, 3), use_reentrant=False).sum().backward()
    with torch.utils.checkpoint.set_checkpoint_early_stop(False):
        checkpoint(model, torch.randn(4, 3), use_reentrant=False).sum().backward()
    return model


@case(backwards=3)
def saved_tensors_elsewhere() -> Any:
    calls: list[str] = []
    model = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))

    def pack(tensor: torch.Tensor) -> Any:
        calls.append("pack")
        file = tempfile.SpooledTemporaryFile()  # noqa: SIM115
        torch.save(tensor, file)
        return file

    def unpack(file: Any) -> torch.Tensor:
        calls.append("unpack")
        file.seek(0)
        return torch.load(file)

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        model(torch.ones(2, 3)).sum().backward()
    with torch.autograd.graph.save_on_cpu():
        model(torch.ones(2, 3)).sum().backward()
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        x = torch.ones(3, requires_grad=True)
        y = x.clone()
        z = y.sin()
        y.zero_()
        z.sum().backward()
    return calls, model, x.grad


@case(backwards=2)
def module_that_calls_itself() -> Any:
    class Again(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(2))

        def forward(self, x: torch.Tensor, times: int) -> torch.Tensor:
            return self(x * self.weight, times - 1) if times else x

    model = Again()
    for depth in (3, 60):
        model(torch.ones(2), depth).sum().backward()
    return model


@case(backwards=3)
def modules_with_a_call_of_their_own() -> Any:
    class Loud(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(2))

        def __call__(self, x: torch.Tensor, *more: Any, **named: Any) -> Any:
            return super().__call__(x) * 2

        def __getattr__(self, name: str) -> Any:
            if name == "made_up":
                return 5.0
            return super().__getattr__(name)

        def __eq__(self, other: object) -> Any:
            raise TypeError("not comparable")

        def __bool__(self) -> bool:
            raise TypeError("neither true nor false")

        def __len__(self) -> int:
            raise TypeError("no length")

        __hash__ = nn.Module.__hash__

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.weight * x * self.made_up

    model = Loud()
    holder = nn.ModuleDict({"with.no": nn.Identity()} if False else {"a": model})
    for x in (torch.ones(2), torch.zeros(2)):
        holder["a"](x).sum().backward()
    bound = nn.Module.__call__
    print(bound.__name__, bound.__qualname__, bound.__module__, nn.Linear(1, 1).__call__.__func__ is bound, bound is nn.Module.__call__)
    bound(model, torch.ones(2)).sum().backward()
    return model


@case(backwards=2)
def modules_that_come_and_go() -> Any:
    model = nn.Sequential(nn.Linear(2, 2))
    model(torch.ones(1, 2)).sum().backward()
    model.append(nn.Linear(2, 2))
    del model[0]
    model.register_parameter("extra", nn.Parameter(torch.ones(2)))
    model(model.extra[None]).sum().backward()
    model.register_module("gone", None)
    model.register_buffer("absent", None)
    return model


main()
