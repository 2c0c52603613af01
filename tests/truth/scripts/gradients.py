"""Trains in one of six ways and writes down every gradient's norm as ``p.grad.double().norm()`` gives it, raw and clipped.

Usage: gradients.py TRUTH.json WAY
"""

import json
import sys
from typing import Any

import torch
from torch import Tensor, nn

truth: list[dict[str, Any]] = []
backward = -1


def in_double(tensor: Tensor) -> Tensor:
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def write_down(stage: str, parameters: dict[str, Tensor]) -> None:
    for name, parameter in parameters.items():
        if parameter.grad is None:
            continue
        dense = parameter.grad.to_dense() if parameter.grad.is_sparse else parameter.grad
        gradient, weight = in_double(dense), in_double(parameter.detach())
        truth.append(
            {
                "stage": stage,
                "backward": backward,
                "parameter": name,
                "norm": gradient.norm().item(),
                "max_abs": gradient.abs().max().item(),
                "numel": parameter.numel(),
                "weight_norm": weight.norm().item(),
            }
        )


def run_backward(loss: Tensor, parameters: dict[str, Tensor]) -> None:
    global backward
    loss.backward()
    backward += 1
    write_down("raw", parameters)


class Reader(nn.Module):
    """A little of everything: an embedding, a recurrent layer, a convolution, a layer that gets no gradient, a non-contiguous parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(11, 6)
        self.rnn = nn.LSTM(6, 5, batch_first=True)
        self.convolution = nn.Conv1d(5, 4, 3)
        self.unused = nn.Linear(2, 2)
        self.turned = nn.Parameter(torch.randn(3, 4).t())

    def forward(self, words: Tensor) -> Tensor:
        states, _ = self.rnn(self.embedding(words))
        return (self.convolution(states.transpose(1, 2)).amax(dim=2) @ self.turned).logsumexp(dim=1).mean()


def with_clipping_and_accumulation() -> None:
    reader = Reader()
    named = dict(reader.named_parameters())
    optimizer = torch.optim.AdamW(reader.parameters(), lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        for _ in range(2):
            run_backward(50 * reader(torch.randint(0, 11, (4, 9))), named)
        nn.utils.clip_grad_norm_(reader.parameters(), 0.5)
        write_down("clipped", named)
        optimizer.step()


def with_huge_and_tiny_gradients() -> None:
    """Sums of squares that overflow and vanish in float32."""
    wide = torch.full((1000,), 1.0, requires_grad=True)
    for scale in (1e25, 1e-25):
        wide.grad = None
        run_backward((wide * scale).sum(), {"wide": wide})


def with_half_precision() -> None:
    layer = nn.Linear(64, 3, dtype=torch.bfloat16)
    named = dict(layer.named_parameters())
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        run_backward(layer(torch.randn(5, 64, dtype=torch.bfloat16)).square().mean(), named)
        optimizer.step()


def with_sparse_gradients() -> None:
    bag = nn.EmbeddingBag(10, 3, mode="sum", sparse=True)
    optimizer = torch.optim.SGD(bag.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        run_backward(bag(torch.tensor([[1, 2, 2], [3, 1, 9]])).square().sum(), dict(bag.named_parameters()))
        optimizer.step()


def with_complex_gradients() -> None:
    signal = torch.randn(6, dtype=torch.complex64, requires_grad=True)
    run_backward(torch.fft.fft(signal).abs().square().sum(), {"signal": signal})


def with_retained_gradients() -> None:
    """Gradients of tensors that are no leaves: a local variable's, and one that only a list holds, over two backwards."""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        hidden = layer(torch.randn(5, 4)).tanh()
        hidden.retain_grad()
        kept = [hidden * 2]
        kept[0].retain_grad()
        run_backward(kept[0].square().mean(), {**dict(layer.named_parameters()), "hidden": hidden, "kept[0]": kept[0]})
        optimizer.step()


WAYS = {
    "clipping": with_clipping_and_accumulation,
    "range": with_huge_and_tiny_gradients,
    "half": with_half_precision,
    "sparse": with_sparse_gradients,
    "complex": with_complex_gradients,
    "retained": with_retained_gradients,
}

if __name__ == "__main__":
    torch.manual_seed(0)
    WAYS[sys.argv[2]]()
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(truth, file)
