"""The words of the memory timeline's hover cards."""

from tensorscope.language import tr
from tensorscope.units import UNKNOWN, format_bytes, format_count, format_duration, format_place, format_time
from tensorscope.viewmodel.memory import MemoryModel, allocated_at
from tensorscope.viewmodel.memory_groups import BlockGroup
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


def group_facts(group: BlockGroup) -> Facts:
    """(label, value) lines about the blocks of one row; of a single one all that is known."""
    if len(group.blocks) == 1:
        return block_facts(group.first)
    largest = max(group.blocks, key=lambda block: block.size_bytes)
    modules = {block.module for block in group.blocks}
    facts = [
        (tr("size"), exact_bytes(group.size_bytes)),
        (tr("blocks"), format_count(len(group.blocks))),
        (tr("largest"), f"{format_bytes(largest.size_bytes)}, {largest.name}"),
    ]
    facts.append((tr("made by"), ", ".join(sorted({block.operator or UNKNOWN for block in group.blocks})[:3])))
    facts.append((tr("module"), modules.pop() or UNKNOWN if len(modules) == 1 else tr("{count} modules").format(count=len(modules))))
    facts.append((tr("line"), format_place(group.source.file, group.source.line) if group.source else UNKNOWN))
    return tuple(facts)


def moment_facts(model: MemoryModel, time_ns: int) -> Facts:
    """(label, value) lines about a moment where no block is."""
    facts = [(tr("allocated"), format_bytes(allocated_at(model.timeline, time_ns)))]
    facts += [(other.label, format_bytes(other.bytes_at(time_ns))) for other in model.others]
    if model.reserved is not None:
        facts.append((tr("reserved"), format_bytes(model.reserved.value_at(time_ns))))
    for table, label in ((model.iterations, "iteration"), (model.phases, tr("phase")), (model.modules, tr("module"))):
        span = span_at(table, time_ns)
        if span is not None:
            facts.append((label, str(span.number) if label == "iteration" else span.label))
    return tuple(facts)
