"""Listing topics, and exporting and importing what was learnt about them, as a JSON document."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import NO_STATE, Action
from hiddenweb.actions.terminal import say
from hiddenweb.focused.adaptive import AdaptiveCrawler
from hiddenweb.focused.link_index import MemoryLinkIndex
from hiddenweb.focused.locating.candidates import MemorySiteCandidates
from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.focused.topic import MAX_NAME, BadTopic, list_built_in_topics, load_built_in_topic, read_topic
from hiddenweb.reports.printable import clean_text, json_text, quantity
from hiddenweb.reports.topics import import_terms, list_sites_with_forms, list_topics, summarize_topics
from hiddenweb.store.database import Store
from hiddenweb.store.errors import NoState, StateError
from hiddenweb.store.topic_knowledge import load_terms, restore_learners

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from hiddenweb.reports.topics import TopicSummary

    Row = tuple[str, str, Any]

FORMAT, VERSION = "hiddenweb topic", 1
"""The format and version of an exported document."""

LARGEST = 500_000_000
"""Bytes of a document. A limit of taste."""

_KEYS = ("format", "version", "topic", "learnt", "sites")
_MAX_TERM = 1_000  # characters of a term; a limit of taste
_LONGEST_ADDRESS = 2_000


class BadDocument(ValueError):
    """A document that cannot be imported; the message says where and why."""


@dataclass(frozen=True, slots=True)
class LearnedTopic:
    """What was learnt about a topic in another state."""

    topic: str
    rows: tuple[Row, ...]  # part, term and value
    sites: tuple[str, ...]  # first addresses of sites with forms on the topic


class TopicsAction(Action):
    """Lists topics, and exports and imports what was learnt about them."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        if why := _contradiction(args, opts):
            raise UsageError(why, print_help=False)
        folder = Path(self.settings["HIDDENWEB_STATE"])
        try:
            if opts.taken is not None:
                _import(folder, Path(opts.taken), opts.topic, opts.seeds)
            elif opts.export is not None:
                _export(folder, opts.export, args[0] if args else None)
            else:
                _list(folder, in_json=opts.json)
        except StateError as error:
            print(f"scrapy topics: {clean_text(str(error))}", file=sys.stderr)
            self.exit_code = NO_STATE
        except (BadTopic, BadDocument) as error:
            raise UsageError(clean_text(str(error)), print_help=False) from None


def _contradiction(args: list[str], opts: argparse.Namespace) -> str:
    """Return which arguments make no sense together, or nothing."""
    if opts.export is not None and opts.taken is not None:
        return "--export and --import exclude each other"
    if args and (opts.export is None or len(args) > 1):
        return f"scrapy topics takes no arguments, but was given {clean_text(' '.join(args))!r}; one file may follow --export NAME"
    if opts.taken is None and (opts.topic is not None or opts.seeds is not None):
        return "--topic and --seeds belong to --import"
    if opts.json and (opts.export is not None or opts.taken is not None):
        return "--json is for the list of topics"
    return ""


# Listing


def _list(folder: Path, *, in_json: bool) -> None:
    try:
        with Store(folder, write=False) as state:
            known = summarize_topics(state)
    except NoState:
        known = []
    if in_json:
        built_in = [
            {"name": name, "title": load_built_in_topic(name).title} for name in list_built_in_topics()
        ]
        say(json_text({"built_in": built_in, "state": [asdict(topic) for topic in known]}))
    else:
        say("\n".join(clean_text(line) for line in lines(known, folder)))


def lines(known: list[TopicSummary], folder: Path) -> Iterator[str]:
    """Yield all topics, for people."""
    yield "Built in:"
    width = max(map(len, list_built_in_topics()))
    yield from (f"  {name:<{width}}  {load_built_in_topic(name).title}" for name in list_built_in_topics())
    yield "Any other name is a topic too, and so is a TOML file that describes one."
    yield ""
    if not known:
        yield f"No crawl with a topic is in {folder}: scrapy crawl locate -a topic=NAME begins one."
        return
    yield f"In {folder}:"
    for topic in known:
        yield (
            f"  {topic.name}: {quantity(topic.visited, 'site')} visited, {topic.with_forms:,} with forms on the topic,"
            f" {topic.waiting:,} waiting; {quantity(topic.forms, 'form')} on the topic; {quantity(topic.terms, 'term')} learnt"
        )


# Exporting


def _export(folder: Path, name: str, file: str | None) -> None:
    with Store(folder, write=False) as state:
        topic = _topic_of(state, name)
        text = document(state, topic)
    if file is None:
        say(text)
        return
    _write(Path(file), f"{text}\n")
    say(clean_text(f"Everything learnt about {topic} is in {file}."))


def document(state: Store, topic: str) -> str:
    """Return everything that a state has learnt about a topic, as JSON."""
    parts: dict[str, list[str]] = {}
    for part, term, value in load_terms(state, topic):
        parts.setdefault(part, []).append(f"{json.dumps(term)}: {json.dumps(value)}")
    learnt = ",\n".join(_join_entries(f"{json.dumps(part)}: {{", terms, "}") for part, terms in parts.items())
    head = {"format": FORMAT, "version": VERSION, "topic": topic}
    entries = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    sites = _join_entries('"sites": [', map(json.dumps, list_sites_with_forms(state, topic)), "]")
    return _join_entries("{", [*entries, f'"learnt": {{\n{learnt}\n}}', sites], "}")


def _join_entries(opening: str, entries: Iterable[str], closing: str) -> str:
    """Return JSON with a line for each entry, so that people can compare two documents."""
    return "\n".join((opening, ",\n".join(entries), closing))


def _topic_of(state: Store, name: str) -> str:
    known = list_topics(state)
    topic = name if name in known else read_topic(name).name
    if topic not in known:
        known_topics = f"there are {', '.join(known)}" if known else "no crawl had a topic"
        raise BadTopic(f"the state has no topic {topic!r}; {known_topics}")
    return topic


# Importing


def _import(folder: Path, file: Path, name: str | None, seeds: str | None) -> None:
    learnt = read_document(file)
    topic = learnt.topic if name is None else read_topic(name).name
    if seeds is not None:
        _write(Path(seeds), "".join(f"{site}\n" for site in learnt.sites))
    with Store(folder) as state:
        new = import_terms(state, topic, learnt.rows)
    say("\n".join(clean_text(line) for line in _import_lines(learnt, topic, new, seeds)))


def _import_lines(learnt: LearnedTopic, topic: str, new: int, seeds: str | None) -> Iterator[str]:
    known = len(learnt.rows) - new
    yield f"{topic}: {quantity(new, 'new term')}, {known:,} known before, which stay as they are."
    if not learnt.sites:
        return
    yield f"The file names {quantity(len(learnt.sites), 'site')} with forms on the topic; they are not imported."
    if seeds is None:
        yield "--seeds FILE writes them to a file, to begin a crawl with:"
    yield f"scrapy crawl locate -a topic={topic} -a seeds={seeds or 'FILE'}"


def read_document(file: Path) -> LearnedTopic:
    """Return the contents of a document that `document` made; raises BadDocument."""
    try:
        if file.stat().st_size > LARGEST:
            raise BadDocument(f"{file}: is larger than {LARGEST:,} bytes")
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadDocument(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadDocument(f"{file}: is not a text in UTF-8 (byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadDocument):
            raise
        raise BadDocument(f"{file}: is no JSON: {error}") from None
    return _DocumentChecker(file).read_learnt(found)


class _DocumentChecker:
    """Reads a document, or raises BadDocument with what is wrong."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read_learnt(self, found: object) -> LearnedTopic:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise self._wrong(
                f"was not written by scrapy topics --export: there is no format {FORMAT!r} in it"
            )
        if found.get("version") != VERSION:
            raise self._wrong(f"has the version {found.get('version')!r}; this hiddenweb reads {VERSION}")
        if missing := [key for key in _KEYS if key not in found]:
            raise self._wrong(f"has no {', '.join(missing)}")
        rows = tuple(self._rows(found["learnt"]))
        self._try(rows)
        return LearnedTopic(self._name(found["topic"]), rows, self._sites(found["sites"]))

    def _name(self, name: object) -> str:
        if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            raise self._wrong(f"topic is {_repr_of(name)}, wanted the name of one")
        return name

    def _rows(self, parts: object) -> Iterator[Row]:
        if not isinstance(parts, dict) or not all(isinstance(terms, dict) for terms in parts.values()):
            raise self._wrong("learnt has to be an object with an object of terms for each part")
        for part, terms in parts.items():
            for term, value in terms.items():
                if not (_is_text(part, MAX_NAME) and _is_text(term, _MAX_TERM)):
                    raise self._wrong(f"learnt: {_repr_of(part)}: {_repr_of(term)} is no term")
                if not _is_value(value):
                    raise self._wrong(
                        f"learnt: {part}: {_repr_of(term)} is {_repr_of(value)}; wanted a number of times,"
                        " or a list of numbers of which only the first may be negative"
                    )
                yield part, term, value

    def _try(self, rows: tuple[Row, ...]) -> None:
        """Restore temporary learners from the rows: values that they cannot use would stop the next crawl."""
        stages = AdaptiveCrawler(MemorySiteCandidates(), MemoryLinkIndex(), Random(0), FocusedLimits())
        for part in dict.fromkeys(part for part, _, _ in rows):
            try:
                restore_learners(stages, (row for row in rows if row[0] == part))
            except (TypeError, ValueError):
                raise self._wrong(
                    f"learnt: {_repr_of(part)} has values that this part does not learn"
                ) from None

    def _sites(self, sites: object) -> tuple[str, ...]:
        if not isinstance(sites, list):
            raise self._wrong(f"sites is {_repr_of(sites)}, wanted a list of addresses")
        for site in sites:
            if not _is_text(site, _LONGEST_ADDRESS) or not site.isprintable() or not site or " " in site:
                raise self._wrong(f"sites has {_repr_of(site)}, wanted an address")
        return tuple(sites)

    def _wrong(self, what: str) -> BadDocument:
        return BadDocument(f"{self._file}: {what}")


def _is_text(value: object, longest: int) -> bool:
    """Return whether a value is a text that can be stored: without lone surrogates."""
    return (
        isinstance(value, str)
        and len(value) <= longest
        and not any("\ud800" <= letter <= "\udfff" for letter in value)
    )


def _is_value(value: object) -> bool:
    """Return whether a value can have been learnt.

    >>> _is_value(3), _is_value([-0.5, 0.2]), _is_value(0), _is_value([1.0, -1.0]), _is_value([float("nan"), 0]), _is_value("3")
    (True, True, False, False, False, False)
    """
    if isinstance(value, list):
        return bool(value) and all(map(_is_number, value)) and all(number >= 0 for number in value[1:])
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**53


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < 1e9
        and isfinite(value)
    )


def _repr_of(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadDocument(f"{file}: cannot be written: {error.strerror}") from None
    except ValueError as error:  # a NUL in the name
        raise BadDocument(f"{file}: cannot be written: {error}") from None
