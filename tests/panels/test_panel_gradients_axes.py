"""The norm curves on pyqtgraph's axes: they stand below the map's iterations, zoom with the mouse and choose what is clicked."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tensorscope.gui.panels.gradients import GradientsPanel, load_axes
from tensorscope.render.gradients_curves import nearest_curve
from tensorscope.render.gradients_frame import CurvesFrame
from tensorscope.viewmodel.gradient_curves import Curve, CurveScale, extremes_of
from tensorscope.viewmodel.gradient_picture import short_name
from tensorscope.viewmodel.ticks import log_ticks
from tensorscope.viewmodel.workspace import ParameterSelection
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import Stage, staged


@pytest.fixture
def stage(qapp: object) -> Iterator[Stage]:
    with staged(GradientsPanel, demo_snapshot("cuda", is_held=False), (500, 400)) as made:
        made.panel.take_import(load_axes())
        QApplication.processEvents()
        yield made


def turn_wheel(axes: Any, at: QPointF, steps: int) -> None:
    view = axes.viewport()
    for _ in range(steps):
        turned = QWheelEvent(
            at,
            QPointF(view.mapToGlobal(at)),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(view, turned)


def test_the_curves_iterations_stand_below_those_of_the_map(stage: Stage) -> None:
    plot = stage.panel.plot
    frame, geometry = plot.axes.frame_shown(), plot.geometry_of_map()
    assert (frame.first, frame.iterations) == (0, 8)
    assert plot.axes.x() + frame.area.left() == pytest.approx(geometry.map.left(), abs=0.5)
    assert frame.area.right() == pytest.approx(geometry.map.right(), abs=0.5)


def test_the_wheel_zooms_map_and_curves_alike_and_a_double_click_shows_all(stage: Stage) -> None:
    plot = stage.panel.plot
    centre = plot.axes.frame_shown().area.center()
    norms = plot.axes.frame_shown().scale
    turn_wheel(plot.axes, centre, 3)
    frame, geometry = plot.axes.frame_shown(), plot.geometry_of_map()
    assert 4 <= frame.iterations < 8
    assert (geometry.first_iteration, geometry.iterations) == pytest.approx((frame.first, frame.iterations))
    assert (frame.scale.low, frame.scale.high) == pytest.approx((norms.low, norms.high))
    assert geometry.iteration_at(geometry.map.left() + 1) == int(frame.first)
    QTest.mouseDClick(plot.axes.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, centre.toPoint())
    assert plot.sight.is_whole
    assert plot.geometry_of_map().iterations == 8


def test_a_click_on_a_curve_chooses_its_parameter_and_iteration(stage: Stage) -> None:
    plot = stage.panel.plot
    frame, curve = plot.axes.frame_shown(), plot.axes.curves[0]
    at = QPointF(QPointF(float(frame.xs_of(np.array([3.5]))[0]), frame.y_of(float(curve.norms[3]))).toPoint())
    name, iteration = plot.axes.curve_at(at)
    assert iteration == 3
    QTest.mouseClick(plot.axes.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at.toPoint())
    assert isinstance(stage.workspace.selection, ParameterSelection)
    assert stage.workspace.selection.parameter.startswith(name)
    assert stage.workspace.selection.iteration == 3


def test_the_nearest_curve_within_reach_is_under_the_pointer(stage: Stage) -> None:
    frame = CurvesFrame(QRectF(0, 0, 100, 100), 0, 4, CurveScale(1e-2, 1e2))  # a decade every 25 pixels
    curves = tuple(Curve(name, np.full(4, norm)) for name, norm in (("low", 0.1), ("high", 10.0), ("none", np.nan)))
    assert frame.y_of(10.0) == pytest.approx(25.0)
    assert nearest_curve(frame, curves, 2, 30.0, 14.0) == 1
    assert nearest_curve(frame, curves, 2, 50.0, 14.0) is None


def test_names_and_extremes_for_the_lines_ends() -> None:
    assert short_name("classifier.1.weight", lambda name: len(name) <= 14) == "class.1.weight"
    assert short_name("h.0.mlp.c_fc", lambda name: True) == "h.0.mlp.c_fc"
    curves = tuple(Curve(name, np.array([9.0, end])) for name, end in (("a", 2.0), ("b", 5.0), ("c", np.nan), ("d", 1.0)))
    assert [curve.name for curve in extremes_of(curves)] == ["c", "d"]  # c's last known norm is 9


def test_a_narrow_log_axis_still_has_ticks() -> None:
    assert [tick.label for tick in log_ticks(0.3, 6.0, 4)] == ["0.5", "1", "2", "5"]
    assert [tick.label for tick in log_ticks(1.15, 1.42, 3)] == ["1.2", "1.3", "1.4"]
    assert [tick.label for tick in log_ticks(0.05, 20.0, 4)] == ["0.1", "1", "10"]
