"""The probe in Python, for where no C++ compiler is: the same records and definitions in the same area, of what Python can see.

It offers what ``probe/_probe.pyi`` describes. It sees operators on the thread that imported torch (a ``TorchDispatchMode``, below autograd), module calls,
backwards that begin in ``torch.autograd``, and the gradients they leave. It does not see allocations, other threads' operators, or nodes that run no
operator, and cannot hold a backward. It steps aside for good when the script first calls ``torch.compile``.
"""
