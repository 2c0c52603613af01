"""Where things lie in the gradients panel."""

import pytest
from PySide6.QtCore import QRectF

from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.viewmodel.gradient_view import MapSight


@pytest.mark.parametrize("height", [187, 250, 336, 700])
@pytest.mark.parametrize("lanes", [0, 2])
def test_the_map_keeps_a_third_of_the_height_and_the_curves_stay_legible(height: int, lanes: int) -> None:
    found = GradientsGeometry.of(QRectF(0, 0, 1272, height), MapSight((0.0, 8.0), (0.0, 40.0)), 90, lanes, has_marks=True)
    assert found.map.height() >= height / 3 - 1e-6
    assert found.curves.height() >= 36
    assert found.axis.bottom() < found.curves.top()
    assert found.curves.bottom() <= found.legend.top()
