"""Why a panel is empty is told by what happened to the run."""

from dataclasses import replace

import pytest

from tensorscope.session.session import RunState, Status
from tensorscope.trace.trace import Trace
from tensorscope.viewmodel.emptiness import why_empty

BARE = Trace().snapshot()
TORCH = replace(BARE, facts={"torch_version": "2.13.0"})


@pytest.mark.parametrize(
    ("panel", "state", "snapshot", "told"),
    [
        ("memory", RunState.RUNNING, TORCH, ("No memory on record yet.", "It fills as soon as the script makes its first tensor.")),
        (
            "memory",
            RunState.RUNNING,
            replace(TORCH, facts={**TORCH.facts, "probe": "python"}),
            ("The Python probe sees no allocations.", "Install the package g++"),
        ),
        ("graph", RunState.STARTING, TORCH, ("No backward yet.", "comes first")),
        ("events", RunState.STARTING, TORCH, ("Nothing has come yet.", "comes first")),
        ("events", RunState.RUNNING, TORCH, ("Nothing has run yet.", "as they run")),
        ("events", RunState.RUNNING, BARE, ("Nothing has run yet.", "as soon as it imports torch")),
        ("storages", RunState.ENDED, TORCH, ("No storage was looked at.", "this run had none")),
        ("graph", RunState.ENDED, TORCH, ("No backward is on record.", "It ended before its first backward was done.")),
        ("graph", RunState.ENDED, replace(BARE, facts={"python_version": "3.11"}), ("No backward is on record.", "never imported torch")),
        ("events", RunState.CRASHED, BARE, ("No operator is on record.", "before torch was imported")),
        ("gradients", RunState.GONE, TORCH, ("No gradient is on record.", "before the window let go")),
    ],
)
def test_the_sentence_fits_the_run(panel: str, state: RunState, snapshot: object, told: tuple[str, str]) -> None:
    title, advice = why_empty(panel, Status(state, ""), snapshot)  # type: ignore[arg-type]
    assert title == told[0]
    assert told[1] in advice
