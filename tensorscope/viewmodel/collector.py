"""Keeps Python's garbage collector out of work that makes many small objects and keeps them all."""

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
