"""Imports the agent's own modules without a trace on ``sys.path`` or among the standard modules the script will meet."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from os.path import abspath, isfile
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

MACHINERY: Final = "<frozen importlib._bootstrap_external>"
"""File name of frames that stand below or inside the script's. ``warnings`` counts no stack level for a file name with "importlib" and
"_bootstrap" in it, and the interpreter removes such frames from the traceback of a failed import: so both print what plain Python prints."""

SERVED: Final = ("tensorscope.errors", "tensorscope.protocol", "tensorscope.agent")

F = TypeVar("F", bound=Callable[..., Any])


class OwnFinder:
    """Finds ``tensorscope`` (as an empty package) and the parts of it that the agent needs, in the folder that holds this file."""

    def __init__(self, folder: str) -> None:
        self.package = abspath(folder + "/..")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name == "tensorscope":
            return ModuleSpec(name, None, is_package=True)
        if not any(name == served or name.startswith(served + ".") for served in SERVED):
            return None
        base = self.package + name.removeprefix("tensorscope").replace(".", "/")
        if isfile(base + "/__init__.py"):
            return spec_from_file_location(name, base + "/__init__.py", loader=SourceFileLoader(name, base + "/__init__.py"), submodule_search_locations=[base])
        return spec_from_file_location(name, base + ".py", loader=SourceFileLoader(name, base + ".py")) if isfile(base + ".py") else None


@contextmanager
def own_modules(folder: str, loaded_before: frozenset[str]) -> Iterator[None]:
    """Import ours inside this block. Afterwards the finder is gone and so are all modules that were not loaded before, ours as well.

    So a module ``tensorscope`` of the script's own is found as without us; ours live on by what refers to them.
    """
    finder = OwnFinder(folder)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in set(sys.modules) - loaded_before:
            del sys.modules[name]


def as_machinery(function: F) -> F:
    """Let the frames of ``function`` pass as import machinery (see MACHINERY)."""

    def rename(code: CodeType) -> CodeType:
        constants = tuple(rename(item) if isinstance(item, CodeType) else item for item in code.co_consts)
        return code.replace(co_filename=MACHINERY, co_consts=constants)

    assert isinstance(function, FunctionType)
    function.__code__ = rename(function.__code__)
    return function
