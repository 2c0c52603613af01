"""An allocation that no machine can give."""

import torch

kept = torch.zeros(1_000_000)
huge = kept.expand(1 << 30, 1_000_000).contiguous()  # FINDS out-of-memory
