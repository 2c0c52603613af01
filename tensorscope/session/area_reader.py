"""The thread that empties a debuggee's rings: beats the heart that the probe waits for, and hands over what was committed."""

import threading
from collections.abc import Callable, Sequence
from time import monotonic_ns
from typing import Final

from tensorscope.protocol import area
from tensorscope.session.area_map import AreaMap, Chunk

SHORTEST_SLEEP_S: Final = 0.005  # where a good part of the area is full: a small one, or many threads
USUAL_SLEEP_S: Final = 0.020  # a full-speed script fills some blocks meanwhile: few large pieces cost far less than many small ones
CROWDED_PART: Final = 4  # a quarter
CHUNKS_AT_ONCE: Final = 16  # taken in between two beats of the heart


class AreaReader:
    """Reads from construction until ``close``. ``take(chunks)`` runs on the reader's thread."""

    def __init__(self, area_map: AreaMap, take: Callable[[Sequence[Chunk]], None]) -> None:
        self._area = area_map
        self._take = take
        self._wake = threading.Event()
        self._is_closing = False
        area_map.beat(monotonic_ns())
        area_map.set_word(area.READER_PRESENT, 1)
        self._thread = threading.Thread(target=self._run, name="tensorscope-area", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take all that is committed by now, say that nobody reads any more, and join the thread. Idempotent."""
        self._is_closing = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        sleep_s = SHORTEST_SLEEP_S
        while not self._is_closing:
            self._wake.wait(sleep_s)
            sleep_s = SHORTEST_SLEEP_S if self._read_once() * CROWDED_PART > self._area.block_count else USUAL_SLEEP_S
        while self._read_once():
            pass
        self._area.set_word(area.READER_PRESENT, 0)

    def _read_once(self) -> int:
        """One look at all blocks; how many had something."""
        self._area.beat(monotonic_ns())
        chunks: list[Chunk] = []
        count = 0
        for chunk in self._area.collect():
            chunks.append(chunk)
            count += 1
            if len(chunks) == CHUNKS_AT_ONCE:
                self._take(chunks)
                self._area.beat(monotonic_ns())
                chunks = []
        if chunks:
            self._take(chunks)
        return count
