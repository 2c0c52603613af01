"""Colours by a number: which number each box has, where it stands on the ramp, and that nothing is made up."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from tensorscope.analysis.gradients import gradient_table
from tensorscope.protocol.records import GradientStage
from tensorscope.render.graph import Viewport, paint_graph
from tensorscope.render.graph_heat import dimmed, heat_color, heat_quantity, ink_on, ramp_color
from tensorscope.render.graph_legend import paint_legend
from tensorscope.render.theme import Theme, mix
from tensorscope.viewmodel.graph import GraphDocument, GraphView
from tensorscope.viewmodel.graph_heat import Heat, Measure
from tensorscope.viewmodel.graph_numbers import GradientNumbers, KnownGradients, joined_norm, known_gradients
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_scene import BoxKey
from tensorscope.viewmodel.graph_tree import GroupKey
from tests.graph.real_graphs import GPT, load
from tests.graph.scenes import METRICS
from tests.support.demo_trace import demo_snapshot
from tests.support.trace_builder import TraceBuilder

BLOCK = BoxKey(-1, GroupKey("h.1", 0))


def view_of(measure: Measure, gradients: KnownGradients | None = None, ran: int | None = None) -> GraphView:
    return GraphDocument().view(load(GPT, ran), OpenState(), METRICS, gradients=gradients, measure=measure)


def key_of(view: GraphView, name: str) -> BoxKey:
    return next(box.key for box in view.scene.boxes if box.key.node >= 0 and view.graph.nodes[box.key.node].name == name)


def value(view: GraphView, key: BoxKey) -> float | None:
    assert view.heat is not None
    return view.heat.values[key]


def test_progress_needs_no_heat() -> None:
    assert view_of(Measure.PROGRESS).heat is None


def test_time_is_the_nodes_own_and_a_groups_sum_and_unknown_where_it_has_not_run() -> None:
    view = view_of(Measure.TIME)
    assert value(view, key_of(view, "LogSoftmaxBackward0")) == 1_000
    assert value(view, BLOCK) == 31_000  # 31 nodes of 1 µs
    waiting = view_of(Measure.TIME, ran=0)
    assert value(waiting, BLOCK) is None
    assert waiting.heat is not None
    assert (waiting.heat.low, waiting.heat.high) == (0, 0)


def test_saved_bytes_are_those_of_the_graph_whether_freed_or_not() -> None:
    for ran in (0, None):
        view = view_of(Measure.SAVED, ran=ran)
        assert value(view, key_of(view, "LogSoftmaxBackward0")) == 32 * 128 * 4
        group = next(box.groups[0] for box in view.scene.boxes if box.key == BLOCK)
        assert value(view, BLOCK) == sum(view.graph.nodes[member].saved_bytes or 0 for member in group.members)


def test_a_gradient_norm_is_that_of_the_parameters_written_and_unknown_elsewhere() -> None:
    known = KnownGradients({"ln_f.weight": GradientNumbers(3.0, 0), "ln_f.bias": GradientNumbers(4.0, 0), "h.1.ln_1.weight": GradientNumbers(2.0, 0)})
    view = view_of(Measure.GRADIENT, known)
    assert value(view, key_of(view, "NativeLayerNormBackward0")) == 5.0
    assert value(view, key_of(view, "NllLossBackward0")) is None
    names = {view.graph.nodes[member].parameter for box in view.scene.boxes if box.key == BLOCK for member in box.groups[0].members}
    assert value(view, BLOCK) == (2.0 if "h.1.ln_1.weight" in names else None)


def test_what_is_not_finite_is_bad_and_counted() -> None:
    known = KnownGradients({"ln_f.weight": GradientNumbers(math.nan, 3), "ln_f.bias": GradientNumbers(4.0, 0)})
    view, counted = view_of(Measure.GRADIENT, known), view_of(Measure.NONFINITE, known)
    norm = key_of(view, "NativeLayerNormBackward0")
    assert view.heat is not None
    assert counted.heat is not None
    assert view.heat.is_bad(norm)
    assert view.heat.share(norm) is None
    assert (value(counted, norm), counted.heat.is_bad(norm)) == (3, True)
    assert value(counted, key_of(counted, "NllLossBackward0")) is None


def test_what_a_stop_saw_a_node_take_counts_as_not_finite() -> None:
    graph = load(GPT)
    loss = next(node.id for node in graph.nodes if node.name == "LogSoftmaxBackward0")
    view = view_of(Measure.NONFINITE, KnownGradients(taken={loss: (GradientNumbers(math.inf, 7, "gradient 0"),)}))
    assert value(view, key_of(view, "LogSoftmaxBackward0")) == 7


def test_the_ramp_is_even_on_a_log_scale() -> None:
    keys = [BoxKey(number) for number in range(5)]
    heat = Heat(Measure.TIME, dict(zip(keys, (1.0, 10.0, 100.0, 0.0, None), strict=True)), 1.0, 100.0)
    assert [heat.share(key) for key in keys] == pytest.approx([0.0, 0.5, 1.0, 0.0, None])
    alone = Heat(Measure.TIME, {keys[0]: 8.0, keys[1]: 0.0}, 8.0, 8.0)
    assert [alone.share(key) for key in keys[:2]] == [1.0, 0.0]


def test_known_gradients_are_the_tables_raw_rows_and_what_stops_told() -> None:
    snapshot, table = demo_snapshot(), gradient_table(demo_snapshot())
    known = known_gradients(snapshot, 3)
    rows = np.flatnonzero((table.backward == 3) & (table.stage == GradientStage.RAW))
    assert len(rows) > 10
    assert {name: one.norm for name, one in known.parameters.items()} == {table.parameters[table.parameter[row]]: table.norm[row] for row in rows.tolist()}
    held = snapshot.holds[-1]
    told = known_gradients(snapshot, held["backward"] - 1).taken[held["node_index"]]
    assert [one.norm for one in told] == [stats["norm"] for stats in held["gradients_in"]]
    assert len(told) > 0


def test_a_norm_over_what_is_not_finite_is_not_a_number_and_one_that_was_not_read_is_unknown() -> None:
    builder = TraceBuilder()
    for parameter, (norm, largest, nonfinite, flags) in enumerate(
        ((3.0, 3.0, 0, 0), (math.nan, math.inf, 1, 0), (math.nan, math.nan, 1, 0), (0.0, 0.0, 0, 1)), 1
    ):
        builder.message({"type": "parameter", "id": parameter, "fqn": f"p{parameter}", "shape": [4]})
        builder.gradient(parameter, backward=1, norm=norm, time=parameter, max_abs=largest, nonfinite=nonfinite, flags=flags)
    norms = [one.norm for one in known_gradients(builder.snapshot(), 0).parameters.values()]
    assert norms[:2] == [3.0, math.inf]
    assert norms[2] is not None
    assert math.isnan(norms[2])
    assert norms[3] is None
    assert joined_norm([GradientNumbers(3.0, 0), GradientNumbers(4.0, 0), GradientNumbers(None, 0)]) == 5.0
    assert joined_norm([GradientNumbers(None, 0)]) is None


@pytest.fixture(params=("dark", "light"))
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    return Theme.named(request.param)


def contrast(first: QColor, second: QColor) -> float:
    def luminance(color: QColor) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (color.redF(), color.greenF(), color.blueF())]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    return (max(luminance(first), luminance(second)) + 0.05) / (min(luminance(first), luminance(second)) + 0.05)


def test_words_can_be_read_on_every_colour_of_every_ramp(theme: Theme) -> None:
    for measure, step in product((Measure.TIME, Measure.SAVED, Measure.GRADIENT, Measure.NONFINITE), range(21)):
        ground = ramp_color(measure, step / 20, theme)
        ink = ink_on(ground, theme)
        assert contrast(ink, ground) >= 4.0, (measure, step)
        assert contrast(mix(ground, QColor(ink), dimmed(ink).alphaF()), ground) >= 2.9, (measure, step)


@pytest.mark.parametrize("measure", [Measure.TIME, Measure.SAVED, Measure.GRADIENT, Measure.NONFINITE])
def test_the_picture_has_the_colour_the_number_asks_for_at_every_zoom(theme: Theme, measure: Measure) -> None:
    known = KnownGradients({"ln_f.weight": GradientNumbers(3.0, 0), "ln_f.bias": GradientNumbers(4.0, 1)})
    view = view_of(measure, known)
    key = key_of(view, "NativeLayerNormBackward0")
    box = view.scene.boxes[view.scene.index[key]]
    assert view.heat is not None
    color = heat_color(view.heat, key, theme)
    assert color is not None
    for zoom in (1.0, 0.5, 0.2):
        image = QImage(200, 100, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_graph(painter, view, Viewport(box.x - 10 / zoom, box.y - 10 / zoom, zoom, 200, 100), theme)
        painter.end()
        assert image.pixel(12, 10 + int(box.height * zoom / 2) + (7 if zoom == 1 else 0)) == color.rgb(), zoom
    assert heat_quantity(view.heat, key).digits not in ("", "—")
    assert heat_quantity(view.heat, key_of(view, "NllLossBackward0")).digits == (
        "—" if measure in (Measure.GRADIENT, Measure.NONFINITE) else heat_quantity(view.heat, key_of(view, "NllLossBackward0")).digits
    )


def test_the_legend_speaks_of_the_measure(theme: Theme) -> None:
    pictures = set()
    measures = [measure for measure in Measure if measure is not Measure.CHANGE]  # that needs another backward
    for measure in measures:
        image = QImage(538, 22, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_legend(painter, image.rect().toRectF(), theme, 1.0, view_of(measure))
        painter.end()
        pictures.add(bytes(image.constBits()))
    assert len(pictures) == len(measures)


def test_the_same_graph_keeps_its_layout_when_the_colours_change() -> None:
    document, graph = GraphDocument(), load(GPT)
    first = document.view(graph, OpenState(), METRICS)
    second = document.view(replace(graph), OpenState(), METRICS, measure=Measure.TIME)
    assert second.scene is first.scene
