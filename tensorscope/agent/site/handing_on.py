"""Hands the way to the host on to every program that a watched process starts, out of the script's sight.

The two variables (``protocol.children``) stand in C's environment, which a started program inherits, and not in ``os.environ``. A program that the script
gives an environment of its own making has them put into that one. Used by the agent and, before torch is there, by ``sitecustomize`` beside this file:
nothing but ``os`` and ``sys`` is imported for it.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType
    from typing import Any

DOOR = b"TENSORSCOPE_DOOR"
PYTHON_PATH = b"PYTHONPATH"
LAUNCHER = "_posixsubprocess"


class HandingOn:
    """One process's. ``conceal`` is given each function that stands in the place of one of Python's."""

    def __init__(self, folder: bytes, door: bytes, conceal: "Callable[[Any], Any] | None" = None) -> None:
        self.door = door
        self._folder = folder
        self._conceal = conceal or (lambda function: function)
        self._replaced: list[tuple[Any, str, Any, Any]] = []
        self._finder: _LauncherFinder | None = None

    def begin(self) -> None:
        self._put()
        for name in ("execve", "posix_spawn", "posix_spawnp"):
            self._replace(os, name, 2, self._mapping)
        is_loaded = LAUNCHER in sys.modules
        import _posixsubprocess

        self._replace(_posixsubprocess, "fork_exec", 5, self._entries)
        if not is_loaded:
            del sys.modules[LAUNCHER]
            self._finder = _LauncherFinder(_posixsubprocess)
            sys.meta_path.insert(0, self._finder)

    def end(self) -> None:
        """Both environments and all functions as without us, but for what the script has changed since. Idempotent."""
        if not self.door:
            return
        self.door = b""
        if self._finder is not None and self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        for owner, name, original, ours in self._replaced:
            if getattr(owner, name) is ours:
                setattr(owner, name, original)
        os.unsetenv(DOOR)
        path = os.environb.get(PYTHON_PATH)
        if path is None:
            os.unsetenv(PYTHON_PATH)
        else:
            os.putenv(PYTHON_PATH, path)

    def _put(self) -> None:
        os.putenv(PYTHON_PATH, self._path_with(os.environb.get(PYTHON_PATH)))
        os.putenv(DOOR, self.door)

    def _replace(self, owner: "ModuleType", name: str, place: int, extended: "Callable[[Any], Any]") -> None:
        """Let the environment that ``owner.name`` takes as its argument number ``place``, or by the name ``env``, pass through ``extended``."""
        original = getattr(owner, name)

        def start(*arguments: "Any", **keywords: "Any") -> "Any":
            if self.door:
                if len(arguments) > place:
                    arguments = (*arguments[:place], extended(arguments[place]), *arguments[place + 1 :])
                elif "env" in keywords:
                    keywords["env"] = extended(keywords["env"])
            return original(*arguments, **keywords)

        ours = self._conceal(start)
        for attribute in ("__name__", "__qualname__", "__doc__", "__module__"):
            setattr(ours, attribute, getattr(original, attribute, None))
        if original in os.supports_fd:
            os.supports_fd.add(ours)
        self._replaced.append((owner, name, original, ours))
        setattr(owner, name, ours)

    def _mapping(self, environment: "Mapping[Any, Any] | None") -> "Any":
        if environment is None:
            return self._entries(None)
        try:
            return self._extended({os.fsencode(name): os.fsencode(value) for name, value in environment.items()})
        except Exception:  # no environment at all: Python has its own words for it
            return environment

    def _entries(self, environment: "Sequence[bytes] | None") -> "list[bytes] | None":
        """``environment``: entries as C has them, None for C's environment itself, in which the script may have changed PYTHONPATH."""
        if environment is None:
            self._put()
            return None
        variables = self._extended(dict(entry.split(b"=", 1) for entry in environment))
        return [name + b"=" + value for name, value in variables.items()]

    def _extended(self, variables: "dict[bytes, bytes]") -> "dict[bytes, bytes]":
        """A door of its own stays; an empty one says that nothing is to be handed on."""
        door = variables.get(DOOR)
        if door is None:
            variables[DOOR] = self.door
            variables[PYTHON_PATH] = self._path_with(variables.get(PYTHON_PATH))
        elif not door:
            del variables[DOOR]
        return variables

    def _path_with(self, before: "bytes | None") -> bytes:
        rest = _path_without(self._folder, before or b"")
        return self._folder + b":" + rest if rest else self._folder


class _LauncherFinder:
    """Gives the module that starts programs to the first who imports it: until then no script has to see it loaded."""

    def __init__(self, module: "ModuleType") -> None:
        self._module = module
        self._spec: Any = module.__spec__

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        if name != LAUNCHER:
            return None
        sys.meta_path.remove(self)
        return type(self._spec)(name, self)

    def create_module(self, spec: "Any") -> "ModuleType":
        return self._module

    def exec_module(self, module: "ModuleType") -> None:
        module.__spec__ = self._spec


def hidden_from_script(folder: bytes) -> bytes:
    """Take the two variables out of ``os.environ`` and leave them in C's environment; gives the door, b"" where there is none."""
    seen = os.environ._data  # type: ignore[attr-defined]  # the way to change it that does not go on to C
    rest = _path_without(folder, seen.get(PYTHON_PATH, b""))
    if rest:
        seen[PYTHON_PATH] = rest
    else:
        seen.pop(PYTHON_PATH, None)
    door: bytes = seen.pop(DOOR, b"")
    return door


def _path_without(folder: bytes, value: bytes) -> bytes:
    return b":".join(entry for entry in value.split(b":") if entry and entry != folder)
