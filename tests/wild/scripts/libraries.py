"""Parts of torch that turn training inside out: graphs with hooks around what they save, sharded and distributed modules, traced and exported programs."""

import asyncio
import copy
import gc
import io
import pickle
import sys
import tempfile
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
import torch.distributed as dist
import torch.nn.utils.prune
from cases import case, main, train
from torch import nn
from torch.autograd import graph
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

warnings.filterwarnings("ignore", category=DeprecationWarning)


def net() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))


@case(backwards=5)
def saved_tensors_offloaded_checkpointed_and_mutated() -> Any:
    model, x = net(), torch.ones(2, 3)
    with graph.save_on_cpu():
        checkpoint(model, x, use_reentrant=False).sum().backward()
    with graph.save_on_cpu(pin_memory=False):
        model(x).sum().backward()
    with graph.allow_mutation_on_saved_tensors():
        a = torch.ones(3, requires_grad=True)
        b = a.clone()
        c = b * b
        b.sin_()
        c.sum().backward()
    context = lambda: create_selective_checkpoint_contexts([torch.ops.aten.addmm.default])  # noqa: E731
    checkpoint(model, x, use_reentrant=False, context_fn=context).sum().backward()

    def policy(context: Any, operator: Any, *arguments: Any, **keywords: Any) -> CheckpointPolicy:
        return CheckpointPolicy.MUST_SAVE if operator is torch.ops.aten.tanh.default else CheckpointPolicy.PREFER_RECOMPUTE

    checkpoint(model, x, use_reentrant=False, context_fn=lambda: create_selective_checkpoint_contexts(policy)).sum().backward()
    try:
        with graph.disable_saved_tensors_hooks("no hooks"), graph.save_on_cpu():
            pass
    except RuntimeError as error:
        print(error)
    return model, a.grad


@case(backwards=3)
def edges_and_metadata_of_nodes() -> Any:
    x = torch.ones(3, requires_grad=True)
    y = (x * 2).exp()
    y.grad_fn.metadata["mine"] = 7
    edge = graph.get_gradient_edge(y)
    (found,) = torch.autograd.grad(y.sum(), edge, retain_graph=True)
    torch.autograd.backward(edge, torch.ones(3))
    (again,) = torch.autograd.grad((x * 3).sum(), graph.get_gradient_edge(x))
    return found, again, x.grad, y.grad_fn.metadata, y.grad_fn.name()


@case(backwards=2, iterations=2)
def what_the_script_counts_and_holds_weakly() -> Any:
    model = net()
    optimizer = torch.optim.Adam(model.parameters(), 0.1)
    died: list[str] = []
    counts = []
    for step in range(2):
        optimizer.zero_grad()
        hidden = model[0](torch.ones(2, 3))
        weakref.finalize(hidden, died.append, f"hidden {step}")
        loss = model[2](model[1](hidden)).sum()
        loss.backward()
        optimizer.step()
        parameter = next(model.parameters())
        counts.append([sys.getrefcount(thing) for thing in (model, optimizer, hidden, loss, parameter, parameter.grad, loss.grad_fn, type(model), model[0])])
        counts.append([len(gc.get_referrers(thing)) for thing in (hidden, loss)])
        print(counts[-2:], died)
        del hidden, loss
        print(died)
    return counts, died


@case(backwards=8, iterations=8)
def copied_and_saved_in_the_middle() -> Any:
    model = net()
    optimizer = torch.optim.AdamW(model.parameters(), 0.1)
    train(model, torch.ones(2, 3), 2, optimizer)
    pair = copy.deepcopy((model, optimizer))
    train(pair[0], torch.ones(2, 3), 2, pair[1])
    twins = pickle.loads(pickle.dumps((model, optimizer)))
    train(twins[0], torch.ones(2, 3), 2, twins[1])
    buffer = io.BytesIO()
    torch.save({"model": model, "optimizer": optimizer}, buffer)
    size = buffer.tell()
    buffer.seek(0)
    loaded = torch.load(buffer, weights_only=False)
    train(loaded["model"], torch.ones(2, 3), 2, loaded["optimizer"])
    with tempfile.TemporaryDirectory() as folder:
        torch.save(model.state_dict(), f"{folder}/weights.pt")
        mapped = torch.load(f"{folder}/weights.pt", mmap=True)
        other = net()
        other.load_state_dict(mapped, assign=True)
        result = other(torch.ones(1, 3))
    return size, model, pair[0], twins[0], loaded["model"], result


@case(backwards=3, iterations=3)
def deterministic_algorithms() -> Any:
    torch.use_deterministic_algorithms(True)
    try:
        model = nn.Sequential(nn.Embedding(5, 4), nn.Flatten(), nn.Linear(8, 2))
        train(model, torch.tensor([[1, 2], [2, 2]]), 3)
        filled = torch.empty(3)
        x = torch.zeros(4, requires_grad=True)
        x[torch.tensor([0, 0, 1])].sum()
    finally:
        torch.use_deterministic_algorithms(False)
    return model, filled.isnan()


@case(backwards=6, iterations=6)
def optimizers_of_every_build() -> Any:
    models = []
    for options in ({"foreach": True}, {"fused": True}, {"differentiable": False, "maximize": True}):
        torch.manual_seed(0)
        model = net()
        optimizer = torch.optim.AdamW(model.parameters(), 0.1, **options)
        optimizer.register_step_post_hook(lambda *_: None)
        train(model, torch.ones(2, 3), 2, optimizer)
        models.append((model, optimizer.state_dict()["state"]))
    return models


@case(backwards=4, iterations=4)
def autocast_scaler_and_averages() -> Any:
    model = net()
    optimizer, scaler = torch.optim.SGD(model.parameters(), 0.1), torch.amp.GradScaler("cpu")
    for dtype in (torch.bfloat16, torch.float16):
        for _ in range(2):
            optimizer.zero_grad()
            with torch.amp.autocast("cpu", dtype):
                loss = nn.functional.mse_loss(model(torch.ones(2, 3)).float(), torch.zeros(2, 1))
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
    return model, scaler.state_dict()


@case(backwards=4, iterations=4)
def distributed_of_one() -> Any:
    with tempfile.NamedTemporaryFile() as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dist.init_process_group("gloo", init_method=f"file://{file.name}", rank=0, world_size=1)
        try:
            model = nn.parallel.DistributedDataParallel(net())
            with model.no_sync():
                pass
            train(model, torch.ones(2, 3))
            from torch.distributed.fsdp import fully_shard
            from torch.distributed.tensor import DTensor

            mesh = dist.device_mesh.init_device_mesh("cpu", (1,))
            sharded = net()
            for layer in sharded:
                fully_shard(layer, mesh=mesh)
            fully_shard(sharded, mesh=mesh)
            train(sharded, torch.ones(2, 3))
            parameters = [parameter.full_tensor().detach() if isinstance(parameter, DTensor) else parameter.detach() for parameter in sharded.parameters()]
        finally:
            dist.destroy_process_group()
    return model, parameters


@case(backwards=2)
def traced_by_dispatch_and_exported() -> Any:
    from torch.fx.experimental.proxy_tensor import make_fx

    model = net()
    print(make_fx(lambda x: model(x).sum())(torch.ones(2, 3)).code)
    program = torch.export.export(model, (torch.ones(2, 3),), dynamic_shapes=({0: torch.export.Dim("rows", min=2)},))
    module = program.module()
    for rows in (2, 3):
        module(torch.ones(rows, 3)).sum().backward()
    return [parameter.grad for parameter in module.parameters()], torch.fx.Interpreter(torch.fx.symbolic_trace(model)).run(torch.ones(1, 3))


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x**3

    @staticmethod
    def setup_context(context: Any, inputs: Any, output: Any) -> None:
        context.save_for_backward(inputs[0])
        context.save_for_forward(inputs[0])

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient * 3 * context.saved_tensors[0] ** 2

    @staticmethod
    def jvp(context: Any, tangent: torch.Tensor) -> torch.Tensor:
        return tangent * 3 * context.saved_tensors[0] ** 2


@case(backwards=7)
def functions_under_transforms() -> Any:
    x = torch.randn(4, requires_grad=True)
    Cube.apply(x).sum().backward()
    per_element = torch.func.vmap(torch.func.grad(lambda v: Cube.apply(v)))(x.detach())
    forward = torch.func.jvp(Cube.apply, (x.detach(),), (torch.ones(4),))
    hessian = torch.autograd.functional.hessian(lambda v: Cube.apply(v).sum(), x.detach())
    return x.grad, per_element, forward, hessian


@case(backwards=1)
def memory_layouts_of_every_kind() -> Any:
    coo = torch.eye(3).to_sparse().requires_grad_()
    (torch.sparse.sum(coo * 2)).backward()
    matrices = [torch.eye(4).to_sparse_csr(), torch.eye(4).to_sparse_csc(), torch.eye(4).to_sparse_bsr((2, 2))]
    products = [(matrix @ torch.ones(4, 1)) for matrix in matrices[:1]]
    packed = nn.utils.rnn.pack_padded_sequence(torch.ones(3, 2, 1), torch.tensor([3, 2]))
    conjugated = torch.tensor([1 + 2j, 3j]).conj()
    return (
        coo.grad.to_dense(),
        [matrix.to_dense() for matrix in matrices],
        products,
        tuple(packed)[:2],
        torch.view_as_real(conjugated.resolve_conj()),
        conjugated.imag,
    )


@case(backwards=3, iterations=3)
def asynchronous_and_pooled_training() -> Any:
    models = [net() for _ in range(3)]

    async def work(model: nn.Module) -> None:
        await asyncio.sleep(0)
        train(model, torch.ones(2, 3), 1)

    async def everything() -> None:
        for model in models[:2]:
            await work(model)

    asyncio.run(everything())
    with ThreadPoolExecutor(1) as pool:
        pool.submit(train, models[2], torch.ones(2, 3), 1).result()
    future: torch.futures.Future[torch.Tensor] = torch.futures.Future()
    future.set_result(torch.ones(1))
    return models, future.wait()


@case(backwards=1)
def guards_for_captures_and_devices_that_are_absent() -> Any:
    said = [torch.cuda.is_available(), torch.cuda.is_current_stream_capturing() if torch.cuda.is_available() else False, torch.cuda.is_initialized()]
    try:
        with torch.cuda.graph(torch.cuda.CUDAGraph() if torch.cuda.is_available() else None):
            pass
    except (RuntimeError, AssertionError, AttributeError) as error:
        said.append(type(error).__name__)
    model = net()
    torch.compiler.cudagraph_mark_step_begin()
    model(torch.ones(2, 3)).sum().backward()
    with torch.cuda.device(None) if torch.cuda.is_available() else torch.random.fork_rng():
        pass
    print(said)
    return said, model


@case(backwards=2, iterations=2)
def modules_made_over() -> Any:
    model = net()
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        train(model, torch.ones(2, 3), 1)
        model.to(torch.float64)
        train(model, torch.ones(2, 3, dtype=torch.float64), 1)
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(False)
    first, second = nn.Parameter(torch.ones(2)), nn.Parameter(torch.zeros(2))
    torch.utils.swap_tensors(first, second)
    nn.utils.vector_to_parameters(nn.utils.parameters_to_vector(model.parameters()) * 2, model.parameters())
    nn.utils.prune.l1_unstructured(model[0], "weight", 0.5)
    return model, first, second


if __name__ == "__main__":
    main()
