"""Where the shipped files (tokens, icons, fonts) lie: inside an installed package, or beside it in a source tree."""

from functools import cache
from pathlib import Path

import tensorscope


@cache
def _root() -> Path:
    package = Path(tensorscope.__file__).parent
    packed = package / "resources"
    return packed if (packed / "tokens.json").is_file() else package.parent / "resources"


def resource_path(name: str) -> Path:
    """Path of a shipped file such as ``icons/play.svg``; raises FileNotFoundError when it was not shipped."""
    path = _root() / name
    if not path.exists():
        raise FileNotFoundError(f"{name} is missing from TensorScope's resources at {_root()}")
    return path
