"""The argument parser of commands with options of the usual kind."""

import argparse
from typing import NoReturn

from tensorscope.errors import TensorScopeError


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence instead of a usage block."""

    def error(self, message: str) -> NoReturn:
        raise TensorScopeError(f"{message} (see {self.prog} --help)")
