"""`scrapy changes`: what changed since pages were read, which words, and what counts as noise.

Without arguments it lists the latest changes of the state, also while a crawl is writing it; numbers name single changes, which are shown in full. --noise marks a
change as noise: its differences are not reported again on its site, and earlier changes that this would have hidden are shown. --versions lists the stored versions of a
page, --compare shows the differences between any two versions, --answers what became of each revisited answer, and what was not revisited.
Exit codes: 0; 1 if there is no such change, site, page or version; 2 for a wrong command; 3 if there is no state, or none that can be written now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class ChangesCommand(ScrapyCommand):
    """Lists changes, and marks changes as noise."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[options] [NUMBER ...]"

    def short_desc(self) -> str:
        return "Show what changed since pages were read"

    def long_desc(self) -> str:
        return (
            "Show what `scrapy crawl revisit` found to have changed, the latest first: which words, which records, which pages are gone or back. "
            "Numbers name single changes, which are shown in full. --noise calls a change noise, such as a counter: it is not reported "
            "again, and earlier changes that this would have hidden are shown. --versions lists the versions of a page that are kept, --compare shows "
            "the words that differ between any two of them."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from hiddenweb.actions.changes import DEFAULT_LIMIT, change_number
        from hiddenweb.revisit.change import KINDS

        super().add_options(parser)
        parser.add_argument("--site", default="", help="only of this site, such as example.org")
        parser.add_argument("--kind", default="", help=f"only of this kind: {', '.join(KINDS)}")
        parser.add_argument("--since", default="", help="only since then: 2026-11-01, or 90m, 12h, 7d ago")
        parser.add_argument(
            "-n", "--most", type=int, default=DEFAULT_LIMIT, help=f"so many at most ({DEFAULT_LIMIT})"
        )
        parser.add_argument("--all", action="store_true", help="with those that were called noise")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        action = parser.add_mutually_exclusive_group()
        action.add_argument("--versions", metavar="URL", help="list the versions that are kept of a page")
        action.add_argument(
            "--compare",
            nargs=2,
            metavar=("A", "B"),
            type=change_number,
            help="show what differs between two versions",
        )
        action.add_argument(
            "--answers",
            action="store_true",
            help="show which answers were revisited, and which of their pages were not",
        )
        action.add_argument("--noise", metavar="NUMBER", type=change_number, help="call this change noise")
        action.add_argument("--masks", action="store_true", help="show what counts as noise, and why")
        action.add_argument("--unmask", metavar="ID", help="take back what a person called noise")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.changes import ChangesAction

        assert self.settings is not None
        self.exitcode = ChangesAction(self.settings).run(args, opts)
