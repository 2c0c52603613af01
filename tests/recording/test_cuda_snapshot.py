"""Torch's CUDA memory snapshots: hand-made ones, real ones where they are at hand, and files that are not to be trusted."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from tensorscope.analysis.memory import memory_timeline
from tensorscope.errors import TensorScopeError
from tensorscope.recording.cuda_snapshot import read_cuda_snapshot
from tensorscope.recording.imported import as_recording
from tensorscope.session.replay import ReplaySession
from tensorscope.trace.snapshot import Snapshot

FIXTURES = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "cuda_snapshots"
FRAMES = [{"filename": "??", "line": 0, "name": "at::empty"}, {"filename": "/user/model.py", "line": 7, "name": "forward"}]
REAL = {  # file: {device: (peak of allocated, peak of reserved)}, as the fixtures' own list says
    "t20_oom_observer_11.8GB": {"cuda:0": (11_840_159_744, 11_844_714_496)},
    "t20_state_7.6GB": {"cuda:0": (5_683_450_880, 7_608_467_456)},
    "t23_state_17GB": {"cuda:0": (16_397_578_240, 17_133_731_840)},
    "t25_graph_pools_pending_free_26GB": {"cuda:0": (24_916_034_560, 26_189_234_176)},
    "t26_full_history_97ev": {"cuda:0": (3_249_143_816, 3_781_165_056)},
    "t26_fwd_bf16_3k": {"cuda:0": (779_837_440, 861_929_472)},
    "t211_windows_5k": {"cuda:0": (13_923_997_700, 14_180_941_824)},
    "t28_3gpu_expandable_OOM_8k": {
        "cuda:0": (8_456_473_388, 8_541_700_096),
        "cuda:1": (84_063_351_764, 84_202_749_952),
        "cuda:2": (21_564_645_800, 21_883_781_120),
    },
}


def entry(action: str, address: int, size: int, time_us: int, **more: Any) -> dict[str, Any]:
    return {"action": action, "addr": address, "size": size, "stream": 0, "time_us": 5_000_000 + time_us, "frames": FRAMES, **more}


def segment(address: int, total: int, *blocks: tuple[int, int, str]) -> dict[str, Any]:
    made = [{"size": size, "requested_size": asked, "state": state, "frames": FRAMES} for size, asked, state in blocks]
    return {"device": 0, "address": address, "total_size": total, "stream": 0, "blocks": made}


def opened(path: Path, content: Any) -> Snapshot:
    path.write_bytes(pickle.dumps(content))
    session = ReplaySession(path)
    try:
        return session.snapshot()
    finally:
        session.close()


def test_a_history_gives_the_curve_with_what_was_there_before_it(tmp_path: Path) -> None:
    """At first 100 (freed later) and 40 (still there) of 4,096 reserved; then 60 more in a new segment, and a request that fails."""
    trace = [
        entry("segment_alloc", 0x9000, 2048, 0),
        entry("alloc", 0x9000, 60, 1),
        entry("free_requested", 0x1000, 100, 2),
        entry("free_completed", 0x1000, 100, 2),
        {"action": "oom", "device_free": 77, "size": 8192, "stream": 0, "time_us": 5_000_003, "frames": FRAMES},
        {"action": "from the future", "size": 1},
    ]
    segments = [segment(0x1000, 4096, (512, 0, "inactive"), (512, 40, "active_allocated")), segment(0x9000, 2048, (512, 60, "active_allocated"))]
    snapshot = opened(tmp_path / "run.pickle", {"segments": segments, "device_traces": [trace]})
    timeline = memory_timeline(snapshot, "cuda:0")
    assert timeline.reserved_bytes is not None
    assert (timeline.reserved_bytes[0], timeline.reserved_bytes[-1]) == (4096, 6144)
    assert timeline.allocated_bytes[timeline.peak_index] == 200
    assert timeline.allocated_bytes[-1] == 100
    assert [(one.wanted_bytes, one.free_bytes) for one in timeline.refusals] == [(8192, 77)]
    assert [frame.function for frame in snapshot.stacks[int(timeline.blocks.stack[0])]] == ["forward"]


def test_a_state_without_history_counts_blocks_as_the_allocator_made_them(tmp_path: Path) -> None:
    segments = [segment(0x1000, 4096, (512, 40, "active_allocated"), (1024, 1000, "active_pending_free"), (512, 500, "active_allocated"))]
    for content in ({"segments": segments, "device_traces": [[entry("alloc", 0x1000, 40, 0)]]}, segments):
        timeline = memory_timeline(opened(tmp_path / "run.pickle", content), "cuda:0")
        assert timeline.allocated_bytes.tolist()[-1] == 1024
        assert timeline.blocks.address.tolist() == [0x1000, 0x1600]


def test_a_snapshot_is_converted_once_and_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "run.pickle"
    path.write_bytes(pickle.dumps([segment(0x1000, 512, (512, 40, "active_allocated"))]))
    first = as_recording(path)
    made = first.stat().st_mtime_ns
    assert as_recording(path) == first
    assert first.stat().st_mtime_ns == made
    path.write_bytes(pickle.dumps([segment(0x1000, 1024, (512, 40, "active_allocated"))]))
    assert as_recording(path) != first
    assert as_recording(tmp_path / "run.tscope") == tmp_path / "run.tscope"


class _Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("/tmp/must-not-be-made"),))


@pytest.mark.parametrize("content", [b"", b"not a pickle", pickle.dumps({"a": 1}), pickle.dumps([1, 2]), pickle.dumps(_Trap())])
def test_what_is_no_snapshot_is_one_sentence_and_nothing_of_it_runs(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.pickle"
    path.write_bytes(content)
    with pytest.raises(TensorScopeError, match=r"bad\.pickle is no CUDA memory snapshot"):
        read_cuda_snapshot(path)
    with pytest.raises(TensorScopeError, match="There is no file"):
        as_recording(tmp_path / "missing.pickle")


@pytest.mark.parametrize("name", REAL)
def test_a_real_snapshot_has_the_peaks_that_are_known_of_it(name: str) -> None:
    path = FIXTURES / f"{name}.pickle"
    if not path.exists():
        pytest.skip("the real snapshots are not here")
    session = ReplaySession(path)
    try:
        snapshot = session.snapshot()
    finally:
        session.close()
    for device, (allocated, reserved) in REAL[name].items():
        timeline = memory_timeline(snapshot, device)
        assert timeline.reserved_bytes is not None
        assert (int(timeline.allocated_bytes.max()), int(timeline.reserved_bytes.max())) == (allocated, reserved)
