"""Category colours of the colour-blind safe palette stay apart for every kind of colour vision, and every colour stands out from its panel."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from tensorscope.analysis.results import CATEGORIES
from tensorscope.render.theme import Theme

# Machado, Oliveira, Fernandes 2009, severity 1.0, on linear sRGB
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
LEAST_DISTANCE = 16  # CIE76, by which 2 is about the threshold of sight


def linear(colour: QColor) -> NDArray[np.float64]:
    channels = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = (np.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in to_xyz @ np.clip(rgb, 0, 1) / np.array([0.95047, 1.0, 1.08883]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def smallest_distance(theme: Theme, vision: str) -> float:
    seen = [lab(np.array(VISIONS[vision]) @ linear(theme.category(name))) for name in CATEGORIES]
    return float(min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)))


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("vision", VISIONS)
def test_categories_stay_apart_for_every_kind_of_sight(qapp: object, name: str, vision: str) -> None:
    assert smallest_distance(Theme.named(name, "colour_blind_safe"), vision) >= LEAST_DISTANCE


def test_the_standard_palette_would_not_pass(qapp: object) -> None:
    assert min(smallest_distance(Theme.named("dark"), vision) for vision in VISIONS) < LEAST_DISTANCE


@pytest.mark.parametrize("name", ["dark", "light"])
def test_every_fill_stands_out_from_its_panel_and_bears_its_text(qapp: object, name: str) -> None:
    theme = Theme.named(name, "colour_blind_safe")

    def contrast(one: QColor, other: QColor) -> float:
        dark, light = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
        return (light + 0.05) / (dark + 0.05)

    for category in CATEGORIES:
        assert contrast(theme.category(category), theme.color("surface.panel")) >= 3.0
        assert contrast(theme.text_on_category(category), theme.category(category)) >= 4.5
