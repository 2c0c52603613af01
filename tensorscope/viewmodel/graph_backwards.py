"""Which backward the graph panel shows, and which one it is compared with."""

from __future__ import annotations

from tensorscope.analysis.results import BackwardSummary
from tensorscope.language import tr
from tensorscope.viewmodel.graph import GraphView

FIRST, LAST = 3, 12  # that a menu lists


class Backwards:
    def __init__(self) -> None:
        self.pinned: int | None = None  # None: the one at the cursor, held in, or the newest
        self.other: int | None = None  # to compare with; None: the nearest earlier one of equal shape

    def beside(self, view: GraphView | None, step: int) -> int | None:
        """The backward before (-1) or after (1) the shown one."""
        if view is None or view.graph.backward not in view.numbers:
            return None
        index = view.numbers.index(view.graph.backward) + step
        return view.numbers[index] if 0 <= index < len(view.numbers) else None

    def others(self, view: GraphView) -> list[tuple[int, str]]:
        """(backward, words) of those to compare with: the first and the newest ones, equal shapes told apart."""
        shape = next((summary.graph for summary in view.summaries if summary.backward == view.graph.backward), 0)
        known = [summary for summary in view.summaries if summary.backward != view.graph.backward]
        listed = known if len(known) <= FIRST + LAST else [*known[:FIRST], *known[-LAST:]]
        return [(summary.backward, _words(summary, is_same=summary.graph == shape)) for summary in listed]


def _words(summary: BackwardSummary, *, is_same: bool) -> str:
    words = tr("Backward {number}, iteration {iteration}") if is_same else tr("Backward {number}, iteration {iteration}: another shape")
    return words.format(number=summary.backward, iteration=summary.iteration)
