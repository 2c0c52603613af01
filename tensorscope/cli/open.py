"""``tensorscope open``: look at a recording in the window."""

from collections.abc import Sequence
from pathlib import Path

from tensorscope.cli.display import need_display
from tensorscope.errors import TensorScopeError
from tensorscope.session.replay import ReplaySession


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print("tensorscope open FILE")
        return 0
    if len(arguments) != 1:
        raise TensorScopeError("open takes one recording, such as tensorscope open run.tscope.")
    session = ReplaySession(Path(arguments[0]))
    try:
        need_display()
        from tensorscope.gui.app import run_window

        run_window(session)
    finally:
        session.close()
    return 0
