"""The words about one cell, one curve, one iteration of the gradients panel: hover cards, screen readers, the clipboard."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from tensorscope.analysis.training_marks import TrainingMarks
from tensorscope.language import tr
from tensorscope.units import UNKNOWN, format_count, format_norm
from tensorscope.viewmodel.gradient_codes import Cell
from tensorscope.viewmodel.gradient_rows import MapRow, exact_norm
from tensorscope.viewmodel.gradient_series import SeriesKind
from tensorscope.viewmodel.gradient_state import GradientState
from tensorscope.viewmodel.gradients import STAGES, GradientFact, GradientMap, facts_of, norms_at
from tensorscope.viewmodel.words import word_of

_MOST_BACKWARDS: Final = 3
Facts = tuple[tuple[str, str], ...]


def row_facts(state: GradientState, row: MapRow, iteration: int) -> Facts:
    """(label, value) lines of a row in an iteration, what the loop did in it last."""
    facts = module_facts(state.map, row.members, iteration) if row.is_module else cell_facts(state.map, row.members[0], iteration)
    return (*facts, *loop_facts(state.told, iteration))


def cell_facts(view: GradientMap, parameter: int, iteration: int) -> Facts:
    """(label, value) lines of one cell; with several backwards in the iteration, one line each, the last one first."""
    found = facts_of(view, parameter, iteration)
    if not found:
        if view.cell(parameter, iteration) is Cell.NOT_RUN:
            return ((tr("gradient"), tr("none on record: the backward raised") if iteration in view.raised else tr("not computed yet")),)
        return ((tr("gradient"), tr("none in this iteration")),)
    last = found[-1]
    if not last.is_read:
        facts = [(tr("norm"), f"{UNKNOWN} {tr('not read on this device')}")]
    else:
        facts = [(tr("norm, {stage}").format(stage=word_of(STAGES[view.stage])), exact(last.norm)), (tr("max |x|"), exact(last.max_abs))]
    facts += _other_stages(view, parameter, iteration)
    facts.append(_elements(last))
    if not math.isnan(last.weight_norm):
        facts.append((tr("weight norm"), exact(last.weight_norm)))
    if not math.isnan(last.update_norm):
        facts.append((tr("update norm"), exact(last.update_norm)))
    if len(found) > 1:
        facts += [(tr("backward {number}").format(number=fact.backward), format_norm(fact.norm)) for fact in found[-_MOST_BACKWARDS:]]
        if len(found) > _MOST_BACKWARDS:
            facts.append((tr("and"), tr("{count} backwards before").format(count=len(found) - _MOST_BACKWARDS)))
    else:
        facts.append((tr("backward"), format_count(last.backward)))
    return tuple(facts)


def module_facts(view: GradientMap, members: Sequence[int], iteration: int) -> Facts:
    """(label, value) lines of several parameters together in an iteration."""
    norm, count, nonfinite = exact_norm(view, members, iteration)
    if not count:
        return ((tr("gradient"), tr("none in this iteration")),)
    facts = [(tr("norm, {stage}").format(stage=word_of(STAGES[view.stage])), exact(norm) if nonfinite or not math.isnan(norm) else UNKNOWN)]
    facts.append((tr("parameters"), format_count(count) if count == len(members) else tr("{count} of {all}").format(count=count, all=len(members))))
    if nonfinite:
        facts.append((tr("not finite"), tr("{count} elements").format(count=format_count(nonfinite))))
    largest = largest_of(view, members, iteration)
    return (*facts, (tr("largest"), view.parameters[largest])) if largest is not None else tuple(facts)


def curve_facts(state: GradientState, name: str, iteration: int) -> tuple[str, Facts]:
    """Title and lines of a curve in an iteration; the curves of one row's series each say their value there."""
    if state.request.kind is not SeriesKind.NORMS:
        at = iteration - state.map.first_iteration
        values = tuple((curve.name, exact(float(curve.norms[at]))) for curve in state.series.curves if math.isfinite(curve.norms[at]))
        return state.series.name, (*values, *loop_facts(state.told, iteration))
    if name in state.map.parameters:
        return name, (*cell_facts(state.map, state.map.parameters.index(name), iteration), *loop_facts(state.told, iteration))
    curve = next(one for one in state.curves if one.name == name)
    return name, (*module_facts(state.map, curve.parameters, iteration), *loop_facts(state.told, iteration))


def loop_facts(told: TrainingMarks, iteration: int) -> Facts:
    """(label, value) lines on what the training loop did in an iteration."""
    at = iteration - told.first_iteration
    if not 0 <= at < len(told.accumulated):
        return ()
    many = len(told.learning_rates) > 1
    facts = [(f"{tr('lr')} {one.optimizer}" if many else tr("learning rate"), f"{one.rates[at]:.6g}") for one in told.learning_rates if one.rates[at] >= 0]
    if not np.isnan(told.loss_scale[at]):
        facts.append((tr("loss scale"), f"{told.loss_scale[at]:,.6g}"))
    if told.accumulated[at] > 1:
        facts.append((tr("accumulated"), tr("{count} backwards").format(count=int(told.accumulated[at]))))
    if not np.isnan(told.clip_limit[at]):
        facts.append((tr("clipped") if told.is_clipped[at] else tr("not clipped"), _clip_words(float(told.clip_norm[at]), float(told.clip_limit[at]))))
    if told.is_skipped[at]:
        facts.append((tr("step"), tr("skipped by GradScaler")))
    return tuple(facts)


def largest_of(view: GradientMap, members: Iterable[int], iteration: int) -> int | None:
    """Of several parameters the one with the largest norm in an iteration."""
    norms, _ = norms_at(view, iteration)
    return max((member for member in members if np.isfinite(norms[member])), key=lambda member: float(norms[member]), default=None)


def exact(value: float) -> str:
    """With all the digits that are worth comparing: ``0.0518273`` where the short form is ``0.0518``."""
    return format_norm(value) if not math.isfinite(value) or value == 0 else f"{value:.7g}".replace("e-0", "e-").replace("e+0", "e")


def _other_stages(view: GradientMap, parameter: int, iteration: int) -> list[tuple[str, str]]:
    """The norms of the other stages in this iteration."""
    found = [(word_of(STAGES[stage]), facts_of(view, parameter, iteration, stage)) for stage in view.stages if stage != view.stage]
    return [(name, exact(facts[-1].norm)) for name, facts in found if facts and facts[-1].is_read]


def _elements(fact: GradientFact) -> tuple[str, str]:
    if fact.nonfinite:
        return tr("not finite"), tr("{count} of {all}").format(count=format_count(fact.nonfinite), all=format_count(fact.numel))
    if fact.norm == 0:
        return tr("elements"), tr("all {count} are zero").format(count=format_count(fact.numel))
    return tr("elements"), format_count(fact.numel)


def _clip_words(norm: float, limit: float) -> str:
    if math.isnan(norm):
        return tr("to {limit}").format(limit=f"{limit:g}")
    return tr("{norm} to {limit}").format(norm=exact(norm), limit=f"{limit:g}") if norm > limit else f"{exact(norm)} ≤ {limit:g}"
