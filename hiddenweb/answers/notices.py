"""What a page without records says: nothing was found, there is no such page, it failed, a session expired, or it blocks us.

Structure decides first (`hiddenweb.answers.cases`); these words distinguish pages of the same structure. They are the usual ones of
search pages, servers and gatekeepers, which the lexicon has in many languages (`answers.*`). The keyword is removed from the text before
it is read: a page that repeats "robot" is no gatekeeper, and a film may be called "Session Expired". All notices but "nothing found"
are searched for on short pages only.

Few sites use the status for a session or a token that has expired (419, 440). Most answer with a page, in words.

A suggestion ("did you mean") needs no words at all: it is a link that queries the same search with almost the same word, or that word
in quotation marks.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_plus, urlsplit

from hiddenweb.language import lexicon
from hiddenweb.language.folding import fold_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.model import HttpQuery, Page

_QUOTED = re.compile(r"[\"“”„«»「」『』‹›]([^\"“”„«»「」『』‹›\n]{3,80})[\"“”„«»「」『』‹›]")
_TITLES_END = re.compile(r"\s[-|–—:·»]\s")
FIRST_WORDS = 10_000  # characters in which a page says whether it found anything; a limit of taste
_LONGEST_NOTICE = 2500  # characters: a page that is only a notice is short; a limit of taste
_LONGEST_WAIT = 300  # characters of a line that wants us to wait; a limit of taste
_MINUTE = 60
_SHORTEST_WORD = 3
"""Characters of the shortest word for which there may be a suggestion; a choice: shorter words resemble many others."""

_ALIKE = 0.72  # share of letters that a suggestion has in common with the keyword


def says_nothing_found(text: str) -> str:
    """Return the words with which a text says that nothing was found, or ""."""
    return _find("answers.nothing_found", text[:FIRST_WORDS]).strip()


def says_missing(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that it does not exist, or "".

    A bare "Not found" as a title is what servers say about pages; an answer would say what was not found.
    """
    title = _TITLES_END.split(page.title)[0].strip()
    is_bare = _bare_not_found().fullmatch(title) and query.keyword.casefold() not in page.text.casefold()
    return title if is_bare else _find_on_short_page("answers.no_such_page", page, query)


def says_failed(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that something went wrong, or ""."""
    return _find_on_short_page("answers.failed", page, query)


def says_blocked(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page blocks us, or ""."""
    return _find_on_short_page("answers.blocked", page, query)


def says_too_many(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that it found too many records to show them, or ""."""
    return _find_on_short_page("answers.too_many", page, query)


def says_expired(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that a session or a token has expired, or ""."""
    return _find_on_short_page("answers.expired", page, query)


def says_script_is_needed(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that only a browser with scripts shows the results, or ""."""
    found = lexicon.search_pattern("answers.needs_script").search(
        drop_words(page.text[:FIRST_WORDS], query.keyword)
    )
    return " ".join(found[0].split()) if found else ""


class RequestedPause(NamedTuple):
    """How long a site wants us to wait, in seconds."""

    seconds: float  # until the next query
    interval: float  # between any two queries


def find_requested_pause(lines: Iterable[str], query: HttpQuery) -> RequestedPause | None:
    """Return how long the lines of a page want us to wait before the next query.

    Forums allow one search in half a minute or so: "only one search every 30 seconds, please wait another 12 seconds".
    """
    for line in lines:
        text = drop_words(line, query.keyword)
        if len(text) <= _LONGEST_WAIT and lexicon.search_pattern("answers.wait").search(text):
            times = [seconds for found in _pause().finditer(text) if (seconds := _seconds_of(found)) > 0]
            if times:
                return RequestedPause(times[-1], max(times))
    return None


def _seconds_of(found: re.Match[str]) -> float:
    return float(found["number"]) * (_MINUTE if found["minutes"] else 1)


def find_suggestion(page: Page, query: HttpQuery) -> str:
    """Return the words that a page without records suggests instead of the keyword, and that resemble it; or ""."""
    keyword = query.keyword.strip()
    if len(keyword) < _SHORTEST_WORD:
        return ""
    for words in (*_queries_of_links(page, query), *_QUOTED.findall(page.text[:FIRST_WORDS])):
        if words.strip().lower() != keyword.lower() and _is_alike(_fold(words), _fold(keyword)):
            return " ".join(words.split())
    return ""


def drop_words(text: str, words: str) -> str:
    """Return a text without some words, in upper or lower case."""
    return re.sub(re.escape(words), " ", text, flags=re.IGNORECASE) if words.strip() else text


def _find_on_short_page(purpose: str, page: Page, query: HttpQuery) -> str:
    """Return the phrase for a purpose that a short page has, or a long page has in its title; or ""."""
    text = f"{page.title}\n{page.text}"
    for form in page.forms:
        text = text.replace(form.text, " ", 1) if form.text else text
    if len(text) > _LONGEST_NOTICE:
        text = page.title
    return " ".join(_find(purpose, drop_words(text, query.keyword)).split())


@lru_cache(maxsize=64)
def _find(purpose: str, text: str) -> str:
    """Return the first phrase for a purpose in a text; cached, since judging a page looks for the same phrases several times."""
    found = lexicon.search_pattern(purpose).search(text)
    return found[0] if found else ""


@cache
def _bare_not_found() -> re.Pattern[str]:
    return re.compile(rf"(?:{lexicon.alternatives('answers.bare_not_found')})[.!]?", re.IGNORECASE)


@cache
def _pause() -> re.Pattern[str]:
    """A number of seconds or minutes."""
    seconds, minutes = lexicon.alternatives("answers.seconds"), lexicon.alternatives("answers.minutes")
    return re.compile(
        rf"(?<![\d.,])(?P<number>\d{{1,4}})\s*(?:(?P<seconds>{seconds})|(?P<minutes>{minutes}))",
        re.IGNORECASE,
    )


def _queries_of_links(page: Page, query: HttpQuery) -> Iterator[str]:
    """Yield the words that links of a page submit to the same search."""
    path = urlsplit(query.url).path
    for link in page.links:
        parts = urlsplit(link.url)
        if parts.path.partition(";")[0] != path.partition(";")[0]:
            continue
        values = [
            unquote_plus(pair.partition("=")[2], errors="replace") for pair in re.split("[&;]", parts.query)
        ]
        anchor = _fold(link.anchor)
        yield from (value for value in values if value and _fold(value) in anchor)


def _fold(words: str) -> str:
    return fold_line(words)


def _is_alike(words: str, keyword: str) -> bool:
    if min(len(words), len(keyword)) > _SHORTEST_WORD and (words in keyword or keyword in words):
        return True
    if abs(len(words) - len(keyword)) > max(2, len(keyword) // 3):
        return False
    return SequenceMatcher(None, words, keyword, autojunk=False).ratio() >= _ALIKE
