"""Lets windows attach to the session of this host: listens on the job's Unix socket, with a client for everyone who comes. There is no other way in."""

import contextlib
import os
import selectors
import socket
import struct
import threading
from pathlib import Path
from time import monotonic
from typing import Final

from tensorscope.session.jobs import JobNote
from tensorscope.session.served_client import Served, ServedClient
from tensorscope.session.session import RunState
from tensorscope.session.wake_pipe import WakePipe

MAX_CLIENTS: Final = 16
END_PATIENCE_S: Final = 5.0
HOLDING: Final = ("pause", "step")
LETTING_GO: Final = ("resume", "stop")
PEER: Final = struct.Struct("iII")  # struct ucred: pid, uid, gid


class JobServer:
    """Serves from construction until ``close``, which comes before the session's own."""

    def __init__(self, session: Served, note: JobNote) -> None:
        """``note`` is the claim of the job's name, made before the session was, and closed here."""
        self._session = session
        self._note = note
        self._clients: list[ServedClient] = []
        self._lock = threading.Lock()
        self._holder: ServedClient | None = None  # who asked for the hold last
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(str(self._note.job.socket))
        self._listening.listen(MAX_CLIENTS)
        self._wake = WakePipe()
        self._note_pids()
        self._stop_listening = session.listen(lambda changed: self._note_pids())
        self._thread = threading.Thread(target=self._run, name="tensorscope-serve", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return self._note.job.name

    @property
    def socket_path(self) -> Path:
        return self._note.job.socket

    def close(self, patience_s: float = END_PATIENCE_S) -> None:
        """Take nobody else, send those who are there what is left, for ``patience_s`` at most, and say goodbye."""
        self._wake.wake()
        self._thread.join()
        self._listening.close()
        self._note_outcome()  # before any window is hung up on: who reads slowly looks there what became of the job
        deadline = monotonic() + patience_s
        for client in self._living():
            client.finish()
        for client in self._living():
            client.join(max(deadline - monotonic(), 0))
        for client in self._living():
            client.close()
        self._stop_listening()
        self._note_outcome()
        self._note.close()
        self._wake.close()

    def _note_outcome(self) -> None:
        status = self._session.status
        self._note.update(outcome=status.text if status.state in (RunState.ENDED, RunState.CRASHED, RunState.GONE) else "")

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._listening, selectors.EVENT_READ)
            selector.register(self._wake.fd, selectors.EVENT_READ)
            while all(key.fd != self._wake.fd for key, _ in selector.select()):
                with contextlib.suppress(OSError):
                    self._meet(self._listening.accept()[0])

    def _meet(self, connection: socket.socket) -> None:
        """Another user's process gets no word: root alone could come this far."""
        _, uid, _ = PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size))
        living = self._living()
        if uid != os.getuid() or len(living) >= MAX_CLIENTS:
            connection.close()
            return
        client = ServedClient(connection, self._session, self._note.job, asked=self._asked, gone=self._gone)
        with self._lock:
            self._clients = [*living, client]

    def _living(self) -> list[ServedClient]:
        """The clients whose threads run; those that are gone are let go of."""
        with self._lock:
            self._clients = [client for client in self._clients if client.is_alive or client.close()]
            return list(self._clients)

    def _asked(self, client: ServedClient, name: str) -> None:
        """On a client's thread: whoever asks for a hold answers for it."""
        if name in (*HOLDING, *LETTING_GO):
            with self._lock:
                self._holder = client if name in HOLDING else None

    def _gone(self, client: ServedClient) -> None:
        """On a client's thread: nobody may leave a script held."""
        with self._lock:
            was_holder, self._holder = self._holder is client, None if self._holder is client else self._holder
            is_last = not any(other.is_alive for other in self._clients if other is not client)
        if is_last:
            self._session.set_breakpoints(())
        if was_holder or is_last:
            self._session.resume()

    def _note_pids(self) -> None:
        pids = tuple(rank.pid for rank in self._session.ranks() if rank.pid)
        if pids != self._note.job.script_pids:
            self._note.update(script_pids=pids)
