"""The command line: finds the command, and turns expected trouble into one sentence on stderr and exit code 2."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from tensorscope import __version__
from tensorscope.errors import TensorScopeError

USER_ERROR: Final = 2

# Each is a module with ``main(words) -> exit code``, imported only when its command is given.
COMMANDS: Final = ("record", "open", "query", "export", "doctor")

HELP: Final = """\
Watch a PyTorch training script: graph, shared storages, gradients, memory. Nothing in the script changes.

  tensorscope [options] train.py [arguments…]              run and watch (also: -m package.module [arguments…])
  tensorscope record [-o run.tscope] train.py [arguments…] record without a window, with the script's own exit code
  tensorscope open FILE                                    look at a recording
  tensorscope query FILE VIEW --json                       ask a recording: summary, iterations, graph, gradients, memory, storages, ops
  tensorscope export FILE --memory-png F                   pictures and tables of a recording (see export --help)
  tensorscope doctor                                       what works on this machine

Options of a run:
  --python INTERPRETER   run the script with this Python (default: the one TensorScope runs on)
  --iterations N         record N iterations; the script goes on after them
  --no-stacks            record no Python stacks
  --version, --help
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0 if words else USER_ERROR
    if words[0] == "--version":
        print(f"tensorscope {__version__}")
        return 0
    try:
        return _run(words[0], words[1:]) if words[0] in COMMANDS else _run("run", words)
    except TensorScopeError as error:
        print(f"tensorscope: {error}", file=sys.stderr)
        return USER_ERROR


def _run(command: str, words: list[str]) -> int:
    code: int = import_module(f"tensorscope.cli.{command}").main(words)
    return code
