"""Parameters that an optimizer holds and no backward ever reached: an unused layer, a cut graph, a layer replaced after the optimizer was made."""

from collections.abc import Iterator

from tensorscope.analysis.findings.facts import Mark, marks, said
from tensorscope.analysis.findings.made_at import made_at, used_at
from tensorscope.analysis.gradients import parameter_name
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.schema import GRADIENTS, MODULE_CALLS
from tensorscope.trace.snapshot import Snapshot


def unreached_parameters(snapshot: Snapshot) -> Iterator[Finding]:
    """Asked of optimizers that stepped after at least one backward that reached something."""
    reached = reached_parameters(snapshot)
    backwards = [mark for mark in marks(snapshot, MarkKind.BACKWARD) if not mark.has_raised]
    stepped = {mark.a: mark for mark in marks(snapshot, MarkKind.OPTIMIZER_STEP)}
    if not reached & {int(one) for told in snapshot.optimizers.values() for one in told.get("parameters", ())} or not backwards:
        return
    for optimizer, told in snapshot.optimizers.items():
        held = [int(one) for one in told.get("parameters", ())]
        missing = [one for one in held if one not in reached and one in snapshot.parameters and not _is_free_bias(snapshot, one, reached)]
        if optimizer in stepped and missing:
            owned = [one for one in missing if snapshot.parameters[one].get("module")]
            orphans = [one for one in missing if one not in owned]
            if owned:
                yield _unreached(snapshot, owned, len(held), backwards[0])
            if orphans and len(orphans) < len(held):
                yield _orphaned(snapshot, orphans, str(told.get("name") or told.get("class") or "optimizer"), reached)


def reached_parameters(snapshot: Snapshot) -> set[int]:
    """Ids of parameters that ever had a gradient."""
    return set(snapshot.table(GRADIENTS).column("parameter").tolist())


def _is_free_bias(snapshot: Snapshot, parameter: int, reached: set[int]) -> bool:
    """A bias beside a weight that is reached: the loss does not depend on it, as on that of the last layer where only derivatives count."""
    told = snapshot.parameters[parameter]
    is_bias = str(told.get("fqn")).rpartition(".")[2].startswith("bias")
    return is_bias and any(one in reached and known.get("module") == told.get("module") for one, known in snapshot.parameters.items())


def _unreached(snapshot: Snapshot, missing: list[int], held: int, backward: Mark) -> Finding:
    names = [parameter_name(snapshot, one) for one in missing]
    called = {int(one.get("module") or 0) for one in map(snapshot.parameters.__getitem__, missing)} & _called_modules(snapshot)
    why = tr("their module is called, but the graph from the loss does not lead to them") if called else tr("their module is never called")
    return Finding(
        rule="unreached-parameters",
        severity="warning",
        message=tr("No backward reaches {count} of the optimizer's {held} parameters ({names}): {why}.").format(
            count=len(missing), held=held, names=said(names), why=why
        ),
        source=(used_at(snapshot, missing, backward.begin_ns) if called else None) or made_at(snapshot, missing) or backward.source,
        related=(Related(backward.source, tr("this backward does not reach them")),) if backward.source is not None else (),
        evidence={"parameters": names, "held": held, "is_called": bool(called)},
        certainty=0.9,
        parameter=names[0],
    )


def _orphaned(snapshot: Snapshot, orphans: list[int], optimizer: str, reached: set[int]) -> Finding:
    held = {int(one) for told in snapshot.optimizers.values() for one in told.get("parameters", ())}
    left_out = [one for one in snapshot.parameters if one in reached and one not in held and snapshot.parameters[one].get("module")]
    names = [parameter_name(snapshot, one) for one in left_out]
    shapes = [str(list(snapshot.parameters[one].get("shape") or ())) for one in orphans]
    instead = tr("; {names} take part in the training and belong to no optimizer").format(names=said(names)) if names else ""
    return Finding(
        rule="orphaned-parameters",
        severity="error",
        message=tr(
            "{optimizer} holds {count} tensors ({shapes}) that are in no module and get no gradient{instead}. Make the optimizer after the model is final."
        ).format(optimizer=optimizer, count=len(orphans), shapes=said(shapes), instead=instead),
        source=made_at(snapshot, left_out) if left_out else made_at(snapshot, orphans),
        evidence={"tensors": len(orphans), "left_out": names},
        parameter=names[0] if names else "",
    )


def _called_modules(snapshot: Snapshot) -> set[int]:
    return set(snapshot.table(MODULE_CALLS).column("module").tolist())
