"""A layer refused its input because sizes do not fit: which layer, what it takes, what it got."""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import iteration_of, line_at, raised
from tensorscope.analysis.modules import module_name
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.trace.schema import MODULE_CALLS
from tensorscope.trace.snapshot import Snapshot

LINEAR: Final = re.compile(r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)")
CHANNELS: Final = re.compile(r"expected input\[.*?\] to have (\d+) channels, but got (\d+) channels")


def misfit_input(snapshot: Snapshot) -> Iterator[Finding]:
    error = raised(snapshot)
    if error is None:
        return
    linear, channels = LINEAR.search(error.message), CHANNELS.search(error.message)
    module = _raising_module(snapshot)
    if module is None or (linear is None and channels is None):
        return
    takes, got = (linear[3], linear[2]) if linear is not None else (channels[1], channels[2]) if channels is not None else ("?", "?")
    fqn, kind = module_name(snapshot, module)
    made = line_at(snapshot.modules.get(module, {}).get("made"))
    yield Finding(
        rule="misfit-input",
        severity="error",
        message=tr("{kind} {name} takes {takes} {what} and got {got}. Change its size, or the shape of what comes in (flatten, transpose, view).").format(
            kind=kind, name=fqn, takes=takes, got=got, what=tr("features") if linear is not None else tr("channels")
        ),
        source=error.source,
        related=(Related(made, tr("made here")),) if made is not None and made != error.source else (),
        iteration=iteration_of(snapshot, error.time_ns),
        evidence={"module": fqn, "takes": int(takes), "got": int(got)},
        time_ns=error.time_ns,
    )


def _raising_module(snapshot: Snapshot) -> int | None:
    """The innermost module whose call raised last."""
    calls = snapshot.table(MODULE_CALLS)
    rows = np.flatnonzero(calls.column("flags") & 1)
    return int(calls.column("module")[rows[np.argmax(calls.column("begin_ns")[rows])]]) if len(rows) else None
