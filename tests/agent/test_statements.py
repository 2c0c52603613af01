"""Statements that drop what they should have kept, seen in the bytecode of this Python."""

from tensorscope.agent.statements import dropped

SOURCE = """
x.detach()
y = x.detach()
x.detach().sum()
optimizer.step
optimizer.step()
x.to("cuda")
x.to(torch.float64)
x.to(device=there)
x.to(there, non_blocking=True)
take(x.detach())
self.x.cuda()
for a in b:
    a.detach()
[a.detach() for a in b]
model.eval
x.items
"""


def test_a_statement_that_drops_a_tensor_or_does_not_call_is_found_and_no_other() -> None:
    found = list(dropped(compile(SOURCE, "train.py", "exec")))
    assert found == [
        (2, "detach", True),
        (5, "step", False),
        (7, "to", True),
        (8, "to", True),
        (9, "to", True),
        (10, "to", True),
        (12, "cuda", True),
        (14, "detach", True),
        (16, "eval", False),
    ]
