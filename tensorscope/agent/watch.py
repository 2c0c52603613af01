"""What all trackers share: the probe, the way to tell the host something, and the guard that keeps our failures from the script."""

import json
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from tensorscope.agent.frames import Frames
from tensorscope.agent.importer import as_machinery
from tensorscope.protocol.records import MarkKind

if TYPE_CHECKING:
    from tensorscope.agent.control import Control

MARKED_NS: Final = 100_000


class Watch:
    def __init__(self, probe: Any, torch: ModuleType, control: "Control", frames: Frames) -> None:
        self.probe = probe
        self.torch: Any = torch
        self.control = control
        self.frames = frames
        self.now_ns: Callable[[], int] = probe.now_ns
        self.on_switched_off: Callable[[str], None] = lambda tracker: None
        self.on_training: Callable[[], None] = lambda: None  # at the first backward
        self._switched_off: set[str] = set()
        self._warned: set[str] = set()
        self._has_left = False
        self._is_compiling: Callable[[], bool] = torch.compiler.is_compiling

    def tell(self, kind: str, **fields: Any) -> None:
        """Send one tracker message (``protocol.messages``) through the rings."""
        self.probe.message(to_json({"type": kind, **fields}))

    def guard(self, tracker: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, but silent while Dynamo compiles, after a failure of this tracker, and when it fails (which is told once)."""
        is_compiling = self._is_compiling
        switched_off = self._switched_off
        untraced = self.untraced(function)

        def guarded(*arguments: Any) -> Any:
            if is_compiling():
                return None
            if self._has_left or tracker in switched_off:
                return None
            try:
                return untraced(*arguments)
            except Exception as error:
                self.switch_off(tracker, error)
                return None

        return guarded

    def untraced(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, unseen by a tracer or profiler of the script's own."""
        hidden: Callable[..., Any] = self.probe.Untraced(function)
        return hidden

    def guard_from_c(self, tracker: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The guard for what the probe calls, which may be inside compiled code."""
        return self.outside_dynamo(self.guard(tracker, function))

    def outside_dynamo(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, whose frames Dynamo does not compile even if compiled code calls it.

        Dynamo skips a frame of import machinery by its file name (torch._dynamo.trace_rules.SKIP_DIRS); for all below it is switched off.
        """
        set_eval_frame = self.torch._C._dynamo.eval_frame.set_eval_frame

        def outside(*arguments: Any) -> Any:
            callback = set_eval_frame(None)
            try:
                return function(*arguments)
            finally:
                set_eval_frame(callback)

        return as_machinery(outside)

    def switch_off(self, tracker: str, error: BaseException) -> None:
        """Report a failing tracker once and let it be undone."""
        if tracker in self._switched_off:
            return
        self._switched_off.add(tracker)
        try:
            self.tell("tracker_off", tracker=tracker, reason=f"{type(error).__name__}: {error}"[:500])
            self.on_switched_off(tracker)
        except Exception:
            return  # the host is not told, but the script is left alone

    def warn(self, what: str, sentence: str) -> None:
        """Tell the host, once, that something of the script is not seen."""
        if what not in self._warned:
            self._warned.add(what)
            self.tell("tracker_off", tracker=what, reason=sentence)

    def is_off(self, tracker: str) -> bool:
        return self._has_left or tracker in self._switched_off

    def gradient_of(self, leaf: Any) -> Any | None:
        """``leaf.grad`` without the code of a subclass or of a mode. Only for leaves: torch warns at any other."""
        with self.torch._C.DisableTorchFunction():
            return self.torch._C.TensorBase.grad.__get__(leaf)

    def leave(self) -> None:
        """Let every guarded function return first from now on."""
        self._has_left = True

    def cost(self, begin_ns: int, is_counted: bool = False) -> None:
        """Account the time since ``begin_ns`` as ours; ``is_counted``: the probe has called us and counts it. A long one is marked as well."""
        end_ns = self.now_ns()
        if not is_counted:
            self.probe.add_cost(end_ns - begin_ns)
        if end_ns - begin_ns >= MARKED_NS:
            self.probe.mark(MarkKind.TRACKER, begin_ns, end_ns)


_text_of: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def to_json(message: dict[str, Any]) -> bytes:
    """JSON bytes; not-a-number and infinities as strings (see ``protocol.messages``)."""
    try:
        return _text_of(message).encode("utf-8", "backslashreplace")
    except ValueError:
        return _text_of(without_nan(message)).encode("utf-8", "backslashreplace")


def without_nan(value: Any) -> Any:
    """The same with ``nan``, ``inf`` and ``-inf`` as strings."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(item) for item in value]
    return value
