"""Every colour, length and font of the window, read from ``tokens.json`` by role: ``theme.color("text.primary")``, ``theme.px("size.toolbar")``."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final, Literal, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from tensorscope.language import tr
from tensorscope.render.fonts import load_fonts
from tensorscope.render.resource_files import resource_path

ThemeName = Literal["dark", "light"]
FontRole = Literal["caption", "body", "title", "empty_title"]
PaletteName = Literal["", "colour_blind_safe"]
RampName = Literal["gradient_norm", "signed_value"]

RAMP_SIZE: Final = 256
_HATCH_PITCH: Final = 6


@cache
def _tokens() -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(resource_path("tokens.json").read_text(encoding="utf-8")))


def _look_up(tree: Any, path: str) -> Any:
    for part in path.split("."):
        tree = tree[part]
    return tree


def mix(first: QColor, second: QColor, amount: float) -> QColor:
    """``first`` with ``amount`` (0 to 1) of ``second`` in it."""
    keep = 1 - amount
    return QColor.fromRgbF(
        keep * first.redF() + amount * second.redF(),
        keep * first.greenF() + amount * second.greenF(),
        keep * first.blueF() + amount * second.blueF(),
        keep * first.alphaF() + amount * second.alphaF(),
    )


def with_alpha(color: QColor, alpha: float) -> QColor:
    """The colour at an opacity of 0 to 1."""
    faded = QColor(color)
    faded.setAlphaF(alpha)
    return faded


class Theme:
    """Dark or light. Immutable; answers are cached, so asking inside a paint loop is cheap. GUI thread, or any one thread at a time."""

    def __init__(self, name: ThemeName, colours: PaletteName = "") -> None:
        self.name: ThemeName = name
        self.palette: PaletteName = colours
        self.is_dark = name == "dark"
        self._colors: dict[str, QColor] = {}
        self._fonts: dict[tuple[str, str | None, bool], QFont] = {}
        self._metrics: dict[tuple[str, str | None, bool], QFontMetricsF] = {}

    @classmethod
    def dark(cls) -> Theme:
        return _theme("dark")

    @classmethod
    def light(cls) -> Theme:
        return _theme("light")

    @classmethod
    def named(cls, name: str, colours: str = "") -> Theme:
        """``dark`` or ``light``, or a theme's ``look``; raises ValueError for any other. ``colours``: "" or ``colour_blind_safe``."""
        name, _, within = name.partition(":")
        colours = colours or within
        if name not in ("dark", "light"):
            raise ValueError(f"no theme is called {name}")
        return _theme(name, "colour_blind_safe" if colours == "colour_blind_safe" else "")

    @property
    def look(self) -> str:
        """What ``named`` makes this theme of, such as ``dark:colour_blind_safe``, for whoever paints elsewhere."""
        return f"{self.name}:{self.palette}" if self.palette else self.name

    def color(self, role: str) -> QColor:
        """A colour by its role in ``tokens.json``, such as ``surface.panel``, ``text.secondary``, ``breakpoint``. Raises KeyError."""
        color = self._colors.get(role)
        if color is None:
            instead = _tokens()["palette"][self.palette]["color"][self.name] if self.palette else {}
            color = self._colors[role] = QColor(instead.get(role) or _look_up(_tokens()["color"][self.name], role))
        return color

    def pen(self, role: str, width: float = 1.0, dash: tuple[float, ...] = ()) -> QPen:
        """A flat-capped pen; ``dash`` in pixels."""
        pen = QPen(self.color(role), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if dash:
            pen.setDashPattern([length / width for length in dash])
        return pen

    def px(self, path: str) -> float:
        """A length (device-independent pixels) or a time (ms) by its path, such as ``size.row.default`` or ``timeline.lane.phase``."""
        return float(_look_up(_tokens(), path))

    def value(self, path: str) -> Any:
        """Any other token, such as ``category.label.optimizer_state`` or ``graph.detail``."""
        return _look_up(_tokens(), path)

    def font(self, role: FontRole = "body", weight: str | None = None, *, code: bool = False) -> QFont:
        """A font of the scale; ``weight`` is regular, medium or semibold (default: the role's own). Digits have equal widths."""
        key = (role, weight, code)
        font = self._fonts.get(key)
        if font is None:
            font = self._fonts[key] = _make_font(role, weight, code)
        return font

    def metrics(self, role: FontRole = "body", weight: str | None = None, *, code: bool = False) -> QFontMetricsF:
        key = (role, weight, code)
        metrics = self._metrics.get(key)
        if metrics is None:
            metrics = self._metrics[key] = QFontMetricsF(self.font(role, weight, code=code))
        return metrics

    def category(self, name: str) -> QColor:
        """Fill of a memory category (a name of ``analysis.results.CATEGORIES``)."""
        return self._category(name, "fill")

    def text_on_category(self, name: str) -> QColor:
        return self._category(name, "text_on_fill")

    def category_tint(self, name: str) -> QColor:
        """The fill of every second block inside one category's band."""
        rule = self.value(f"category.neighbour_tint.{self.name}")
        return mix(self.category(name), self.color(rule["mix_with"]), rule["amount"])

    def category_pale(self, name: str) -> QColor:
        """The fill of a storage's bytes that no live view reaches."""
        rule = self.value("category.held_unreachable")
        return mix(self.category(name), self.color(rule["mix_with"]), rule["amount"])

    def category_label(self, name: str) -> str:
        return tr(str(self.value(f"category.label.{name}")))

    def category_brush(self, name: str) -> QBrush:
        """The fill of a category's band and swatch; hatched for ``unknown``."""
        fill = self.category(name)
        return self.hatch(mix(fill, self.color("text.strong"), 0.35), fill) if name == "unknown" else QBrush(fill)

    def hatch(self, line: QColor, ground: QColor | None = None) -> QBrush:
        """Diagonal lines: "we cannot vouch for it". Set the painter's brush origin to keep them still while scrolling."""
        return _hatch(line.rgba(), ground.rgba() if ground is not None else 0)

    def ramp(self, name: RampName) -> NDArray[np.uint32]:
        """[256] colours as 0xffRRGGBB, lowest first: ``ramp[index]`` is an image of ``QImage.Format_RGB32``."""
        return _ramp(name, self.name, self.palette)

    def ramp_color(self, name: RampName, position: float) -> QColor:
        """One colour of a ramp at 0 to 1."""
        return QColor.fromRgb(int(self.ramp(name)[round(min(max(position, 0.0), 1.0) * (RAMP_SIZE - 1))]))

    def _category(self, name: str, what: str) -> QColor:
        key = f"category:{name}:{what}"
        color = self._colors.get(key)
        if color is None:
            fills = _tokens()["palette"][self.palette] if self.palette else _tokens()["category"]
            color = self._colors[key] = QColor(fills[self.name][name][what])
        return color


@cache
def _theme(name: ThemeName, colours: PaletteName = "") -> Theme:
    return Theme(name, colours)


def _make_font(role: FontRole, weight: str | None, code: bool) -> QFont:
    load_fonts()
    family = _tokens()["font"]["code" if code else "ui"]
    scale = _tokens()["font"]["scale"][role]
    font = QFont()
    font.setFamilies(family["families"])
    font.setPixelSize(scale["px"])
    font.setWeight(QFont.Weight(_tokens()["font"]["weight"][weight] if weight else scale.get("weight", 400)))
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    for feature in family.get("features", ()):
        font.setFeature(QFont.Tag(feature), 1)
    for feature in family.get("features_off", ()):
        font.setFeature(QFont.Tag(feature), 0)
    return font


@cache
def _hatch(line: int, ground: int) -> QBrush:
    tile = QImage(_HATCH_PITCH, _HATCH_PITCH, QImage.Format.Format_ARGB32_Premultiplied)
    tile.fill(QColor.fromRgba(ground))
    with QPainter(tile) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor.fromRgba(line), 1.2))
        for shift in (-_HATCH_PITCH, 0, _HATCH_PITCH):
            painter.drawLine(shift - 1, _HATCH_PITCH + 1, shift + _HATCH_PITCH + 1, -1)
    return QBrush(tile)


@cache
def _ramp(name: RampName, theme: ThemeName, colours: PaletteName) -> NDArray[np.uint32]:
    instead = _tokens()["palette"][colours] if colours else {}
    ramp = instead.get(name) or _tokens()["ramp"][name]
    stops = [QColor(text) for text in (ramp if name == "gradient_norm" else ramp["negative_to_positive"])[theme]]
    at = np.linspace(0, len(stops) - 1, RAMP_SIZE)
    channels = [np.interp(at, np.arange(len(stops)), [getter(stop) for stop in stops]) for getter in (QColor.red, QColor.green, QColor.blue)]
    red, green, blue = (np.rint(channel).astype(np.uint32) for channel in channels)
    table = np.uint32(0xFF000000) | (red << np.uint32(16)) | (green << np.uint32(8)) | blue
    table.flags.writeable = False
    return table
