"""`scrapy search`: searches what a crawl has stored.

Exit codes: 0 something was found, 1 nothing was found, 2 the query or an option is wrong, 3 there is no state, or no index that this
version reads, 4 the index was not made here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class SearchCommand(ScrapyCommand):
    """Prints the documents that match some words, the best first."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[options] WORDS..."

    def short_desc(self) -> str:
        return "Search what was crawled"

    def long_desc(self) -> str:
        return (
            'Search what was crawled. All words are wanted; OR between words, -word and NOT word, "words in quotes", '
            "begin*, site:host, language:de and kind:record work as expected; author:smith searches one attribute of "
            "records. Where -word looks like an option, put -- before the words: scrapy search -- casting -silver"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--site", default="", metavar="HOST", help="only this host and those below it")
        parser.add_argument(
            "--since", metavar="WHEN", help="only what was fetched since: 2024-05-01, 12h, 7d or 2w"
        )
        parser.add_argument(
            "--language", default="", metavar="xx", help="only documents in this language: en, de ..."
        )
        parser.add_argument("--behind-forms", action="store_true", help="only what no link leads to")
        parser.add_argument(
            "--limit", type=int, default=10, metavar="N", help="how many hits a page has (10)"
        )
        parser.add_argument("--page", type=int, default=1, metavar="N", help="which page of hits (1)")
        parser.add_argument(
            "--json", action="store_true", help="one JSON object per line and hit, nothing else"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.search import SearchAction

        assert self.settings is not None
        self.exitcode = SearchAction(self.settings).run(args, opts)
