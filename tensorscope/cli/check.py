"""``tensorscope check``: run a script, or take a recording, print what is wrong, and fail where something is: for CI."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tensorscope.cli.findings_text import checked_floor, fails, lines_of
from tensorscope.cli.run_arguments import WITH_VALUE
from tensorscope.errors import TensorScopeError
from tensorscope.recording.format import SUFFIX

OWN: Final = ("--json", "--sarif", "--fail-on")
FOUND: Final = 1
USAGE: Final = "tensorscope check [--json F|-] [--sarif F] [--fail-on error|warning|info] [options of a run] SCRIPT … (or a recording)"


@dataclass(frozen=True, slots=True)
class Wanted:
    json: str = ""  # a file, or "-"
    sarif: str = ""
    floor: str = "error"


def main(arguments: Sequence[str]) -> int:
    """1 where a finding is as grave as --fail-on says, else the script's own exit code."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    wanted, words = _parse(arguments)
    if len(words) == 1 and words[0].endswith(SUFFIX):
        return _judge(Path(words[0]), wanted)
    with TemporaryDirectory(prefix="tensorscope-check-") as folder:
        file = Path(folder) / f"run{SUFFIX}"
        with _stdout_aside(is_aside=wanted.json == "-"):
            code = _record(file, words)
        return _judge(file, wanted) or code


def _parse(arguments: Sequence[str]) -> tuple[Wanted, list[str]]:
    """Our own options, and all the others with the script."""
    rest, passed, own = list(arguments), [], dict[str, str]()
    while rest and rest[0].startswith("-"):
        word, equals, value = rest[0].partition("=")
        if word in OWN:
            if not equals and len(rest) < 2:
                raise TensorScopeError(f"{word} needs a value (see tensorscope check --help)")
            own[word] = value if equals else rest[1]
            del rest[: 1 if equals else 2]
            continue
        if word in ("-m", "--"):
            break
        takes = 2 if not equals and (word in WITH_VALUE or word == "--break") else 1
        passed += rest[:takes]
        del rest[:takes]
    return Wanted(own.get("--json", ""), own.get("--sarif", ""), checked_floor(own.get("--fail-on", "error"))), [*passed, *rest]


def _record(file: Path, words: list[str]) -> int:
    from tensorscope.cli.record import main as record

    return record(["-o", str(file), *words])


def _judge(file: Path, wanted: Wanted) -> int:
    findings = _findings(file)
    if wanted.sarif:
        from tensorscope.export.findings_sarif import sarif

        _write(wanted.sarif, json.dumps(sarif(findings), indent=1))
    text = json.dumps({"findings": findings}, allow_nan=False)
    if wanted.json and wanted.json != "-":
        _write(wanted.json, text)
    try:
        print(text if wanted.json == "-" else "\n".join(lines_of(findings) or ["No problem was found."]), flush=True)
    except BrokenPipeError:  # the reader (such as ``head``) has seen enough; Python would complain again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FOUND if fails(findings, wanted.floor) else 0


def _findings(file: Path) -> list[dict[str, Any]]:
    """Of the first rank that trained."""
    from tensorscope.cli.query_ranks import rank_snapshot
    from tensorscope.cli.query_run import findings_view
    from tensorscope.session.replay import ReplaySession

    session = ReplaySession(file)
    try:
        return findings_view(rank_snapshot(session, None), None)
    finally:
        session.close()


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise TensorScopeError(f"{name} cannot be written: {error.strerror}.") from None


@contextmanager
def _stdout_aside(*, is_aside: bool) -> Iterator[None]:
    """What the script prints goes to stderr: stdout is for the JSON alone."""
    if not is_aside:
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
