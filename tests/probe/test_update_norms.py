"""What the probe reads of an optimizer's step: copies within their budget in turn, any strides and types, nothing of a parameter that became another."""

import math

import pytest

from tensorscope.protocol.records import GradientStage, RecordKind
from tests.probe.running import record

SETUP = """
    start()
    def parameter(identity, values):
        made = nn.Parameter(values)
        made.grad = torch.ones_like(values)
        probe.register_parameter(made, identity)
        return made
"""


def test_copies_beyond_the_budget_take_turns() -> None:
    code = f"""{SETUP}
    kept = [parameter(identity, torch.zeros(10)) for identity in (1, 2, 3)]
    made = []
    for step in range(3):
        made.append(probe.copy_weights(5, [1, 2, 3], 80))
        with torch.no_grad():
            for one in kept:
                one += 2
        probe.write_updates(5, step + 1)
    answer(made)
    probe.stop()
    """
    made, recorded = record(code)
    assert made == [[2, 1, 0]] * 3
    rows = recorded.records[RecordKind.GRADIENT]
    assert [(row["backward"], row["parameter"]) for row in rows] == [(1, 1), (1, 2), (2, 3), (2, 1), (3, 2), (3, 3)]
    assert {(row["stage"], row["update_sum_squares"]) for row in rows} == {(GradientStage.UPDATE, 40.0)}
    assert [row["weight_sum_squares"] for row in rows] == [0, 0, 40, 40, 160, 160]


def test_strides_and_types_make_no_difference() -> None:
    code = f"""{SETUP}
    torch.manual_seed(0)
    kept = [parameter(1, torch.randn(37, 5).t()), parameter(2, torch.randn(9, dtype=torch.bfloat16)), parameter(3, torch.randn(6, dtype=torch.complex64))]
    before = [one.detach().clone() for one in kept]
    probe.copy_weights(1, [1, 2, 3], 1 << 20)
    with torch.no_grad():
        for one in kept:
            one.mul_(1.25)
    probe.write_updates(1, 1)
    wide = [torch.complex128 if one.is_complex() else torch.float64 for one in kept]
    answer([(one.detach().to(dtype) - old.to(dtype)).norm().item() for one, old, dtype in zip(kept, before, wide)])
    probe.stop()
    """
    moved, recorded = record(code)
    rows = recorded.records[RecordKind.GRADIENT]
    assert [math.sqrt(row["update_sum_squares"]) for row in rows] == pytest.approx(moved, rel=1e-12)


def test_what_became_another_or_has_no_gradient_is_not_told() -> None:
    code = f"""{SETUP}
    kept = [parameter(identity, torch.zeros(4)) for identity in (1, 2, 3)]
    kept[2].grad = None
    made = probe.copy_weights(1, [1, 2, 3], 1 << 20)
    kept[0].data = torch.zeros(5)
    written = probe.write_updates(1, 1)
    answer([made, written, probe.write_updates(1, 1), probe.write_updates(9, 1)])
    probe.stop()
    """
    (made, *written), recorded = record(code)
    assert (made, written) == ([2, 0, 0], [1, 0, 0])
    assert [row["parameter"] for row in recorded.records[RecordKind.GRADIENT]] == [2]
