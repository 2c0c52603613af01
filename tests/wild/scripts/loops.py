"""Training loops of every kind: closures, second order, scaled, accumulating, adversarial, with threads and in other processes."""

import copy
import os
import threading
from typing import Any

import torch
import torch.multiprocessing as processes
from cases import case, main, train
from torch import nn


def net() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))


@case(backwards=3, iterations=3)
def closures_as_lightning_has_them() -> Any:
    model = net()
    optimizer = torch.optim.Adam(model.parameters(), 0.1)

    def closure() -> torch.Tensor:
        with torch.enable_grad():
            loss = model(torch.ones(2, 3)).square().sum()
        optimizer.zero_grad()
        loss.backward()
        return loss

    return [optimizer.step(closure) for _ in range(3)], model


@case(backwards=10, iterations=2)
def lbfgs() -> Any:
    torch.manual_seed(1)
    model, target = net(), torch.randn(8, 1)
    optimizer, calls = torch.optim.LBFGS(model.parameters(), 0.1, max_iter=5), []

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = (model(torch.ones(8, 3)) - target).square().sum()
        loss.backward()
        calls.append(loss.item())
        return loss

    for _ in range(2):
        optimizer.step(closure)
    return calls, model


@case(backwards=3, iterations=3)
def scaled_gradients() -> Any:
    model = net()
    optimizer, scaler = torch.optim.SGD(model.parameters(), 0.1), torch.amp.GradScaler("cpu", init_scale=2.0**10)
    for factor in (1.0, float("inf"), 1.0):
        optimizer.zero_grad()
        scaler.scale(model(torch.ones(2, 3)).sum() * factor).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
    return model, scaler.get_scale()


@case(backwards=4, iterations=2)
def accumulated_gradients_and_averages() -> Any:
    model = net()
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
    optimizer = torch.optim.AdamW(model.parameters(), 0.1, amsgrad=True)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, 10)
    for step in range(4):
        (model(torch.ones(2, 3)).sum() / 2).backward()
        if step % 2:
            nn.utils.clip_grad_value_(model.parameters(), 0.5)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad(set_to_none=False)
            average.update_parameters(model)
    return model, average, copy.deepcopy(optimizer.state_dict()["state"])


@case(backwards=4, iterations=4)
def two_players() -> Any:
    maker, judge = net(), nn.Linear(1, 1)
    for model in (maker, judge) * 2:
        optimizer = torch.optim.RMSprop(model.parameters(), 0.1)
        optimizer.zero_grad()
        judge(maker(torch.ones(2, 3))).sum().backward()
        optimizer.step()
    return maker, judge


@case(backwards=8)
def threads_with_backwards_of_their_own() -> Any:
    models = [net() for _ in range(4)]

    def work(model: nn.Module) -> None:
        for _ in range(2):
            model(torch.ones(2, 3)).sum().backward()

    threads = [threading.Thread(target=work, args=(model,)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return models


@case(backwards=20)
def threads_on_one_graph() -> Any:
    x = torch.ones(50, requires_grad=True)
    shared = x.exp() * 2

    def work() -> None:
        for _ in range(5):
            shared.sum().backward(retain_graph=True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return x.grad


@case(backwards=2, iterations=2)
def number_of_threads() -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    model = train(net(), torch.ones(2, 3))
    print(torch.get_num_threads(), torch.get_num_interop_threads())
    torch.set_num_threads(before)
    return model


@case(backwards=6)
def backward_inside_of_backward() -> Any:
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, x: torch.Tensor) -> torch.Tensor:
            context.save_for_backward(x)
            return x * 1

        @staticmethod
        def backward(context: Any, gradient: torch.Tensor) -> torch.Tensor:
            with torch.enable_grad():
                x = context.saved_tensors[0].detach().requires_grad_()
                x.sin().sum().backward()
            return gradient * x.grad

    x = torch.ones(3, requires_grad=True)
    for _ in range(3):
        Inner.apply(x).sum().backward()
    return x.grad


@case(backwards=1, iterations=1)
def fork_with_training_on_both_sides() -> Any:
    model = net()
    read, write = os.pipe()
    child = os.fork()
    if not child:
        train(model, torch.ones(2, 3), 3)
        os.write(write, repr([parameter.double().sum().item() for parameter in model.parameters()]).encode())
        os._exit(7)
    train(model, torch.ones(2, 3), 1)
    status = os.waitpid(child, 0)[1]
    said = os.read(read, 10_000)
    os.close(read)
    os.close(write)
    return model, os.waitstatus_to_exitcode(status), said


def work_of_a_process(model: nn.Module) -> None:
    torch.set_num_threads(1)
    train(model, torch.ones(2, 3), 3)


@case()
def hogwild() -> Any:
    results = []
    for method in ("fork", "spawn"):
        model = net().share_memory()
        process = processes.get_context(method).Process(target=work_of_a_process, args=(model,))
        process.start()
        process.join()
        results.append((process.exitcode, model))
    return results


@case(backwards=2, iterations=2)
def data_loaders() -> Any:
    data = torch.utils.data.TensorDataset(torch.randn(4, 3))
    model = net()
    for (batch,) in torch.utils.data.DataLoader(data, 2, num_workers=1, shuffle=True):
        train(model, batch, 1)
    return model


if __name__ == "__main__":
    main()
