"""Mistakes that raise nothing, each beside its right form. A comment marks each line that is to be named; no other may be."""

import io

import torch
from torch import nn

torch.manual_seed(0)


def hooks() -> None:
    kept: list[torch.Tensor] = []
    layer, head = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*layer.parameters(), *head.parameters()], 0.1)
    right = head.register_forward_hook(lambda module, inputs, output: None)
    for _ in range(5):
        optimizer.zero_grad()
        layer.register_forward_hook(lambda module, inputs, output: kept.clear())  # FINDS repeated-hooks
        handle = layer.register_forward_pre_hook(lambda module, inputs: None)
        head(layer(torch.randn(2, 4))).sum().backward()
        optimizer.step()
        handle.remove()
    right.remove()


def files() -> None:
    data = torch.zeros(400_000)
    torch.save(data[:10], io.BytesIO())  # FINDS saved-views
    torch.save(data[:10].clone(), io.BytesIO())
    torch.save({"all": data, "views": [data[:100_000], data[100_000:]]}, io.BytesIO())


def statements() -> None:
    layer = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    for _ in range(3):
        optimizer.zero_grad()
        target = layer(torch.ones(2, 3))
        target.detach()  # FINDS dropped-result
        target = target.detach()
        double = torch.ones(2, 3, dtype=torch.float64)
        double.to(torch.float32)  # FINDS dropped-result
        layer.to(torch.float32)
        (layer(double.float()) - target).square().mean().backward()
        optimizer.step()
    layer.eval  # noqa: B018  # FINDS forgotten-call
    layer.eval()


def given_loss() -> None:
    layer = nn.Linear(3, 1)
    for _ in range(2):
        loss = layer(torch.ones(1, 3)).sum()
        loss.backward()
        loss = layer(torch.ones(1, 3)).sum() * 0.5
        loss.backward(loss)  # FINDS loss-as-gradient
        output = layer(torch.ones(2, 3))
        output.backward(torch.ones_like(output))
        layer.zero_grad()


def softmaxes() -> None:
    scores = nn.Linear(4, 3)
    classes = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))  # FINDS double-softmax
    attention = nn.Sequential(nn.Linear(4, 3), nn.LogSoftmax(dim=1))
    x, y, half = torch.randn(6, 4), torch.tensor([0, 1, 2, 0, 1, 2]), torch.rand(6, 3)
    for _ in range(2):
        loss = nn.functional.cross_entropy(classes(x), y)
        loss = loss + nn.functional.cross_entropy(scores(x), y) + nn.functional.nll_loss(attention(x), y)
        loss = loss + nn.functional.nll_loss(scores(x).softmax(1), y)  # FINDS nll-of-probabilities
        loss = loss + nn.functional.binary_cross_entropy_with_logits(torch.sigmoid(scores(x)), half)  # FINDS double-sigmoid
        loss = loss + nn.functional.binary_cross_entropy(scores(x).sigmoid(), half)
        loss.backward()
        for layer in (scores, classes, attention):
            layer.zero_grad()


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.out = nn.Embedding(5, 4), nn.Linear(4, 5, bias=False)
        self.out.weight = self.table.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.table(x))


def loads() -> None:
    state = {name: value.clone() for name, value in Tied().state_dict().items()}
    kept, lost = Tied(), Tied()
    kept.load_state_dict(state)
    lost.load_state_dict(state, assign=True)  # FINDS lost-tie
    for model in (kept, lost):
        model(torch.tensor([0, 1])).sum().backward()


def frozen_rows() -> None:
    free, decayed = nn.Embedding(6, 3), nn.Embedding(6, 3)
    mask = torch.ones(6, 1)
    mask[:3] = 0
    free.weight.register_hook(lambda gradient: gradient * mask)
    decayed.weight.register_hook(lambda gradient: gradient * mask)  # FINDS zeroed-gradients
    plain, decaying = torch.optim.SGD(free.parameters(), 0.1), torch.optim.AdamW(decayed.parameters(), 0.1, weight_decay=0.1)
    for _ in range(3):
        plain.zero_grad()
        decaying.zero_grad()
        (free(torch.arange(6)) + decayed(torch.arange(6))).square().sum().backward()
        plain.step()
        decaying.step()


for story in (hooks, files, statements, given_loss, softmaxes, loads, frozen_rows):
    story()
