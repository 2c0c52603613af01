"""A hook registered again and again and never removed: every call of the module runs all of them, and what they keep piles up."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from tensorscope.analysis.findings.facts import Mark, iteration_of, marks
from tensorscope.analysis.results import Finding, Source
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 4  # registrations on one module, each in an iteration of its own


def repeated_hooks(snapshot: Snapshot) -> Iterator[Finding]:
    """One line registers hooks on one module in several iterations, and there are more of them every time."""
    by_place: dict[tuple[Source, int], list[Mark]] = {}
    for mark in marks(snapshot, MarkKind.MODULE_HOOK):
        if mark.source is not None and mark.a:
            by_place.setdefault((mark.source, mark.a), []).append(mark)
    told: set[Source] = set()
    for (source, module), made in by_place.items():
        turns = [iteration_of(snapshot, mark.begin_ns) for mark in made]
        is_growing = all(later.x > earlier.x for earlier, later in pairwise(made))
        if source in told or not is_growing or len(set(turns)) < ENOUGH:
            continue
        told.add(source)
        known = snapshot.modules.get(module, {})
        name = f"{known.get('class') or '?'} {known.get('fqn') or ''}".rstrip()
        yield Finding(
            rule="repeated-hooks",
            severity="warning",
            message=tr(
                "A hook is registered on {module} again in every iteration and never removed: it has {count} by now, and each call runs them all. "
                "Register it once, or keep the handle and call its remove()."
            ).format(module=name, count=int(made[-1].x)),
            source=source,
            iteration=turns[0],
            last_iteration=turns[-1],
            evidence={"module": name, "hooks": int(made[-1].x), "registrations": len(made)},
            time_ns=made[-1].begin_ns,
        )
