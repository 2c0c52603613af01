"""Findings in SARIF 2.1.0, the format that code hosts and editors show beside the lines."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tensorscope import __version__

LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}


def sarif(findings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A log of one run; findings as ``findings`` of ``tensorscope query`` has them."""
    rules = sorted({str(one["rule"]) for one in findings})
    driver = {
        "name": "TensorScope",
        "version": __version__,
        "rules": [{"id": rule} for rule in rules],
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(one) for one in findings]}],
    }


def _result(finding: Mapping[str, Any]) -> dict[str, Any]:
    related = [{**place, "message": {"text": other["role"]}} for other in finding["related"] if (place := _location(other["source"]))]
    place = _location(finding["source"])
    return {
        "ruleId": finding["rule"],
        "level": LEVELS[finding["severity"]],
        "message": {"text": finding["message"]},
        "locations": [place] if place else [],
        "relatedLocations": related,
        "rank": round(100 * finding["certainty"], 1),
        "properties": {"iteration": finding["iteration"], "evidence": finding["evidence"]},
    }


def _location(source: str | None) -> dict[str, Any]:
    """Of ``file:line``; empty where it is not known."""
    file, _, line = (source or "").rpartition(":")
    if not file or not line.isdecimal() or int(line) < 1:
        return {}
    path = Path(file)
    uri = path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_uri() if path.is_absolute() else path.as_posix()
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": int(line)}}}
