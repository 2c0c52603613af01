"""A believable hand-made training trace: eight iterations of a four-block GPT, without torch. What panels are drawn and tested with."""

import random
from functools import cache
from typing import Any, Literal

from tensorscope.protocol.records import GradientStage, MarkKind
from tensorscope.trace.schema import MARKS
from tensorscope.trace.snapshot import Backward, GraphShape, Snapshot
from tests.support.demo_backward import BackwardRun, Graph, walk
from tests.support.demo_model import BATCH, LENGTH, TOKENS, Model
from tests.support.demo_run import CPU, CUDA, SCRIPT, Block, Run, Value

START_NS = 1_310_000_000  # the script's imports
HELD_BEFORE = ("GeluBackward0", 2)  # the second of that name
ITERATIONS = 8


class Training:
    """Runs the pretended script and keeps what the trackers would tell."""

    def __init__(self, device: int) -> None:
        self.run = Run(device)
        self.run.now = START_NS
        self.model = Model(self.run)
        self.graphs: dict[int, GraphShape] = {}
        self.backwards: dict[int, Backward] = {}
        self.details: dict[int, dict[str, Any]] = {}
        self.iterations: list[dict[str, Any]] = []
        self.storages: list[dict[str, Any]] = []
        self.moments: list[Block] = []
        self.gradients: dict[int, Block] = {}
        self.last: BackwardRun | None = None

    def start(self) -> None:
        with self.run.frame("main", "model = GPT()"):
            if self.run.device == CUDA:
                self.run.reserve(640 * 2**20)
            self.model.build()
        self.run.now += 90_000_000

    def iterate(self, index: int, is_held: bool = False) -> None:
        """One turn of the loop; a held one stops inside its backward."""
        run = self.run
        run.made_in_call.clear()
        with run.frame("main", "tokens = torch.randint"):
            with run.operator("aten::randint", micros=120):
                tokens = run.tensor((BATCH, LENGTH + 1), item=8)
            run.at("logits = model(")
            logits = self.model.forward(tokens)
            run.at("loss = F.cross_entropy")
            loss = self.model.loss(logits, tokens)
            self._free_unsaved((tokens.block, logits.block, loss.block))
            run.at("loss.backward()")
            with run.operator("aten::ones_like"):
                run.now += 1_000
            self._backward(index, loss, is_held)
            if not is_held:
                self._finish(index)
                for block in (tokens.block, logits.block, loss.block):
                    run.free(block)

    def _backward(self, index: int, loss: Value, is_held: bool) -> None:
        graph = walk(self.model, loss)
        self.graphs.setdefault(1, graph.shape())
        backward = self.last = BackwardRun(self.run, self.model, graph, index + 1, 1)
        self.backwards[index + 1] = backward.definition()
        self.details[index + 1] = self._graph_details(index + 1, graph)
        backward.run_nodes(backward.position_of(*HELD_BEFORE) if is_held else None)
        for target, block in list(backward.gradients.items()):
            if graph.parameters[target]:
                self.gradients[graph.parameters[target]] = block

    def _finish(self, index: int) -> None:
        run = self.run
        assert self.last is not None
        self.last.write_gradients(index, GradientStage.RAW, 1.0)
        run.at("clip_grad_norm_")
        begin = run.now
        with run.operator("aten::_foreach_norm", micros=160):
            run.now += 1_000
        self.last.write_gradients(index, GradientStage.CLIPPED, 0.8)
        run.rows.add(MARKS, mark=MarkKind.CLIP, begin_ns=begin, end_ns=run.now, a=index + 1, x=1.0, y=1.25, stack=run.stack())
        run.at("optimizer.step()")
        begin = run.now
        self._step(index)
        run.rows.add(MARKS, mark=MarkKind.OPTIMIZER_STEP, begin_ns=begin, end_ns=run.now, a=1, x=3e-4, stack=run.stack())
        self.storages.append(self._storages("iteration", index))
        run.at("optimizer.zero_grad()")
        begin = run.now
        for block in self.gradients.values():
            run.free(block)
        self.gradients.clear()
        run.now += 30_000
        run.rows.add(MARKS, mark=MarkKind.ZERO_GRAD, begin_ns=begin, end_ns=run.now, a=1, stack=run.stack())
        self.iterations.append({"type": "iteration", "index": index, "time_ns": run.now, "learning_rate": 3e-4, "optimizers": [1]})

    def _step(self, index: int) -> None:
        run = self.run
        if index == 0:
            for value in list(self.model.values.values()):
                with run.operator("aten::zeros_like", micros=4):
                    self.moments += [run.allocate(value.nbytes), run.allocate(value.nbytes)]
        for operator in ("aten::_foreach_mul_", "aten::_foreach_add_", "aten::_foreach_sqrt", "aten::_foreach_addcdiv_"):
            with run.operator(operator, micros=420):
                temporary = run.allocate(3 * 2**20)
                run.now += 40_000
                run.free(temporary)

    def _free_unsaved(self, kept: tuple[Block, ...]) -> None:
        """What only local variables held goes when the model's call returns."""
        for block in self.run.made_in_call:
            if block.holders <= 0 and block not in kept:
                self.run.free(block)
        self.run.made_in_call.clear()

    def _graph_details(self, backward: int, graph: Graph) -> dict[str, Any]:
        nodes = [{"index": index, "class": name, "saved": self._saved(graph, index)} for index, name in enumerate(graph.names)]
        return {"type": "graph_details", "graph": 1, "backward": backward, "nodes": nodes}

    def _saved(self, graph: Graph, index: int) -> list[dict[str, Any]]:
        made = graph.made[index]
        return [
            {
                "name": name,
                "shape": list(value.shape),
                "stride": list(value.strides),
                "offset": 0,
                "dtype": "float32" if value.item == 4 else "int64",
                "nbytes": value.nbytes,
                "storage": value.block.storage,
                "data": value.block.address,
                "impl": value.impl,
                "version": 0,
                "is_leaf_parameter": bool(value.parameter),
            }
            for name, value in (made.saved if made else ())
        ]

    def _storages(self, reason: str, index: int) -> dict[str, Any]:
        rows = [self._storage(value.block, name, value, "parameter", parameter=True) for name, value in self.model.values.items()]
        for number, name in enumerate(self.model.values):
            for which, moment in enumerate(("exp_avg", "exp_avg_sq")):
                if self.moments:
                    rows.append(self._storage(self.moments[2 * number + which], f"{moment} of {name}", self.model.values[name], "optimizer_state"))
        for identity, block in self.gradients.items():
            name = str(self.model.parameters[identity]["fqn"])
            rows.append(self._storage(block, f"{name}.grad", self.model.values[name], "gradient"))
        return {
            "type": "storages",
            "time_ns": self.run.now,
            "reason": reason,
            "iteration": index,
            "backward": index + 1,
            "is_complete": True,
            "spent_ns": 410_000,
            "storages": rows,
        }

    def _storage(self, block: Block, name: str, value: Value, category: str, *, parameter: bool = False) -> dict[str, Any]:
        shape, stride = list(value.shape), [value.shape[1], 1] if len(value.shape) == 2 else [1]
        tensor = {
            "impl": value.impl,
            "names": [name],
            "shape": shape,
            "stride": stride,
            "offset": 0,
            "dtype": "float32",
            "itemsize": 4,
            "is_view": False,
            "base": 0,
            "version": len(self.iterations),
            "requires_grad": parameter,
            "is_parameter": parameter,
            "category": category,
        }
        tensors = [tensor]
        if name.endswith("qkv.weight"):
            third = shape[0] // 3
            views = {"shape": [third, shape[1]], "is_view": True, "base": value.impl, "is_parameter": False, "category": ""}
            tensors += [{**tensor, **views, "names": [part], "offset": number * third * shape[1]} for number, part in enumerate(("wq", "wk", "wv"))]
        return {
            "storage": block.storage,
            "data": block.address,
            "nbytes": block.size,
            "device": "cpu" if self.run.device == CPU else "cuda:0",
            "is_external": False,
            "tensors": tensors,
            "holders": ["AdamW.state"] if category == "optimizer_state" else [],
        }

    def held(self) -> dict[str, Any]:
        """The ``held`` message of the last backward."""
        assert self.last is not None
        graph, order = self.last.graph, self.last.order
        node, finished = order[self.last.ran], order[self.last.ran - 1]
        stats = [_stats(name, list(value.shape), seed) for seed, (name, value) in enumerate(_saved_of(graph, node))]
        return {
            "type": "held",
            "backward": self.last.number,
            "node_index": node,
            "node": 0x6000_0000 + 256 * node,
            "name": graph.names[node],
            "sequence_nr": made.sequence if (made := graph.made[node]) else -1,
            "position": self.last.ran,
            "count": len(graph.names),
            "gradients_in": [_stats(f"from {graph.names[finished]}", [TOKENS, 1024], 11)],
            "saved": stats,
            "finished": {"index": finished, "name": graph.names[finished], "gradients_out": [_stats("self", [TOKENS, 1024], 12)]},
            "time_ns": self.run.now,
        }

    def snapshot(self, *, is_held: bool) -> Snapshot:
        run = self.run
        facts = {
            "type": "facts",
            "python_version": "3.12.4",
            "torch_version": "2.13.0+cpu" if run.device == CPU else "2.13.0+cu130",
            "script": str(SCRIPT),
            "argv": [str(SCRIPT)],
            "cwd": str(SCRIPT.parent),
            "pid": 4242,
            "executable": "/usr/bin/python3",
            "probe": "native",
            "begin_ns": 0,
            "wall_begin_ns": 4_000_000_000_000_000_000,
            "library_prefixes": ["/usr/lib/python3"],
            "cuda": run.device == CUDA,
            "rank": 0,
        }
        return Snapshot(
            tables=run.rows.tables(),
            strings=run.strings,
            stacks=run.stacks,
            shapes=run.shapes,
            threads={1: "MainThread"},
            graphs=self.graphs,
            backwards=self.backwards,
            facts=facts,
            modules=self.model.modules,
            parameters=self.model.parameters,
            optimizers={1: {"type": "optimizer", "id": 1, "class": "AdamW", "name": "optimizer", "parameters": list(self.model.parameters), "state_bytes": 0}},
            iterations=tuple(self.iterations),
            storages=tuple(self.storages),
            graph_details=self.details,
            exceptions=(),
            holds=(self.held(),) if is_held else (),
            exit=None if is_held else {"type": "exit", "code": 0, "time_ns": run.now},
            end_ns=run.now,
            held_ns=134_000_000_000 if is_held else 0,
            cost_ns=run.now // 40,
        )


@cache
def demo_snapshot(device: Literal["cpu", "cuda"] = "cuda", *, is_held: bool = True) -> Snapshot:
    """Eight iterations, the last held in its backward (``is_held``) or all ended."""
    training = Training(CUDA if device == "cuda" else CPU)
    training.start()
    for index in range(ITERATIONS):
        training.iterate(index, is_held and index == ITERATIONS - 1)
    return training.snapshot(is_held=is_held)


def _saved_of(graph: Graph, index: int) -> tuple[tuple[str, Value], ...]:
    made = graph.made[index]
    return made.saved if made else ()


def _stats(name: str, shape: list[int], seed: int) -> dict[str, Any]:
    noise = random.Random(seed)
    bins = [round(4000 * noise.uniform(0.6, 1.0) / (1 + ((bin_ - 20 - 24 * (bin_ // 32)) / 5) ** 2)) for bin_ in range(64)]
    numel = 1
    for length in shape:
        numel *= length
    return {
        "name": name,
        "shape": shape,
        "dtype": "float32",
        "norm": 1.84e-3,
        "min": -4.1e-6,
        "max": 4.07e-6,
        "mean": 2.2e-9,
        "nonfinite": 0,
        "numel": numel,
        "histogram": bins,
    }
