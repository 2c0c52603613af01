"""Shows that the probe is being built, or what stands in for it, where a person looks at stderr; writes nothing into a file or pipe."""

import contextlib
from collections.abc import Iterator

from tensorscope.cli.main import complain, is_read_by_a_person
from tensorscope.session.live import LiveSession
from tensorscope.session.session import Changed


@contextlib.contextmanager
def building(session: LiveSession, *, is_built: bool) -> Iterator[None]:
    """While inside, show progress until the script starts, then say what it has to do without."""
    if not is_read_by_a_person():
        yield
        return
    from rich.console import Console

    spinner = Console(stderr=True).status("Building the probe for this torch, once …")
    if not is_built:
        spinner.start()
    untold = [True]

    def started(change: Changed) -> None:
        if session.pid is not None and untold:
            untold.clear()
            spinner.stop()
            if session.note:
                complain(session.note)

    stop_listening = session.listen(started)
    try:
        yield
    finally:
        stop_listening()
        spinner.stop()
