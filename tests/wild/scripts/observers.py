"""Other tools that watch training: torch's profilers with all that they write, counters, trackers, and the user's own modes, beside TensorScope."""

import json
import re
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from cases import case, main, train
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.profiler import ProfilerActivity, profile, record_function, schedule, tensorboard_trace_handler
from torch.utils._python_dispatch import TorchDispatchMode

CPU = [ProfilerActivity.CPU]
warnings.filterwarnings("ignore", category=FutureWarning)


def net() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))


def names(path: Path) -> list[str]:
    events = json.loads(path.read_text())["traceEvents"]
    return sorted(event["name"] for event in events if event.get("cat") in ("cpu_op", "user_annotation"))


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@case(backwards=9, iterations=9)
def repeated_schedule_into_tensorboard() -> Any:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with folder() as place:
        plan = schedule(wait=1, warmup=1, active=1, repeat=2)
        handler = tensorboard_trace_handler(str(place), worker_name="one")
        with profile(activities=CPU, schedule=plan, on_trace_ready=handler, record_shapes=True, profile_memory=True, acc_events=True) as profiler:
            for _ in range(9):
                with record_function("turn"):
                    train(model, torch.randn(3, 4), 1, optimizer)
                profiler.step()
        written = [names(path) for path in sorted(place.iterdir())]
    return len(written), written, model


@case(backwards=4, iterations=4)
def memory_of_a_profiled_run() -> Any:
    """What torch's profiler says of every byte is what it says without us."""
    model = net()
    with profile(activities=CPU, profile_memory=True, record_shapes=True, with_flops=True) as profiler:
        train(model, torch.randn(3, 4), 4)
    events = [(event.name, event.cpu_memory_usage, event.self_cpu_memory_usage, event.flops, str(event.input_shapes)) for event in profiler.events()]
    memory = [(event.nbytes(), str(event.device_type())) for event in profiler.profiler.kineto_results.events() if event.name() == "[memory]"]
    return sorted(events), memory, model


@case(backwards=6, iterations=6)
def autograd_profilers_of_every_kind() -> Any:
    model, seen = net(), []
    for options in ({}, {"record_shapes": True, "with_stack": True}, {"profile_memory": True, "use_cpu": True}):
        with torch.autograd.profiler.profile(**options) as profiler:
            train(model, torch.randn(3, 4))
        seen.append(sorted(re.sub("0x[0-9a-f]+", "…", event.name) for event in profiler.function_events))
        if not options.get("with_stack"):
            with folder() as place:
                profiler.export_chrome_trace(f"{place}/trace.json")
                seen.append(len((place / "trace.json").read_text()) > 0)
    return seen, model


@case(backwards=2, iterations=2)
def ranges_for_other_tools() -> Any:
    """Without CUDA and VTune both refuse; they must refuse alike."""
    model, said = net(), []
    for emit in (torch.autograd.profiler.emit_nvtx, torch.autograd.profiler.emit_itt):
        try:
            with emit(record_shapes=True):
                model(torch.randn(3, 4))
        except (RuntimeError, AssertionError) as error:
            said.append(str(error).splitlines()[0])
    print(said)
    return train(model, torch.randn(3, 4)), said


@case(backwards=1)
def profilers_inside_of_each_other() -> Any:
    model, said = net(), []
    with profile(activities=CPU) as outer:
        model(torch.randn(3, 4)).sum().backward()
        try:
            with profile(activities=CPU):
                model(torch.randn(3, 4))
        except RuntimeError as error:
            said.append(str(error).splitlines()[0])
    return said, sorted((event.key, event.count) for event in outer.key_averages()), model


@case(backwards=2, iterations=2)
def execution_trace_of_a_profiler() -> Any:
    model = net()
    with folder() as place:
        observer = torch.profiler.ExecutionTraceObserver().register_callback(f"{place}/et.json")
        with profile(activities=CPU, execution_trace_observer=observer):
            train(model, torch.randn(3, 4))
        observer.unregister_callback()
        nodes = json.loads((place / "et.json").read_text())["nodes"]
    return [node["name"] for node in nodes], model


@case(backwards=2, iterations=2)
def counted_flops() -> Any:
    from torch.utils.flop_counter import FlopCounterMode

    model = net()
    with FlopCounterMode(model, display=False) as counter:
        train(model, torch.randn(3, 4))
    return sorted((name, sorted((str(kind), flops) for kind, flops in kinds.items())) for name, kinds in counter.get_flop_counts().items()), model


@case(backwards=2, iterations=2)
def tracked_modules() -> Any:
    from torch.utils.module_tracker import ModuleTracker

    model, seen = net(), []
    tracker = ModuleTracker()

    class Where(TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
            seen.append((str(function), sorted(tracker.parents), tracker.is_bw))
            return function(*arguments, **(keywords or {}))

    with tracker, Where():
        train(model, torch.randn(3, 4))
    return seen, model


@case(backwards=2, iterations=2)
def tracked_memory() -> Any:
    from torch.distributed._tools.mem_tracker import MemTracker

    model, data = net(), torch.randn(3, 4)
    optimizer = torch.optim.Adam(model.parameters(), 0.1)
    tracker = MemTracker()
    tracker.track_external(model, optimizer, data)
    with tracker:
        for _ in range(2):
            train(model, data, 1, optimizer)
            tracker.reset_mod_stats()
    peaks = [[(str(device), sorted((str(kind), size) for kind, size in sizes.items())) for device, sizes in tracker.get_tracker_snapshot("peak").items()]]
    return peaks, model


@case(backwards=2, iterations=2)
def debug_mode_of_torch() -> Any:
    from torch.utils._debug_mode import DebugMode

    model = net()
    with DebugMode() as mode:
        train(model, torch.randn(3, 4))
    return mode.debug_string(), model


@case(backwards=2, iterations=2)
def modes_that_change_results() -> Any:
    class Doubles(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
            result = function(*arguments, **(keywords or {}))
            return result * 2 if function is torch.relu or function is torch.nn.functional.relu else result

    class Halves(TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
            result = function(*arguments, **(keywords or {}))
            return result / 2 if function is torch.ops.aten.addmm.default else result

    model = net()
    with Doubles(), Halves(), torch.device("cpu"):
        train(model, torch.randn(3, 4))
    return model


@case(backwards=2)
def operators_written_down_by_torch() -> Any:
    """``__torch_dispatch__`` logging and ``torch.utils._content_store``-like hashing see the same operators in the same order."""
    seen: list[str] = []

    class Log(TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
            result = function(*arguments, **(keywords or {}))
            total = sum(float(value.double().sum()) for value in torch.utils._pytree.tree_leaves(result) if isinstance(value, torch.Tensor))
            seen.append(f"{function} {total!r}")
            return result

    x = torch.randn(4, requires_grad=True)
    with Log():
        for _ in range(2):
            ((x * 2).relu() @ x).backward()
    return seen, x.grad


main()
