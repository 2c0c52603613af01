"""Stands in for torchvision where public scripts only want images of the right shape: random ones, always the same."""

from torchvision import datasets, transforms, utils

__version__ = "0.0"
__all__ = ["datasets", "transforms", "utils"]
