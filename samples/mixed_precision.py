"""Half precision with a GradScaler: gradients are scaled up before the backward, down before the step, and a step that overflowed is skipped.

    tensorscope samples/mixed_precision.py

What to look at:

* *Gradients*: three values an iteration and parameter: raw (scaled), unscaled and clipped. The lane of the loss scale halves where a step was skipped,
  and the iteration carries the mark "step skipped".
* *Graph*: `ToCopyBackward0` stands wherever autocast converts; its inputs are float32, its output is float16.
* *Problems* stays empty: an infinite scaled gradient that the scaler caught is no error.
"""

import torch
from torch import nn

STEPS = 12


def main() -> None:
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device, init_scale=2.0**17, growth_interval=5)
    inputs = torch.randn(128, 16, device=device)
    target = inputs.sum(dim=1, keepdim=True)
    for step in range(STEPS):
        optimizer.zero_grad()
        with torch.autocast(device, torch.float16):
            loss = nn.functional.mse_loss(model(inputs).float(), target)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        print(f"step {step:2}  loss {loss.item():8.4f}  scale {before:8.0f}{'  skipped' if scaler.get_scale() < before else ''}")


if __name__ == "__main__":
    main()
