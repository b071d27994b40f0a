"""What a crawl looks for: a topic that is built in, one that a file describes, or just a name.

A topic has words (those of its name at the least) and, if somebody wrote them down, examples: texts of pages that are on the
topic and of pages that are not. Forms are compared with `Topic.vector`; sites are judged by the examples as well
(`hiddenweb.focused.locating.site_classifier`).

In the vector a term weighs 1 + ln n, as everywhere in SmartCrawler (`hiddenweb.language.terms`). A word of the list counts as if it was found
ten times, one of the name fifty times. A term of the examples counts only if it stands in two of them, in none that is off the
topic, and in texts of at most two built-in topics: every homepage says "search", "help" and "prices".

A page is stemmed by the rules of its own language, so the words of a topic are as well: `vector("de")` has the German words of the
topic, and all others as the German stemmer leaves them, since "Jobs" and "Hotels" are words of many languages.

A topic file with mistakes is refused as a whole. All mistakes are named at once, each with the file, the key, and the key that was
probably meant: a crawl of half of a topic would look like a crawl of all of it.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from hiddenweb.focused.locating.seeds import BadSeeds, list_problems, read_seeds
from hiddenweb.html.reader import read_page
from hiddenweb.language.shortening import shorten
from hiddenweb.language.terms import terms, terms_of, weigh_terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RELEVANT = 0.05
"""The cosine between a form and `Topic.vector` from which the form's own words say that it is on the topic; HIDDENWEB_MIN_RELEVANCE overrules it. A limit of taste."""

MAX_FILE_BYTES = 1_000_000
"""Bytes of a topic file, and of a page that it names. A limit of taste."""

MAX_ENTRIES = 1_000
"""Words, examples or addresses in one list. A limit of taste."""

MAX_NAME = 100  # characters of a name: a limit of taste
MAX_EXAMPLE = 20_000
"""Characters of an example that are read. A limit of taste."""

_NAME_COUNT = 50  # a term of the name counts as found so often: a limit of taste
_WORD_COUNT = 10  # a term of the list of words counts as found so often: a limit of taste
_COMMON_TOPICS = 3  # a term in the texts of so many built-in topics is typical of none: a limit of taste

_KEYS = ("name", "title", "language", "seeds", "words", "other_words", "on_topic", "off_topic",
         "on_topic_files", "off_topic_files")  # fmt: skip
_CODE = re.compile("[a-z]{2}")
_FILE = re.compile(r"^(?:\.{0,2}/|~/)|\.toml$", re.IGNORECASE)
_SPACE = re.compile(r"\s")


class BadTopic(ValueError):
    """A topic that cannot be used; the message names everything that is wrong with it, and where."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a crawl looks for."""

    name: str
    title: str
    seeds: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # in its language
    on_topic: tuple[str, ...] = ()  # texts of pages
    off_topic: tuple[str, ...] = ()
    language: str = "en"
    other_words: tuple[tuple[str, tuple[str, ...]], ...] = ()  # in other languages, by their codes

    def words_in(self, language: str) -> tuple[str, ...]:
        """Return its words, and those of another language; of all languages if it is "", unknown."""
        foreign = (words for code, words in self.other_words if language in (code, ""))
        return (*self.words, *(word for words in foreign for word in words))

    def vector(self, language: str | None = None) -> Mapping[str, float]:
        """Return the weights of its terms, stemmed as those of pages in a language; in its own, if none is named."""
        return _vector(self, self.language if language is None else language)


@lru_cache(maxsize=64)
def _vector(topic: Topic, language: str) -> Mapping[str, float]:
    counted: Counter[str] = Counter(_typical(topic, language))
    counted.update(dict.fromkeys(terms(topic.words_in(language), language), _WORD_COUNT))
    counted.update(dict.fromkeys(terms([topic.name, topic.title], language), _NAME_COUNT))
    return MappingProxyType(weigh_terms(counted))


def _typical(topic: Topic, language: str) -> dict[str, int]:
    """Return the terms that several examples of a topic have, and hardly any other topic."""
    ignored = set(terms(topic.off_topic, language)) | _common_terms(language)
    counts = Counter(term for text in topic.on_topic for term in set(terms([text], language)) - ignored)
    return {term: count for term, count in counts.items() if count > 1}


@cache
def _common_terms(language: str) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for name in list_built_in_topics():
        topic = load_built_in_topic(name)
        counts.update(set(terms(topic.on_topic + topic.off_topic, language)))
    return frozenset(term for term, count in counts.items() if count >= _COMMON_TOPICS)


@cache
def list_built_in_topics() -> tuple[str, ...]:
    """Return the names of the topics that are built in."""
    folder = files("hiddenweb.focused") / "topics"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir()))


@cache
def load_built_in_topic(name: str) -> Topic:
    """Return a topic that is built in."""
    problems: list[str] = []
    text = (files("hiddenweb.focused") / "topics" / f"{name}.toml").read_text(encoding="utf-8")
    topic = _TopicReader(Path(f"{name}.toml"), problems).topic(tomllib.loads(text))
    if problems:
        raise BadTopic("\n".join(problems))
    return topic


def read_topic(argument: str, seeds_argument: str = "") -> Topic:
    """Return the topic that an argument names: a built-in one, a TOML file, or any other name; raises BadTopic.

    Seeds of the argument replace those of the topic.

    >>> read_topic("lost wax casting").words
    ('lost', 'wax', 'casting')
    """
    problems: list[str] = []
    topic = _find_topic(argument.strip(), problems)
    seeds = _read_seeds_argument(seeds_argument, problems)
    if topic is not None and not problems and not topic.vector():
        problems.append(
            f"{argument.strip()}: none of its words says anything; name others, or write a topic file"
        )
    if topic is None or problems:
        raise BadTopic(list_problems(problems, len(problems)))
    return replace(topic, seeds=seeds) if seeds else topic


def _read_seeds_argument(argument: str, problems: list[str]) -> tuple[str, ...]:
    if not argument.strip():
        return ()
    try:
        return tuple(read_seeds(argument))
    except BadSeeds as error:
        problems.extend(str(error).splitlines())
        return ()


# Names


def _find_topic(argument: str, problems: list[str]) -> Topic | None:
    if not argument:
        names = ", ".join(list_built_in_topics())
        problems.append(f"no topic given: -a topic=NAME, with one of {names}, any other name, or a TOML file")
        return None
    built_in = _match_built_in(argument)
    if built_in is not None:
        return built_in
    path = _find_file(argument, problems)
    if problems:
        return None
    return _from_name(argument, problems) if path is None else _from_file(path, problems)


def _match_built_in(argument: str) -> Topic | None:
    """Return the built-in topic of a name, in the singular or the plural."""
    own_terms = terms_of(argument, "en")
    return next(
        (load_built_in_topic(name) for name in list_built_in_topics() if terms_of(name, "en") == own_terms),
        None,
    )


def _from_name(name: str, problems: list[str]) -> Topic | None:
    name = " ".join(name.split())
    if len(name) > MAX_NAME or not name.isprintable():
        problems.append(
            f"{shorten(name, 40)!r}: is no name of a topic: wanted at most {MAX_NAME} readable characters"
        )
        return None
    return Topic(name, name, words=tuple(name.split()))


def _find_file(argument: str, problems: list[str]) -> Path | None:
    """Return the file that an argument names, None if it names none; what looks like one must be one."""
    try:
        path = Path(argument).expanduser()
        if path.is_file():
            return path
        exists = path.exists()
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, nobody's home: no name of a file
        return None
    if _FILE.search(argument):
        problems.append(
            f"{argument}: is not a regular file" if exists else f"{argument}: there is no such file"
        )
    return None


# Files


def _from_file(path: Path, problems: list[str]) -> Topic | None:
    body = _read_bytes(path, f"{path}:", problems)
    if body is None:
        return None
    try:
        table = tomllib.loads(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problems.append(f"{path}: is not a text file in UTF-8 (byte {error.start})")
    except (ValueError, RecursionError) as error:
        problems.append(f"{path}: is no TOML: {error}")
    else:
        return _TopicReader(path, problems).topic(table)
    return None


def _read_bytes(path: Path, where: str, problems: list[str]) -> bytes | None:
    try:
        if not path.is_file():
            problems.append(
                f"{where} {'is not a regular file' if path.exists() else 'there is no such file'}"
            )
        elif (size := path.stat().st_size) > MAX_FILE_BYTES:
            problems.append(f"{where} {size:,} bytes are too many (at most {MAX_FILE_BYTES:,})")
        else:
            return path.read_bytes()
    except OSError as error:
        problems.append(f"{where} cannot be read: {error.strerror}")
    except ValueError as error:  # a NUL in the name
        problems.append(f"{where} cannot be read: {error}")
    return None


class _TopicReader:
    """Reads a topic from the table of a topic file, and notes every problem."""

    def __init__(self, path: Path, problems: list[str]) -> None:
        self._path = path
        self._problems = problems
        self._table: dict[str, object] = {}

    def topic(self, table: dict[str, object]) -> Topic:
        self._table = table
        if not table:
            self._problems.append(
                f"{self._path}: is empty; wanted at least words, or texts of pages in on_topic"
            )
        self._refuse_unknown()
        name = self._line("name", self._path.stem)
        return Topic(
            name,
            title=self._line("title", name),
            seeds=self._seeds(),
            words=self._texts("words") or tuple(name.split()),
            on_topic=self._examples("on_topic"),
            off_topic=self._examples("off_topic"),
            language=self._language("language", table.get("language", "en")),
            other_words=self._other_words(),
        )

    def _refuse_unknown(self) -> None:
        for key in self._table.keys() - set(_KEYS):
            near = get_close_matches(key.lower().replace("-", "_"), _KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"wanted {', '.join(_KEYS)}"
            self._problem(shorten(key, 40), f"is not a key of a topic; {hint}")

    def _line(self, key: str, default: str) -> str:
        value = self._table.get(key, default)
        if not isinstance(value, str):
            self._problem(key, f"is {_shorten_value(value)}, wanted a text")
            return default
        line = " ".join(value.split())
        if not line:
            self._problem(key, "is empty")
        elif len(line) > MAX_NAME or not line.isprintable():
            self._problem(key, f"is {_shorten_value(value)}, wanted at most {MAX_NAME} readable characters")
        return line

    def _language(self, key: str, code: object) -> str:
        if isinstance(code, str) and _CODE.fullmatch(code):
            return code
        self._problem(
            key, f"has {_shorten_value(code)}, wanted a language as two small letters, such as 'en'"
        )
        return "en"

    def _texts(self, key: str) -> tuple[str, ...]:
        return self._read_list(key, self._table.get(key, [])) if key in self._table else ()

    def _read_list(self, key: str, values: object) -> tuple[str, ...]:
        """Return a list of texts, each once."""
        if not isinstance(values, list):
            self._problem(key, f"is {_shorten_value(values)}, wanted a list of texts")
            return ()
        if len(values) > MAX_ENTRIES:
            self._problem(key, f"has {len(values):,} entries, at most {MAX_ENTRIES:,} are read")
            return ()
        good = [" ".join(text.split()) for text in values if isinstance(text, str) and text.strip()]
        for value in values:
            if not isinstance(value, str) or not value.strip():
                self._problem(key, f"has {_shorten_value(value)}, wanted a text with a word in it")
        return tuple(dict.fromkeys(good))

    def _other_words(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        table = self._table.get("other_words", {})
        if not isinstance(table, dict):
            self._problem(
                "other_words", f"is {_shorten_value(table)}, wanted a list of words for each language"
            )
            return ()
        return tuple(
            (self._language("other_words", code), self._read_list(f"other_words.{code}", words))
            for code, words in table.items()
        )

    def _seeds(self) -> tuple[str, ...]:
        good: dict[str, None] = {}
        for seed in self._texts("seeds"):
            try:
                if _SPACE.search(seed):
                    raise BadSeeds(f"{seed[:100]!r} has a space in it")
                # With a comma behind it an address is a list, and never the name of a file.
                good.update(dict.fromkeys(read_seeds(f"{seed},")))
            except BadSeeds as error:
                self._problem("seeds", str(error).removeprefix("sites: ").replace(f"{seed},", repr(seed)))
        return tuple(good)

    def _examples(self, key: str) -> tuple[str, ...]:
        texts = (text[:MAX_EXAMPLE] for text in self._texts(key))
        return (*texts, *self._pages(f"{key}_files"))

    def _pages(self, key: str) -> Iterator[str]:
        for name in self._texts(key):
            where = f"{self._path}: {key}: {name[:100]}"
            if Path(name).is_absolute() or name.startswith("~"):
                self._problems.append(f"{where}: wanted a path relative to the topic file")
                continue
            body = _read_bytes(self._path.parent / name, where + ":", self._problems)
            if body is None:
                continue
            page = read_page(body, "http://example.example/")
            if page.title or page.text:
                yield f"{page.title}\n{page.text}"[:MAX_EXAMPLE]
            else:
                self._problems.append(f"{where}: there are no words in it")

    def _problem(self, key: str, what: str) -> None:
        self._problems.append(f"{self._path}: {key} {what}")


def _shorten_value(value: object) -> str:
    return shorten(repr(value), 60)
