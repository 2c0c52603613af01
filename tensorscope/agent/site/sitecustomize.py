# mypy: ignore-errors
# ruff: noqa: E402, F401, UP004, UP036
# Met by every Python that is started below a watched process, whatever its version: plain old syntax, and nothing but ``sys`` before torch is imported.
"""Lets a Python below a watched process be watched too, from its own import of torch on; then runs the user's own sitecustomize, if there is one.

The folder of this file stands first in PYTHONPATH. It takes itself off ``sys.path`` and out of ``os.environ``, so that nothing else is found there and the
script sees the environment that it was given. Where the user has no sitecustomize, this one ends as a missing one does, and leaves no module behind.
"""

import sys

try:
    _folder = __file__.rpartition("/")[0]
    if sys.version_info >= (3, 10):
        _loaded_before = frozenset(sys.modules)
        import os
        import time

        import handing_on

        _door = handing_on.hidden_from_script(os.fsencode(_folder))
        _handing_on = handing_on.HandingOn(os.fsencode(_folder), _door)
        _begin_ns = time.monotonic_ns()
        for _name in set(sys.modules) - _loaded_before:
            del sys.modules[_name]
    while _folder in sys.path:
        sys.path.remove(_folder)
    getattr(sys, "path_importer_cache", {}).pop(_folder, None)

    class _TorchFinder(object):
        """Starts the agent at the first import of torch."""

        def __init__(self, folder, begin_ns, handing_on):
            self.folder = folder
            self.begin_ns = begin_ns
            self.handing_on = handing_on

        def find_spec(self, name, path=None, target=None):
            if name != "torch":
                return None
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            try:
                watcher = self.start_agent()
            except Exception:  # the script always wins
                return None
            return watcher.find_spec(name, path, target) if watcher is not None else None

        def start_agent(self):
            from importlib.machinery import SourceFileLoader
            from importlib.util import module_from_spec, spec_from_file_location

            loaded_before = frozenset(sys.modules)
            loader = SourceFileLoader("tensorscope.agent.importer", self.folder + "/importer.py")
            importer = module_from_spec(spec_from_file_location(loader.name, loader.path, loader=loader))
            sys.modules[loader.name] = importer
            loader.exec_module(importer)
            with importer.own_modules(self.folder, loaded_before):
                from tensorscope.agent import child

                return child.start(self.begin_ns, self.handing_on)

    if sys.version_info >= (3, 10) and _door:
        _handing_on.begin()
        sys.meta_path.insert(0, _TorchFinder(_folder.rpartition("/")[0], _begin_ns, _handing_on))
except Exception:
    pass

sys.modules.pop("sitecustomize", None)
import sitecustomize  # the user's own; where there is none, this is the ImportError that Python expects
