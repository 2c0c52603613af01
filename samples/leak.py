"""Memory grows with every step: `total += loss` keeps the graphs of all steps, and `history` keeps the predictions.

    tensorscope samples/leak.py

What to look at:

* *Memory timeline*: the foot of the curve rises from iteration to iteration; the lines of what stays are the line with `model(batch)`.
* *Storages*: `history[0]`, `history[1]`, … are activations of iterations long past; *holders* says that the list `history` holds them.
* *Problems*: "`total` keeps a graph of each iteration alive", with the line.
* The cure is `total += loss.item()` and `history.append(prediction.detach())`, or no history at all.
"""

import torch
from torch import nn

STEPS = 12


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 64))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    total = torch.zeros(())
    history = []
    for _ in range(STEPS):
        batch = torch.randn(512, 256)
        prediction = model(batch)
        loss = prediction.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss
        history.append(prediction)
    print(f"mean loss {total.item() / STEPS:.4f}")


if __name__ == "__main__":
    main()
