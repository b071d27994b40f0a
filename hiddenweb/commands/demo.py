"""`scrapy demo`: a small hidden web on this machine, crawled, queried, indexed and searched before your eyes.

It starts simweb and runs the usual commands for the crawl and the searches, in processes of their own. The results are
judged by the truth about simweb and not by the crawl itself: every stored page and answer is generated again in a second
world of the same seed, which knows the records on it. Whatever happens, the processes are ended and the folder is removed.

Exit codes:

    0    all was shown; with --keep also after Ctrl-C
    1    simweb, the crawl or a search failed, or a package of the extra `demo` is missing
    2    the command is wrong, or the folder of --state cannot be used
    130  interrupted by Ctrl-C or a signal
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse

FAILED = 1
"""The exit code of a demo that cannot run."""


class DemoCommand(ScrapyCommand):
    """Shows what hiddenweb does, on a small hidden web on this machine."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Start a small hidden web, crawl it, and show what was found behind its forms"

    def long_desc(self) -> str:
        return (
            "Start a small hidden web on this machine, crawl it, submit its search forms, search what was found, and show what links"
            " alone do not reach. -s NAME=VALUE is passed on to the crawl. Exit codes: 0 all was shown, 1 something"
            " failed, 2 wrong command, 130 interrupted."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--seed", type=int, default=7, help="the random seed of the small web (7)")
        parser.add_argument("--sites", type=int, default=40, help="how many sites it has (40)")
        parser.add_argument(
            "--keep", action="store_true", help="let it run until Ctrl-C, and keep its state as long"
        )
        parser.add_argument(
            "--state", type=Path, metavar="FOLDER", help="keep the state there: a new or empty folder"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        try:
            from hiddenweb.actions.demo import DemoAction
        except ModuleNotFoundError as error:
            package = str(error.name).partition(".")[0]
            if package == "hiddenweb":
                raise
            print(
                f"scrapy demo: it needs {package}, which is not installed: pip install 'hiddenweb[demo]'",
                file=sys.stderr,
            )
            self.exitcode = FAILED
            return
        self.exitcode = DemoAction(self.settings).run(args, opts)
