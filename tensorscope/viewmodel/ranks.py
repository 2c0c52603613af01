"""The ranks of a job as the window lists them, and the sentence about one that died or hangs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tensorscope.language import tr
from tensorscope.session.session import RankInfo, RunState, Session, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_duration
from tensorscope.viewmodel.run_state import ChipView

QUIET_NS: Final = 10_000_000_000  # a rank that says nothing for as long hangs, or waits for one that does
TERMINATED: Final = 128 + 15  # a launcher ends the ranks that are left with SIGTERM: what went wrong is elsewhere
LIVE: Final = (RunState.RUNNING, RunState.PAUSING, RunState.HELD)


@dataclass(frozen=True, slots=True)
class RankRow:
    rank: int
    text: str  # such as "rank 1 · Running, iteration 12"
    is_shown: bool
    is_in_trouble: bool


@dataclass(frozen=True, slots=True)
class RanksView:
    label: str  # of the shown one
    rows: tuple[RankRow, ...]
    trouble: ChipView | None
    troubled_rank: int | None


def snapshots(session: Session, shown: int) -> dict[int, Snapshot]:
    """The newest of every rank, and of the shown one in any case. Any thread."""
    return {rank: session.snapshot(rank) for rank in sorted({shown, *(info.rank for info in session.ranks())})}


def ranks_view(infos: Sequence[RankInfo], shown: int) -> RanksView | None:
    """None where there is nothing to choose from."""
    if len(infos) < 2:
        return None
    troubles = {info.rank: words for info in infos if (words := trouble_of(info, infos))}
    rows = tuple(
        RankRow(info.rank, f"{info.label} · {troubles.get(info.rank) or status_of(info, infos).text}", info.rank == shown, info.rank in troubles)
        for info in infos
    )
    troubled = [info for info in infos if info.rank in troubles]
    first = min(troubled, key=lambda info: info.status.exit_code in (None, TERMINATED), default=None)
    chip = None if first is None else _chip(first, troubles[first.rank], tuple(row.text for row in rows if row.is_in_trouble))
    return RanksView(next((info.label for info in infos if info.rank == shown), ""), rows, chip, None if first is None else first.rank)


def rank_that_stopped(before: Sequence[RankInfo], infos: Sequence[RankInfo], shown: int) -> int:
    """The rank to look at: one that has come to a stop, where the shown one has not."""
    held = [info.rank for info in infos if info.status.state is RunState.HELD]
    were_held = {info.rank for info in before if info.status.state is RunState.HELD}
    new = [rank for rank in held if rank not in were_held]
    return new[0] if new and shown not in held else shown


def status_of(info: RankInfo, infos: Sequence[RankInfo]) -> Status:
    """How a rank stands; one that has long been quiet while another is held, waits for it."""
    held = [other.label for other in infos if other.status.state is RunState.HELD and other is not info]
    if held and info.status.state in (RunState.RUNNING, RunState.PAUSING) and info.quiet_ns >= QUIET_NS // 10:
        return Status(info.status.state, tr("Waiting, {ranks} held").format(ranks=", ".join(held)), info.status.held, info.status.exit_code)
    return info.status


def trouble_of(info: RankInfo, infos: Sequence[RankInfo]) -> str:
    """What is wrong with a rank, in words after its label; "" where nothing is.

    All ranks of a job fall silent when one hangs, since the others wait for it in a collective. The one that hangs has come least far.
    """
    state = info.status.state
    if state is RunState.CRASHED or (state is RunState.REPLAY and info.status.exit_code):
        return info.status.text
    live = [other for other in infos if other.status.state in LIVE]
    is_any_held = any(other.status.state is RunState.HELD for other in live)
    if state not in LIVE or is_any_held or info.quiet_ns < QUIET_NS or len(infos) < 2:
        return ""
    quiet = format_duration(info.quiet_ns)
    ahead = [other for other in infos if other.backwards > info.backwards]
    if ahead and info.backwards == min(other.backwards for other in live):
        return tr("silent for {quiet}, before backward {backward}: the others wait for it").format(quiet=quiet, backward=info.backwards)
    return ""


def _chip(info: RankInfo, words: str, all_words: Sequence[str]) -> ChipView:
    hint = "\n".join([*all_words, tr("Click to look at it")])
    return ChipView("octagon-x", info.label[:1].upper() + info.label[1:], words, "state.crashed", "severity.error_soft", hint=hint)
