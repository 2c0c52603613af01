"""When the Python probe stands aside, and takes all of its own out of torch: for good where the script asks for compiled code, which Dynamo does not make
under a mode; for the length of a trace of ``torch.jit``, which would number its values otherwise; and while the script's profiler runs, which would
count every operator twice."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from tensorscope.agent.python_probe.calls import like
from tensorscope.agent.python_probe.hidden import hide

COMPILES: Final = (("", "compile"), ("export", "export"))
TRACES: Final = (("jit", "trace"), ("jit", "trace_module"))
BEGINS: Final = (("autograd.profiler", "_enable_profiler"), ("profiler.profiler", "_enable_execution_trace_observer"))
ENDS: Final = (("autograd.profiler", "_disable_profiler"), ("profiler.profiler", "_disable_execution_trace_observer"))
NATIVE: Final = "Install the package g++ for the native probe, which goes on."
WHY_COMPILES: Final = f"torch.compile does not compile under the Python probe, so operators are not seen from its first use on. {NATIVE}"
WHY_PROFILES: Final = f"The script's own profiler would count the operators that the Python probe sees twice, so they are not seen while it runs. {NATIVE}"


class Aside:
    """``change(is_aside)`` takes everything of ours out of torch and puts it back; ``tell(what, why)`` is asked to say it once."""

    def __init__(self, torch: Any, change: Callable[[bool], None], tell: Callable[[str, str], None]) -> None:
        self._torch = torch
        self._change = change
        self._tell = tell
        self._depth = 0
        self._made: list[tuple[Any, str, Any, Any]] = []

    def install(self) -> None:
        for entrances, wrap in ((COMPILES, self._before_compiling), (TRACES, self._around), (BEGINS, self._at_begin), (ENDS, self._at_end)):
            for path, name in entrances:
                owner = self._module(path)
                original = None if owner is None else vars(owner).get(name)
                if original is not None:
                    replacement = like(hide(wrap(original)), original)
                    self._made.append((owner, name, original, replacement))
                    setattr(owner, name, replacement)

    def remove(self) -> None:
        for owner, name, original, replacement in self._made:
            if vars(owner).get(name) is replacement:
                setattr(owner, name, original)
        self._made.clear()

    def _module(self, path: str) -> ModuleType | None:
        found: Any = self._torch
        for part in path.split(".") if path else ():
            found = vars(found).get(part)
            if found is None:
                return None
        return found  # type: ignore[no-any-return]

    def _enter(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._change(True)

    def _leave(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._change(False)

    def _before_compiling(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            self._enter()
            self._tell("operators of a script that compiles", WHY_COMPILES)
            return original(*arguments, **keywords)

        return call

    def _around(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            self._enter()
            try:
                return original(*arguments, **keywords)
            finally:
                self._leave()

        return call

    def _at_begin(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            self._enter()
            self._tell("operators under torch.profiler", WHY_PROFILES)
            return original(*arguments, **keywords)

        return call

    def _at_end(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            try:
                return original(*arguments, **keywords)
            finally:
                if self._depth:
                    self._leave()

        return call
