"""Listing, explaining, accepting and drawing the templates of extractors."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from hiddenweb.actions.dispatch import NO_STATE, CommandActions
from hiddenweb.actions.terminal import has_blocks, say, say_json, say_lines, write_file
from hiddenweb.extraction.maintenance import CannotAccept, ExtractorMaintenance
from hiddenweb.extraction.template_watch import LEAST_PAGES
from hiddenweb.language.shortening import shorten
from hiddenweb.reports.bartree_plot import bars_lines, bars_svg
from hiddenweb.reports.extraction import NoSuchThing, load_extractor
from hiddenweb.reports.printable import clean_text, quantity
from hiddenweb.reports.templates import (
    alarm_facts,
    alarm_lines,
    alarms_of,
    bars_now,
    event_facts,
    event_lines,
    template_facts,
    template_lines,
)
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

NO_EXTRACTOR = 1  # exit code for an unknown extractor
_MAX_TITLE = 100  # characters that fit above a drawing; a limit of taste


class TemplateActions(CommandActions):
    """Shows the templates of extractors, and accepts new ones."""

    name = "templates"
    options: ClassVar = {
        "list": {"json"},
        "alarms": {"all", "json"},
        "history": {"json"},
        "accept": {"json"},
        "plot": {"output"},
    }
    arguments: ClassVar = {
        "list": (0, 0), "alarms": (0, 0), "history": (0, 1), "accept": (1, 1), "plot": (1, 1),
    }  # fmt: skip
    failures: ClassVar = {StateError: NO_STATE, NoSuchThing: NO_EXTRACTOR, CannotAccept: NO_EXTRACTOR}

    def _list(self, folder: Path, _: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            extractors = ExtractorStore(state)
            found = [
                (stored, next(iter(extractors.events(stored.number, limit=1)), None))
                for stored in extractors.all()
            ]
        if opts.json:
            say_json(template_facts(stored, last) for stored, last in found)
        else:
            say_lines(
                template_lines(found),
                "There is no extractor yet: scrapy extract add URL --attr NAME=TEXT makes one.",
            )

    def _alarms(self, folder: Path, _: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            extractors = ExtractorStore(state)
            found = [
                alarm
                for stored in extractors.all()
                for alarm in alarms_of(extractors, stored, with_closed=opts.all)
            ]
        if opts.json:
            say_json(map(alarm_facts, found))
            return
        lines = (line for alarm in found for line in alarm_lines(alarm, blocks=has_blocks()))
        say_lines(lines, "No alarm was ever raised." if opts.all else "No alarm is open.")

    def _history(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            extractors = ExtractorStore(state)
            number = load_extractor(extractors, args[0]).number if args else None
            names = {stored.number: stored.name for stored in extractors.all()}
            events = [(names[event.extractor], event) for event in extractors.events(number)]
        if opts.json:
            say_json(event_facts(name, event) for name, event in events)
        else:
            say_lines(event_lines(events), "Nothing has happened yet.")

    def _accept(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            load_extractor(ExtractorStore(state), args[0])
        with Store(folder) as state:
            accepted = ExtractorMaintenance(ExtractorStore(state)).accept(args[0], time.time())
        if opts.json:
            say_json([{"extractor": args[0], "summary": accepted.summary, "was_proposed": accepted.was_proposed,
                       "is_watched": accepted.is_watched, "pages": accepted.pages}])  # fmt: skip
            return
        later = "" if accepted.is_watched else f" It is watched when there are {LEAST_PAGES} pages."
        say_lines([f"{args[0]}: {accepted.summary}. {quantity(accepted.pages, 'page')} read again.{later}"])

    def _plot(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            extractors = ExtractorStore(state)
            title, trees = bars_now(extractors, load_extractor(extractors, args[0]))
        if not trees:
            raise NoSuchThing(f"{args[0]}: its template is known when there are {LEAST_PAGES} pages")
        if opts.output is not None:
            write_file(Path(opts.output), bars_svg(clean_text(shorten(title, _MAX_TITLE)), trees), "--output")
            say(f"The bar-tree of {clean_text(args[0])} is in {clean_text(opts.output)}.")
            return
        first = trees[0][1]
        lines = [title]
        for name, tree in trees:
            lines += [f"{name}:", *bars_lines(tree, None if tree is first else first, blocks=has_blocks())]
        say_lines(lines)
