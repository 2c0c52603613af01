"""The graph's search: what is found, which kinds count, which hit was gone to, what the field says."""

from __future__ import annotations

from tensorscope.gui.panels.field import SearchField
from tensorscope.language import tr
from tensorscope.units import format_count
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_find import ALL_KINDS, Hit, Hits, Kind, find
from tensorscope.viewmodel.graph_side import SideView, hits_side


class GraphFinder:
    """Belongs to one search field; the panel tells it of new views and asks for the next hit."""

    def __init__(self, field: SearchField, kinds: frozenset[Kind] = ALL_KINDS) -> None:
        self._field = field
        self.kinds = kinds
        self.hits = Hits()
        self.index = -1  # of the hit gone to

    @property
    def hit(self) -> int:
        """Place of the node gone to, -1: none, or a module."""
        return self.hits.found[self.index].place if 0 <= self.index < len(self.hits.found) else -1

    def search(self, view: GraphView, query: str) -> None:
        self.hits, self.index = find(view, query, self.kinds), -1

    def meet(self, view: GraphView) -> None:
        """Find the same again in a graph of other shape."""
        if self.hits.query:
            self.search(view, self.hits.query)

    def toggle(self, view: GraphView, kind: Kind) -> None:
        """Leave a kind out, or take it in again."""
        self.kinds = self.kinds ^ {kind}
        self.search(view, self.hits.query)

    def go(self, view: GraphView, step: int, selected: int) -> Hit | None:
        """The next hit (step 1) or the one before (-1), counted from the last one or from the selected node; None: no hits."""
        if self._field.text() != self.hits.query:
            self.search(view, self._field.text())
        self.index = self.hits.following(self.index, step, selected)
        return self.hits.found[self.index] if self.index >= 0 else None

    def side(self) -> SideView | None:
        return hits_side(self.hits, self.kinds, self.index) if self.hits.query.strip() else None

    def show_count(self) -> None:
        count = len(self.hits.found)
        if not self.hits.query:
            self._field.show_note("" if self._field.hasFocus() else "Ctrl F")
        elif self.index >= 0:
            self._field.show_note(tr("{number} of {count}").format(number=format_count(self.index + 1), count=format_count(count)))
        else:
            self._field.show_note(tr("{count} found").format(count=format_count(count)) if count else tr("none"))
