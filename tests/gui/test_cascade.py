"""A second window does not open exactly over the first, and the place that it is lent is not kept."""

from PySide6.QtCore import QPoint, QRect

from tensorscope.gui.app import run_window
from tensorscope.gui.cascade import WindowNumber, cascaded
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.settings import Settings
from tests.gui.test_app import when_ready
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

SCREEN = QRect(0, 0, 1920, 1080)


def test_each_further_window_stands_lower_and_to_the_right() -> None:
    assert cascaded(QRect(100, 50, 1200, 800), 0, SCREEN) == QPoint(100, 50)
    assert cascaded(QRect(100, 50, 1200, 800), 2, SCREEN) == QPoint(164, 114)


def test_in_the_lower_right_corner_it_goes_to_the_upper_left_one() -> None:
    assert cascaded(QRect(720, 280, 1200, 800), 1, SCREEN) == QPoint(0, 0)
    assert cascaded(QRect(720, 280, 1200, 800), 2, SCREEN) == QPoint(32, 32)


def test_a_window_as_large_as_the_screen_stays_on_it() -> None:
    assert cascaded(SCREEN, 1, SCREEN) == QPoint(0, 0)


def test_a_window_has_the_lowest_number_that_is_free() -> None:
    first, second = WindowNumber(Settings()), WindowNumber(Settings())
    assert (first.value, second.value) == (0, 1)
    first.release()
    third = WindowNumber(Settings())
    assert third.value == 0
    second.release()
    third.release()
    assert WindowNumber(Settings(is_kept=False)).value == 0


def test_a_window_beside_another_leaves_the_kept_place_alone(qapp: object) -> None:
    def show(width: int) -> bytes:
        """What is kept after a window was open and made as wide as that."""

        def act(window: MainWindow) -> None:
            window.resize(width, 700)
            window.close()

        when_ready(act)
        run_window(FakeSession(demo_snapshot()), "dark")
        kept = Settings().geometry
        assert kept is not None
        return bytes(kept.data())

    first = show(1100)
    other = WindowNumber(Settings())  # another process's window
    try:
        assert show(1200) == first
    finally:
        other.release()
    assert show(1200) != first
