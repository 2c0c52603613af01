"""Transforms, modes, fake tensors and other ways to run what is no plain training."""

import copy
from typing import Any

import torch
from cases import case, main
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.func import functional_call, functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, stack_module_state, vjp, vmap
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode


def loss_of(weights: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return (weights.sin() * x).pow(2).sum()


@case(backwards=5)
def transforms() -> Any:
    w, x = torch.randn(3), torch.randn(4, 3)
    return [
        vmap(grad(loss_of), (None, 0))(w, x),
        jacrev(loss_of)(w, x[0]),
        jacfwd(loss_of)(w, x[0]),
        hessian(loss_of)(w, x[0]),
        jvp(torch.sin, (w,), (w,)),
        vjp(torch.sin, w)[1](w),
        functionalize(lambda t: t.clone().add_(1))(w),
        grad_and_value(lambda t: t.sin().sum())(w),
        vmap(torch.dropout, (0, None, None), randomness="different")(x, 0.5, True),
    ]


@case(backwards=3)
def functional_modules() -> Any:
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    weights = {name: parameter.detach().clone().requires_grad_() for name, parameter in model.named_parameters()}
    for _ in range(2):
        functional_call(model, weights, (torch.ones(2, 3),)).sum().backward()
    gradients = grad(lambda given: functional_call(model, given, (torch.ones(2, 3),)).sum())(dict(model.named_parameters()))
    return weights, [weight.grad for weight in weights.values()], gradients


@case(backwards=3, iterations=3)
def ensemble_under_vmap() -> Any:
    models = [nn.Linear(3, 1) for _ in range(5)]
    base = copy.deepcopy(models[0]).to("meta")
    parameters, buffers = stack_module_state(models)
    optimizer = torch.optim.SGD(list(parameters.values()), 0.1)
    for _ in range(3):
        optimizer.zero_grad()
        vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), (0, 0, None))(parameters, buffers, torch.ones(2, 3)).square().sum().backward()
        optimizer.step()
    return parameters


@case(backwards=1)
def fake_tensors() -> Any:
    with FakeTensorMode() as mode:
        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        model(torch.empty(2, 3)).sum().backward()
        fake = mode.from_tensor(torch.ones(5))
    print([tuple(parameter.grad.shape) for parameter in model.parameters()], fake.device)


class Spy(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        self.seen.append(str(function))
        return function(*arguments, **(keywords or {}))


class FunctionSpy(TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def __torch_function__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        self.seen.append(getattr(function, "__name__", str(function)))
        return function(*arguments, **(keywords or {}))


@case(backwards=5, iterations=5)
def own_modes() -> Any:
    model = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with Spy() as spy, FunctionSpy() as functions:
        for _ in range(5):
            optimizer.zero_grad()
            model(torch.ones(2, 3)).sum().backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.1)
            optimizer.step()
    print(len(spy.seen), len(functions.seen))
    return spy.seen, functions.seen, model


@case(backwards=3)
def higher_order() -> Any:
    x = torch.randn(3, requires_grad=True)
    (first,) = torch.autograd.grad((x**4).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    second.sum().backward()
    return x.grad, first, second


@case(backwards=4)
def parts_of_a_graph() -> Any:
    x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    z = (x * y).exp()
    found = torch.autograd.grad(z.sum(), [x], retain_graph=True)
    unused = torch.autograd.grad(z.sum(), [x, torch.ones(1, requires_grad=True)], allow_unused=True, retain_graph=True)
    many = torch.autograd.grad(z, x, torch.eye(3), is_grads_batched=True, retain_graph=True)
    z.sum().backward(inputs=[y])
    return found, unused, many, y.grad, x.grad


@case(backwards=3)
def several_roots_with_gradients_given() -> Any:
    x = torch.randn(3, requires_grad=True)
    torch.autograd.backward([x * 2, x.sin().sum()], [torch.ones(3), None])
    (x * 3).backward(torch.ones(3))
    w = x.clone()
    w.retain_grad()
    torch.autograd.backward(w.exp().sum(), inputs=[w, x])
    return x.grad, w.grad


@case(backwards=1)
def anomaly_mode() -> Any:
    with torch.autograd.detect_anomaly():
        x = torch.zeros(2, requires_grad=True)
        (x.sqrt() * 0).sum().backward()


@case()
def inference() -> Any:
    model = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True))
    with torch.inference_mode():
        output = model(torch.ones(2, 3))
        output.add_(1)
        view = output[0]
    print(output.is_inference(), view.is_inference())
    return output, view


@case(backwards=1)
def devices_by_default() -> Any:
    with torch.device("meta"):
        model = nn.Linear(3, 3)
        model(torch.ones(2, 3)).sum().backward()
    print([parameter.grad.device for parameter in model.parameters()])
    torch.set_default_device("cpu")
    made = torch.ones(2).device
    torch.set_default_device(None)
    torch.set_default_dtype(torch.float64)
    try:
        return made, torch.ones(2), nn.Linear(2, 2).to_empty(device="cpu").weight.shape
    finally:
        torch.set_default_dtype(torch.float32)


@case()
def forward_mode() -> Any:
    import torch.autograd.forward_ad as forward

    with forward.dual_level():
        dual = forward.make_dual(torch.ones(3), torch.arange(3.0))
        return tuple(forward.unpack_dual(nn.Linear(3, 2)(dual)))


@case(backwards=1)
def graph_without_gradient_mode() -> Any:
    model = nn.Linear(3, 3)
    with torch.no_grad():
        hidden = model(torch.ones(2, 3))
        with torch.enable_grad():
            loss = model(hidden).sum()
    with torch.autograd.set_multithreading_enabled(False):
        loss.backward()
    return model


main()
