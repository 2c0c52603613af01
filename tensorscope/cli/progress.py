"""Shows that the probe is being built, where a person looks at stderr; writes nothing into a file or pipe."""

import contextlib
import sys
from collections.abc import Iterator

from tensorscope.session.live import LiveSession


@contextlib.contextmanager
def building(session: LiveSession, *, is_built: bool) -> Iterator[None]:
    """While inside, show progress until the script starts."""
    if is_built or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    spinner = Console(stderr=True).status("Building the probe for this torch, once …")
    spinner.start()
    stop_listening = session.listen(lambda change: spinner.stop() if session.pid is not None else None)
    try:
        yield
    finally:
        stop_listening()
        spinner.stop()
