"""``attach HOST:JOB`` through a real sshd on loopback, run without privileges for this test alone."""

import getpass
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.session.attached import AttachedSession
from tensorscope.session.connection import SshConnection
from tensorscope.session.session import RunState
from tensorscope.trace.schema import OPERATORS
from tests.support.fake_run import fake_session, wait_until
from tests.support.serving import runtime, served

__all__ = ["runtime"]

SSHD = shutil.which("sshd") or shutil.which("/usr/sbin/sshd")
TOOLS = (SSHD, shutil.which("ssh"), shutil.which("ssh-keygen"))
pytestmark = pytest.mark.skipif(not all(TOOLS), reason="needs ssh and sshd (openssh-server)")

SERVER = """
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
"""
CLIENT = """
Host here
  HostName 127.0.0.1
  Port {port}
  User {user}
  IdentityFile {folder}/user
Host locked
  HostName 127.0.0.1
  Port {port}
  User {user}
  IdentityFile {folder}/host
Host *
  IdentitiesOnly yes
  BatchMode yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
"""


@pytest.fixture
def sshd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that takes one key, and an ``ssh`` on the PATH that knows it as ``here``, and as ``locked`` with a key that it does not take."""
    folder = tmp_path / "ssh"
    folder.mkdir(mode=0o700)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "sshd_config").write_text(SERVER.format(folder=folder, port=port))
    (folder / "config").write_text(CLIENT.format(folder=folder, port=port, user=getpass.getuser()))
    (folder / "ssh").write_text(f'#!/bin/sh\nexec {TOOLS[1]} -F {folder / "config"} "$@"\n')
    (folder / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    server = subprocess.Popen([str(SSHD), "-D", "-e", "-f", str(folder / "sshd_config")], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    said = ""
    while "Server listening" not in said:
        line = server.stderr.readline()
        said += line
        if not line:
            server.wait()
            server.stderr.close()
            pytest.skip(f"sshd does not start here: {said.strip()}")
    yield
    server.terminate()
    server.wait()
    server.stderr.close()


def through_ssh(folder: Path, host: str) -> AttachedSession:
    remote = f"env TENSORSCOPE_JOBS={os.environ['TENSORSCOPE_JOBS']} {sys.executable} -m tensorscope"
    return AttachedSession(SshConnection(host, "fake", remote), lambda title: folder / "mirror.tscope")


@pytest.mark.usefixtures("sshd", "runtime")
def test_a_job_is_attached_and_stepped_through_a_real_sshd(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["operators", 3000], ["wait_armed"], ["hold"], ["exit", 0]])
    wait_until(lambda: len(session.snapshot().table(OPERATORS)) == 3000)
    with served(session):
        window = through_ssh(tmp_path, "here")
        wait_until(lambda: len(window.snapshot().table(OPERATORS)) == 3000)
        window.pause()
        wait_until(lambda: window.status.text == "Held before node 1 of 5")
        window.step_node()
        wait_until(lambda: window.status.text == "Held before node 2 of 5")
        window.close()
        assert session.wait(60)  # nobody holds it any more
        assert session.status.state is RunState.ENDED
        with pytest.raises(TensorScopeError, match=r"^ssh could not reach locked: .*Permission denied \(publickey\)\.$"):
            through_ssh(tmp_path, "locked")
