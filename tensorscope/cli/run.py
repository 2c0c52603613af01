"""``tensorscope train.py``: run a script and watch it in the window. A script whose window is closed runs on to its end."""

from collections.abc import Sequence
from pathlib import Path

from tensorscope.cli.display import need_display
from tensorscope.cli.recordings import new_recording_path
from tensorscope.cli.run_arguments import DEFAULT_KEEP, parse_run
from tensorscope.cli.signals import SIGNAL_CHECK_S, exit_code_like, passed_on
from tensorscope.errors import TensorScopeError
from tensorscope.session.build import find_probe
from tensorscope.session.keep_spec import parse_keep
from tensorscope.session.launch import check
from tensorscope.session.live import LiveSession
from tensorscope.trace.retention import Keep


def main(arguments: Sequence[str]) -> int:
    parsed = parse_run(arguments, has_output=False, has_window=True)
    options = parsed.options
    check(options)
    need_display()
    probe = find_probe(options.interpreter, options.probe)
    from tensorscope.gui.settings import Settings

    settings = Settings()
    keep = parsed.keep or _kept(settings.keep)
    sessions: list[LiveSession] = []  # one a start of the script; the last one counts

    def start() -> LiveSession:
        sessions.append(LiveSession(options, new_recording_path(options.title, settings.recordings), probe, keep))
        return sessions[-1]

    with passed_on(lambda: sessions[-1] if sessions else None):
        try:
            session = start()
            from tensorscope.gui.app import run_window

            is_file = not options.is_module and not options.is_command
            command = (str(Path(options.script).resolve()), *options.arguments) if is_file else ()
            run_window(session, parsed.theme, start_again=start, command=command)
        finally:
            for session in sessions:
                session.close()
        if sessions[-1].error is not None:
            raise sessions[-1].error
        while (code := sessions[-1].wait_for_script(SIGNAL_CHECK_S)) is None:
            pass
    return exit_code_like(128 - code if code < 0 else code)


def _kept(spec: str) -> Keep:
    """What the settings say; the default where they say nothing, or something that an older version wrote."""
    try:
        return parse_keep(spec) if spec else DEFAULT_KEEP
    except TensorScopeError:
        return DEFAULT_KEEP
