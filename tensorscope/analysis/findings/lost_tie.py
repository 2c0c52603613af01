"""Two names for one parameter become two parameters: a load or an assignment untied them."""

from collections.abc import Iterator

from tensorscope.analysis.findings.made_at import made_at
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot


def lost_tie(snapshot: Snapshot) -> Iterator[Finding]:
    """A name that was an alias of one parameter is later the name of another."""
    told = list(snapshot.parameters.items())
    for identity, first in told:
        for alias in first.get("former_aliases", ()):
            later = next((other for other, known in told if other > identity and known.get("fqn") == alias), None)
            if later is not None:
                yield Finding(
                    rule="lost-tie",
                    severity="warning",
                    message=tr("{alias} and {name} were one parameter and are two now: they drift apart. Tie them again after loading.").format(
                        alias=alias, name=first.get("fqn")
                    ),
                    source=made_at(snapshot, [later]),
                    evidence={"names": [str(first.get("fqn")), str(alias)]},
                    parameter=str(alias),
                )
