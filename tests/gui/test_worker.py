"""The worker computes off the GUI thread, drops what is outdated, and ends with the window."""

from collections.abc import Iterator
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from PySide6.QtCore import QEventLoop, QTimer

from tensorscope.gui.worker import WorkerPool


@pytest.fixture
def pool(qapp: object) -> Iterator[WorkerPool]:
    pool = WorkerPool()
    yield pool
    pool.close()


def wait_until_idle(pool: WorkerPool) -> None:
    loop = QEventLoop()
    pool.idle.connect(loop.quit)
    QTimer.singleShot(120_000, loop.quit)
    loop.exec()
    assert not pool.is_busy


def test_a_result_is_computed_elsewhere_and_shown_here(pool: WorkerPool) -> None:
    threads: list[Any] = []
    pool.submit("panel", current_thread, lambda worker: threads.extend((worker, current_thread())))
    wait_until_idle(pool)
    assert threads[0].name.startswith("tensorscope-worker")
    assert threads[1] is main_thread()


def test_the_newest_request_of_a_panel_replaces_the_waiting_one(pool: WorkerPool) -> None:
    begun, release, shown = Event(), Event(), []

    def slow() -> int:
        begun.set()
        release.wait(120)
        return 0

    pool.submit("panel", slow, shown.append)
    assert begun.wait(120)
    for number in (1, 2, 3):
        pool.submit("panel", lambda number=number: number, shown.append)  # type: ignore[misc]
    release.set()
    wait_until_idle(pool)
    assert shown == [0, 3]


def test_a_failure_is_told_and_the_pool_goes_on(pool: WorkerPool) -> None:
    failures: list[tuple[object, BaseException]] = []
    shown: list[int] = []
    pool.failed.connect(lambda key, error: failures.append((key, error)))
    pool.submit("broken", lambda: 1 // 0, shown.append)
    wait_until_idle(pool)
    pool.submit("whole", lambda: 7, shown.append)
    wait_until_idle(pool)
    assert [(key, type(error)) for key, error in failures] == [("broken", ZeroDivisionError)]
    assert shown == [7]


def test_a_forgotten_panel_is_shown_nothing(pool: WorkerPool) -> None:
    begun, release, shown = Event(), Event(), []

    def slow() -> int:
        begun.set()
        release.wait(120)
        return 0

    pool.submit("closed", slow, shown.append)
    assert begun.wait(120)
    pool.forget("closed")
    release.set()
    pool.submit("open", lambda: 1, shown.append)
    wait_until_idle(pool)
    assert shown == [1]
