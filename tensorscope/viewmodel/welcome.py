"""What the welcome window offers: recent runs and recordings, samples, served jobs. Each choice is the words of a command."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tensorscope.language import tr
from tensorscope.session.jobs import Job

FIRST_SAMPLES: Final = ("digits_cnn", "small_gpt")
MOST_RECENT: Final = 12


@dataclass(frozen=True, slots=True)
class Choice:
    """``words``: as after ``tensorscope`` on the command line."""

    title: str
    note: str
    words: tuple[str, ...]
    icon: str = "play"


def sample_choices(folder: Path) -> tuple[Choice, ...]:
    """The sample scripts in a folder with what their first line says; none where there is no such folder."""
    files = [file for file in folder.glob("*.py") if not file.name.startswith("_")]
    order = {name: place for place, name in enumerate(FIRST_SAMPLES)}
    files.sort(key=lambda file: (order.get(file.stem, len(order)), file.name))
    return tuple(Choice(file.name, _story(file), (str(file),)) for file in files)


def recent_choices(commands: Sequence[Sequence[str]], recordings: Iterable[Path]) -> tuple[Choice, ...]:
    """The commands given last whose file is still there, the newest first, then recordings of earlier runs that are not among them."""
    known = [words for words in commands if words and Path(_file_of(words)).is_file()]
    opened = {_file_of(words) for words in known}
    found = [_recent(words) for words in known]
    found += [_recent(("open", str(path))) for path in recordings if str(path) not in opened]
    return tuple(found[:MOST_RECENT])


def job_choices(jobs: Iterable[Job]) -> tuple[Choice, ...]:
    """The jobs that are served now."""
    return tuple(
        Choice(job.name, tr("{script}, process {pid}").format(script=job.title, pid=job.pid), ("attach", job.name), "unplug") for job in jobs if job.is_served
    )


def with_newest(commands: Sequence[Sequence[str]], words: Sequence[str]) -> list[list[str]]:
    """``commands`` with ``words`` first, each once, not more than are shown."""
    return [list(words), *(list(each) for each in commands if list(each) != list(words))][:MOST_RECENT]


def _file_of(words: Sequence[str]) -> str:
    return words[1] if words[0] == "open" and len(words) > 1 else words[0]


def _recent(words: Sequence[str]) -> Choice:
    path = Path(_file_of(words))
    if words[0] == "open":
        return Choice(path.name, str(path.parent), tuple(words), "history")
    return Choice(" ".join((path.name, *words[1:])), str(path.parent), tuple(words))


def _story(file: Path) -> str:
    """The first sentence of a script's docstring, without its last stop."""
    try:
        first = file.read_text(encoding="utf-8").partition("\n")[0]
    except OSError:
        return ""
    return first.strip('"').replace("`", "").split(". ")[0].rstrip(".")
