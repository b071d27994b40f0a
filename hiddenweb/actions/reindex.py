"""Rebuilding the index from the store, or comparing the two."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from rich.console import Console
from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import INTERRUPTED, Action
from hiddenweb.actions.search import FOREIGN_INDEX, NO_INDEX, index_folder
from hiddenweb.index.location import writing
from hiddenweb.index.process import INDEX, OUTBOX, rebuild
from hiddenweb.index.protocol import (
    ForeignIndex,
    IndexDifferences,
    IndexInUse,
    IndexKind,
    IndexProblem,
    Outbox,
    differences,
    load_named,
    open_outbox,
)
from hiddenweb.reports.printable import quantity

if TYPE_CHECKING:
    import argparse


INDEX_IN_USE = 5  # exit code if another process writes the index
_MAX_KEYS_NAMED = 10  # documents that a message names; a limit of taste


class ReindexAction(Action):
    """Rebuilds the index from what is stored."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(
                f"scrapy reindex takes no arguments, but was given {' '.join(args)!r}", print_help=False
            )
        state = Path(self.settings.get("HIDDENWEB_STATE", "data"))
        kind: IndexKind = load_named(INDEX)
        try:
            with closing(_open_outbox_of(state, self.settings.get("HIDDENWEB_OUTBOX", OUTBOX))) as outbox:
                self.exit_code = check(state, outbox, kind) if opts.check else reindex(state, outbox, kind)
        except KeyboardInterrupt:
            print("Stopped. The old index is as it was.", file=sys.stderr)
            self.exit_code = INTERRUPTED
        except IndexProblem as problem:
            print(problem, file=sys.stderr)
            self.exit_code = _exit_code_of(problem)


def _exit_code_of(problem: IndexProblem) -> int:
    if isinstance(problem, IndexInUse):
        return INDEX_IN_USE
    return FOREIGN_INDEX if isinstance(problem, ForeignIndex) else NO_INDEX


def reindex(state: Path, outbox: Outbox, kind: IndexKind) -> int:
    """Build a new index and replace the old one; return the exit code."""
    console = Console(highlight=False)
    started = perf_counter()
    with writing(state, "scrapy reindex"), console.status("Reading the store ...") as status:

        def progress(count: int) -> None:
            status.update(
                f"{quantity(count, 'document')} indexed, {count / (perf_counter() - started):,.0f} a second ..."
            )

        count, bad = rebuild(state, outbox, kind, progress)
    for key in bad[:_MAX_KEYS_NAMED]:
        print(f"{key} cannot be indexed", file=sys.stderr)
    left_out = f" {len(bad):,} could not be indexed." if bad else ""
    console.print(f"{quantity(count, 'document')} indexed in {perf_counter() - started:.1f} s.{left_out}")
    return 0


def check(state: Path, outbox: Outbox, kind: IndexKind) -> int:
    """Print how index and store differ; return the exit code."""
    with closing(kind(index_folder(state))) as index:
        found = differences(index, outbox.documents())
    if not found:
        print(f"Index and store are equal: {quantity(found.compared, 'document')}.")
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
            print(*(f"    {key}" for key in keys[:_MAX_KEYS_NAMED]), sep="\n")
            if len(keys) > _MAX_KEYS_NAMED:
                print(f"    ... and {len(keys) - _MAX_KEYS_NAMED:,} more")


def _open_outbox_of(state: Path, name: str) -> Outbox:
    if not state.is_dir():
        raise IndexProblem(
            f"There is no state folder {state}. A crawl makes one (scrapy crawl explore -a sites=...); "
            "HIDDENWEB_STATE says where it is."
        )
    return open_outbox(state, name)
