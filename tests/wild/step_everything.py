"""Runs a script under a live session and holds it before every node of every backward, one after another.

Usage: step_everything.py RECORDING SCRIPT [arguments…]      exits with the script's code
"""

import sys
import threading
from pathlib import Path

from tensorscope.session.build import find_probe
from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.session.session import RunState


def main() -> int:
    recording, script, *arguments = sys.argv[1:]
    options = LaunchOptions(script=script, arguments=tuple(arguments))
    session = LiveSession(options, Path(recording), find_probe(options.interpreter))
    changed = threading.Event()
    stop_listening = session.listen(lambda _: changed.set())
    try:
        while not session.wait(0):
            if session.status.state in (RunState.RUNNING, RunState.HELD):
                session.step_node()
            changed.wait(0.002)
            changed.clear()
    finally:
        stop_listening()
        session.close()
    return session.status.exit_code or 0


if __name__ == "__main__":
    sys.exit(main())
