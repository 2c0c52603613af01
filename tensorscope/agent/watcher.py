"""Meets modules at the script's own import: calls back right before and after a module's body has run, and is gone after that."""

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from tensorscope.agent.importer import as_machinery


def _nothing() -> None: ...


class ImportWatcher:
    """A one-shot finder in front of ``sys.meta_path`` for one module. A failed import leaves it waiting for the next try.

    ``before`` and ``after`` must not raise. The module is found by the other finders; only its loader's ``exec_module`` is replaced
    for the length of this import, as an attribute of the loader object, so ``__loader__`` and ``__spec__`` are the real ones.
    """

    def __init__(self, name: str, after: Callable[[ModuleType], None], before: Callable[[], None] = _nothing, failed: Callable[[], None] = _nothing) -> None:
        self.name = name
        self._after = after
        self._before = before
        self._failed = failed

    def install(self) -> None:
        """Start watching; a module that is loaded already is met at once."""
        loaded = sys.modules.get(self.name)
        if loaded is not None:
            self._after(loaded)
        else:
            sys.meta_path.insert(0, self)

    def remove(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        for finder in self._finders_after():
            spec: ModuleSpec | None = finder.find_spec(name, path, target)
            if spec is not None:
                self._hook(spec)
                return spec
        return None

    def _finders_after(self) -> list[Any]:
        """Those before us, a script's own among them, have been asked already."""
        finders = list(sys.meta_path)
        return finders[finders.index(self) + 1 :] if self in finders else finders

    def _hook(self, spec: ModuleSpec) -> None:
        loader: Any = spec.loader
        original = getattr(loader, "exec_module", None)
        if original is None or not hasattr(loader, "__dict__"):
            return

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module
            self._before()
            try:
                original(module)
            except BaseException:
                self._failed()
                raise
            self.remove()
            self._after(module)

        loader.exec_module = as_machinery(exec_module)
