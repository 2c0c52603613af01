"""The cost that the probe tells is about what it costs."""

from tests.probe.running import record


def test_the_cost_told_is_near_what_observed_operators_take_longer() -> None:
    code = """
    import time
    sum_, one = torch.zeros(1), torch.zeros(1)
    def fastest_ns():
        best = 1e18
        for _ in range(60):
            begin = time.thread_time_ns()
            for _ in range(640):
                sum_.add_(one)
            best = min(best, (time.thread_time_ns() - begin) / 640)
        return best
    import mmap, struct
    area = mmap.mmap(int(os.environ["TEST_AREA_FD"]), 4096)
    cost = lambda: struct.unpack_from("<Q", area, 40)[0]
    before = torch.get_rng_state()
    start(stacks=False)
    assert torch.equal(before, torch.get_rng_state())
    told = 1e18
    for _ in range(60):  # the least of many, since a wait of the machine counts 64 times where it is sampled
        begin = cost()
        for _ in range(640):
            sum_.add_(one)
        told = min(told, (cost() - begin) / 640)
    watched = fastest_ns()
    probe.stop()
    answer([told, watched - fastest_ns(), probe.observing_ns()])
    """
    (told_ns, real_ns, observing_ns), recorded = record(code)
    assert 20 < observing_ns < 20_000
    assert told_ns > observing_ns
    assert 0.3 < told_ns / real_ns < 3
    assert len({row["id"] for row in recorded.operators}) == len(recorded.operators)
