"""What a page without records says of itself: nothing was found, there is no such page, it failed, a session expired, or it keeps us out.

Structure decides first (`hiddenweb.answers.cases`); these words tell apart what looks the same. They are the usual ones of
search pages, servers and gatekeepers, which the lexicon has in many languages (`answers.*`). What was asked for is taken out of the text
before it is read: a page that repeats "robot" is no gatekeeper, and a film may be called "Session Expired". All but what says that nothing was
found is looked for on short pages only.

Few sites use the status that would say that a session or a token is not good any more (419, 440). Most answer with a page, in words.

A suggestion ("did you mean") needs no words at all: it is a link that asks the same search for almost the same word, or that word in
quotation marks.
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
_LONGEST_NOTICE = 2500  # characters: a page that only says that it is none is short; a limit of taste
_LONGEST_WAIT = 300  # characters of a line that asks to wait; a limit of taste
_MINUTE = 60
_SHORTEST_WORD = 3
"""Characters of the shortest word for which a suggestion is looked for; a choice: shorter words are like many others."""

_ALIKE = 0.72  # share of letters that a suggestion has in common with what was asked


def says_nothing_found(text: str) -> str:
    """Return the words with which a text says that nothing was found, or nothing."""
    return _find("answers.nothing_found", text[:FIRST_WORDS]).strip()


def says_missing(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that it does not exist, or nothing.

    A bare "Not found" for a title is what servers say of pages; an answer would say what it did not find.
    """
    title = _TITLES_END.split(page.title)[0].strip()
    is_bare = _bare_not_found().fullmatch(title) and query.keyword.casefold() not in page.text.casefold()
    return title if is_bare else _find_on_short_page("answers.no_such_page", page, query)


def says_failed(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that something went wrong, or nothing."""
    return _find_on_short_page("answers.failed", page, query)


def says_blocked(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page keeps us out, or nothing."""
    return _find_on_short_page("answers.blocked", page, query)


def says_too_many(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page shows nothing of what was found because it is too much, or nothing."""
    return _find_on_short_page("answers.too_many", page, query)


def says_expired(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that a session or a token is not good any more, or nothing."""
    return _find_on_short_page("answers.expired", page, query)


def says_script_is_needed(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that only a browser with scripts shows what was found, or nothing."""
    found = lexicon.search_pattern("answers.needs_script").search(
        drop_words(page.text[:FIRST_WORDS], query.keyword)
    )
    return " ".join(found[0].split()) if found else ""


class RequestedPause(NamedTuple):
    """How long a site wants to be left in peace, in seconds."""

    seconds: float  # until the next question
    interval: float  # between any two questions


def find_requested_pause(lines: Iterable[str], query: HttpQuery) -> RequestedPause | None:
    """Return how long the lines of a page want us to wait before it is asked again.

    Forums let nobody search more than once in half a minute or so: "only one search every 30 seconds, please wait another 12 seconds".
    """
    for line in lines:
        said = drop_words(line, query.keyword)
        if len(said) <= _LONGEST_WAIT and lexicon.search_pattern("answers.wait").search(said):
            times = [seconds for found in _pause().finditer(said) if (seconds := _seconds_of(found)) > 0]
            if times:
                return RequestedPause(times[-1], max(times))
    return None


def _seconds_of(found: re.Match[str]) -> float:
    return float(found["number"]) * (_MINUTE if found["minutes"] else 1)


def find_suggestion(page: Page, query: HttpQuery) -> str:
    """Return the words that a page without records would rather be asked: almost those that were asked."""
    asked = query.keyword.strip()
    if len(asked) < _SHORTEST_WORD:
        return ""
    for words in (*_queries_of_links(page, query), *_QUOTED.findall(page.text[:FIRST_WORDS])):
        if words.strip().lower() != asked.lower() and _is_alike(_fold(words), _fold(asked)):
            return " ".join(words.split())
    return ""


def drop_words(text: str, words: str) -> str:
    """Return a text without what was asked for, in whatever case it is written."""
    return re.sub(re.escape(words), " ", text, flags=re.IGNORECASE) if words.strip() else text


def _find_on_short_page(purpose: str, page: Page, query: HttpQuery) -> str:
    """Return the words for a purpose that a page says if it is short, or else in its title; or nothing."""
    text = f"{page.title}\n{page.text}"
    for form in page.forms:
        text = text.replace(form.text, " ", 1) if form.text else text
    if len(text) > _LONGEST_NOTICE:
        text = page.title
    return " ".join(_find(purpose, drop_words(text, query.keyword)).split())


@lru_cache(maxsize=64)
def _find(purpose: str, text: str) -> str:
    """Return the first words for a purpose in a text. A page is asked the same several times, on the way to what it is."""
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
    """Yield what the links of a page ask the same search for."""
    path = urlsplit(query.url).path
    for link in page.links:
        parts = urlsplit(link.url)
        if parts.path.partition(";")[0] != path.partition(";")[0]:
            continue
        values = [
            unquote_plus(pair.partition("=")[2], errors="replace") for pair in re.split("[&;]", parts.query)
        ]
        told = _fold(link.anchor)
        yield from (value for value in values if value and _fold(value) in told)


def _fold(words: str) -> str:
    return fold_line(words)


def _is_alike(words: str, asked: str) -> bool:
    if min(len(words), len(asked)) > _SHORTEST_WORD and (words in asked or asked in words):
        return True
    if abs(len(words) - len(asked)) > max(2, len(asked) // 3):
        return False
    return SequenceMatcher(None, words, asked, autojunk=False).ratio() >= _ALIKE
