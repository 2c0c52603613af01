"""Ties the window's bookmarks to the settings, which keep them with their recording."""

from __future__ import annotations

from tensorscope.gui.settings import Settings
from tensorscope.session.session import Session
from tensorscope.viewmodel.bookmarks import Bookmark, Bookmarks


class BookmarkKeeper:
    """Those of a recording are there again when it is opened again."""

    def __init__(self, bookmarks: Bookmarks, session: Session, settings: Settings) -> None:
        self._bookmarks = bookmarks
        self._settings = settings
        self._session = session
        self._recording = str(session.path.absolute())
        bookmarks.begin_with(Bookmark(time_ns, label) for time_ns, label in settings.bookmarks(self._recording))
        bookmarks.observe(self._changed)

    def _changed(self) -> None:
        for mark in self._bookmarks.marks:
            self._session.keep_moment(mark.time_ns)
        self._settings.keep_bookmarks(self._recording, [(mark.time_ns, mark.label) for mark in self._bookmarks.marks])
