"""The memory timeline by events: every change of the curve has the same room, so that idle time has none."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from tensorscope.analysis.results import CATEGORIES
from tensorscope.gui.panels.memory import MemoryPanel
from tensorscope.render.memory_geometry import MemoryGeometry
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.memory import prepare_memory, view_memory
from tensorscope.viewmodel.memory_axis import EventAxis, event_ticks
from tests.support.believable_run import NEVER, freeze_blocks, timeline_of
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import Stage, settle, staged

TIMES = np.array([0, 10, 20, 1_000, 1_010], np.int64)  # idle from 20 to 1,000


def test_a_step_of_the_curve_is_a_thousand_places_and_between_two_it_goes_evenly() -> None:
    axis = EventAxis(TIMES)
    assert [axis.place_of(time) for time in (0, 10, 15, 510, 1_010, 5_000)] == [0, 1000, 1500, 2500, 4000, 4000]
    assert [axis.ns_of(place) for place in (0, 1500, 2500, 4000, 9_000)] == [0, 15, 510, 1_010, 1_010]


def test_columns_hold_equally_many_steps_and_their_borders_ascend() -> None:
    assert EventAxis(TIMES).edges((0, 1_010), 4).tolist() == [0, 10, 20, 1_000, 1_010]
    close = EventAxis.of(np.array([5, 5, 5, 9], np.int64))
    assert close.times_ns.tolist() == [5, 9]
    assert close.edges((5, 9), 8).tolist() == [5, 6, 7, 8, 9, 10, 11, 12, 13]


def test_zooming_keeps_the_step_under_the_pointer_and_panning_goes_by_steps() -> None:
    axis = EventAxis(np.arange(0, 101, dtype=np.int64) ** 2 * 1000)  # the 50th step is at 2,500,000
    zoomed = axis.zoomed((0, 10_000_000), 2_500_000, 0.5, (0, 10_000_000))
    assert [axis.place_of(edge) for edge in zoomed] == [25_000, 75_000]
    assert [axis.place_of(edge) for edge in axis.panned(zoomed, 0.1, (0, 10_000_000))] == [30_000, 80_000]


def test_the_view_shows_each_change_and_geometry_finds_it_again(qapp: object) -> None:
    size, begin, end, category = np.array([[100, 50, 7], [0, 10, 1_000], [NEVER, 20, NEVER], [CATEGORIES.index("activation")] * 3], np.int64)
    model = prepare_memory(timeline_of(freeze_blocks(size, begin, end, category, 1_010), "cpu"), (), (), 1_010)
    axis = EventAxis.of(model.timeline.times_ns)
    view = view_memory(model, (0, 1_000), 3, 100, axis=axis)
    assert view.high_bytes.tolist() == [100, 150, 107]  # the last column ends with the last step
    geometry = MemoryGeometry.of(QRectF(0, 0, 400, 200), Theme.named("dark"), (view.begin_ns, view.end_ns), view.top_bytes, view.edges_ns)
    assert geometry.ns_of(geometry.x_of(10)) == 10
    assert geometry.x_of(510) == pytest.approx((geometry.x_of(20) + geometry.x_of(1_000)) / 2, abs=1)
    assert geometry.x_of(5_000) > geometry.plot.right()


def test_ticks_stand_at_even_distances_with_decimals_that_tell_them_apart() -> None:
    ticks = event_ticks(np.array([0, 1_000_000, 2_000_000, 900_000_000], np.int64), 3)
    assert [tick.label for tick in ticks] == ["0.00000", "0.00100", "0.00200"]


@pytest.fixture
def stage() -> Iterator[Stage]:
    with staged(MemoryPanel, demo_snapshot(), (712, 309)) as stage:
        yield stage


def test_the_panel_changes_its_axis_and_zooms_and_drags_by_events(stage: Stage) -> None:
    plot = stage.panel.plot
    by_time = stage.picture()
    QTest.mouseClick(stage.panel._tools.axis, Qt.MouseButton.LeftButton, pos=QPoint(stage.panel._tools.axis.width() - 10, 10))
    settle()
    assert plot.is_by_events
    assert stage.picture() != by_time
    axis, before = EventAxis.of(stage.panel._state.model.timeline.times_ns), plot.range_ns
    plot.range_chosen.emit(axis.zoomed(before, before[1], 0.5, plot.whole_ns))
    settle()
    begin, end = (axis.place_of(edge) for edge in plot.range_ns)
    plot.grab()
    geometry = plot.geometry_of_view()
    at = QPointF(geometry.plot.center())
    assert abs(axis.place_of(geometry.ns_of(at.x())) - (begin + end) / 2) < 1000
    QTest.keyClick(plot, Qt.Key.Key_A)
    settle()
    moved = [axis.place_of(edge) for edge in plot.range_ns]
    assert moved[0] < begin
    assert abs((moved[1] - moved[0]) - (end - begin)) <= 2000
