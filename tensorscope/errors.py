"""The errors that reach a person: one sentence that says what to do, never a traceback."""


class TensorScopeError(Exception):
    """Expected trouble. ``str(error)`` is one sentence for the user; the commands print it and exit with code 2."""


class ProtocolError(TensorScopeError):
    """A frame, ring block or recording holds bytes that do not mean what they must. Names the message."""
