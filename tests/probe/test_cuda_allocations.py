"""CUDA's allocations: the tracker compiled against a CUDA build of torch, and what it sees where there is a device."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tensorscope.protocol.records import AllocationAction, RecordKind
from tests.probe.area import Recorded
from tests.probe.running import BUILD, PRELUDE, record

CUDA = 1  # c10::DeviceType
CUDA_PYTHON = "TENSORSCOPE_CUDA_PYTHON"


@pytest.fixture(scope="module")
def cuda_build(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An interpreter with a CUDA build of torch, and the probe built for it."""
    interpreter = os.environ.get(CUDA_PYTHON, "")
    if not interpreter:
        pytest.skip(f"{CUDA_PYTHON} names no interpreter with a CUDA build of torch")
    cache = tmp_path_factory.mktemp("cuda")
    result = json.loads(subprocess.run([interpreter, str(BUILD), "--cache", str(cache)], capture_output=True, text=True, check=False).stdout)
    assert (result["state"], result["message"]) == ("built", "")
    return interpreter, result["library"]


def test_the_tracker_compiles_against_a_cuda_build_and_waits_for_cuda(cuda_build: tuple[str, str], tmp_path: Path) -> None:
    interpreter, library = cuda_build
    script = tmp_path / "attach.py"
    code = """
try:
    probe.attach_cuda()
except RuntimeError as error:
    answer([str(error), torch.cuda.is_initialized()])
"""
    script.write_text(PRELUDE + code, encoding="utf-8")
    done = subprocess.run([interpreter, str(script)], capture_output=True, text=True, env={**os.environ, "TEST_PROBE": library}, check=True)
    assert json.loads(done.stdout.removeprefix("ANSWER ")) == ["CUDA is not initialised", False]


def test_without_cuda_attaching_says_why() -> None:
    import torch

    if torch.version.cuda is not None:
        pytest.skip("this torch is a CUDA build")
    code = """
    try:
        probe.attach_cuda()
    except RuntimeError as error:
        answer(str(error))
    """
    answer, _ = record(code)
    assert answer == "the probe was built without CUDA's headers"


def live_bytes(recorded: Recorded, granule: int = 1) -> int:
    """Of blocks handed out and not asked back, each rounded up to the granule."""
    live: dict[int, int] = {}
    for row in recorded.records[RecordKind.ALLOCATION]:
        if row["device_type"] == CUDA and row["action"] == AllocationAction.ALLOC:
            assert row["address"] not in live
            live[row["address"]] = -(-row["size"] // granule) * granule
        elif row["device_type"] == CUDA and row["action"] == AllocationAction.FREE_REQUESTED:
            del live[row["address"]]
    return sum(live.values())


STEPS = """
start()
torch.cuda._lazy_call(probe.attach_cuda)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 300), nn.Tanh(), nn.Linear(300, 7)).cuda()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(3):
    optimizer.zero_grad()
    model(torch.randn(33, 64, device="cuda")).square().mean().backward()
    optimizer.step()
stats = torch.cuda.memory_stats()
answer([torch.cuda.memory_allocated(), torch.cuda.memory_reserved(), stats["requested_bytes.all.current"]])
probe.stop()
"""


@pytest.mark.cuda
def test_live_bytes_equal_torchs_own_counters() -> None:
    (allocated, reserved, requested), recorded = record(STEPS)
    assert live_bytes(recorded) == requested
    assert live_bytes(recorded, granule=512) == allocated
    segments = [row for row in recorded.records[RecordKind.ALLOCATION] if row["action"] in (AllocationAction.SEGMENT_ALLOC, AllocationAction.SEGMENT_FREE)]
    assert sum(row["size"] if row["action"] == AllocationAction.SEGMENT_ALLOC else -row["size"] for row in segments) == reserved


@pytest.mark.cuda
def test_an_allocation_on_a_device_knows_its_operator() -> None:
    _, recorded = record(STEPS)
    operators: dict[int, dict[str, Any]] = {row["id"]: row for row in recorded.operators}
    rows = [row for row in recorded.records[RecordKind.ALLOCATION] if row["device_type"] == CUDA and row["action"] == AllocationAction.ALLOC]
    names = {recorded.string(operators[row["op"]]["name"]) for row in rows if row["op"] in operators}
    assert {"aten::empty", "aten::addmm"} <= names


@pytest.mark.cuda
def test_running_out_of_device_memory_is_recorded_and_raised_as_ever() -> None:
    code = """
    start()
    torch.cuda._lazy_call(probe.attach_cuda)
    try:
        torch.empty(1 << 50, dtype=torch.uint8, device="cuda")
    except torch.OutOfMemoryError as error:
        answer("CUDA out of memory" in str(error))
    probe.stop()
    """
    answer, recorded = record(code)
    assert answer is True
    assert [row["size"] for row in recorded.records[RecordKind.ALLOCATION] if row["action"] == AllocationAction.OOM] == [1 << 50]
