"""A small transformer learns to continue Shakespeare, letter by letter.

    tensorscope samples/small_gpt.py

What to look at:

* *Graph*: the four equal blocks are rolled up as one group "× 4"; open it, then one block, to see attention and the feed-forward part. The residual
  additions are the lines that run past both.
* *Gradients*: one row a parameter, in the order of depth. `position` gets less than `token`, whose rows are hit several times a batch.
* *Memory timeline*: every block leaves its activations (the attention weights are the largest) and the backward lets go of them block by block.
* *Events*: the time goes to `aten::addmm`; sort by duration.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

BLOCKS, WIDTH, HEADS, CONTEXT = 4, 64, 4, 48
BATCH_SIZE = 16
STEPS = 40


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first_norm = nn.LayerNorm(WIDTH)
        self.projections = nn.Linear(WIDTH, 3 * WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)
        self.second_norm = nn.LayerNorm(WIDTH)
        self.feed_forward = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def attention(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        queries, keys, values = (part.view(batch, length, HEADS, -1).transpose(1, 2) for part in self.projections(x).chunk(3, dim=-1))
        scores = queries @ keys.transpose(2, 3) / (WIDTH / HEADS) ** 0.5
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
        return self.output((weights @ values).transpose(1, 2).reshape(batch, length, WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.first_norm(x))
        return x + self.feed_forward(self.second_norm(x))


class SmallGPT(nn.Module):
    def __init__(self, letters: int) -> None:
        super().__init__()
        self.token = nn.Embedding(letters, WIDTH)
        self.position = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, letters)

    def forward(self, tokens: Tensor) -> Tensor:
        places = torch.arange(tokens.shape[1])
        return self.head(self.norm(self.blocks(self.token(tokens) + self.position(places))))


def main() -> None:
    torch.manual_seed(0)
    text = (Path(__file__).parent / "data" / "sonnets.txt").read_text()
    letters = sorted(set(text))
    tokens = torch.tensor([letters.index(letter) for letter in text])
    model = SmallGPT(len(letters))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(STEPS):
        starts = torch.randint(len(tokens) - CONTEXT - 1, (BATCH_SIZE,))
        pieces = torch.stack([tokens[start : start + CONTEXT + 1] for start in starts.tolist()])
        logits = model(pieces[:, :-1])
        loss = functional.cross_entropy(logits.flatten(0, 1), pieces[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 9:
            print(f"step {step}  loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
