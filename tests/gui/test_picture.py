"""The picture of the whole window is made from a recording, without a screen, at any size and density."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tensorscope.errors import TensorScopeError
from tensorscope.gui.picture import session_picture, window_picture
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession


@pytest.mark.parametrize(("size", "theme"), [((1600, 900), "dark"), ((1280, 720), "light")])
def test_a_picture_has_the_size_and_theme_asked_for(qapp: QApplication, size: tuple[int, int], theme: str) -> None:
    session = FakeSession(demo_snapshot())
    picture = session_picture(session, size, theme)
    assert (picture.width(), picture.height()) == size
    assert (picture.pixelColor(3, 3).lightness() < 60) == (theme == "dark")
    assert session.asked == ["close"]


def test_more_dots_an_inch_make_a_sharper_picture_of_the_same_window(qapp: QApplication) -> None:
    picture = session_picture(FakeSession(demo_snapshot()), (1280, 720), dpi=192)
    assert (picture.width(), picture.height()) == (2560, 1440)
    assert round(picture.dotsPerMeterX() * 0.0254) == 192


def test_a_file_that_is_not_there_is_one_sentence(qapp: QApplication) -> None:
    with pytest.raises(TensorScopeError, match=r"There is no file .*missing\.tscope"):
        window_picture(Path("missing.tscope"))
