"""`scrapy records`: lists the records of the state, and exports them into files of other programs.

Exit codes: 0; 1 if there is no such site, form or extractor; 2 for a wrong command, and if the file cannot be written; 3 if there is no state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse


class RecordsCommand(ScrapyCommand):
    """Lists and exports records."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "List the records that were found, or export them"

    def long_desc(self) -> str:
        return (
            "List the records of the state, also while a crawl runs, or export them: one row for each, with real columns. The ending of the file "
            "says the format: .csv, .xlsx, .jsonl, .json, .parquet, .sqlite or .db; .warc and .warc.gz have the pages themselves. "
            "The file is renamed into its place when it is whole."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="write this file; - is the standard output"
        )
        parser.add_argument(
            "--format",
            metavar="FORMAT",
            help="csv, xlsx, jsonl, json, parquet, sqlite or warc, whatever the file is called",
        )
        parser.add_argument(
            "--site", default="", metavar="SITE", help="only of this site, such as example.org"
        )
        parser.add_argument("--form", type=int, metavar="NUMBER", help="only what answers of this form show")
        parser.add_argument("--extractor", default="", metavar="NAME", help="only what this extractor found")
        parser.add_argument(
            "--since", metavar="WHEN", help="only what was found since: 2026-11-01, 12h, 7d or 2w"
        )
        parser.add_argument("--until", metavar="WHEN", help="only what was found before")
        parser.add_argument(
            "--changed-since", metavar="WHEN", help="only what was found or has changed since"
        )
        parser.add_argument("-n", "--limit", type=int, metavar="N", help="the first N; on a terminal 20")
        parser.add_argument("--columns", metavar="A,B,C", help="these columns, in this order")
        parser.add_argument(
            "--describe",
            action="store_true",
            help="show the columns: their types, and how many records fill them",
        )
        parser.add_argument(
            "--text", action="store_true", help="values as pages write them: no numbers, no dates"
        )
        parser.add_argument("--bom", action="store_true", help="CSV: begin with a byte order mark, for Excel")
        parser.add_argument(
            "--keep-formulas", action="store_true", help="CSV: put no apostrophe before = + - @, for programs"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.records import RecordsAction

        assert self.settings is not None
        self.exitcode = RecordsAction(self.settings).run(args, opts)
