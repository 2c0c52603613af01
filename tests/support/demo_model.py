"""The pretended GPT: its modules and parameters, its forward operators, and the graph nodes that they make."""

from dataclasses import dataclass, field

from tensorscope.protocol.records import TensorRole
from tests.support.demo_run import Run, Value

BATCH, LENGTH, WIDTH, HEADS, DEPTH, VOCABULARY = 8, 256, 256, 8, 4, 4096
TOKENS = BATCH * LENGTH


@dataclass(slots=True)
class MadeNode:
    """A graph node as the forward pass made it. ``inputs`` are in the order of ``next_functions``; None: no gradient flows there."""

    name: str
    sequence: int
    inputs: tuple[Value | None, ...]
    saved: tuple[tuple[str, Value], ...]
    micros: float
    operators: tuple[str, ...]  # what runs inside it in backward
    makes: bool  # its gradients are new memory (a view's are not)


@dataclass(slots=True)
class Model:
    """Modules and parameters as the trackers tell them, and the forward pass."""

    run: Run
    modules: dict[int, dict[str, object]] = field(default_factory=dict)
    parameters: dict[int, dict[str, object]] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    nodes: dict[str, MadeNode] = field(default_factory=dict)
    _ids: dict[str, int] = field(default_factory=dict)

    def build(self) -> None:
        self._module("", "GPT", "")
        self._module("wte", "Embedding", "")
        self._parameter("wte.weight", (VOCABULARY, WIDTH))
        self._module("h", "ModuleList", "")
        for index in range(DEPTH):
            self._block(f"h.{index}")
        self._module("ln_f", "LayerNorm", "")
        self._norm_parameters("ln_f")
        self._module("lm_head", "Linear", "")
        self._parameter("lm_head.weight", (VOCABULARY, WIDTH))

    def forward(self, tokens: Value) -> Value:
        """Run the model; its nodes are in ``nodes``. Returns the logits."""
        run = self.run
        self.nodes.clear()
        with run.module(self._ids[""]), run.frame("GPT.forward", "x = self.wte(tokens)"):
            run.seen(run.calls[-1], TensorRole.ROOT_INPUT, 0, tokens)
            weight = self.values["wte.weight"]
            with run.module(self._ids["wte"]):
                x = self._apply("aten::embedding", "EmbeddingBackward0", (weight,), (BATCH, LENGTH, WIDTH), (("indices", tokens),), 60)
            for index in range(DEPTH):
                run.at("x = block(x)")
                x = self._run_block(f"h.{index}", x)
            run.at("return self.lm_head(self.ln_f(x))")
            x = self._norm("ln_f", x)
            with run.module(self._ids["lm_head"]):
                return self._linear("lm_head", x, VOCABULARY, bias=False, micros=1400)

    def loss(self, logits: Value, targets: Value) -> Value:
        with self.run.operator("aten::cross_entropy_loss"):
            shape = (TOKENS, VOCABULARY)
            logs = self._apply("aten::_log_softmax", "LogSoftmaxBackward0", (logits,), shape, (), 700, saves_result=True)
            return self._apply("aten::nll_loss_forward", "NllLossBackward0", (logs,), (), (("self", logs), ("target", targets)), 30)

    def _run_block(self, name: str, x: Value) -> Value:
        run = self.run
        with run.module(self._ids[name]), run.frame("Block.forward", "x = x + self.attn(self.ln1(x))"):
            attended = self._attention(f"{name}.attn", self._norm(f"{name}.ln1", x))
            x = self._apply("aten::add", "AddBackward0", (x, attended), x.shape, (), 20, makes=False)
            run.at("return x + self.mlp(self.ln2(x))")
            result = self._mlp(f"{name}.mlp", self._norm(f"{name}.ln2", x))
            return self._apply("aten::add", "AddBackward0", (x, result), x.shape, (), 20, makes=False)

    def _attention(self, name: str, x: Value) -> Value:
        run = self.run
        with run.module(self._ids[name]), run.frame("Attention.forward", "parts = self.qkv(x)"):
            with run.module(self._ids[f"{name}.qkv"]):
                qkv = self._linear(f"{name}.qkv", x, 3 * WIDTH, micros=330)
            run.at("q, k, v = parts")
            heads = (3, BATCH, HEADS, LENGTH, WIDTH // HEADS)
            parts = self._view("aten::permute", "PermuteBackward0", qkv, heads, (WIDTH, LENGTH * 3 * WIDTH, WIDTH // HEADS, 3 * WIDTH, 1))
            q, k, v = (self._view("aten::select", "SelectBackward0", parts, heads[1:], parts.strides[1:]) for _ in range(3))
            run.at("y = F.scaled_dot_product_attention")
            name_of = "ScaledDotProductFlashAttentionForCpuBackward0"
            saved = (("query", q), ("key", k), ("value", v))
            operator = "aten::scaled_dot_product_attention"
            y = self._apply(operator, name_of, (q, k, v), heads[1:], saved, 520, saves_result=True)
            run.at("return self.proj(")
            y = self._view("aten::view", "ViewBackward0", y, (BATCH, LENGTH, WIDTH), (LENGTH * WIDTH, WIDTH, 1))
            with run.module(self._ids[f"{name}.proj"]):
                return self._linear(f"{name}.proj", y, WIDTH, micros=120)

    def _mlp(self, name: str, x: Value) -> Value:
        run = self.run
        with run.module(self._ids[name]), run.frame("MLP.forward", "x = self.c_fc(x)"):
            with run.module(self._ids[f"{name}.c_fc"]):
                x = self._linear(f"{name}.c_fc", x, 4 * WIDTH, micros=450)
            run.at("x = self.gelu(x)")
            with run.module(self._ids[f"{name}.gelu"]):
                x = self._apply("aten::gelu", "GeluBackward0", (x,), x.shape, (("self", x),), 210)
            run.at("return self.c_proj(x)")
            with run.module(self._ids[f"{name}.c_proj"]):
                return self._linear(f"{name}.c_proj", x, WIDTH, micros=440)

    def _norm(self, name: str, x: Value) -> Value:
        weight, bias = self.values[f"{name}.weight"], self.values[f"{name}.bias"]
        with self.run.module(self._ids[name]), self.run.operator("aten::layer_norm"):
            return self._apply("aten::native_layer_norm", "NativeLayerNormBackward0", (x, weight, bias), x.shape, (("input", x), ("weight", weight)), 40)

    def _linear(self, name: str, x: Value, width: int, *, bias: bool = True, micros: float) -> Value:
        weight = self.values[f"{name}.weight"]
        with self.run.operator("aten::linear", in_library=True):
            turned = self._view("aten::t", "TBackward0", weight, weight.shape[::-1], (1, weight.shape[1]))
            shape = (*x.shape[:-1], width)
            if not bias:
                return self._apply("aten::mm", "MmBackward0", (x, turned), shape, (("self", x), ("mat2", turned)), micros)
            first = self.values[f"{name}.bias"]
            return self._apply("aten::addmm", "AddmmBackward0", (first, x, turned), shape, (("mat1", x), ("mat2", turned)), micros)

    def _apply(
        self,
        operator: str,
        node: str,
        inputs: tuple[Value, ...],
        shape: tuple[int, ...],
        saved: tuple[tuple[str, Value], ...],
        micros: float,
        *,
        makes: bool = True,
        saves_result: bool = False,
    ) -> Value:
        run = self.run
        run.sequence += 1
        key = f"{node}:{run.sequence}"
        with run.operator(operator, micros=micros, sequence=run.sequence) as identity:
            for argument, value in enumerate(inputs):
                run.seen(identity, TensorRole.INPUT, argument, value)
            result = run.tensor(shape, node=key)
            run.seen(identity, TensorRole.OUTPUT, 0, result)
        kept = (*saved, ("result", result)) if saves_result else saved
        for _, value in kept:
            value.block.holders += 1
        inner = ("aten::mm", "aten::mm", "aten::sum") if node == "AddmmBackward0" else (operator + "_backward",)
        self.nodes[key] = MadeNode(node, run.sequence, inputs, kept, 2 * micros, inner, makes)
        return result

    def _view(self, operator: str, node: str, base: Value, shape: tuple[int, ...], strides: tuple[int, ...]) -> Value:
        run = self.run
        run.sequence += 1
        key = f"{node}:{run.sequence}"
        with run.operator(operator, micros=4, sequence=run.sequence) as identity:
            run.seen(identity, TensorRole.INPUT, 0, base)
            view = run.tensor(shape, block=base.block, node=key)
            view.strides = strides
            run.seen(identity, TensorRole.OUTPUT, 0, view)
        self.nodes[key] = MadeNode(node, run.sequence, (base,), (), 8, ("aten::" + node.removesuffix("Backward0").lower(),), False)
        return view

    def _block(self, name: str) -> None:
        self._module(name, "Block", "h")
        for norm in ("ln1", "ln2"):
            self._module(f"{name}.{norm}", "LayerNorm", name)
            self._norm_parameters(f"{name}.{norm}")
        self._module(f"{name}.attn", "Attention", name)
        self._linear_module(f"{name}.attn", "qkv", WIDTH, 3 * WIDTH)
        self._linear_module(f"{name}.attn", "proj", WIDTH, WIDTH)
        self._module(f"{name}.mlp", "MLP", name)
        self._linear_module(f"{name}.mlp", "c_fc", WIDTH, 4 * WIDTH)
        self._module(f"{name}.mlp.gelu", "GELU", f"{name}.mlp")
        self._linear_module(f"{name}.mlp", "c_proj", 4 * WIDTH, WIDTH)

    def _linear_module(self, parent: str, name: str, width_in: int, width_out: int) -> None:
        self._module(f"{parent}.{name}", "Linear", parent)
        self._parameter(f"{parent}.{name}.weight", (width_out, width_in))
        self._parameter(f"{parent}.{name}.bias", (width_out,))

    def _norm_parameters(self, name: str) -> None:
        self._parameter(f"{name}.weight", (WIDTH,))
        self._parameter(f"{name}.bias", (WIDTH,))

    def _module(self, fqn: str, kind: str, parent: str) -> None:
        identity = self._ids[fqn] = len(self._ids) + 1
        above = self._ids[parent] if fqn else 0
        self.modules[identity] = {"type": "module", "id": identity, "fqn": fqn, "class": kind, "parent": above, "root": 1, "source": ""}

    def _parameter(self, fqn: str, shape: tuple[int, ...]) -> None:
        value = self.run.tensor(shape)
        value.parameter = len(self.parameters) + 1
        self.values[fqn] = value
        self.parameters[value.parameter] = {
            "type": "parameter",
            "id": value.parameter,
            "fqn": fqn,
            "aliases": [],
            "shape": list(shape),
            "dtype": "float32",
            "numel": value.nbytes // 4,
            "module": self._ids[fqn.rpartition(".")[0]],
            "device": "cpu" if self.run.device == 0 else "cuda:0",
            "is_buffer": False,
            "impl": value.impl,
            "storage": value.block.storage,
            "data": value.block.address,
        }
