"""Graphs, backwards, the gate and gradients, against torch's own walk and numbers."""

import math
import struct
from typing import Any

import pytest

from tensorscope.protocol.records import DefinitionKind, MarkKind, OperatorFlag, RecordKind
from tests.probe.area import Recorded
from tests.probe.running import record

WALK = """
def walk(root):
    nodes, edges, index = [root], [], {root: 0}
    for node in nodes:
        for output, (target, input_nr) in enumerate(node.next_functions):
            if target is None:
                continue
            if target not in index:
                index[target] = len(nodes)
                nodes.append(target)
            edges.append([index[node], output, index[target], input_nr])
    return [[type(node).__name__ for node in nodes], edges, nodes]
"""


def marks(recorded: Recorded, kind: MarkKind = MarkKind.BACKWARD) -> list[dict[str, Any]]:
    return [row for row in recorded.records[RecordKind.MARK] if row["mark"] == kind]


@pytest.mark.parametrize(
    "model",
    [
        "net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)); loss = net(torch.randn(5, 3)).sum()",
        "net = nn.LSTM(3, 4); loss = net(torch.randn(5, 1, 3))[0].square().mean()",
        "net = nn.MultiheadAttention(4, 2); q = torch.randn(3, 1, 4, requires_grad=True); loss = net(q, q, q)[0].sum()",
        "w = torch.randn(4, requires_grad=True); x = w.clone(); x[1] = 2 * w[0]; loss = x.view(2, 2).t().sum()",
    ],
)
def test_the_graph_equals_a_walk_over_next_functions(model: str) -> None:
    code = WALK + f"start(); {model}; names, edges, nodes = walk(loss.grad_fn); answer([names, edges]); loss.backward(); probe.stop()"
    (names, edges), recorded = record(code)
    nodes, ours = recorded.graph(1)
    assert [name for name, _ in nodes] == names
    assert [list(edge) for edge in ours] == edges
    run = recorded.records[RecordKind.NODE]
    assert sorted(row["index"] for row in run) == list(range(1, len(names) + 1))
    assert all(recorded.string(row["name"]) == names[row["index"] - 1] for row in run)
    assert [(row["a"], row["b"], row["x"], row["flags"]) for row in marks(recorded)] == [(1, 1, len(names), 0)]


def test_equal_shapes_are_defined_once_and_sequence_numbers_join_operators() -> None:
    code = """
    begun = []
    start()
    probe.set_on_backward_begin(lambda *told: begun.append(told))
    w = torch.ones(3, requires_grad=True)
    for _ in range(3):
        (w * 2).exp().sum().backward()
    (w * 2).sum().backward()
    probe.stop()
    answer(begun)
    """
    begun, recorded = record(code)
    assert begun == [[1, 1, True], [2, 1, False], [3, 1, False], [4, 2, True]]
    for backward in range(1, 5):
        graph, numbers, threads = recorded.backward(backward)
        names = [name for name, _ in recorded.graph(graph)[0]]
        forward = {row["sequence_nr"]: recorded.string(row["name"]) for row in recorded.operators if row["scope"] == 0 and row["sequence_nr"] >= 0}
        joined = [forward.get(number) for number in numbers]
        expected = {"SumBackward0": "aten::sum", "ExpBackward0": "aten::exp", "MulBackward0": "aten::mul", "AccumulateGrad": None}
        assert joined == [expected[name] for name in names]
        assert set(threads) <= {0, 1}


def test_checkpoint_double_backward_and_failing_backwards_are_told_apart() -> None:
    code = """
    from torch.utils.checkpoint import checkpoint
    start()
    w = torch.ones(3, requires_grad=True)
    checkpoint(lambda x: (x * 2).exp(), w, use_reentrant=True).sum().backward()
    (first,) = torch.autograd.grad((w ** 3).sum(), w, create_graph=True)
    first.sum().backward()
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1
        @staticmethod
        def backward(ctx, g):
            raise ValueError("broken")
    for function in (lambda: Broken.apply(w).sum().backward(), lambda: (w * 1).sum().backward()):
        try:
            function()
        except ValueError:
            pass
    answer([probe.last_backward(), failures])
    probe.stop()
    """
    (last, failures), recorded = record(code)
    assert (last, failures) == (6, [])
    parents = {identity: struct.unpack_from("<q", payload, 16)[0] for identity, payload in recorded.definitions[DefinitionKind.BACKWARD].items()}
    assert parents == {1: 0, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0}
    ended = marks(recorded)
    assert [row["a"] for row in ended] == [2, 1, 3, 4, 5, 6]
    assert [row["a"] for row in ended if row["flags"] & 1] == [5]
    (failed,) = (row for row in ended if row["flags"] & 1)
    assert failed["end_ns"] == max(row["end_ns"] for row in recorded.records[RecordKind.NODE] if row["backward"] == 5)
    assert "BrokenBackward" in [name for name, _ in recorded.graph(recorded.backward(5)[0])[0]]


def test_backwards_of_several_threads_do_not_mix() -> None:
    code = """
    import threading
    start()
    def work(power):
        w = torch.ones(4, requires_grad=True)
        for _ in range(20):
            value = w
            for _ in range(power):
                value = value * 2
            value.sum().backward()
    threads = [threading.Thread(target=work, args=(power,)) for power in (1, 2, 3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    probe.stop()
    """
    _, recorded = record(code)
    runs: dict[int, list[int]] = {}
    for row in recorded.records[RecordKind.NODE]:
        runs.setdefault(row["backward"], []).append(row["index"])
    assert sorted(runs) == list(range(1, 61))
    for backward, indices in runs.items():
        assert sorted(indices) == list(range(1, len(recorded.graph(recorded.backward(backward)[0])[0]) + 1))
    assert sorted(len(indices) for indices in runs.values()) == [3] * 20 + [4] * 20 + [5] * 20


def test_the_gate_holds_every_node_in_order_and_lets_the_rest_run() -> None:
    code = """
    told = []
    start()
    probe.set_on_hold(lambda backward, index, name, number, breaks: (told.append(["hold", index, name]), probe.arm(1 if len(told) < 5 else 0)))
    probe.set_on_node_end(lambda backward, index: told.append(["end", index]))
    w = torch.ones(3, requires_grad=True)
    probe.arm(2)
    (w * 2).exp().sum().backward()
    probe.stop()
    answer([told, failures])
    """
    (told, failures), _ = record(code)
    assert failures == []
    assert told == [["hold", 0, "SumBackward0"], ["end", 0], ["hold", 1, "ExpBackward0"], ["end", 1], ["hold", 2, "MulBackward0"], ["end", 2]]


def test_holding_changes_no_gradient_and_shares_no_storage() -> None:
    code = """
    start()
    probe.set_on_hold(lambda *told: probe.arm(1))
    probe.set_on_node_end(lambda *told: None)
    a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    probe.arm(1)
    (a + b).sum().backward()
    probe.stop()
    answer([a.grad.data_ptr() != b.grad.data_ptr(), a.grad.tolist()])
    """
    answer, _ = record(code)
    assert answer == [True, [1, 1, 1]]


def test_a_failing_callback_is_reported_once_and_dropped() -> None:
    code = """
    start()
    def broken(*told):
        raise ValueError("ours")
    probe.set_on_backward_begin(broken); probe.set_on_backward_end(broken)
    w = torch.ones(3, requires_grad=True)
    for _ in range(3):
        w.sum().backward()
    probe.stop()
    answer(failures)
    """
    failures, _ = record(code)
    assert failures == [["on_backward_begin", "ValueError('ours')"], ["on_backward_end", "ValueError('ours')"]]


def test_ctrl_c_in_a_hold_reaches_the_script() -> None:
    code = """
    start()
    def hold(*told):
        raise KeyboardInterrupt
    probe.set_on_hold(hold)
    w = torch.ones(3, requires_grad=True)
    probe.arm(1)
    try:
        w.sum().backward()
        for _ in range(1000): pass
    except KeyboardInterrupt:
        answer(["interrupted", failures])
    probe.stop()
    """
    answer, _ = record(code)
    assert answer == ["interrupted", []]


def test_gradient_records_equal_torchs_own_norms() -> None:
    code = """
    torch.manual_seed(1)
    start()
    parameters = [nn.Parameter(torch.randn(shape, dtype=dtype)) for shape, dtype in [
        ((37, 5), torch.float32), ((9,), torch.float64), ((64, 3), torch.bfloat16), ((11,), torch.float16), ((6, 2), torch.complex64), ((), torch.float32)]]
    for number, parameter in enumerate(parameters):
        probe.register_parameter(parameter, number + 1)
    sum((parameter.to(torch.complex128) * torch.randn(parameter.shape, dtype=torch.complex128)).abs().sum() * 100 for parameter in parameters).backward()
    def size(tensor):
        return tensor.detach().to(torch.complex128).abs()
    expected = [[float(size(p.grad).norm()), float(size(p.grad).max()), float(size(p).norm())] for p in parameters]
    answer([expected, probe.gradient_norms()])
    probe.stop()
    """
    (expected, norms), recorded = record(code)
    rows = recorded.records[RecordKind.GRADIENT]
    assert [row["parameter"] for row in rows] == [1, 2, 3, 4, 5, 6]
    for row, (norm, largest, weight) in zip(rows, expected, strict=True):
        assert math.sqrt(row["sum_squares"]) == pytest.approx(norm, rel=1e-9)
        assert row["max_abs"] == pytest.approx(largest, rel=1e-7)
        assert math.sqrt(row["weight_sum_squares"]) == pytest.approx(weight, rel=1e-9)
        assert norms[str(row["parameter"])] == pytest.approx(norm, rel=1e-9)
        assert (row["stage"], row["backward"], row["nonfinite"], row["flags"]) == (1, 1, 0, 0)


def test_gradients_of_every_layout_are_read_right() -> None:
    code = """
    start()
    def registered(number, gradient):
        parameter = nn.Parameter(torch.zeros(gradient.shape))
        parameter.grad = gradient
        probe.register_parameter(parameter, number)
        return parameter
    table = torch.arange(24.).reshape(4, 6)
    kept = [
        registered(1, table.t()[1:, ::2]),
        registered(2, torch.tensor([3.]).expand(5)),
        registered(3, torch.tensor([3., float("nan"), -4., float("inf")])),
        registered(4, torch.sparse_coo_tensor([[1, 1, 0]], [2., 3., 12.], (4,), check_invariants=False)),
        registered(5, torch.sparse_coo_tensor([[2]], [[3., 4.]], (4, 2), check_invariants=False).coalesce()),
        registered(6, torch.zeros(0, 3)),
    ]
    answer([probe.write_gradients(3, 0), float(table.t()[1:, ::2].double().norm())])
    probe.stop()
    """
    (count, norm), recorded = record(code)
    rows = {row["parameter"]: row for row in recorded.records[RecordKind.GRADIENT]}
    assert count == 6
    assert {number: row["nonfinite"] for number, row in rows.items()} == {1: 0, 2: 0, 3: 2, 4: 0, 5: 0, 6: 0}
    found = {number: math.sqrt(row["sum_squares"]) for number, row in rows.items()}
    assert found == pytest.approx({1: norm, 2: math.sqrt(45), 3: 5, 4: 13, 5: 5, 6: 0}, rel=1e-12)
    assert {number: row["max_abs"] for number, row in rows.items()} == {1: 17, 2: 3, 3: 4, 4: 12, 5: 4, 6: 0}
    assert {row["stage"] for row in rows.values()} == {3}


def test_a_backward_that_raises_last_has_its_mark_at_once_and_its_end_is_told() -> None:
    code = """
    ended = []
    start()
    probe.set_on_backward_end(ended.append)
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1
        @staticmethod
        def backward(ctx, g):
            raise ValueError("broken")
    w = torch.ones(3, requires_grad=True)
    try:
        Broken.apply(w).sum().backward()
    except ValueError as error:
        answer([ended, str(error), failures])
    os.kill(os.getpid(), 0)
    """
    (ended, error, failures), recorded = record(code)
    assert (ended, error, failures) == ([1], "broken", [])
    assert [(row["a"], row["flags"]) for row in marks(recorded)] == [(1, 1)]
    assert [recorded.string(row["name"]) for row in recorded.records[RecordKind.NODE] if row["flags"] & OperatorFlag.RAISED] == ["BrokenBackward"]


def test_a_backward_whose_end_another_callback_spoils_is_marked_at_stop() -> None:
    code = """
    start()
    w = torch.ones(3, requires_grad=True)
    def spoil(gradient):
        def raising():
            raise ValueError("spoilt")
        torch.autograd.Variable._execution_engine.queue_callback(raising)
    loss = (w * 2).sum()
    w.register_hook(spoil)
    try:
        loss.backward()
    except ValueError:
        answer("raised")
    probe.stop()
    """
    answer, recorded = record(code)
    assert answer == "raised"
    (mark,) = marks(recorded)
    assert (mark["a"], mark["flags"]) == (1, 1)
    assert mark["end_ns"] == max(row["end_ns"] for row in recorded.records[RecordKind.NODE])


def test_backwards_while_compiling_get_no_number_and_no_hold() -> None:
    code = """
    held = []
    start()
    probe.set_on_hold(lambda *told: held.append(told))
    w = torch.ones(3, requires_grad=True)
    probe.set_compiling(True)
    probe.arm(1)
    (w * 2).sum().backward()
    probe.arm(0)
    probe.set_compiling(False)
    (w * 2).sum().backward()
    probe.stop()
    answer([held, probe.last_backward()])
    """
    (held, last), recorded = record(code)
    assert (held, last) == ([], 1)
    nodes = recorded.records[RecordKind.NODE]
    assert [(row["backward"], row["flags"]) for row in nodes] == [(0, OperatorFlag.COMPILING)] * 3 + [(1, 0)] * 3


def test_gradients_of_chosen_parameters_are_written() -> None:
    code = """
    start()
    kept = [nn.Parameter(torch.ones(size)) for size in (1, 2, 3)]
    for number, parameter in enumerate(kept):
        probe.register_parameter(parameter, number + 1)
        parameter.grad = torch.ones_like(parameter)
    before = probe.gradient_versions()
    nn.utils.clip_grad_norm_((kept[number] for number in (2, 0)), 0.5)
    after = probe.gradient_versions()
    written = [number for number in after if after[number] != before[number]]
    answer([written, probe.write_gradients(3, 0, written), probe.write_gradients(3, 0, [])])
    probe.stop()
    """
    answer, recorded = record(code)
    assert answer == [[1, 3], 2, 0]
    assert [row["parameter"] for row in recorded.records[RecordKind.GRADIENT]] == [1, 3]
