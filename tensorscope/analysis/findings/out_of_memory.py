"""The script ran out of memory, or was killed: what was alive at that moment, who had asked for most of it, and what makes it less."""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.blocks import device_keys
from tensorscope.analysis.findings.facts import iteration_of, raised
from tensorscope.analysis.memory import live_at, memory_timeline
from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import CATEGORIES, Finding, MemoryTimeline, Related, Source
from tensorscope.language import tr, tr_later
from tensorscope.protocol.records import OperatorFlag
from tensorscope.trace.last_operator import last_operator
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes

CPU: Final = re.compile(r"you tried to allocate (\d+) bytes")
DEVICE: Final = re.compile(r"Tried to allocate ([\d.]+ [KMG]iB)\. GPU (\d+)")
KILL: Final = 9
MUCH: Final = 1 << 30  # bytes of tensors in host memory from which SIGKILL is taken for want of memory
ADVICE: Final = {
    "activation": tr_later("Smaller batches, torch.utils.checkpoint or autocast make activations smaller."),
    "optimizer_state": tr_later("An optimizer with less state (SGD, Adafactor) or sharding makes it smaller."),
    "parameter": tr_later("A lower precision or a smaller model makes it smaller."),
    "gradient": tr_later("Clear gradients as soon as they are used: zero_grad(set_to_none=True)."),
    "temporary": tr_later("Look at the shapes on that line: a broadcast or a copy may be larger than meant."),
    "input": tr_later("Move one batch at a time to the device."),
}
KILLED: Final = tr_later("The process was killed by SIGKILL, as the system does when memory runs out. {held} were alive then{most}. {advice}")
KILLED_WITH_LITTLE: Final = tr_later(
    "The process was killed by SIGKILL: from outside, or by the system. Its tensors held {held} of host memory then, which alone is seldom too much: "
    "dmesg or the job's scheduler says who did it."
)
REFUSED: Final = tr_later("{device} could not give {asked}; {held} were alive{most}. {advice}")


def out_of_memory(snapshot: Snapshot) -> Iterator[Finding]:
    """An exception of an allocator, or the end by SIGKILL."""
    error = raised(snapshot)
    end = snapshot.exit or {}
    found = None if error is None else DEVICE.search(error.message)
    on_cpu = None if error is None else CPU.search(error.message)
    if error is not None and (found is not None or on_cpu is not None):
        device = f"cuda:{found[2]}" if found is not None else "cpu"
        asked = found[1] if found is not None else format_bytes(int(on_cpu[1])) if on_cpu is not None else "?"
        yield _finding(snapshot, REFUSED, device, asked, error.source, _refused_ns(snapshot, error.time_ns))
    elif error is None and (int(end.get("signal") or 0) == KILL or end.get("code") == 128 + KILL):
        last = last_operator(snapshot)
        line = Source(last.line.filename, last.line.line, last.line.function) if last is not None and last.line is not None else None
        yield _finding(snapshot, KILLED, "cpu", "", line, snapshot.end_ns)


def _finding(snapshot: Snapshot, sentence: str, device: str, asked: str, source: Source | None, at_ns: int) -> Finding:
    is_known = any(key.name == device for key in device_keys(snapshot))
    timeline = memory_timeline(snapshot, device) if is_known else None
    category, held, lines = _alive(snapshot, timeline, at_ns) if timeline is not None else ("", {}, {})
    total = sum(held.values())
    share = tr(", {share:.0f} % of it {category}").format(share=100 * held[category] / total, category=category.replace("_", " ")) if category and total else ""
    is_unexplained = not asked and total < MUCH
    if is_unexplained:
        sentence, lines = KILLED_WITH_LITTLE, {}
    largest = sorted(lines, key=lines.__getitem__, reverse=True)[:2]
    return Finding(
        rule="killed" if is_unexplained else "out-of-memory",
        severity="error",
        message=tr(sentence)
        .format(device=device, asked=asked, held=format_bytes(total), most=share, advice=tr(ADVICE[category]) if category in ADVICE else "")
        .rstrip(),
        source=source,
        related=tuple(Related(line, tr("{bytes} of it were made here").format(bytes=format_bytes(lines[line]))) for line in largest),
        iteration=iteration_of(snapshot, at_ns),
        evidence={"device": device, "asked": asked, "live_bytes": total, "by_category_bytes": held},
        certainty=0.95 if asked else 0.6,
        time_ns=at_ns,
    )


def _alive(snapshot: Snapshot, timeline: MemoryTimeline, at_ns: int) -> tuple[str, dict[str, int], dict[Source, int]]:
    """(the largest category, bytes by category, bytes by the line that made them) at a moment."""
    rows = live_at(timeline, at_ns)
    blocks = timeline.blocks
    held = {name: int(blocks.size[rows[blocks.category[rows] == place]].sum()) for place, name in enumerate(CATEGORIES)}
    by_stack: dict[int, int] = {}
    for stack, size in zip(blocks.stack[rows].tolist(), blocks.size[rows].tolist(), strict=True):
        by_stack[stack] = by_stack.get(stack, 0) + size
    lines: dict[Source, int] = {}
    for stack, size in by_stack.items():
        source = source_of(snapshot, stack)
        if source is not None:
            lines[source] = lines.get(source, 0) + size
    most = max(held, key=held.__getitem__)
    return (most if held[most] else ""), held, lines


def _refused_ns(snapshot: Snapshot, error_ns: int) -> int:
    """When the operator that was refused began: while the exception travels, its frames let go of memory."""
    operators = snapshot.table(OPERATORS)
    rows = np.flatnonzero((operators.column("flags") & OperatorFlag.RAISED != 0) & (operators.column("begin_ns") <= error_ns))
    return int(operators.column("begin_ns")[rows].max()) if len(rows) else error_ns
