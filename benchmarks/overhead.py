"""What watching costs: step times plain, under TensorScope, and under torch's own ways to look at a step, interleaved in one run.

The peers: a TorchDispatchMode that does nothing, one that keeps every operator's Python stack, ``detect_anomaly``, ``torch.profiler`` around each step
(shapes and memory), and ``DebugMode``.

One process a variant; they take turns, a round of steps each, so that what disturbs the machine disturbs all. Ratios are of medians, over plain: of the time
on the clock, and of the CPU time of the training thread, which holds also on a busy machine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

STEPPER = Path(__file__).resolve().parent / "stepper.py"
TENSORSCOPE = (sys.executable, "-c", "import sys; from tensorscope.cli.main import main; sys.exit(main())")
PEERS = ("dispatch_mode", "dispatch_mode_stacks", "detect_anomaly", "profiler", "debug_mode")
VARIANTS = ("plain", *PEERS, "tensorscope", "tensorscope_no_stacks")
STEPS_A_ROUND = {"tiny_gpt": 20, "gpt_12_blocks": 8, "resnet50": 1, "gpt_18m": 2}
WARM_UP_STEPS = 3
ROWS = {
    "tiny_gpt": "GPT of tiny tensors, 8 blocks of width 64, batch 2 × 16",
    "gpt_12_blocks": "GPT, 12 blocks of width 128, batch 4 × 32",
    "resnet50": "like ResNet-50",
    "gpt_18m": "GPT of 18 million parameters",
}
COLUMNS = {
    "tensorscope": "TensorScope",
    "tensorscope_no_stacks": "without stacks",
    "dispatch_mode": "empty `TorchDispatchMode`",
    "dispatch_mode_stacks": "with stacks",
    "detect_anomaly": "`detect_anomaly`",
    "profiler": "`torch.profiler` a step",
    "debug_mode": "`DebugMode`",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=7, help="rounds of steps a variant (default 7: under five minutes on a quiet machine)")
    parser.add_argument("--threads", type=int, default=1, help="OMP_NUM_THREADS of every variant (default 1: steadier where other work runs)")
    parser.add_argument("--workloads", nargs="+", choices=STEPS_A_ROUND, default=list(STEPS_A_ROUND))
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))


@dataclass
class Runner:
    """One process that runs steps when told."""

    process: subprocess.Popen[str]
    durations_ns: list[tuple[int, int]] = field(default_factory=list)  # on the clock, of CPU

    def run(self, steps: int) -> list[tuple[int, int]]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        durations: list[tuple[int, int]] = json.loads(self.process.stdout.readline())
        return durations

    def end(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        if self.process.wait(timeout=120):
            raise SystemExit(f"a variant ended with exit code {self.process.returncode}")


def start(workload: str, variant: str, folder: Path, threads: int) -> Runner:
    is_ours = variant.startswith("tensorscope")
    command = [*TENSORSCOPE, "record", "-o", str(folder / f"{variant}.tscope")] if is_ours else [sys.executable]
    command += ["--no-stacks"] if variant == "tensorscope_no_stacks" else []
    command += [str(STEPPER), workload, "plain" if is_ours else variant]
    variables = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    return Runner(subprocess.Popen(command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))


def measure_workload(workload: str, variants: list[str], rounds: int, threads: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        runners = {variant: start(workload, variant, Path(folder), threads) for variant in variants}
        for runner in runners.values():
            runner.run(WARM_UP_STEPS)
        for _ in range(rounds):
            for runner in runners.values():
                runner.durations_ns += runner.run(STEPS_A_ROUND[workload])
        for runner in runners.values():
            runner.end()
    clock, cpu = ({variant: median(pair[kind] for pair in runner.durations_ns) for variant, runner in runners.items()} for kind in (0, 1))
    return {
        "median_ms": {variant: round(value / 1e6, 3) for variant, value in clock.items()},
        "ratio": ratios(clock),
        "cpu_ratio": ratios(cpu),
        "steps": rounds * STEPS_A_ROUND[workload],
    }


def ratios(medians: dict[str, float]) -> dict[str, float]:
    """Each over plain; empty where plain was not measured."""
    return {variant: round(value / medians["plain"], 3) for variant, value in medians.items() if "plain" in medians}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Medians in ms and ratios over plain, by workload and variant."""
    machine = {
        "processor": processor(),
        "cpus": len(os.sched_getaffinity(0)),
        "threads": options.threads,
        "python": sys.version.split()[0],
        "torch": version("torch"),
        "load_at_begin": round(os.getloadavg()[0], 1),
    }
    return {"machine": machine, "workloads": {name: measure_workload(name, options.variants, options.rounds, options.threads) for name in options.workloads}}


def processor() -> str:
    """Its model as Linux tells it, "" elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model"))), "")


def table(result: dict[str, Any]) -> str:
    """The README's table in Markdown, and a line on the machine."""
    workloads, machine = result["workloads"], result["machine"]
    shown = [name for name in COLUMNS if any(name in measured["ratio"] for measured in workloads.values())]
    lines = ["| training step on CPU | plain | " + " | ".join(COLUMNS[name] for name in shown) + " |", "| --- " * (2 + len(shown)) + "|"]
    for name, measured in workloads.items():
        ratios_of = [f"{measured['ratio'][variant]:.2f}×" if variant in measured["ratio"] else "" for variant in shown]
        plain = measured["median_ms"].get("plain")
        lines.append(f"| {ROWS[name]} | {'' if plain is None else f'{plain:.3g} ms'} | " + " | ".join(ratios_of) + " |")
    facts = f"{machine['cpus']} cores of {machine['processor'] or 'an unknown processor'}, {machine['threads']} thread(s), Python {machine['python']}, "
    return "\n".join([*lines, "", facts + f"torch {machine['torch']}; load {machine['load_at_begin']} at the beginning."])
