"""The hover card of what lies under the pointer in the graph."""

from __future__ import annotations

import linecache

from tensorscope.render.hover_card import Card
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_cards import CardText, badge_card, box_card, link_card, place_words
from tensorscope.viewmodel.graph_pick import Picked


def card_of(view: GraphView, picked: Picked) -> Card | None:
    if picked.badge is not None:
        return _card(badge_card(view, picked.badge))
    if picked.box is not None:
        return _card(box_card(view, picked.box))
    return _card(link_card(view, picked.line.links)) if picked.line is not None else None


def _card(text: CardText) -> Card:
    facts = text.facts
    if text.source is not None:
        code = linecache.getline(text.source.file, text.source.line).strip()
        facts = ((place_words(text.source), code), *facts)
    return Card(text.title, text.note, facts, text.footer)
