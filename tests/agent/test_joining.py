"""``tensorscope.attach()`` in processes that are in the middle of their work: same numbers, all that exists is listed, and everything comes off again."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensorscope.cli.query_ranks import ranks_view
from tensorscope.protocol.records import AllocationAction
from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.session.jobs import find_job
from tensorscope.session.replay import ReplaySession
from tensorscope.trace.schema import ALLOCATIONS
from tensorscope.trace.snapshot import Snapshot
from tests.support.fake_run import wait_until
from tests.support.serving import runtime

__all__ = ["runtime"]

pytestmark = pytest.mark.usefixtures("runtime")

SCRIPT = """
import gc, json, os, sys, time
import torch

is_watched = sys.argv[1] == "watched"
torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
big = torch.zeros(1000, 1000)
view = big[10:20]
leaf = torch.randn(50, 50, requires_grad=True)
pending = torch.nn.functional.cross_entropy(leaf, torch.arange(50))  # its graph keeps a logarithm of softmax and a weight that Python never saw


def steps(count):
    for _ in range(count):
        optimizer.zero_grad()
        loss = model(torch.randn(4, 8)).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())


def walk():
    tensors = [thing for thing in gc.get_objects() if issubclass(type(thing), torch.Tensor)]
    return {tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors}


steps(5)
gc.collect()
before = walk()
if is_watched:
    import tensorscope

    tensorscope.attach("first", window=False)
    tensorscope.attach()  # says that it is
steps(5)
del big, view
steps(2)
pending.backward()
if is_watched:
    tensorscope.detach()
steps(3)
if is_watched:
    tensorscope.detach()  # says that nothing watches
    gc.collect()
    between = walk()
    tensorscope.attach("second", window=False)
steps(4)
print(hash(tuple(parameter.sum().item() for parameter in model.parameters())))
if is_watched:
    print(json.dumps([list(before.values()), list(between.values())]), file=sys.stderr)
"""


def run(folder: Path, text: str, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    script = folder / "train.py"
    script.write_text(text)
    return subprocess.run([sys.executable, "-X", "dev", str(script), *words], capture_output=True, text=True, check=False, cwd=folder, **more)


def recorded(name: str) -> Snapshot:
    wait_until(lambda: not find_job(name).is_served)
    with RecordingReader(Path(find_job(name).recording)) as reader:
        return read_trace(reader).snapshot()


def test_a_process_attached_in_the_middle_goes_on_as_without_and_all_it_has_is_listed(tmp_path: Path) -> None:
    plain, watched = run(tmp_path, SCRIPT, "plain"), run(tmp_path, SCRIPT, "watched")
    assert (plain.returncode, plain.stderr) == (0, "")
    assert watched.stdout == plain.stdout
    *said, walked = [line for line in watched.stderr.splitlines() if "building the probe" not in line]
    assert said == [
        "TensorScope: serving job first. To look at it: tensorscope attach first",
        "TensorScope: This process is watched already.",
        "TensorScope: Nothing watches this process.",
        "TensorScope: serving job second. To look at it: tensorscope attach second",
    ]

    first = recorded("first")
    assert len(first.iterations) == 7
    names = {parameter["fqn"] for parameter in first.parameters.values()}
    assert {"0.weight", "0.bias", "2.weight", "2.bias"} <= names
    assert [module["class"] for module in first.modules.values()] == ["Sequential", "Linear", "ReLU", "Linear"]
    assert [optimizer["class"] for optimizer in first.optimizers.values()] == ["Adam"]
    table = first.table(ALLOCATIONS)
    is_before = table.column("action") == AllocationAction.BEFORE
    before, between = json.loads(walked)
    assert sorted(table.column("size")[is_before].tolist()) == sorted([*before, 50 * 50 * 4, 4])
    address_of_big = table.column("address")[is_before & (table.column("size") == 4_000_000)]
    ends = table.column("action") == AllocationAction.BEFORE_FREED
    (end_of_big,) = table.column("time_ns")[ends & (table.column("address") == address_of_big)]
    assert first.iterations[4]["time_ns"] < end_of_big <= first.iterations[6]["time_ns"]

    second = recorded("second")
    assert len(second.iterations) == 4
    table = second.table(ALLOCATIONS)
    sizes = table.column("size")[table.column("action") == AllocationAction.BEFORE]
    assert sorted(sizes.tolist()) == sorted(between)
    assert 4_000_000 not in between
    assert all(not storage["is_external"] for message in second.storages for storage in message["storages"])


def test_where_tensorscope_has_launched_the_process_attach_says_that_it_watches(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import sys\nprint([name for name in sys.modules if name.startswith('tensorscope')])\nimport tensorscope\ntensorscope.attach()\n"
    )
    words = ["record", "-o", str(tmp_path / "run.tscope"), str(tmp_path / "train.py")]
    done = subprocess.run([sys.executable, "-m", "tensorscope", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "TensorScope: This process is watched already.\n")


def test_a_host_that_cannot_do_it_is_one_sentence(tmp_path: Path) -> None:
    text = "import tensorscope\ntry:\n    tensorscope.attach('no name', window=False)\nexcept RuntimeError as error:\n    print(error)\n"
    done = run(tmp_path, text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("--name needs letters")


PARENT = """
import os, subprocess, sys
import torch
import torch.multiprocessing as mp


def train(seed):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randn(2, 4)).pow(2).mean().backward()
        optimizer.step()
    os.write(1, f"{seed} {model.weight.sum().item()!r}\\n".encode())


if __name__ == "__main__":
    if "child" in sys.argv:
        train(7)
        sys.exit()
    if "watched" in sys.argv:
        import tensorscope

        tensorscope.attach("parent", window=False)
    for number, method in enumerate(("fork", "spawn"), 1):
        process = mp.get_context(method).Process(target=train, args=(number,))
        process.start()
        process.join()
    if "watched" in sys.argv:
        tensorscope.detach()
    subprocess.run([sys.executable, __file__, "child"])  # nobody watches any more
"""


def test_processes_that_an_attached_one_starts_are_ranks_until_it_detaches(tmp_path: Path) -> None:
    plain, watched = run(tmp_path, PARENT), run(tmp_path, PARENT, "watched")
    assert (plain.returncode, plain.stderr, watched.returncode) == (0, "", 0), watched.stderr
    assert watched.stdout == plain.stdout
    assert len(plain.stdout.splitlines()) == 3
    wait_until(lambda: not find_job("parent").is_served)
    session = ReplaySession(Path(find_job("parent").recording))
    session.close()
    assert [(row["backwards"], row["iterations"], row["exit_code"]) for row in ranks_view(session)] == [(3, 3, 0), (3, 3, 0)]
