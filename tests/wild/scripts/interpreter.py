"""A script that makes the interpreter its own: streams, hooks, signals, tracing, garbage collection, folders, forks."""

import atexit
import builtins
import contextlib
import faulthandler
import gc
import inspect
import io
import os
import signal
import sys
import tempfile
import threading
import traceback
import tracemalloc
from typing import Any

import torch
from cases import case, main, train
from torch import nn


def goes_on() -> nn.Module:
    return train(nn.Linear(2, 2), torch.ones(1, 2))


def is_own(frame: Any) -> bool:
    return str(frame.f_code.co_filename).startswith(os.path.dirname(__file__))


@case(backwards=2, iterations=2)
def replaced_streams() -> Any:
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        print("said")
        model = goes_on()
    closed, sys.stdout = sys.stdout, None
    goes = model(torch.ones(1, 2))
    sys.stdout = closed
    return out.getvalue(), error.getvalue(), goes


@case(backwards=2, iterations=2)
def traced_by_the_script() -> Any:
    seen: list[str] = []

    def trace(frame: Any, event: str, argument: Any) -> Any:
        if is_own(frame):
            seen.append(f"{event} {os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}")
        return trace

    sys.settrace(trace)
    model = goes_on()
    sys.settrace(None)
    print(len(seen))
    return seen, model


@case(backwards=2, iterations=2)
def profiled_by_the_script() -> Any:
    seen: list[str] = []

    def profile(frame: Any, event: str, argument: Any) -> None:
        if is_own(frame):
            seen.append(f"{event} {frame.f_code.co_name} {getattr(argument, '__name__', '')}")

    sys.setprofile(profile)
    model = goes_on()
    sys.setprofile(None)
    print(len(seen))
    return seen, model


@case(backwards=4, iterations=4)
def garbage_collection_off_and_frozen() -> Any:
    gc.disable()
    first = goes_on()
    gc.freeze()
    second = goes_on()
    gc.unfreeze()
    gc.enable()
    return first, second


@case(backwards=2, iterations=2)
def import_hooks() -> Any:
    asked: list[str] = []
    original = builtins.__import__

    class Finder:
        def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
            asked.append(name)

    def importing(name: str, *arguments: Any, **keywords: Any) -> Any:
        asked.append(f"import {name}")
        return original(name, *arguments, **keywords)

    sys.meta_path.insert(0, Finder())
    builtins.__import__ = importing
    model = goes_on()
    import colorsys  # noqa: F401

    builtins.__import__ = original
    sys.meta_path.pop(0)
    return asked, model


@case(backwards=2, iterations=2)
def signals_and_timers() -> Any:
    got: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: got.append(number))
    os.kill(os.getpid(), signal.SIGUSR1)
    model = goes_on()
    signal.signal(signal.SIGUSR1, before)
    return (
        got,
        model,
        [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)]
        == [
            signal.default_int_handler,
            signal.SIG_DFL,
            signal.SIG_DFL,
        ],
    )


@case(backwards=2, iterations=2)
def folders_that_change_and_go() -> Any:
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        first = train(nn.Linear(2, 2), torch.ones(1, 2), 1)
    second = train(nn.Linear(2, 2), torch.ones(1, 2), 1)
    os.chdir(before)
    return first, second


@case(backwards=2, iterations=2)
def stacks_as_the_script_sees_them() -> Any:
    class Shows(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(2))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            traceback.print_stack()
            print([frame.function for frame in inspect.stack()])
            return x * self.weight

    return train(Shows(), torch.ones(2)), sys.getrecursionlimit(), len(inspect.stack())


@case(backwards=2, iterations=2)
def measured_by_tracemalloc() -> Any:
    tracemalloc.start()
    model = goes_on()
    tracemalloc.stop()
    return model


@case(backwards=2, iterations=2)
def state_of_the_interpreter() -> Any:
    ours = [name for name in sys.modules if name.startswith("tensorscope")]
    print(len(ours) >= 0, [type(finder).__name__ for finder in sys.meta_path], sys.excepthook is sys.__excepthook__, sys.displayhook is sys.__displayhook__)
    print(faulthandler.is_enabled(), sys.gettrace(), sys.getprofile(), gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), sys.getswitchinterval())
    print([thread.name for thread in threading.enumerate()], sys.flags, sys.warnoptions, sys._xoptions, len(sys.argv), sys.path[0] == os.path.dirname(__file__))
    print(sorted(vars(sys.modules["__main__"]))[:12], sorted(name for name in os.environ if "TENSORSCOPE" in name or name.startswith("PYTHON")))
    return goes_on()


@case(backwards=1, iterations=1)
def grandchildren_that_outlive_their_parent() -> Any:
    """As a daemon detaches itself: the child forks once more and goes."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.closerange(3, write)
        train(nn.Linear(2, 2), torch.ones(1, 2))
        os.write(write, b"trained")
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    said = os.read(read, 100)
    os.close(read)
    return said, train(nn.Linear(2, 2), torch.ones(1, 2), 1)


def last() -> None:
    print("atexit", (nn.Linear(2, 2)(torch.ones(1, 2)) * 0).tolist(), flush=True)


if __name__ == "__main__":
    atexit.register(last)
    main(freezes=False)  # what is frozen is its own affair
