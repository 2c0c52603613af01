"""The tour is true: its samples exist, its findings are found, and its pictures are what the panels show.

``TENSORSCOPE_WRITE_PICTURES=1 pytest tests/test_tour.py`` renders the pictures anew.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tensorscope.analysis.findings import RULES
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.panels.graph import GraphPanel
from tensorscope.gui.picture import session_picture
from tensorscope.session.replay import ReplaySession
from tensorscope.viewmodel.workspace import StorageSelection
from tests.gui.conftest import wait_until_ready
from tests.truth.harness import SAMPLES, Recording

ROOT = Path(__file__).resolve().parent.parent
TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
SMALL, TALL, LARGE = (1280, 720), (1280, 1000), (1600, 900)


def nothing(window: MainWindow) -> None:
    """The panel as it opens."""


def opened(*modules: str) -> Callable[[MainWindow], None]:
    """The graph with these modules open, all of it in sight."""

    def open_them(window: MainWindow) -> None:
        panel = window.deck.panel("graph")
        assert isinstance(panel, GraphPanel)
        for module in modules:
            assert panel.view is not None
            group = panel.view.tree.group_of_module(module)
            panel.choices.set_state(panel.choices.state.toggled(group))
            wait_until_ready(window)
        panel.canvas.fit()
        while panel.canvas.camera.is_moving:
            QApplication.processEvents()

    return open_them


def shared(window: MainWindow) -> None:
    """The storage with the most views."""
    newest = next(seen for seen in reversed(window.snapshot.storages) if seen["storages"])
    row = max(newest["storages"], key=lambda storage: len(storage["tensors"]))
    window.workspace.select(StorageSelection(int(row["data"]), int(newest["time_ns"])))


@dataclass(frozen=True)
class Shot:
    """A panel where it stands in a window of a size, or (``panel`` "") the whole window."""

    sample: str
    panel: str
    size: tuple[int, int] = LARGE
    prepare: Callable[[MainWindow], None] = nothing


PICTURES = {
    "graph": Shot("digits_cnn.py", "graph", TALL, opened("classifier")),
    "gradients": Shot("digits_cnn.py", "gradients", SMALL),
    "gpt": Shot("small_gpt.py", "graph", TALL, opened("blocks")),
    "memory": Shot("checkpointing.py", "memory"),
    "storages": Shot("views_and_copies.py", "storages", SMALL, shared),
    "problems": Shot("inplace_conflict.py", "", SMALL),
    "source": Shot("higher_order.py", "source", SMALL),
    "events": Shot("einsum_matmul.py", "events"),
}


def shot_picture(file: Path, shot: Shot) -> QImage:
    place: list[QRect] = []

    def prepare(window: MainWindow) -> None:
        if shot.panel:
            window.deck.show_panel(shot.panel)
            wait_until_ready(window)
        shot.prepare(window)
        wait_until_ready(window)
        panel = window.deck.panel(shot.panel)
        if panel is not None:
            sheet = window.deck.sheet_of(panel)
            place.append(QRect(sheet.mapTo(window, QPoint()), sheet.size()))

    picture = session_picture(ReplaySession(file), shot.size, "dark", prepare=prepare)
    return picture.copy(place[0]) if place else picture


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_the_tour_is_what_the_panel_shows(name: str, recorded: Callable[[str], Recording], qapp: Any, tmp_path: Path) -> None:
    kept = ROOT / "docs" / "tour" / f"{name}.png"
    picture = shot_picture(recorded(PICTURES[name].sample).file, PICTURES[name])
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
