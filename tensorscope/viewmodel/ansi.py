"""Reads what a script prints as a terminal would: colours, carriage returns (progress bars), the cursor up and down a line, erasing to the line's end."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

_TOKEN: Final = re.compile(r"\x1b\[([0-9;:?]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^\[\]]|[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f]")
_CUBE: Final = (0, 95, 135, 175, 215, 255)
LONGEST_LINE: Final = 20_000


class Style(NamedTuple):
    """Colours: None the text's own, 0–15 the sixteen by name, from 16 on ``16 + 0xRRGGBB``."""

    color: int | None = None
    ground: int | None = None
    is_bold: bool = False
    is_dim: bool = False
    is_italic: bool = False
    is_underlined: bool = False
    is_inverse: bool = False


PLAIN: Final = Style()


class StyledSpan(NamedTuple):
    """Columns [begin, end) in a style that is not plain."""

    begin: int
    end: int
    style: Style


class TerminalLine:
    """One line while it may still be written to."""

    __slots__ = ("begin_ns", "spans", "stream", "text", "version")

    def __init__(self, stream: str, begin_ns: int) -> None:
        self.stream = stream
        self.begin_ns = begin_ns
        self.text = ""
        self.spans: list[StyledSpan] = []
        self.version = 0

    def write(self, column: int, text: str, style: Style) -> None:
        """Over what is there."""
        end = column + len(text)
        self.text = self.text[:column].ljust(column) + text + self.text[end:]
        kept: list[StyledSpan] = []
        for span in self.spans:
            if span.begin < column:
                kept.append(span._replace(end=min(span.end, column)))
            if span.end > end:
                kept.append(span._replace(begin=max(span.begin, end)))
        if style != PLAIN:
            kept.append(StyledSpan(column, end, style))
        self.spans = sorted(span for span in kept if span.begin < span.end)
        self.version += 1

    def erase(self, begin: int, end: int) -> None:
        if end >= len(self.text):
            self.text = self.text[:begin]
            self.spans = [span._replace(end=min(span.end, begin)) for span in self.spans if span.begin < begin]
            self.version += 1
        else:
            self.write(begin, " " * (end - begin), PLAIN)


class Terminal:
    """One stream's; lines are made by ``new_line`` and never go."""

    def __init__(self, stream: str, lines: list[TerminalLine]) -> None:
        self._stream = stream
        self._all = lines
        self._own: list[TerminalLine] = []
        self._row = 0
        self._column = 0
        self._style = PLAIN
        self._cut = ""  # the beginning of a sequence whose rest is still to come

    def feed(self, text: str, time_ns: int) -> None:
        text = self._cut + text
        self._cut = ""
        at = 0
        for token in _TOKEN.finditer(text):
            self._print(text[at : token.start()], time_ns)
            at = token.end()
            self._obey(token, time_ns)
        rest = text[at:]
        escape = rest.rfind("\x1b")
        if escape >= 0 and len(rest) - escape < 64:
            rest, self._cut = rest[:escape], rest[escape:]
        self._print(rest, time_ns)

    def _print(self, text: str, time_ns: int) -> None:
        text = text.expandtabs(8)[: max(LONGEST_LINE - self._column, 0)]
        if text:
            self._line(time_ns).write(self._column, text, self._style)
            self._column += len(text)

    def _line(self, time_ns: int) -> TerminalLine:
        while len(self._own) <= self._row:
            line = TerminalLine(self._stream, time_ns)
            self._own.append(line)
            self._all.append(line)
        return self._own[self._row]

    def _obey(self, token: re.Match[str], time_ns: int) -> None:
        match token[0]:
            case "\n":
                self._line(time_ns)
                self._row, self._column = self._row + 1, 0
            case "\r":
                self._column = 0
            case "\b":
                self._column = max(self._column - 1, 0)
            case _ if token[2]:
                self._control(token[1], token[2], time_ns)

    def _control(self, parameters: str, final: str, time_ns: int) -> None:
        numbers = [int(word) if word.isdecimal() else 0 for word in re.split("[;:]", parameters)]
        count = max(numbers[0], 1)
        match final:
            case "m":
                self._style = styled(self._style, numbers)
            case "A":
                self._row = max(self._row - count, 0)
            case "B":
                self._row = min(self._row + count, len(self._own))
            case "C":
                self._column += min(count, 1000)
            case "D":
                self._column = max(self._column - count, 0)
            case "G":
                self._column = min(count, LONGEST_LINE) - 1
            case "K":
                line = self._line(time_ns)
                begin, end = {0: (self._column, len(line.text)), 1: (0, self._column)}.get(numbers[0], (0, len(line.text)))
                line.erase(begin, end)


def styled(style: Style, numbers: list[int]) -> Style:
    """After "select graphic rendition" with these parameters (ECMA-48, and 38/48 of xterm)."""
    at = 0
    while at < len(numbers):
        number = numbers[at]
        at += 1
        if number in (38, 48):
            color, at = _extended(numbers, at)
            style = style._replace(color=color) if number == 38 else style._replace(ground=color)
        elif number == 0:
            style = PLAIN
        elif number in _SWITCHES:
            style = style._replace(**_SWITCHES[number])
        elif 30 <= number <= 37 or 90 <= number <= 97:
            style = style._replace(color=number - 30 if number < 90 else number - 82)
        elif 40 <= number <= 47 or 100 <= number <= 107:
            style = style._replace(ground=number - 40 if number < 100 else number - 92)
    return style


_SWITCHES: Final[dict[int, dict[str, Any]]] = {
    1: {"is_bold": True}, 2: {"is_dim": True}, 3: {"is_italic": True}, 4: {"is_underlined": True}, 7: {"is_inverse": True},
    22: {"is_bold": False, "is_dim": False}, 23: {"is_italic": False}, 24: {"is_underlined": False}, 27: {"is_inverse": False},
    39: {"color": None}, 49: {"ground": None},
}  # fmt: skip


def _extended(numbers: list[int], at: int) -> tuple[int | None, int]:
    """A colour of 256 or a true one, and where it ends."""
    rest = numbers[at:]
    if rest[:1] == [5] and len(rest) >= 2:
        return _of_256(rest[1]), at + 2
    if rest[:1] == [2] and len(rest) >= 4:
        red, green, blue = (min(part, 255) for part in rest[1:4])
        return 16 + (red << 16 | green << 8 | blue), at + 4
    return None, len(numbers)


def _of_256(number: int) -> int:
    if number < 16:
        return number
    if number < 232:
        red, green, blue = _CUBE[(number - 16) // 36], _CUBE[(number - 16) // 6 % 6], _CUBE[(number - 16) % 6]
    else:
        red = green = blue = 8 + 10 * (min(number, 255) - 232)
    return 16 + (red << 16 | green << 8 | blue)
