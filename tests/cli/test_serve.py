"""``serve``, ``attach`` and ``relay`` as commands: what they print, how they end, and the way through ssh."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.session.attached import AttachedSession
from tensorscope.session.connection import SshConnection
from tensorscope.session.session import RunState
from tensorscope.trace.schema import OPERATORS
from tests.support.fake_run import fake_options, fake_session, wait_until
from tests.support.serving import runtime, served

__all__ = ["runtime"]

pytestmark = pytest.mark.usefixtures("runtime")

TENSORSCOPE = [sys.executable, "-m", "tensorscope"]
REMOTE = f"{sys.executable} -m tensorscope"
FAKE_SSH = """#!/bin/sh
# ssh -T -o OPTION HOST COMMAND
case "$4" in
nowhere) echo "ssh: Could not resolve hostname nowhere: Name or service not known" >&2; exit 255 ;;
locked) echo "Permission denied (publickey,password)." >&2; exit 255 ;;
greeting) echo "Welcome to greeting"; echo "You have mail." ;;
esac
exec sh -c "$5"
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TENSORSCOPE, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=240)


@pytest.fixture
def fake_ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ssh").write_text(FAKE_SSH)
    (folder / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def through_ssh(folder: Path, host: str, job: str = "fake", command: str = REMOTE) -> AttachedSession:
    return AttachedSession(SshConnection(host, job, command), lambda title: folder / "mirror.tscope")


def test_serve_prints_nothing_of_its_own_and_ends_as_the_script_does(tmp_path: Path) -> None:
    options = fake_options(tmp_path, [["print", "its own words"], ["operators", 5], ["exit", 7]])
    done = run("serve", "--name", "mine", "--python", options.interpreter, options.script, "--name", "of the script")
    assert (done.returncode, done.stdout, done.stderr) == (7, "its own words\n", "")
    listed = run("relay")
    assert (listed.returncode, listed.stdout.split()[0], listed.stderr) == (0, "mine", "")
    assert listed.stdout.endswith("plan.json  Ended, exit code 7\n")


def test_what_serve_and_attach_cannot_do_is_one_sentence(tmp_path: Path) -> None:
    for words, sentence in (
        (["serve", "--name", "a b", str(tmp_path)], "--name needs letters, digits, _ . and -, up to 40, a letter first; not a b."),
        (["serve", "gone.py"], "There is no script gone.py."),
        (["record", "--name", "x", "gone.py"], "There is no option --name here; see tensorscope --help."),
        (["attach"], "No job is served; start one with tensorscope serve train.py."),
        (["attach", "gone"], "There is no job gone, and none is served; start one with tensorscope serve train.py."),
        (["attach", "-host:job"], None),
    ):
        done = run(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert sentence is None or done.stderr == f"tensorscope: {sentence}\n"


def test_several_jobs_are_listed_where_none_was_named(tmp_path: Path) -> None:
    first, second = (tmp_path / name for name in ("first", "second"))
    first.mkdir()
    second.mkdir()
    with served(fake_session(first, [["forever"]]), "one"), served(fake_session(second, [["forever"]]), "two"):
        done = run("attach")
        assert done.returncode == 2
        assert sorted(line.split()[0] for line in done.stdout.splitlines()) == ["one", "two"]
        assert done.stderr == "tensorscope: There are several jobs; say which: tensorscope attach JOB\n"


@pytest.mark.usefixtures("fake_ssh")
@pytest.mark.parametrize("host", ["plain", "greeting"])
def test_through_ssh_the_past_and_the_present_arrive_and_commands_go_back(tmp_path: Path, host: str) -> None:
    session = fake_session(tmp_path, [["operators", 3000], ["wait_armed"], ["hold"], ["operators", 1], ["exit", 0]])
    wait_until(lambda: len(session.snapshot().table(OPERATORS)) == 3000)
    with served(session):
        window = through_ssh(tmp_path, host)
        wait_until(lambda: len(window.snapshot().table(OPERATORS)) == 3000)
        window.pause()
        wait_until(lambda: window.status.state is RunState.HELD)
        window.resume()
        wait_until(lambda: window.status.text == "Ended, exit code 0")
        window.save_as(tmp_path / "kept.tscope")
        window.close()
    done = run("query", str(tmp_path / "kept.tscope"), "ops", "--json")
    assert done.stdout.count('"aten::mm"') == 3001
    assert stat.S_ISREG((tmp_path / "mirror.tscope").stat().st_mode)
    assert not (tmp_path / "mirror.tscope-wal").exists()


@pytest.mark.usefixtures("fake_ssh")
@pytest.mark.parametrize(
    ("host", "command", "sentence"),
    [
        ("nowhere", REMOTE, "ssh could not reach nowhere: ssh: Could not resolve hostname nowhere: Name or service not known."),
        ("locked", REMOTE, "ssh could not reach locked: Permission denied (publickey,password)."),
        ("plain", "no-such-command", "There is no no-such-command on the PATH of plain; give its path there: --remote-command ~/venv/bin/tensorscope"),
        ("plain", REMOTE, "There is no job fake, and none is served; start one with tensorscope serve train.py"),
        ("plain", "printf 'TENSORSCOPE-STREAM 2 9.9\\n'; :", None),
        ("plain", "echo hello; :", None),
        ("-oProxyCommand=x", REMOTE, "-oProxyCommand=x is no name of a machine; give HOST:JOB."),
    ],
)
def test_what_ssh_cannot_do_is_one_sentence(tmp_path: Path, host: str, command: str, sentence: str | None) -> None:
    with pytest.raises(TensorScopeError) as raised:
        through_ssh(tmp_path, host, command=command)
    said = str(raised.value)
    assert "\n" not in said
    if sentence is not None:
        assert said == sentence
    elif "9.9" in command:
        assert said.startswith("plain:fake cannot be attached: TensorScope 9.9 there and ")
    else:
        assert said == "The relay on plain ended: exit code 0."


@pytest.mark.usefixtures("fake_ssh")
def test_jobs_of_another_machine_are_listed(tmp_path: Path) -> None:
    with served(fake_session(tmp_path, [["forever"]])):
        done = run("attach", "--remote-command", REMOTE, "plain:")
        assert (done.returncode, done.stdout.split()[0], done.stderr) == (0, "fake", "")
