"""The locals of a running function, read without the snapshot that ``frame.f_locals`` leaves in the frame before Python 3.13.

A snapshot would let the tensors in it live longer. Python 3.12 gives single variables (``PyFrame_GetVar``), 3.13 a view of them; of 3.11 the frame's own
layout is read (Include/internal/pycore_frame.h). In 3.10 the locals of functions have no names for us.
"""

import ctypes
import sys
from types import CellType, FrameType
from typing import Any, Final

FRAME_OF_OBJECT: Final = 24  # offsets in bytes in Python 3.11: PyFrameObject.f_frame,
CODE_OF_FRAME: Final = 32  # _PyInterpreterFrame.f_code
FIRST_LOCAL: Final = 72  # and localsplus


def frame_locals(frame: FrameType) -> dict[str, Any]:
    """A fresh dict of what a function's variables hold now."""
    if sys.version_info >= (3, 13):
        return dict(frame.f_locals)
    if sys.version_info >= (3, 12):
        return _asked_one_by_one(frame)
    return _read(frame) if sys.version_info >= (3, 11) else {}


def _names(frame: FrameType) -> tuple[str, ...]:
    code = frame.f_code
    cells = tuple(name for name in code.co_cellvars if name not in code.co_varnames)
    return (*code.co_varnames, *cells, *code.co_freevars)


def _asked_one_by_one(frame: FrameType) -> dict[str, Any]:
    get = ctypes.pythonapi.PyFrame_GetVar
    get.restype, get.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.py_object]
    found = {}
    for name in _names(frame):
        try:
            found[name] = get(frame, name)
        except NameError:  # not bound
            continue
    return found


def _read(frame: FrameType) -> dict[str, Any]:
    at = _pointer(id(frame) + FRAME_OF_OBJECT)
    if _pointer(at + CODE_OF_FRAME) != id(frame.f_code):
        return {}
    found = {}
    for position, name in enumerate(_names(frame)):
        address = _pointer(at + FIRST_LOCAL + 8 * position)
        if not address:
            continue
        value = ctypes.cast(address, ctypes.py_object).value
        if type(value) is CellType:
            try:
                value = value.cell_contents
            except ValueError:  # empty
                continue
        found[name] = value
    return found


def _pointer(address: int) -> int:
    return ctypes.c_void_p.from_address(address).value or 0
