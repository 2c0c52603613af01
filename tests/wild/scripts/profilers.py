"""torch's own profilers beside TensorScope: every schedule and handler, nested, over threads, and what they write."""

import json
import tempfile
import threading
from pathlib import Path
from typing import Any

import torch
from cases import case, main, train
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

CPU = [ProfilerActivity.CPU]


def net() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))


def counts(events: Any) -> list[tuple[str, int]]:
    return sorted((event.key, event.count) for event in events)


@case(backwards=6, iterations=6)
def schedule_and_handler() -> Any:
    seen: list[Any] = []
    model, optimizer, data = net(), None, torch.randn(3, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    plan = schedule(skip_first=1, wait=1, warmup=1, active=2, repeat=1)
    with profile(activities=CPU, schedule=plan, on_trace_ready=lambda found: seen.append(counts(found.key_averages()))) as profiler:
        for _ in range(6):
            train(model, data, 1, optimizer)
            profiler.step()
    return seen, model


@case(backwards=4, iterations=4)
def stacks_shapes_memory_and_export() -> Any:
    model, seen = net(), []
    for has_stacks in (False, True):
        profiler = profile(activities=CPU, record_shapes=True, profile_memory=True, with_stack=has_stacks, with_modules=has_stacks, with_flops=True)
        with profiler, record_function("mine"):
            train(model, torch.randn(3, 4))
        with tempfile.TemporaryDirectory() as folder:
            profiler.export_chrome_trace(f"{folder}/trace.json")
            events = json.loads(Path(f"{folder}/trace.json").read_text())["traceEvents"]
        seen.append(sorted(event["name"] for event in events if event.get("cat") in ("cpu_op", "user_annotation")))
        if not has_stacks:  # torch 2.13 fails at reading its own events with stacks
            seen.append(sorted((event.key, str(event.input_shapes), event.self_cpu_memory_usage) for event in profiler.key_averages(group_by_input_shape=True)))
    return seen, model


@case(backwards=2, iterations=2)
def autograd_profiler() -> Any:
    model = net()
    with torch.autograd.profiler.profile(use_kineto=False, record_shapes=True) as profiler:
        train(model, torch.randn(3, 4))
    return counts(profiler.key_averages()), model


@case(backwards=2, iterations=2)
def nvtx_ranges() -> Any:
    """As ``emit_nvtx`` does it, with a stand-in for CUDA's library."""
    ranges: list[str] = []
    model = net()

    class Ranges(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
            ranges.append(str(function))
            return function(*arguments, **(keywords or {}))

    with Ranges(), torch.autograd.profiler.record_function("step"):
        train(model, torch.randn(3, 4))
    return ranges, model


@case(backwards=4)
def threads_under_a_profiler() -> Any:
    models = [net(), net()]

    def work(model: nn.Module) -> None:
        with record_function("thread"):
            for _ in range(2):
                model(torch.ones(3, 4)).sum().backward()

    with profile(activities=CPU) as profiler:
        threads = [threading.Thread(target=work, args=(model,)) for model in models]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return [row for row in counts(profiler.key_averages()) if row[0].startswith("aten::linear")], models


@case(backwards=2, iterations=2)
def execution_trace_observer() -> Any:
    model = net()
    with tempfile.TemporaryDirectory() as folder:
        observer = torch.profiler.ExecutionTraceObserver().register_callback(f"{folder}/et.json")
        observer.start()
        train(model, torch.randn(3, 4))
        observer.stop()
        observer.unregister_callback()
        nodes = json.loads(Path(f"{folder}/et.json").read_text())["nodes"]
    return sorted(node["name"] for node in nodes), model


main()
