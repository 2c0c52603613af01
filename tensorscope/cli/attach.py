"""``tensorscope attach``: the window on a served job. Closing it detaches; the job goes on, and another may be opened."""

from collections.abc import Sequence
from pathlib import Path

from tensorscope.cli.display import need_display
from tensorscope.cli.main import complain, is_read_by_a_person
from tensorscope.cli.parser import Parser
from tensorscope.cli.recordings import new_recording_path
from tensorscope.cli.run_arguments import THEMES
from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.session.attached import AttachedSession
from tensorscope.session.connection import Connection, SocketConnection, SshConnection
from tensorscope.session.jobs import Job, find_job, jobs, list_text
from tensorscope.session.relay import list_remote
from tensorscope.session.replay import ReplaySession
from tensorscope.session.session import Session


def main(arguments: Sequence[str]) -> int:
    parser = Parser(prog="tensorscope attach", description="Open the window on a served job.", allow_abbrev=False)
    parser.add_argument("job", nargs="?", metavar="[HOST:]JOB", help="a job's name or pid; without it the only one there is, or a list")
    parser.add_argument(
        "--remote-command", default="tensorscope", metavar="COMMAND", help="how TensorScope is called on HOST, where it is not on the PATH there"
    )
    parser.add_argument("--theme", choices=THEMES, default="", help="by default as the window was left, else as the system")
    options = parser.parse_args(arguments)
    host, colon, name = (options.job or "").rpartition(":")
    if colon and not name:
        print(list_remote(host, options.remote_command), end="")
        return 0
    session = _session(SshConnection(host, name, options.remote_command) if colon else _local(name), name)
    if session is None:
        return 2
    try:
        need_display()
        from tensorscope.gui.app import run_window

        run_window(session, options.theme)
    finally:
        session.close()
    return 0


def _local(name: str) -> Job | None:
    """The job of this name or pid, or the only one that is served; None where there are several."""
    if name:
        return find_job(name)
    served = [job for job in jobs() if job.is_served]
    if len(served) > 1:
        return None
    if not served:
        raise TensorScopeError(tr("No job is served; start one with tensorscope serve train.py."))
    return served[0]


def _session(target: Connection | Job | None, name: str) -> Session | None:
    match target:
        case None:
            print(list_text(jobs()), end="")
            complain(tr("There are several jobs; say which: tensorscope attach JOB"))
            return None
        case Job() if target.is_served:
            return AttachedSession(SocketConnection(target), new_recording_path)
        case Job():
            return _replay(target)
        case connection:
            return AttachedSession(connection, new_recording_path)


def _replay(job: Job) -> Session:
    """An ended job: what its host recorded."""
    outcome = job.outcome or tr("its host was ended before its script")
    if is_read_by_a_person():
        complain(tr("Job {name} is over ({outcome}); this is its recording, {path}").format(name=job.name, outcome=outcome, path=job.recording))
    if not Path(job.recording).exists():
        raise TensorScopeError(
            tr("Job {name} is over ({outcome}), and its recording {path} is gone.").format(name=job.name, outcome=outcome, path=job.recording)
        )
    return ReplaySession(Path(job.recording))
