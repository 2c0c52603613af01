"""What a screen reader is told: every widget that takes the keys has a name, and every panel says in a sentence what it shows."""

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from tensorscope.gui.accessible_names import has_words, takes_keys
from tensorscope.gui.panels.catalog import CATALOG
from tensorscope.language import tr
from tests.gui.conftest import Opener


def place_of(widget: QWidget) -> str:
    names = []
    while isinstance(widget, QWidget):
        names.append(type(widget).__name__)
        widget = widget.parentWidget()
    return " < ".join(names[:4])


@pytest.mark.parametrize("size", [(1600, 900), (1280, 720)])
def test_whatever_takes_the_keys_has_a_name(open_window: Opener, size: tuple[int, int]) -> None:
    window = open_window(size=size)
    widgets = window.findChildren(QWidget)
    assert sum(isinstance(widget, QLineEdit | QComboBox) for widget in widgets) >= 4
    assert sorted({place_of(widget) for widget in widgets if takes_keys(widget) and not has_words(widget)}) == []


def test_every_panel_has_its_title_and_says_what_it_shows(open_window: Opener) -> None:
    window = open_window()
    for entry in CATALOG:
        panel = window.deck.panel(entry.key)
        assert panel is not None
        assert panel.accessibleName() == tr(panel.title)
        keys = panel.focusProxy() or panel
        assert keys.accessibleName(), entry.key


def test_what_is_painted_is_told_in_words(open_window: Opener) -> None:
    window = open_window()

    def told(key: str) -> str:
        panel = window.deck.panel(key)
        assert panel is not None
        return (panel.focusProxy() or panel).accessibleDescription()

    assert told("graph") == "Backward 7: 134 nodes, 44 done."
    assert told("memory").startswith("cuda:0: 182 MiB allocated at ")
    assert "at most 304 MiB" in told("memory")
    assert told("inspector").startswith("GeluBackward0")
    assert told("events").endswith("Held at GeluBackward0.")
    assert told("gradients").startswith("Gradients, ")
    assert ". The largest: " in told("storages")
    assert window.scrubber.strip.accessibleDescription().startswith("8 iterations in ")
