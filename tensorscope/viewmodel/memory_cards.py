"""The words of the memory timeline's hover cards."""

from tensorscope.language import tr
from tensorscope.units import UNKNOWN, format_bytes, format_duration, format_place, format_time
from tensorscope.viewmodel.memory import MemoryModel, allocated_at
from tensorscope.viewmodel.memory_lanes import span_at
from tensorscope.viewmodel.memory_names import BlockRow
from tensorscope.viewmodel.ticks import exact_bytes

Facts = tuple[tuple[str, str], ...]


def block_facts(block: BlockRow) -> Facts:
    """(label, value) lines about a block."""
    life = tr("from {begin_ns}").format(begin_ns=format_time(block.begin_ns, 6))
    life += tr(", still live") if block.end_ns is None else tr(" for {end_ns}").format(end_ns=format_duration(block.end_ns - block.begin_ns))
    facts = [(tr("size"), exact_bytes(block.size_bytes)), (tr("life"), life), (tr("made by"), block.operator or UNKNOWN)]
    if block.module:
        facts.append((tr("module"), block.module))
    facts.append((tr("line"), format_place(block.source.file, block.source.line) if block.source else UNKNOWN))
    facts.append((tr("address"), f"0x{block.address:x}"))
    return tuple(facts)


def moment_facts(model: MemoryModel, time_ns: int) -> Facts:
    """(label, value) lines about a moment where no block is."""
    facts = [(tr("allocated"), format_bytes(allocated_at(model.timeline, time_ns)))]
    if model.reserved is not None:
        facts.append((tr("reserved"), format_bytes(model.reserved.value_at(time_ns))))
    for table, label in ((model.iterations, "iteration"), (model.phases, tr("phase")), (model.modules, tr("module"))):
        span = span_at(table, time_ns)
        if span is not None:
            facts.append((label, str(span.number) if label == "iteration" else span.label))
    return tuple(facts)
