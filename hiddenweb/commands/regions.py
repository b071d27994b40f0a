"""`scrapy regions`: what is wanted from the pages of a source, shown once, and what was taken since.

Without arguments the sources of the state, also while a crawl is writing it. `add` takes texts that a person copied from a page, learns from the stored pages of the site
where they stand, shows what it would take from others, and saves it. `test` says what a source takes now, `show` what it took; `export` and `import` carry regions from
state to state, `remove` forgets one.
Exit codes: 0; 1 if there is no such source or page, a text stands nowhere on the page, or nothing can be learnt from it; 2 for a wrong command, or a file that cannot be
used; 3 if there is no state, or none that can be written now; 4 if the page cannot be had; 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hiddenweb.commands._actions import ActionCommand, say_json, say_lines, write_file
from hiddenweb.commands._one_page import one_page
from hiddenweb.commands.status import clean, say
from hiddenweb.extraction.example_file import BadExampleFile, examples_to_toml, read_example_file
from hiddenweb.extraction.examples import Example, find_example
from hiddenweb.extraction.extractor import CannotLearn, learn_extractor
from hiddenweb.extraction.extractor_store import PERSON
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.extraction.template_watch import LEAST_PAGES
from hiddenweb.fetch.errors import Disallowed, FetchError
from hiddenweb.html.layout import read_layout
from hiddenweb.reports.extraction import (
    NoSuchThing,
    attributes_shown,
    extracted_facts,
    extracted_lines,
    many,
    named,
    preview_facts,
    preview_lines,
    quoted,
    source_facts,
    source_lines,
    tested_facts,
    tested_lines,
    types_of,
)
from hiddenweb.store.database import Store
from hiddenweb.store.errors import NoState, StateError
from hiddenweb.store.extractors import ExtractorStore
from hiddenweb.urls import normalise_url, origin, registered_domain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from hiddenweb.extraction.extractor import Extraction, Extractor
    from hiddenweb.extraction.extractor_store import StoredExtractor
    from hiddenweb.extraction.template_paths import Deviation
    from hiddenweb.html.layout import PageLayout

NO_SOURCE, NO_STATE, NO_PAGE = 1, 3, 4
PREVIEWED = 10
"""Pages on which is shown what a source takes."""

MOST = 50
"""Records that are shown unless more are wanted."""

LONGEST_NAME = 100
_NO_NAME = f"cannot be a name; wanted up to {LONGEST_NAME} characters that can be printed"


@dataclass(frozen=True, slots=True)
class LearnedRegion:
    """What was learnt of a region, and what it would take from other pages."""

    region: Example
    source: Extractor
    problems: tuple[str, ...]
    preview: tuple[tuple[str, Extraction], ...]
    strangers: tuple[str, ...]  # pages at its addresses that are of another kind
    replaces: bool  # a source of that name


class RegionsCommand(ActionCommand, ScrapyCommand):
    """Shows, adds and carries what is wanted from the pages of sources."""

    name = "regions"
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
        StateError: NO_STATE, NoSuchThing: NO_SOURCE, CannotLearn: NO_SOURCE, FetchError: NO_PAGE, Disallowed: NO_PAGE,
    }  # fmt: skip

    def syntax(self) -> str:
        return "[list | add URL | test NAME [URL ...] | show NAME | export [NAME ...] | import FILE | remove NAME] [options]"

    def short_desc(self) -> str:
        return "Take labelled records from pages, by texts you copied from one"

    def long_desc(self) -> str:
        return (
            "Show a page and copy what you want from it: add URL --attr title=TEXT --attr author=TEXT. From then on every page of that kind "
            "gives a record with these attributes. Nothing is saved before you have seen what is taken from ten other pages. test says what is taken "
            "now, show what was taken, export and import carry what you showed to another state. Examples: scrapy regions add http://books.example/item/5 --attr "
            "'title=The River' --attr price=12.50 --name books; scrapy regions test books http://books.example/item/6; scrapy regions show books --limit 10; "
            "scrapy regions export books -o books.toml; scrapy regions import books.toml"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--roi", metavar="TEXT", help="add: the text of the region of interest (the whole page)"
        )
        parser.add_argument(
            "--attr",
            action="append",
            metavar="NAME=TEXT",
            help="add: an attribute, and its text on the page; again for others, and for further values",
        )
        parser.add_argument("--name", metavar="NAME", help="add: what the source is called (its site)")
        kind = parser.add_mutually_exclusive_group()
        kind.add_argument(
            "--list", dest="kind", action="store_const", const="list", help="add: the page lists many records"
        )
        kind.add_argument(
            "--page",
            dest="kind",
            action="store_const",
            const="page",
            help="add: the page is about one record",
        )
        parser.add_argument("--file", metavar="PAGE", help="add: the page, saved as a file")
        parser.add_argument(
            "--yes", action="store_true", help="add: save it; import: replace sources of the same name"
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="export: write to this file")
        parser.add_argument(
            "-n", "--limit", type=int, default=None, help=f"show: so many records at most ({MOST})"
        )
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object a line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command line says."""
        try:
            super().run(args, opts)
        except BadExampleFile as error:
            raise UsageError(str(error), print_help=False) from None

    def _fail(self, code: int, error: object) -> None:
        super()._fail(code, error)
        if code == NO_PAGE:
            super()._fail(
                code,
                "scrapy crawl explore -a sites=... reads it as far as it may; add --file PAGE takes it from a file",
            )

    # Listing

    def _list(self, folder: Path, _: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            sources = ExtractorStore(state)
            found, counts = sources.all(), sources.counts()
        if opts.json:
            say_json(source_facts(kept, *counts.get(kept.number, (0, 0))) for kept in found)
        elif found:
            say_lines(line for kept in found for line in source_lines(kept, *counts.get(kept.number, (0, 0))))
        else:
            say("There is no source yet: scrapy regions add URL --attr NAME=TEXT shows what you want.")

    # Adding

    def _add(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        url, attributes = _address(args[0]), _attributes(opts.attr)
        name = _name(opts.name) if opts.name is not None else ""
        if opts.roi is not None and not opts.roi.strip():
            raise UsageError(
                "--roi: an empty text stands nowhere; leave it out for the whole page", print_help=False
            )
        with _reading(folder) as sources:
            at, shown = self._page(sources, url, opts.file)
            region = Example(
                registered_domain(at),
                opts.roi or "",
                attributes,
                at,
                name or _new_name(sources, at),
                opts.kind,
            )
            problems = find_example(shown.texts, region).problems()
            learnt = _learn(sources, region, shown, problems)
        if opts.json:
            self._save_for_programs(folder, learnt, is_wanted=opts.yes)
            return
        say_lines(_learnt_lines(learnt))
        if opts.yes or _is_confirmed(f"Save it as {learnt.region.name}? [y/N] "):
            say_lines(_saved_lines(learnt, _save(folder, learnt)))
        else:
            say("Nothing was saved: --yes saves it.")

    def _save_for_programs(self, folder: Path, learnt: LearnedRegion, *, is_wanted: bool) -> None:
        taken = _save(folder, learnt) if is_wanted else None
        say_json([_learnt_facts(learnt) | {"saved": taken is not None, "taken_from": taken}])

    def _page(self, sources: ExtractorStore | None, url: str, file: str | None) -> tuple[str, PageLayout]:
        """Return the address and the layout of a page: from a file, from the state, or from the web by all the rules."""
        assert self.settings is not None
        if file is not None:
            return url, read_layout(_bytes_of(file))
        if sources is not None and (kept := sources.layout_at(url)) is not None:
            return url, kept[1]
        print(f"{clean(url)} is not in the state: fetching it", file=sys.stderr)
        fetched = asyncio.run(one_page(url, self.settings))
        return fetched.url, read_layout(fetched.body, content_type=fetched.content_type)

    # Looking

    def _test(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        name, *given = args
        urls = list(map(_address, given))
        with Store(folder, write=False) as state:
            sources = ExtractorStore(state)
            kept = named(sources, name)
            source = _learnt_source(kept)
            pages = (
                [self._page(sources, url, None) for url in urls]
                if urls
                else _stored(sources, kept.domain, source)
            )
        readings = [(url, source.read(layout)) for url, layout in pages]
        found = [(url, each, _deviation(source, each)) for url, each in readings]
        if opts.json:
            say_json(tested_facts(source, *each) for each in found)
            return
        members = sum(reading.is_member for _, reading, _ in found)
        deviating = sum(deviation is not None for _, _, deviation in found)
        say_lines(line for each in found for line in tested_lines(source, *each))
        watched = f", {deviating:,} deviating" if source.is_watched else "; the template is not watched yet"
        say(f"{many(len(found), 'page')}: {members:,} with what {clean(name)} wants{watched}.")

    def _show(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        most = MOST if opts.limit is None else opts.limit
        if not 0 < most < 10**9:
            raise UsageError(f"--limit: {most} cannot be used; wanted 1 or more", print_help=False)
        with Store(folder, write=False) as state:
            sources = ExtractorStore(state)
            kept = named(sources, args[0])
            taken = list(sources.extracted(extractor=kept.number, limit=most))
            entries = sources.counts().get(kept.number, (0, 0))[1]
        if opts.json:
            say_json(extracted_facts(kept.name, kept.extractor, entry) for entry in taken)
            return
        names = (
            kept.extractor.attributes
            if kept.extractor
            else tuple(name for name, _ in kept.example.attributes)
        )
        say_lines(extracted_lines(names, taken))
        if len(taken) == most < entries:
            say(f"{many(len(taken), 'record')} of {entries:,}: --limit shows more.")
        elif not taken:
            say(f"Nothing was taken by {clean(kept.name)} yet.")

    # Carrying

    def _export(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            sources = ExtractorStore(state)
            found = (
                [named(sources, name) for name in args]
                if args
                else [kept for kept in sources.all() if kept.origin == PERSON]
            )
        text = examples_to_toml(kept.example for kept in found)
        if opts.output is None:
            say(text.rstrip("\n"))
            return
        write_file(Path(opts.output), text, "--output")
        say(f"{many(len(found), 'region')} written to {clean(opts.output)}.")

    def _import(self, folder: Path, args: Sequence[str], opts: argparse.Namespace) -> None:
        file = Path(args[0])
        regions = _usable(file, read_example_file(file))
        with Store(folder) as state:
            sources = ExtractorStore(state)
            known = {kept.name: kept.example for kept in sources.all()}
            new = [region for region in regions if known.get(region.name) != region]
            others = [region.name for region in new if region.name in known]
            if others and not opts.yes:
                raise BadExampleFile(
                    "\n".join(
                        f"{file}: [{name}]: there is another source of that name; --yes replaces it, with all that was taken"
                        for name in others
                    )
                )
            facts = [_imported(state, sources, region) for region in new]
        facts += [
            {"name": region.name, "state": "known", "taken_from": None, "why": ""}
            for region in regions
            if known.get(region.name) == region
        ]
        if opts.json:
            say_json(facts)
        else:
            say_lines(map(_imported_line, facts))

    def _remove(self, folder: Path, args: Sequence[str], _: argparse.Namespace) -> None:
        with Store(folder, write=False) as state:
            named(ExtractorStore(state), args[0])
        with Store(folder) as state:
            ExtractorMaintenance(ExtractorStore(state)).remove(args[0])
        say(f"{clean(args[0])} is forgotten, with all that was taken by it.")


@contextmanager
def _reading(folder: Path) -> Iterator[ExtractorStore | None]:
    """Give the sources of a state that is only read; None if there is no state yet."""
    try:
        state = Store(folder, write=False)
    except NoState:
        yield None
        return
    with state:
        yield ExtractorStore(state)


# What is typed


def _address(url: str) -> str:
    found = normalise_url(url)
    if found is None:
        raise UsageError(
            f"{clean(url)!r} is no address of a page: http://... or https://... is wanted", print_help=False
        )
    return found


def _attributes(given: Sequence[str] | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not given:
        raise UsageError("--attr NAME=TEXT is wanted, once for each attribute", print_help=False)
    found: dict[str, list[str]] = {}
    for each in given:
        name, sign, text = each.partition("=")
        name, text = name.strip(), text.strip()
        if not sign:
            raise UsageError(f"--attr {clean(each)!r} has no =, wanted NAME=TEXT", print_help=False)
        if not name:
            raise UsageError(f"--attr {clean(each)!r} has no name, wanted NAME=TEXT", print_help=False)
        if not _is_name(name):
            raise UsageError(f"--attr {clean(name)!r} {_NO_NAME}", print_help=False)
        if not text:
            raise UsageError(
                f"--attr {clean(each)!r} is empty, wanted the text of {name} on the page", print_help=False
            )
        found.setdefault(name, []).append(text)
    return tuple((name, tuple(texts)) for name, texts in found.items())


def _name(name: str) -> str:
    if not _is_name(name):
        raise UsageError(f"--name {clean(name)!r} {_NO_NAME}", print_help=False)
    return name.strip()


def _is_name(name: str) -> bool:
    return bool(name.strip()) and name.isprintable() and len(name) <= LONGEST_NAME


def _new_name(sources: ExtractorStore | None, url: str) -> str:
    """Return a name for a source that got none: its site, and a number if that is taken."""
    domain = registered_domain(url)
    taken = {kept.name for kept in sources.all()} if sources is not None else set()
    names = (domain if number == 1 else f"{domain}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _bytes_of(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"--file {clean(file)}: cannot be read: {why}", print_help=False) from None


def _is_confirmed(question: str) -> bool:
    """Ask whoever sits at the terminal, if somebody does."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(clean(question)).strip().casefold() in ("y", "yes")
    except EOFError:
        return False


# Learning


def _learn(
    sources: ExtractorStore | None, region: Example, shown: PageLayout, problems: Sequence[str]
) -> LearnedRegion:
    found = find_example(shown.texts, region)
    if found.is_missing or any(text.is_missing for text in found.texts):
        raise CannotLearn("\n".join(problems))
    others = sources.other_pages(region.page) if sources is not None else []
    source = learn_extractor(region, shown, others)
    readings = [(url, source.read(layout)) for url, layout in others if source.wants(url)]
    members = [each for each in readings if each[1].is_member]
    return LearnedRegion(
        replace(region, kind=source.kind),  # as the person sees it before it is saved
        source,
        tuple(problems),
        tuple(members[:PREVIEWED]),
        tuple(url for url, reading in readings if not reading.is_member),
        sources is not None and bool(sources.all(name=region.name)),
    )


def _learnt_lines(learnt: LearnedRegion) -> Iterator[str]:
    source = learnt.source
    yield from (f"note: {problem}" for problem in learnt.problems)
    if learnt.problems:
        yield "note: if the wrong place is taken below, --roi with more of the text around the right one tells which is meant"
    what = "each entry of its lists" if source.kind == "list" else "each page"
    yield f"{attributes_shown(source)} of {what}, learnt from {many(source.learnt_from, 'page')} at {source.addresses}"
    if lost := [name for name, _ in learnt.region.attributes if name not in source.attributes]:
        yield f"note: {', '.join(lost)} could not be learnt"
    if not learnt.preview:
        yield "No other page of this kind is in the state, so nothing can be shown of others."
        return
    yield f"What it takes from {many(len(learnt.preview), 'other page')}:"
    yield from (f"  {line}" for line in preview_lines(source, learnt.preview))
    if learnt.strangers:
        yield (
            f"Of another kind, and giving nothing: {many(len(learnt.strangers), 'page')} at such addresses,"
            f" such as {learnt.strangers[0]}"
        )


def _learnt_facts(learnt: LearnedRegion) -> dict[str, Any]:
    source = learnt.source
    return {
        "name": learnt.region.name, "site": learnt.region.site, "page": learnt.region.page, "kind": source.kind,
        "attributes": types_of(source), "addresses": str(source.addresses), "learnt_from": source.learnt_from,
        "is_watched": source.is_watched, "problems": list(learnt.problems), "replaces": learnt.replaces,
        "preview": [preview_facts(source, url, reading) for url, reading in learnt.preview],
        "of_another_kind": list(learnt.strangers),
    }  # fmt: skip


def _save(folder: Path, learnt: LearnedRegion) -> int:
    """Save what was learnt; return from how many stored pages it took."""
    with Store(folder) as state:
        return ExtractorMaintenance(ExtractorStore(state)).add(learnt.region, learnt.source, time.time())


def _saved_lines(learnt: LearnedRegion, taken: int) -> Iterator[str]:
    name = learnt.region.name
    instead = ", in place of the one of that name" if learnt.replaces else ""
    yield f"{name} was saved{instead}, and took from {many(taken, 'stored page')}: scrapy regions show {quoted(name)}"
    if not learnt.source.is_watched:
        yield f"Its template is watched when there are {LEAST_PAGES} pages: scrapy crawl explore -a sites={origin(learnt.region.page)}/"


def _learnt_source(kept: StoredExtractor) -> Extractor:
    if kept.extractor is None:
        raise NoSuchThing(f"{kept.name}: nothing was learnt yet: it waits for {kept.example.page}")
    return kept.extractor


def _deviation(source: Extractor, reading: Extraction) -> Deviation | None:
    """Return how a page deviates, if it counts and does."""
    if not source.is_watched or not (reading.is_member or source.is_pure):
        return None
    return source.watch.deviation(reading.paths)


def _stored(sources: ExtractorStore, domain: str, source: Extractor) -> list[tuple[str, PageLayout]]:
    """Return the newest stored pages of a source."""
    newest = sources.pages_at(domain, source.addresses)[-PREVIEWED:]
    return [(url, layout) for _, url, layout in sources.layouts(newest)]


# Files


def _usable(file: Path, regions: Sequence[Example]) -> list[Example]:
    """Return regions with the addresses of their pages as they are known here; raises BadRegionFile with all that cannot be used."""
    problems = [] if regions else [f"{file}: has no region, wanted [NAME] with site, page and attributes"]
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


def _imported(state: Store, sources: ExtractorStore, region: Example) -> dict[str, Any]:
    """Learn a region from its page if that is in the state, or let it wait; return what became of it."""
    knowledge, now = ExtractorMaintenance(ExtractorStore(state)), time.time()
    shown = sources.layout_at(region.page)
    source, why = None, ""
    if shown is not None:
        try:
            source = learn_extractor(region, shown[1], sources.other_pages(region.page))
        except CannotLearn as error:
            why = str(error)
    taken = knowledge.add(region, source, now, why)
    return {
        "name": region.name,
        "state": sources.all(name=region.name)[0].state,
        "taken_from": taken if source is not None else None,
        "why": why,
    }


def _imported_line(facts: dict[str, Any]) -> str:
    if facts["state"] == "known":
        return f"{facts['name']}: is there already, and stays as it is"
    if facts["taken_from"] is not None:
        return f"{facts['name']}: learnt, and took from {many(facts['taken_from'], 'stored page')}"
    why = f" to say something else ({facts['why']})" if facts["why"] else ""
    return f"{facts['name']}: waits for its page{why}; a crawl of its site brings it"
