"""Gradients of a run without end stay within their share of the budget, and keep what matters."""

import numpy as np

from tensorscope.protocol.frames import decode_frame, encode_frame
from tensorscope.protocol.records import GradientStage
from tensorscope.recording.batches import batch_of_frame, frame_of_batches
from tensorscope.recording.frame_thinning import thinned
from tensorscope.trace.columns import BLOCK_ROWS
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.retention import Keep
from tensorscope.trace.schema import GRADIENTS
from tensorscope.trace.thinning import gradient_scores, kept_rows
from tensorscope.trace.trace import Trace
from tests.support.trace_builder import TraceBuilder


def test_of_every_two_iterations_the_one_with_the_peak_stays_whole() -> None:
    rows = {
        "parameter": np.array([1, 2] * 8, np.uint32),
        "stage": np.full(16, GradientStage.RAW, np.uint8),
        "sum_squares": np.array([1, 1, 1, 1, 1, 1, 1, 100, 1, 1, 1, 1, 1, 1, 1, 1], float),  # the second parameter's peak is in iteration 3
        "nonfinite": np.array([0] * 8 + [1] + [0] * 7, np.uint32),  # the first parameter's first NaN in iteration 4
    }
    iterations = np.repeat(np.arange(8), 2)
    stays = kept_rows(iterations, gradient_scores(rows), 8, 0, 8)
    assert iterations[stays].tolist() == [0, 0, 3, 3, 4, 4, 6, 6]
    stays = kept_rows(iterations, gradient_scores(rows), 4, 0, 8)
    assert iterations[stays].tolist() == [3, 3, 4, 4]


def test_the_first_and_the_last_iterations_stay_whatever_the_budget() -> None:
    iterations = np.arange(12)
    stays = kept_rows(iterations, np.zeros(12), 0, 2, 9)
    assert iterations[stays].tolist() == [0, 1, 2, 9, 10, 11]  # one of the middle is left


def test_a_trace_without_end_holds_its_gradients_within_a_quarter_of_the_budget() -> None:
    budget = 16 * BLOCK_ROWS * 70
    trace = Trace(Keep(memory_bytes=budget, first=1, last=1, check_rows=1))
    messages = TraceBuilder()
    for iteration in range(40):
        norm = 9.0 if iteration == 11 else 1.0
        row = TraceBuilder().gradient(backward=iteration + 1, parameter=1, norm=norm, time=iteration * 100 + 50)
        for thread, content in row.blocks():
            trace.add_batches(batches_of_records(content * (BLOCK_ROWS // 4), thread)[0])
        messages.message({"type": "iteration", "index": iteration, "time_ns": iteration * 100 + 99})
        trace.add_definitions(messages.definitions()[-1:])
        trace.add_batches([])
        assert trace.size_bytes <= budget // 4 + BLOCK_ROWS * 70
    snapshot = trace.snapshot()
    kept = (np.unique(snapshot.table(GRADIENTS).column("backward")) - 1).tolist()
    assert {0, 11, 39} <= set(kept)
    assert 4 < len(kept) < 25
    assert snapshot.health.retired_rows == (40 - len(kept)) * (BLOCK_ROWS // 4)


def test_a_frame_of_a_recording_is_thinned_by_whole_backwards() -> None:
    builder = TraceBuilder()
    for backward in range(1, 9):
        for parameter in (1, 2):
            builder.gradient(backward=backward, parameter=parameter, norm=5.0 if (backward, parameter) == (4, 2) else 1.0, time=backward)
    ((thread, content),) = builder.blocks()
    payload = encode_frame(frame_of_batches(batches_of_records(content, thread)[0], 3, 10))
    frame = decode_frame(thinned(payload, set()))
    assert (frame.iteration, frame.last_iteration) == (3, 10)
    left = batch_of_frame(frame)
    assert left.columns["backward"].tolist() == [1, 1, 4, 4, 8, 8]  # of 1 to 3, of 4 to 7, of 8 to 11
    again = batch_of_frame(decode_frame(thinned(encode_frame(frame), set())))
    assert again.columns["backward"].tolist() == [4, 4]
