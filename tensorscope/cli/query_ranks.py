"""The ranks of a job: which there are, how each ended, and the choice of one."""

from typing import Any

from tensorscope.analysis.ranks import RankCosts, rank_costs
from tensorscope.cli.query_across import desynchronised_rows
from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.session.session import Session
from tensorscope.trace.snapshot import Snapshot


def rank_snapshot(session: Session, rank: int | None) -> Snapshot:
    """The snapshot of a rank, of the first one where none is named. Raises TensorScopeError where there is no such rank."""
    known = [info.rank for info in session.ranks()]
    if rank is not None and rank not in known:
        ranks = ", ".join(map(str, known))
        raise TensorScopeError(tr("There is no rank {rank} on record; there is rank {ranks}.").format(rank=rank, ranks=ranks))
    return session.snapshot(rank)


def all_ranks(session: Session) -> dict[int, Snapshot]:
    """The snapshot of every rank."""
    return {info.rank: session.snapshot(info.rank) for info in session.ranks()}


def ranks_view(session: Session) -> list[dict[str, Any]]:
    """One row a rank, in order."""
    infos = session.ranks()
    costs = rank_costs(all_ranks(session))
    return [{"rank": info.rank, "label": info.label, "pid": info.pid or None, **_of(session.snapshot(info.rank), costs[info.rank])} for info in infos]


def desynchronised_view(session: Session) -> list[dict[str, Any]]:
    """Parameters whose gradients differ between ranks that reduce them."""
    return desynchronised_rows(all_ranks(session))


def _of(snapshot: Snapshot, costs: RankCosts) -> dict[str, Any]:
    end = snapshot.exit
    return {
        "exit_code": None if end is None else end.get("code"),
        "signal": (int(end.get("signal") or 0) or None) if end is not None else None,
        "iterations": snapshot.iteration_count,
        "backwards": snapshot.backward_count,
        "iteration_ns": costs.iteration_ns,
        "own_ns": costs.own_ns,
        "is_straggler": costs.is_straggler,
        "peak_allocated_bytes": dict(costs.peak_bytes),
        "end_ns": snapshot.end_ns,
    }
