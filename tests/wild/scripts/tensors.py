"""Tensors that are no plain dense floats: sparse, complex, quantised, subclasses, shared, empty, views written in place."""

import warnings
from typing import Any

import torch
from cases import case, main, train
from torch import nn
from torch.utils._pytree import tree_map

warnings.filterwarnings("ignore", message=".*quantization.*|.*beta state.*|.*nested tensors.*|.*deprecated.*")


@case(backwards=3, iterations=3)
def sparse_embedding_and_adam() -> Any:
    model = nn.EmbeddingBag(20, 4, sparse=True, mode="sum")
    optimizer = torch.optim.SparseAdam(model.parameters(), 0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.tensor([[1, 2, 2], [3, 4, 5]])).square().sum().backward()
        optimizer.step()
    return model, optimizer.state_dict()["state"]


@case(backwards=2)
def sparse_matrices() -> Any:
    dense = torch.randn(4, 4, requires_grad=True)
    layouts = [torch.eye(4).to_sparse(), torch.eye(4).to_sparse_csr()]
    return [(torch.sparse.mm(sparse, dense).sum().backward(), dense.grad.clone())[1] for sparse in layouts]


@case(backwards=2, iterations=2)
def complex_parameters() -> Any:
    class Rotation(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.phase = nn.Parameter(torch.randn(4, dtype=torch.complex64))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.view_as_real(torch.fft.fft(x * self.phase).conj().resolve_conj()).neg()

    return train(Rotation(), torch.randn(3, 4, dtype=torch.complex64))


@case()
def quantised_tensors() -> Any:
    x = torch.quantize_per_tensor(torch.randn(4, 4), 0.1, 10, torch.quint8)
    y = torch.quantize_per_channel(torch.randn(4, 4), torch.ones(4), torch.zeros(4, dtype=torch.long), 0, torch.qint8)
    model = torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(4, 4)), {nn.Linear}, dtype=torch.qint8)
    return x, x[1:].dequantize(), y.int_repr(), model(torch.randn(2, 4))


@case(backwards=2, iterations=2)
def quantisation_aware_training() -> Any:
    from torch.ao.quantization import QuantStub, convert, get_default_qat_qconfig, prepare_qat

    model = nn.Sequential(QuantStub(), nn.Linear(4, 4), nn.ReLU())
    model.qconfig = get_default_qat_qconfig("fbgemm")
    model = prepare_qat(model.train())
    train(model, torch.randn(3, 4))
    scales = [(module.scale, module.zero_point) for module in convert(model.eval()).modules() if isinstance(getattr(module, "scale", None), float)]
    return model, scales


class Named(torch.Tensor):
    """Keeps its class through ``__torch_function__`` and writes down what it is asked."""

    asked: list[str] = []  # noqa: RUF012

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        cls.asked.append(getattr(function, "__name__", str(function)))
        return super().__torch_function__(function, types, arguments, keywords or {})


@case(backwards=4, iterations=4)
def subclass_by_function() -> Any:
    model = nn.Linear(3, 2)
    model.weight = nn.Parameter(model.weight.detach().as_subclass(Named))
    train(model, torch.ones(2, 3).as_subclass(Named), 4)
    return Named.asked, [parameter.as_subclass(torch.Tensor) for parameter in model.parameters()]


class Scaled(torch.Tensor):
    """A wrapper without memory of its own that answers for its size, device and layout itself, and writes down what it is asked."""

    asked: list[str] = []  # noqa: RUF012

    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> "Scaled":
        return torch.Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            strides=inner.stride(),
            dtype=inner.dtype,
            device=inner.device,
            requires_grad=inner.requires_grad,
            dispatch_sizes_strides_policy="sizes",
            dispatch_device=True,
            dispatch_layout=True,
        )

    def __init__(self, inner: torch.Tensor) -> None:
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        cls.asked.append(str(function))

        def inner(value: Any) -> Any:
            return value.inner if isinstance(value, Scaled) else value

        result = function(*tree_map(inner, arguments), **tree_map(inner, keywords or {}))
        return tree_map(lambda value: Scaled(value) if isinstance(value, torch.Tensor) else value, result)


@case(backwards=4)
def subclass_by_wrapping() -> Any:
    leaf = Scaled(torch.ones(3).requires_grad_())
    for _ in range(4):
        (leaf * 2).exp().sum().backward()
    return Scaled.asked, leaf.grad.inner


@case(backwards=4, iterations=4)
def parameter_of_a_wrapping_subclass() -> Any:
    Scaled.asked.clear()
    parameter = nn.Parameter(Scaled(torch.ones(3)))
    optimizer = torch.optim.SGD([parameter], 0.1)
    for _ in range(4):
        optimizer.zero_grad()
        (parameter * 3).sum().backward()
        optimizer.step()
    return Scaled.asked, parameter.detach().inner


@case(backwards=2, iterations=2)
def parameters_in_shared_memory() -> Any:
    model = nn.Linear(3, 3).share_memory()
    train(model, torch.ones(2, 3).share_memory_())
    return model, [parameter.is_shared() for parameter in model.parameters()]


@case(backwards=2, iterations=2)
def parameters_without_elements() -> Any:
    class Empty(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.none = nn.Parameter(torch.empty(0))
            self.some = nn.Parameter(torch.tensor(2.0))
            self.never = None

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.some * x + self.none.sum()

    return train(Empty(), torch.tensor(3.0))


@case(backwards=3)
def scalar_losses_and_inputs_that_require_grad() -> Any:
    x, gradients = torch.randn(4, requires_grad=True), []
    for _ in range(3):
        torch.dot(x, x).backward()
        gradients.append(x.grad.clone())
        x.grad = None
    return gradients


@case(backwards=3)
def views_written_in_place() -> Any:
    x = torch.randn(100, requires_grad=True)
    for _ in range(3):
        base = x.clone()
        views = [base[i : i + 50] for i in range(0, 50, 10)]
        base.mul_(1.5)
        views[1].add_(x[:50])
        base[3] = x[7]
        base.view(10, 10)[:, 2:4].mul_(x[:20].view(10, 2))
        (sum((view * view).sum() for view in views) + base.exp().mean()).backward()
    return x.grad


@case(backwards=2)
def memory_of_others() -> Any:
    numpy_like = torch.frombuffer(bytearray(range(32)), dtype=torch.float32)
    lazily = torch._lazy_clone(torch.ones(4))
    lazily.add_(1)
    resized = torch.empty(0)
    resized.resize_(8).fill_(2)
    resized.untyped_storage().resize_(0)
    capsule = torch.from_dlpack(torch.utils.dlpack.to_dlpack(torch.ones(3)))
    moved = torch.ones(3, requires_grad=True)
    for _ in range(2):
        (moved * capsule).sum().backward()
        moved.data = torch.full((3,), 2.0)
    first = torch.ones(2)
    first.set_(torch.arange(4.0).untyped_storage(), 1, (2,))
    return numpy_like.view(torch.uint8), lazily, capsule, moved, moved.grad, first


@case(backwards=1)
def nested_and_opaque_layouts() -> Any:
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], requires_grad=True)
    nested.to_padded_tensor(0.0).sum().backward()
    jagged = torch.nested.nested_tensor([torch.ones(2, 2), torch.ones(3, 2)], layout=torch.jagged)
    opaque = torch.randn(3, 4).to_mkldnn()
    return [tensor.clone() for tensor in nested.grad.unbind()], (jagged * 2).values(), opaque.relu().to_dense()


@case(backwards=2, iterations=2)
def low_precision_and_memory_formats() -> Any:
    model = nn.Sequential(nn.Conv2d(2, 3, 3), nn.Flatten(), nn.Linear(12, 2)).to(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        train(model, torch.randn(2, 2, 4, 4).to(memory_format=torch.channels_last))
    return model, torch.randn(3).to(torch.float8_e4m3fn).view(torch.uint8), torch.ones(3, dtype=torch.bool)


@case(backwards=2, iterations=2)
def parameter_and_buffer_that_change_their_memory() -> Any:
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    train(model, torch.randn(3, 2), 1)
    model.double()
    train(model, torch.randn(3, 2, dtype=torch.float64), 1)
    return model


main()
