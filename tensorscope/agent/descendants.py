"""The two environment variables by which Python below this process finds the host (``protocol.children``)."""

import os

from tensorscope.protocol.children import DOOR, PYTHON_PATH, python_path_with, python_path_without

SITE_FOLDER = os.path.dirname(os.path.abspath(__file__)) + "/site"


def let_them_in(door: str) -> None:
    """From now on Python that is started with this process's environment is met."""
    os.environ[PYTHON_PATH] = python_path_with(SITE_FOLDER, os.environ.get(PYTHON_PATH))
    os.environ[DOOR] = door


def shut_them_out() -> None:
    """The environment as it was, but for what the script has changed in it since."""
    if os.environ.pop(DOOR, None) is None or PYTHON_PATH not in os.environ:
        return
    rest = python_path_without(SITE_FOLDER, os.environ[PYTHON_PATH])
    if rest:
        os.environ[PYTHON_PATH] = rest
    else:
        del os.environ[PYTHON_PATH]
