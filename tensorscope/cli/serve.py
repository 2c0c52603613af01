"""``tensorscope serve``: run a script and record it, without a window; ``tensorscope attach`` may open one on it at any time. The exit code is the script's."""

from collections.abc import Sequence

from tensorscope.cli.main import complain, is_read_by_a_person
from tensorscope.cli.progress import building
from tensorscope.cli.recordings import new_recording_path
from tensorscope.cli.run_arguments import DEFAULT_KEEP, parse_run
from tensorscope.cli.signals import SIGNAL_CHECK_S, exit_code_like, passed_on
from tensorscope.language import tr
from tensorscope.session.build import find_probe
from tensorscope.session.jobs import JobNote
from tensorscope.session.launch import check
from tensorscope.session.live import LiveSession
from tensorscope.session.serve import JobServer

USAGE = (
    "tensorscope serve [--name JOB] [-o run.tscope] [--python INTERPRETER] [--iterations N] [--keep SPEC] [--probe KIND] [--no-stacks] [--updates]"
    " train.py [args…]"
)


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    parsed = parse_run(["--capture", *arguments], has_output=True, has_name=True)
    check(parsed.options)
    probe = find_probe(parsed.options.interpreter, parsed.options.probe)
    is_built = probe.is_built
    path = parsed.output or new_recording_path(parsed.options.title)
    note = JobNote(parsed.options.title, path, parsed.name)
    try:
        session = LiveSession(parsed.options, path, probe, parsed.keep or DEFAULT_KEEP)
    except BaseException:
        note.close()
        raise
    server = JobServer(session, note)
    try:
        _say_how_to_attach(server.name)
        with passed_on(lambda: session), building(session, is_built=is_built):
            while not session.wait(SIGNAL_CHECK_S):
                pass
    finally:
        server.close()
        session.close()
    if session.error is not None:
        raise session.error
    if session.warning:
        complain(session.warning)
    return exit_code_like(session.status.exit_code or 0)


def _say_how_to_attach(name: str) -> None:
    """Only where a person looks at stderr."""
    if is_read_by_a_person():
        complain(tr("Serving job {name}. To look at it: tensorscope attach {name}").format(name=name))
