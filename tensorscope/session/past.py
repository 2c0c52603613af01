"""Brings detail of a moment that somebody looks at back into a trace: read on a thread of its own, the newest wish only."""

import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tensorscope.errors import ProtocolError
from tensorscope.language import tr
from tensorscope.protocol.frames import decode_frame
from tensorscope.recording.batches import batch_of_frame
from tensorscope.recording.past import Past, read_past
from tensorscope.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class Wish:
    """Detail of a process in a span of monotonic time, of which one moment matters most."""

    process: int
    span: tuple[int, int]
    moment_ns: int


class Source(Protocol):
    """Where the past is read. May take long; called on the fetcher's thread."""

    def __call__(self, wish: Wish) -> Past | str:
        """What there is; a sentence where it cannot be had (any more)."""
        ...


class PastFetcher:
    """``look_at`` may be called from any thread; ``changed`` is called on the fetcher's when rows came or ``note`` is another."""

    def __init__(self, source: Source, trace_of: Callable[[int | None], tuple[int, Trace]], changed: Callable[[], None]) -> None:
        """``trace_of(rank)`` gives a rank's process number and trace."""
        self._source = source
        self._trace_of = trace_of
        self._changed = changed
        self._condition = threading.Condition()
        self._wish: tuple[Wish, Trace] | None = None
        self._is_closing = False
        self._thread: threading.Thread | None = None  # made when first it is needed
        self.arrivals = 0  # times that rows came
        self.note = ""  # a sentence on the detail of the moment that was looked at last; "" where nothing is to be said

    def look_at(self, time_ns: int | None, rank: int | None) -> None:
        """Somebody looks at a run time; None: at now."""
        process, trace = self._trace_of(rank)
        untold = None if time_ns is None else trace.untold_at(time_ns)
        with self._condition:
            self._wish = None if untold is None else (Wish(process, *untold), trace)
            note = tr("The detail of this moment is on its way.") if untold is not None else ""
            is_other, self.note = note != self.note, note
            if self._wish is not None and self._thread is None and not self._is_closing:
                self._thread = threading.Thread(target=self._run, name="tensorscope-past", daemon=True)
                self._thread.start()
            self._condition.notify_all()
        if is_other:
            self._changed()

    def close(self) -> None:
        """Join the thread; a source that waits has to be told apart. Idempotent."""
        with self._condition:
            self._is_closing = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._wish is not None or self._is_closing)
                if self._is_closing or self._wish is None:
                    return
                (wish, trace), self._wish = self._wish, None
            note = self._fetch(wish, trace)
            with self._condition:
                if self._wish is None:
                    self.note = note
            self._changed()

    def _fetch(self, wish: Wish, trace: Trace) -> str:
        """Put what can be had into the trace; a sentence on what cannot."""
        past = self._source(wish)
        if isinstance(past, str):
            return past
        batches = []
        for stored in past.frames:
            try:
                batches.append(batch_of_frame(decode_frame(stored.payload)))
            except ProtocolError:
                trace.count_damage()
        trace.add_past(wish.span, batches)
        self.arrivals += 1
        if not batches:
            return tr("The detail of this moment is gone: there was no room for it (--keep).")
        return "" if past.is_whole else tr("Of this long iteration only the part near the cursor is here.")


def source_in(path: Path) -> Source:
    """The past as a recording of this machine has it."""

    def read(wish: Wish) -> Past | str:
        try:
            return read_past(path, wish.process, wish.span, wish.moment_ns)
        except sqlite3.Error as error:
            return tr("The detail of this moment cannot be read from {path}: {error}.").format(path=path, error=error)

    return read
