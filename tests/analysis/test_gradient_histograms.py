"""Histograms of gradients: bins put together from their rows, shares of what was sampled, the iteration of each."""

from tensorscope.analysis.gradient_histograms import BINS, POWERS, edges_of, gradient_histograms
from tests.analysis.test_gradients import model

ONE = POWERS + 32  # the bin of 1.0


def test_bins_of_several_parameters_count_together_as_shares_of_what_was_sampled() -> None:
    builder = model()
    builder.histogram(1, backward=1, time=31, counts={ONE: 3, ONE + 1: 1}, zeros=4, sampled=8)
    builder.histogram(2, backward=1, time=31, counts={ONE: 1, 0: 5}, zeros=0, sampled=8, nonfinite=2)
    found = gradient_histograms(builder.snapshot(), {"head.weight", "body.weight"}, 1)
    assert (found.backward.tolist(), found.iteration.tolist(), found.sampled.tolist()) == ([0], [0], [16])
    assert {place: share for place, share in enumerate(found.bins[0].tolist()) if share} == {0: 5 / 16, ONE: 4 / 16, ONE + 1: 1 / 16}
    assert (found.zeros.tolist(), found.nonfinite.tolist()) == ([4 / 16], [2 / 16])


def test_each_backward_and_stage_is_a_sample_of_its_own() -> None:
    builder = model()
    for backward, time in ((1, 31), (2, 131)):
        builder.histogram(1, backward=backward, time=time, counts={ONE: 8}, sampled=8)
    builder.histogram(1, backward=2, time=140, counts={ONE: 8}, sampled=8, stage=3)
    assert gradient_histograms(builder.snapshot(), {"head.weight"}, 1).backward.tolist() == [0, 1]
    assert gradient_histograms(builder.snapshot(), {"head.weight"}, 1).iteration.tolist() == [0, 1]
    assert gradient_histograms(builder.snapshot(), {"head.weight"}, 3).backward.tolist() == [1]
    assert len(gradient_histograms(builder.snapshot(), {"body.weight"}, 1)) == 0


def test_bins_stand_in_the_order_of_the_numbers() -> None:
    assert edges_of(slice(ONE, ONE + 1)) == (1.0, 2.0)
    assert edges_of(slice(POWERS - 1 - 32, POWERS - 32)) == (-2.0, -1.0)
    assert edges_of(slice(POWERS - 1, POWERS + 1)) == (-(2.0**-31), 2.0**-31)
    assert edges_of(slice(0, BINS)) == (-256.0, 256.0)
