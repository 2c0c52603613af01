"""Where a watched run is recorded: in the user's cache, of which the last ten are kept."""

import contextlib
import os
import time
from pathlib import Path
from typing import Final

from tensorscope.errors import TensorScopeError
from tensorscope.recording.database import is_claimed
from tensorscope.recording.format import SUFFIX

KEPT: Final = 10


def kept_recordings() -> list[Path]:
    """Those in the cache, the newest first."""
    with contextlib.suppress(OSError):
        return sorted(_folder().glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    return []


def _folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "tensorscope" / "recordings"


def new_recording_path(title: str, kept_count: int = KEPT) -> Path:
    """A fresh path in the cache; older recordings there beyond the last ``kept_count`` are removed, unless they are still written.

    Raises TensorScopeError if the cache cannot be written.
    """
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        kept = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns)
    except OSError as error:
        raise TensorScopeError(f"Cannot write recordings to {folder}: {(error.strerror or str(error)).lower()}.") from None
    for old in [path for path in kept[: max(len(kept) - kept_count + 1, 0)] if not is_claimed(path)]:
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                old.with_name(old.name + suffix).unlink(missing_ok=True)
    return folder / f"{Path(title).stem}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}{SUFFIX}"
