"""Which pages of a sitemap go into the frontier.

A sitemap may name pages that no link leads to, among them perhaps the one with the search. It may also name a million pages that links lead to
anyway. So a bounded number is taken, of every kind of address in turn, those nearest to the root first. They wait behind the pages of ordinary links,
except for addresses that name a search.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hiddenweb.frontier.deferral import leads_to_variant
from hiddenweb.frontier.scope import FIRST, LAST, reason_to_ignore
from hiddenweb.language import lexicon
from hiddenweb.model import Link, TaskSeed
from hiddenweb.urls import kind_of_address

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.frontier.scope import FrontierScope
    from hiddenweb.model import CrawlTask

SITEMAPS = LAST - 1
"""The bucket of sitemaps, and of the pages that they name."""


def pages_to_follow(urls: Iterable[str], task: CrawlTask, rules: FrontierScope, most: int) -> list[TaskSeed]:
    """Return the links to pages of a sitemap that are worth a visit, at most so many."""
    kinds: dict[str, list[str]] = {}
    for url in dict.fromkeys(urls):
        if reason_to_ignore(url, rules) is None:
            kinds.setdefault(kind_of_address(url), []).append(url)
    nearest = sorted(kinds.values(), key=lambda kind: kind[0].count("/"))
    in_turn = (url for url in chain.from_iterable(zip_longest(*nearest)) if url is not None)
    hops = task.hops + 1
    return [TaskSeed(url, "page", _bucket(url), hops, parent=task.link) for url in islice(in_turn, most)]


def _bucket(url: str) -> int:
    if leads_to_variant(Link(url), url):
        return LAST
    return FIRST + 1 if names_search(url) else SITEMAPS


def names_search(url: str) -> bool:
    """Say whether the last part of an address names a search, in one of many languages.

    >>> names_search("http://a.example/erweiterte-suche.html"), names_search("http://a.example/research/")
    (True, False)
    """
    return _search_word().search(unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])) is not None


@cache
def _search_word() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])(?:{lexicon.alternatives('paths.search')})(?![^\W\d_])", re.IGNORECASE)
