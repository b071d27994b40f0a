"""Which links of a site wait behind all others: those to pages that repeat others, or have no search form.

A site has many addresses for one thing: lists in another order or with more rows, versions to print, to download or to compare, raw
files, feeds, months of a calendar. They are followed, but last. Two things distinguish them.

The address, before the page is fetched: it names such a view, it is a file of text or source, the link is marked as leading to an
alternate version, or it repeats the address of its page with one more parameter that sorts or arranges.

And the pages of similar addresses. Addresses are of one kind if they differ only in numbers and in values that are no plain words. A page is
fruitful if it has a new form, leads to an unknown kind of address, or has a fair share of new words. When the first few pages of a kind were
fruitless, the others wait; a fruitful one ends that. Parameters may also form a kind over all pages of a folder.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hiddenweb.language import lexicon
from hiddenweb.urls import end_of_host, shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.model import Link

FEWEST = 3
"""Fruitless pages of a kind after which the others wait. A limit of taste."""

NEW_WORDS, NEW_SHARE = 2, 0.1
"""How many words of a page, and which share of them, must be new to its site. Even a short record has so many; the next month of a calendar has not. A limit of taste."""

ENOUGH = 10
"""Fruitful pages of a kind after which counting ends. A limit of taste."""

MOST_SITES, MOST_KINDS, MOST_WORDS = 32, 1_000, 5_000
"""How many sites are remembered, and of each how many kinds of addresses and words. A limit of taste."""

MOST_TEXT = 4_000
"""Letters at the beginning of a page whose words are counted. A limit of taste."""

FIRST_ALONE = 50
"""Pages of unique addresses whose words are counted: they show what all pages of a site say. A limit of taste."""

MOST_VALUES = 30
"""Different plain values of the same parameters, beyond which they distinguish no kinds. A limit of taste."""

_ACTION = re.compile(
    r"a|ac|act|action|do|op|cmd|command|task|mode|view|fmt|format|output|export|as|service|method|func|function|verb",
    re.IGNORECASE,
)
_ENDINGS = (
    r"c|cc|cpp|cxx|h|hh|hpp|cs|java|kt|go|rs|rb|py|pyi|pm|lua|swift|m4|mk|am|ac|in|sh|bash|bat|ps1|el|lisp|hs|ml|scala|ts|tsx|jsx|vue"
    r"|md|rst|adoc|tex|log|diff|patch|cfg|conf|ini|toml|yaml|yml|lock|sql|po|pot|csv|tsv|json|xml|xsd|xsl|txt|ics|rdf|bib|ris|eml|mbox"
)
_FILE = re.compile(rf".+\.(?:{_ENDINGS})", re.IGNORECASE)
_ARRANGED_BY = "(?:[-_]?(?:by|dir|direction|order|key|col|column|field))?"
_ARRANGING = (
    r"(?:by|s)?order[-_]?by"
    r"|(?:per|items?|rows?|results?|entries)[-_]?(?:per[-_]?)?page|page[-_]?(?:size|len|length)|limit|view[-_]?(?:as|mode|type)|layout|theme|skin"
    r"|lang|language|locale|hl|uselang|setlang|format|output|mobile|reverse|expand|collapse|toggle|group[-_]?by"
)
_BETWEEN = re.compile("[/?&;=.]")
_COUNTED = re.compile(r"[\d?]")
_PLAIN = re.compile(r"[a-z][a-z_-]{0,19}")
_SEPARATOR = re.compile("[&;]")


def leads_to_variant(link: Link, page_url: str) -> bool:
    """Say whether a link leads to another view of something, by its rel and its address.

    >>> from hiddenweb.model import Link
    >>> leads_to_variant(Link("http://a.example/list?q=1&sort=name"), "http://a.example/list?q=1")
    True
    >>> leads_to_variant(Link("http://a.example/list?q=1&page=2"), "http://a.example/list?q=1")
    False
    >>> leads_to_variant(Link("http://a.example/r/raw/main/COPYING"), "http://a.example/r")
    True
    """
    if link.rel and "alternate" in link.rel.split():
        return True
    url = link.url
    if not _may_be_view(url[end_of_host(url) :].lower()) and (
        "?" not in url or page_url.partition("?")[0] != url.partition("?")[0]
    ):
        return False  # the quick way out for most links
    parts = urlsplit(url)
    values = list(_parameters(parts.query))
    return (
        _is_view([unquote(segment) for segment in parts.path.split("/") if segment])
        or any(_names_view(name, value) for name, value in values)
        or _arranges(parts.path, values, page_url)
    )


def _may_be_view(path: str) -> bool:
    """Say whether it is worth splitting an address."""
    return "diff" in path or "annotate" in path or not _signs().isdisjoint(_BETWEEN.split(path))


def _is_view(segments: list[str]) -> bool:
    """Say whether a path leads to a file, or to a view of what its beginning names; a single word may be the name of a page."""
    if segments and _FILE.fullmatch(segments[-1]):
        return True
    if len(segments) < 2:
        return False
    return _view().fullmatch(segments[-1]) is not None or any(map(_view_anywhere().fullmatch, segments[:-1]))


def _names_view(name: str, value: str) -> bool:
    return _view().fullmatch(name) is not None or (
        _ACTION.fullmatch(name) is not None and _view().fullmatch(value) is not None
    )


def _arranges(path: str, values: list[tuple[str, str]], page_url: str) -> bool:
    """Say whether an address differs from that of its page only in parameters for how it is shown."""
    page = urlsplit(page_url)
    if path != page.path:
        return False
    before = set(_parameters(page.query))
    added = [name for name, value in values if (name, value) not in before]
    return bool(added) and all(_arranging().fullmatch(name) for name in added)


@cache
def _view_anywhere() -> re.Pattern[str]:
    """What names a view wherever it stands in a path."""
    return lexicon.search_pattern("paths.views_anywhere")


@cache
def _view() -> re.Pattern[str]:
    """What names a view at the end of a path, after what is viewed."""
    views = f"{lexicon.alternatives('paths.views_anywhere')}|{lexicon.alternatives('paths.views')}"
    return re.compile(rf"(?:{views})(?:\.\w{{2,5}})?", re.IGNORECASE)


@cache
def _arranging() -> re.Pattern[str]:
    """What parameters are called that say how a list is shown."""
    return re.compile(rf"(?:{lexicon.alternatives('paths.order')}){_ARRANGED_BY}|{_ARRANGING}", re.IGNORECASE)


@cache
def _signs() -> frozenset[str]:
    """Words one of which every address has that may name a view."""
    views = (*lexicon.phrases("paths.views_anywhere"), *lexicon.phrases("paths.views"), *_ENDINGS.split("|"))
    return frozenset(
        spelling for word in views for spelling in ((word[:-1], word[:-2]) if word.endswith("?") else (word,))
    )


def _parameters(query: str) -> Iterator[tuple[str, str]]:
    for part in _SEPARATOR.split(query):
        name, _, value = part.partition("=")
        if name:
            yield name, unquote(value)


@dataclass(slots=True)
class _UrlKind:
    read: int = 0
    fruitful: int = 0
    was_passed: bool = False  # its first page was not counted

    @property
    def is_fruitless(self) -> bool:
        return self.read >= FEWEST and not self.fruitful


@dataclass(slots=True)
class _SiteUrlKinds:
    """What is known of the addresses of one site."""

    kinds: OrderedDict[str, _UrlKind] = field(default_factory=OrderedDict)
    values: dict[str, set[str]] = field(default_factory=dict)
    words: set[int] = field(default_factory=set)
    forms: set[int] = field(default_factory=set)
    fruitless: int = 0  # kinds
    alone: int = 0  # pages of unique addresses whose words were counted

    def kinds_of(self, url: str) -> tuple[str, ...]:
        """Return the kinds of an address, the narrowest first: with the plain words among its parameters, without, and without the last part of its path."""
        wide = shape(url)
        query = url.partition("?")[2]
        if not query:
            return (wide,)
        views = f"{wide[: wide.rfind('/', 0, wide.find('?'))]}/*{wide[wide.find('?') :]}"
        plain = "&".join(f"{name}={value}" for name, value in _parameters(query) if _PLAIN.fullmatch(value))
        if not plain:
            return wide, views
        values = self.values.setdefault(wide, set())
        if len(values) <= MOST_VALUES:
            values.add(plain)
        return (wide, views) if len(values) > MOST_VALUES else (f"{wide} {plain}", wide, views)

    def kind(self, name: str) -> _UrlKind:
        found = self.kinds.get(name)
        if found is None:
            found = self.kinds[name] = _UrlKind()
            if len(self.kinds) > MOST_KINDS:
                self.values.pop(self.kinds.popitem(last=False)[0], None)
        return found

    def is_settled(self, url: str) -> bool:
        """Say whether the worth of similar pages is known."""
        names = self.kinds_of(url)
        if names == (url,):  # its address is unique
            return self.alone >= FIRST_ALONE
        return all(name in self.kinds and self.kinds[name].fruitful >= ENOUGH for name in names)

    def is_fruitless(self, kinds: Iterable[str]) -> bool:
        return any(name in self.kinds and self.kinds[name].is_fruitless for name in kinds)

    def add_words(self, text: str) -> bool:
        """Add the words of a page; say whether many of them are new."""
        words = set(map(hash, text[:MOST_TEXT].lower().split()))
        new = words - self.words
        room = MOST_WORDS - len(self.words)
        self.words.update(list(new)[:room] if len(new) > room else new)
        return len(new) >= NEW_WORDS and len(new) >= NEW_SHARE * len(words)


class DeferrableLinks:
    """The links of one page, one after the other."""

    def __init__(self, site: _SiteUrlKinds, page_url: str) -> None:
        self._site = site
        self._url = page_url
        self._is_settled = site.is_settled(page_url)
        self.has_new_kind = False  # of address

    def can_wait(self, link: Link) -> bool:
        """Say whether a link of the page waits behind all others."""
        if leads_to_variant(link, self._url):
            return True
        if self._is_settled and not self._site.fruitless:  # its kind makes no difference
            return False
        if _COUNTED.search(link.url, end_of_host(link.url)) is None:  # its address is unique
            self.has_new_kind = True
            return False
        kinds = self._site.kinds_of(link.url)
        if kinds[0] not in self._site.kinds:
            self._site.kind(kinds[0])
            self.has_new_kind = True
        return self._site.is_fruitless(kinds)


class LinkDeferral:
    """Finds the links that can wait, and learns from the pages that were read which they are."""

    def __init__(self) -> None:
        self._sites: OrderedDict[int, _SiteUrlKinds] = OrderedDict()

    def links_of(self, site: int, page_url: str) -> DeferrableLinks:
        """Return what judges the links of a page."""
        return DeferrableLinks(self._site(site), page_url)

    def is_fruitless(self, site: int, url: str) -> bool:
        """Say whether the pages of an address's kind were fruitless so far."""
        kinds = self._site(site)
        return kinds.is_fruitless(kinds.kinds_of(url))

    def learn(
        self,
        site: int,
        url: str,
        text: str,
        forms: Iterable[int] = (),
        *,
        leads_on: bool = False,
        is_repeated: bool = False,
    ) -> bool:
        """Learn from a page, with the hashes of its forms, what its kind is worth; say whether others of its kind wait from now on.

        leads_on: one of its links leads to a new kind of address; is_repeated: another page says the same.
        """
        site_kinds = self._site(site)
        names = site_kinds.kinds_of(url)
        if names == (url,):  # its address is unique; but other pages may repeat it
            if site_kinds.alone < FIRST_ALONE:
                site_kinds.alone += 1
                site_kinds.add_words(text)
                site_kinds.forms.update(forms)
            return False
        kinds = [site_kinds.kind(name) for name in names]
        if all(kind.fruitful >= ENOUGH for kind in kinds):
            return False
        if not any(kind.read or kind.was_passed for kind in kinds):  # perhaps its address is unique after all
            if site_kinds.alone >= FIRST_ALONE:
                for kind in kinds:
                    kind.was_passed = True
                return False
            site_kinds.alone += 1
        new_forms = set(forms) - site_kinds.forms
        site_kinds.forms.update(new_forms)
        has_new_words = site_kinds.add_words(text)
        is_fruitful = bool(new_forms) or leads_on or (has_new_words and not is_repeated)
        were_fruitless = [kind.is_fruitless for kind in kinds]
        for kind in kinds:
            kind.read += 1
            kind.fruitful += is_fruitful
        site_kinds.fruitless += sum(kind.is_fruitless for kind in kinds) - sum(were_fruitless)
        return any(kind.is_fruitless and not was for kind, was in zip(kinds, were_fruitless, strict=True))

    def _site(self, site: int) -> _SiteUrlKinds:
        kinds = self._sites.get(site)
        if kinds is None:
            kinds = self._sites[site] = _SiteUrlKinds()
            if len(self._sites) > MOST_SITES:
                self._sites.popitem(last=False)
        else:
            self._sites.move_to_end(site)
        return kinds
