"""The Python probe itself: what trackers call (``probe/_probe.pyi`` says what each does), put together from this folder's parts."""

import gc
import json
import math
import os
import struct
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final
from weakref import ref

from tensorscope.agent.python_probe.area import AreaWriter
from tensorscope.agent.python_probe.aside import Aside
from tensorscope.agent.python_probe.backwards import Backwards
from tensorscope.agent.python_probe.calls import trigger, wrap
from tensorscope.agent.python_probe.definitions import Definitions
from tensorscope.agent.python_probe.locals import frame_locals
from tensorscope.agent.python_probe.modules import ModuleCalls
from tensorscope.agent.python_probe.operators import Operators
from tensorscope.agent.python_probe.statistics import Statistics
from tensorscope.agent.python_probe.tensors import Tensors, version_of
from tensorscope.agent.python_probe.threads import Threads
from tensorscope.agent.python_probe.unavailable import Unavailable
from tensorscope.protocol.records import RecordKind
from tensorscope.protocol.source_files import STANDARD_INPUT

MARK: Final = struct.Struct("<BBHIqqQQddI4x")
GRADIENT: Final = struct.Struct("<BBHIIIqddQdd")
UNKNOWN_STATISTICS: Final = 1
OWN_FOLDER: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class PythonProbe(Unavailable):
    """Made once torch is there, on the thread that is to be watched."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self._tensor_class: type = torch.Tensor
        self._is_started = False
        self._is_compiling = False
        self._is_aside = False
        self._on_aside: Callable[[bool], None] | None = None
        self._has_stacks = True
        self._prefixes: tuple[str, ...] = ()
        self._impls: dict[int, int] = {}  # parameter ids by TensorImpl address
        self._parameters: dict[int, ref[Any]] = {}
        self._failed_once: set[str] = set()
        self._failure_handler: Callable[[str, BaseException], None] | None = None
        self._on_switched_off: Callable[[], None] | None = None
        self._peek_transform: Callable[[], Any] = torch._C._functorch.peek_interpreter_stack
        self._autograd: list[tuple[str, Any, Any]] = []  # name, original, replacement

    def start(self, area_fd: int, area_size: int, *, stacks: bool = True, keep_blocks: bool = False, most_entries: int = 262_144) -> None:
        self.area = AreaWriter(area_fd, area_size)
        self._has_stacks = stacks
        self.definitions = Definitions(self.area)
        self.threads = Threads(self.definitions)
        self.tensors = Tensors(self.torch, self.definitions, self._impls)
        self.statistics = Statistics(self.torch)
        self.backwards = Backwards(self)
        self._modules = ModuleCalls(self)
        self._operators = Operators(self)
        self._aside = Aside(self.torch, self._stand_aside, self._tell)
        os.register_at_fork(after_in_child=self._leave_in_child)
        self.threads.this()
        for name in ("backward", "grad"):
            original = vars(self.torch.autograd)[name]
            self._autograd.append((name, original, self.backwards.wrap(original)))
        self._put(is_ours=True)
        self._aside.install()
        self._operators.push()
        self._is_started = True

    def stop(self) -> None:
        self._take_off()
        self.area.go_off()

    def switch_off(self) -> None:
        self.area.switch_off()

    def is_on(self) -> bool:
        return self._is_started and self.area.is_on()

    def is_watching(self) -> bool:
        """Whether a call is to be seen now: on, and neither compiling nor inside a functorch transform. Notices the host's switching us off."""
        if not self._is_started:
            return False
        if not self.area.is_on():
            self._notice_switch()
            return False
        return not (self._is_compiling or self._is_aside) and self._peek_transform() is None

    def failed(self, tracker: str, error: BaseException) -> None:
        """A part of ours has failed: told once."""
        if tracker not in self._failed_once and self._failure_handler is not None:
            self._failed_once.add(tracker)
            self._failure_handler(tracker, error)

    def _take_off(self) -> None:
        """Everything of ours in torch; a mode of the script's may lie on ours, which then passes operators on."""
        self._is_started = False
        self._operators.pop()
        self._aside.remove()
        self._put(is_ours=False)

    def _put(self, *, is_ours: bool) -> None:
        autograd = self.torch.autograd
        for name, original, replacement in self._autograd:
            there, wanted = (original, replacement) if is_ours else (replacement, original)
            if vars(autograd).get(name) is there:
                setattr(autograd, name, wanted)

    def _stand_aside(self, is_aside: bool) -> None:
        if not self._is_started:
            return
        self._is_aside = is_aside
        if is_aside:
            self._operators.pop()
        else:
            self._operators.push_again()
        self._put(is_ours=not is_aside)
        if self._on_aside is not None:
            self._on_aside(is_aside)

    def _tell(self, what: str, why: str) -> None:
        if what not in self._failed_once:
            self._failed_once.add(what)
            self.message(json.dumps({"type": "tracker_off", "tracker": what, "reason": why}).encode())

    def _notice_switch(self) -> None:
        callback, self._on_switched_off = self._on_switched_off, None
        if callback is not None:
            callback()

    def _leave_in_child(self) -> None:
        self.area.go_off()
        self._is_started = False
        self._operators.pop()

    # what runs

    now_ns = staticmethod(time.monotonic_ns)

    def thread_id(self) -> int:
        return self.threads.this().id

    def Wrapper(self, original: Any, before: Any = None, after: Any = None) -> Callable[..., Any]:
        return wrap(original, before, after, self.is_watching, self.failed)

    def ModuleCall(self, original: Any, on_new_module: Callable[[Any], int]) -> Callable[..., Any]:
        return self._modules.wrap(original, on_new_module)

    def Trigger(self, original: Any, on_first_call: Callable[[], Any], *, wants_gradients: bool) -> Callable[..., Any]:
        return trigger(original, on_first_call, self.torch.is_grad_enabled, wants_gradients)

    def Untraced(self, function: Any) -> Any:
        """Python has no way to hide a function from a tracer of the script's own."""
        return function

    def set_quiet(self, quiet: bool) -> bool:
        return False

    def set_compiling(self, compiling: bool) -> bool:
        was, self._is_compiling = self._is_compiling, compiling
        return was

    def forget_module(self, address: int) -> None:
        self._modules.forget(address)

    # stacks

    def set_library_prefixes(self, prefixes: list[str]) -> None:
        self._prefixes = tuple(prefix if prefix.endswith("/") else prefix + "/" for prefix in prefixes)

    def current_stack(self) -> int:
        return self.definitions.stack(self._scripts_frame()) if self._has_stacks else 0

    def current_source(self) -> tuple[str, int] | None:
        frame = self._scripts_frame()
        while frame is not None:
            filename = frame.f_code.co_filename
            if filename == STANDARD_INPUT or not filename.startswith(("<", *self._prefixes)):
                return filename, frame.f_lineno
            frame = frame.f_back
        return None

    @staticmethod
    def _scripts_frame() -> FrameType | None:
        """This thread's innermost frame that is none of the agent's."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(OWN_FOLDER):
            frame = frame.f_back
        return frame

    @staticmethod
    def frame_locals(frame: FrameType) -> dict[str, Any]:
        return frame_locals(frame)

    # what is written

    def mark(self, kind: int, begin_ns: int, end_ns: int, a: int = 0, b: int = 0, x: float = 0.0, y: float = 0.0, flags: int = 0) -> None:
        if not self.is_on():
            return
        thread = self.threads.this()
        call = thread.calls[-1].id if thread.calls else 0
        self.area.records(thread.id, MARK.pack(RecordKind.MARK, kind, flags, self.current_stack(), begin_ns, end_ns, a, b, x, y, call))

    def message(self, body: bytes) -> None:
        if self.is_on():
            self.definitions.message(body)

    def flush_open(self) -> None:
        thread = self.threads.this()
        records = [operator.record(thread.id, 0, 0) for operator in reversed(thread.operators)] + [call.record(0) for call in reversed(thread.calls)]
        if records and self.is_on():
            self.area.records(thread.id, b"".join(records))

    def add_cost(self, duration_ns: int) -> None:
        if self.is_on():
            self.area.add_cost(duration_ns)

    # parameters and gradients

    def is_tensor(self, value: Any) -> bool:
        return self._tensor_class in type(value).__mro__

    def register_parameter(self, tensor: Any, parameter: int) -> None:
        with self.torch._C.DisableTorchFunction():
            self._impls[int(tensor._cdata)] = parameter
        self._parameters[parameter] = ref(tensor)

    def parameter_of(self, tensor: Any) -> int:
        with self.torch._C.DisableTorchFunction():
            number = self._impls.get(int(tensor._cdata), 0)
        held = self._parameters.get(number)
        return number if held is not None and held() is tensor else 0

    def gradient_versions(self) -> dict[int, int]:
        with self.torch._C.DisableTorchFunction():
            return {number: version_of(gradient) for number, gradient, _ in self._gradients()}

    def gradient_norms(self) -> dict[int, float]:
        with self.statistics.apart():
            return {number: math.sqrt(self.statistics.of(gradient).sum_squares) for number, gradient, _ in self._gradients()}

    def write_gradients(self, stage: int, backward: int, parameters: list[int] | None = None) -> int:
        if self._peek_transform() is not None:
            return 0
        records = []
        with self.statistics.apart():
            for number, gradient, parameter in self._gradients(parameters):
                found, weights = self.statistics.of(gradient), self.statistics.of(parameter)
                flags = 0 if found.is_known else UNKNOWN_STATISTICS
                nonfinite = min(found.nonfinite, 0xFFFFFFFF)
                numbers = (found.sum_squares, found.max_abs, found.numel, weights.sum_squares, math.nan)
                records.append(GRADIENT.pack(RecordKind.GRADIENT, stage, flags, number, backward, nonfinite, self.now_ns(), *numbers))
        if records:
            self.area.records(self.threads.this().id, b"".join(records))
        return len(records)

    def _gradients(self, wanted: list[int] | None = None) -> list[tuple[int, Any, Any]]:
        """(id, gradient, parameter) of every registered parameter that has a gradient of a class of torch's own."""
        found = []
        with self.torch._C.DisableTorchFunction():
            for number, weak in list(self._parameters.items()):
                parameter = weak()
                if parameter is None:
                    del self._parameters[number]
                elif wanted is None or number in wanted:
                    gradient = self.torch._C.TensorBase.grad.__get__(parameter)
                    if gradient is not None and self.tensors.is_plain(gradient) and self.tensors.is_plain(parameter):
                        found.append((number, gradient, parameter))
        return found

    def tensor_stats(self, tensor: Any, histogram: bool = False) -> dict[str, Any]:
        with self.statistics.apart():
            sizes, _, _ = self.tensors.layout(tensor)
            return {"shape": sizes or (), "dtype": str(tensor.dtype).removeprefix("torch."), **self.statistics.summary(tensor)}

    def tensor_info(self, tensor: Any) -> dict[str, Any]:
        with self.torch._C.DisableTorchFunction():
            return self.tensors.info(tensor)

    # the heap

    @staticmethod
    def live_instances(base: type) -> list[Any]:
        return [thing for thing in gc.get_objects() if base in type.__dict__["__mro__"].__get__(type(thing))]

    @staticmethod
    def live_nodes(tensors: list[Any], backward: int) -> list[Any]:
        """None: in Python a tensor's node cannot be asked for without making some anew."""
        return []

    # backwards

    def graph_root(self) -> Any:
        """The root of the backward that begins just now, inside the two callbacks below."""
        return self.backwards.root()

    def last_backward(self) -> int:
        return self.backwards.newest

    def running_backward(self, backward: int) -> tuple[int, int, int] | None:
        run = self.backwards.running.get(backward)
        return None if run is None else (run.begin_ns, run.parent, len(run.nodes))

    def nodes_run(self, backward: int) -> int:
        run = self.backwards.running.get(backward)
        return 0 if run is None else run.nodes_run

    def set_on_unknown_leaves(self, callback: Callable[[], None] | None) -> None:
        self.backwards.on_unknown_leaves = callback

    def set_on_backward_begin(self, callback: Callable[[int, int, bool], None] | None) -> None:
        self.backwards.on_begin = callback

    def set_on_switched_off(self, callback: Callable[[], None] | None) -> None:
        self._on_switched_off = callback

    def set_on_aside(self, callback: Callable[[bool], None] | None) -> None:
        """callback(is_aside): whether functions of torch must be themselves now."""
        self._on_aside = callback

    def set_failure_handler(self, handler: Callable[[str, BaseException], None]) -> None:
        self._failure_handler = handler
