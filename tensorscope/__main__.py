"""``python -m tensorscope``: the same as the command ``tensorscope``."""

import sys

from tensorscope.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
