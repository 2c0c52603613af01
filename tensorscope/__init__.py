"""TensorScope: a visual debugger for PyTorch training."""

__version__ = "0.1.0"


def attach(name: str | None = None, *, window: bool = True) -> None:
    """Watch this process from here on, such as a notebook's kernel: opens the window, or serves a job where there is no display.

    ``name`` is the job's; with ``window`` False it is served in any case (then: ``tensorscope attach NAME``). What runs already is found and listed.
    Raises RuntimeError with a sentence where this process cannot be watched.
    """
    import tensorscope.agent.joining as joining

    joining.attach(name, window=window)


def detach() -> None:
    """Take everything off this process. What the window has stays there; ``attach()`` attaches again."""
    import tensorscope.agent.joining as joining

    joining.detach()
