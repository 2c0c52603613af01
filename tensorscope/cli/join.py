"""The host of a process that has called ``tensorscope.attach()``: started by it (``agent.joining``) with one end of a socket pair, never by a person.

Says ``progress``, then ``ready`` with the probe, or ``refused`` with a sentence; from then on the pair is the control connection as of any watched process.
"""

import os
import socket
import sys
from collections.abc import Sequence
from typing import Any

from tensorscope.cli.display import need_display
from tensorscope.cli.parser import Parser
from tensorscope.cli.recordings import new_recording_path
from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.protocol.messages import encode
from tensorscope.session.build import find_probe
from tensorscope.session.jobs import JobNote
from tensorscope.session.joined import JoinedProcess, JoinedSession
from tensorscope.session.serve import JobServer

CHECK_S = 1.0


def main(arguments: Sequence[str]) -> int:
    parser = Parser(prog="tensorscope.cli.join", allow_abbrev=False)
    parser.add_argument("--fd", type=int, required=True)
    parser.add_argument("--pid", type=int, required=True)
    parser.add_argument("--title", required=True)
    parser.add_argument("--name")
    parser.add_argument("--no-window", action="store_true")
    options = parser.parse_args(arguments)
    control = socket.socket(fileno=options.fd)
    control.set_inheritable(False)
    try:
        _host(JoinedProcess(options.pid, control), options.title, options.name, has_window=not options.no_window and _has_display())
    except TensorScopeError as error:
        _tell(control, "refused", sentence=str(error))
        return 2
    return 0


def _host(process: JoinedProcess, title: str, name: str | None, *, has_window: bool) -> None:
    probe = find_probe(sys.executable)
    if not probe.is_built:
        _tell(process.control, "progress", sentence=tr("building the probe for this torch, once; it takes ten to thirty seconds …"))
    library = probe.build(lambda: process.poll() is not None)
    if library is None:
        raise TensorScopeError(tr("There is no torch in the environment of {interpreter}.").format(interpreter=sys.executable))
    path = new_recording_path(title)
    note = None if has_window else JobNote(title, path, name)
    told = [probe.note] if probe.note else []
    told += [] if note is None else [tr("serving job {name}. To look at it: tensorscope attach {name}").format(name=note.job.name)]
    session = JoinedSession(process, title, path, probe)
    _tell(process.control, "ready", probe=str(library), door=session.door, sentence=" ".join(told))
    if note is None:
        _show(session)
    else:
        _serve(session, note)


def _show(session: JoinedSession) -> None:
    from tensorscope.gui.app import run_window

    try:
        run_window(session)
    finally:
        session.close()


def _serve(session: JoinedSession, note: JobNote) -> None:
    server = JobServer(session, note)
    try:
        while not session.wait(CHECK_S):
            pass
    finally:
        server.close()
        session.close()


def _has_display() -> bool:
    try:
        need_display()
    except TensorScopeError:
        return False
    return True


def _tell(control: socket.socket, kind: str, **fields: Any) -> None:
    control.sendall(encode({"type": kind, **fields}))


if __name__ == "__main__":
    if os.fork():  # whoever started us waits for no more than this, and has no child to care for
        os._exit(0)
    sys.exit(main(sys.argv[1:]))
