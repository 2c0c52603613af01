"""The options on bootstrap's command line (described there)."""

from typing import Final, NamedTuple, NoReturn

from tensorscope.protocol.area import DEFAULT_BLOCK_COUNT

WITH_VALUE: Final = ("--control-fd", "--probe", "--blocks", "--door", "--iterations")
FLAGS: Final = ("--no-stacks", "--updates", "--module")
PYTHON: Final = "python"
"""In the place of a probe's path: the one in Python."""


class Options(NamedTuple):
    script: str
    arguments: list[str]
    is_module: bool
    control_fd: int  # -1: none
    probe: str  # a path, PYTHON, or "": none
    blocks: int
    has_stacks: bool
    breaks: list[str]
    door: str  # "": processes below this one are not watched
    own_argument_count: int  # bootstrap.py and everything after it on the command line
    iterations: int = 0  # after as many the probe goes off; 0: never
    has_updates: bool = False  # read how far each optimizer step moves the weights


def parse_options(arguments: list[str]) -> Options:
    """Parse what follows bootstrap.py; a wrong line is a fault of the host, so it ends the process with one sentence."""
    values: dict[str, str] = {}
    breaks: list[str] = []
    rest = list(arguments)
    while rest and rest[0] != "--":
        word = rest.pop(0)
        if word in FLAGS:
            values[word] = "yes"
        elif word == "--break" and rest:
            breaks.append(rest.pop(0))
        elif word in WITH_VALUE and rest:
            values[word] = rest.pop(0)
        else:
            _refuse(f"bootstrap does not know {word!r}")
    if len(rest) < 2:
        _refuse("bootstrap needs a script after --")
    return Options(
        script=rest[1],
        arguments=rest[2:],
        is_module="--module" in values,
        control_fd=int(values.get("--control-fd", "-1")),
        probe=values.get("--probe", ""),
        blocks=int(values.get("--blocks", DEFAULT_BLOCK_COUNT)),
        has_stacks="--no-stacks" not in values,
        iterations=int(values.get("--iterations", 0)),
        has_updates="--updates" in values,
        breaks=breaks,
        door=values.get("--door", ""),
        own_argument_count=len(arguments) + 1,
    )


def _refuse(sentence: str) -> NoReturn:
    raise SystemExit(f"tensorscope: {sentence}")
