"""The Unix socket at which Python below the launched process knocks. Linux only: the peer's user and process id come from SO_PEERCRED."""

import contextlib
import os
import shutil
import socket
import struct
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tensorscope.errors import TensorScopeError

CREDENTIALS: Final = struct.Struct("3i")  # pid, uid, gid


class Door:
    """Listens in a folder that only this user may enter. ``visited(connection, pid)`` runs on the door's thread and owns the connection."""

    def __init__(self, visited: Callable[[socket.socket, int], None]) -> None:
        """Raises TensorScopeError where no folder for it can be made."""
        self._visited = visited
        try:
            self._folder = Path(tempfile.mkdtemp(prefix="tensorscope-"))
            self.path = str(self._folder / "door")
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.bind(self.path)
            self._socket.listen(128)
        except OSError as error:
            raise TensorScopeError(f"No socket can be made in {tempfile.gettempdir()}: {(error.strerror or str(error)).lower()}.") from None
        self._thread = threading.Thread(target=self._run, name="tensorscope-door", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let nobody in any more and join the thread. Idempotent."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            pid, user, _ = CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size))
            if user == os.getuid():
                self._visited(connection, pid)
            else:
                connection.close()
