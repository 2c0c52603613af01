"""Two names for one parameter become two parameters: a load or an assignment untied them."""

from collections.abc import Iterator

from tensorscope.analysis.findings.facts import marks
from tensorscope.analysis.findings.made_at import made_at
from tensorscope.analysis.results import Finding, Source
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot


def lost_tie(snapshot: Snapshot) -> Iterator[Finding]:
    """A name that was an alias of one parameter, or still was when a load untied some, is later the name of another."""
    load = _untying_load(snapshot)
    told = list(snapshot.parameters.items())
    for identity, first in told:
        for alias in (*first.get("former_aliases", ()), *(first.get("aliases", ()) if load is not None else ())):
            later = next((other for other, known in told if other > identity and known.get("fqn") == alias), None)
            if later is not None:
                yield Finding(
                    rule="lost-tie",
                    severity="warning",
                    message=tr("{alias} and {name} were one parameter and are two now: they drift apart. Tie them again after loading.").format(
                        alias=alias, name=first.get("fqn")
                    ),
                    source=load or made_at(snapshot, [later]),
                    evidence={"names": [str(first.get("fqn")), str(alias)], "is_by_load_state_dict": load is not None},
                    parameter=str(alias),
                )


def _untying_load(snapshot: Snapshot) -> Source | None:
    """The line of the ``load_state_dict(assign=True)`` that put a tensor of its own under each name."""
    return next((mark.source for mark in marks(snapshot, MarkKind.LOAD) if mark.x > 0), None)
