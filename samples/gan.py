"""Two networks, two optimizers: a generator learns to put points on a circle, a critic to tell them from true ones.

    tensorscope samples/gan.py

What to look at:

* *Events*: a turn of the loop has two iterations, since each player steps after a backward of its own.
* *Gradients*: in the generator's iterations the critic's rows have values too. Its backward passes through the critic; `zero_grad` throws that away.
* *Graph*: the critic's backward stops at `fake.detach()`: no node of the generator is in it. The generator's backward goes through both.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

TURNS = 30
BATCH_SIZE = 64
NOISE = 4


def points_on_circle(count: int) -> Tensor:
    angles = torch.rand(count) * 2 * math.pi
    return torch.stack([angles.cos(), angles.sin()], dim=1)


def network(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, outputs))


def main() -> None:
    torch.manual_seed(0)
    generator, critic = network(NOISE, 2), network(2, 1)
    generator_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.999))
    critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.999))
    real_label, fake_label = torch.ones(BATCH_SIZE, 1), torch.zeros(BATCH_SIZE, 1)
    for turn in range(TURNS):
        fake = generator(torch.randn(BATCH_SIZE, NOISE))

        critic_optimizer.zero_grad()
        on_real = functional.binary_cross_entropy_with_logits(critic(points_on_circle(BATCH_SIZE)), real_label)
        on_fake = functional.binary_cross_entropy_with_logits(critic(fake.detach()), fake_label)
        (on_real + on_fake).backward()
        critic_optimizer.step()

        generator_optimizer.zero_grad()
        fooled = functional.binary_cross_entropy_with_logits(critic(fake), real_label)
        fooled.backward()
        generator_optimizer.step()
        if turn % 10 == 9:
            radius = fake.detach().norm(dim=1).mean().item()
            print(f"turn {turn}  critic {(on_real + on_fake).item():.4f}  generator {fooled.item():.4f}  mean radius {radius:.3f}")


if __name__ == "__main__":
    main()
