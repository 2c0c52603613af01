"""The measured script: for each number that it reads from stdin it runs as many steps and prints a JSON list of [ns, ns of CPU time of this thread].

Usage: stepper.py WORKLOAD plain|dispatch_mode|dispatch_mode_stacks|detect_anomaly|profiler|debug_mode
"""

import json
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils._debug_mode import DebugMode
from torch.utils._python_dispatch import TorchDispatchMode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.workloads import WORKLOADS


class EmptyMode(TorchDispatchMode):
    """Does nothing but stand between the script and every operator."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class StackMode(TorchDispatchMode):
    """Keeps the Python stack of every operator of the step, unformatted."""

    def __init__(self) -> None:
        super().__init__()
        self.stacks: list[Any] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.stacks.append((func, traceback.StackSummary.extract(traceback.walk_stack(sys._getframe(1)), lookup_lines=False)))
        return func(*args, **(kwargs or {}))


AROUND: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "plain": nullcontext,
    "dispatch_mode": EmptyMode,
    "dispatch_mode_stacks": StackMode,
    "detect_anomaly": lambda: torch.autograd.detect_anomaly(check_nan=True),
    "profiler": lambda: profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True),
    "debug_mode": DebugMode,
}


def main() -> None:
    torch.manual_seed(0)
    workload, variant = sys.argv[1:]
    step = WORKLOADS[workload]()
    for line in sys.stdin:
        durations = []
        for _ in range(int(line)):
            begin_ns, begin_cpu_ns = time.perf_counter_ns(), time.thread_time_ns()
            with AROUND[variant]():
                step()
            durations.append([time.perf_counter_ns() - begin_ns, time.thread_time_ns() - begin_cpu_ns])
        print(json.dumps(durations), flush=True)


if __name__ == "__main__":
    main()
