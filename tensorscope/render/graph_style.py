"""Sizes of the graph's parts from the tokens, for the layout and for painting."""

from dataclasses import dataclass
from functools import cache

from tensorscope.analysis.layout import Style
from tensorscope.render.text import text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph_levels import Metrics


@dataclass(frozen=True, slots=True)
class Detail:
    """What a zoom level draws, coarser from top to bottom."""

    has_badges: bool
    has_text: bool
    has_nodes: bool


def detail_at(zoom: float, theme: Theme) -> Detail:
    full, names, shapes = (float(step["from_zoom"]) for step in theme.value("graph.detail")[:3])
    return Detail(zoom >= full, zoom >= names, zoom >= shapes)


@cache
def graph_metrics(theme: Theme) -> Metrics:
    """The same object for the same theme, so that it may be part of a cache's key."""
    font, caption = theme.font("body", "semibold"), theme.font("caption")
    style = Style(
        rank_gap=theme.px("graph.rank_gap.plain"),
        label_gap=theme.px("graph.rank_gap.with_label"),
        column_gap=theme.px("graph.column_gap"),
        header=theme.px("graph.group.header"),
        padding=theme.px("graph.group.padding"),
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
    )
