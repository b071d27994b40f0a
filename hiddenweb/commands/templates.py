"""`scrapy templates`: whether the templates of extractors have changed, and what became of it.

Without arguments it lists the templates of all extractors, also while a crawl is writing the state. `alarms` explains what changed and where, with the bar-trees before and after, and
what to do; `history` lists all events; `accept` accepts a proposed pattern, or the template as it is now; `plot` draws the bar-tree.
Exit codes: 0; 1 if there is no such extractor, nothing to accept or nothing to draw; 2 for a wrong command, or a file that cannot be written; 3 if there is no state, or none that can be
written now; 130 stopped with Ctrl-C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class TemplatesCommand(ScrapyCommand):
    """Shows the templates of extractors, and accepts new ones."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[list | alarms [--all] | history [NAME] | accept NAME | plot NAME [-o FILE]] [options]"

    def short_desc(self) -> str:
        return "Show whether the templates of extractors have changed, and in what"

    def long_desc(self) -> str:
        return (
            "Show the templates of extractors, and how many of the last pages deviate from them. alarms explains what changed, and where: with the "
            "bar-trees before and after, the proof of a repair, and what to do. accept takes over a pattern that was proposed, or else the template as "
            "it is now. plot draws the bar-tree, to the terminal or as SVG. Examples: scrapy templates; scrapy templates alarms --all; scrapy templates "
            "history books --json; scrapy templates accept books; scrapy templates plot books -o books.svg"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--all", action="store_true", help="alarms: with those that are over")
        parser.add_argument("-o", "--output", metavar="FILE", help="plot: draw into this file, as SVG")
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object a line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.templates import TemplateActions

        assert self.settings is not None
        self.exitcode = TemplateActions(self.settings).run(args, opts)
