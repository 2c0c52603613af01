"""Runs a script under a live session and steps through its whole first backward, node by node; then lets it go on to its end.

Usage: step_through.py RECORDING HOLDS.json SCRIPT [arguments…]      exits with the script's code, writes what each hold told
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from tensorscope.session.build import find_probe
from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.session.session import RunState

OVER = (RunState.ENDED, RunState.CRASHED)
LIMIT_S = 600


def is_complete(holds: list[dict[str, Any]]) -> bool:
    """Whether every node of the first backward was held."""
    return sum(hold["backward"] == holds[0]["backward"] for hold in holds) == holds[0]["count"]


def step_through(session: LiveSession) -> list[dict[str, Any]]:
    """Every ``held`` message of the first backward, and of those that run inside it, in order."""
    holds: list[dict[str, Any]] = []
    deadline = time.monotonic() + LIMIT_S
    while session.status.state not in OVER and time.monotonic() < deadline:
        status = session.status
        if status.state is RunState.RUNNING and not holds:
            session.pause()
        elif status.state is RunState.HELD and status.held is not None:
            if holds and status.held["backward"] != holds[0]["backward"] and is_complete(holds):
                session.resume()
                break
            if not holds or status.held["time_ns"] != holds[-1]["time_ns"]:
                holds.append(status.held)
                session.step_node()
        time.sleep(0.001)
    return holds


def main() -> int:
    recording, report, script, *arguments = sys.argv[1:]
    options = LaunchOptions(script=script, arguments=tuple(arguments))
    session = LiveSession(options, Path(recording), find_probe(options.interpreter))
    try:
        holds = step_through(session)
        assert session.wait(LIMIT_S), "the script did not end"
    finally:
        session.close()
    Path(report).write_text(json.dumps(holds), encoding="utf-8")
    return session.status.exit_code or 0


if __name__ == "__main__":
    sys.exit(main())
