"""How rows that are kept for ever stay within a budget in a run without end: of every few iterations of the middle the most telling one is kept, whole.

Of gradients that is the one in which an element was not finite, else the one in which a parameter's norm was its highest of the run: so the first NaN
and the peaks survive, and a row that is missing is missing for all parameters alike. Of other rows it is the first.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.trace.columns import Block, TableStore
from tensorscope.trace.health import ByPlace, HealthCounter

LARGEST_STRIDE: Final = 1 << 30
Arrays = Mapping[str, NDArray[Any]]
Score = Callable[[Arrays], NDArray[np.float64]]


def gradient_scores(rows: Arrays) -> NDArray[np.float64]:
    """How telling each row is, [n]: 2 where an element was not finite, 1 the highest of its parameter and stage (the first), others at most half of that."""
    squares = np.nan_to_num(rows["sum_squares"], nan=0.0, posinf=0.0)
    series = rows["parameter"].astype(np.uint64) << np.uint64(8) | rows["stage"]
    _, index = np.unique(series, return_inverse=True)
    highest = np.zeros(int(index.max(initial=-1)) + 1)
    np.maximum.at(highest, index, squares)
    scores: NDArray[np.float64] = np.divide(squares, 2 * highest[index], out=np.zeros(len(squares)), where=highest[index] > 0)
    peaks = np.flatnonzero(squares == highest[index])
    scores[peaks[np.unique(index[peaks], return_index=True)[1]]] = 1
    scores[rows["nonfinite"] > 0] = 2
    return scores


def equal_scores(rows: Arrays) -> NDArray[np.float64]:
    return np.zeros(len(rows["rank"]))


def kept_rows(iterations: NDArray[np.int64], scores: NDArray[np.float64], most_rows: int, first: int, last: int) -> NDArray[np.bool_]:
    """Which of some rows [n] stay, so that at most ``most_rows`` do, if that can be: one iteration of each stride of them, strides as short as will do.

    ``iterations`` are those of the rows; ``first`` and later up to ``last`` (exclusive) may go, others stay.
    """
    numbers, index, counts = np.unique(iterations, return_inverse=True, return_counts=True)
    best, total = np.full(len(numbers), -1.0), np.bincount(index, scores, len(numbers))
    np.maximum.at(best, index, scores)
    is_middle = (numbers >= first) & (numbers < last)
    stays = np.ones(len(numbers), np.bool_)
    stride = 1
    while counts[stays].sum() > most_rows and stays[is_middle].sum() > 1 and stride < LARGEST_STRIDE:
        stride *= 2
        order = np.lexsort((numbers, -total, -best, numbers // stride))
        order = order[is_middle[order]]
        buckets = numbers[order] // stride
        stays = ~is_middle
        stays[order[np.concatenate(([True], buckets[1:] != buckets[:-1]))]] = True
    result: NDArray[np.bool_] = stays[index]
    return result


def thin(store: TableStore, score: Score, budget_bytes: int, iteration_ends_ns: Sequence[int], first: int, last: int, health: HealthCounter | ByPlace) -> None:
    """Thin a table that is larger than its budget to half of that. Its newest block stays as it is.

    ``first`` and ``last`` are how many iterations at both ends stay whole.
    """
    if store.size_bytes <= budget_bytes or len(store.blocks) < 2 or not iteration_ends_ns:
        return
    old = [block for block in store.blocks[:-1] if block.rows]
    names = old[0].arrays.keys()
    rows = {name: np.concatenate([block.arrays[name][: block.rows] for block in old]) for name in names}
    times = rows[next(name for name in ("time_ns", "end_ns") if name in rows)]
    iterations = np.searchsorted(np.asarray(iteration_ends_ns, np.int64), times, side="left").astype(np.int64)
    most = max(0, budget_bytes // 2 // store.row_bytes - store.blocks[-1].rows)
    stays = kept_rows(iterations, score(rows), most, first, len(iteration_ends_ns) - last)
    if stays.all():
        return
    gone = np.unique(iterations[~stays])
    health.retired(int(np.count_nonzero(~stays)), range(int(gone[0]), int(gone[-1]) + 1))
    kept = {name: array[stays] for name, array in rows.items()}
    count = int(np.count_nonzero(stays))
    blocks = [Block(kept, count, old[0].first_ns, old[-1].last_ns)] if count else []
    store.replace_blocks([*blocks, store.blocks[-1]])
