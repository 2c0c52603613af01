"""What was chosen in the gradients panel is there again after a restart."""

from dataclasses import replace
from typing import Any

import pytest

from tensorscope.gui.panels.gradients import GradientsPanel
from tensorscope.viewmodel.gradient_curves import CurveChoice
from tensorscope.viewmodel.gradient_kept import GradientChoices, recall, remember
from tensorscope.viewmodel.gradient_series import SeriesKind
from tensorscope.viewmodel.gradient_state import GradientRequest
from tensorscope.viewmodel.kept import Kept
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import staged

CHOSEN = GradientChoices(
    GradientRequest(stage=3, depth=2, choice=CurveChoice(("h.0.weight", "h.1.bias"), frozenset({"head.weight"}), "h.0.weight"), kind=SeriesKind.STAGES),
    is_robust=False,
    is_log=False,
)


def test_stage_rows_scale_and_curves_are_kept() -> None:
    kept = Kept()
    assert recall(kept) == GradientChoices()
    remember(kept, CHOSEN)
    assert recall(kept) == CHOSEN


@pytest.mark.parametrize("damaged", [None, 3, [], {"stage": 9, "depth": "x", "kind": "?", "is_log": 0, "pinned": 7, "muted": None}])
def test_a_damaged_file_is_as_none(damaged: Any) -> None:
    kept = Kept()
    kept.keep("gradients", damaged)
    kept.keep_of_run("gradients.curves", damaged)
    assert recall(kept) == GradientChoices()


def test_the_panel_keeps_what_is_chosen_in_it(qapp: object) -> None:
    with staged(GradientsPanel, demo_snapshot("cuda", is_held=False), (500, 400)) as stage:
        name = stage.panel.plot.look.rows.names[5]
        stage.panel._do("pin", name)
        stage.panel.tools.range_chosen.emit(False)
        known = recall(stage.panel.context.kept)
    assert known == replace(GradientChoices(), request=GradientRequest(choice=CurveChoice((name,))), is_robust=False)
