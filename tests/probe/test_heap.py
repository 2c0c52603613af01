"""The walk over the heap finds what the garbage collector lists, in every generation."""

from tests.probe.running import record

CODE = """
import gc
def differences(base):
    listed = {id(item) for item in gc.get_objects() if base in type.__dict__["__mro__"].__get__(type(item))}
    walked = [id(item) for item in probe.live_instances(base)]
    return [len(set(walked)) - len(walked), len(listed - set(walked)), len(set(walked) - listed)]
class Special(torch.Tensor): pass
old = [torch.ones(2) for _ in range(500)] + [torch.ones(2).as_subclass(Special), nn.Linear(2, 2)]
gc.collect()
young = [torch.ones(2) for _ in range(100)]
found = [differences(base) for base in (torch.Tensor, Special, nn.Module, type(print), type)]
counts = [len(probe.live_instances(Special)), len(probe.live_instances(nn.Module))]
gc.freeze()
frozen = len(probe.live_instances(torch.Tensor))
gc.unfreeze()
answer([found, counts, frozen])
"""


def test_a_walk_finds_each_tracked_object_once_frozen_ones_too() -> None:
    (found, counts, frozen), _ = record(CODE)
    assert found == [[0, 0, 0]] * 5
    assert counts == [1, 1]
    assert frozen >= 601
