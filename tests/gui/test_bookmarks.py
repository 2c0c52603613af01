"""Ctrl+B marks a row or a moment, the list goes back to it, the settings keep it with its recording; Ctrl+G goes to a moment."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tensorscope.gui.bookmark_button import BookmarkButton
from tensorscope.gui.bookmark_keeper import BookmarkKeeper
from tensorscope.gui.panels.event_list import EventList
from tensorscope.gui.panels.prompt import Prompt
from tensorscope.gui.settings import Settings
from tensorscope.viewmodel.bookmarks import Bookmark, Bookmarks
from tests.gui.conftest import Opener, wait_until_ready
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession


def test_a_chosen_row_is_marked_and_the_list_goes_back_to_it(open_window: Opener) -> None:
    window = open_window()
    panel = window.deck.panel("events")
    assert panel is not None
    rows = panel.findChild(EventList)
    assert isinstance(rows, EventList)
    place = next(place for place, row in enumerate(rows.rows) if row.label == "Iteration 3")
    window.deck.set_focused(panel)
    rows.scrollTo(rows.model().index(place, 0))
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.model().index(place, 0)).center())
    wait_until_ready(window)
    assert rows.chosen_row is not None
    assert rows.chosen_row.label == "Iteration 3"
    window.actions_by_name["bookmark"].trigger()
    (mark,) = window.bookmarks.marks
    window.grab()  # the mark is painted in the row and in the scrubber
    assert mark == Bookmark(rows.chosen_row.begin_ns, "Iteration 3")
    button = window.deck.sheet_of(panel).findChild(BookmarkButton)
    assert isinstance(button, BookmarkButton)
    button.fill()
    button.menu.actions()[0].trigger()
    wait_until_ready(window)
    assert window.workspace.cursor_ns == mark.time_ns
    assert rows.chosen_row is not None
    assert rows.chosen_row.begin_ns <= mark.time_ns < rows.chosen_row.end_ns
    button.fill()
    button.menu.actions()[-1].trigger()
    assert window.bookmarks.marks == ()


def test_ctrl_g_goes_to_an_iteration_and_says_where_there_is_none(open_window: Opener) -> None:
    window = open_window()
    panel = window.deck.panel("events")
    assert panel is not None
    prompt = panel.findChild(Prompt)
    assert isinstance(prompt, Prompt)
    panel.setFocus()
    prompt.open()
    QTest.keyClicks(prompt.field, "70")
    QTest.keyClick(prompt.field, Qt.Key.Key_Return)
    assert prompt.said == "There is no iteration 70: they go from 0 to 7."
    QTest.keyClick(prompt.field, Qt.Key.Key_Backspace)
    QTest.keyClick(prompt.field, Qt.Key.Key_Backspace)
    QTest.keyClicks(prompt.field, "2")
    QTest.keyClick(prompt.field, Qt.Key.Key_Return)
    wait_until_ready(window)
    assert not prompt.isVisible()
    rows = panel.findChild(EventList)
    assert isinstance(rows, EventList)
    assert rows.chosen_row is not None
    opened = [row for row in rows.rows if row.label == "Iteration 2"]
    assert [row.is_open for row in opened] == [True]
    assert window.workspace.cursor_ns == opened[0].begin_ns


def test_bookmarks_are_kept_with_their_recording() -> None:
    session, other = FakeSession(demo_snapshot()), FakeSession(demo_snapshot())
    other.path = other.path.with_name("other.tscope")
    first = Bookmarks()
    BookmarkKeeper(first, session, Settings())
    first.toggle(Bookmark(1_500_000_000, "Iteration 2"))
    again, elsewhere = Bookmarks(), Bookmarks()
    BookmarkKeeper(again, session, Settings())
    BookmarkKeeper(elsewhere, other, Settings())
    assert again.marks == (Bookmark(1_500_000_000, "Iteration 2"),)
    assert elsewhere.marks == ()
    again.clear()
    assert Settings().bookmarks(str(session.path.absolute())) == []
