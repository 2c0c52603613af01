"""Module and source line of every node of two samples, written down by hand."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.truth.harness import SAMPLES, Recording

Node = tuple[str, str, str]  # name, module, source line's text

CALL = "return self.classifier(self.features(images))"
LOSS = "loss = nn.functional.cross_entropy(model(images), labels)"
DIGITS: list[Node] = [
    ("NllLossBackward0", "", LOSS),
    ("LogSoftmaxBackward0", "", LOSS),
    ("AddmmBackward0", "classifier.3", CALL),
    ("TBackward0", "classifier.3", CALL),
    ("ReluBackward0", "classifier.2", CALL),
    ("AddmmBackward0", "classifier.1", CALL),
    ("TBackward0", "classifier.1", CALL),
    ("ViewBackward0", "classifier.0", CALL),
    ("MulBackward0", "features.6", CALL),
    ("MaxPool2DWithIndicesBackward0", "features.5", CALL),
    ("ReluBackward0", "features.4", CALL),
    ("ConvolutionBackward0", "features.3", CALL),
    ("ReluBackward0", "features.2", CALL),
    ("NativeBatchNormBackward0", "features.1", CALL),
    ("ConvolutionBackward0", "features.0", CALL),
]
DIGITS_PARAMETERS = [f"{module}.{name}" for module in ("features.0", "features.1", "features.3", "classifier.1", "classifier.3") for name in ("weight", "bias")]

RESIDUAL = "loss = (predictions - targets).square().mean()"
PREDICTION = "predictions = inputs @ weight + bias"
REGRESSION: list[Node] = [
    ("MeanBackward0", "", RESIDUAL),
    ("PowBackward0", "", RESIDUAL),
    ("SubBackward0", "", RESIDUAL),
    ("AddBackward0", "", PREDICTION),
    ("MmBackward0", "", PREDICTION),
]


def operators_of(graph: dict[str, Any]) -> Counter[Node]:
    """All nodes but accumulators, each source line by its text."""
    return Counter((node["name"], node["module"] or "", text_of(node["source"])) for node in graph["nodes"] if "AccumulateGrad" not in node["name"])


def text_of(source: str) -> str:
    file, line = source.rsplit(":", 1)
    assert file.startswith(str(SAMPLES)), source
    with open(file, encoding="utf-8") as lines:
        return lines.readlines()[int(line) - 1].strip()


def parameters_of(graph: dict[str, Any]) -> list[str]:
    return sorted(node["parameter"] for node in graph["nodes"] if "AccumulateGrad" in node["name"])


def test_every_node_of_the_digits_network_has_its_module_and_line(recorded: Callable[[str], Recording]) -> None:
    for backward in (0, 1, 47):
        graph = recorded("digits_cnn.py").query("graph", "--backward", backward)
        assert operators_of(graph) == Counter(DIGITS)
        assert parameters_of(graph) == sorted(DIGITS_PARAMETERS)


def test_every_node_of_the_regression_has_its_line_and_its_leaf_names(recorded: Callable[[str], Recording]) -> None:
    for backward in (0, 29):
        graph = recorded("linear_regression.py").query("graph", "--backward", backward)
        assert operators_of(graph) == Counter(REGRESSION)
        assert parameters_of(graph) == ["bias", "weight"]


def test_the_summary_counts_what_the_sample_did(recorded: Callable[[str], Recording]) -> None:
    summary = recorded("digits_cnn.py").query("summary")
    assert (summary["iterations"], summary["backwards"], summary["exit_code"], summary["dropped_events"]) == (48, 48, 0, 0)
    summary = recorded("linear_regression.py").query("summary")
    assert (summary["iterations"], summary["backwards"], summary["exit_code"]) == (30, 30, 0)


def test_the_learning_rate_halves_after_each_epoch(recorded: Callable[[str], Recording]) -> None:
    rates = [row["learning_rate"] for row in recorded("digits_cnn.py").query("iterations")]
    assert rates == [3e-3] * 24 + [1.5e-3] * 24
