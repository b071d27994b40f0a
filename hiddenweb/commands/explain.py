"""`scrapy explain URL`: why a site or a link was visited, waits, or was left, also while a crawl is running.

For a site (its homepage, its bare name, any address of it): its state, its scores and their reasons, who links to it, the results of its
pages, the verdict of the classifier, its forms. For a link that was found: its state, its position, its scores, and what
keeps it from being visited. With --json the same for programs. Exit codes: 0; 1 if it is unknown; 2 for a wrong command;
3 if there is no state, or none that can be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class ExplainCommand(ScrapyCommand):
    """Explains what became of a site or a link."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[options] URL"

    def short_desc(self) -> str:
        return "Explain why a site or a link was visited, waits or was left"

    def long_desc(self) -> str:
        return (
            "Explain what became of a site, named by its homepage, its bare name or any address of it, or of a link that was found:"
            " where it stands, what it scores and what adds to that, who links to it, and what keeps it from being visited."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--topic",
            default="",
            metavar="NAME",
            help="only what crawls on this topic know; a topic file too",
        )
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.explain import ExplainAction

        assert self.settings is not None
        self.exitcode = ExplainAction(self.settings).run(args, opts)
