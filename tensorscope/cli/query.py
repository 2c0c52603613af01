"""``tensorscope query FILE VIEW``: one view of a recording as a JSON object or a readable table."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tensorscope.cli.findings_text import SEVERITIES, fails
from tensorscope.cli.parser import Parser
from tensorscope.trace.snapshot import Snapshot

FAILED: Final = 1
VIEWS: Final = ("summary", "iterations", "graph", "gradients", "memory", "storages", "findings", "ops", "ranks")


def main(arguments: Sequence[str]) -> int:
    """The command: parse, print, exit code."""
    parser = Parser(prog="tensorscope query", description="Ask a recording; fields are described in docs/query.md.", allow_abbrev=False)
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Every view takes every option and ignores what does not apply to it."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a recording (.tscope)")
    parser.add_argument("view", choices=VIEWS, metavar="VIEW", help=", ".join(VIEWS))
    parser.add_argument("--iteration", type=_number, metavar="N", help="only this iteration, from 0")
    parser.add_argument("--backward", type=_number, metavar="N", help="only this backward, from 0")
    parser.add_argument("--at", metavar="T", help="seconds from the start, peak, end or iteration:N")
    parser.add_argument("--device", metavar="D", help="such as cpu or cuda:0; by default the one with the highest peak")
    parser.add_argument("--rank", type=_number, metavar="N", help="of a job of several processes: this one; by default the first")
    parser.add_argument("--fail-on", choices=SEVERITIES, metavar="S", help="findings: exit 1 if one is as grave as error, warning or info")
    parser.add_argument("--json", action="store_true", help="one JSON object, documented in docs/query.md")


def run(options: argparse.Namespace) -> int:
    """Print the view; 0, or 1 where a finding is as grave as --fail-on says. Raises TensorScopeError where the file, the moment or the number is no good."""
    from tensorscope.cli.query_across import across_view
    from tensorscope.cli.query_ranks import all_ranks, desynchronised_view, rank_snapshot, ranks_view
    from tensorscope.session.replay import ReplaySession

    session = ReplaySession(options.file)
    try:
        chosen = rank_snapshot(session, options.rank)
        is_of_all = options.view == "ranks"
        answer: Any = across_view(all_ranks(session), options.iteration, options.device, options.at) if is_of_all else view(chosen, options)
        if options.view == "summary":
            answer["ranks"], answer["desynchronised"] = ranks_view(session), desynchronised_view(session)
    finally:
        session.close()
    try:
        _print(options.view, answer, options.json)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (such as ``head``) has seen enough; Python would complain again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED if options.view == "findings" and options.fail_on and fails(answer, options.fail_on) else 0


def view(snapshot: Snapshot, options: argparse.Namespace) -> Any:
    """The view as plain JSON values: what stands under its name in the printed object."""
    from tensorscope.cli import query_across, query_memory, query_ops, query_run

    match options.view:
        case "summary":
            return query_run.summary(snapshot)
        case "iterations":
            return query_run.iterations_view(snapshot, options.iteration)
        case "gradients":
            return query_run.gradients_view(snapshot, options.iteration, options.backward)
        case "graph":
            return query_ops.graph_view(snapshot, options.iteration, options.backward)
        case "ops":
            return query_ops.ops_view(snapshot, options.iteration, options.backward)
        case "findings":
            return query_run.findings_view(snapshot, options.iteration)
        case "ranks":
            return query_across.across_view({0: snapshot}, options.iteration, options.device, options.at)
        case "memory":
            return query_memory.memory_view(snapshot, options.device, options.at, options.iteration)
        case _:
            return query_memory.storages_view(snapshot, options.at, options.iteration, options.device)


def _print(name: str, answer: Any, is_json: bool) -> None:
    if is_json:
        print(json.dumps({name: answer}, allow_nan=False))
        return
    from tensorscope.cli.query_text import print_view

    print_view(name, answer)


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0")
    return int(text)
