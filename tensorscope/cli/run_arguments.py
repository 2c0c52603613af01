"""The options of a run, before the script; everything from the script on is the script's, untouched."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tensorscope.errors import ProtocolError, TensorScopeError
from tensorscope.protocol.breakpoints import parse_breakpoint
from tensorscope.session.build import ANY, NATIVE, PYTHON
from tensorscope.session.keep_spec import parse_keep
from tensorscope.session.launch import LaunchOptions, inherited_descriptors
from tensorscope.trace.retention import Keep

WITH_VALUE: Final = {
    "--python": "an interpreter",
    "--iterations": "a number",
    "--probe": "native or python",
    "--keep": "budgets, such as memory=1GiB,disk=4GiB,first=3,last=20",
    "-o": "a file",
    "--output": "a file",
    "--theme": "dark or light",
    "--name": "a job's name",
}
DEFAULT_KEEP: Final = Keep()
OF_RECORD: Final = ("-o", "--output")
OF_WINDOW: Final = ("--theme",)
OF_SERVE: Final = ("--name",)
THEMES: Final = ("dark", "light")


@dataclass(frozen=True, slots=True)
class RunArguments:
    options: LaunchOptions
    output: Path | None
    theme: str  # "": as kept or as the system
    name: str | None = None  # of the served job; None: made from the script's
    keep: Keep | None = None  # None: the default


def parse_run(words: Sequence[str], *, has_output: bool, has_window: bool = False, has_name: bool = False) -> RunArguments:
    """Parse ``[options] SCRIPT [arguments…]``; raises TensorScopeError saying what is wrong."""
    refused = [word for words, is_had in ((OF_RECORD, has_output), (OF_WINDOW, has_window), (OF_SERVE, has_name)) if not is_had for word in words]
    known = [word for word in WITH_VALUE if word not in refused]
    rest = list(words)
    values: dict[str, str] = {}
    breaks: list[str] = []
    is_captured = not has_output
    is_module = is_command = False
    has_stacks, has_updates = True, False
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word, equals, value = rest.pop(0).partition("=")
        if word == "--no-stacks" and not equals:
            has_stacks = False
        elif word == "--updates" and not equals:
            has_updates = True
        elif word == "--capture" and not equals and has_output:
            is_captured = True
        elif word in ("-m", "--") and not equals:
            is_module, is_command = word == "-m", word == "--"
            break
        elif word == "--break":
            if not equals and not rest:
                raise TensorScopeError("--break needs what to hold at, such as line:model.py:77.")
            breaks.append(_breakpoint(value if equals else rest.pop(0), has_stacks=has_stacks))
        elif word in known:
            if not equals and not rest:
                raise TensorScopeError(f"{word} needs {WITH_VALUE[word]}.")
            values[word] = value if equals else rest.pop(0)
        else:
            raise TensorScopeError(f"There is no option {word} here; see tensorscope --help.")
    if not rest:
        raise TensorScopeError("Which script? Give a Python file, or -m and a module; see tensorscope --help.")
    output = values.get("-o", values.get("--output"))
    options = LaunchOptions(
        script=rest[0],
        arguments=tuple(rest[1:]),
        is_module=is_module,
        is_command=is_command,
        interpreter=_interpreter(values.get("--python"), rest[0] if is_command else ""),
        has_stacks=has_stacks,
        has_updates=has_updates,
        breaks=tuple(breaks),
        captures_output=is_captured,
        max_iterations=_positive(values.get("--iterations")),
        probe=_probe(values.get("--probe", ANY)),
        descriptors=inherited_descriptors(),
    )
    return RunArguments(
        options,
        output=None if output is None else Path(output),
        theme=_theme(values.get("--theme", "")),
        name=values.get("--name"),
        keep=parse_keep(values["--keep"]) if "--keep" in values else None,
    )


def _breakpoint(spec: str, *, has_stacks: bool) -> str:
    try:
        found = parse_breakpoint(spec)
    except ProtocolError as error:
        raise TensorScopeError(f"--break: {error}.") from None
    if found.lines and not has_stacks:
        raise TensorScopeError(f"--break {spec} needs source lines: leave --no-stacks away.")
    return spec


def _theme(name: str) -> str:
    if name and name not in THEMES:
        raise TensorScopeError(f"--theme needs dark or light, not {name}.")
    return name


def _probe(name: str) -> str:
    if name not in (ANY, NATIVE, PYTHON):
        raise TensorScopeError(f"--probe needs native or python, not {name}.")
    return name


def _interpreter(name: str | None, command: str = "") -> str:
    if name is None:
        return interpreter_of(command) or sys.executable
    found = shutil.which(name)
    if found is None:
        raise TensorScopeError(f"There is no interpreter {name}; give --python the path of one.")
    return found


def _positive(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or int(text) == 0:
        raise TensorScopeError(f"--iterations needs a number from 1 on, not {text}.")
    return int(text)


def interpreter_of(command: str) -> str:
    """The Python that runs a command such as ``python3`` or ``torchrun``; "" where it is no Python program, or its Python is not known beforehand."""
    path = shutil.which(command) if command else None
    if path is None:
        return ""
    if Path(path).name.startswith("python"):
        return path
    try:
        with open(path, "rb") as file:
            head = file.readline(1024)
    except OSError:
        return ""
    words = head[2:].decode(errors="replace").split() if head.startswith(b"#!") else []
    return words[0] if words and Path(words[0]).name.startswith("python") else ""
