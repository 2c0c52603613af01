"""The user's frames and the names of things in them, without touching the things."""

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

from tensorscope.protocol.source_files import STANDARD_INPUT


class Frames:
    """Looks at this thread's Python frames. ``read_locals`` is the probe's ``frame_locals``: no snapshot of the locals stays in the frame."""

    def __init__(self, library_prefixes: tuple[str, ...], read_locals: Any) -> None:
        self._library_prefixes = library_prefixes
        self._read_locals = read_locals

    def is_users(self, filename: str) -> bool:
        return filename == STANDARD_INPUT or not filename.startswith(self._library_prefixes)

    def user_frames(self) -> list[FrameType]:
        """This thread's frames of the user's files, innermost first."""
        found = []
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            if self.is_users(frame.f_code.co_filename):
                found.append(frame)
            frame = frame.f_back
        return found

    def scopes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """(where, variables) of the script's globals, then of this thread's frames from the outermost inwards; where is "" for globals."""
        main = sys.modules["__main__"].__dict__
        yield "", main
        for frame in reversed(self.user_frames()):
            if frame.f_code.co_name == "<module>":
                if frame.f_globals is not main:
                    yield "", frame.f_globals
            else:
                yield frame.f_code.co_name, self._read_locals(frame)

    def name_of(self, thing: object) -> str:
        """The outermost variable that holds ``thing`` itself, else the attribute or container item of one that does; "" if none does."""
        fallback = ""
        for _, variables in self.scopes():
            for name, value in list(variables.items()):
                if value is thing and not name.startswith("_"):
                    return name
                fallback = fallback or inside(name, value, thing)
        return fallback


def inside(name: str, value: object, thing: object) -> str:
    """``name[0]``, ``name['key']`` or an attribute's name where ``value`` is a plain container or object that holds ``thing``; else ""."""
    for path, item in items_of(name, value):
        if item is thing:
            return path
    return ""


def items_of(name: str, value: object) -> Iterator[tuple[str, object]]:
    """The (path, item) pairs one level inside a plain list, tuple, dict or instance; runs no code of the user's."""
    kind = type(value)
    if kind is list or kind is tuple:
        for index, item in enumerate(list(value)):  # type: ignore[call-overload]
            yield f"{name}[{index}]", item
    elif kind is dict:
        for key, item in list(value.items()):  # type: ignore[attr-defined]
            if type(key) is str or type(key) is int:
                yield f"{name}[{key!r}]", item
    elif name == "self" or kind.__module__ == "__main__":
        attributes = instance_dict(value)
        for key, item in list(attributes.items()):
            if type(key) is str and not key.startswith("_"):
                yield (key if name == "self" else f"{name}.{key}"), item


def instance_dict(value: object) -> dict[str, Any]:
    """The ``__dict__`` of an instance, past any ``__getattribute__`` of its class; empty where there is none."""
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return attributes if type(attributes) is dict else {}


def library_prefixes() -> tuple[str, ...]:
    """Paths under which a file is not the user's: torch, the standard library, installed packages, TensorScope itself."""
    import os

    standard = os.path.dirname(os.__file__)
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = ["<", standard + os.sep, own + os.sep]  # "<": made of strings, frozen, import machinery
    site_folders = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    torch = sys.modules.get("torch")
    if torch is not None and torch.__file__:
        site_folders.append(os.path.dirname(torch.__file__))
    for folder in site_folders:
        found += [folder + os.sep, os.path.realpath(folder) + os.sep]
    found.append(os.path.realpath(standard) + os.sep)
    return tuple(dict.fromkeys(found))
