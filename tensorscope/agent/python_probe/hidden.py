"""Functions whose frames no traceback, no ``inspect.stack()`` and no warning shows, as if they were written in C.

Python passes over a frame that has not reached its code's first traceable instruction (``_PyFrame_IsIncomplete``: Include/internal/pycore_frame.h). That
number stands right before the last pointer of a code object (Include/cpython/code.h, Python 3.11 to 3.14), so a frame of a code whose first traceable
instruction lies beyond its end is never seen. Python 3.10 has no such number: there our frames show.
"""

import sys
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

try:
    import ctypes
except ImportError:  # Python built without libffi
    ctypes = None  # type: ignore[assignment]

NEVER: Final = 2**31 - 1
VERSIONS: Final = ((3, 11), (3, 12), (3, 13), (3, 14))
AFTER_NUMBER: Final = 16
"""Bytes from the number to the code's instructions: itself with its padding, and the pointer ``co_extra``."""

F = TypeVar("F", bound=Callable[..., Any])


def hide(function: F) -> F:
    """Hide the frames of ``function`` where this Python lets us; gives ``function``."""
    assert isinstance(function, FunctionType)
    if _CAN_HIDE:
        _set_first(function.__code__)
    return function


def _set_first(code: CodeType) -> None:
    ctypes.c_int.from_address(id(code) + CodeType.__basicsize__ - AFTER_NUMBER).value = NEVER


def _can_hide() -> bool:
    """Whether it works with this very interpreter: tried on a function that raises."""
    if ctypes is None or sys.implementation.name != "cpython" or sys.version_info[:2] not in VERSIONS or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False

    def raises() -> None:
        raise ValueError

    number = ctypes.c_int.from_address(id(raises.__code__) + CodeType.__basicsize__ - AFTER_NUMBER).value
    if not 0 <= number < len(raises.__code__.co_code) // 2:
        return False
    _set_first(raises.__code__)
    try:
        raises()
    except ValueError as error:
        return error.__traceback__ is not None and error.__traceback__.tb_next is None
    return False


_CAN_HIDE: Final = _can_hide()
