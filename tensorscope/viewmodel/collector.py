"""Keeps Python's garbage collector out of the way of a window, and out of work that makes many small objects and keeps them all."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """No collection while the block runs: it would walk everything the process holds, several times, and find nothing. Measured: half of the time of
    a layout of 3,600 nodes. Another thread inside such a block at the same time may end the pause for both, which costs time, not truth."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def calm_collector() -> None:
    """Let Python's collector look through everything rarely: a window keeps hundreds of thousands of objects for long, and each such look holds every
    thread for 0.1 s and more. What ends without cycles, nearly all of it, goes at once as ever."""
    gc.set_threshold(20_000, 20, 20)
