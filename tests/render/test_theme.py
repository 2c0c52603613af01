"""The theme gives what the tokens say, and no painting code has colours of its own."""

import json
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFont, QFontInfo, QImage, QPainter

import tensorscope
from tensorscope.analysis.results import CATEGORIES
from tensorscope.render.fonts import load_fonts
from tensorscope.render.icons import icon_image
from tensorscope.render.resource_files import resource_path
from tensorscope.render.text import split_name, text_width
from tensorscope.render.theme import Theme, mix

TOKENS = json.loads(resource_path("tokens.json").read_text(encoding="utf-8"))
PACKAGE = Path(tensorscope.__file__).parent
LITERAL = re.compile(r"#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b|QColor\(\s*\d|QColor\(\s*[\"']|Qt\.GlobalColor\.(?!transparent)|rgba?\(\s*\d")


@pytest.fixture(params=["dark", "light"])
def theme(request: pytest.FixtureRequest, qapp: object) -> Theme:
    return Theme.named(request.param)


def test_a_colour_is_the_token_of_its_role(theme: Theme) -> None:
    assert theme.color("text.primary").name().upper() == TOKENS["color"][theme.name]["text"]["primary"]
    assert theme.color("breakpoint").name().upper() == TOKENS["color"][theme.name]["breakpoint"]
    with pytest.raises(KeyError):
        theme.color("text.purple")


def test_every_category_has_a_fill_and_a_label(theme: Theme) -> None:
    for name in CATEGORIES:
        assert theme.category(name).name().upper() == TOKENS["category"][theme.name][name]["fill"]
    assert theme.category_label("optimizer_state") == "optimizer state"
    assert theme.category_brush("unknown").textureImage().width() > 0, "unknown is hatched"
    assert theme.category_brush("activation").textureImage().isNull()


def test_ramps_begin_and_end_at_their_tokens(theme: Theme) -> None:
    ramp = theme.ramp("gradient_norm")
    stops = TOKENS["ramp"]["gradient_norm"][theme.name]
    assert ramp.shape == (256,)
    assert QColor.fromRgb(int(ramp[0])).name().upper() == stops[0]
    assert QColor.fromRgb(int(ramp[-1])).name().upper() == stops[-1]
    middle = theme.ramp_color("signed_value", 0.5).name().upper()
    assert abs(QColor(middle).red() - QColor(TOKENS["ramp"]["signed_value"]["negative_to_positive"][theme.name][3]).red()) <= 1


def test_mixing_half_of_black_and_white_is_grey() -> None:
    assert mix(QColor("black"), QColor("white"), 0.5).red() in (127, 128)


def test_digits_have_equal_widths(theme: Theme) -> None:
    font = theme.font("body", "regular")
    assert text_width("1111", font) == text_width("8888", font)
    assert theme.font("title").pixelSize() == 14
    assert theme.font("title").weight() == QFont.Weight.DemiBold


def test_the_shipped_fonts_are_the_ones_used(theme: Theme) -> None:
    load_fonts()
    assert QFontInfo(theme.font("body")).family() == "Inter"
    assert QFontInfo(theme.font("body", code=True)).family() == "JetBrains Mono"


def test_an_icon_is_painted_in_its_colour(theme: Theme) -> None:
    color = theme.color("exec.base")
    image = icon_image("square", color, 16, 2.0, is_filled=True)
    assert (image.width(), image.devicePixelRatio()) == (32, 2.0)
    assert image.convertToFormat(QImage.Format.Format_ARGB32).pixelColor(16, 16).name() == color.name()


def test_a_hatch_covers_both_of_its_colours(theme: Theme) -> None:
    image = QImage(24, 24, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.fillRect(image.rect(), theme.hatch(theme.color("text.strong"), theme.color("surface.panel")))
    painter.end()
    assert len({image.pixel(x, y) for x in range(24) for y in range(24)}) > 2


def test_the_dim_part_of_a_node_name_is_split_off() -> None:
    assert split_name("AddmmBackward0") == ("Addmm", "Backward0")
    assert split_name("AccumulateGrad") == ("AccumulateGrad", "")


def test_no_painting_code_has_a_colour_of_its_own() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line.strip()}"
        for folder in ("gui", "render", "export")
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if LITERAL.search(line) and '"""' not in line
    ]
    assert found == []
