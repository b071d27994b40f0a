"""`python -m benchmarks NAME [--quick]`, or `all` for every benchmark, each in its own process, and one table."""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import pkgutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import benchmarks
from benchmarks import Options, Skipped
from benchmarks.data import ROOT, data_folder
from benchmarks.report import PARTS, RESULTS, save, table, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_BENCHMARKS = {"__main__", "data", "report"}
NOT_IN_ALL = {"real"}
"""Benchmarks that take hours, and what few machines have."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one benchmark went when all were run."""

    name: str
    seconds: float
    failed: bool
    figures: dict[str, object] = field(default_factory=dict)


def main() -> int:
    """Run what the command line asks for; 0 when all of it went well."""
    arguments, further = parser().parse_known_args()
    if further and not takes_more(arguments.name):
        parser().error(f"unrecognized arguments: {' '.join(further)}")
    if arguments.name == "all":
        return run_all(quick=arguments.quick, seed=arguments.seed)
    return run_one(arguments.name, Options(arguments.quick, arguments.seed, data_folder(), tuple(further)))


def parser() -> argparse.ArgumentParser:
    """The command line, with every benchmark and its description in the help."""
    lines = [f"  {name:<12} {description(name)}" for name in names()] or ["  none yet"]
    result = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure hiddenweb. The last line printed is a JSON object with the figures.",
        epilog="benchmarks:\n" + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument("name", metavar="NAME", choices=["all", *names()], help="a benchmark, or 'all'")
    result.add_argument("--quick", action="store_true", help="a smaller run that ends within 50 seconds")
    result.add_argument("--seed", type=int, default=7, help="the seed of all chance (default: %(default)s)")
    return result


def names() -> list[str]:
    """Every benchmark: the modules of this package that are not its machinery."""
    modules = (module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.ispkg)
    return sorted(name for name in modules if name not in NOT_BENCHMARKS and not name.startswith("_"))


def description(name: str) -> str:
    """The first line of a benchmark's docstring."""
    source = (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def takes_more(name: str) -> bool:
    """Say whether a benchmark has options of its own."""
    return name != "all" and hasattr(importlib.import_module(f"benchmarks.{name}"), "parser")


def run_one(name: str, options: Options) -> int:
    """Run a benchmark in this process, save its figures and print them as the last line; save nothing if it cannot run."""
    module = importlib.import_module(f"benchmarks.{name}")
    try:
        figures = dict(module.run(options))
    except Skipped as why:
        print(f"{name} is skipped: {why}", file=sys.stderr)
        print(to_json({"skipped": str(why)}), flush=True)
        return 0
    made_by = " ".join([command(name, options.quick, options.seed), *drop_folder(options.further)])
    into = module.result_name(options) if hasattr(module, "result_name") else name
    is_full = module.is_full(options) if hasattr(module, "is_full") else True
    save(into, made_by, options, figures, is_full=is_full)
    print(to_json(figures), flush=True)
    return 0


def drop_folder(further: Sequence[str]) -> list[str]:
    """Leave out the folder in which files are kept: it changes no figure, and is of this machine.

    >>> drop_folder(["--keep", "/somewhere", "--minutes", "3", "--keep=/elsewhere"])
    ['--minutes', '3']
    """
    return [
        each
        for before, each in zip(("", *further), further, strict=False)
        if before != "--keep" and not each.startswith("--keep")
    ]


def run_all(*, quick: bool, seed: int) -> int:
    """Run every benchmark, print and save one table; 1 when any of them failed."""
    if not names():
        print("There is no benchmark yet.")
        return 0
    outcomes = [run_apart(name, quick=quick, seed=seed) for name in names() if name not in NOT_IN_ALL]
    summary = table(
        ("benchmark", "seconds", "figure", "value"), [row for each in outcomes for row in rows(each)]
    )
    folder = RESULTS / PARTS if quick else RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    made_by = command("all", quick, seed)
    (folder / "summary.md").write_text(f"Made by `{made_by}`.\n\n{summary}\n", encoding="utf-8")
    print(f"\n{summary}")
    return int(any(each.failed for each in outcomes))


def run_apart(name: str, *, quick: bool, seed: int) -> Outcome:
    """Run a benchmark in a process of its own, passing on what it prints."""
    print(f"\n== {name}: {description(name)}", flush=True)
    started = time.monotonic()
    line = ""
    arguments = [sys.executable, *command(name, quick, seed).split()[1:]]
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
    figures = figures_in(line)
    failed = process.returncode != 0 or figures is None
    if failed:
        print(f"{name} failed: exit code {process.returncode}, last line {line.strip()!r}", file=sys.stderr)
    return Outcome(name, time.monotonic() - started, failed, {} if failed else figures or {})


def figures_in(line: str) -> dict[str, object] | None:
    """The JSON object that a line holds, if it holds one."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def rows(outcome: Outcome) -> list[tuple[object, ...]]:
    """The lines of the summary for one benchmark: one per figure."""
    seconds = round(outcome.seconds, 1)
    if outcome.failed:
        return [(outcome.name, seconds, "FAILED", "")]
    return [(outcome.name, seconds, figure, value) for figure, value in outcome.figures.items()]


def command(name: str, quick: bool, seed: int) -> str:
    """What to type to get the same figures again."""
    return f"python -m benchmarks {name}{' --quick' if quick else ''} --seed {seed}"


if __name__ == "__main__":
    sys.exit(main())
