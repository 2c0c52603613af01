"""Open, pan and zoom the gradients panel over 2,000 parameters × 100,000 iterations; a frame's budget is 16.7 ms.

The map is made as codes, a parameter at a time: as rows of a trace it would be 200 million. ``first picture`` is what the worker does with them before
the map can be shown (levels of detail, ranges, rows), ``open`` the same and the curves, which come after it; a frame is what the GUI thread does: fit, paint,
show the curves on their axes. ``cpu_ms`` is the thread's own time.
``table_ms`` is the way from a trace's rows to the map, for as many rows as ``--rows`` says.
"""

import argparse
import os
import resource
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

BUDGET_MS = 16.7
SIZE = (1240, 320)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--parameters", type=int, default=2_000)
    parser.add_argument("--iterations", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the table that is made into a map")
    parser.add_argument("--frames", type=int, default=60, help="of each kind")


def measure(options: argparse.Namespace) -> dict[str, Any]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tensorscope.gui.panels.gradients_axes import GradientsAxes
    from tensorscope.gui.panels.gradients_plot import GradientsPlot
    from tensorscope.render.gradients import GradientsLook, GradientsMarks, selected_curve
    from tensorscope.render.theme import Theme
    from tensorscope.viewmodel.gradient_curves import curves_of
    from tensorscope.viewmodel.gradient_rows import fold_rows

    application = QApplication.instance() or QApplication(["benchmark"])
    table_ms = _table_ms(options.rows)
    before_mib = _peak_mib()
    view, opened_ms = _map(options.parameters, options.iterations)
    begin = time.perf_counter()
    rows = fold_rows(view, frozenset())
    first_ms = opened_ms + (time.perf_counter() - begin) * 1000
    curves = curves_of(view, rows)
    for curve in curves:
        curve.prepare()
    opened_ms += (time.perf_counter() - begin) * 1000
    plot = GradientsPlot(Theme.dark)
    plot.resize(*SIZE)
    plot.take_axes(GradientsAxes)
    look = GradientsLook(view, rows, curves)
    plot.show_look(look)
    plot.show_marks(GradientsMarks(700, selected_curve(look, 700), options.iterations // 3))
    plot.grab()
    worst_row = _is_never_lost(plot)

    def frame(show: Callable[[], None]) -> tuple[float, float]:
        start, cpu = time.perf_counter(), time.thread_time()
        show()
        plot.grab()
        return (time.perf_counter() - start) * 1000, (time.thread_time() - cpu) * 1000

    frames: dict[str, list[tuple[float, float]]] = {"zoom": [], "pan far": [], "pan near": [], "zoom rows": [], "pan rows": []}
    middle = options.iterations / 2
    for _ in range(options.frames):
        frames["zoom"].append(frame(lambda: plot.show_sight(plot.sight.zoomed_iterations(middle, 0.85))))
    for name, share in (("pan far", 0.5), ("pan near", 0.005)):
        length = options.iterations * share
        plot.show_sight(plot.sight.all().showing(iterations=(0, length)))
        for _ in range(options.frames):
            frames[name].append(frame(lambda length=length: plot.show_sight(plot.sight.panned(iterations=length / 97))))  # type: ignore[misc]
    plot.show_sight(plot.sight.all())
    for _ in range(options.frames // 2):
        frames["zoom rows"].append(frame(lambda: plot.show_sight(plot.sight.zoomed_rows(options.parameters / 2, 0.9))))
    for _ in range(options.frames):
        frames["pan rows"].append(frame(lambda: plot.show_sight(plot.sight.panned(rows=2.3))))
    plot.deleteLater()
    application.processEvents()
    return {
        "parameters": options.parameters,
        "iterations": options.iterations,
        "table_ms": round(table_ms, 1),
        "first_picture_ms": round(first_ms, 1),
        "open_ms": round(opened_ms, 1),
        "peak_mib": round(_peak_mib() - before_mib),
        "lone_nan_is_seen": worst_row,
        "budget_ms": BUDGET_MS,
        "frames": {name: _summary(times) for name, times in frames.items()},
    }


def _map(parameters: int, iterations: int) -> tuple[Any, float]:
    """A made map, and how long its levels and ranges took in milliseconds. One gradient of all is not finite."""
    from tensorscope.analysis.results import GradientTable
    from tensorscope.viewmodel.gradient_codes import NOT_FINITE, CodeLevels, encode
    from tensorscope.viewmodel.gradients import GradientMap, ranges_of

    rng = np.random.default_rng(0)
    codes = np.empty((parameters, iterations), np.uint16)
    drift = np.exp(np.cumsum(rng.normal(0, 0.004, iterations)))
    for parameter in range(parameters):
        norms = drift * np.exp(rng.normal(0, 0.3, iterations)) * 10 ** (-3 * parameter / parameters)
        codes[parameter] = encode(norms, np.zeros(iterations, np.int64))
    codes[parameters // 2, iterations // 3] = NOT_FINITE
    names = tuple(f"h.{place // 40}.l{place // 10 % 4}.w{place % 10}" for place in range(parameters))
    none, floats = np.zeros(0, np.int64), np.zeros(0)
    modules = tuple(name.rpartition(".")[0] for name in names)
    table = GradientTable(names, modules, none, none, none, none.astype(np.uint8), none, floats, floats, none, none, floats, floats)
    begin = time.perf_counter()
    levels = CodeLevels.of(codes)
    view = GradientMap(table, 1, (1,), 0, levels, *ranges_of(levels.facts))
    return view, (time.perf_counter() - begin) * 1000


def _table_ms(rows: int) -> float:
    """From a table of 200 parameters to its map."""
    from tensorscope.analysis.results import GradientTable
    from tensorscope.viewmodel.gradients import gradient_map

    parameters, iterations = 200, rows // 200
    norms = np.exp(np.random.default_rng(0).normal(0, 1, parameters * iterations))
    iteration, parameter = np.repeat(np.arange(iterations), parameters), np.tile(np.arange(parameters), iterations)
    stage, nothing = np.ones(len(norms), np.uint8), np.zeros(len(norms), np.int64)
    names = tuple(f"m.{place}" for place in range(parameters))
    table = GradientTable(names, ("m",) * parameters, iteration, iteration, parameter, stage, iteration, norms, norms, nothing, nothing, norms, norms)
    begin = time.perf_counter()
    gradient_map(table, (), 1)
    return (time.perf_counter() - begin) * 1000


def _is_never_lost(plot: Any) -> bool:
    """Whether the one gradient that is not finite has its colour in the picture of the whole map."""
    color = plot.theme().color("severity.error").rgb()
    image, geometry = plot.grab().toImage(), plot.geometry_of_map()
    area = geometry.map.toRect().adjusted(1, 1, -1, -1)
    return any(image.pixel(x, y) == color for x in range(area.left(), area.right()) for y in range(area.top(), area.bottom()))


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _summary(times: list[tuple[float, float]]) -> dict[str, float]:
    wall, cpu = zip(*times, strict=True)
    return {
        "median_ms": round(median(wall), 2),
        "worst_ms": round(max(wall), 2),
        "median_cpu_ms": round(median(cpu), 2),
        "worst_cpu_ms": round(max(cpu), 2),
    }
