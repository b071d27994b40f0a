"""`scrapy templates`: whether the templates of sources still stand, what changed, and what became of it.

Without arguments the templates of all sources, also while a crawl is writing the state. `alarms` explains what changed and where, with the bar-trees before and after, and says what to
do; `history` lists all that happened; `accept` takes over a pattern that was proposed, or the template as it is now; `plot` draws the bar-tree.
Exit codes: 0; 1 if there is no such source, nothing to accept or nothing to draw; 2 for a wrong command, or a file that cannot be written; 3 if there is no state, or none that can be
written now; 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from hiddenweb.commands._actions import ActionCommand, say_json, say_lines, write_file
from hiddenweb.commands.status import clean, has_blocks, say
from hiddenweb.extraction.maintenance import CannotAccept, ExtractorMaintenance
from hiddenweb.extraction.template_watch import LEAST_PAGES
from hiddenweb.language.words import shorten
from hiddenweb.reports.bartree_plot import bars_lines, bars_svg
from hiddenweb.reports.extraction import NoSuchThing, many, named
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

NO_SOURCE, NO_STATE = 1, 3
_TITLE = 100  # characters that fit above a drawing


class TemplatesCommand(ActionCommand, ScrapyCommand):
    """Shows the templates of sources, and takes a person's word for new ones."""

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
    failures: ClassVar = {StateError: NO_STATE, NoSuchThing: NO_SOURCE, CannotAccept: NO_SOURCE}

    def syntax(self) -> str:
        return "[list | alarms [--all] | history [NAME] | accept NAME | plot NAME [-o FILE]] [options]"

    def short_desc(self) -> str:
        return "Show whether the templates of sources still stand, and what changed"

    def long_desc(self) -> str:
        return (
            "Show the templates of sources, and how many of the last pages deviate from them. alarms explains what changed, and where: with the "
            "bar-trees before and after, the proof of a repair, and what to do. accept takes over a pattern that was proposed, or else the template as "
            "it is now. plot draws the bar-tree, to the terminal or as SVG. Examples: scrapy templates; scrapy templates alarms --all; scrapy templates "
            "history books --json; scrapy templates accept books; scrapy templates plot books -o books.svg"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--all", action="store_true", help="alarms: with those that are over")
        parser.add_argument("-o", "--output", metavar="FILE", help="plot: draw into this file, as SVG")
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object a line")

    def _list(self, folder: Path, _: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            sources = ExtractorStore(state)
            found = [(kept, next(iter(sources.events(kept.number, limit=1)), None)) for kept in sources.all()]
        if opts.json:
            say_json(template_facts(kept, last) for kept, last in found)
        else:
            say_lines(
                template_lines(found),
                "There is no source yet: scrapy regions add URL --attr NAME=TEXT makes one.",
            )

    def _alarms(self, folder: Path, _: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            sources = ExtractorStore(state)
            found = [
                told for kept in sources.all() for told in alarms_of(sources, kept, with_closed=opts.all)
            ]
        if opts.json:
            say_json(map(alarm_facts, found))
            return
        lines = (line for told in found for line in alarm_lines(told, blocks=has_blocks()))
        say_lines(lines, "No alarm was ever raised." if opts.all else "No alarm is open.")

    def _history(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            sources = ExtractorStore(state)
            number = named(sources, args[0]).number if args else None
            names = {kept.number: kept.name for kept in sources.all()}
            events = [(names[event.extractor], event) for event in sources.events(number)]
        if opts.json:
            say_json(event_facts(name, event) for name, event in events)
        else:
            say_lines(event_lines(events), "Nothing has happened yet.")

    def _accept(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            named(ExtractorStore(state), args[0])
        with Store(folder) as state:
            accepted = ExtractorMaintenance(ExtractorStore(state)).accept(args[0], time.time())
        if opts.json:
            say_json([{"source": args[0], "told": accepted.summary, "was_proposed": accepted.was_proposed,
                       "is_watched": accepted.is_watched, "pages": accepted.pages}])  # fmt: skip
            return
        later = "" if accepted.is_watched else f" It is watched when there are {LEAST_PAGES} pages."
        say_lines([f"{args[0]}: {accepted.summary}. {many(accepted.pages, 'page')} read again.{later}"])

    def _plot(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            sources = ExtractorStore(state)
            title, trees = bars_now(sources, named(sources, args[0]))
        if not trees:
            raise NoSuchThing(f"{args[0]}: its template is known when there are {LEAST_PAGES} pages")
        if opts.output is not None:
            write_file(Path(opts.output), bars_svg(clean(shorten(title, _TITLE)), trees), "--output")
            say(f"The bar-tree of {clean(args[0])} is in {clean(opts.output)}.")
            return
        first = trees[0][1]
        lines = [title]
        for name, tree in trees:
            lines += [f"{name}:", *bars_lines(tree, None if tree is first else first, blocks=has_blocks())]
        say_lines(lines)
