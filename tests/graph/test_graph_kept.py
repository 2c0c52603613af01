"""What the user chose of the graph is there again after a restart, with the same recording and in the next run of the same script."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tensorscope.gui.choice_keeper import ChoiceKeeper
from tensorscope.gui.settings import Settings
from tensorscope.viewmodel.graph_find import Kind
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_kept import kinds_from_json, measure_from_json, options_from_json, state_as_json, state_from_json
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_options import Flow, GraphOptions, Reading
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_tree import GroupKey
from tests.graph.desk import Desk
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

H2 = GroupKey("h.2", 0)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    from PySide6.QtCore import QSettings

    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path))
    return Settings()


def test_directions_switches_colours_and_pins_are_there_again(qapp: QApplication) -> None:
    first = Desk(demo_snapshot())
    first.panel.choices.show_options(GraphOptions(Flow.RIGHT, Reading.DATA, has_dtypes=True, has_parameters=False))
    first.panel.choices.show_measure(Measure.SAVED)
    first.panel.choices.pin(BoxKey(-1, H2))
    first.panel.toggle_kind(Kind.TENSOR)
    again = Desk(demo_snapshot(), first.kept)
    assert again.panel.choices.options == GraphOptions(Flow.RIGHT, Reading.DATA, has_dtypes=True, has_parameters=False)
    assert again.panel.tools.menu.options.flow is Flow.RIGHT
    assert again.panel.tools.colour.currentIndex() == list(Measure).index(Measure.SAVED)
    assert again.panel.view is not None
    assert again.panel.view.heat is not None
    assert again.box(BoxKey(-1, H2)).kind is BoxKind.OPEN
    assert again.panel.view.state.pinned == {H2}
    again.panel.search("relu 32")
    again.panel.toggle_kind(Kind.TENSOR)
    third = Desk(demo_snapshot(), first.kept)
    assert third.panel.choices.state.pinned == {H2}
    for desk in (first, again, third):
        desk.close()


def test_opened_modules_are_kept_with_their_run_and_what_is_revealed_is_not() -> None:
    state = OpenState(frozenset({H2}), frozenset({GroupKey("h", 0)}), frozenset(), frozenset({GroupKey("h.3", 0)}), frozenset({GroupKey("h.1", 2)}))
    assert state_as_json(state) == {"opened": [["h.2", 0]], "closed": [["h", 0]], "pinned": [["h.1", 2]]}
    assert state_from_json(state_as_json(state)) == OpenState(state.opened, state.closed, frozenset(), frozenset(), state.pinned)


@pytest.mark.parametrize("damaged", [None, 7, "x", [], {"opened": 3, "pinned": [["h"], [1, "2"]], "flow": "UP", "has_times": "no"}])
def test_a_damaged_file_is_as_none(damaged: Any) -> None:
    assert state_from_json(damaged) == OpenState()
    assert options_from_json(damaged) == GraphOptions()
    assert measure_from_json(damaged) is Measure.PROGRESS
    assert kinds_from_json(damaged) <= frozenset(Kind)


def test_a_recording_keeps_its_own_and_a_new_run_of_the_script_begins_with_the_last_ones(settings: Settings) -> None:
    def keeper(path: str, title: str) -> ChoiceKeeper:
        session = FakeSession(demo_snapshot(), title=title)
        session.path = Path(path)
        return ChoiceKeeper(session, settings)

    keeper("/r/1.tscope", "train.py").keep_of_run("graph.open", "first")
    keeper("/r/2.tscope", "train.py").keep_of_run("graph.open", "second")
    keeper("/r/2.tscope", "train.py").keep("graph.colour", "TIME")
    assert keeper("/r/1.tscope", "train.py").value_of_run("graph.open") == "first"
    assert keeper("/r/3.tscope", "train.py").value_of_run("graph.open") == "second"
    assert keeper("/r/3.tscope", "other.py").value_of_run("graph.open") is None
    assert keeper("/r/3.tscope", "other.py").value("graph.colour") == "TIME"
