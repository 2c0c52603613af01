"""What operators did to one storage: six kinds of rows, worked out by hand."""

from pathlib import PurePath

from tensorscope.analysis.effects import copies_by_name
from tensorscope.analysis.storage_uses import COPIES, MAKES, READS, SHARES, WRITES, StorageUses, storage_uses
from tensorscope.protocol.records import Scope, TensorRole
from tests.support.trace_builder import TraceBuilder

HERE, OTHER = 0x10, 0x20
IN, OUT = TensorRole.INPUT, TensorRole.OUTPUT
Row = tuple[int, int, int, int, int]  # role, data, version, argument, impl


def touch(builder: TraceBuilder, name: str, begin: int, *rows: Row, parent: int = 0, length: int = 2) -> TraceBuilder:
    builder.operator(name, begin=begin, end=begin + length, stack=[("/user/train.py", begin, "main")] if not parent else 0, parent=parent)
    for role, data, version, argument, impl in rows:
        builder.tensor(role=role, data=data, storage=data, version=version, argument=argument, impl=impl)
    return builder


def told(uses: StorageUses) -> list[tuple[str, int]]:
    return [(use.name, use.effect) for use in uses.listed]


def life() -> TraceBuilder:
    return touch(TraceBuilder().alloc(address=HERE, size=96, time=9), "aten::rand", 8, (OUT, HERE, 0, 0, 1))


def test_each_kind_of_use_is_told_with_its_line() -> None:
    builder = touch(life(), "aten::view", 20, (IN, HERE, 0, 0, 1), (OUT, HERE, 0, 0, 2))
    touch(builder, "aten::clone", 30, (IN, HERE, 0, 0, 1), (OUT, OTHER, 0, 0, 3))
    touch(builder, "aten::add_", 40, (IN, HERE, 0, 0, 2), (OUT, HERE, 1, 0, 2))
    touch(builder, "aten::mul", 50, (IN, HERE, 1, 0, 1), (OUT, OTHER, 0, 0, 4))
    uses = storage_uses(builder.snapshot(), HERE, 60)
    assert told(uses) == [("aten::rand", MAKES), ("aten::view", SHARES), ("aten::clone", COPIES), ("aten::add_", WRITES), ("aten::mul", READS)]
    assert [(PurePath(use.source.file).name, use.source.line) for use in uses.listed if use.source] == [("train.py", line) for line in (8, 20, 30, 40, 50)]
    assert uses.counts == (1, 1, 1, 1, 1)
    assert (uses.life_ns[0], uses.is_alive) == (9, True)


def test_the_source_of_a_copy_in_place_is_only_read() -> None:
    builder = touch(life(), "aten::copy_", 20, (IN, OTHER, 0, 0, 5), (IN, HERE, 0, 1, 1), (OUT, OTHER, 1, 0, 5))
    assert told(storage_uses(builder.snapshot(), HERE, 60))[1] == ("aten::copy_", COPIES)


def test_an_out_argument_is_written_though_torch_counts_no_version_inside() -> None:
    builder = touch(life(), "aten::add", 20, (IN, OTHER, 0, 0, 5), (IN, HERE, 0, 2, 1), (OUT, HERE, 0, 0, 1))
    assert told(storage_uses(builder.snapshot(), HERE, 60))[1] == ("aten::add", WRITES)


def test_an_operator_over_lists_wrote_what_is_newer_afterwards() -> None:
    builder = touch(life(), "aten::_foreach_add_", 20, (IN, OTHER, 0, 0, 5), (IN, HERE, 0, 1, 1))
    touch(builder, "aten::_foreach_mul_", 30, (IN, HERE, 0, 0, 1), (IN, OTHER, 1, 1, 5))
    touch(builder, "aten::mul", 40, (IN, HERE, 1, 0, 1))
    touch(builder, "aten::_foreach_add_", 50, (IN, HERE, 1, 0, 1), (IN, OTHER, 1, 1, 5))
    effects = [effect for _, effect in told(storage_uses(builder.snapshot(), HERE, 60))]
    assert effects == [MAKES, READS, WRITES, READS, WRITES]


def test_what_happens_inside_is_the_outermost_operators_doing() -> None:
    builder = life()
    touch(builder, "aten::linear", 20, (IN, HERE, 0, 1, 1), (OUT, OTHER, 0, 0, 3), length=9)
    touch(builder, "aten::t", 21, (IN, HERE, 0, 0, 1), (OUT, HERE, 0, 0, 2), parent=builder.last_operator)
    touch(builder, "my::fill", 40, (IN, HERE, 0, 0, 1), length=9)
    touch(builder, "aten::zero_", 41, (IN, HERE, 0, 0, 1), (OUT, HERE, 1, 0, 1), parent=builder.last_operator)
    assert told(storage_uses(builder.snapshot(), HERE, 60))[1:] == [("aten::linear", READS), ("my::fill", WRITES)]


def test_a_node_of_a_backward_is_told_by_its_name() -> None:
    builder = life().graph(1, ["MulBackward0"], []).backward(1, begin=18, addresses=[1], sequence_nrs=[3])
    builder.node("MulBackward0", backward=1, index=0, begin=20, end=30)
    builder.operator("MulBackward0", begin=21, end=29, parent=builder.last_node, scope=Scope.BACKWARD_FUNCTION)
    touch(builder, "aten::mul", 22, (IN, HERE, 0, 0, 1), parent=builder.last_operator)
    (_, use) = storage_uses(builder.snapshot(), HERE, 60).listed
    assert (use.name, use.is_node, use.effect) == ("MulBackward0", True, READS)


def test_uses_of_the_memory_before_and_after_its_life_were_another_storages() -> None:
    builder = touch(TraceBuilder(), "aten::ones", 2, (OUT, HERE, 0, 0, 1)).alloc(address=HERE, size=96, time=9)
    touch(builder, "aten::rand", 8, (OUT, HERE, 0, 0, 1)).free(address=HERE, time=30)
    touch(builder, "aten::zeros", 40, (OUT, HERE, 0, 0, 1))
    uses = storage_uses(builder.snapshot(), HERE, 20)
    assert (told(uses), uses.life_ns, uses.is_alive) == ([("aten::rand", MAKES)], (9, 30), False)


def test_of_a_hot_storage_all_are_counted_and_those_around_the_moment_described() -> None:
    builder = life()
    for at in range(20, 120, 4):
        touch(builder, "aten::mul", at, (IN, HERE, 0, 0, 1))
    snapshot = builder.snapshot()
    uses = storage_uses(snapshot, HERE, 200, around_ns=60, most=5)
    assert (len(uses.begin_ns), uses.counts[READS]) == (26, 25)
    assert [use.begin_ns for use in uses.listed] == [52, 56, 60, 64, 68]
    assert [use.begin_ns for use in storage_uses(snapshot, HERE, 200, most=2).listed] == [112, 116]


def test_a_storage_without_memory_has_no_uses() -> None:
    assert storage_uses(life().snapshot(), 0, 60).listed == ()


def test_what_copies_is_known_by_torchs_names() -> None:
    assert [copies_by_name(name) for name in ("aten::clone", "aten::contiguous", "aten::_to_copy", "aten::mul", "aten::view")] == [
        True,
        True,
        True,
        False,
        False,
    ]
