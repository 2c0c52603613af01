"""The command line: finds the command, and turns expected trouble into one sentence on stderr and exit code 2."""

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from tensorscope import __version__
from tensorscope.cli.display import has_display
from tensorscope.errors import TensorScopeError

USER_ERROR: Final = 2

# Each is a module with ``main(words) -> exit code``, imported only when its command is given.
COMMANDS: Final = ("record", "open", "serve", "attach", "relay", "query", "export", "check", "doctor")

HELP: Final = """\
Watch a PyTorch training script: graph, shared storages, gradients, memory. Nothing in the script changes.

  tensorscope [options] train.py [arguments…]              run and watch (also: -m package.module [arguments…]; -: standard input)
  tensorscope record [-o run.tscope] train.py [arguments…] record without a window, with the script's own exit code
  tensorscope [record] -- COMMAND [words…]                 any command, such as a torchrun line: the Python below it is watched
  tensorscope                                              what was run last, samples, served jobs
  tensorscope open FILE                                    look at a recording
  tensorscope serve [--name JOB] train.py [arguments…]     run without a window, which may come and go: attach
  tensorscope attach [[HOST:]JOB]                          the window on a served job, also on another machine, through ssh
  tensorscope query FILE VIEW --json                       ask a recording: summary, iterations, graph, gradients, memory, storages, findings, ops
  tensorscope check [--json F|-] [--sarif F] train.py …    run, print what is wrong, exit 1 if there is an error (also: check FILE)
  tensorscope export FILE --memory-png F                   pictures and tables of a recording (see export --help)
  tensorscope doctor                                       what works on this machine

Options of a run:
  --python INTERPRETER   run the script with this Python (default: the one TensorScope runs on)
  --iterations N         record N iterations; the script goes on after them
  --keep SPEC            what is kept in full: memory=1GiB,disk=4GiB,first=3,last=20 are the defaults
  --probe native|python  only the native probe, or the slower one in Python (default: native, and Python's where it cannot be built)
  --no-stacks            record no Python stacks
  --updates              read how far each optimizer step moves each parameter (costs a copy of the weights)
  --capture              of record: keep what the script prints as well, through a pipe or terminal of ours (the window and serve always do)
  --break SPEC           hold a backward before a node: line:model.py:77, node:Addmm*, module:h.2, param:*.bias, iteration:3, nonfinite, "grad>100";
                         commas mean "and", several --break "or"; record prints the stop and goes on
  --theme dark|light     of the window (also: tensorscope open --theme light FILE)
  --version, --help
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _occupy_standard_descriptors()
    if not words and has_display():
        return _run("welcome", words)
    if not words or words[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0 if words else USER_ERROR
    if words[0] == "--version":
        print(f"tensorscope {__version__}")
        return 0
    try:
        return run_command(words)
    except TensorScopeError as error:
        complain(str(error))
        return USER_ERROR


def run_command(words: Sequence[str]) -> int:
    """Raises TensorScopeError where the user can mend something."""
    return _run(words[0], list(words[1:])) if words[0] in COMMANDS else _run("run", list(words))


def is_read_by_a_person() -> bool:
    """Whether stderr is a terminal; it may be closed."""
    return sys.stderr is not None and sys.stderr.isatty()


def complain(sentence: str) -> None:
    """One line on stderr, where there is one."""
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr is not None:
            line = f"tensorscope: {sentence}".replace("\n", " ")
            sys.stderr.write(line.encode(sys.stderr.encoding or "utf-8", "backslashreplace").decode(sys.stderr.encoding or "utf-8") + "\n")
            sys.stderr.flush()


def _occupy_standard_descriptors() -> None:
    """Where stdin, stdout or stderr is closed, keep its number busy, or the next file we open would be the script's stdout. The script finds it closed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)


def _run(command: str, words: list[str]) -> int:
    code: int = import_module(f"tensorscope.cli.{command}").main(words)
    return code
