"""Source files as the Source panel shows them: lines and the spans of Python's own tokens."""

from __future__ import annotations

import builtins
import contextlib
import io
import keyword
import tokenize
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from tensorscope.language import tr

LARGEST_BYTES: Final = 4 * 2**20
_BUILTINS: Final = frozenset(dir(builtins))


class Span(NamedTuple):
    """Columns [begin, end) of a line, and the role of their colour: keyword, function, string, number, comment, self."""

    begin: int
    end: int
    role: str


@dataclass(frozen=True, slots=True)
class Code:
    """A file's text. ``problem`` says why there is none."""

    file: str
    lines: tuple[str, ...] = ()
    spans: tuple[tuple[Span, ...], ...] = ()
    modified_ns: int = 0
    problem: str = ""


def read_code(file: str) -> Code:
    """The file as it is now; read again when it has changed."""
    try:
        state = Path(file).stat()
    except OSError:
        return Code(file, problem=tr("{name} is not here.").format(name=Path(file).name))
    return _read(file, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=16)
def _read(file: str, modified_ns: int, size: int) -> Code:
    if size > LARGEST_BYTES:
        return Code(file, problem=tr("{name} is larger than 4 MiB.").format(name=Path(file).name))
    try:
        with tokenize.open(file) as stream:
            text = stream.read()
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        return Code(file, problem=tr("{name} cannot be read: {error}").format(name=Path(file).name, error=error))
    lines = tuple(line.expandtabs(4) for line in text.splitlines())
    return Code(file, lines, spans_of(lines), modified_ns)


def spans_of(lines: tuple[str, ...]) -> tuple[tuple[Span, ...], ...]:
    """Coloured spans of every line; what does not tokenize stays plain."""
    found: list[list[Span]] = [[] for _ in lines]
    tokens: list[tokenize.TokenInfo] = []
    with contextlib.suppress(tokenize.TokenError, SyntaxError, IndentationError):
        tokens.extend(tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline))
    for place, token in enumerate(tokens):
        role = _role(token, tokens[place + 1] if place + 1 < len(tokens) else None)
        if role:
            _add(found, lines, token, role)
    return tuple(tuple(spans) for spans in found)


def _role(token: tokenize.TokenInfo, following: tokenize.TokenInfo | None) -> str:
    if token.type == tokenize.COMMENT:
        return "comment"
    if token.type == tokenize.NUMBER:
        return "number"
    if token.type == tokenize.STRING or tokenize.tok_name[token.type].startswith("FSTRING"):
        return "string"
    if token.type != tokenize.NAME:
        return ""
    if keyword.iskeyword(token.string):
        return "keyword"
    if token.string in ("self", "cls"):
        return "self"
    is_called = following is not None and following.type == tokenize.OP and following.string == "("
    return "function" if is_called and token.string not in _BUILTINS else ""


def _add(found: list[list[Span]], lines: tuple[str, ...], token: tokenize.TokenInfo, role: str) -> None:
    (first, begin), (last, end) = token.start, token.end
    for number in range(first, min(last, len(lines)) + 1):
        left = begin if number == first else 0
        right = end if number == last else len(lines[number - 1])
        if right > left:
            found[number - 1].append(Span(left, right, role))
