"""Findings as a compiler prints its own: place, severity, sentence, rule; and what fails a check."""

import os
from collections.abc import Sequence
from typing import Any, Final

from tensorscope.errors import TensorScopeError

SEVERITIES: Final = ("error", "warning", "info")


def lines_of(findings: Sequence[dict[str, Any]]) -> list[str]:
    """One a finding, as ``findings`` of ``tensorscope query`` has them, and one for each related line below it."""
    lines = []
    for one in findings:
        place = f"{_short(one['source'])}: " if one["source"] else ""
        lines.append(f"{place}{one['severity']}: {one['message']} [{one['rule']}]")
        lines += [f"    {_short(other['source'])}: {other['role']}" for other in one["related"]]
    return lines


def fails(findings: Sequence[dict[str, Any]], floor: str) -> bool:
    """Whether one is as grave as ``floor``, or graver."""
    return any(SEVERITIES.index(one["severity"]) <= SEVERITIES.index(floor) for one in findings)


def checked_floor(word: str) -> str:
    """Raises TensorScopeError where the word is no severity."""
    if word not in SEVERITIES:
        raise TensorScopeError(f"--fail-on needs error, warning or info, not {word}.")
    return word


def _short(source: str) -> str:
    """Relative to the working directory, where it lies below it."""
    here = os.getcwd() + os.sep
    return source.removeprefix(here)
