"""`scrapy explain URL`: why a site or a link was visited, waits, or was left, also while a crawl is running.

For a site (its homepage, its bare name, any address of it): where it stands, what it scores and why, who links to it, what its
pages gave, what the classifier says of it, its forms. For a link that was met: its state, where it stands, what it scores, and what
keeps it from being visited. With --json the same for programs. Exit codes: 0; 1 if it is unknown; 2 for a wrong command;
3 if there is no state, or none that can be read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hiddenweb.actions.terminal import say, say_error, say_lines
from hiddenweb.reports.printable import LONGEST_TEXT, clean_text, json_text

if TYPE_CHECKING:
    import argparse

UNKNOWN, NO_STATE = 1, 3


class ExplainCommand(ScrapyCommand):
    """Explains what became of a site or a link."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  Scrapy declares it so

    def syntax(self) -> str:
        return "[options] URL"

    def short_desc(self) -> str:
        return "Explain why a site or a link was visited, waits or was left"

    def long_desc(self) -> str:
        return (
            "Explain what became of a site, named by its homepage, its bare name or any address of it, or of a link that was met:"
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
        if len(args) != 1:
            raise UsageError("scrapy explain takes one address or name of a site", print_help=False)
        import time
        from dataclasses import asdict

        from hiddenweb.focused.topic import BadTopic
        from hiddenweb.focused.topic_crawl import plan_of
        from hiddenweb.reports.explain import at_one_moment
        from hiddenweb.reports.explanation import BadAddress, UnknownAddress, explain_address
        from hiddenweb.reports.explanation_text import explanation_lines
        from hiddenweb.store.database import Store
        from hiddenweb.store.errors import StateError

        assert self.settings is not None
        try:
            plan = plan_of(self.settings)
        except ValueError as error:
            raise UsageError(
                f"a setting of the two stages cannot be used: {error}", print_help=False
            ) from None
        now = time.time()
        try:
            with Store(Path(self.settings["HIDDENWEB_STATE"]), write=False) as state:
                at_one_moment(state)
                found = explain_address(state, args[0], opts.topic, plan, now)
        except StateError as error:
            self._fail(NO_STATE, error)
        except UnknownAddress as error:
            self._fail(UNKNOWN, error)
        except (BadTopic, BadAddress) as error:
            raise UsageError(clean_text(str(error)), print_help=False) from None
        else:
            if opts.json:
                say(json_text(asdict(found)))
            else:
                say_lines(explanation_lines(found, now), longest=LONGEST_TEXT)

    def _fail(self, code: int, error: Exception) -> None:
        say_error("explain", error)
        self.exitcode = code
