"""Listing, learning, testing, exporting and importing extractors, which are made from examples."""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import NO_STATE, CommandActions
from hiddenweb.actions.learned_example import (
    LearnedExample,
    deviation_of,
    facts_of_example,
    learn_example,
    lines_of_example,
    lines_of_saving,
    load_layouts,
    require_extractor,
    save_example,
)
from hiddenweb.actions.one_page import one_page
from hiddenweb.actions.terminal import say, say_json, say_lines, write_file
from hiddenweb.extraction.example_file import BadExampleFile, examples_to_toml, read_example_file
from hiddenweb.extraction.examples import Example, find_example
from hiddenweb.extraction.extractor import CannotLearn, learn_extractor
from hiddenweb.extraction.extractor_store import PERSON
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.fetch.errors import Disallowed, FetchError
from hiddenweb.html.document import read_layout
from hiddenweb.reports.extraction import (
    NoSuchThing,
    extractor_facts,
    extractor_lines,
    facts_of_extraction,
    facts_of_test,
    lines_of_extraction,
    lines_of_test,
    load_extractor,
)
from hiddenweb.reports.printable import clean_text, quantity
from hiddenweb.store.database import Store
from hiddenweb.store.errors import NoState, StateError
from hiddenweb.store.extractors import ExtractorStore
from hiddenweb.urls import normalise_url, registered_domain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from hiddenweb.html.layout import PageLayout

NO_EXTRACTOR, NO_PAGE = 1, 4
"""Exit codes for an extractor that does not exist or cannot be learnt, and for a page that cannot be read."""

DEFAULT_LIMIT = 50
"""Records that are printed by default. A limit of taste."""

LONGEST_NAME = 100
"""Characters of a name. A limit of taste."""
MAX_LIMIT = 10**9
"""More than any state holds."""

_NO_NAME = f"cannot be a name; wanted up to {LONGEST_NAME} characters that can be printed"


class ExtractActions(CommandActions):
    """Shows, adds, exports and imports extractors."""

    name = "extract"
    options: ClassVar = {
        "list": {"json"},
        "add": {"roi", "attr", "name", "kind", "file", "yes", "json"},
        "test": {"json"},
        "show": {"limit", "json"},
        "export": {"output"},
        "import": {"yes", "json"},
        "remove": set(),
    }
    arguments: ClassVar = {
        "list": (0, 0), "add": (1, 1), "test": (1, 1_000), "show": (1, 1), "export": (0, 1_000), "import": (1, 1), "remove": (1, 1),
    }  # fmt: skip
    failures: ClassVar = {
        StateError: NO_STATE, NoSuchThing: NO_EXTRACTOR, CannotLearn: NO_EXTRACTOR, FetchError: NO_PAGE, Disallowed: NO_PAGE,
    }  # fmt: skip

    def run(self, args: list[str], opts: argparse.Namespace) -> int:
        """Do what the command line says; return the exit code."""
        try:
            return super().run(args, opts)
        except BadExampleFile as error:
            raise UsageError(str(error), print_help=False) from None

    def _fail(self, code: int, error: object) -> None:
        super()._fail(code, error)
        if code == NO_PAGE:
            super()._fail(
                code,
                "scrapy crawl explore -a sites=... reads it as far as it may; add --file PAGE reads it from a file",
            )

    # Listing

    def _list(self, folder: Path, _: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            extractors = ExtractorStore(state)
            found, counts = extractors.all(), extractors.counts()
        if opts.json:
            say_json(extractor_facts(stored, *counts.get(stored.number, (0, 0))) for stored in found)
        elif found:
            say_lines(
                line
                for stored in found
                for line in extractor_lines(stored, *counts.get(stored.number, (0, 0)))
            )
        else:
            say("There is no extractor yet: scrapy extract add URL --attr NAME=TEXT shows what you want.")

    # Adding

    def _add(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        url, attributes = _address(args[0]), _attributes(opts.attr)
        name = _name(opts.name) if opts.name is not None else ""
        if opts.roi is not None and not opts.roi.strip():
            raise UsageError(
                "--roi: an empty text is nowhere; leave it out for the whole page", print_help=False
            )
        with _reading(folder) as extractors:
            page_url, layout = self._page(extractors, url, opts.file)
            region = Example(
                registered_domain(page_url),
                opts.roi or "",
                attributes,
                page_url,
                name or _new_name(extractors, page_url),
                opts.kind,
            )
            problems = find_example(layout.texts, region).problems()
            learned = learn_example(extractors, region, layout, problems)
        if opts.json:
            self._save_for_programs(folder, learned, is_confirmed=opts.yes)
            return
        say_lines(lines_of_example(learned))
        if opts.yes or _is_confirmed(f"Save it as {learned.region.name}? [y/N] "):
            say_lines(lines_of_saving(learned, save_example(folder, learned)))
        else:
            say("Nothing was saved: --yes saves it.")

    def _save_for_programs(self, folder: Path, learned: LearnedExample, *, is_confirmed: bool) -> None:
        page_count = save_example(folder, learned) if is_confirmed else None
        say_json([facts_of_example(learned) | {"saved": page_count is not None, "taken_from": page_count}])

    def _page(self, extractors: ExtractorStore | None, url: str, file: str | None) -> tuple[str, PageLayout]:
        """Return the address and the layout of a page: from a file, from the state, or from the web as robots.txt allows."""
        if file is not None:
            return url, read_layout(_bytes_of(file))
        if extractors is not None and (stored := extractors.layout_at(url)) is not None:
            return url, stored[1]
        print(f"{clean_text(url)} is not in the state: fetching it", file=sys.stderr)
        fetched = asyncio.run(one_page(url, self.settings))
        return fetched.url, read_layout(fetched.body, content_type=fetched.content_type)

    # Testing

    def _test(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        name, *addresses = args
        urls = list(map(_address, addresses))
        with Store(folder, write=False) as state:
            extractors = ExtractorStore(state)
            stored = load_extractor(extractors, name)
            extractor = require_extractor(stored)
            pages = (
                [self._page(extractors, url, None) for url in urls]
                if urls
                else load_layouts(extractors, stored.domain, extractor)
            )
        readings = [(url, extractor.read(layout)) for url, layout in pages]
        found = [(url, each, deviation_of(extractor, each)) for url, each in readings]
        if opts.json:
            say_json(facts_of_test(extractor, *each) for each in found)
            return
        members = sum(reading.is_member for _, reading, _ in found)
        deviating = sum(deviation is not None for _, _, deviation in found)
        say_lines(line for each in found for line in lines_of_test(extractor, *each))
        watched = (
            f", {deviating:,} deviating" if extractor.is_watched else "; the template is not watched yet"
        )
        say(f"{quantity(len(found), 'page')}: {members:,} that {clean_text(name)} matches{watched}.")

    def _show(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        limit = DEFAULT_LIMIT if opts.limit is None else opts.limit
        if not 0 < limit < MAX_LIMIT:
            raise UsageError(f"--limit: {limit} cannot be used; wanted 1 or more", print_help=False)
        with Store(folder, write=False) as state:
            extractors = ExtractorStore(state)
            stored = load_extractor(extractors, args[0])
            extracted = list(extractors.load_extracted(extractor=stored.number, limit=limit))
            entries = extractors.counts().get(stored.number, (0, 0))[1]
        if opts.json:
            say_json(facts_of_extraction(stored.name, stored.extractor, entry) for entry in extracted)
            return
        names = (
            stored.extractor.attributes
            if stored.extractor
            else tuple(name for name, _ in stored.example.attributes)
        )
        say_lines(lines_of_extraction(names, extracted))
        if len(extracted) == limit < entries:
            say(f"{quantity(len(extracted), 'record')} of {entries:,}: --limit shows more.")
        elif not extracted:
            say(f"{clean_text(stored.name)} has extracted nothing yet.")

    # Files of examples

    def _export(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            extractors = ExtractorStore(state)
            found = (
                [load_extractor(extractors, name) for name in args]
                if args
                else [stored for stored in extractors.all() if stored.origin == PERSON]
            )
        text = examples_to_toml(stored.example for stored in found)
        if opts.output is None:
            say(text.rstrip("\n"))
            return
        write_file(Path(opts.output), text, "--output")
        say(f"{quantity(len(found), 'extractor')} written to {clean_text(opts.output)}.")

    def _import(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        file = Path(args[0])
        regions = _check_examples(file, read_example_file(file))
        with Store(folder) as state:
            extractors = ExtractorStore(state)
            existing = {stored.name: stored.example for stored in extractors.all()}
            new = [region for region in regions if existing.get(region.name) != region]
            others = [region.name for region in new if region.name in existing]
            if others and not opts.yes:
                raise BadExampleFile(
                    "\n".join(
                        f"{file}: [{name}]: there is another extractor of that name; --yes replaces it, with everything it extracted"
                        for name in others
                    )
                )
            facts = [_import_example(state, extractors, region) for region in new]
        facts += [
            {"name": region.name, "state": "known", "taken_from": None, "why": ""}
            for region in regions
            if existing.get(region.name) == region
        ]
        if opts.json:
            say_json(facts)
        else:
            say_lines(map(_import_line, facts))

    def _remove(self, folder: Path, args: Sequence[str], _: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            load_extractor(ExtractorStore(state), args[0])
        with Store(folder) as state:
            ExtractorMaintenance(ExtractorStore(state)).remove(args[0])
        say(f"{clean_text(args[0])} was removed, with everything it extracted.")


@contextmanager
def _reading(folder: Path) -> Iterator[ExtractorStore | None]:
    """Open the extractors of a state for reading; None if there is no state yet."""
    try:
        state = Store(folder, write=False)
    except NoState:
        yield None
        return
    with state:
        yield ExtractorStore(state)


# Arguments


def _address(url: str) -> str:
    found = normalise_url(url)
    if found is None:
        raise UsageError(
            f"{clean_text(url)!r} is no address of a page: wanted http://... or https://...",
            print_help=False,
        )
    return found


def _attributes(arguments: Sequence[str] | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not arguments:
        raise UsageError("wanted --attr NAME=TEXT, once for each attribute", print_help=False)
    found: dict[str, list[str]] = {}
    for each in arguments:
        name, sign, text = each.partition("=")
        name, text = name.strip(), text.strip()
        if not sign:
            raise UsageError(f"--attr {clean_text(each)!r} has no =, wanted NAME=TEXT", print_help=False)
        if not name:
            raise UsageError(f"--attr {clean_text(each)!r} has no name, wanted NAME=TEXT", print_help=False)
        if not _is_name(name):
            raise UsageError(f"--attr {clean_text(name)!r} {_NO_NAME}", print_help=False)
        if not text:
            raise UsageError(
                f"--attr {clean_text(each)!r} is empty, wanted the text of {name} on the page",
                print_help=False,
            )
        found.setdefault(name, []).append(text)
    return tuple((name, tuple(texts)) for name, texts in found.items())


def _name(name: str) -> str:
    if not _is_name(name):
        raise UsageError(f"--name {clean_text(name)!r} {_NO_NAME}", print_help=False)
    return name.strip()


def _is_name(name: str) -> bool:
    return bool(name.strip()) and name.isprintable() and len(name) <= LONGEST_NAME


def _new_name(extractors: ExtractorStore | None, url: str) -> str:
    """Return a default name for an extractor: its site, with a number if that name is in use."""
    domain = registered_domain(url)
    used_names = {stored.name for stored in extractors.all()} if extractors is not None else set()
    names = (domain if number == 1 else f"{domain}-{number}" for number in range(1, len(used_names) + 2))
    return next(name for name in names if name not in used_names)


def _bytes_of(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"--file {clean_text(file)}: cannot be read: {why}", print_help=False) from None


def _is_confirmed(prompt: str) -> bool:
    """Ask the user for a confirmation, if there is a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(clean_text(prompt)).strip().casefold() in ("y", "yes")
    except EOFError:
        return False


# Files


def _check_examples(file: Path, regions: Sequence[Example]) -> list[Example]:
    """Return examples with normalised page addresses; raises BadExampleFile with all problems."""
    problems = [] if regions else [f"{file}: has no extractor, wanted [NAME] with site, page and attributes"]
    for region in regions:
        where = f"{file}: [{region.name}]"
        if normalise_url(region.page) is None:
            problems.append(f"{where} page is {region.page!r}, wanted the address that it was copied from")
        if not _is_name(region.name):
            problems.append(f"{where} {_NO_NAME}")
        problems += [
            f"{where} attributes.{name!r} {_NO_NAME}" for name, _ in region.attributes if not _is_name(name)
        ]
    if problems:
        raise BadExampleFile("\n".join(problems))
    return [replace(region, page=normalise_url(region.page) or region.page) for region in regions]


def _import_example(state: Store, extractors: ExtractorStore, region: Example) -> dict[str, Any]:
    """Learn an example from its page if that is in the state, or let it wait; return the result."""
    maintenance, now = ExtractorMaintenance(ExtractorStore(state)), time.time()
    found = extractors.layout_at(region.page)
    extractor, why = None, ""
    if found is not None:
        try:
            extractor = learn_extractor(region, found[1], extractors.other_pages(region.page))
        except CannotLearn as error:
            why = str(error)
    page_count = maintenance.add(region, extractor, now, why)
    return {
        "name": region.name,
        "state": extractors.all(name=region.name)[0].state,
        "taken_from": page_count if extractor is not None else None,
        "why": why,
    }


def _import_line(facts: dict[str, Any]) -> str:
    if facts["state"] == "known":
        return f"{facts['name']}: is there already, and stays as it is"
    if facts["taken_from"] is not None:
        return (
            f"{facts['name']}: learnt, and has extracted from {quantity(facts['taken_from'], 'stored page')}"
        )
    why = f" to say something else ({facts['why']})" if facts["why"] else ""
    return f"{facts['name']}: waits for its page{why}; a crawl of its site brings it"
