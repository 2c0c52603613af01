"""A small convolutional network learns real handwritten digits: the sample for the main job.

    tensorscope samples/digits_cnn.py

What to look at:

* *Graph*: `features` and `classifier` are folded; expand `features` and see that dropout's mask is what its backward node saves.
  The badges are the parameters; choosing one selects its row in *Gradients*.
* *Memory timeline*: activations grow through the forward pass and melt away during the backward pass; optimizer state (two bands of
  Adam's moments) appears at the first step and stays. The batches come from worker processes: they are inputs, in shared memory, so they
  stand beside the allocated bytes, not in them.
* *Gradients*: every `clip_grad_norm_` that bites shows as two values, raw and clipped. The learning rate falls after each epoch.
* *Events*: one iteration is forward, backward, optimizer; press F6 and then F10 to walk through `backward()` node by node.

Takes seconds on a CPU, and uses CUDA where there is one. The last line is a checksum of the trained parameters: the same with and without TensorScope.
"""

import gzip
import hashlib
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 2
BATCH_SIZE = 64
TRAINING_IMAGES = 1536
LARGEST_NORM = 1.0


def load_digits() -> tuple[Tensor, Tensor]:
    """Images [1797, 1, 8, 8] from 0 to 1 and labels [1797]."""
    packed = gzip.decompress((Path(__file__).parent / "data" / "digits.gz").read_bytes())
    records = torch.frombuffer(bytearray(packed), dtype=torch.uint8).view(-1, 65)
    return records[:, 1:].reshape(-1, 1, 8, 8) / 16, records[:, 0].long()


class DigitsCNN(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Dropout(0.25),
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(32 * 4 * 4, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, images: Tensor) -> Tensor:
        return self.classifier(self.features(images))


def train_epoch(model: nn.Module, batches: DataLoader, optimizer: torch.optim.Optimizer, device: str) -> float:
    """The mean loss over the epoch."""
    model.train()
    total = 0.0
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), LARGEST_NORM)
        optimizer.step()
        total += loss.item()
    return total / len(batches)


@torch.no_grad()
def accuracy(model: nn.Module, images: Tensor, labels: Tensor, device: str) -> float:
    model.eval()
    return (model(images.to(device)).argmax(dim=1).cpu() == labels).float().mean().item()


def checksum(model: nn.Module) -> str:
    content = b"".join(bytes(parameter.detach().cpu().flatten().view(torch.uint8).tolist()) for parameter in model.parameters())
    return hashlib.sha256(content).hexdigest()[:16]


def main() -> None:
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    images, labels = load_digits()
    training = TensorDataset(images[:TRAINING_IMAGES], labels[:TRAINING_IMAGES])
    batches = DataLoader(training, BATCH_SIZE, shuffle=True, num_workers=2)

    model = DigitsCNN().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    for epoch in range(EPOCHS):
        loss = train_epoch(model, batches, optimizer, device)
        scheduler.step()
        correct = accuracy(model, images[TRAINING_IMAGES:], labels[TRAINING_IMAGES:], device)
        print(f"epoch {epoch}  loss {loss:.4f}  test accuracy {correct:.1%}  next learning rate {scheduler.get_last_lr()[0]:.2e}")
    print(f"parameters {checksum(model)}")


if __name__ == "__main__":
    main()
