"""The colour-blind safe palette: what is told by colour stays apart for every kind of colour vision, and every colour stands out from its ground."""

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


def seen(colour: QColor, vision: str) -> NDArray[np.float64]:
    return lab(np.array(VISIONS[vision]) @ linear(colour))


def smallest_distance(theme: Theme, vision: str) -> float:
    return least_apart([theme.category(name) for name in CATEGORIES], vision)


def least_apart(colours: list[QColor], vision: str) -> float:
    return float(min(np.linalg.norm(one - other) for one, other in combinations([seen(colour, vision) for colour in colours], 2)))


def severities(theme: Theme) -> list[QColor]:
    return [theme.color(f"severity.{name}") for name in ("error", "warning", "info", "ok")]


def contrast(one: QColor, other: QColor) -> float:
    dark, light = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def from_error(theme: Theme, vision: str) -> float:
    """How far the nearest shade of the gradients' ramp is from the mark of what is not finite."""
    error = seen(theme.color("severity.error"), vision)
    return min(float(np.linalg.norm(seen(theme.ramp_color("gradient_norm", step / 50), vision) - error)) for step in range(51))


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("vision", VISIONS)
def test_categories_stay_apart_for_every_kind_of_sight(qapp: object, name: str, vision: str) -> None:
    assert smallest_distance(Theme.named(name, "colour_blind_safe"), vision) >= LEAST_DISTANCE


def test_the_standard_palette_would_not_pass(qapp: object) -> None:
    assert min(smallest_distance(Theme.named("dark"), vision) for vision in VISIONS) < LEAST_DISTANCE


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("vision", VISIONS)
def test_severities_stay_apart_for_every_kind_of_sight(qapp: object, name: str, vision: str) -> None:
    assert least_apart(severities(Theme.named(name, "colour_blind_safe")), vision) >= LEAST_DISTANCE


def test_the_standard_severities_would_not_pass(qapp: object) -> None:
    assert min(least_apart(severities(Theme.light()), vision) for vision in VISIONS) < LEAST_DISTANCE


@pytest.mark.parametrize("name", ["dark", "light"])
def test_severities_are_read_as_text_on_every_ground(qapp: object, name: str) -> None:
    theme = Theme.named(name, "colour_blind_safe")
    grounds = [f"surface.{ground}" for ground in theme.value(f"color.{name}.surface")] + [f"severity.{kind}_soft" for kind in ("error", "warning", "info")]
    assert min(contrast(colour, theme.color(ground)) for colour in severities(theme) for ground in grounds) >= 4.5


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("vision", VISIONS)
def test_a_ramp_goes_one_way_in_lightness_and_never_looks_like_an_error(qapp: object, name: str, vision: str) -> None:
    theme = Theme.named(name, "colour_blind_safe")
    lightness = [float(seen(theme.ramp_color("gradient_norm", step / 10), vision)[0]) for step in range(11)]
    assert lightness == sorted(lightness, reverse=name == "light")
    assert from_error(theme, vision) >= LEAST_DISTANCE


def test_the_standard_ramp_comes_too_near_to_an_error(qapp: object) -> None:
    assert min(from_error(Theme.light(), vision) for vision in VISIONS) < LEAST_DISTANCE


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("vision", VISIONS)
def test_less_and_more_than_before_stay_apart(qapp: object, name: str, vision: str) -> None:
    theme = Theme.named(name, "colour_blind_safe")
    assert least_apart([theme.ramp_color("signed_value", step / 6) for step in range(7)], vision) >= LEAST_DISTANCE


@pytest.mark.parametrize("name", ["dark:colour_blind_safe", "light"])
def test_a_look_names_its_theme(qapp: object, name: str) -> None:
    assert Theme.named(name).look == name


@pytest.mark.parametrize("name", ["dark", "light"])
def test_every_fill_stands_out_from_its_panel_and_bears_its_text(qapp: object, name: str) -> None:
    theme = Theme.named(name, "colour_blind_safe")
    for category in CATEGORIES:
        assert contrast(theme.category(category), theme.color("surface.panel")) >= 3.0
        assert contrast(theme.text_on_category(category), theme.category(category)) >= 4.5
