"""A hand-made training run of a small GPT: what the analyses would give for it, in any number of iterations and blocks.

Every iteration takes 266 ms: forward 86 ms, backward 168 ms, optimizer 12 ms. Parameters 475 MiB, optimizer state 950 MiB, and one ``h`` of 24 MiB
that is never freed in each iteration.
"""

from dataclasses import dataclass, field

import numpy as np

from tensorscope.analysis.results import (
    CATEGORIES,
    GradientTable,
    Ints,
    Iteration,
    MemoryBlocks,
    MemoryTimeline,
    Phase,
    Source,
    StorageRow,
    StorageTensor,
    StorageView,
)

MIB = 2**20
START_NS = 3_910_000_000
FORWARD_NS, BACKWARD_NS, OPTIMIZER_NS = 86_000_000, 168_000_000, 12_000_000
ITERATION_NS = FORWARD_NS + BACKWARD_NS + OPTIMIZER_NS
LAYERS = 12
NUMBER = {name: index for index, name in enumerate(CATEGORIES)}
NEVER = -1


@dataclass
class Blocks:
    """Blocks of one device while they are made up."""

    rows: list[tuple[int, int, int, int]] = field(default_factory=list)  # size, begin, end, category

    def add(self, size: float, begin_ns: float, end_ns: float, category: str) -> None:
        self.rows.append((int(size), int(begin_ns), int(end_ns), NUMBER[category]))

    def freeze(self, end_ns: int) -> MemoryBlocks:
        size, begin, end, category = (np.array(column, np.int64) for column in zip(*self.rows, strict=True))
        return freeze_blocks(size, begin, end, category, end_ns)


def freeze_blocks(size: Ints, begin: Ints, end: Ints, category: Ints, end_ns: int) -> MemoryBlocks:
    """Blocks as analysis gives them; an end of NEVER, or one after the snapshot's end, is live."""
    order = np.argsort(begin, kind="stable")
    size, begin, end, category = size[order], begin[order], end[order], category[order]
    is_live = (end == NEVER) | (end > end_ns)
    count = len(size)
    return MemoryBlocks(
        address=(0x7F00_0000_0000 + np.arange(count, dtype=np.uint64) * np.uint64(4096)),
        size=size,
        begin_ns=begin,
        end_ns=np.where(is_live, end_ns, end),
        is_live=is_live,
        category=category.astype(np.uint8),
        op=np.zeros(count, np.uint64),
        stack=np.zeros(count, np.uint32),
        module_call=np.zeros(count, np.uint32),
    )


def timeline_of(blocks: MemoryBlocks, device: str = "cuda:0", reserved: int | None = None, capacity: int | None = None) -> MemoryTimeline:
    """The curves that follow from blocks: at each moment the sum over those that have begun and not ended."""
    ended = ~blocks.is_live
    times = np.concatenate([blocks.begin_ns, blocks.end_ns[ended]])
    change = np.concatenate([blocks.size, -blocks.size[ended]])
    category = np.concatenate([blocks.category, blocks.category[ended]])
    order = np.argsort(times, kind="stable")
    moments, first = np.unique(times[order], return_index=True)
    last = np.append(first[1:], len(order)) - 1
    curves = np.stack([np.cumsum(np.where(category[order] == number, change[order], 0))[last] for number in range(len(CATEGORIES))])
    total = curves.sum(axis=0)
    peak = int(total.argmax()) if len(total) else -1
    steps = np.maximum.accumulate(total) * 1.06 if reserved is None else np.full(len(total), reserved)
    return MemoryTimeline(device, blocks, moments, total, curves, steps.astype(np.int64) if capacity else None, None, peak, capacity)


def gpt_blocks(iterations: int, end_ns: int) -> Blocks:
    blocks = Blocks()
    blocks.add(8 * 1024, START_NS / 2, NEVER, "buffer")
    for layer in range(LAYERS):
        blocks.add(27 * MIB, START_NS / 2 + layer, NEVER, "parameter")
    blocks.add(147 * MIB, START_NS / 2 + LAYERS, NEVER, "parameter")
    blocks.add(8.1 * MIB, START_NS / 3, NEVER, "unknown")
    for index in range(iterations):
        begin = START_NS + index * ITERATION_NS
        if begin < end_ns:
            _iteration_blocks(blocks, index, begin)
    blocks.rows = [row for row in blocks.rows if row[1] <= end_ns]
    return blocks


def _iteration_blocks(blocks: Blocks, index: int, begin: int) -> None:
    backward, step = begin + FORWARD_NS, begin + FORWARD_NS + BACKWARD_NS
    blocks.add(128 * 1024, begin, begin + ITERATION_NS, "input")
    blocks.add(24 * MIB, begin + FORWARD_NS * 0.9, NEVER, "activation")
    for layer in range(LAYERS):
        for part in range(10):
            made = begin + FORWARD_NS * 0.8 * (layer + part / 10) / LAYERS
            freed = backward + BACKWARD_NS * (0.08 + 0.9 * (LAYERS - layer - part / 10) / LAYERS)
            blocks.add((24 + 24 * (part % 3)) * MIB * 0.75, made, freed, "activation")
            blocks.add((24 + layer) * MIB, freed - BACKWARD_NS * 0.006, freed + BACKWARD_NS * 0.001, "temporary")
        written = backward + BACKWARD_NS * (0.08 + 0.9 * (LAYERS - layer) / LAYERS)
        blocks.add(27 * MIB, written, begin + ITERATION_NS + FORWARD_NS * 0.01, "gradient")
        if index == 0:
            blocks.add(54 * MIB, step + OPTIMIZER_NS * layer / LAYERS, NEVER, "optimizer_state")
    if index == 0:
        blocks.add(294 * MIB, step + OPTIMIZER_NS * 0.99, NEVER, "optimizer_state")
    blocks.add(1577 * MIB, begin + FORWARD_NS * 0.86, backward + BACKWARD_NS * 0.06, "activation")
    blocks.add(1577 * MIB, begin + FORWARD_NS * 0.9, backward + BACKWARD_NS * 0.02, "temporary")
    blocks.add(1577 * MIB, begin + FORWARD_NS * 0.97, backward + BACKWARD_NS * 0.01, "temporary")
    blocks.add(600 * MIB, step + OPTIMIZER_NS * 0.3, step + OPTIMIZER_NS * 0.8, "temporary")


def memory_run(iterations: int = 50, end_ns: int | None = None) -> MemoryTimeline:
    end = START_NS + iterations * ITERATION_NS if end_ns is None else end_ns
    return timeline_of(gpt_blocks(iterations, end).freeze(end), capacity=int(15.7 * 1024) * MIB)


def million_blocks(count: int = 1_000_000) -> MemoryTimeline:
    """The same run with ``count`` short-lived blocks on top, log-uniform from 512 B to 4 MiB, of all categories but parameters."""
    iterations = 50
    end = START_NS + iterations * ITERATION_NS
    rng = np.random.default_rng(7)
    begin = np.sort(rng.integers(START_NS, end, count))
    life = np.exp(rng.uniform(np.log(10_000), np.log(200_000_000 * 50_000 / max(count, 50_000)), count)).astype(np.int64)
    size = np.exp2(rng.uniform(9, 22, count)).astype(np.int64)
    category = rng.choice([NUMBER["activation"], NUMBER["temporary"], NUMBER["gradient"], NUMBER["unknown"]], count, p=[0.45, 0.4, 0.1, 0.05])
    base = gpt_blocks(iterations, end)
    sizes, begins, ends, categories = (np.array(column, np.int64) for column in zip(*base.rows, strict=True))
    blocks = freeze_blocks(
        np.concatenate([size, sizes]), np.concatenate([begin, begins]), np.concatenate([begin + life, ends]), np.concatenate([category, categories]), end
    )
    return timeline_of(blocks, capacity=int(15.7 * 1024) * MIB)


def iterations_of(count: int = 50, peak_bytes: int | None = None) -> tuple[Iteration, ...]:
    return tuple(
        Iteration(i, START_NS + i * ITERATION_NS, START_NS + (i + 1) * ITERATION_NS, True, FORWARD_NS, BACKWARD_NS, OPTIMIZER_NS, peak_bytes, 1e-3)
        for i in range(count)
    )


def phases_of(count: int = 50) -> tuple[Phase, ...]:
    found = []
    for index in range(count):
        at = START_NS + index * ITERATION_NS
        for kind, length in (("forward", FORWARD_NS), ("backward", BACKWARD_NS), ("optimizer", OPTIMIZER_NS)):
            found.append(Phase(kind, index, at, at + length))  # type: ignore[arg-type]
            at += length
    return tuple(found)


def gradient_run(iterations: int = 48, stages: tuple[int, ...] = (1, 3)) -> GradientTable:
    """Norms of 148 parameters; layer 3 grows from iteration 36 on, one NaN, one all-zero row at first, one missing cell."""
    parts = ("ln1.weight", "ln1.bias", "attn.c_attn.weight", "attn.c_attn.bias", "attn.c_proj.weight", "attn.c_proj.bias")
    parts += ("ln2.weight", "ln2.bias", "mlp.c_fc.weight", "mlp.c_fc.bias", "mlp.c_proj.weight", "mlp.c_proj.bias")
    names = ["wte.weight", "wpe.weight", *(f"h.{layer}.{part}" for layer in range(LAYERS) for part in parts), "ln_f.weight", "ln_f.bias"]
    count = len(names)
    rng = np.random.default_rng(3)
    level = np.where([name.endswith("bias") for name in names], 0.005, 0.02) * np.linspace(2.2, 0.6, count)
    wave = np.exp(rng.normal(0, 0.45, iterations)) * (1 + 4 * (rng.random(iterations) > 0.9))
    norm = level[None, :] * wave[:, None] * np.exp(rng.normal(0, 0.25, (iterations, count)))
    growing = [index for index, name in enumerate(names) if name.startswith("h.3.mlp")]
    for step in range(min(36, iterations), iterations):
        norm[step, growing] *= 38 ** ((step - 36) / 11)
    norm[:3, names.index("wpe.weight")] = 0.0
    nonfinite = np.zeros((iterations, count), np.int64)
    if iterations > 20:
        nonfinite[20, names.index("h.5.attn.c_attn.weight")] = 3
    rows = []
    for iteration in range(iterations):
        for stage in stages:
            for parameter in range(count):
                if (iteration, parameter) != (10, 7):
                    rows.append(
                        (iteration, iteration, parameter, stage, norm[iteration, parameter] * (0.5 if stage == 3 else 1), nonfinite[iteration, parameter])
                    )
    iteration, backward, parameter, stage, norms, bad = (np.array(column) for column in zip(*rows, strict=True))
    modules = tuple(name.rpartition(".")[0] for name in names)
    times = START_NS + (iteration + 1) * ITERATION_NS - OPTIMIZER_NS
    filled = np.full(len(rows), 4096, np.int64)
    unknown = np.full(len(rows), np.nan)
    norms = np.where(bad > 0, np.nan, norms)
    return GradientTable(tuple(names), modules, iteration, backward, parameter, stage.astype(np.uint8), times, norms, norms / 9, bad, filled, unknown, unknown)


def storage_run(extra: int = 0) -> StorageView:
    """Four storages worth looking at (a kept slice, tied weights, q k v, an expanded view), one from NumPy, and ``extra`` plain ones."""
    rows = [
        _storage(1, "h of step 46", "activation", (8, 1024, 768), holders=("local feats in train()",)),
        _storage(2, "wte.weight", "parameter", (50304, 768), holders=("parameter wte.weight",)),
        _storage(3, "h.6.attn qkv", "activation", (8, 1024, 2304)),
        _storage(4, "pos", "buffer", (1024,)),
        _storage(5, "images", "input", (64, 1, 8, 8), is_external=True),
    ]
    tensors = {
        0: (_view("feats[46]", (8, 768), (1024 * 768, 1), 1023 * 768),),
        1: (rows[1].tensors[0], _view("lm_head.weight", (50304, 768), (768, 1), 0, is_view=False)),
        2: (
            rows[2].tensors[0],
            *(_view(name, (8, 12, 1024, 64), (1024 * 2304, 64, 2304, 1), 768 * place) for place, name in enumerate(("q", "k", "v"))),
        ),
        3: (rows[3].tensors[0], _view("pos (expanded)", (8, 1024), (0, 1), 0)),
    }
    rows = [_with_tensors(row, tensors.get(index, row.tensors)) for index, row in enumerate(rows)]
    rows += [_storage(100 + index, f"x{index}", CATEGORIES[index % 8], (index % 97 + 1, 64)) for index in range(extra)]
    return StorageView(START_NS + 13 * ITERATION_NS, "iteration", 12, True, tuple(rows))


def _view(name: str, shape: tuple[int, ...], stride: tuple[int, ...], offset: int, is_view: bool = True) -> StorageTensor:
    last = offset + sum((size - 1) * step for size, step in zip(shape, stride, strict=True))
    contiguous = list(np.cumprod([1, *reversed(shape)])[:-1][::-1]) == list(stride)
    return StorageTensor((name,), shape, stride, offset, "float32", is_view, contiguous, 1, offset * 4, (last + 1) * 4, True, 0x5000 + offset)


def _storage(number: int, name: str, category: str, shape: tuple[int, ...], is_external: bool = False, holders: tuple[str, ...] = ()) -> StorageRow:
    stride = tuple(int(step) for step in np.cumprod([1, *reversed(shape)])[:-1][::-1])
    base = _view(name, shape, stride, 0, is_view=False)
    source = Source("/home/me/gpt/model.py", 77 + number, "forward")
    writer = "" if number == 5 else "aten::add_" if number == 3 else "aten::addmm"
    return StorageRow(
        number, 0x7F00_0000 + number * 4096, "cuda:0", base.end_byte, category, is_external, START_NS + 13 * ITERATION_NS, writer,
        source if writer else None, writer, source if writer else None, "h.6", (base,), holders,
    )  # fmt: skip


def _with_tensors(row: StorageRow, tensors: tuple[StorageTensor, ...]) -> StorageRow:
    return StorageRow(
        row.id, row.data, row.device, row.nbytes, row.category, row.is_external, row.seen_ns, row.last_writer, row.last_writer_source,
        row.made_by, row.made_source, row.module, tensors, row.holders,
    )  # fmt: skip
