"""Sizes of the graph's parts from the tokens, for the layout and for painting."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tensorscope.analysis.layout import Style
from tensorscope.render.text import text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_options import GraphOptions

SIDEWAYS_GAP: Final = 26.0
SIDEWAYS_CORNER: Final = 5.0
READABLE: Final = 10.0  # px on the screen that names are kept at from afar, as far as boxes have room for them
MOST_ENLARGED: Final = 1.5
MOST_ENLARGED_ICON: Final = 1.2
AS_DESIGNED: Final = GraphOptions()


@dataclass(frozen=True, slots=True)
class Detail:
    """What a zoom level draws, coarser from top to bottom."""

    has_badges: bool
    has_text: bool
    has_nodes: bool
    enlarged: float = 1.0  # of the names, against everything else


def detail_at(zoom: float, theme: Theme) -> Detail:
    full, names, shapes = (float(step["from_zoom"]) for step in theme.value("graph.detail")[:3])
    enlarged = 1.0 if zoom >= full else min(max(READABLE / (theme.font("body").pixelSize() * zoom), 1.0), MOST_ENLARGED)
    return Detail(zoom >= full, zoom >= names, zoom >= shapes, enlarged)


@lru_cache(16)
def graph_metrics(theme: Theme, options: GraphOptions = AS_DESIGNED) -> Metrics:
    """The same object for the same theme and options, so that it may be part of a cache's key."""
    font, caption = theme.font("body", "semibold"), theme.font("caption")
    style = Style(
        rank_gap=SIDEWAYS_GAP if options.is_sideways else theme.px("graph.rank_gap.plain"),
        label_gap=_label_gap(theme, options),
        column_gap=theme.px("graph.column_gap"),
        header=theme.px("graph.group.header"),
        padding=theme.px("graph.group.padding"),
        is_sideways=options.is_sideways,
        corner=SIDEWAYS_CORNER if options.is_sideways else 10.0,
    )
    widths: dict[str, float] = {}

    def width(text: str) -> float:
        if text not in widths:
            widths[text] = text_width(text, font)
        return widths[text]

    return Metrics(
        style=style,
        node_height=theme.px("graph.node.height"),
        tall_height=theme.px("graph.node.height_held"),
        node_width=theme.px("graph.node.width"),
        node_width_max=theme.px("graph.node.width_max"),
        text_x=theme.px("graph.node.text_x"),
        figure_width=text_width("888 MiB", caption) + 3 * theme.px("space.icon_to_text") + theme.px("category.swatch.size"),
        group_width=(theme.px("graph.node.width") + theme.px("graph.node.width_max")) / 2,
        badge_width=theme.px("graph.badge.width"),
        badge_height=theme.px("graph.badge.height"),
        badge_gap=theme.px("graph.badge.gap"),
        badge_line=theme.value("space.scale")[4],
        text_width=width,
        options=options,
    )


def _label_gap(theme: Theme, options: GraphOptions) -> float:
    """Lines that run to the right have their labels above them: there the gap is as wide as a usual shape."""
    if not options.is_sideways:
        return theme.px("graph.rank_gap.with_label")
    return text_width("[888, 8888]" + " f32" * options.has_dtypes, theme.font("caption", code=True)) + SIDEWAYS_GAP
