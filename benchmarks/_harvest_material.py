"""What pages of the simulated web are made of: words with weights, anchors, and verdicts on real forms.

With the data folder, the topics that SWDE has pages on (auto, book, job, movie, and product by its cameras) mix the words written down
in `benchmarks._harvest_words` with those that are frequent on pages of their vertical and rare on the others; the words common to
all verticals, with their real frequencies, are the general ones; anchors of ordinary links are real anchors and the titles of real
books and films. All other subjects make do with what is written down, and a tail of invented names. Without the folder everything
is made like that, by Zipf's law.

A form of the simulated web stands for a real form of its kind, and `verdicts` are what the classifier of `hiddenweb.forms` says of real
forms. Its weights have seen these very forms, so these verdicts are a little too good; the web adds errors until they are as
frequent as under cross-validation (see `Shape.search_recall`).
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, islice
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from benchmarks._harvest_words import (
    ENDINGS,
    GENERAL_WORDS,
    SHARED_WORDS,
    SUBJECT_WORDS,
    SYLLABLES,
    TELLING_PATTERN,
    TOPIC_WORDS,
    UNTOLD_FILES,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

TOPICS = tuple(TOPIC_WORDS)
SUBJECTS = (*TOPIC_WORDS, *SUBJECT_WORDS)
"""The twelve topics, then what the rest of the web is about."""

SEARCH = "search"
OTHER_KINDS = ("login", "registration", "recovery", "newsletter", "contact", "order", "other")

_VERTICALS = {
    "auto": "auto",
    "book": "book",
    "camera": "product",
    "job": "job",
    "movie": "movie",
    "nbaplayer": "sport",
    "restaurant": "food",
    "university": "education",
}
_PAGES_OF_A_FILE = 4
_FORMS_OF_A_KIND = {SEARCH: 80}
_FORMS_OF_ANOTHER_KIND = 12
_TAIL = 120  # invented names of a subject
_ANCHORS = 1000  # of a subject
_COMMON = 5  # verticals that a general word is found in
_OWN = 4.0  # times as frequent as elsewhere: a word of its vertical
_WORD = re.compile(r"[a-z]{2,}")
_TELLING = re.compile(TELLING_PATTERN, re.IGNORECASE)
_SPECIAL_FILES = frozenset(
    ("about", "contact", "privacy", "login", "links", "help", "newsletter", "register", "terms", "calendar")
)
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Words:
    """Words, and how frequent each is, summed up."""

    words: tuple[str, ...]
    summed: tuple[float, ...]

    @classmethod
    def of(cls, weights: Mapping[str, float]) -> Words:
        """Return the words with these weights."""
        return cls(tuple(weights), tuple(accumulate(weights.values())))

    def draw(self, rng: Random, count: int) -> list[str]:
        """Return some words, frequent ones more often."""
        return rng.choices(self.words, cum_weights=self.summed, k=count)


@dataclass(frozen=True, slots=True)
class Material:
    """All that pages are made of; `special`, `anchors`, `slugs` and `directories` are by the number of a subject."""

    name: str  # where it is from
    general: Words
    special: tuple[Words, ...]
    anchors: tuple[tuple[str, ...], ...]  # of ordinary links
    slugs: tuple[tuple[str, ...], ...]  # the same, as addresses write them
    directories: tuple[tuple[str, ...], ...]
    verdicts: Mapping[str, tuple[bool, ...]]  # by kind of form: whether each template is taken for a search
    search_recall: float  # what these verdicts amount to
    false_searches: float


@cache
def material(data: Path | None) -> Material:
    """Return what there is: real words and forms if there is data, generated ones otherwise."""
    rng = Random(20_160_101)
    real = _real_words(data) if data else {}
    titles = _titles(data) if data else {}
    special = tuple(_special(subject, real.get(subject, RealWords({}, ())).own, rng) for subject in SUBJECTS)
    general = (real[""].own if real else {}) or _zipf(dict.fromkeys(GENERAL_WORDS.split()))
    words = Words.of(general)
    anchors = tuple(
        _anchors(
            (*titles.get(subject, ()), *(real[subject].anchors if subject in real else ())), own, words, rng
        )
        for subject, own in zip(SUBJECTS, special, strict=True)
    )
    real_verdicts = _verdicts(data) if data else {}
    verdicts = {SEARCH: (True,), **dict.fromkeys(OTHER_KINDS, (False,)), **real_verdicts}
    others = [said for kind in OTHER_KINDS for said in verdicts[kind]]
    return Material(
        name=_name_of(real, real_verdicts),
        general=words,
        special=special,
        anchors=anchors,
        slugs=tuple(tuple(_slug(anchor) for anchor in each) for each in anchors),
        directories=tuple(tuple(filter(_names_a_directory, each.words[:90]))[:60] for each in special),
        verdicts=verdicts,
        search_recall=sum(verdicts[SEARCH]) / len(verdicts[SEARCH]),
        false_searches=sum(others) / len(others),
    )


def invent_word(rng: Random) -> str:
    """Return a word that nobody ever wrote."""
    return "".join(rng.choices(SYLLABLES, k=rng.choice((2, 2, 3)))) + rng.choice(ENDINGS)


def _names_a_directory(word: str) -> bool:
    """Say whether a word may name a directory: it says nothing of a search, and no special page is called so."""
    return not _TELLING.search(word) and word not in UNTOLD_FILES and word not in _SPECIAL_FILES


def _name_of(real: Mapping[str, object], verdicts: Mapping[str, object]) -> str:
    words = "words of SWDE, of books and films" if real else "generated words"
    forms = "verdicts on real forms" if verdicts else "generated verdicts"
    return f"{words}; {forms}"


# Words


@dataclass(frozen=True, slots=True)
class RealWords:
    """What the pages of a vertical say: words by frequency, and anchors."""

    own: Mapping[str, float]
    anchors: tuple[str, ...]


def _special(subject: str, real: Mapping[str, float], rng: Random) -> Words:
    """Return the words of a subject: those written down, those of real pages with as much weight, and a tail of names."""
    written = (TOPIC_WORDS.get(subject) or SUBJECT_WORDS[subject]).split()
    shared = [word for group, words in SHARED_WORDS.items() if subject in group for word in words.split()]
    tail = [invent_word(rng) for _ in range(_TAIL)]
    weights = _zipf(dict.fromkeys([*written[:25], *shared, *written[25:], *tail]))
    if real:
        share = sum(weights.values()) / sum(real.values())
        for word, weight in real.items():
            weights[word] = weights.get(word, 0.0) + weight * share
    return Words.of(weights)


def _zipf(words: Iterable[str]) -> dict[str, float]:
    return {word: 1 / (rank + 4) for rank, word in enumerate(words)}


def _real_words(data: Path) -> dict[str, RealWords]:
    """Return the words of each subject that SWDE has pages on, and under "" those of all."""
    shares: dict[str, dict[str, float]] = {}
    sites: dict[str, Counter[str]] = {}
    anchors: dict[str, list[str]] = {}
    for file in sorted((data / "swde").glob("*.jsonl.xz")):
        subject = _VERTICALS.get(file.name.partition("-")[0])
        if subject is None:
            continue
        counted: Counter[str] = Counter()
        for text, links in _swde_pages(file):
            counted.update(_WORD.findall(text.lower()))
            anchors.setdefault(subject, []).extend(links)
        said = shares.setdefault(subject, {})
        for word, count in counted.items():
            said[word] = said.get(word, 0.0) + count / counted.total()
        sites.setdefault(subject, Counter()).update(counted.keys())
    if not shares:
        return {}
    found = {
        subject: RealWords(
            _own_words(subject, shares, sites[subject]), tuple(dict.fromkeys(anchors[subject]))
        )
        for subject in shares
    }
    return {"": RealWords(_common_words(shares), ()), **found}


def _swde_pages(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the text and the anchors of the first pages of a site."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in islice(lines, _PAGES_OF_A_FILE):
            tree = LexborHTMLParser(json.loads(line)["html"])
            tree.strip_tags(["script", "style", "noscript"])
            links = [" ".join(link.text().split()) for link in tree.css("a")]
            text = tree.body.text(separator=" ") if tree.body else ""
            yield text, [link for link in links if 3 <= len(link) <= 40 and link.isascii()]


def _own_words(
    subject: str, shares: Mapping[str, Mapping[str, float]], sites: Mapping[str, int]
) -> dict[str, float]:
    """Return the words that several sites of a subject use, and much more than the other subjects do."""
    others = [said for other, said in shares.items() if other != subject]
    own = {}
    for word, share in shares[subject].items():
        elsewhere = sum(said.get(word, 0.0) for said in others) / len(others)
        if sites[word] > 1 and len(word) > 3 and share > _OWN * (elsewhere + 1e-5):
            own[word] = share
    return dict(sorted(own.items(), key=lambda each: (-each[1], each[0]))[:_TAIL])


def _common_words(shares: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    spread = Counter(word for said in shares.values() for word in said)
    common = sorted(word for word, count in spread.items() if count >= _COMMON)
    return {word: median(said.get(word, 0.0) for said in shares.values()) + 1e-6 for word in common}


# Anchors


def _titles(data: Path) -> dict[str, tuple[str, ...]]:
    """Return titles of real books and films, as far as they are there."""
    found = {}
    for subject, name, step in (("book", "books", 8), ("movie", "movies", 29)):
        file = data / f"{name}.jsonl.gz"
        if file.is_file():
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                rows = [json.loads(line)["title"] for line in islice(lines, 0, None, step)]
            found[subject] = tuple(title for title in rows if title.isascii() and len(title) <= 40)
    return found


def _anchors(real: Sequence[str], special: Words, general: Words, rng: Random) -> tuple[str, ...]:
    """Return anchors of ordinary links: real ones, filled up with a few words each; none of them speaks of a search."""
    anchors = [anchor for anchor in dict.fromkeys(real) if not _TELLING.search(anchor) and _slug(anchor)]
    rng.shuffle(anchors)
    del anchors[_ANCHORS // 2 :]
    while len(anchors) < _ANCHORS:
        count = rng.choice((1, 2, 2, 3))
        words = special.draw(rng, count) + general.draw(rng, rng.choice((0, 1, 1, 2)))
        anchor = " ".join(words).capitalize()
        if not _TELLING.search(anchor):
            anchors.append(anchor)
    rng.shuffle(anchors)
    return tuple(anchors)


def _slug(anchor: str) -> str:
    return _NOT_IN_SLUG.sub("-", anchor.lower()).strip("-")[:30].strip("-")


# Forms


def _verdicts(data: Path) -> dict[str, tuple[bool, ...]]:
    """Return what the classifier says of real forms, some of each kind; nothing if there are none."""
    from benchmarks._form_data import FILE, KINDS, read_labelled_form  # noqa: PLC0415  it brings all of simweb
    from hiddenweb.forms.classifier import classify  # noqa: PLC0415

    file = data / FILE
    if not file.is_file():
        return {}
    said: dict[str, list[bool]] = {}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            kind = KINDS.get(row["label"], "other")
            if (kind == SEARCH) != bool(row["searchable"]):
                continue
            verdicts = said.setdefault(kind, [])
            if len(verdicts) < _FORMS_OF_A_KIND.get(kind, _FORMS_OF_ANOTHER_KIND):
                verdicts.append(classify(read_labelled_form(row).form).searchable)
    return {kind: tuple(verdicts) for kind, verdicts in said.items()}
