"""The host's end of the control socket: receives the area's descriptor and what is said while held, sends the host's commands."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable
from typing import Any

from tensorscope.errors import ProtocolError
from tensorscope.protocol.messages import LENGTH, MAX_MESSAGE_BYTES, decode, encode


class ControlConnection:
    """Owns a connected socket and the thread that reads it.

    ``received(message, fd)`` runs on that thread; the receiver owns a descriptor that is not None. So does ``ended()``, at the connection's end.
    """

    def __init__(self, connection: socket.socket, received: Callable[[dict[str, Any], int | None], None], ended: Callable[[], None] = lambda: None) -> None:
        self._socket = connection
        self._received = received
        self._ended = ended
        self._send_lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="tensorscope-control", daemon=True)

    def start(self) -> None:
        """Listen from now on: what hears it may answer at once."""
        self._thread.start()

    def send(self, message: dict[str, Any]) -> None:
        """Send a command; a debuggee that is gone does not mind."""
        with self._send_lock, contextlib.suppress(OSError):
            self._socket.sendall(encode(message))

    def close(self) -> None:
        """End the connection (a script that is held is let go by it) and join the thread. Idempotent."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        if self._thread.ident is not None and threading.current_thread() is not self._thread:
            self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        with contextlib.suppress(OSError, ProtocolError):
            while (message := self._receive()) is not None:
                self._received(*message)
        self._ended()

    def _receive(self) -> tuple[dict[str, Any], int | None] | None:
        """The next message and the descriptor that came with it; None at the end of the connection."""
        head, descriptors, _, _ = socket.recv_fds(self._socket, LENGTH.size, 1, socket.MSG_CMSG_CLOEXEC)
        fd = descriptors[0] if descriptors else None
        try:
            while 0 < len(head) < LENGTH.size:
                rest = self._socket.recv(LENGTH.size - len(head))
                head = head + rest if rest else b""
            body = self._body(LENGTH.unpack(head)[0]) if head else None
            if body is None:
                if fd is not None:
                    os.close(fd)
                return None
            return decode(body), fd
        except ProtocolError:
            if fd is not None:
                os.close(fd)
            raise

    def _body(self, length: int) -> bytes | None:
        if length > MAX_MESSAGE_BYTES:
            raise ProtocolError(f"control message of {length} bytes is too long")
        body = bytearray()
        while len(body) < length:
            piece = self._socket.recv(min(length - len(body), 1 << 20))
            if not piece:
                return None
            body += piece
        return bytes(body)
