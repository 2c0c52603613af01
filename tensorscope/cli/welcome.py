"""``tensorscope`` without a script: the welcome window, again after each command that could not be done."""

from collections.abc import Sequence
from pathlib import Path

import tensorscope
from tensorscope.cli.main import run_command
from tensorscope.cli.recordings import kept_recordings
from tensorscope.errors import TensorScopeError


def main(arguments: Sequence[str]) -> int:
    from tensorscope.gui.welcome import ask_welcome

    project = Path(tensorscope.__file__).parent.parent  # a source tree; an installed package has neither samples nor docs beside it
    trouble = ""
    while words := ask_welcome(kept_recordings(), project, trouble):
        try:
            return run_command(words)
        except TensorScopeError as error:
            trouble = str(error)
    return 0
