"""Every tab of the window is painted in every state, in both themes and sizes; an empty one says why and what to do.

``TENSORSCOPE_STATE_PICTURES=FOLDER pytest tests/gui/test_state_pictures.py`` takes all states and leaves pictures to be looked at: of the whole window in
each state, and of each tab a sheet of those states in which it differs.
"""

import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tensorscope.gui.message import MessageView
from tensorscope.render.message import paint_message
from tensorscope.render.theme import Theme
from tensorscope.session.session import RunState
from tests.gui.conftest import Opener, wait_until_ready
from tests.gui.state_sheets import Cell, Look, contact_sheets, note, tab_pictures
from tests.gui.states import STATES
from tests.support.fake_session import FakeSession

FOLDER: Final = os.environ.get("TENSORSCOPE_STATE_PICTURES")
LOOKS: Final[tuple[Look, ...]] = tuple((theme, size) for theme in ("dark", "light") for size in ((1600, 900), (1280, 720)))
IN_EVERY_RUN: Final = (("held", LOOKS[:1]), ("out of memory", LOOKS[3:]), ("starting", LOOKS[2:3]))
CHOSEN: Final = [(name, LOOKS) for name in STATES] if FOLDER else IN_EVERY_RUN


def test_every_tab_shows_every_state(open_window: Opener) -> None:
    taken: dict[Look, dict[str, list[Cell]]] = defaultdict(lambda: defaultdict(list))
    for name, looks in CHOSEN:
        status, snapshot, words = STATES[name]
        for theme, size in looks:
            window = open_window(FakeSession(snapshot, status, is_live=status.state is not RunState.REPLAY), size, theme)
            assert words in window.status_bar.advice
            assert words in (window.toolbar.chips[0].view.hint if window.toolbar.chips[0].view is not None else "")
            if FOLDER:
                QTest.qWait(400)  # the graph has moved to where the script stands
                window.grab().save(str(Path(FOLDER) / f"window-{name.replace(' ', '-')}-{theme}-{size[0]}.png"))
            for tab, picture in tab_pictures(window):
                note(taken[theme, size][tab], name, picture)
                assert colours_in(picture) > 3, f"{tab} is empty in {name}"
            window.close()
            QApplication.processEvents()
    if FOLDER:
        for look, pictures in taken.items():
            contact_sheets(Path(FOLDER), look, pictures)


@pytest.mark.parametrize("name", [name for name, (_, snapshot, _) in STATES.items() if not snapshot.tables or not len(snapshot.tables["operators"])])
def test_an_empty_tab_says_why_and_what_to_do(open_window: Opener, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    said: list[tuple[str, str]] = []

    def overheard(painter: Any, rect: Any, theme: Theme, title: str, advice: str = "", *more: Any, **others: Any) -> None:
        said.append((title, advice))
        paint_message(painter, rect, theme, title, advice, *more, **others)

    for module in [module for key, module in sys.modules.items() if key.startswith("tensorscope.")]:
        if getattr(module, "paint_message", None) is paint_message:
            monkeypatch.setattr(module, "paint_message", overheard)
    status, snapshot, _ = STATES[name]
    window = open_window(FakeSession(snapshot, status))
    assert len(dict(tab_pictures(window))) > len(window.deck.panels)
    wait_until_ready(window)
    assert len({title for title, _ in said}) >= 6
    assert [title for title, advice in said if not advice] == []
    assert all(not isinstance(view, MessageView) or view.message.advice for view in window.findChildren(MessageView) if view.isVisible())


def colours_in(image: QImage) -> int:
    return len({image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)})
