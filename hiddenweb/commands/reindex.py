"""`scrapy reindex`: makes the index anew from the store, or compares the two.

The new index is built beside the old one and takes its place in one step when it is complete; searches find the old one until
then, and so they do when this is killed. Exit codes: 0 done, or equal; 1 different (--check); 2 wrong arguments; 3 there is no
state, or nothing to compare; 4 the index was not made here (--check); 5 another process is writing the index;
130 stopped with Ctrl-C.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from rich.console import Console
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hiddenweb.commands.search import index_folder
from hiddenweb.index.location import (
    ForeignIndex,
    IndexDifferences,
    IndexInUse,
    IndexKind,
    IndexProblem,
    Outbox,
    differences,
    named,
    open_outbox,
    writing,
)
from hiddenweb.index.process import INDEX, OUTBOX, rebuild

if TYPE_CHECKING:
    import argparse

_SHOWN = 10


class ReindexCommand(ScrapyCommand):
    """Makes the index anew from what is stored."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  Scrapy declares it so

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Make the search index anew from the store"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--check", action="store_true", help="only compare index and store: 0 equal, 1 different"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(
                f"scrapy reindex takes no arguments, but was given {' '.join(args)!r}", print_help=False
            )
        assert self.settings is not None
        state = Path(self.settings.get("HIDDENWEB_STATE", "data"))
        kind: IndexKind = named(INDEX)
        try:
            with closing(_opened(state, self.settings.get("HIDDENWEB_OUTBOX", OUTBOX))) as outbox:
                self.exitcode = check(state, outbox, kind) if opts.check else reindex(state, outbox, kind)
        except KeyboardInterrupt:
            print("Stopped. The old index is as it was.", file=sys.stderr)
            self.exitcode = 130
        except IndexProblem as problem:
            print(problem, file=sys.stderr)
            self.exitcode = (
                5 if isinstance(problem, IndexInUse) else 4 if isinstance(problem, ForeignIndex) else 3
            )


def reindex(state: Path, outbox: Outbox, kind: IndexKind) -> int:
    """Build a new index and let it take the place of the old one; return the exit code."""
    console = Console(highlight=False)
    started = perf_counter()
    with writing(state, "scrapy reindex"), console.status("Reading the store ...") as shown:

        def progress(count: int) -> None:
            shown.update(
                f"{count:,} documents indexed, {count / (perf_counter() - started):,.0f} a second ..."
            )

        count, bad = rebuild(state, outbox, kind, progress)
    for key in bad[:_SHOWN]:
        print(f"{key} cannot be indexed", file=sys.stderr)
    left_out = f" {len(bad):,} could not be indexed." if bad else ""
    console.print(f"{count:,} documents indexed in {perf_counter() - started:.1f} s.{left_out}")
    return 0


def check(state: Path, outbox: Outbox, kind: IndexKind) -> int:
    """Say how index and store differ; return the exit code."""
    with closing(kind(index_folder(state))) as index:
        found = differences(index, outbox.documents())
    if not found:
        print(f"Index and store are equal: {found.compared:,} documents.")
        return 0
    _describe(found)
    print("scrapy reindex makes them equal; what a running crawl has just stored is indexed by itself.")
    return 1


def _describe(found: IndexDifferences) -> None:
    for what, keys in (
        ("stored, but not in the index", found.missing),
        ("in the index, but not stored", found.surplus),
        ("different in index and store", found.changed),
        ("more than once in the index", found.repeated),
    ):
        if keys:
            print(f"{len(keys):,} {what}:")
            print(*(f"    {key}" for key in keys[:_SHOWN]), sep="\n")
            if len(keys) > _SHOWN:
                print(f"    ... and {len(keys) - _SHOWN:,} more")


def _opened(state: Path, name: str) -> Outbox:
    if not state.is_dir():
        raise IndexProblem(
            f"There is no state folder {state}. A crawl makes one (scrapy crawl explore -a sites=...); "
            "HIDDENWEB_STATE says where it is."
        )
    return open_outbox(state, name)
