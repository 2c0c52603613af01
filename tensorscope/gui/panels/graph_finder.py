"""The graph's search: what is found, which hit was gone to, what the field says."""

from __future__ import annotations

from tensorscope.gui.panels.field import SearchField
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_search import Hits, find


class GraphFinder:
    """Belongs to one search field; the panel tells it of new views and asks for the next hit."""

    def __init__(self, field: SearchField) -> None:
        self._field = field
        self.hits = Hits()
        self.hit = -1  # place of the node gone to

    def search(self, view: GraphView, query: str) -> None:
        self.hits, self.hit = find(view, query), -1

    def meet(self, view: GraphView) -> None:
        """Find the same again in a graph of other shape."""
        if self.hits.query:
            self.search(view, self.hits.query)

    def go(self, view: GraphView, step: int, selected: int) -> int:
        """Place of the next hit (step 1) or the one before (-1), counted from the last one or from the selected node; -1: none."""
        if self._field.text() != self.hits.query:
            self.search(view, self._field.text())
        self.hit = self.hits.following(self.hit if self.hit >= 0 else selected, step)
        return self.hit

    def show_count(self) -> None:
        count = len(self.hits.places)
        if not self.hits.query:
            self._field.show_note("" if self._field.hasFocus() else "Ctrl F")
        elif self.hit in self.hits.places:
            self._field.show_note(f"{self.hits.places.index(self.hit) + 1} of {count}")
        else:
            self._field.show_note(f"{count} found" if count else "none")
