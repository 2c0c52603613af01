"""The bytes between the host of a served job and a window attached to it: frames as in recordings, and small JSON messages.

Both sides begin with a line of text, so that versions are compared before anything else is read (the host's may stand behind a login banner)::

    TENSORSCOPE-STREAM <protocol version> <TensorScope version>\n

Then items follow, little-endian::

    u32 length    of the body
    u8  kind      0: a message, 1: a frame
    u8[3]         zero
    body          a message: UTF-8 JSON, an object with a ``type``; a frame: u64 sequence in the recording, then the frame (``protocol.frames``)

Host → window: ``hello`` {name, title, pid, script_pids, recording, machine}, ``changed`` {state, text, held, exit_code, events, dropped_events, overhead_ratio,
recording_bytes, warning}, ``breakpoints`` {specs}, ``facts`` {counters, retired} of the recording, ``skipped`` {frames, first_iteration, last_iteration,
last_sequence}: detail that is not sent, ``fetched`` {frames, is_whole}: the answer to the oldest ``fetch``; as many of the frames that follow are of the past,
``history`` {received, total} while the past is sent, in bytes, ``bye``: all was sent, ``refused`` {sentence, and of a job that is over:
outcome, recording, machine}.
Window → host: ``attach`` {history_bytes}, ``command`` {name, rank, kind, specs}, ``fetch`` {process, begin_ns, end_ns, moment_ns}: detail that was skipped.

Decoding looks at every length before it uses it; what does not fit raises ProtocolError.
"""

import re
import struct
from dataclasses import dataclass
from typing import Any, Final

from tensorscope.errors import ProtocolError
from tensorscope.protocol.messages import decode

VERSION: Final = 1
MARKER: Final = b"TENSORSCOPE-STREAM "
HEAD: Final = struct.Struct("<IB3x")
SEQUENCE: Final = struct.Struct("<Q")
MESSAGE: Final = 0
FRAME: Final = 1
MAX_BODY_BYTES: Final = 256 * 1024 * 1024
MAX_PREFACE_BYTES: Final = 128
_PREFACE: Final = re.compile(rb"TENSORSCOPE-STREAM ([0-9]{1,6}) ([0-9A-Za-z.+-]{1,40})\n")


@dataclass(frozen=True, slots=True)
class StoredFrame:
    """A frame as it stands in a recording."""

    sequence: int
    payload: bytes


def preface(release: str) -> bytes:
    """The first line of either side; ``release`` is its TensorScope version."""
    return b"%s%d %s\n" % (MARKER, VERSION, release.encode())


def message_item(body: bytes) -> bytes:
    """``body`` is the message's JSON."""
    return HEAD.pack(len(body), MESSAGE) + body


def frame_item_head(frame: StoredFrame) -> bytes:
    """What stands before the payload of a frame."""
    return HEAD.pack(SEQUENCE.size + len(frame.payload), FRAME) + SEQUENCE.pack(frame.sequence)


class StreamDecoder:
    """Takes bytes as they come, gives whole items. ``max_banner_bytes`` may stand before the marker, where another program speaks first."""

    def __init__(self, release: str, *, max_banner_bytes: int = 0, max_body_bytes: int = MAX_BODY_BYTES) -> None:
        self._release = release
        self._max_banner_bytes = max_banner_bytes
        self._max_body_bytes = max_body_bytes
        self._buffer = bytearray()
        self.has_begun = False  # the other side's first line was read
        self.banner = ""  # what stood before it

    def feed(self, data: bytes) -> list[dict[str, Any] | StoredFrame]:
        """The items that became whole; raises ProtocolError for what is none, after which nothing more can be read."""
        self._buffer += data
        if not self.has_begun:
            self._take_preface()
        items: list[dict[str, Any] | StoredFrame] = []
        at = 0
        while self.has_begun and len(self._buffer) - at >= HEAD.size:
            length, kind = HEAD.unpack_from(self._buffer, at)
            if kind not in (MESSAGE, FRAME) or length > self._max_body_bytes or any(self._buffer[at + 5 : at + 8]):
                raise ProtocolError(f"the stream is garbled: an item of kind {kind} with {length} bytes")
            end = at + HEAD.size + length
            if end > len(self._buffer):
                break
            items.append(_item(kind, bytes(memoryview(self._buffer)[at + HEAD.size : end])))
            at = end
        del self._buffer[:at]
        return items

    def _take_preface(self) -> None:
        at = self._buffer.find(MARKER)
        end = -1 if at < 0 else self._buffer.find(b"\n", at)
        if at < 0 or end < 0:
            room = self._max_banner_bytes + MAX_PREFACE_BYTES
            is_other = not self._max_banner_bytes and not MARKER.startswith(self._buffer[: len(MARKER)])
            if is_other or len(self._buffer) > room or (at >= 0 and len(self._buffer) - at > MAX_PREFACE_BYTES):
                raise ProtocolError("no TensorScope speaks there")
            self.banner = self._buffer.decode(errors="replace")
            return
        found = _PREFACE.fullmatch(self._buffer, at, end + 1)
        if found is None or at > self._max_banner_bytes:
            raise ProtocolError("no TensorScope speaks there")
        version, release = int(found[1]), found[2].decode()
        if version != VERSION:
            raise ProtocolError(f"TensorScope {release} there and {self._release} here do not understand each other; install the same release on both sides")
        self.banner = self._buffer[:at].decode(errors="replace")
        self.has_begun = True
        del self._buffer[: end + 1]


def _item(kind: int, body: bytes) -> dict[str, Any] | StoredFrame:
    if kind == MESSAGE:
        return decode(body)
    if len(body) < SEQUENCE.size:
        raise ProtocolError(f"a frame of the stream is cut: {len(body)} bytes")
    return StoredFrame(SEQUENCE.unpack_from(body)[0], body[SEQUENCE.size :])
