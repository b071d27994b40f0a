"""`scrapy status`: what is in the state, also while a crawl is writing it.

The last crawls and how they ended, the sites and their results, the coverage of the database behind each form, why sites were left, paused hosts, the most
frequent reasons why links were not read, the progress of the index, and the harvest of forms over time. --plot draws the harvest
or, with --plot-kind hidden, the hidden pages that were found. With --json the same for programs. Exit codes: 0; 2 for a wrong command, or a plot that cannot be written; 3 if there is no
state, or none that can be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class StatusCommand(ScrapyCommand):
    """Shows what is in the state."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Show what is in the state: crawls, sites, links, pauses, index"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object")
        parser.add_argument("--plot", metavar="FILE", help="draw the harvest of forms into this file, as SVG")
        parser.add_argument(
            "--plot-kind", choices=("harvest", "hidden"), default="harvest",
            help="what --plot draws: the harvest of forms, or the hidden pages by recall, by other pages and by depth",
        )  # fmt: skip
        parser.add_argument("--sites", type=int, default=20, metavar="N", help="name so many sites (20)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.status import StatusAction

        assert self.settings is not None
        self.exitcode = StatusAction(self.settings).run(args, opts)
