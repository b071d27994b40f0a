"""`scrapy reindex`: rebuilds the index from the store, or compares the two.

The new index is built next to the old one and replaces it in one step when it is complete; until then, and after a
kill, searches use the old one. Exit codes: 0 done, or equal; 1 different (--check); 2 wrong arguments; 3 there is no
state, or nothing to compare; 4 the index was not made here (--check); 5 another process is writing the index;
130 stopped with Ctrl-C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class ReindexCommand(ScrapyCommand):
    """Rebuilds the index from what is stored."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Rebuild the search index from the store"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--check", action="store_true", help="only compare index and store: 0 equal, 1 different"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.reindex import ReindexAction

        assert self.settings is not None
        self.exitcode = ReindexAction(self.settings).run(args, opts)
