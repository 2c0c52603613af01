"""Diagnosed problems of a run. A rule is a file here with one pure function, and a line in ``RULES``."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tensorscope.analysis.findings.activation_before_loss import activation_before_loss
from tensorscope.analysis.findings.backward_without_graph import backward_without_graph
from tensorscope.analysis.findings.dropped_results import dropped_result, forgotten_call
from tensorscope.analysis.findings.evaluation import evaluation
from tensorscope.analysis.findings.growing_backward import growing_backward
from tensorscope.analysis.findings.growing_graph import growing_graph
from tensorscope.analysis.findings.late_clipping import late_clipping
from tensorscope.analysis.findings.leaf_loss import leaf_loss
from tensorscope.analysis.findings.leaf_replaced import leaf_replaced
from tensorscope.analysis.findings.loss_as_gradient import loss_as_gradient
from tensorscope.analysis.findings.lost_tie import lost_tie
from tensorscope.analysis.findings.misfit_input import misfit_input
from tensorscope.analysis.findings.never_stepped import never_stepped
from tensorscope.analysis.findings.nonfinite_gradients import nonfinite_gradients
from tensorscope.analysis.findings.out_of_memory import out_of_memory
from tensorscope.analysis.findings.outer_broadcast import outer_broadcast
from tensorscope.analysis.findings.overwritten_saved_tensor import overwritten_saved_tensor
from tensorscope.analysis.findings.parameters_without_optimizer import parameters_without_optimizer
from tensorscope.analysis.findings.piling_up import piling_up
from tensorscope.analysis.findings.refused_writes import non_leaf_parameter, write_to_expanded, write_to_leaf
from tensorscope.analysis.findings.repeated_hooks import repeated_hooks
from tensorscope.analysis.findings.saved_views import saved_views
from tensorscope.analysis.findings.second_backward import second_backward
from tensorscope.analysis.findings.small_views import small_views
from tensorscope.analysis.findings.steps_too_large import steps_too_large
from tensorscope.analysis.findings.uncleared_gradients import uncleared_gradients
from tensorscope.analysis.findings.undivided_accumulation import undivided_accumulation
from tensorscope.analysis.findings.unreached_parameters import unreached_parameters
from tensorscope.analysis.findings.unused_gradients import unused_gradients
from tensorscope.analysis.findings.vanishing_gradients import vanishing_gradients
from tensorscope.analysis.findings.zero_gradients import zero_gradients
from tensorscope.analysis.findings.zero_learning_rate import zero_learning_rate
from tensorscope.analysis.findings.zeroed_gradients import zeroed_gradients
from tensorscope.analysis.results import Finding
from tensorscope.trace.snapshot import Snapshot

Rule = Callable[[Snapshot], Iterable[Finding]]

RULES: tuple[Rule, ...] = (
    overwritten_saved_tensor,
    second_backward,
    write_to_expanded,
    write_to_leaf,
    non_leaf_parameter,
    backward_without_graph,
    out_of_memory,
    misfit_input,
    leaf_replaced,
    leaf_loss,
    never_stepped,
    zero_learning_rate,
    uncleared_gradients,
    unused_gradients,
    late_clipping,
    outer_broadcast,
    nonfinite_gradients,
    unreached_parameters,
    parameters_without_optimizer,
    lost_tie,
    activation_before_loss,
    repeated_hooks,
    saved_views,
    zeroed_gradients,
    loss_as_gradient,
    dropped_result,
    forgotten_call,
    growing_graph,
    growing_backward,
    piling_up,
    evaluation,
    zero_gradients,
    vanishing_gradients,
    steps_too_large,
    undivided_accumulation,
    small_views,
)

_ORDER: Final = ("error", "warning", "info")


def find(snapshot: Snapshot, rules: Sequence[Rule] | None = None) -> tuple[Finding, ...]:
    """What the rules (None: all of them) find: errors first, then by certainty, then by iteration; those of the whole run before the rest."""
    found = [finding for rule in (RULES if rules is None else rules) for finding in rule(snapshot)]
    return tuple(sorted(found, key=_place))


def _place(finding: Finding) -> tuple[int, float, int]:
    return _ORDER.index(finding.severity), -finding.certainty, -1 if finding.iteration is None else finding.iteration
