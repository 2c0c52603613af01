"""``tensorscope train.py``: run a script and watch it in the window. A script whose window is closed runs on to its end."""

from collections.abc import Sequence

from tensorscope.cli.display import need_display
from tensorscope.cli.recordings import new_recording_path
from tensorscope.cli.run_arguments import parse_run
from tensorscope.cli.signals import exit_code_like, passed_on
from tensorscope.session.build import find_probe
from tensorscope.session.launch import check
from tensorscope.session.live import LiveSession


def main(arguments: Sequence[str]) -> int:
    options = parse_run(arguments, has_output=False).options
    check(options)
    need_display()
    probe = find_probe(options.interpreter)
    session = LiveSession(options, new_recording_path(options.title), probe)
    with passed_on(session.signal):
        try:
            from tensorscope.gui.app import run_window

            run_window(session)
        finally:
            session.close()
        if session.error is not None:
            raise session.error
        code = session.wait_for_script()
    return exit_code_like(128 - code if code < 0 else code)
