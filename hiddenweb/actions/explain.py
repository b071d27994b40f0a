"""Showing what became of a site or a link."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import NO_STATE, Action
from hiddenweb.actions.terminal import say, say_error, say_lines
from hiddenweb.focused.topic import BadTopic
from hiddenweb.focused.topic_crawl import read_limits
from hiddenweb.reports.explanation import BadAddress, UnknownAddress, explain_address
from hiddenweb.reports.explanation_text import explanation_lines
from hiddenweb.reports.known_sites import begin_snapshot
from hiddenweb.reports.printable import LONGEST_TEXT, clean_text, json_text
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError

if TYPE_CHECKING:
    import argparse


UNKNOWN = 1  # exit code for an unknown address


class ExplainAction(Action):
    """Explains what became of a site or a link."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("scrapy explain takes one address or name of a site", print_help=False)

        try:
            plan = read_limits(self.settings)
        except ValueError as error:
            raise UsageError(
                f"a setting of the two stages cannot be used: {error}", print_help=False
            ) from None
        now = time.time()
        try:
            with Store(Path(self.settings["HIDDENWEB_STATE"]), write=False) as state:
                begin_snapshot(state)
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
        self.exit_code = code
