"""`scrapy extract`: extractors for the pages of a site, made from an example, and what they extracted.

Without arguments it lists the extractors of the state, also while a crawl is writing it. `add` takes texts that a person copied from a page, learns from the stored pages of the
site where they stand, shows what it would extract from other pages, and saves the extractor. `test` shows what an extractor finds now, `show` what it has extracted; `export` and
`import` carry examples from state to state, `remove` deletes an extractor.
Exit codes: 0; 1 if there is no such extractor or page, a text is nowhere on the page, or nothing can be learnt from it; 2 for a wrong command, or a file that cannot be
used; 3 if there is no state, or none that can be written now; 4 if the page is not available; 130 stopped with Ctrl-C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class ExtractCommand(ScrapyCommand):
    """Shows, adds, exports and imports extractors."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[list | add URL | test NAME [URL ...] | show NAME | export [NAME ...] | import FILE | remove NAME] [options]"

    def short_desc(self) -> str:
        return "Extract named attributes from pages, by values you copied from one"

    def long_desc(self) -> str:
        return (
            "Show a page and copy what you want from it: add URL --attr title=TEXT --attr author=TEXT. From then on every page of that kind "
            "gives a record with these attributes. Nothing is saved before you have seen what is extracted from ten other pages. test says what is extracted "
            "now, show what was extracted; export and import carry extractors to another state.  Examples: scrapy extract add http://books.example/item/5 --attr "
            "'title=The River' --attr price=12.50 --name books; scrapy extract test books http://books.example/item/6; scrapy extract show books --limit 10; "
            "scrapy extract export books -o books.toml; scrapy extract import books.toml"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--roi", metavar="TEXT", help="add: the text of the region of interest (the whole page)"
        )
        parser.add_argument(
            "--attr",
            action="append",
            metavar="NAME=TEXT",
            help="add: an attribute, and its text on the page; again for others, and for further values",
        )
        parser.add_argument("--name", metavar="NAME", help="add: what the extractor is called (its site)")
        kind = parser.add_mutually_exclusive_group()
        kind.add_argument(
            "--list", dest="kind", action="store_const", const="list", help="add: the page lists many records"
        )
        kind.add_argument(
            "--page",
            dest="kind",
            action="store_const",
            const="page",
            help="add: the page is about one record",
        )
        parser.add_argument("--file", metavar="PAGE", help="add: the page, saved as a file")
        parser.add_argument(
            "--yes", action="store_true", help="add: save it; import: replace extractors of the same name"
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="export: write to this file")
        parser.add_argument(
            "-n", "--limit", type=int, default=None, help="show: so many records at most (50)"
        )
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object a line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.extract import ExtractActions

        assert self.settings is not None
        self.exitcode = ExtractActions(self.settings).run(args, opts)
