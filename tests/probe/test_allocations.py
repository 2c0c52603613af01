"""CPU allocations, against torch.profiler's memory events."""

import pytest

from tensorscope.protocol.records import AllocationAction, RecordKind
from tests.probe.running import record

SCRIPTS = {
    "mlp": "model = nn.Sequential(nn.Linear(20, 30), nn.Tanh(), nn.Linear(30, 5)); x = torch.randn(8, 20)",
    "conv": "model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, stride=2)); x = torch.randn(2, 3, 20, 20)",
    "lstm": "lstm = nn.LSTM(6, 9, 2, batch_first=True); model = lambda x: lstm(x)[0]; model.parameters = lstm.parameters; x = torch.randn(3, 7, 6)",
}

STEP = """
torch.manual_seed(0)
%s
optimizer = torch.optim.AdamW(model.parameters())
def step():
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
step()
"""


@pytest.mark.parametrize("script", list(SCRIPTS))
def test_allocations_equal_the_memory_events_of_torch_profiler(script: str) -> None:
    code = (
        STEP % SCRIPTS[script]
        + """
from torch.profiler import profile, ProfilerActivity
start()
with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiled:
    begin = probe.now_ns()
    step()
    end = probe.now_ns()
probe.stop()
from torch._C._profiler import _EventType
def sizes(events):
    for event in events:
        if event.tag == _EventType.Allocation:
            yield event.extra_fields.alloc_size
        yield from sizes(event.children)
answer([begin, end, list(sizes(profiled.profiler.kineto_results.experimental_event_tree()))])
"""
    )
    (begin, end, theirs), recorded = record(code, is_silent=False)
    rows = recorded.records[RecordKind.ALLOCATION]
    sizes = {}
    ours = []
    for row in rows:
        inside = begin <= row["time_ns"] <= end
        if row["action"] == AllocationAction.ALLOC:
            sizes[row["address"]] = row["size"]
            if inside:
                ours.append(row["size"])
        elif row["address"] in sizes:
            size = sizes.pop(row["address"])
            if inside:
                ours.append(-size)
    assert len([size for size in theirs if size > 0]) > 10
    assert [size for size in ours if size > 0] == [size for size in theirs if size > 0]
    before = [row for row in rows if row["action"] == AllocationAction.FREE]
    assert len(before) == 0 or all(row["size"] == 0 for row in before)


def test_every_block_that_is_freed_was_allocated_and_live_bytes_add_up() -> None:
    code = (
        STEP % SCRIPTS["mlp"]
        + """
start(keep_blocks=True)
for _ in range(3):
    step()
kept = torch.ones(1000)
blocks = sorted(probe.open_blocks())
probe.stop()
answer([blocks, kept.data_ptr()])
"""
    )
    (blocks, kept), recorded = record(code)
    live: dict[int, int] = {}
    for row in recorded.records[RecordKind.ALLOCATION]:
        if row["action"] == AllocationAction.ALLOC:
            assert row["address"] not in live
            live[row["address"]] = row["size"]
        else:
            del live[row["address"]]
    assert sorted(map(list, live.items())) == blocks
    assert live[kept] == 4000


def test_an_allocation_knows_its_operator_and_stack() -> None:
    code = """
    def make():
        return torch.empty(10).fill_(1)
    start(); kept = make(); probe.stop()
    """
    _, recorded = record(code)
    row = next(row for row in recorded.records[RecordKind.ALLOCATION] if row["action"] == AllocationAction.ALLOC)
    operator = next(operator for operator in recorded.operators if operator["id"] == row["op"])
    assert recorded.string(operator["name"]) == "aten::empty"
    assert [frame[2] for frame in recorded.stack(row["stack"])] == ["make", "<module>"]


def test_stop_puts_the_allocator_back_and_freeing_later_is_safe() -> None:
    code = """
    start()
    kept = [torch.ones(100) for _ in range(50)]
    probe.stop()
    more = [torch.ones(100) for _ in range(50)]
    kept[0].resize_(5000).fill_(3)
    value = float(kept[0].sum())
    del kept, more
    answer([value, probe.is_on()])
    """
    (value, is_on), recorded = record(code)
    assert value == 15000
    assert not is_on
    assert sum(row["action"] == AllocationAction.ALLOC for row in recorded.records[RecordKind.ALLOCATION]) == 50
    assert sum(row["action"] == AllocationAction.FREE for row in recorded.records[RecordKind.ALLOCATION]) == 0


def test_running_out_of_memory_is_recorded_and_raised_as_ever() -> None:
    code = """
    start()
    try:
        torch.empty(1 << 50)
    except RuntimeError as error:
        answer(str(error).splitlines()[0])
    probe.stop()
    """
    message, recorded = record(code)
    assert "can't allocate memory" in message
    assert [row["size"] for row in recorded.records[RecordKind.ALLOCATION] if row["action"] == AllocationAction.OOM] == [4 << 50]


def test_stop_puts_the_very_allocator_back_that_was_there() -> None:
    code = """
    import ctypes
    c10 = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libc10.so"))
    current = c10["_ZN3c1015GetCPUAllocatorEv"]
    current.restype = ctypes.c_void_p
    before = current()
    start()
    watching = current()
    probe.stop()
    answer([before, watching, current()])
    """
    (before, watching, after), _ = record(code)
    assert before == after != watching
