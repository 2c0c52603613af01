"""A copy of a recording as one file, also while it is written."""

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
