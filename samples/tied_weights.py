"""One matrix, two names: the embedding and the output layer share their weight, and a careless load unties them.

    tensorscope samples/tied_weights.py

What to look at:

* *Storages*: `token.weight` and `head.weight` are one row until step 5, marked "tied"; afterwards two rows of the same size.
* *Graph*: two nodes feed the same AccumulateGrad while they are tied: the gradient of the matrix is the sum of both uses.
* *Gradients*: `head.weight` has a row of its own only after the load. *Problems* says that the tie was lost, and in which line.
"""

import torch
from torch import Tensor, nn

LETTERS, WIDTH, STEPS = 32, 16, 10


class TiedModel(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.token = nn.Embedding(LETTERS, WIDTH)
        self.head = nn.Linear(WIDTH, LETTERS, bias=False)
        self.head.weight = self.token.weight

    def forward(self, tokens: Tensor) -> Tensor:
        return self.head(self.token(tokens).cumsum(dim=1) / WIDTH)


def main() -> None:
    torch.manual_seed(0)
    model = TiedModel()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    tokens = torch.randint(LETTERS, (8, 12))
    for step in range(STEPS):
        if step == STEPS // 2:
            model.load_state_dict({name: value.clone() for name, value in model.state_dict().items()}, assign=True)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        count = sum(parameter.numel() for parameter in model.parameters())
        print(f"step {step}  loss {loss.item():.4f}  {count} weights, {'tied' if model.head.weight is model.token.weight else 'untied'}")


if __name__ == "__main__":
    main()
