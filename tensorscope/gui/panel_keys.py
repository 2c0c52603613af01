"""The keys of each panel while it has them, declared once: the key sheet and a test that reads the panels' code take them from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tensorscope.language import tr_later


@dataclass(frozen=True, slots=True)
class PanelKey:
    """``keys`` parted by blanks, in Qt's words; ``words``: what they do."""

    keys: str
    words: str


WALK: Final = PanelKey("Up Down", tr_later("Row before, row after"))
PAGE: Final = PanelKey("PageUp PageDown", tr_later("Page up, page down"))
COPY: Final = PanelKey("Ctrl+C", tr_later("Copy what is chosen"))
OPEN: Final = PanelKey("Enter", tr_later("Open it"))

PANEL_KEYS: Final[dict[str, tuple[PanelKey, ...]]] = {
    "events": (
        PanelKey("Ctrl+F", tr_later("Filter")),
        PanelKey("Ctrl+G", tr_later("Go to an iteration or a time")),
        WALK,
        PAGE,
        PanelKey("Left Right", tr_later("Fold, open")),
        PanelKey("Enter", tr_later("Show its time on every axis")),
        COPY,
    ),
    "graph": (
        PanelKey("Ctrl+F /", tr_later("Find")),
        PanelKey("N Shift+N", tr_later("Next find, find before")),
        PanelKey("[ ]", tr_later("Backward before, after")),
        PanelKey("Up Down Left Right", tr_later("Walk over nodes")),
        PanelKey("Enter Space", tr_later("Open or fold the group")),
        PanelKey("F Z", tr_later("Show all, zoom to the selection")),
        PanelKey("+ - 0", tr_later("Zoom in, out, 100 %")),
        PanelKey("Esc", tr_later("Stop a layout, clear")),
        PanelKey("Shift+Click", tr_later("Way from the selection to it")),
    ),
    "source": (
        PanelKey("Ctrl+F", tr_later("Find in the file")),
        PanelKey("Ctrl+G", tr_later("Go to a line")),
        PanelKey("Up Down", tr_later("Line before, line after")),
        PanelKey("Left Right", tr_later("Scroll aside")),
        PanelKey("H L", tr_later("Next costly, next linked line")),
        COPY,
    ),
    "inspector": (PanelKey("Ctrl+C", tr_later("Copy the pointed row, else all")),),
    "memory": (
        PanelKey("W S", tr_later("Zoom in and out")),
        PanelKey("A D", tr_later("Earlier, later")),
        PanelKey("F", tr_later("Show all")),
        PanelKey("P", tr_later("Go to the peak")),
        PanelKey("M", tr_later("Mark a moment to compare")),
        PanelKey("Esc", tr_later("Forget the mark")),
        COPY,
    ),
    "gradients": (
        PanelKey("Up Down Left Right", tr_later("Row, iteration before and after")),
        PAGE,
        PanelKey("Home End", tr_later("First, last iteration")),
        PanelKey("W S A D", tr_later("Zoom in, out; earlier, later")),
        PanelKey("F", tr_later("Show all")),
        PanelKey("P M O", tr_later("Pin, mute, show alone")),
        PanelKey("Enter + -", tr_later("Open; unfold, fold")),
        COPY,
    ),
    "storages": (
        WALK,
        PAGE,
        OPEN,
        PanelKey("W S + -", tr_later("Sharing: zoom in and out")),
        PanelKey("A D Left Right", tr_later("Sharing: move")),
        PanelKey("F", tr_later("Sharing: show all")),
        COPY,
    ),
    "problems": (WALK, OPEN, COPY),
    "output": (PanelKey("Ctrl+F", tr_later("Find")), WALK, OPEN, PanelKey("Ctrl+A", tr_later("Select all")), COPY),
    "scrubber": (
        PanelKey("Left Right", tr_later("Iteration before, iteration after")),
        PanelKey("Home End", tr_later("Start of the run, now")),
        PanelKey("+ -", tr_later("Zoom in and out")),
    ),
}
