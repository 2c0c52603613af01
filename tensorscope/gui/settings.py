"""What the window remembers from one start to the next. Several windows, each a process of its own, share the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QByteArray, QDir, QFileInfo, QLockFile, QRect, QSettings

from tensorscope.viewmodel.welcome import with_newest

VERSION = 1
RECORDINGS = 10
MOST_MARKED = 200  # recordings whose bookmarks and choices are kept
LOCK_MS = 5000  # another window holds the file for a millisecond or two


class Settings:
    """A thin face of QSettings (an INI file under the user's configuration folder); ``is_kept=False`` remembers nothing.

    QSettings merges what other processes wrote key by key. Lists that several windows add to are read and written with the file to ourselves.
    """

    def __init__(self, *, is_kept: bool = True) -> None:
        self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "TensorScope", "window") if is_kept else None

    @property
    def theme(self) -> str:
        """``dark``, ``light`` or "" (as the system)."""
        return str(self._store.value("theme", "")) if self._store is not None else ""

    @theme.setter
    def theme(self, name: str) -> None:
        if self._store is not None:
            self._store.setValue("theme", name)

    @property
    def palette(self) -> str:
        """The colours: a key of ``settings_page.PALETTES``."""
        return str(self._store.value("palette", "")) if self._store is not None else ""

    @palette.setter
    def palette(self, name: str) -> None:
        if self._store is not None:
            self._store.setValue("palette", name)

    @property
    def language(self) -> str:
        """A key of ``translation.LANGUAGES``; "" is the system's."""
        return str(self._store.value("language", "")) if self._store is not None else ""

    @language.setter
    def language(self, name: str) -> None:
        if self._store is not None:
            self._store.setValue("language", name)

    @property
    def keep(self) -> str:
        """What a run keeps, as ``--keep`` takes it; "" is the default."""
        return str(self._store.value("keep", "")) if self._store is not None else ""

    @keep.setter
    def keep(self, spec: str) -> None:
        if self._store is not None:
            self._store.setValue("keep", spec)

    @property
    def recordings(self) -> int:
        """How many recordings of runs stay in the cache."""
        kept = str(self._store.value("recordings", RECORDINGS)) if self._store is not None else ""
        return max(int(kept), 1) if kept.isdecimal() else RECORDINGS

    @recordings.setter
    def recordings(self, count: int) -> None:
        if self._store is not None:
            self._store.setValue("recordings", count)

    @property
    def recent(self) -> list[list[str]]:
        """The words of the last commands, the newest first: a script and its arguments, or ``open`` and a recording."""
        kept = self._json("recent", [])
        return [[str(word) for word in words] for words in kept if isinstance(words, list)] if isinstance(kept, list) else []

    def add_recent(self, command: Sequence[str]) -> None:
        """Put a command first among the recent ones, with those of other windows."""
        with self._alone() as store:
            if store is not None:
                store.setValue("recent", json.dumps(with_newest(self.recent, command)))

    @property
    def geometry(self) -> QByteArray | None:
        kept = self._store.value(f"geometry{VERSION}") if self._store is not None else None
        return kept if isinstance(kept, QByteArray) else None

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        if self._store is not None:
            self._store.setValue(f"geometry{VERSION}", geometry)

    @property
    def undocked(self) -> list[tuple[str, QRect]]:
        """Panels in windows of their own, and where those stood."""
        kept = self._json("undocked", [])
        places = [one for one in kept if isinstance(one, list) and len(one) == 5] if isinstance(kept, list) else []
        return [(str(key), QRect(*lengths)) for key, *lengths in places if all(isinstance(length, int) for length in lengths)]

    def keep_undocked(self, places: Sequence[tuple[str, QRect]]) -> None:
        if self._store is not None:
            self._store.setValue("undocked", json.dumps([[key, place.x(), place.y(), place.width(), place.height()] for key, place in places]))

    @property
    def breakpoints(self) -> list[str]:
        """The user's own, as ``protocol.breakpoints`` writes them."""
        kept = self._store.value("breakpoints", []) if self._store is not None else []
        if isinstance(kept, str):  # a list of one comes back as its item
            return [kept]
        return [str(spec) for spec in kept] if isinstance(kept, list) else []

    def change_breakpoints(self, added: Sequence[str], removed: Sequence[str]) -> None:
        """Those that other windows set or took away meanwhile stay so."""
        with self._alone() as store:
            if store is not None:
                kept = [spec for spec in self.breakpoints if spec not in removed]
                store.setValue("breakpoints", [*kept, *(spec for spec in added if spec not in kept)])

    def bookmarks(self, recording: str) -> list[tuple[int, str]]:
        """Time (ns) and label of each, of the recording at a path."""
        kept = self._all_bookmarks().get(recording, [])
        pairs = [one for one in kept if isinstance(one, list) and len(one) == 2] if isinstance(kept, list) else []
        return [(int(time_ns), str(label)) for time_ns, label in pairs if isinstance(time_ns, int)]

    def keep_bookmarks(self, recording: str, marks: list[tuple[int, str]]) -> None:
        with self._alone() as store:
            if store is not None:
                others = {path: kept for path, kept in self._all_bookmarks().items() if path != recording}
                newest = {recording: marks} if marks else {}
                store.setValue("bookmarks", json.dumps(dict(list((newest | others).items())[:MOST_MARKED])))

    def _all_bookmarks(self) -> dict[str, object]:
        kept = self._json("bookmarks", {})
        return kept if isinstance(kept, dict) else {}

    def choices(self, owner: str) -> dict[str, object]:
        """What panels keep by name: of a recording's path or a script; "" is for all runs."""
        kept = self._all_choices().get(owner, {})
        return kept if isinstance(kept, dict) else {}

    def keep_choice(self, owner: str, name: str, value: object) -> None:
        with self._alone() as store:
            if store is not None:
                kept = self._all_choices()
                newest = {owner: {**self.choices(owner), name: value}}
                common = {"": kept[""]} if "" in kept else {}
                store.setValue("choices", json.dumps(dict(list((newest | common | kept | newest).items())[:MOST_MARKED])))

    def _all_choices(self) -> dict[str, object]:
        kept = self._json("choices", {})
        return kept if isinstance(kept, dict) else {}

    def _json(self, key: str, default: object) -> object:
        """What was kept as JSON; the default where it is none."""
        kept = self._store.value(key) if self._store is not None else None
        try:
            return json.loads(str(kept)) if kept is not None else default
        except ValueError:
            return default

    def lock(self, name: str) -> QLockFile | None:
        """A lock beside the file, the same for all windows that share that; None where nothing is kept."""
        if self._store is None:
            return None
        QDir().mkpath(QFileInfo(self._store.fileName()).absolutePath())
        return QLockFile(f"{self._store.fileName()}.{name}")

    @contextmanager
    def _alone(self) -> Iterator[QSettings | None]:
        """The store as it is on disk now, and no other window's until it is written back; without the lock where it cannot be had."""
        if self._store is None:
            yield None
            return
        lock = self.lock("merge")
        assert lock is not None
        lock.tryLock(LOCK_MS)
        try:
            self._store.sync()
            yield self._store
            self._store.sync()
        finally:
            lock.unlock()

    def sizes(self, arrangement: str) -> list[QByteArray]:
        """Splitter states of an arrangement, [] if none were kept."""
        if self._store is None:
            return []
        kept = self._store.value(f"sizes{VERSION}/{arrangement}", [])
        return [state for state in kept if isinstance(state, QByteArray)] if isinstance(kept, list) else []

    def forget_sizes(self) -> None:
        if self._store is not None:
            self._store.remove(f"sizes{VERSION}")

    def keep_sizes(self, arrangement: str, states: list[QByteArray]) -> None:
        if self._store is not None:
            self._store.setValue(f"sizes{VERSION}/{arrangement}", states)
