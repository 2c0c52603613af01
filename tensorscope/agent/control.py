"""The control connection to the host and the shared area that is handed over on it. Linux only: memfd_create and SCM_RIGHTS.

Stands on ``_socket`` and ``os`` alone: nothing here may wake up a standard module that the script has not imported.
"""

import _socket
import fcntl
import os
import struct
from typing import Any, Final

from tensorscope.errors import ProtocolError
from tensorscope.protocol.area import BLOCK_COUNT, BLOCK_SIZE, ENABLED, HEADER_SIZE, MAGIC
from tensorscope.protocol.messages import LENGTH, MAX_MESSAGE_BYTES, decode, encode

FIRST_DESCRIPTOR: Final = 400
"""Ours lie above this, so that the script's own files get the numbers they get without us."""

SMALLEST_BLOCK_COUNT: Final = 16


class Area:
    """A memfd with its header written. ``descriptor`` stays open until the probe has mapped it, and it has grown to its size."""

    def __init__(self, descriptor: int, blocks: int, size: int) -> None:
        self.descriptor = descriptor
        self.blocks = blocks  # that memory is reserved for
        self.size = size  # of the file; more than the blocks take where it may still grow

    def is_whole(self) -> bool:
        return self.size == HEADER_SIZE + self.blocks * BLOCK_SIZE

    def grow(self) -> None:
        """Reserve all of it and let the probe use it; where memory lacks, it stays as it is."""
        if self.descriptor < 0 or self.is_whole():
            return
        try:
            os.posix_fallocate(self.descriptor, 0, self.size)
        except OSError:
            return
        self.blocks = (self.size - HEADER_SIZE) // BLOCK_SIZE
        os.pwrite(self.descriptor, struct.pack("<I", self.blocks), BLOCK_COUNT)

    def close(self) -> None:
        """The probe has mapped it, or nobody will. Idempotent."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def make_area(blocks: int, first_blocks: int = 0) -> Area | None:
    """Reserve an area of ``blocks`` blocks, or of the half, the quarter … where memory lacks; None where none can be had.

    With ``first_blocks`` it has only so many until it grows.
    """
    later = HEADER_SIZE + blocks * BLOCK_SIZE if first_blocks else 0
    blocks = first_blocks or blocks
    try:
        low = os.memfd_create("tensorscope", os.MFD_CLOEXEC)
        descriptor = _lift(low)
    except OSError:
        return None
    while blocks >= SMALLEST_BLOCK_COUNT:
        try:
            os.posix_fallocate(descriptor, 0, HEADER_SIZE + blocks * BLOCK_SIZE)
        except OSError:
            os.ftruncate(descriptor, 0)
            blocks //= 2
            continue
        os.pwrite(descriptor, MAGIC + struct.pack("<II", BLOCK_SIZE, blocks), 0)
        os.pwrite(descriptor, struct.pack("<I", 1), ENABLED)
        size = max(later, HEADER_SIZE + blocks * BLOCK_SIZE)
        os.ftruncate(descriptor, size)
        return Area(descriptor, blocks, size)
    os.close(descriptor)
    return None


class Control:
    """The debuggee's end of the connection. Every method survives a host that is gone: sending then gives False, receiving None."""

    def __init__(self, descriptor: int) -> None:
        own = _lift(descriptor)
        self._socket = _socket.socket(fileno=own)
        self._socket.setblocking(True)

    def hello(self, message: dict[str, Any], area: Area | None) -> bool:
        rights = [] if area is None else [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", area.descriptor))]
        body = encode({"type": "hello", **message})
        try:
            sent = self._socket.sendmsg([body], rights)
            self._socket.sendall(body[sent:])
        except OSError:
            return False
        return True

    def send(self, message: dict[str, Any]) -> bool:
        try:
            self._socket.sendall(encode(message))
        except OSError:
            return False
        return True

    def receive(self, limit_s: float | None = None) -> dict[str, Any] | None:
        """Block until the host says something (the GIL is released meanwhile); None when it is gone, talks nonsense or is silent for too long."""
        self._socket.settimeout(limit_s)
        try:
            return self._receive()
        finally:
            self._socket.settimeout(None)

    def _receive(self) -> dict[str, Any] | None:
        header = self._read(LENGTH.size)
        if header is None:
            return None
        (length,) = LENGTH.unpack(header)
        body = self._read(length) if length <= MAX_MESSAGE_BYTES else None
        try:
            return None if body is None else decode(body)
        except ProtocolError:
            return None

    def _read(self, length: int) -> bytes | None:
        parts = b""
        while len(parts) < length:
            try:
                part = self._socket.recv(length - len(parts))
            except OSError:
                return None
            if not part:
                return None
            parts += part
        return parts

    def is_host_there(self) -> bool:
        """Whether the host still holds its end."""
        try:
            return self._socket.recv(1, _socket.MSG_PEEK | _socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def hang_up(self) -> None:
        """End the connection, also for a thread that waits in ``receive``."""
        try:
            self._socket.shutdown(_socket.SHUT_RDWR)
        except OSError:
            return  # the host is gone: nobody waits
        finally:
            self._socket.close()

    def close(self) -> None:
        self._socket.close()


def _lift(descriptor: int) -> int:
    """Move a descriptor up and out of the reach of children."""
    try:
        own = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR)
    except OSError:
        os.set_inheritable(descriptor, False)
        return descriptor
    os.close(descriptor)
    return own
