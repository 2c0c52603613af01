"""What a breakpoint says: ``node:AddmmBackward0``, ``line:model.py:77``, ``module:h.*``, ``param:*.bias``, ``iteration:12``, ``nonfinite``, ``grad>100``.

The host checks what the user wrote, the agent obeys it. Several with commas must all fit; ``grad-above=`` may stand for ``grad>``.
"""

from fnmatch import fnmatchcase
from math import inf, isnan
from typing import Final, NamedTuple

from tensorscope.errors import ProtocolError

MOST: Final = 63
"""Breakpoints at a time; all lines of the window's gutter count as one."""

NOT_BUILT: Final = ("op:", "allocated>", "allocated-above=", "alloc>", "alloc-above=", "if:")
KINDS: Final = "node:NAME, module:GLOB, param:GLOB, line:FILE:N, iteration:N, nonfinite, grad>X, grad<X"


class Breakpoint(NamedTuple):
    """All that is given must fit. ``nodes``, ``modules`` and ``parameters`` are shell patterns."""

    spec: str
    nodes: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    lines: tuple[tuple[str, int], ...] = ()  # any one of them; an absolute path, or the last parts of one
    iterations: tuple[int, ...] = ()
    is_nonfinite: bool = False
    above: float = -inf  # the 2-norm of the gradient into the node
    below: float = inf

    @property
    def asks_gradient(self) -> bool:
        return self.is_nonfinite or self.above > -inf or self.below < inf

    @property
    def is_once(self) -> bool:
        """Only iterations are named: it holds once in each, at its first node."""
        return bool(self.iterations) and not (self.nodes or self.modules or self.parameters or self.lines or self.asks_gradient)

    def fits_node(self, name: str) -> bool:
        return all(fnmatchcase(name, pattern) for pattern in self.nodes)

    def fits_module(self, fqn: str) -> bool:
        """Also where a module around it fits: ``module:h.2`` is all of ``h.2``."""
        return all(any(fnmatchcase(part, pattern) for part in _around(fqn)) for pattern in self.modules)

    def fits_parameter(self, fqn: str) -> bool:
        return all(fnmatchcase(fqn, pattern) for pattern in self.parameters)

    def fits_line(self, file: str, line: int) -> bool:
        return not self.lines or any(line == number and is_file(file, name) for name, number in self.lines)


def parse_breakpoint(spec: str) -> Breakpoint:
    """Raises ProtocolError with a sentence on what is wrong with it."""
    found = Breakpoint(spec)
    for word in filter(None, (word.strip() for word in spec.split(","))):
        found = _with(found, word)
    if found == Breakpoint(spec):
        raise ProtocolError(f"a breakpoint needs one of {KINDS}")
    return found


def line_spec(file: str, line: int) -> str:
    return f"line:{file}:{line}"


def is_file(path: str, name: str) -> bool:
    """Whether ``name`` is the path or its last parts."""
    return path == name or (not name.startswith("/") and path.endswith("/" + name.removeprefix("./")))


def _around(fqn: str) -> tuple[str, ...]:
    parts = fqn.split(".")
    return tuple(".".join(parts[:end]) for end in range(len(parts), 0, -1))


def _with(known: Breakpoint, word: str) -> Breakpoint:
    kind, colon, value = word.partition(":")
    if word == "nonfinite":
        return known._replace(is_nonfinite=True)
    for prefix, is_above in (("grad>", True), ("grad-above=", True), ("grad<", False), ("grad-below=", False)):
        if word.startswith(prefix):
            limit = _number(word, word.removeprefix(prefix))
            return known._replace(above=max(known.above, limit)) if is_above else known._replace(below=min(known.below, limit))
    if word.startswith(NOT_BUILT):
        raise ProtocolError(f"{word} is not there yet: use {KINDS}")
    if not colon or not value:
        raise ProtocolError(f"{word} is no breakpoint: use {KINDS}")
    match kind:
        case "node":
            return known._replace(nodes=(*known.nodes, value))
        case "module":
            return known._replace(modules=(*known.modules, value))
        case "param":
            return known._replace(parameters=(*known.parameters, value))
        case "line":
            if known.lines:
                raise ProtocolError(f"{word} is a second line, and a node has one: give each a breakpoint of its own")
            return known._replace(lines=(_line(word, value),))
        case "iteration":
            if not value.isdecimal():
                raise ProtocolError(f"{word} needs an iteration's number, from 0")
            return known._replace(iterations=(*known.iterations, int(value)))
        case _:
            raise ProtocolError(f"{word} is no breakpoint: use {KINDS}")


def _line(word: str, value: str) -> tuple[str, int]:
    file, _, number = value.rpartition(":")
    if not file or not number.isdecimal() or int(number) == 0:
        raise ProtocolError(f"{word} needs a file and a line, such as line:model.py:77")
    return file, int(number)


def _number(word: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if isnan(number):
        raise ProtocolError(f"{word} needs a number")
    return number
