"""Parameters that get gradients, backward after backward, and that no optimizer holds: they never move."""

from collections.abc import Iterator

from tensorscope.analysis.findings.facts import marks, said
from tensorscope.analysis.findings.made_at import made_at
from tensorscope.analysis.findings.unreached_parameters import reached_parameters
from tensorscope.analysis.gradients import parameter_name
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot


def parameters_without_optimizer(snapshot: Snapshot) -> Iterator[Finding]:
    """Where some optimizer steps parameters of the same root module, others of that module have gradients and no optimizer."""
    makings = {mark.a: mark for mark in marks(snapshot, MarkKind.OPTIMIZER_MADE)}
    stepping = {mark.a for mark in marks(snapshot, MarkKind.OPTIMIZER_STEP)}
    held = {int(one) for optimizer, told in snapshot.optimizers.items() if optimizer in stepping for one in told.get("parameters", ())}
    reached = reached_parameters(snapshot)
    roots = {_root(snapshot, one) for one in held} - {0}
    free = [one for one in snapshot.parameters if one in reached and one not in held and _root(snapshot, one) in roots]
    orphans = [one for one in held if one not in reached]
    if not free or orphans:
        return
    names = [parameter_name(snapshot, one) for one in free]
    roots = {_root(snapshot, one) for one in free}
    holders = [one for one in stepping if any(_root(snapshot, int(held_one)) in roots for held_one in snapshot.optimizers.get(one, {}).get("parameters", ()))]
    making = makings.get(holders[0]) if len(holders) == 1 else None
    made = made_at(snapshot, free)
    yield Finding(
        rule="parameters-without-optimizer",
        severity="warning",
        message=tr(
            "{count} parameters get gradients and belong to no optimizer ({names}): they never change. Give them to it, or freeze them (requires_grad_(False))."
        ).format(count=len(names), names=said(names)),
        source=making.source if making is not None and making.source is not None else made,
        related=(Related(made, tr("the first of them was made here")),) if made is not None and making is not None else (),
        evidence={"parameters": names},
        certainty=0.8,
        parameter=names[0],
    )


def _root(snapshot: Snapshot, parameter: int) -> int:
    module = snapshot.modules.get(int(snapshot.parameters.get(parameter, {}).get("module") or 0), {})
    return int(module.get("root") or 0)
