"""`scrapy forms`: the known forms, their verdicts, the values they would get, and why.

Without arguments it shows all forms of the state, also while a crawl is writing it; numbers name single forms. With --allow, --never and
--forget the user overrules the verdict on a form by hand, or undoes that. --ledger shows every query that
was submitted to them, and its outcome. --url or --file judge the forms of any page, fetched as robots.txt allows or read from a
file; nothing is submitted and nothing is stored.
Exit codes: 0; 1 if there are no such forms; 2 for a wrong command; 3 if there is no state, or none that can be read; 4 if the
page cannot be fetched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.config import command_settings

if TYPE_CHECKING:
    import argparse


class FormsCommand(ScrapyCommand):
    """Shows forms, verdicts, plans and values."""

    requires_crawler_process = False
    default_settings: ClassVar = command_settings()

    def syntax(self) -> str:
        return "[options] [NUMBER ...]"

    def short_desc(self) -> str:
        return "Show forms: what they are, what they would get, and why"

    def long_desc(self) -> str:
        return (
            "Show the forms that crawls have found: what kind each is and how sure that is, its controls with what they are called and "
            "what they would be given, and how far it has been queried. Numbers name single forms. --ledger shows every query that was "
            "submitted instead, and what came of it. --url and --file judge the forms of any page, without submitting or keeping anything."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from hiddenweb.actions.forms import NOWHERE, OVERRULINGS

        super().add_options(parser)
        parser.add_argument("--url", metavar="URL", help="judge the forms of this page; robots.txt is obeyed")
        parser.add_argument(
            "--file", metavar="PAGE", help="judge the forms of a saved page; - reads it from the input"
        )
        parser.add_argument("--at", metavar="URL", help=f"the address of the page in --file ({NOWHERE})")
        parser.add_argument(
            "--ledger", action="store_true", help="show every query that was submitted, and what came of it"
        )
        for hand, what in OVERRULINGS.items():
            parser.add_argument(
                f"--{hand}", type=int, action="append", default=[], metavar="NUMBER", help=what
            )
        parser.add_argument("--site", default="", metavar="DOMAIN", help="only forms of this site")
        parser.add_argument(
            "--kind", default="", metavar="KIND", help="only forms of a kind: search, login, newsletter ..."
        )
        parser.add_argument(
            "--topic", default="", metavar="WORDS", help="say how well each form fits these words"
        )
        parser.add_argument("--why", action="store_true", help="explain every verdict and every value")
        parser.add_argument("--values", action="store_true", help="show the labelled values instead of forms")
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object per line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.forms import FormsAction

        assert self.settings is not None
        self.exitcode = FormsAction(self.settings).run(args, opts)
