"""Printing what is in the state, and drawing it."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import NO_STATE, Action
from hiddenweb.actions.terminal import has_blocks, say, say_error, say_lines, write_file
from hiddenweb.index import location
from hiddenweb.reports.hidden_pages import find_hidden_pages, hidden_svg
from hiddenweb.reports.plots import harvest_svg
from hiddenweb.reports.printable import LONGEST_TEXT, json_text
from hiddenweb.reports.status_text import status_lines
from hiddenweb.reports.summary import summary
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError

if TYPE_CHECKING:
    import argparse

    from hiddenweb.reports.summary import Summary


class StatusAction(Action):
    """Shows what is in the state."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(
                f"scrapy status takes no arguments, but was given {' '.join(args)!r}", print_help=False
            )
        if opts.sites < 0:
            raise UsageError(f"--sites must be 0 or more, not {opts.sites}", print_help=False)

        folder, now = Path(self.settings["HIDDENWEB_STATE"]), time.time()
        try:
            with Store(folder, write=False) as state:
                found = summary(state, now, sites=opts.sites)
                drawing = _draw(state, found, opts.plot_kind) if opts.plot is not None else ""
        except StateError as error:
            say_error("status", error)
            self.exit_code = NO_STATE
            return
        if opts.plot is not None:
            write_file(Path(opts.plot), drawing, "--plot")
        facts = {
            "folder": str(folder),
            "bytes": bytes_in(folder),
            "unindexed": max(0, found.last_document - location.last_indexed(folder)),
            "index": location.status(folder),
        }
        if opts.json:
            say(json_text({**asdict(found), **facts}))
        else:
            program = self.settings["HIDDENWEB_PROGRAM"]
            say_lines(
                status_lines(found, facts, now, blocks=has_blocks(), program=program), longest=LONGEST_TEXT
            )


def bytes_in(folder: Path) -> int:
    """Return the size of all files of a state; files that disappear meanwhile do not count."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def _draw(state: Store, found: Summary, kind: str) -> str:
    return hidden_svg(find_hidden_pages(state)) if kind == "hidden" else harvest_svg(found.harvest)
