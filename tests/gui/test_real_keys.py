"""From start to export with a real X server and real keys and clicks: welcome, a sample, a backward node by node, a picture of the memory timeline."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.support.driving import PATIENCE_S, Driven, Starter

NEEDED = ("Xvfb", "xdotool")


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of its own without a window manager."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed: real keys need both")
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with open(reading, encoding="ascii") as told:
            number = told.readline().strip()
        try:
            assert number, "Xvfb did not start"
            yield f":{number}"
        finally:
            server.terminate()


class Hands:
    """Types and clicks at the window that is in front."""

    def __init__(self, window: Driven, display: str) -> None:
        self.window = window
        self._variables = {**os.environ, "DISPLAY": display}

    def focus(self) -> None:
        """What a window manager would do: the keys go to the newest window."""
        self._do("windowfocus", "--sync", str(self.window.state["top_id"]))

    def press(self, *keys: str) -> None:
        for key in keys:
            self._do("key", "--clearmodifiers", key)

    def type(self, text: str) -> None:
        self._do("type", "--delay", "20", text)

    def click(self, x: int, y: int) -> None:
        self._do("mousemove", str(x), str(y), "click", "1")

    def _do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._variables, check=True, timeout=PATIENCE_S, stdout=subprocess.DEVNULL)


def test_from_welcome_to_the_exported_picture_with_real_keys(display: str, started: Starter, tmp_path: Path) -> None:
    window = started(QT_QPA_PLATFORM="xcb", DISPLAY=display, LANG="C.UTF-8")
    hands = Hands(window, display)
    window.wait_for(lambda state: state["welcome"] and state["top_id"], "the welcome window")
    hands.focus()
    window.wait_for(lambda state: state["focus"] == "ChoiceList", "the list of samples to have the keys")
    while window.state["text"] != "linear_regression.py":
        above = window.state["text"]
        hands.press("Down")
        window.wait_for(lambda state, above=above: state["text"] != above, "the next sample")
    hands.press("Return")
    window.wait_for(lambda state: state.get("ready") and state["state"] == "ended" and state["cursor_ns"] is not None, "the sample's end")
    hands.focus()
    hands.press("alt+2")
    window.wait_for(lambda state: state["panel"] == "graph" and state["focus"] == "GraphCanvas", "the graph to have the keys")
    hands.press("shift+F10")
    before = window.wait_for(lambda state: "NodeSelection" in state["selection"], "a node to be looked at")
    hands.press("shift+F10")
    at = window.wait_for(lambda state: state["selection"] != before["selection"], "the node before it")
    hands.press("F10")
    window.wait_for(lambda state: state["selection"] == before["selection"] != at["selection"], "the step forward again")
    hands.press("Up")
    window.wait_for(lambda state: state["selection"] not in ("None", before["selection"]), "another node of the graph")
    hands.click(*window.state["strip"])
    window.wait_for(lambda state: state["cursor_ns"] not in (None, before["cursor_ns"], at["cursor_ns"]), "the clicked moment")
    hands.press("alt+5")
    window.wait_for(lambda state: state["panel"] == "memory", "the memory timeline to have the keys")
    hands.press("ctrl+e")
    window.wait_for(lambda state: state["dialog"] and state["focus"].endswith("LineEdit"), "the question where to")
    hands.focus()
    hands.press("ctrl+a")
    hands.type(str(tmp_path / "memory.png"))
    hands.press("Return")
    window.wait_for(lambda state: "memory.png" in state.get("notice", ""), "the picture")
    picture = QImage(str(tmp_path / "memory.png"))
    assert picture.width() > 300
    assert len({picture.pixel(x, y) for x in range(0, picture.width(), 5) for y in range(0, picture.height(), 5)}) > 10
    hands.focus()
    hands.press("ctrl+q")
    assert window.wait_for_end() == 0
