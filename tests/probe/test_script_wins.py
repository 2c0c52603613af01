"""The script computes the same, and no tensor or local lives longer."""

import pytest

from tests.probe.running import record

TRAIN = """
import hashlib
def train():
    torch.manual_seed(3)
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.3), nn.Flatten(), nn.Linear(144, 6))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for number, parameter in enumerate(model.parameters()):
        probe.register_parameter(parameter, number + 1)
    for _ in range(5):
        x = torch.randn(3, 1, 8, 8)
        base = x.clone().requires_grad_()
        written = base * 2
        view = written[0]
        written.mul_(0.5)
        optimizer.zero_grad()
        (F.cross_entropy(model(written), torch.randint(0, 6, (3,))) + view.sum() * 1e-3).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
    digest = hashlib.sha256()
    for value in [*model.parameters(), *model.buffers()]:
        digest.update(value.detach().numpy().tobytes())
    return digest.hexdigest() + str(torch.rand(1).item())
"""


def test_training_gives_bit_identical_parameters() -> None:
    code = (
        TRAIN
        + """
plain = train()
start()
nn.Module.__call__ = probe.ModuleCall(nn.Module.__call__, lambda module: 1)
probe.set_on_hold(lambda *told: probe.arm(1))
probe.set_on_node_end(lambda *told: None)
watched = train()
probe.arm(1)
held = train()
probe.stop()
answer([plain, watched, held, train()])
"""
    )
    answers, recorded = record(code)
    assert len(set(answers)) == 1
    assert len(recorded.operators) > 500


def test_no_tensor_lives_longer() -> None:
    code = """
    import weakref, gc
    start()
    nn.Module.__call__ = probe.ModuleCall(nn.Module.__call__, lambda module: 1)
    def run():
        model = nn.Linear(3, 3)
        for number, parameter in enumerate(model.parameters()):
            probe.register_parameter(parameter, number + 1)
        x = torch.ones(2, 3)
        hidden = model(x)
        loss = hidden.sum()
        loss.backward()
        probe.tensor_info(x); probe.tensor_stats(hidden); probe.gradient_norms()
        return [weakref.ref(value) for value in (x, hidden, loss, model, model.weight, model.weight.grad)]
    gc.disable()
    gone = run()
    answer([reference() is None for reference in gone])
    probe.stop()
    """
    answer, _ = record(code)
    assert answer == [True] * 6


def test_frame_locals_leave_no_snapshot() -> None:
    code = """
    import weakref
    class Thing: pass
    def inner(frame):
        return sorted(probe.frame_locals(frame))
    def outer():
        thing, free = Thing(), 1
        reader = lambda: free
        names = inner(sys._getframe())
        gone = weakref.ref(thing)
        del thing
        class Body:
            member = 1
            seen = sorted(probe.frame_locals(sys._getframe()))
        return names, gone() is None, Body.seen
    names, is_gone, body = outer()
    answer([names, is_gone, body, probe.frame_locals(sys._getframe())["names"] == names])
    """
    (names, is_gone, body, of_module), _ = record(code)
    assert names == ["free", "reader", "thing"]
    assert is_gone
    assert {"member"} <= set(body)
    assert of_module


def test_reading_a_view_does_not_rebuild_its_node() -> None:
    code = """
    start()
    base = torch.ones(4, requires_grad=True) * 1
    view = base[:2]
    base.mul_(2)
    info = probe.tensor_info(view)
    probe.tensor_stats(view)
    names = []
    (view.sum() + base.sum()).backward()
    answer([info["is_view"], info["base"] == base._cdata, info["version"], info["requires_grad"], info["offset"]])
    probe.stop()
    """
    answer, _ = record(code)
    assert answer == [True, True, 1, True, 0]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        ("torch.tensor([[1., -2.], [3., 4.]]).t()", {"norm": 30**0.5, "min": -2, "max": 4, "mean": 1.5, "nonfinite": 0, "numel": 4, "dtype": "float32"}),
        ("torch.tensor([1., float('inf'), float('nan')], dtype=torch.half)", {"norm": 1, "min": 1, "max": 1, "mean": 1, "nonfinite": 2, "numel": 3}),
        ("torch.tensor([3, -4])", {"norm": 5, "min": -4, "max": 3, "mean": -0.5, "nonfinite": 0, "dtype": "int64"}),
        ("torch.tensor([3 + 4j])", {"norm": 5, "min": 5, "max": 5, "mean": 5}),
        ("torch.tensor([True, False])", {"norm": 1, "min": 0, "max": 1, "mean": 0.5}),
        ("torch.empty(2, device='meta')", {"why": "not on the CPU", "numel": 2}),
        ("torch.eye(2).to_sparse()", {"why": "not strided"}),
        ("torch.empty(0)", {"norm": 0, "numel": 0, "nonfinite": 0}),
    ],
)
def test_tensor_stats_are_right(make: str, expected: dict[str, float | str]) -> None:
    answer, _ = record(f"answer(probe.tensor_stats({make}))")
    assert {key: answer[key] for key in expected} == pytest.approx(expected) if "why" not in expected else {**answer, **expected} == answer
