"""Copies of a recording as one file, also while it is written."""

import contextlib
import sqlite3
from pathlib import Path

from tensorscope.errors import TensorScopeError
from tensorscope.recording.database import check_replaceable


def copy_recording(source: Path, target: Path) -> None:
    """Copy what is committed by now; replaces an older recording at ``target``. Raises TensorScopeError if that cannot be."""
    if target.exists() and source.samefile(target):
        return
    check_replaceable(target)
    partial = target.with_name(target.name + ".part")
    try:
        partial.unlink(missing_ok=True)
        with (
            contextlib.closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as origin,
            contextlib.closing(sqlite3.connect(partial)) as copy,
        ):
            origin.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise TensorScopeError(f"The recording could not be saved as {target}: {error}.") from None


class SavedCopy:
    """The copy that a user asked for: made at once, and once more when a run that goes on has ended."""

    def __init__(self, source: Path) -> None:
        self._source = source
        self._target: Path | None = None

    def save(self, target: Path, *, is_over: bool) -> None:
        """Raises TensorScopeError if that cannot be."""
        copy_recording(self._source, target)
        self._target = None if is_over else target

    def finish(self) -> None:
        """The run has ended and is recorded."""
        if self._target is not None:
            with contextlib.suppress(TensorScopeError):
                copy_recording(self._source, self._target)
