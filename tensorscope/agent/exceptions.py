"""What the host is told of an exception that nothing caught."""

import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

MAX_MESSAGE_CHARACTERS = 10_000
MAX_FRAMES = 200


def exception_message(error: BaseException, is_users: Callable[[str], bool]) -> dict[str, Any]:
    """exception, message, source and frames (outermost first); the innermost ones where there are too many."""
    frames: list[list[Any]] = []
    traceback = error.__traceback__
    while traceback is not None:
        code: CodeType = traceback.tb_frame.f_code
        frames.append([code.co_filename, traceback.tb_lineno, getattr(code, "co_qualname", code.co_name)])
        traceback = traceback.tb_next
    users = [frame for frame in frames if is_users(frame[0])] or frames
    source = f"{users[-1][0]}:{users[-1][1]}" if users else ""
    if isinstance(error, SyntaxError) and error.filename and not frames:
        source = f"{error.filename}:{error.lineno}"
    return {"exception": type(error).__name__, "message": _text(error), "source": source, "frames": frames[-MAX_FRAMES:]}


def _text(error: BaseException) -> str:
    try:
        return str(error)[:MAX_MESSAGE_CHARACTERS]
    except Exception:  # the user's own __str__
        return f"<{type(error).__name__} whose __str__ raised {type(sys.exc_info()[1]).__name__}>"
