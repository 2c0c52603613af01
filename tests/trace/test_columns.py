"""Append-only columns: what a snapshot saw stays as it was, whatever comes later."""

import threading

import numpy as np

from tensorscope.trace.clock import ClockView
from tensorscope.trace.columns import BLOCK_ROWS, Block, TableStore
from tensorscope.trace.schema import Column, Table

TABLE = Table("numbers", (Column("value", "u4"), Column("time_ns", "i8", is_time=True)))
CLOCK = ClockView(0)


def store_of(count: int) -> TableStore:
    store = TableStore(TABLE)
    append(store, 0, count)
    return store


def append(store: TableStore, begin: int, end: int) -> None:
    values = np.arange(begin, end)
    store.append({"value": values.astype(np.uint32), "time_ns": values + 1000}, end - begin)


def test_rows_cross_blocks_in_order() -> None:
    store = store_of(2 * BLOCK_ROWS + 7)
    assert [block.rows for block in store.blocks] == [BLOCK_ROWS, BLOCK_ROWS, 7]
    assert np.array_equal(store.columns(CLOCK)["value"], np.arange(2 * BLOCK_ROWS + 7))


def test_an_older_snapshot_does_not_grow() -> None:
    store = store_of(10)
    before = store.columns(CLOCK)
    append(store, 10, 20)
    after = store.columns(CLOCK)
    assert after["value"].tolist() == list(range(20))
    assert before["value"].tolist() == list(range(10))


def test_reading_on_shares_the_past() -> None:
    store = store_of(100)
    store.columns(CLOCK)["value"]
    append(store, 100, 140)
    joined = store.columns(CLOCK)["value"]
    append(store, 140, 150)
    more = store.columns(CLOCK)["value"]
    assert np.shares_memory(joined, more)
    assert more.tolist() == list(range(150))


def test_columns_cannot_be_written() -> None:
    assert not store_of(3).columns(CLOCK)["value"].flags.writeable


def test_a_hold_that_becomes_known_moves_rows_already_read() -> None:
    store = store_of(4)  # times 1000 .. 1003
    assert store.columns(ClockView(1000))["time_ns"].tolist() == [0, 1, 2, 3]
    held = ClockView(1000, ((1001, 1003),))
    assert store.columns(held)["time_ns"].tolist() == [0, 1, 1, 1]


def test_an_older_snapshot_read_late_keeps_its_own_clock() -> None:
    store = store_of(4)
    before = store.columns(ClockView(1000))
    assert store.columns(ClockView(1000, ((1001, 1003),)))["time_ns"].tolist() == [0, 1, 1, 1]
    assert before["time_ns"].tolist() == [0, 1, 2, 3]


def test_replaced_blocks_leave_older_snapshots_alone() -> None:
    store = store_of(6)
    before = store.columns(CLOCK)
    kept = store.blocks[0]
    store.replace_blocks([Block({name: array[2:6] for name, array in kept.arrays.items()}, 4, 1002, 1005)])
    assert store.columns(CLOCK)["value"].tolist() == [2, 3, 4, 5]
    assert before["value"].tolist() == [0, 1, 2, 3, 4, 5]
    assert store.rows == 4


def test_blocks_know_their_first_and_last_time() -> None:
    store = TableStore(TABLE)
    store.append({"value": np.zeros(3, np.uint32), "time_ns": np.array([0, 70, 30])}, 3)
    assert (store.blocks[0].first_ns, store.blocks[0].last_ns) == (30, 70)


def test_snapshots_are_whole_while_another_thread_appends() -> None:
    store = store_of(1)
    lock = threading.Lock()
    done = threading.Event()

    def grow() -> None:
        for begin in range(1, 60_001, 300):
            with lock:
                append(store, begin, begin + 300)
        done.set()

    writer = threading.Thread(target=grow)
    writer.start()
    while not done.is_set():
        with lock:
            columns = store.columns(CLOCK)
            rows = store.rows
        assert np.array_equal(columns["value"], np.arange(rows))
    writer.join()
