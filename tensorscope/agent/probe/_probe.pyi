"""What the native probe offers to the trackers (built from probe/*.cpp; imported as ``_tensorscope_probe``)."""

from collections.abc import Callable
from types import FrameType
from typing import Any

class Wrapper:
    """A C callable in place of a Python function: adds no traceback frame, binds like a function, passes attributes on to ``original``.

    ``before(args, kwargs) -> token`` and ``after(token, args, kwargs, result_or_None, raised: bool)`` run with the GIL; a failure of theirs
    never reaches the caller: it is passed to the handler set by ``set_failure_handler`` and that callback is dropped. Both return
    first (are not called) while off or while ``is_compiling()`` says so. The original's exceptions pass unchanged.
    """

    original: Any
    def __init__(self, original: Any, before: Callable[..., Any] | None = None, after: Callable[..., None] | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ModuleCall(Wrapper):
    """The Wrapper for ``nn.Module.__call__``: pushes a module call on the thread's scope stack, writes MODULE_CALL records, ROOT_INPUT tensors
    at depth 0. Asks ``on_new_module(module) -> id`` once a module (keyed by address; ``forget_module(address)`` when it dies)."""

    def __init__(self, original: Any, on_new_module: Callable[[Any], int]) -> None: ...

class Untraced(Wrapper):
    """Calls ``original`` unseen by a tracer or profiler of the script's own (``sys.settrace``, ``sys.setprofile``)."""

class Trigger(Wrapper):
    """For a forked child, where the probe is off: the first call (with gradients enabled, if ``wants_gradients``) asks ``on_first_call()`` what to call
    in place of ``original`` from then on."""

    def __init__(self, original: Any, on_first_call: Callable[[], Any], *, wants_gradients: bool) -> None: ...

def start(area_fd: int, area_size: int, *, stacks: bool = True, keep_blocks: bool = False, most_entries: int = 262_144) -> None:
    """Map the area, install the RecordFunction callback, the CPU allocator wrapper, fork handlers.
    Once a process. ``keep_blocks`` keeps the book that ``open_blocks`` reads, for tests. ``most_entries``: what the table of names, of shapes and of
    stacks may take in (of functions and of graphs an eighth); what comes after has id 0, which is told once as ``tracker_off``."""

def observing_ns() -> int:
    """What torch pays for an operator that is observed, measured when the probe started; it is part of the area's cost."""

def stop() -> None:
    """Remove the callback, put the old CPU allocator back, go off for good; in a forked child as well. Idempotent. The library stays loaded."""

def switch_off() -> None:
    """Write the area's word as the host does at detaching: nothing more is recorded, and ``set_on_switched_off``'s callback follows."""

def attach_cuda() -> None:
    """Write an ALLOCATION record for every event of CUDA's caching allocator from now on. Call it once CUDA is initialised (``torch.cuda._lazy_call``);
    raises RuntimeError with the reason where it cannot be: not initialised, cudaMallocAsync, a pluggable allocator, built without CUDA's headers."""

def is_on() -> bool: ...
def now_ns() -> int: ...
def thread_id() -> int: ...
def set_quiet(quiet: bool) -> bool:
    """While quiet, operators of this thread are marked OURS (trackers set it around torch operators of ours). Returns the value before."""

def set_compiling(compiling: bool) -> bool:
    """While compiling, operators and nodes of this thread are marked COMPILING, its backwards get no number and no hold, and wrappers pass
    straight through. False ends it on whichever thread began. Returns the value before."""

def set_library_prefixes(prefixes: list[str]) -> None: ...
def current_stack() -> int:
    """Intern this thread's Python stack now; its id."""

def current_source() -> tuple[str, int] | None: ...
def mark(kind: int, begin_ns: int, end_ns: int, a: int = 0, b: int = 0, x: float = 0.0, y: float = 0.0, flags: int = 0) -> None: ...
def message(body: bytes) -> None:
    """Send one message (JSON bytes) to the host through definition blocks, in parts where needed."""

def flush_open() -> None:
    """Write the operators and module calls that are running now (end 0), so that a held or dying script's stack is on record."""

def forget_module(address: int) -> None: ...
def register_parameter(tensor: Any, parameter: int) -> None:
    """Remember the tensor weakly under this parameter id (re-registering replaces). Used by graphs (AccumulateGrad → id) and gradient statistics."""

def register_retained(tensor: Any, parameter: int) -> None:
    """A tensor that is no leaf and keeps its gradient: held weakly; its ``.grad`` is told at the end of every backward."""

def retains_grad(tensor: Any) -> bool: ...
def write_gradients(stage: int, backward: int, parameters: list[int] | None = None) -> int:
    """Write a GRADIENT record for every registered parameter that has a ``.grad`` now, or for those in ``parameters`` (ids); returns how many.
    One C++ pass, no torch operator, no GIL. Weights are read in the first backwards, then in turn; HISTOGRAM records follow where it is their turn."""

def copy_weights(step: int, parameters: list[int], most_bytes: int) -> tuple[int, int, int]:
    """Copy the elements of those parameters that have a gradient, for ``write_updates`` of the same step (an optimizer's id). Beyond ``most_bytes`` they
    take turns from call to call. Returns of how many parameters: copied, left for a later turn, not to be read (not dense, not on the CPU)."""

def write_updates(step: int, backward: int) -> int:
    """Write a GRADIENT record of stage UPDATE for every copied parameter: ``update_sum_squares`` of what has changed since ``copy_weights``,
    ``weight_sum_squares`` of what it was. The copies go. Returns of how many."""

def ask_histograms(wanted: bool) -> None:
    """Make histograms of every pass from now on (as before the first call), or only as often as a 200th of the run time allows."""

def gradient_norms() -> dict[int, float]: ...
def gradient_versions() -> dict[int, int]:
    """The version of every registered parameter's ``.grad`` now, by parameter id: what writes it in place counts it up."""

def tensor_stats(tensor: Any, histogram: bool = False) -> dict[str, Any]:
    """shape, dtype, norm, min, max, mean, nonfinite, numel (and 64 signed-log bins): one C++ pass over a dense CPU tensor of any
    strides and dtype (also half, bfloat16, complex by magnitude); no torch operator. All but ``nonfinite`` and ``numel`` are of the finite elements.
    Bins 32…63 count positive numbers by power of two from 2⁻²⁴ on (0 in bin 32), bins 31…0 negative ones. For a tensor that cannot be read
    so, the numbers are absent and ``why`` says it."""

def tensor_info(tensor: Any) -> dict[str, Any]:
    """impl, storage, data, nbytes, shape, stride, offset, dtype, itemsize, device, version, is_view, base (impl or 0), requires_grad, output_nr,
    is_external (CPU memory that torch's allocator did not give), is_watched (allocated through the probe's CPU allocator wrapper).

    Reads nothing that regenerates a grad_fn.
    """

def live_instances(base: type) -> list[Any]:
    """Every object that the garbage collector knows and whose class is ``base`` or derives from it; runs no code of theirs."""

def live_nodes(tensors: list[Any], backward: int) -> list[Any]:
    """The graph nodes reachable from the tensors (as their ``grad_fn`` stands: nothing is made anew), and from a backward that this thread is
    inside (0: none) and those around it. Whoever keeps the list keeps what they have saved."""

def watched_block_count() -> int:
    """Blocks alive that came through the CPU allocator's wrapper (``is_watched`` in ``tensor_info``)."""

def frame_locals(frame: FrameType) -> dict[str, Any]:
    """A fresh dict of a frame's locals that leaves no cached snapshot in the frame (so no local lives longer)."""

def last_backward() -> int:
    """Id of the newest backward begun (0: none)."""

def backward_of_task(graph_task: int) -> int: ...
def running_backward(backward: int) -> tuple[int, int, int] | None:
    """(begin_ns, id of the backward it runs inside or 0, nodes in its graph) of one that runs now."""

def add_cost(duration_ns: int) -> None:
    """Add to the area's ``cost_ns`` what the probe cannot see: time in Python that was not called by it."""

def nodes_run(backward: int) -> int:
    """Nodes of a running backward whose run has ended."""

def set_on_retained(callback: Callable[[], None] | None) -> None:
    """Called at the begin of a backward whose graph has nodes of tensors that keep their gradient."""

def set_on_unknown_leaves(callback: Callable[[], None] | None) -> None:
    """callback(): as set_on_backward_begin, before the graph's shape is defined, where leaves are no registered parameters: time to register them."""

def set_on_backward_begin(callback: Callable[[int, int, bool], None] | None) -> None:
    """callback(backward, graph, is_new_shape): with the GIL, at the first node of a graph task; ``torch._C._current_autograd_node()`` is its root."""

def set_on_backward_end(callback: Callable[[int], None] | None) -> None:
    """callback(backward): when a graph task is done, after its GRADIENT records were written; on the thread that called backward."""

def set_on_hold(callback: Callable[[int, int, str, int, int], None] | None) -> None:
    """callback(backward, node_index, name, sequence_nr, breaks): with the GIL, in the start of ``evaluate_function: …`` of a node while armed; for an
    AccumulateGrad in the start of its function (see ``held_gradients``), where it has one: ``torch.autograd.grad`` does not run it.
    ``node_index`` counts from 0, -1 where the node is not in the graph's definition. The armed word is 0 when it is called: arm again to step;
    but a word of 3 stays, and asks for every node. ``breaks``: the bits of the breakpoints that the node fits, where they are why. A node that a breakpoint
    holds for its gradients is held in the start of its function too, so ``held_gradients`` has them."""

def set_breakpoints(active: int, by_gradient: int, limits: list[tuple[bool, float, float]], are_others: bool) -> None:
    """Bits of the breakpoints that may hold now, and of those that also ask the gradients into the node: the limits by bit are (must have a non-finite
    element, 2-norm above, below). ``are_others``: ask ``on_judge`` anew."""

def set_on_judge(callback: Callable[[int, int, str, int], int] | None) -> None:
    """callback(kind, id, text, line) -> bits of the breakpoints that fit, asked once each. Kind 0: a node's name (text); 1: a forward line (text is its
    file, "" where it is not known); 2: a module's id; 3: an AccumulateGrad's parameter id. 0 is an unknown id."""

def set_on_breakpoints_changed(callback: Callable[[int], None] | None) -> None:
    """callback(number): before a node, as long as the area's word ``breakpoints`` is not what was last given to ``breakpoints_taken``."""

def breakpoints_wanted() -> int:
    """The area's word ``breakpoints``."""

def breakpoints_taken(number: int) -> None: ...
def held_place() -> tuple[str, int, int] | None:
    """(file, line, module id) of the forward operator of the node that this thread holds, while ``on_hold`` runs; file "" and module 0 where unknown."""

def held_gradients() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(``tensor_info``, ``tensor_stats`` with histogram) of the gradients into the node that this thread holds in the start of its function, while
    ``on_hold`` runs; empty at any other time. No Python tensor is made of them."""

def set_on_node_end(callback: Callable[[int, int], None] | None) -> None:
    """callback(backward, node_index): at the end of the event of a node whose start was held (so that hooks come off and results are told)."""

def set_on_switched_off(callback: Callable[[], None] | None) -> None:
    """callback(): once, on the main thread between two instructions, after any callback of the probe has found the enabled word at 0."""

def set_failure_handler(handler: Callable[[str, BaseException], None]) -> None: ...
def arm(value: int) -> None:
    """Set the area's ``armed`` word from inside (stepping keeps it set)."""

def open_blocks() -> list[tuple[int, int]]:
    """(address, size) of CPU blocks allocated through the wrapper and still alive; empty without ``keep_blocks``."""

def write_block(action: int, address: int, size: int) -> None:
    """An allocation record that the allocator does not make: of a block from before the probe (``AllocationAction.BEFORE``) and of its end."""

def deleter() -> int:
    """The address of what frees this probe's blocks."""

def know_deleter(address: int) -> None:
    """Blocks with this deleter are torch's, allocated while an earlier probe watched this process."""

def record_layout() -> list[tuple[int, str, str, int, int]]:
    """(kind, record, field, offset, size in bytes) of every field as compiled; for tests."""
