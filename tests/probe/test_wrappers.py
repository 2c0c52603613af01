"""Wrapper and ModuleCall: calls, errors, attributes, and that nothing shows in tracebacks."""

from tensorscope.protocol.records import RecordKind, TensorRole
from tests.probe.running import record


def test_module_calls_nest_and_operators_know_their_call() -> None:
    code = """
    known = []
    start()
    nn.Module.__call__ = probe.ModuleCall(nn.Module.__call__, lambda module: known.append(module) or len(known))
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(3, 2)
        def forward(self, x, *, scale):
            return self.inner(x["value"][0]) * scale
    net = Net()
    x = torch.ones(4, 3)
    for _ in range(2):
        net({"value": [x]}, scale=torch.tensor(2.0))
    probe.stop()
    answer([type(module).__name__ for module in known])
    """
    known, recorded = record(code)
    assert known == ["Net", "Linear"]
    calls = recorded.records[RecordKind.MODULE_CALL]
    assert [(row["call"], row["module"], row["parent"], row["flags"]) for row in calls] == [(2, 2, 1, 0), (1, 1, 0, 0), (4, 2, 3, 0), (3, 1, 0, 0)]
    by_name = {recorded.string(row["name"]): row["module_call"] for row in recorded.operators if row["parent"] == 0}
    assert (by_name["aten::linear"], by_name["aten::mul"]) == (4, 3)
    given = [row for row in recorded.records[RecordKind.TENSOR] if row["role"] == TensorRole.ROOT_INPUT]
    assert [(row["op"], row["argument"]) for row in given] == [(1, 0), (1, 1), (3, 0), (3, 1)]
    assert recorded.shape(given[0]["shape"])[0] == (4, 3)


def test_a_failing_forward_looks_as_without_us() -> None:
    code = """
    import traceback
    class Net(nn.Module):
        def forward(self, x):
            raise ValueError("theirs")
    def text():
        try:
            Net()(1)
        except ValueError:
            return traceback.format_exc()
    before = text()
    start()
    nn.Module.__call__ = probe.ModuleCall(nn.Module.__call__, lambda module: 1)
    after = text()
    probe.stop()
    answer([before, after])
    """
    (before, after), recorded = record(code)
    assert before == after
    assert [row["flags"] for row in recorded.records[RecordKind.MODULE_CALL]] == [1]


def test_a_wrapper_calls_before_and_after_and_passes_results_and_errors_on() -> None:
    code = """
    told = []
    def original(a, b=2, *rest, c=3):
        "Adds."
        if a < 0:
            raise ValueError(a)
        return a + b + c
    start()
    wrapped = probe.Wrapper(original, lambda args, kwargs: told.append(["before", args, kwargs]) or "token",
                            lambda token, args, kwargs, result, raised: told.append([token, result, raised]))
    results = [wrapped(1), wrapped(1, 5, c=7)]
    try:
        wrapped(-1)
    except ValueError as error:
        results.append(str(error))
    probe.stop()
    results.append(wrapped(10))
    answer([results, told])
    """
    (results, told), _ = record(code)
    assert results == [6, 13, "-1", 15]
    assert told == [["before", [1], {}], ["token", 6, False], ["before", [1, 5], {"c": 7}], ["token", 13, False], ["before", [-1], {}], ["token", None, True]]


def test_a_failing_callback_is_dropped_and_the_call_goes_on() -> None:
    code = """
    def original(x):
        return x * 2
    start()
    def broken(*told):
        raise RuntimeError("ours")
    wrapped = probe.Wrapper(original, broken, broken)
    answer([wrapped(1), wrapped(2), failures])
    probe.stop()
    """
    (first, second, failures), _ = record(code)
    assert (first, second) == (2, 4)
    assert failures == [["original", "RuntimeError('ours')"]] * 2


def test_a_wrapper_looks_like_its_original() -> None:
    code = """
    import inspect, pickle, types, copy
    def original(a: int, *, b=2) -> str:
        "Adds."
    kept = original
    original = probe.Wrapper(original)
    original.mark = 5
    class Holder:
        method = original
    bound = Holder().method
    answer([original.__name__, original.__doc__, original.__module__, original.__qualname__, str(inspect.signature(original)), kept.mark,
            isinstance(bound, types.MethodType), bound.__func__ is original, Holder.method is original,
            pickle.loads(pickle.dumps(original)) is original, copy.deepcopy(original) is original, original.original is kept, hasattr(original, "__wrapped__"),
            repr(original) == repr(kept)])
    """
    answer, _ = record(code)
    assert answer[:6] == ["original", "Adds.", "__main__", "original", "(a: int, *, b=2) -> str", 5]
    assert answer[6:] == [True, True, True, True, True, True, False, True]


def test_wrappers_are_collected_with_their_cycles() -> None:
    code = """
    import gc, weakref
    class Token: pass
    def make():
        token = Token()
        def original():
            return wrapped, token
        wrapped = probe.Wrapper(original, original, original)
        return weakref.ref(token)
    gone = make()
    gc.collect()
    answer(gone() is None)
    """
    assert record(code)[0]
