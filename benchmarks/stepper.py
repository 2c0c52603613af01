"""The measured script: for each number that it reads from stdin it runs as many steps and prints a JSON list of [ns, ns of CPU time of this thread].

Usage: stepper.py WORKLOAD plain|dispatch_mode|profiler
"""

import json
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.workloads import WORKLOADS


class EmptyMode(TorchDispatchMode):
    """Does nothing but stand between the script and every operator."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def around(variant: str) -> AbstractContextManager[Any]:
    if variant == "dispatch_mode":
        return EmptyMode()
    if variant == "profiler":
        return profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True)
    return nullcontext()


def main() -> None:
    torch.manual_seed(0)
    workload, variant = sys.argv[1:]
    step = WORKLOADS[workload]()
    for line in sys.stdin:
        durations = []
        for _ in range(int(line)):
            begin_ns, begin_cpu_ns = time.perf_counter_ns(), time.thread_time_ns()
            with around(variant):
                step()
            durations.append([time.perf_counter_ns() - begin_ns, time.thread_time_ns() - begin_cpu_ns])
        print(json.dumps(durations), flush=True)


if __name__ == "__main__":
    main()
