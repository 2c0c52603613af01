"""The rings: blocks, their hand-over, what is lost and what never is, forks, and an end by SIGKILL."""

import os
import struct
import time

from tensorscope.protocol import area as layout
from tensorscope.protocol.records import LAYOUT, RECORD_SIZE, DefinitionKind, RecordKind
from tests.probe.area import CODES, Recorded, TestArea
from tests.probe.running import record, run


def test_record_layout_is_the_protocols() -> None:
    code = "answer(probe.record_layout())"
    rows, _ = record(code)
    compiled = {(kind, field): (offset, size) for kind, _, field, offset, size in rows}
    declared = {(int(kind), field.name): (field.offset, struct.calcsize(CODES[field.type])) for kind, fields in LAYOUT.items() for field in fields}
    assert compiled == declared


def test_a_thread_that_ends_hands_its_block_over() -> None:
    code = """
    import threading
    start()
    identities = []
    def work():
        identities.append(probe.thread_id())
        torch.ones(3)
    for _ in range(3):
        thread = threading.Thread(target=work); thread.start(); thread.join()
    answer([identities, probe.thread_id()])
    os.kill(os.getpid(), 0)
    """
    (identities, main), recorded = record(code)
    assert len(set(identities)) == 3
    states = {thread: state for state, kind, thread, _, _ in recorded.blocks if kind == layout.BLOCK_RECORDS}
    assert {states[identity] for identity in identities} == {layout.BLOCK_FULL}
    assert main not in states or states[main] == layout.BLOCK_WRITING
    assert set(identities) <= set(recorded.definitions[DefinitionKind.THREAD])


def test_records_survive_a_kill() -> None:
    area = TestArea()
    try:
        code = """
        import subprocess
        child = os.fork()
        if child == 0:
            start(); torch.ones(3); os.kill(os.getpid(), 9)
        answer(os.waitpid(child, 0)[1])
        """
        assert run(code, area) == 9
        recorded = area.read()
        assert "aten::ones" in {recorded.string(row["name"]) for row in recorded.operators}
    finally:
        area.close()


def test_a_forked_child_writes_nothing() -> None:
    code = """
    start()
    torch.ones(3)
    before = bytes(open(f"/proc/self/fd/{os.environ['TEST_AREA_FD']}", "rb").read())
    child = os.fork()
    if child == 0:
        kept = torch.zeros(5) + 1
        probe.message(b"{}")
        probe.arm(1)
        del kept
        os._exit(0 if not probe.is_on() else 1)
    status = os.waitpid(child, 0)[1]
    after = bytes(open(f"/proc/self/fd/{os.environ['TEST_AREA_FD']}", "rb").read())
    torch.full((2,), 1.0)
    answer([status, before == after, probe.is_on()])
    probe.stop()
    """
    (status, is_equal, is_on), recorded = record(code)
    assert (status, is_equal, is_on) == (0, True, True)
    names = {recorded.string(row["name"]) for row in recorded.operators}
    assert "aten::full" in names
    assert "aten::zeros" not in names


def test_definitions_outlive_a_tiny_area_and_lost_records_are_counted() -> None:
    area = TestArea(block_count=4, block_size=8192)
    try:
        code = """
        start(stacks=False)
        for number in range(600):
            with torch.profiler.record_function(f"a scope with a rather long name, number {number}"):
                pass
        answer(0)
        sys.stdin.read()
        for _ in range(50):
            time.sleep(0.02)
            torch.ones(1)
        """
        recorded = Recorded()
        import subprocess
        import sys
        import tempfile

        from tests.probe.running import PRELUDE, probe_library

        variables = {**os.environ, "TEST_PROBE": probe_library(), "TEST_AREA_FD": str(area.fd), "TEST_AREA_SIZE": str(area.size)}
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            import textwrap

            script.write("import time\n" + PRELUDE + textwrap.dedent(code))
            script.flush()
            child = subprocess.Popen([sys.executable, script.name], env=variables, pass_fds=[area.fd], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert child.stdout is not None
            assert child.stdin is not None
            child.stdout.readline()
            dropped = area.word(layout.DROPPED, "Q")
            child.stdin.close()
            deadline = time.monotonic() + 60
            while child.poll() is None and time.monotonic() < deadline:
                area.set_word(layout.HEARTBEAT, time.monotonic_ns(), "Q")
                area.read(recorded, free_full=True)
                time.sleep(0.005)
            child.stdout.close()
            assert child.wait() == 0
        area.read(recorded)
        assert dropped > 0
        names = {recorded.string(identity) for identity in recorded.definitions[DefinitionKind.STRING]}
        assert {f"a scope with a rather long name, number {number}" for number in range(600)} <= names
    finally:
        area.close()


def test_without_a_reader_the_newest_records_are_kept() -> None:
    code = """
    start(stacks=False)
    for _ in range(1000):
        torch.empty(1)
    torch.zeros(2)
    probe.stop()
    """
    _, recorded = record(code, block_count=6, block_size=8192, reader_present=False)
    last = recorded.operators[-1]
    assert recorded.string(last["name"]) == "aten::zeros"
    assert len(recorded.operators) < 1000


def test_a_slow_reader_delays_the_script_by_little() -> None:
    area = TestArea(block_count=6, block_size=8192)
    try:
        code = """
        import time
        start(stacks=False)
        begin = time.monotonic()
        for _ in range(20000):
            torch.empty(1)
        answer(time.monotonic() - begin)
        probe.stop()
        """
        assert run(code, area) < 60  # a second on an idle machine; a wait at each of the 156 blocks that nobody frees would take minutes
        assert area.word(layout.DROPPED, "Q") > 10000
    finally:
        area.close()


def test_a_large_message_and_graph_come_in_pieces() -> None:
    code = """
    start(stacks=False)
    value = w = torch.ones(1, requires_grad=True)
    for _ in range(600):
        value = value * 2
    value.backward()
    probe.message(b"x" * 30000)
    probe.stop()
    """
    _, recorded = record(code, block_size=8192, block_count=400)
    nodes, edges = recorded.graph(1)
    assert (len(nodes), len(edges)) == (601, 600)
    assert len(recorded.backward(1)[1]) == 601
    parts = [struct.unpack_from("<III", payload) for payload in recorded.messages]
    assert [part for part, _, _ in parts] == list(range(len(parts)))
    assert sum(length for _, _, length in parts) == 30000


def test_record_size_and_kinds_are_what_the_reader_expects() -> None:
    _, recorded = record("start(); torch.ones(1); probe.mark(5, 1, 2, a=3, b=4, x=0.5, y=1.5, flags=2); probe.stop()")
    assert RECORD_SIZE == 64
    (mark,) = recorded.records[RecordKind.MARK]
    assert [mark[name] for name in ("mark", "begin_ns", "end_ns", "a", "b", "x", "y", "flags")] == [5, 1, 2, 3, 4, 0.5, 1.5, 2]


def test_the_probes_clock_is_the_monotonic_clock_and_never_goes_back() -> None:
    code = """
    import threading, time
    start()
    told = []
    def look():
        latest = worst = 0
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            before = time.monotonic_ns(); now = probe.now_ns(); after = time.monotonic_ns()
            worst = max(worst, before - now, now - after)
            assert now >= latest
            latest = now
            again = [probe.now_ns() for _ in range(200)]
            assert again == sorted(again)
        told.append(worst)
    threads = [threading.Thread(target=look) for _ in range(2)]
    [thread.start() for thread in threads]
    look()
    [thread.join() for thread in threads]
    answer(told)
    probe.stop()
    """
    told, _ = record(code)
    assert len(told) == 3
    assert max(told) < 2_000
