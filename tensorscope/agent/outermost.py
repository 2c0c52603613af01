"""The interpreter's word that names its running frame: with it the script's first frame has none below, as under plain Python.

A stack that the script prints or walks (``traceback.print_stack``, ``inspect.stack``, anomaly mode) would else begin with ours.
"""

import sys
from typing import Any, Final

try:
    import ctypes
except ImportError:  # Python built without libffi
    ctypes = None  # type: ignore[assignment]

CFRAME: Final = 56
CURRENT_FRAME: Final = 8
RECURSION_REMAINING: Final = 32
RECURSION_LIMIT: Final = 36
FRAME_OF_OBJECT: Final = 24
"""Offsets in bytes (Include/cpython/pystate.h, Include/internal/pycore_frame.h of Python 3.11): PyThreadState.cframe, _PyCFrame.current_frame,
PyThreadState.recursion_remaining and recursion_limit, PyFrameObject.f_frame."""

KNOWN_VERSIONS: Final = ((3, 11),)


def frame_word() -> Any | None:
    """The word ``.value`` of which is the running frame's address, for the calling C frame; None where it is not known."""
    thread = _thread_state()
    if thread is None:
        return None
    word = ctypes.c_void_p.from_address(_pointer(thread + CFRAME) + CURRENT_FRAME)
    return word if word.value == _pointer(id(sys._getframe()) + FRAME_OF_OBJECT) else None


def deepen(levels: int) -> bool:
    """Give the script as many levels of recursion as ours take below it; False where only raising the limit can do that."""
    thread = _thread_state()
    if thread is None:
        return False
    if ctypes.c_int.from_address(thread + RECURSION_LIMIT).value != sys.getrecursionlimit():
        return False
    ctypes.c_int.from_address(thread + RECURSION_REMAINING).value += levels
    return True


def _thread_state() -> int | None:
    if ctypes is None or sys.version_info[:2] not in KNOWN_VERSIONS or sys.implementation.name != "cpython":
        return None
    get = ctypes.pythonapi.PyThreadState_Get
    get.restype = ctypes.c_void_p
    address: int = get()
    return address


def _pointer(address: int) -> int:
    return ctypes.c_void_p.from_address(address).value or 0
