"""The gradients panel's choices as JSON and back: stage, rows, scale for all runs; pinned, muted and lone curves with a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tensorscope.viewmodel.gradient_curves import CurveChoice
from tensorscope.viewmodel.gradient_series import SeriesKind
from tensorscope.viewmodel.gradient_state import GradientRequest
from tensorscope.viewmodel.gradients import STAGES
from tensorscope.viewmodel.kept import Kept


@dataclass(frozen=True, slots=True)
class GradientChoices:
    request: GradientRequest = field(default_factory=GradientRequest)
    is_robust: bool = True
    is_log: bool = True


def recall(kept: Kept) -> GradientChoices:
    """What is missing or cannot be read is as it is at first."""
    general, of_run = (value if isinstance(value, dict) else {} for value in (kept.value("gradients"), kept.value_of_run("gradients.curves")))
    stage, depth = general.get("stage"), general.get("depth")
    request = GradientRequest(
        stage=stage if isinstance(stage, int) and stage in STAGES else 1,
        depth=depth if isinstance(depth, int) and not isinstance(depth, bool) else None,
        choice=CurveChoice(_names(of_run.get("pinned")), frozenset(_names(of_run.get("muted"))), str(of_run.get("solo", ""))),
        kind=SeriesKind.__members__.get(str(general.get("kind")), SeriesKind.NORMS),
    )
    return GradientChoices(request, general.get("is_robust") is not False, general.get("is_log") is not False)


def remember(kept: Kept, choices: GradientChoices) -> None:
    request, choice = choices.request, choices.request.choice
    general = {"stage": request.stage, "depth": request.depth, "kind": request.kind.name, "is_robust": choices.is_robust, "is_log": choices.is_log}
    kept.keep("gradients", general)
    kept.keep_of_run("gradients.curves", {"pinned": list(choice.pinned), "muted": sorted(choice.muted), "solo": choice.solo})


def _names(value: Any) -> tuple[str, ...]:
    return tuple(str(name) for name in value) if isinstance(value, list) else ()
