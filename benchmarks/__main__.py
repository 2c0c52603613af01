"""``python -m benchmarks NAME [options]`` runs one measurement and prints JSON; without a name it lists them.

A measurement with a table for the README prints that on stderr.
"""

import argparse
import importlib
import json
import sys
from types import ModuleType

NAMES = ("gradients_panel", "graph", "memory_panel", "overhead", "soak", "ticks", "window")


def module_of(name: str) -> ModuleType:
    return importlib.import_module(f"benchmarks.{name}")


def summary_of(module: ModuleType) -> str:
    return (module.__doc__ or "").partition("\n")[0]


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        for name in NAMES:
            print(f"{name:14} {summary_of(module_of(name))}")
        return 0 if len(sys.argv) < 2 else 2
    module = module_of(sys.argv[1])
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {sys.argv[1]}", description=summary_of(module))
    module.add_options(parser)
    result = module.measure(parser.parse_args(sys.argv[2:]))
    print(json.dumps(result, indent=2), flush=True)
    if hasattr(module, "table"):
        print(module.table(result), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
