"""What the probe reads of gradients and weights beyond their norms: histograms against torch's own answer, and whose turn it is."""

import math

import pytest

from tensorscope.protocol.records import HISTOGRAM_POWERS, HISTOGRAM_ROW_BINS, RecordKind
from tests.probe.running import record

LOWEST, HIGHEST = HISTOGRAM_POWERS
POWERS = HIGHEST - LOWEST + 1


def test_a_histogram_counts_the_elements_by_sign_and_power_of_two() -> None:
    code = """
    start()
    values = [0., -0., 1., 1.5, 2., -1., -3., 2. ** -32, -(2. ** -40), 500., -1e30, float("inf"), float("nan")]
    parameter = nn.Parameter(torch.zeros(len(values)))
    parameter.grad = torch.tensor(values)
    probe.register_parameter(parameter, 7)
    probe.write_gradients(1, 5)
    probe.stop()
    """
    _, recorded = record(code)
    rows = recorded.records[RecordKind.HISTOGRAM]
    counts = {row["row"] * HISTOGRAM_ROW_BINS + bin: row[f"count{bin}"] for row in rows for bin in range(HISTOGRAM_ROW_BINS) if row[f"count{bin}"]}
    positive, negative = POWERS - LOWEST, POWERS - 1 + LOWEST  # of ±1
    assert counts == {
        positive: 2,  # 1 and 1.5
        positive + 1: 1,  # 2
        negative: 1,  # -1
        negative - 1: 1,  # -3
        POWERS: 1,  # 2^-32, the smallest that has a bin
        POWERS - 1: 1,  # -2^-40, beyond the smallest
        2 * POWERS - 1: 1,  # 500, beyond the largest
        0: 1,  # -1e30
    }
    assert {(row["stage"], row["parameter"], row["backward"], row["zeros"], row["sampled"], row["nonfinite"]) for row in rows} == {(1, 7, 5, 2, 13, 2)}


def test_of_a_large_gradient_an_even_sample_is_counted() -> None:
    code = """
    torch.manual_seed(0)
    start()
    parameter = nn.Parameter(torch.zeros(500, 200))
    parameter.grad = torch.randn(200, 500).t()
    probe.register_parameter(parameter, 1)
    probe.write_gradients(1, 1)
    answer([int((parameter.grad.abs() >= 1).sum()), int((parameter.grad < 0).sum())])
    probe.stop()
    """
    (large, negative), recorded = record(code)
    rows = recorded.records[RecordKind.HISTOGRAM]
    bins = [0] * 2 * POWERS
    for row in rows:
        for bin in range(HISTOGRAM_ROW_BINS):
            bins[row["row"] * HISTOGRAM_ROW_BINS + bin] = row[f"count{bin}"]
    assert sum(bins) == rows[0]["sampled"] == math.ceil(100_000 / 24)  # every 24th
    assert sum(bins[:POWERS]) == pytest.approx(negative / 24, rel=0.1)
    assert sum(bins[: POWERS - 1 + LOWEST + 1] + bins[POWERS - LOWEST :]) == pytest.approx(large / 24, rel=0.1)


def test_histograms_that_nobody_asks_for_take_a_small_share_of_the_time() -> None:
    code = """
    import time
    start()
    parameters = [nn.Parameter(torch.zeros(4096)) for _ in range(50)]
    for number, parameter in enumerate(parameters):
        parameter.grad = torch.randn(4096)
        probe.register_parameter(parameter, number + 1)
    probe.write_gradients(1, 1)
    probe.ask_histograms(False)
    for backward in range(2, 22):
        probe.write_gradients(1, backward)
    probe.ask_histograms(True)
    probe.write_gradients(1, 22)
    probe.stop()
    """
    _, recorded = record(code)
    backwards = {row["backward"] for row in recorded.records[RecordKind.HISTOGRAM]}
    assert {1, 22} <= backwards
    assert len(backwards) < 12


def test_the_weights_of_a_large_model_take_turns_after_the_first_backwards() -> None:
    code = """
    start()
    parameters = [nn.Parameter(torch.full((size,), 2.)) for size in (200_000, 100_000, 10, 300_000, 10)]
    for number, parameter in enumerate(parameters):
        parameter.grad = torch.ones_like(parameter)
        probe.register_parameter(parameter, number + 1)
    for backward in range(1, 9):
        probe.write_gradients(1, backward)
    probe.write_gradients(3, 8)
    probe.stop()
    """
    _, recorded = record(code)
    read: dict[tuple[int, int], list[int]] = {}
    for row in recorded.records[RecordKind.GRADIENT]:
        of_backward = read.setdefault((row["stage"], row["backward"]), [])
        if not math.isnan(row["weight_sum_squares"]):
            of_backward.append(row["parameter"])
            assert row["weight_sum_squares"] == 4 * row["numel"]
    everything = [1, 2, 3, 4, 5]
    first = {(1, backward): everything for backward in (1, 2, 3)}
    turns = {(1, 4): [1, 2], (1, 5): [3, 4], (1, 6): [5], (1, 7): [1, 2], (1, 8): [3, 4]}
    assert read == first | turns | {(3, 8): []}


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
def test_norm_and_maximum_of_any_length_and_type_equal_torchs(dtype: str) -> None:
    code = f"""
    torch.manual_seed(3)
    start()
    expected = []
    for number, length in enumerate([1, 7, 31, 32, 33, 64, 1000, 4097]):
        parameter = nn.Parameter(torch.zeros(length, dtype=torch.{dtype}))
        parameter.grad = torch.randn(length + 3).to(torch.{dtype})[3:] * 50
        probe.register_parameter(parameter, number + 1)
        globals()[f"kept_{{number}}"] = parameter
        expected.append([float(parameter.grad.double().norm()), float(parameter.grad.double().abs().max())])
    probe.write_gradients(1, 1)
    answer(expected)
    probe.stop()
    """
    expected, recorded = record(code)
    rows = recorded.records[RecordKind.GRADIENT]
    assert [math.sqrt(row["sum_squares"]) for row in rows] == pytest.approx([norm for norm, _ in expected], rel=1e-12)
    assert [row["max_abs"] for row in rows] == [largest for _, largest in expected]
