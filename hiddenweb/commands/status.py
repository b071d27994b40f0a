"""`scrapy status`: what is in the state, also while a crawl is writing it.

The last crawls and how they ended, the sites and what they gave, how much of each database behind a form is known, why sites were left, hosts that are paused, the most
frequent reasons why links were not read, how far the index is, and how many forms the pages gave in the course of time, which
--plot draws, or, with --plot-kind hidden, the hidden pages that were found. With --json the same for programs. Exit codes: 0; 2 for a wrong command, or a plot that cannot be written; 3 if there is no
state, or none that can be read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hiddenweb.actions.terminal import has_blocks, say, say_error, say_lines, write_file
from hiddenweb.reports.printable import LONGEST_TEXT, json_text

if TYPE_CHECKING:
    import argparse

    from hiddenweb.reports.summary import Summary
    from hiddenweb.store.database import Store

NO_STATE = 3
KINDS = ("harvest", "hidden")
"""Of plots."""


class StatusCommand(ScrapyCommand):
    """Shows what is in the state."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  Scrapy declares it so

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Show what is in the state: crawls, sites, links, pauses, index"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object")
        parser.add_argument("--plot", metavar="FILE", help="draw the harvest of forms into this file, as SVG")
        parser.add_argument(
            "--plot-kind", choices=KINDS, default=KINDS[0],
            help="what --plot draws: the harvest of forms, or the hidden pages by recall, by other pages and by depth",
        )  # fmt: skip
        parser.add_argument("--sites", type=int, default=20, metavar="N", help="name so many sites (20)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(
                f"scrapy status takes no arguments, but was given {' '.join(args)!r}", print_help=False
            )
        if opts.sites < 0:
            raise UsageError(f"--sites must be 0 or more, not {opts.sites}", print_help=False)
        import time
        from dataclasses import asdict

        from hiddenweb.index import location
        from hiddenweb.reports.status_text import status_lines
        from hiddenweb.reports.summary import summary
        from hiddenweb.store.database import Store
        from hiddenweb.store.errors import StateError

        assert self.settings is not None
        folder, now = Path(self.settings["HIDDENWEB_STATE"]), time.time()
        try:
            with Store(folder, write=False) as state:
                found = summary(state, now, sites=opts.sites)
                drawn = _draw(state, found, opts.plot_kind) if opts.plot is not None else ""
        except StateError as error:
            say_error("status", error)
            self.exitcode = NO_STATE
            return
        if opts.plot is not None:
            write_file(Path(opts.plot), drawn, "--plot")
        facts = {
            "folder": str(folder),
            "bytes": bytes_in(folder),
            "unindexed": max(0, found.last_document - location.acknowledged(folder)),
            "index": location.status(folder),
        }
        if opts.json:
            say(json_text({**asdict(found), **facts}))
        else:
            say_lines(status_lines(found, facts, now, blocks=has_blocks()), longest=LONGEST_TEXT)


def bytes_in(folder: Path) -> int:
    """Return the size of all files of a state; files that go while we look do not count."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def _draw(state: Store, found: Summary, kind: str) -> str:
    from hiddenweb.reports.hidden_pages import hidden_pages
    from hiddenweb.reports.hidden_pages_plot import hidden_svg
    from hiddenweb.reports.plots import harvest_svg

    return hidden_svg(hidden_pages(state)) if kind == "hidden" else harvest_svg(found.harvest)
