"""Computations that a careless observer changes: each prints a digest of what came out, so that runs can be compared byte by byte.

Usage: traps.py TRAP [TRAP …]
"""

import hashlib
import sys
import warnings
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


def digest(tensors: Iterable[Tensor]) -> str:
    content = b"".join(bytes(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).tolist()) for tensor in tensors)
    return hashlib.sha256(content).hexdigest()[:16]


def view_of_a_base_that_was_written() -> object:
    """Reading ``grad_fn`` of such a view rebuilds its node and changes the order in which gradients are summed."""
    weight = torch.randn(1000, requires_grad=True)
    base = weight * 1.1
    views = [base[start : start + 500] for start in range(0, 500, 50)]
    base.mul_(torch.rand(1000))
    losses = [(view * torch.randn(500)).sin().sum() for view in views]
    torch.stack(losses).sum().backward()
    return digest([weight.grad])


def checkpoint_with_batch_norm() -> object:
    """Reading a saved tensor of a checkpointed region runs its forward again and moves the running statistics."""
    block = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.3), nn.Linear(8, 8))
    for _ in range(3):
        checkpoint(block, torch.randn(16, 8), use_reentrant=False).square().mean().backward()
    return digest([*block.buffers(), *(parameter.grad for parameter in block.parameters())]), block[1].num_batches_tracked.item()


def reentrant_checkpoint() -> object:
    block = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 8))
    entry = torch.randn(16, 8, requires_grad=True)
    checkpoint(block, entry, use_reentrant=True).square().mean().backward()
    return digest([entry.grad, *block.buffers(), *(parameter.grad for parameter in block.parameters())]), block[1].num_batches_tracked.item()


def gradients_that_must_not_share() -> object:
    """A hook put on at the wrong moment makes two leaves' gradients one storage."""
    first, second = torch.randn(4, requires_grad=True), torch.randn(4, requires_grad=True)
    (first + second).sum().backward()
    before = second.grad.clone()
    first.grad.mul_(7)
    return first.grad.data_ptr() != second.grad.data_ptr(), torch.equal(second.grad, before)


def modules_that_write_in_place() -> object:
    """Module full-backward hooks break these."""
    block = nn.Sequential(nn.Linear(6, 6), nn.ReLU(inplace=True), nn.Linear(6, 6), nn.Dropout(0.5, inplace=True))
    block(torch.randn(5, 6)).sum().backward()
    return digest(parameter.grad for parameter in block.parameters())


def gradient_of_a_tensor_that_is_no_leaf() -> object:
    """``.grad`` of such a tensor warns, ``float`` of a tensor with a gradient too: nobody but the script may cause it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        weight = torch.randn(3, requires_grad=True)
        middle = weight * 2
        middle.retain_grad()
        other = weight.exp()
        (middle.sum() + other.sum()).backward()
    return [str(entry.message)[:40] for entry in caught], digest([weight.grad, middle.grad])


def random_numbers() -> object:
    values = [torch.rand(3)]
    layer = nn.Linear(3, 3)
    layer(torch.rand(2, 3)).sum().backward()
    values += [torch.randn(3), nn.functional.dropout(torch.ones(20), 0.5)]
    return digest(values), digest(layer.parameters())


def version_conflict() -> object:
    weight = torch.randn(3, requires_grad=True)
    value = weight.exp()
    value.add_(1)
    try:
        value.sum().backward()
    except RuntimeError as error:
        return str(error)
    return "no error"


def gradient_hooks() -> object:
    """The script's own hooks run as often, and in the same order, as without an observer."""
    said: list[str] = []
    layer = nn.Linear(3, 3)
    layer.weight.register_hook(lambda gradient: said.append("weight"))
    layer.weight.register_post_accumulate_grad_hook(lambda parameter: said.append("accumulated"))
    layer.register_forward_hook(lambda *_: said.append("forward"))
    layer.register_full_backward_hook(lambda *_: said.append("backward"))
    entry = torch.randn(2, 3, requires_grad=True)
    output = layer(entry).tanh()
    output.grad_fn.register_prehook(lambda gradients: said.append("before tanh"))
    output.grad_fn.register_hook(lambda *_: said.append("after tanh"))
    output.sum().backward()
    return said, len(layer._forward_hooks), len(nn.modules.module._global_forward_hooks), layer.weight.grad.abs().sum().item()


def lifetimes() -> object:
    """Weak references die when the script lets go, without the garbage collector; reference counts are what they were."""
    import gc
    import weakref

    gc.collect()
    gc.disable()
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    optimizer = torch.optim.Adam(model.parameters())
    told: list[Any] = []
    for _ in range(3):
        entry = torch.randn(5, 4)
        hidden = model[1](model[0](entry))
        loss = model[2](hidden).square().mean()
        watched: list[Any] = [weakref.ref(entry), weakref.ref(hidden), weakref.ref(loss)]
        optimizer.zero_grad()
        loss.backward()
        watched.append(weakref.ref(model[0].weight.grad))
        optimizer.step()
        told.append([sys.getrefcount(thing) for thing in (entry, hidden, loss, model, model[0].weight, model[0].weight.grad)])
        del entry, hidden, loss
        model.zero_grad()
        told.append([reference() is None for reference in watched])
    kept = weakref.ref(model)
    del model
    told.append(kept() is None)
    gc.enable()
    return told


def forward_patches_of_the_user() -> object:
    """A forward that the script put on an instance, a subclassed ``__call__`` and a pickled module behave as ever."""
    import pickle

    class Loud(nn.Linear):
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return super().__call__(*args, **kwargs) * 2

    loud = Loud(2, 2)
    plain = nn.Linear(2, 2)
    plain.forward = lambda x: x + 1  # type: ignore[method-assign]
    copied = pickle.loads(pickle.dumps(nn.Sequential(nn.Linear(2, 2))))
    entry = torch.ones(1, 2)
    return digest([loud(entry), plain(entry), copied(entry)]), nn.Module.__call__.__name__


def compiled_without_graph_breaks() -> object:
    """A hook or patch that Dynamo can see breaks a full graph or makes it compile every call anew."""
    import torch._dynamo

    torch._dynamo.config.error_on_recompile = True
    model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2))
    fast = torch.compile(model, fullgraph=True, backend="aot_eager")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        optimizer.zero_grad()
        fast(torch.randn(3, 4)).square().mean().backward()
        optimizer.step()
    return digest(model.parameters()), dict(torch._dynamo.utils.counters["stats"]), dict(torch._dynamo.utils.counters["graph_break"])


TRAPS = {
    trap.__name__: trap
    for trap in (
        view_of_a_base_that_was_written,
        checkpoint_with_batch_norm,
        reentrant_checkpoint,
        gradients_that_must_not_share,
        modules_that_write_in_place,
        gradient_of_a_tensor_that_is_no_leaf,
        random_numbers,
        version_conflict,
        gradient_hooks,
        lifetimes,
        forward_patches_of_the_user,
        compiled_without_graph_breaks,
    )
}

if __name__ == "__main__":
    for name in sys.argv[1:]:
        torch.manual_seed(0)
        print(name, TRAPS[name]())
