"""What the window remembers from one start to the next."""

from __future__ import annotations

import json

from PySide6.QtCore import QByteArray, QSettings

VERSION = 1
RECORDINGS = 10
MOST_MARKED = 200  # recordings whose bookmarks and choices are kept


class Settings:
    """A thin face of QSettings (an INI file under the user's configuration folder); ``is_kept=False`` remembers nothing."""

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
        try:
            kept = json.loads(str(self._store.value("recent", "[]"))) if self._store is not None else []
        except ValueError:
            return []
        return [[str(word) for word in words] for words in kept if isinstance(words, list)] if isinstance(kept, list) else []

    @recent.setter
    def recent(self, commands: list[list[str]]) -> None:
        if self._store is not None:
            self._store.setValue("recent", json.dumps(commands))

    @property
    def geometry(self) -> QByteArray | None:
        kept = self._store.value(f"geometry{VERSION}") if self._store is not None else None
        return kept if isinstance(kept, QByteArray) else None

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        if self._store is not None:
            self._store.setValue(f"geometry{VERSION}", geometry)

    @property
    def breakpoints(self) -> list[str]:
        """The user's own, as ``protocol.breakpoints`` writes them."""
        kept = self._store.value("breakpoints", []) if self._store is not None else []
        if isinstance(kept, str):  # a list of one comes back as its item
            return [kept]
        return [str(spec) for spec in kept] if isinstance(kept, list) else []

    @breakpoints.setter
    def breakpoints(self, specs: list[str]) -> None:
        if self._store is not None:
            self._store.setValue("breakpoints", specs)

    def bookmarks(self, recording: str) -> list[tuple[int, str]]:
        """Time (ns) and label of each, of the recording at a path."""
        kept = self._all_bookmarks().get(recording, [])
        pairs = [one for one in kept if isinstance(one, list) and len(one) == 2] if isinstance(kept, list) else []
        return [(int(time_ns), str(label)) for time_ns, label in pairs if isinstance(time_ns, int)]

    def keep_bookmarks(self, recording: str, marks: list[tuple[int, str]]) -> None:
        if self._store is None:
            return
        others = {path: kept for path, kept in self._all_bookmarks().items() if path != recording}
        newest = {recording: marks} if marks else {}
        self._store.setValue("bookmarks", json.dumps(dict(list((newest | others).items())[:MOST_MARKED])))

    def _all_bookmarks(self) -> dict[str, object]:
        try:
            kept = json.loads(str(self._store.value("bookmarks", "{}"))) if self._store is not None else {}
        except ValueError:
            return {}
        return kept if isinstance(kept, dict) else {}

    def choices(self, owner: str) -> dict[str, object]:
        """What panels keep by name: of a recording's path or a script; "" is for all runs."""
        kept = self._all_choices().get(owner, {})
        return kept if isinstance(kept, dict) else {}

    def keep_choice(self, owner: str, name: str, value: object) -> None:
        if self._store is None:
            return
        kept = self._all_choices()
        newest = {owner: {**self.choices(owner), name: value}}
        common = {"": kept[""]} if "" in kept else {}
        self._store.setValue("choices", json.dumps(dict(list((newest | common | kept | newest).items())[:MOST_MARKED])))

    def _all_choices(self) -> dict[str, object]:
        try:
            kept = json.loads(str(self._store.value("choices", "{}"))) if self._store is not None else {}
        except ValueError:
            return {}
        return kept if isinstance(kept, dict) else {}

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
