"""`scrapy topics`: the topics, and export and import of what was learnt about them.

Without options it lists the built-in topics and those of the state. --export writes everything that was learnt about a topic as a JSON document,
--import reads such a document into the state: existing terms stay. Exit codes: 0; 2 for a wrong command, or a file that
cannot be used; 3 if the state cannot be used: there is none to export from, a crawl is writing it, or it is not ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class TopicsCommand(ScrapyCommand):
    """Lists topics, and exports and imports what was learnt about them."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[options] | --export NAME [FILE] | --import FILE"

    def short_desc(self) -> str:
        return "List topics; export and import what was learnt about them"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--export",
            metavar="NAME",
            help="write everything learnt about a topic to a file, or to the output",
        )
        parser.add_argument("--import", dest="taken", metavar="FILE", help="import what was learnt elsewhere")
        parser.add_argument("--topic", metavar="NAME", help="with --import: as this topic")
        parser.add_argument(
            "--seeds", metavar="FILE", help="with --import: write the sites it names to a file, to begin with"
        )
        parser.add_argument("--json", action="store_true", help="list for programs: one JSON object")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.topics import TopicsAction

        assert self.settings is not None
        self.exitcode = TopicsAction(self.settings).run(args, opts)
