"""Every category of a memory block, each earned by a few hand-written rows."""

from tensorscope.analysis.memory import memory_timeline
from tensorscope.analysis.results import CATEGORIES
from tensorscope.protocol.records import MarkKind, Scope, TensorFlag, TensorRole
from tests.support.trace_builder import TraceBuilder


def categories(builder: TraceBuilder) -> list[str]:
    return [CATEGORIES[code] for code in memory_timeline(builder.snapshot(), "cpu").blocks.category]


def storages(at: int, *found: tuple[int, str]) -> dict[str, object]:
    rows = [{"data": data, "tensors": [{"names": [], "category": category}]} for data, category in found]
    return {"type": "storages", "time_ns": at, "storages": rows}


def training() -> TraceBuilder:
    """A root call 10..30 of module call 1 with an operator 12..20, a backward 40..60, an iteration end at 80."""
    builder = TraceBuilder().module_call(1, begin=10, end=30).operator("aten::mm", begin=12, end=20, module_call=1, sequence_nr=1)
    builder.graph(1, ["MmBackward0"], []).backward(1, begin=40, addresses=[1], sequence_nrs=[1])
    builder.mark(MarkKind.BACKWARD, begin=40, end=60, a=1, b=1, x=1)
    return builder.message({"type": "iteration", "index": 0, "time_ns": 80, "learning_rate": 0.1, "optimizers": [1]})


def test_made_in_forward_and_alive_when_backward_begins_is_an_activation() -> None:
    builder = training().alloc(address=0x10, size=4, time=13, op=1).alloc(address=0x20, size=4, time=14, op=1).free(address=0x20, time=19)
    assert categories(builder) == ["activation", "temporary"]


def test_made_inside_an_operator_elsewhere_is_temporary_and_outside_of_all_is_unknown() -> None:
    builder = training().operator("aten::add", begin=70, end=75).alloc(address=0x10, size=4, time=71, op=2).alloc(address=0x20, size=4, time=76)
    assert categories(builder) == ["temporary", "unknown"]


def test_made_in_the_forward_of_a_later_iteration_waits_for_that_ones_backward() -> None:
    builder = training().module_call(1, begin=90, end=95).alloc(address=0x10, size=4, time=91, op=9)
    assert categories(builder) == ["temporary"]


def test_what_a_forward_leaves_for_another_iterations_backward_is_no_activation() -> None:
    builder = training().module_call(1, begin=62, end=66).alloc(address=0x10, size=4, time=63, op=1)  # after its iteration's backward
    builder.backward(1, begin=100, addresses=[1], sequence_nrs=[2]).mark(MarkKind.BACKWARD, begin=100, end=120, a=2, b=1, x=1)
    assert categories(builder) == ["temporary"]


def test_passed_into_a_root_call_and_made_outside_of_all_is_input() -> None:
    builder = training().alloc(address=0x10, size=4, time=5).alloc(address=0x20, size=4, time=15, op=1, module_call=1)
    builder.module_call(3, begin=32, end=35)  # a loss: its first argument was made in the model's call
    for data, call in ((0x10, 1), (0x10, 2), (0x20, 2)):
        builder.tensor(op=call, role=TensorRole.ROOT_INPUT, data=data)
    assert categories(builder) == ["input", "activation"]


def test_storages_messages_tell_parameters_buffers_and_optimizer_state() -> None:
    builder = training()
    for address in (0x10, 0x20, 0x30):
        builder.alloc(address=address, size=4, time=5)
    builder.message(storages(81, (0x10, "parameter"), (0x20, "buffer"), (0x30, "optimizer_state")))
    assert categories(builder) == ["parameter", "buffer", "optimizer_state"]


def test_an_address_counts_only_while_its_block_is_alive() -> None:
    builder = training().alloc(address=0x10, size=4, time=5).free(address=0x10, time=50).alloc(address=0x10, size=4, time=90)
    assert categories(builder.message(storages(81, (0x10, "parameter")))) == ["unknown", "unknown"]


def test_the_strongest_category_of_a_life_wins() -> None:
    builder = training().alloc(address=0x10, size=4, time=13, op=1).message(storages(70, (0x10, "gradient"))).message(storages(81, (0x10, "parameter")))
    assert categories(builder) == ["parameter"]


def test_a_pointer_into_a_block_counts_for_that_block() -> None:
    builder = training().alloc(address=0x10, size=16, time=5).alloc(address=0x40, size=16, time=5).message(storages(81, (0x18, "parameter"), (0x50, "buffer")))
    assert categories(builder) == ["parameter", "unknown"]


def test_an_operators_parameter_input_marks_its_block() -> None:
    builder = training().alloc(address=0x10, size=4, time=5).tensor(op=1, role=TensorRole.INPUT, data=0x10, flags=TensorFlag.IS_LEAF_PARAMETER)
    assert categories(builder) == ["parameter"]


def test_a_registered_parameter_that_nothing_used_is_the_longest_block_at_its_address() -> None:
    builder = training().alloc(address=0x10, size=4, time=1).free(address=0x10, time=2).alloc(address=0x10, size=4, time=5)
    builder.message({"type": "parameter", "id": 1, "fqn": "fc.weight", "module": 1, "data": 0x10, "is_buffer": False})
    assert categories(builder) == ["unknown", "parameter"]


def test_a_bare_leaf_is_a_parameter_only_on_memory_that_no_module_call_made() -> None:
    """``w`` of hand-written training, and the detached input of a checkpoint, which lies on an activation."""
    builder = training().alloc(address=0x10, size=4, time=5).alloc(address=0x20, size=4, time=11, op=1, module_call=1)
    for identity, impl, data in ((1, 0x77, 0x10), (2, 0x88, 0x20)):
        builder.message({"type": "parameter", "id": identity, "fqn": "leaf", "module": 0, "impl": impl, "data": data, "is_buffer": False})
        builder.tensor(op=1, role=TensorRole.INPUT, impl=impl, data=data, flags=TensorFlag.IS_LEAF_PARAMETER)
        message = storages(70, (data, "parameter"))
        message["storages"][0]["tensors"][0]["impl"] = impl  # type: ignore[index]
        builder.message(message)
    assert categories(builder) == ["parameter", "activation"]


def accumulate(*children: tuple[str, int], incoming: int = 0x10) -> TraceBuilder:
    """An AccumulateGrad at 45..55 that takes in ``incoming`` and runs operators, each with the data of its output."""
    builder = training().operator("torch::autograd::AccumulateGrad", begin=45, end=55, scope=Scope.BACKWARD_FUNCTION)
    outer = builder.last_operator
    builder.tensor(role=TensorRole.INPUT, data=incoming)
    for place, (name, data) in enumerate(children):
        builder.operator(name, begin=46 + place, end=47 + place, parent=outer).tensor(role=TensorRole.OUTPUT, data=data)
    return builder.alloc(address=0x10, size=4, time=43, op=1).alloc(address=0x20, size=4, time=44, op=1)


def test_a_gradient_that_accumulate_grad_keeps_is_the_incoming_one() -> None:
    assert categories(accumulate()) == ["gradient", "temporary"]
    assert categories(accumulate(("aten::detach", 0x10))) == ["gradient", "temporary"]


def test_a_gradient_that_accumulate_grad_copies_or_adds_to_is_what_its_operator_gives_out() -> None:
    assert categories(accumulate(("aten::new_empty_strided", 0x20), ("aten::copy_", 0x20))) == ["temporary", "gradient"]
    assert categories(accumulate(("aten::add_", 0x20))) == ["temporary", "gradient"]
