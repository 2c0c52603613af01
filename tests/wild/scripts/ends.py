"""Trains two steps and then ends in the way that its argument names."""

import atexit
import ctypes
import faulthandler
import os
import signal
import sys
import threading
import time
from typing import Any

import torch
from torch import nn


def train(steps: int = 2) -> None:
    torch.manual_seed(0)
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
    print(model.weight.tolist(), flush=True)


def forever(has_computed: threading.Event) -> None:
    """Computes, then sleeps: plain Python itself aborts now and then when it ends while a daemon thread is inside torch."""
    w = torch.ones(2, requires_grad=True)
    for _ in range(50):
        w.exp().sum()
    has_computed.set()
    time.sleep(3600)


def excepthook(kind: Any, error: BaseException, traceback: Any) -> None:
    print("my hook:", kind.__name__, error, len(__import__("traceback").extract_tb(traceback)), file=sys.stderr)


def hook_that_fails(gradient: torch.Tensor) -> None:
    raise KeyboardInterrupt


def end(how: str) -> None:
    match how:
        case "os_exit":
            os._exit(3)
        case "abort":
            os.abort()
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "terminated":
            os.kill(os.getpid(), signal.SIGTERM)
        case "segmentation_fault":
            ctypes.string_at(0)
        case "fault_told_by_faulthandler":
            faulthandler.enable()
            ctypes.string_at(0)
        case "own_excepthook":
            sys.excepthook = excepthook
            torch.ones(2) @ torch.ones(3)
        case "exit_with_text":
            sys.exit("a sentence")
        case "interrupted_in_a_backward":
            x = torch.ones(2, requires_grad=True)
            y = x.exp()
            y.register_hook(hook_that_fails)
            y.sum().backward()
        case "daemon_thread_alive":
            has_computed = threading.Event()
            threading.Thread(target=forever, args=(has_computed,), daemon=True).start()
            has_computed.wait()
        case "atexit_handler_trains":
            atexit.register(train, 1)
        case "descriptors_closed":
            os.closerange(3, 200)
            train()
        case "another_program":
            sys.stdout.flush()
            os.execv(sys.executable, [sys.executable, "-c", "print('another')"])
        case "forked_child_trains_on":
            child = os.fork()
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if child else 5
            train(1)
            sys.exit(code)


train()
end(sys.argv[1])
