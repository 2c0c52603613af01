"""What the other samples' texts promise, in the real window, by keys: a line a sample says what is pressed and what then stands in a panel."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic

import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.panels.events import EventsPanel
from tensorscope.gui.panels.gradients import GradientsPanel
from tensorscope.gui.panels.graph import GraphPanel
from tensorscope.gui.panels.problems import ProblemsPanel
from tensorscope.gui.panels.storages import StoragesPanel
from tensorscope.session.replay import ReplaySession
from tensorscope.viewmodel.gradients import STAGES
from tests.gui.conftest import Opener, wait_until_ready
from tests.truth.harness import Recording

PATIENCE_S = 240.0


@dataclass(frozen=True)
class Story:
    """``keys``: a key each, or ``type TEXT``; ``shown`` and ``absent`` are words of the panel that has the keys then."""

    sample: str
    keys: tuple[str, ...]
    shown: tuple[str, ...]
    absent: tuple[str, ...] = ()


STORIES = (
    Story("small_gpt.py", ("Alt+2",), ("group blocks", "EmbeddingBackward0", "SoftmaxBackward0")),
    Story("gan.py", ("Alt+2",), ("group critic", "group generator")),
    Story("gan.py", ("Alt+2", "["), ("group critic",), ("group generator",)),
    Story("copies_in_the_loop.py", ("Alt+1", "Ctrl+F", "type aten::_to_copy"), ("aten::_to_copy", "Iteration 9")),
    Story("small_tensors.py", ("Alt+7",), ("buffer", "states[0]", "states[999]")),
    Story("accumulation.py", ("Alt+6",), ("0.weight", "ACCUMULATED")),
    Story("higher_order.py", ("Alt+2",), ("TanhBackwardBackward0", "TanhBackward0")),
    Story("higher_order.py", ("Alt+2", "["), ("TanhBackward0",), ("TanhBackwardBackward0",)),
    Story("mixed_precision.py", ("Alt+6",), ("raw", "unscaled", "clipped", "SKIPPED", "loss scale")),
    Story("custom_function.py", ("Alt+2",), ("RoundStraightThroughBackward", "group 0", "group 2")),
    Story("retain_grad.py", ("Alt+6",), ("hidden[0]", "hidden[4]")),
    Story("detach_misuse.py", ("F8",), ("No backward reaches 2 of the optimizer's 4 parameters (encoder.weight, encoder.bias)",)),
    Story("tied_weights.py", ("F8",), ("head.weight and token.weight were one parameter and are two now",)),
    Story("profiler_inside.py", ("Alt+1",), ("Iteration 0", "Iteration 5")),
    Story("checkpointing.py", ("Alt+1", "Ctrl+F", "type aten::gelu"), ("aten::gelu", "backward")),
    Story("einsum_matmul.py", ("Alt+1", "Ctrl+F", "type aten::einsum"), ("aten::einsum", "Iteration 2")),
    Story("views_and_copies.py", ("Alt+7",), ("stride 0", "6 tensors", "copy", "flat")),
)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.sample}-{'-'.join(story.keys)}")
def test_a_samples_story_is_shown_after_its_keys(open_window: Opener, recorded: Callable[[str], Recording], story: Story) -> None:
    window = open_window(ReplaySession(recorded(story.sample).file))
    window.activateWindow()
    for key in story.keys:
        press(window, key)
        wait_until_ready(window)
    deadline = monotonic() + PATIENCE_S
    while missing(window, story):
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        assert monotonic() < deadline, f"waited in vain for {missing(window, story)}"


def press(window: MainWindow, key: str) -> None:
    at = window.focusWidget() or window
    if key.startswith("type "):
        QTest.keyClicks(at, key.removeprefix("type "))
    else:
        combination = QKeySequence(key)[0]  # type: ignore[index]
        QTest.keyClick(at, combination.key(), combination.keyboardModifiers())


def missing(window: MainWindow, story: Story) -> list[str]:
    """What is not as the story tells."""
    texts = list(words(window))
    lacking = [word for word in story.shown if not any(text == word or text.startswith(f"{word}:") for text in texts)]
    return lacking + [f"no {word}" for word in story.absent if word in texts]


def words(window: MainWindow) -> Iterator[str]:
    """What stands in the panel that has the keys."""
    panel = window.deck.focused
    if isinstance(panel, GraphPanel) and panel.view is not None:
        yield from (node.name for node in panel.view.graph.nodes)
        yield from (f"group {group.name}" for box in panel.view.scene.boxes for group in box.groups)
    elif isinstance(panel, GradientsPanel) and panel.plot.look is not None:
        look = panel.plot.look
        yield from look.rows.names
        yield from (STAGES[stage] for stage in look.view.stages)
        yield from (lane.title for lane in look.lanes.lines)
        yield from (str(kind.name) for kind in look.lanes.kinds)
    elif isinstance(panel, StoragesPanel):
        for item in panel.model.items:
            yield from (item.name, *(badge.word for badge in item.badges))
    elif isinstance(panel, EventsPanel):
        yield from (row.label for row in panel.rows)
    elif isinstance(panel, ProblemsPanel) and panel.chosen is not None:
        yield panel.chosen.words
