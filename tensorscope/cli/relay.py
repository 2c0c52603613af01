"""``tensorscope relay``: what ``attach HOST:JOB`` runs on HOST. It copies between its stdin and stdout and the job; without a job it lists them."""

import sys
from collections.abc import Sequence

from tensorscope.cli.parser import Parser
from tensorscope.session.jobs import jobs, list_text
from tensorscope.session.relay import relay


def main(arguments: Sequence[str]) -> int:
    parser = Parser(prog="tensorscope relay", description="List the jobs served here, or speak for one of them: attach HOST:JOB runs this.", allow_abbrev=False)
    parser.add_argument("job", nargs="?", metavar="JOB", help="a job's name or pid")
    options = parser.parse_args(arguments)
    if options.job is None:
        print(list_text(jobs()), end="")
    else:
        relay(options.job, sys.stdin.fileno(), sys.stdout.fileno())
    return 0
