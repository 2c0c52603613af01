"""The page of settings: each change counts at once and is kept over a restart."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tensorscope.cli.run import _kept
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.settings import Settings
from tensorscope.gui.settings_page import SettingsPage
from tensorscope.gui.style import style_sheet
from tensorscope.render.theme import Theme
from tensorscope.session.keep_spec import keep_words
from tensorscope.trace.retention import Keep
from tensorscope.viewmodel.breakpoints import Breakpoints

Opener = Callable[..., MainWindow]


@pytest.fixture
def settings(qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path))
    return Settings()


@pytest.fixture
def page(settings: Settings) -> Iterator[SettingsPage]:
    breakpoints = Breakpoints()
    breakpoints.begin_with(("nonfinite", "line:model.py:77"))
    page = SettingsPage(settings, breakpoints)
    yield page
    page.deleteLater()
    QApplication.sendPostedEvents(None, 0)


def test_what_is_chosen_is_there_after_a_restart(page: SettingsPage) -> None:
    page.theme.setCurrentIndex(page.theme.findData("light"))
    page.language.setCurrentIndex(page.language.findData("zh_CN"))
    page.memory.setText("512MiB")
    page.last.setValue(40)
    page.recordings.setValue(3)
    again = Settings()
    assert (again.theme, again.language, again.recordings) == ("light", "zh_CN", 3)
    assert again.keep == "memory=512MiB,disk=4GiB,first=3,last=40"
    assert _kept(again.keep) == Keep(memory_bytes=512 << 20, last=40)


def test_a_budget_that_cannot_be_is_said_and_not_kept(page: SettingsPage, settings: Settings) -> None:
    page.memory.setText("lots")
    page.memory.editingFinished.emit()
    assert "needs a size" in page.trouble.text()
    assert settings.keep == ""
    assert _kept("of another version") == Keep()


def test_a_breakpoint_is_removed(page: SettingsPage) -> None:
    page.breakpoints.setCurrentRow(1)
    page.remove.click()
    assert [page.breakpoints.item(row).text() for row in range(page.breakpoints.count())] == ["nonfinite"]


def test_defaults_are_those_of_a_run() -> None:
    words = keep_words("")
    assert words == {"memory": "1GiB", "disk": "4GiB", "first": "3", "last": "20"}
    assert _kept(",".join(f"{name}={value}" for name, value in words.items())) == Keep()


def test_the_window_follows_the_page(open_window: Opener) -> None:
    window = open_window()
    window.actions_by_name["settings"].trigger()
    page = window.findChild(SettingsPage)
    assert page is not None
    page.theme.setCurrentIndex(page.theme.findData("light"))
    assert window.theme().name == "light"
    page.close()
    QApplication.sendPostedEvents(None, 0)


def test_resetting_the_layout_undoes_what_was_dragged(open_window: Opener) -> None:
    window = open_window()
    first = window.deck.splitters[1].sizes()
    window.deck.splitters[1].setSizes([600, *first[1:]])
    assert window.deck.splitters[1].sizes() != first
    QTest.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    QApplication.processEvents()
    assert window.deck.splitters[1].sizes() == first


def test_the_numbers_can_be_read_in_their_fields(page: SettingsPage) -> None:
    """Qt leaves a styled field without buttons one pixel for its text."""
    page.setStyleSheet(style_sheet(Theme.named("dark")))
    page.show()
    QApplication.processEvents()
    for spin in (page.first, page.last, page.recordings):
        assert spin.lineEdit().width() > 60
