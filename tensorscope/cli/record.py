"""``tensorscope record``: run a script and record it, without a window. stdout is the script's alone, and so is the exit code."""

from collections.abc import Sequence
from pathlib import Path

from tensorscope.cli.main import complain
from tensorscope.cli.progress import building
from tensorscope.cli.run_arguments import DEFAULT_KEEP, parse_run
from tensorscope.cli.signals import SIGNAL_CHECK_S, exit_code_like, passed_on
from tensorscope.cli.stops import say_stop
from tensorscope.recording.format import SUFFIX
from tensorscope.session.build import find_probe
from tensorscope.session.launch import check
from tensorscope.session.live import LiveSession


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print(
            "tensorscope record [-o FILE] [--python PATH] [--iterations N] [--keep SPEC] [--probe KIND] [--no-stacks] [--updates] [--capture] [--break SPEC]"
            " SCRIPT …"
        )
        return 0
    parsed = parse_run(arguments, has_output=True)
    check(parsed.options)
    probe = find_probe(parsed.options.interpreter, parsed.options.probe)
    is_built = probe.is_built
    session = LiveSession(
        parsed.options, parsed.output or Path(Path(parsed.options.title).stem + SUFFIX), probe, parsed.keep or DEFAULT_KEEP, passing_stop=say_stop
    )
    try:
        with passed_on(lambda: session), building(session, is_built=is_built):
            while not session.wait(SIGNAL_CHECK_S):
                pass
    finally:
        session.close()
    if session.error is not None:
        raise session.error
    if session.warning:
        complain(session.warning)
    return exit_code_like(session.status.exit_code or 0)
