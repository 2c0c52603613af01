"""The page that tells how public scripts fared."""

from typing import Any, Final

from tests.wild.public.scripts import Script

BEGIN: Final = """# Public scripts

Public training scripts of many kinds, each run as it is published but for the edits that are listed: once under plain Python and once under
`tensorscope record`. *Same* means byte for byte: exit code, stdout and stderr (but for addresses, dates and durations), all parameters of each
optimizer after each of its steps, and all parameters alive at exit; and that the recording opens, has backwards and iterations where the script
trains, dropped nothing, and no part of TensorScope gave up. A script that differs runs plainly once more, and what plain runs do not repeat does not count.

The scripts are no part of this repository. `python -m tests.wild.public REPOSITORIES` runs them again (`tests/wild/public/scripts.py` is the list).
Every script gets one line in front, which seeds the random number generators, gives the script's own files a clock that repeats itself and
digests the parameters (`tests/wild/public/preamble.py`). There was no network: random images stand in for torchvision's data sets, random
graphs for Planetoid and Cora, random words and characters for texts (`tests/wild/public/standins`, `data.py`).

"""
COLUMNS: Final = (
    "| kind | script | commit | iterations | backwards | operators | optimizers' steps | outcome |\n| --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n"
)
LIMITS: Final = """
## Where it is not the same

- `weakref.getweakrefcount` of a parameter or module counts one more, ours. Reference counts, `gc.get_referrers` and lifetimes are the same.
- Once `torch.compile` has compiled, `zero_grad`, gradient clipping and `GradScaler` are not marked any more, which the recording says; so are steps
  and backwards that are themselves compiled. From then on a profiler with stacks sees two short functions of ours in each optimizer step.
- Time passes: a script that prints durations prints others, and asyncio's debug mode may report a slow step.
"""


def page(results: dict[Script, dict[str, Any]]) -> str:
    """Markdown; ``results`` as ``__main__`` keeps them."""
    ran = [result for result in results.values() if "seconds" in result]
    same = sum(not result["differences"] for result in results.values())
    said = [f"{same} of {len(results)} scripts are the same"]
    if ran:
        said.append(f" (torch {ran[0]['torch_version']}, Python {ran[0]['python_version']}, Linux x86-64, CPU).")
    rows = "".join(row(script, result) for script, result in results.items())
    return BEGIN + "".join(said) + "\n\n" + COLUMNS + rows + times(ran) + LIMITS + edits(list(results))


def row(script: Script, result: dict[str, Any]) -> str:
    place = f"{script.repository.owner}/{script.repository.name}"
    link = f"[{place}](https://github.com/{place}) `{script.name or script.path}`"
    counts = [f"{result[name]:,}" if name in result else "" for name in ("iterations", "backwards", "operators")]
    outcome = "; ".join([*(result["differences"] or ["same"]), *([script.remark] if script.remark else [])])
    steps = result.get("digest", "").partition(" ")[0]
    return f"| {' | '.join([script.kind, link, script.repository.commit, *counts, steps, outcome])} |\n"


def times(ran: list[dict[str, Any]]) -> str:
    if not ran:
        return ""
    ratios = sorted(result["seconds"][1] / result["seconds"][0] for result in ran)
    middle, highest = ratios[len(ratios) // 2], ratios[-1]
    return (
        f"\nWall time of a recorded run over a plain one, start of the interpreter, of `record` and of the recording's last look included: median {middle:.2f},"
        f" highest {highest:.2f}. The machine was shared by other work, so this is no benchmark; `python -m benchmarks overhead` is one.\n"
    )


def edits(scripts: list[Script]) -> str:
    begin = "\n## How each is run\n\nEdits are regular expressions and what replaces their matches.\n\n"
    return begin + "".join(how(script) for script in scripts)


def how(script: Script) -> str:
    said = [f"`{script.path} {script.arguments}`".replace(" `", "`")]
    said += [f"  - `{pattern}` → `{instead}`" for pattern, instead in script.edits]
    said += [f"  - printed differently by plain runs: `{script.differs}`"] if script.differs else []
    return f"- {script.repository.name}: " + "\n".join(said) + "\n"
