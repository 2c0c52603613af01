"""Pan and zoom of the memory timeline over a million blocks, in milliseconds a frame; the budget is 16.7.

A frame is what the GUI thread does for it: reduce the curve to columns, find the blocks to be told apart, paint the picture. ``cpu_ms`` is the
thread's own time, which other work on the machine does not lengthen.
"""

import argparse
import os
import time
from collections.abc import Callable
from statistics import median
from typing import Any

BUDGET_MS = 16.7
SIZE = (1240, 300)  # of the plot in the 1600 × 900 window with the panel over its whole width


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--blocks", type=int, default=1_000_000)
    parser.add_argument("--frames", type=int, default=60, help="of each kind")
    parser.add_argument("--scale", type=float, default=1.0, help="device pixels a pixel")


def measure(options: argparse.Namespace) -> dict[str, Any]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["QT_SCALE_FACTOR"] = str(options.scale)
    from PySide6.QtWidgets import QApplication

    from tensorscope.gui.panels.memory_plot import MemoryPlot
    from tensorscope.render.theme import Theme
    from tensorscope.viewmodel.memory import prepare_memory
    from tensorscope.viewmodel.timeline_range import panned, zoomed
    from tests.support.believable_run import iterations_of, million_blocks, phases_of

    application = QApplication.instance() or QApplication(["benchmark"])
    timeline, iterations = million_blocks(options.blocks), iterations_of()
    begin = time.perf_counter()
    model = prepare_memory(timeline, iterations, phases_of(), iterations[-1].end_ns)
    prepare_ms = (time.perf_counter() - begin) * 1000
    plot = MemoryPlot(Theme.dark)
    plot.resize(*SIZE)
    plot.show_model(model, (), "", None, is_live=False)
    plot.grab()

    def frame(choose: Callable[[], tuple[int, int]]) -> tuple[float, float]:
        start, cpu = time.perf_counter(), time.thread_time()
        plot.show_range(choose())
        plot.grab()
        return (time.perf_counter() - start) * 1000, (time.thread_time() - cpu) * 1000

    whole = plot.whole_ns
    middle = (whole[0] + whole[1]) // 2
    frames: dict[str, list[tuple[float, float]]] = {"zoom": [], "pan whole": [], "pan iteration": []}
    for _ in range(options.frames):
        frames["zoom"].append(frame(lambda: zoomed(plot.range_ns, middle, 0.85, whole)))
    for name, share in (("pan whole", 0.5), ("pan iteration", 0.02)):
        length = round((whole[1] - whole[0]) * share)
        plot.show_range((whole[0], whole[0] + length))
        for _ in range(options.frames):
            frames[name].append(frame(lambda length=length: panned(plot.range_ns, length // 100, whole)))  # type: ignore[misc]
    plot.deleteLater()
    application.processEvents()
    return {
        "blocks": len(timeline.blocks.size),
        "steps": len(timeline.times_ns),
        "plot": [*SIZE, options.scale],
        "prepare_ms": round(prepare_ms, 1),
        "budget_ms": BUDGET_MS,
        "frames": {name: _summary(times) for name, times in frames.items()},
    }


def _summary(times: list[tuple[float, float]]) -> dict[str, float]:
    wall, cpu = zip(*times, strict=True)
    return {
        "median_ms": round(median(wall), 2),
        "worst_ms": round(max(wall), 2),
        "median_cpu_ms": round(median(cpu), 2),
        "worst_cpu_ms": round(max(cpu), 2),
    }
