"""``tensorscope open``: look at a recording in the window."""

from collections.abc import Sequence
from pathlib import Path

from tensorscope.cli.display import need_display
from tensorscope.cli.parser import Parser
from tensorscope.cli.run_arguments import THEMES
from tensorscope.errors import TensorScopeError
from tensorscope.session.replay import ReplaySession


def main(arguments: Sequence[str]) -> int:
    parser = Parser(prog="tensorscope open", description="Look at a recording or a CUDA memory snapshot in the window.", allow_abbrev=False)
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="a recording (.tscope) or a CUDA memory snapshot (.pickle)")
    parser.add_argument("--theme", choices=THEMES, default="", help="by default as the window was left, else as the system")
    options = parser.parse_args(arguments)
    if len(options.files) != 1:
        also = "; comparing two comes in a later version" if options.files else ""
        raise TensorScopeError(f"open takes one recording, such as tensorscope open run.tscope{also}.")
    session = ReplaySession(options.files[0])
    try:
        need_display()
        from tensorscope.gui.app import run_window

        run_window(session, options.theme, command=("open", str(options.files[0].resolve())))
    finally:
        session.close()
    return 0
