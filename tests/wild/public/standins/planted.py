"""Stands in for torch_geometric's Planetoid, which it would download: one random graph of four classes."""

from typing import Any

import torch
from torch_geometric.data import Data


class Planetoid(list[Any]):
    num_features, num_classes = 16, 4

    def __init__(self, *arguments: Any, transform: Any = None, **options: Any) -> None:
        generator = torch.Generator().manual_seed(7)
        edges = torch.randint(0, 200, (2, 800), generator=generator)
        graph = Data(x=torch.rand(200, 16, generator=generator), edge_index=torch.cat([edges, edges.flip(0)], 1), y=torch.arange(200) % 4)
        for number, name in enumerate(("train_mask", "val_mask", "test_mask")):
            graph[name] = torch.arange(200) // 4 % 3 == number
        super().__init__([graph if transform is None else transform(graph)])
