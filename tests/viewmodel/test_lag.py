"""The status bar says how far the window is behind, and stops saying so once it has caught up."""

from tensorscope.viewmodel.lag import Lag


def test_a_window_that_is_behind_says_by_how_much_until_it_catches_up() -> None:
    now = [100.0]
    lag = Lag(lambda: now[0])
    now[0] = 150.0  # a long quiet is no lag
    lag.hear(1000)
    assert lag.item() is None
    lag.take()
    now[0] = 152.5
    lag.hear(51_000)
    item = lag.item()
    assert item is not None
    assert (item.text, item.role) == ("2.5 s behind the script: 51,000 events", "severity.warning")
    lag.show()  # the first 1,000, taken 2.5 s ago
    item = lag.item()
    assert item is not None
    assert item.text == "2.5 s behind the script: 50,000 events"
    lag.take()
    lag.show()
    assert lag.item() is None
