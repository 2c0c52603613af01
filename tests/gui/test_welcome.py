"""The welcome window offers what was run last, samples and served jobs; choosing gives the words of a command."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tensorscope.gui import welcome
from tensorscope.gui.settings import Settings
from tensorscope.gui.welcome import Welcome
from tensorscope.render.theme import Theme
from tensorscope.session.jobs import Job
from tensorscope.viewmodel.welcome import job_choices, recent_choices, sample_choices, with_newest

Open = Callable[..., Welcome]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    samples = tmp_path / "project" / "samples"
    samples.mkdir(parents=True)
    (samples / "leak.py").write_text('"""Memory grows with `+=`: why? No. Because of graphs."""\n')
    (samples / "digits_cnn.py").write_text('"""A small network.\n"""\n')
    return samples.parent


@pytest.fixture
def open_welcome(qapp: object, project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    windows: list[Welcome] = []
    monkeypatch.setattr(welcome, "jobs", lambda: [Job("train", "train.py", 77, "x.tscope", is_served=True)])

    def opener(recordings: tuple[Path, ...] = (), theme: str = "dark", trouble: str = "") -> Welcome:
        windows.append(Welcome(Theme.named(theme), Settings(is_kept=False), recordings, project, trouble))
        windows[-1].show()
        QApplication.processEvents()
        return windows[-1]

    yield opener
    for window in windows:
        window.close()
        window.deleteLater()
    QApplication.sendPostedEvents(None, 0)


def test_samples_come_with_their_first_sentence_the_main_one_first(project: Path) -> None:
    assert [(choice.title, choice.note) for choice in sample_choices(project / "samples")] == [
        ("digits_cnn.py", "A small network"),
        ("leak.py", "Memory grows with +=: why? No"),
    ]
    assert sample_choices(project / "nothing") == ()


def test_recent_commands_stand_before_recordings_each_once_and_lost_files_go(tmp_path: Path) -> None:
    script, run, other = tmp_path / "train.py", tmp_path / "run.tscope", tmp_path / "old.tscope"
    for file in (script, run, other):
        file.touch()
    commands = [[str(script), "--bs", "8"], ["open", str(run)], [str(tmp_path / "gone.py")]]
    assert [choice.title for choice in recent_choices(commands, [run, other])] == ["train.py --bs 8", "run.tscope", "old.tscope"]


def test_a_command_given_again_moves_to_the_front() -> None:
    assert with_newest([["a.py"], ["b.py"]], ("b.py",)) == [["b.py"], ["a.py"]]
    assert len(with_newest([[f"{number}.py"] for number in range(40)], ("new.py",))) == 12


def test_only_jobs_that_are_served_are_offered() -> None:
    served, over = Job("one", "a.py", 1, "", is_served=True), Job("two", "b.py", 2, "")
    assert [choice.words for choice in job_choices([served, over])] == [("attach", "one")]


def test_a_sample_is_run_with_the_keyboard_alone(open_welcome: Open, project: Path) -> None:
    window = open_welcome()
    assert window.samples.hasFocus()  # there is nothing recent
    QTest.keyClick(window.samples, Qt.Key.Key_Down)
    QTest.keyClick(window.samples, Qt.Key.Key_Return)
    assert window.words == (str(project / "samples" / "leak.py"),)
    assert not window.isVisible()


def test_a_job_is_attached_to_with_one_click(open_welcome: Open) -> None:
    window = open_welcome()
    row = window.jobs.visualItemRect(window.jobs.item(0))
    QTest.mouseClick(window.jobs.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert window.words == ("attach", "train")


def test_escape_closes_without_a_choice_and_trouble_is_said(open_welcome: Open) -> None:
    window = open_welcome(trouble="There is no script x.py.")
    assert any("no script x.py" in label.text() for label in window.findChildren(welcome.QLabel))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.words == ()
    assert not window.isVisible()


def test_the_lists_are_named_for_screen_readers(open_welcome: Open) -> None:
    window = open_welcome()
    assert [window.recent.accessibleName(), window.samples.accessibleName(), window.jobs.accessibleName()] == ["Recent", "Samples", "Served jobs"]
    assert window.samples.item(0).data(Qt.ItemDataRole.AccessibleTextRole) == "digits_cnn.py: A small network"
