"""Operators and their tensors, against torch.profiler and the tensors themselves."""

from collections import Counter

from tensorscope.protocol.records import OperatorFlag, RecordKind, Scope, TensorFlag, TensorRole
from tests.probe.running import record

MODEL = """
torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 5))
x, y = torch.randn(2, 1, 8, 8), torch.tensor([1, 3])
def step():
    model.zero_grad()
    F.cross_entropy(model(x), y).backward()
step()
"""


def test_operators_equal_the_list_of_torch_profiler() -> None:
    code = (
        MODEL
        + """
from torch.profiler import profile, ProfilerActivity
start()
with profile(activities=[ProfilerActivity.CPU]) as profiled:
    step()
probe.stop()
answer([event.name for event in profiled.events()])
"""
    )
    names, recorded = record(code, is_silent=False)
    ours = Counter(recorded.string(row["name"]) for row in recorded.operators)
    wrapper = "autograd::engine::evaluate_function: "
    theirs = Counter(name for name in names if not name.startswith(wrapper) and not name.startswith("["))
    nodes = Counter(name.removeprefix(wrapper).removeprefix("torch::autograd::") for name in names if name.startswith(wrapper))
    assert theirs - ours == Counter()
    assert {name for name in ours - theirs if not name.startswith("profiler::")} == set()
    assert Counter(recorded.string(row["name"]) for row in recorded.records[RecordKind.NODE]) == nodes
    assert nodes["AccumulateGrad"] == 6


def test_parents_and_times_nest() -> None:
    _, recorded = record(MODEL + "start(); step(); probe.stop()")
    calls = {row["id"]: row for kind in (RecordKind.OPERATOR, RecordKind.NODE) for row in recorded.records[kind]}
    inner = [row for row in calls.values() if row["parent"]]
    assert len(inner) > 30
    for row in inner:
        parent = calls[row["parent"]]
        assert parent["begin_ns"] <= row["begin_ns"] <= row["end_ns"] <= parent["end_ns"]
    convolution = next(row for row in calls.values() if recorded.string(row["name"]) == "aten::_convolution")
    assert recorded.string(calls[convolution["parent"]]["name"]) == "aten::convolution"


def test_tensors_tell_storage_shape_offset_and_version() -> None:
    code = """
    start()
    base = torch.zeros(6, 4)
    row = base[2:4, 1]
    row.add_(torch.ones(2))
    probe.stop()
    answer([base.data_ptr(), base.untyped_storage().nbytes(), row._cdata, row._version])
    """
    (data, nbytes, impl, version), recorded = record(code)
    add = next(row for row in recorded.operators if recorded.string(row["name"]) == "aten::add_")
    tensors = [row for row in recorded.records[RecordKind.TENSOR] if row["op"] == add["id"]]
    assert [(row["role"], row["argument"]) for row in tensors] == [(TensorRole.INPUT, 0), (TensorRole.INPUT, 1), (TensorRole.OUTPUT, 0)]
    first, _, output = tensors
    assert (first["impl"], first["data"], first["nbytes"], first["offset"]) == (impl, data, nbytes, 9)
    assert recorded.shape(first["shape"]) == ((2,), (4,))
    assert first["flags"] & TensorFlag.IS_VIEW
    assert (first["version"], output["version"]) == (0, version)
    assert (add["input_count"], add["output_count"]) == (2, 1)
    assert add["flags"] & OperatorFlag.GRAD_ENABLED


def test_tensors_in_lists_are_recorded() -> None:
    _, recorded = record("start(); torch.cat([torch.ones(2), torch.ones(3)]).split([1, 4]); probe.stop()")
    by_name = {recorded.string(row["name"]): row for row in recorded.operators}
    assert by_name["aten::cat"]["input_count"] == 2
    assert by_name["aten::split_with_sizes" if "aten::split_with_sizes" in by_name else "aten::split"]["output_count"] == 2


def test_an_operator_that_raises_says_so() -> None:
    code = """
    start()
    try:
        torch.ones(2) @ torch.ones(3)
    except RuntimeError:
        pass
    probe.stop()
    """
    _, recorded = record(code)
    raised = {recorded.string(row["name"]) for row in recorded.operators if row["flags"] & OperatorFlag.RAISED}
    assert {"aten::matmul", "aten::dot"} <= raised
    assert not next(row for row in recorded.operators if recorded.string(row["name"]) == "aten::ones")["flags"] & OperatorFlag.RAISED


def test_quiet_and_compiling_operators_are_marked() -> None:
    code = """
    start()
    probe.set_quiet(True); torch.ones(1); probe.set_quiet(False)
    probe.set_compiling(True); torch.zeros(1); probe.set_compiling(False)
    torch.full((1,), 2.)
    probe.stop()
    """
    _, recorded = record(code)
    flags = {recorded.string(row["name"]): row["flags"] & 3 for row in recorded.operators if not row["parent"]}
    assert flags == {"aten::ones": OperatorFlag.OURS, "aten::zeros": OperatorFlag.COMPILING, "aten::full": 0}


def test_user_scopes_and_torchscript_functions_are_recorded() -> None:
    code = """
    import warnings; warnings.simplefilter("ignore")
    @torch.jit.script
    def double(x):
        return x * 2
    start()
    with torch.profiler.record_function("my part"):
        double(torch.ones(1))
    probe.stop()
    """
    _, recorded = record(code)
    scopes = {recorded.string(row["name"]): row for row in recorded.operators}
    assert scopes["my part"]["scope"] == Scope.USER_SCOPE
    assert scopes["double"]["scope"] == Scope.TORCHSCRIPT_FUNCTION
    assert scopes["aten::ones"]["parent"] == scopes["my part"]["id"]


def test_user_scopes_that_end_out_of_order_leave_the_nesting_right() -> None:
    code = """
    start()
    first, second = torch.profiler.record_function("first"), torch.profiler.record_function("second")
    first.__enter__(); second.__enter__(); first.__exit__(None, None, None)
    torch.ones(1)
    second.__exit__(None, None, None)
    torch.zeros(1)
    probe.stop()
    """
    _, recorded = record(code)
    rows = {recorded.string(row["name"]): row for row in recorded.operators}
    assert rows["aten::ones"]["parent"] == rows["second"]["id"]
    assert rows["aten::zeros"]["parent"] == 0


def test_a_parameter_is_known_by_registration() -> None:
    code = """
    start()
    p = nn.Parameter(torch.ones(3))
    probe.register_parameter(p, 7)
    p.sum()
    probe.stop()
    answer(p._cdata)
    """
    impl, recorded = record(code)
    total = next(row for row in recorded.operators if recorded.string(row["name"]) == "aten::sum")
    (given,) = (row for row in recorded.records[RecordKind.TENSOR] if row["op"] == total["id"] and row["role"] == TensorRole.INPUT)
    assert given["impl"] == impl
    assert given["flags"] == TensorFlag.IS_LEAF_PARAMETER | TensorFlag.REQUIRES_GRAD


def test_what_runs_now_is_written_when_asked_for() -> None:
    code = """
    class Outer(nn.Module):
        def forward(self, x):
            with torch.profiler.record_function("inside"):
                probe.flush_open()
                os.kill(os.getpid(), 9)
    child = os.fork()
    if child == 0:
        start()
        nn.Module.__call__ = probe.ModuleCall(nn.Module.__call__, lambda module: 7)
        Outer()(torch.ones(1))
    answer(os.waitpid(child, 0)[1])
    """
    status, recorded = record(code)
    assert status == 9
    (scope,) = (row for row in recorded.operators if recorded.string(row["name"]) == "inside")
    (call,) = recorded.records[RecordKind.MODULE_CALL]
    assert (scope["end_ns"], call["end_ns"], call["module"]) == (0, 0, 7)
    assert scope["module_call"] == call["call"]
    assert scope["begin_ns"] >= call["begin_ns"] > 0
