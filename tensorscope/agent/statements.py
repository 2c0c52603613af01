"""Statements of the user's code that drop what they should have kept: ``x.detach()`` on a line of its own, ``optimizer.step`` without its parentheses.

Read from the bytecode of the user's functions, once, when the training begins; nothing is run.
"""

import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

from tensorscope.agent.frames import instance_dict
from tensorscope.agent.watch import Watch

if TYPE_CHECKING:
    from dis import Instruction

MADE_ANEW: Final = frozenset({"detach", "to", "cuda", "cpu", "float", "double", "half", "bfloat16", "clone", "contiguous"})
"""Methods of a tensor that leave it alone and give out another."""

DONE: Final = frozenset({"step", "zero_grad", "backward", "train", "eval"})
"""Methods that are called for what they do."""

LIMIT_NS: Final = 50_000_000
MAX_FOUND: Final = 100
WITH_NAMES: Final = ("CALL_KW", "CALL_FUNCTION_KW")
"""Calls before which the names of keyword arguments are loaded (Python 3.13, 3.10)."""

FILLERS: Final = frozenset({"CACHE", "PRECALL", "EXTENDED_ARG", "NOT_TAKEN"})
_bases: Final[Any] = type.__dict__["__mro__"].__get__
_names: Final[Any] = type.__dict__["__dict__"].__get__
"""A class's own, past any ``__getattribute__`` of its metaclass."""
ATTRIBUTE: Final = ("LOAD_METHOD", "LOAD_ATTR")


class Statements:
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.tell: Callable[[], None] = watch.guard("statements", self._tell)

    def _tell(self) -> None:
        """Tell the host of what is found, in at most ``LIMIT_NS``."""
        limit_ns = self._watch.now_ns() + LIMIT_NS
        found: list[list[Any]] = []
        for code in self._codes():
            if self._watch.now_ns() > limit_ns or len(found) >= MAX_FOUND:
                break
            if not (MADE_ANEW | DONE).isdisjoint(code.co_names):
                found += [[code.co_filename, line, name, is_called] for line, name, is_called in dropped(code)]
        if found:
            self._watch.tell("facts", statements=found[:MAX_FOUND])

    def _codes(self) -> Iterator[CodeType]:
        """Of the frames that run, with all that is written inside them, then of the functions and methods of the user's modules."""
        waiting = [frame.f_code for frame in self._watch.frames.user_frames()]
        for module in list(sys.modules.values()):
            variables = instance_dict(module)
            file = variables.get("__file__")
            if type(file) is str and self._watch.frames.is_users(file):
                waiting += _functions(variables)
        seen = set()
        while waiting:
            code = waiting.pop()
            if code not in seen and self._watch.frames.is_users(code.co_filename):
                seen.add(code)
                waiting += [inner for inner in code.co_consts if type(inner) is CodeType]
                yield code


def dropped(code: CodeType) -> Iterator[tuple[int, str, bool]]:
    """(line, name, whether it is called) of each statement that is an attribute or method of one of the names, and drops what that gives."""
    from dis import get_instructions  # which torch has imported long since

    before: list[Instruction] = []
    line = code.co_firstlineno
    for instruction in get_instructions(code):
        started = instruction.starts_line
        if started is not None and started is not False:
            line = started if type(started) is int else instruction.line_number or line  # type: ignore[attr-defined]
        if instruction.opname in FILLERS:
            continue
        if instruction.opname == "POP_TOP" and before:
            last = before[-1]
            if last.opname == "LOAD_ATTR" and last.argval in DONE:
                yield line, str(last.argval), False
            elif last.opname.startswith("CALL"):
                name = _method(before)
                if name in MADE_ANEW:
                    yield line, name, True
        before = [*before[-11:], instruction]


def _method(before: "list[Instruction]") -> str:
    """The method whose call ended just now, "" where that is another kind of call or has arguments that are not simple."""
    count = before[-1].arg or 0
    at = len(before) - (3 if before[-1].opname in WITH_NAMES else 2)
    while at >= 0 and count >= 0:
        one = before[at]
        if one.opname in ATTRIBUTE and count == 0:
            return str(one.argval)
        if one.opname in ATTRIBUTE and at > 0:  # an argument such as ``torch.float64``
            at -= 1
        elif one.opname == "KW_NAMES":
            at -= 1
            continue
        elif not one.opname.startswith("LOAD_"):
            return ""
        count -= 1
        at -= 1
    return ""


def _functions(variables: dict[str, Any]) -> list[CodeType]:
    found = []
    for value in list(variables.values()):
        if type(value) is FunctionType:
            found.append(value.__code__)
        elif type in _bases(type(value)):
            found += [one.__code__ for one in list(_names(value).values()) if type(one) is FunctionType]
    return found
