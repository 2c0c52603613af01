"""Files are written beside their target and put in its place only when they are whole."""

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tensorscope.errors import TensorScopeError


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Call ``write`` with a temporary path in the same folder, then rename it to ``path``. Raises TensorScopeError where that cannot be done.

    A device, a pipe or a folder at ``path`` is left as it is.
    """
    if path.exists() and not path.is_file():
        raise unwritable(path, "it is no ordinary file")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise unwritable(path, error.strerror) from None
    os.close(handle)
    temporary = Path(name)
    try:
        write(temporary)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        raise unwritable(path, error.strerror) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def unwritable(path: Path, reason: str | None) -> TensorScopeError:
    return TensorScopeError(f"Cannot write {path}: {(reason or 'unknown reason').lower()}.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
