"""Exceptions in every place, caught, with the state of the world after them."""

import os
import signal
import sys
import warnings
from typing import Any

import torch
from cases import case, main, train
from torch import nn


class Fails(torch.autograd.Function):
    error: BaseException = ValueError("in backward")

    @staticmethod
    def forward(context: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> torch.Tensor:
        raise Fails.error


def fail(*arguments: Any) -> Any:
    raise ValueError("in a hook")


def goes_on() -> nn.Module:
    return train(nn.Linear(2, 2), torch.ones(1, 2))


@case(backwards=2, iterations=2)
def in_forward() -> Any:
    try:
        nn.Sequential(nn.Linear(2, 2), nn.Linear(3, 2))(torch.ones(1, 2))
    except RuntimeError as error:
        print(error)
    return goes_on()


@case(backwards=4, iterations=2)
def in_backward() -> Any:
    x = torch.ones(2, requires_grad=True)
    for error in (ValueError("in backward"), SystemExit(3)):
        Fails.error = error
        try:
            (Fails.apply(x.exp()) * 2).sum().backward()
        except BaseException as caught:
            print(type(caught).__name__, caught)
    Fails.error = ValueError("its traceback would keep the graph")
    return goes_on(), x.grad


@case(backwards=5, iterations=2)
def in_hooks() -> Any:
    model = nn.Linear(2, 2)
    handles = [model.register_forward_hook(fail)]
    places = [
        lambda: model.register_full_backward_hook(fail),
        lambda: model.weight.register_hook(fail),
        lambda: model.weight.register_post_accumulate_grad_hook(fail),
        lambda: nn.Identity().register_forward_hook(fail),
    ]
    for place in places:
        try:
            model(torch.ones(1, 2)).sum().backward()
        except ValueError as error:
            print(error)
        handles.pop().remove()
        handles.append(place())
    return goes_on(), model


@case(backwards=3, iterations=2)
def interrupted_in_a_backward() -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.register_hook(lambda gradient: os.kill(os.getpid(), signal.SIGINT))
    try:
        (y * 2).sum().backward()
    except KeyboardInterrupt:
        print("interrupted")
    return goes_on(), x.grad


@case(backwards=2, iterations=2)
def in_the_step_and_around_it() -> Any:
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for call in (lambda: optimizer.step(lambda: 1 / 0), lambda: optimizer.zero_grad(nonsense=1), lambda: torch.optim.SGD([], 0.1)):
        try:
            call()
        except Exception as error:
            print(type(error).__name__, error)
    train(model, torch.ones(1, 2), 2, optimizer)
    return model


@case(backwards=2, iterations=2)
def warnings_as_errors() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler = torch.optim.lr_scheduler.StepLR(torch.optim.SGD(nn.Linear(1, 1).parameters(), 0.1), 1)
        try:
            scheduler.step()
        except UserWarning as error:
            print(error)
        return goes_on()


@case(backwards=2, iterations=2)
def endless_recursion() -> Any:
    class Endless(nn.Module):
        depth = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.depth += 1
            return self(x)

    model = Endless()
    try:
        model(torch.ones(1))
    except RecursionError as error:
        print(error, model.depth, sys.getrecursionlimit())
    return goes_on()


@case(backwards=4, iterations=2)
def twice_through_one_graph() -> Any:
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    try:
        y.backward()
    except RuntimeError as error:
        print(error)
    return goes_on(), x.grad


@case(backwards=3, iterations=2)
def out_of_memory() -> Any:
    try:
        torch.empty(1 << 60)
    except RuntimeError as error:
        print(str(error)[:60])
    x = torch.ones(2, requires_grad=True)
    x.expand(2, 2).sum().backward()
    return goes_on()


@case(backwards=2, iterations=2)
def generators_and_exits() -> Any:
    class Yields(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            yield x
            yield self.never

    class Exits(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            sys.exit("from a module")

    found = Yields()(torch.ones(1))
    print(next(found))
    for call in (lambda: next(found), lambda: Exits()(torch.ones(1)), lambda: nn.Module()(1), lambda: nn.Module.__call__()):
        try:
            call()
        except BaseException as error:
            print(type(error).__name__, error)
    return goes_on()


main()
