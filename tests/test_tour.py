"""The tour is true: its samples exist, its findings are found, and its pictures are what the panels show.

``TENSORSCOPE_WRITE_PICTURES=1 pytest tests/test_tour.py`` renders the pictures anew.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tensorscope.analysis.findings import RULES
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.picture import session_picture
from tensorscope.session.replay import ReplaySession
from tests.truth.harness import SAMPLES, Recording

ROOT = Path(__file__).resolve().parent.parent
TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
WINDOW = (1280, 720)
PICTURES = {  # name: (sample, panel)
    "graph": ("digits_cnn.py", "graph"),
    "gradients": ("digits_cnn.py", "gradients"),
    "gpt": ("small_gpt.py", "graph"),
    "memory": ("checkpointing.py", "memory"),
    "storages": ("views_and_copies.py", "storages"),
    "problems": ("inplace_conflict.py", "problems"),
    "source": ("higher_order.py", "source"),
    "events": ("einsum_matmul.py", "events"),
}


def panel_picture(file: Path, key: str) -> QImage:
    """One panel of the window over a recording, in all the room there is."""
    place: list[QRect] = []

    def show_alone(window: MainWindow) -> None:
        window.deck.show_panel(key)
        panel = window.deck.panel(key)
        assert panel is not None
        sheet = window.deck.sheet_of(panel)
        window.deck.toggle_maximized(sheet)
        QApplication.processEvents()
        place.append(QRect(sheet.mapTo(window, QPoint()), sheet.size()))

    return session_picture(ReplaySession(file), WINDOW, "dark", prepare=show_alone).copy(place[0])


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_the_tour_is_what_the_panel_shows(name: str, recorded: Callable[[str], Recording], qapp: Any, tmp_path: Path) -> None:
    sample, key = PICTURES[name]
    kept = ROOT / "docs" / "tour" / f"{name}.png"
    picture = panel_picture(recorded(sample).file, key)
    if os.environ.get("TENSORSCOPE_WRITE_PICTURES"):
        kept.parent.mkdir(exist_ok=True)
        assert picture.save(str(kept))
    shown = QImage(str(kept))
    assert (shown.width(), shown.height()) == (picture.width(), picture.height())
    rendered = tmp_path / "picture.png"
    picture.save(str(rendered))
    assert rendered.stat().st_size > kept.stat().st_size / 2, "far less to see than in the tour's picture"


def test_every_picture_and_sample_of_the_tour_exists() -> None:
    assert set(re.findall(r"\]\(tour/(\w+)\.png\)", TOUR)) == set(PICTURES)
    assert [name for name in re.findall(r"`(\w+\.py)`", TOUR) if not (SAMPLES / name).exists()] == []


def test_the_tour_names_every_sample() -> None:
    assert {path.name for path in SAMPLES.glob("*.py")} - set(re.findall(r"`(\w+\.py)`", TOUR)) == {"linear_regression.py"}


def test_every_finding_of_the_tour_has_a_rule() -> None:
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", TOUR))
    assert named <= {rule.__name__.replace("_", "-") for rule in RULES} | {"growing-graph"}
