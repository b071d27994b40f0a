"""Whether two pages are one page: they say the same, but for what a reader would not notice.

How similar two texts are does not decide it. Of a text with three words in a hundred changed the copy has a Jaccard similarity of
0.75 to 0.85, and so have two records of one template that differ in a name and a price. What differs decides:

- **The title.** Pages with different titles are different pages.
- **How much.** Of the words at most `MAX_CHANGED_SHARE` and one more may differ.
- **Names.** Where one word stands at several places of one page and another word at just those places of the other, it names
  what the page is about.
- **Numbers.** A few plain numbers, a counter or a date, may differ if nothing else does. Otherwise, numbers may differ no
  more often than other words: prices, sizes and codes are what records of a template differ in.
- **Values.** What is changed within running text, a line of many words of which most stay, is a revision. What fills a short
  line or the cell of a table is a value, and a page with another value is about something else,
- **unless the template is known.** Other pages of the template that bear other titles show that titles tell pages apart there, and which words are
  the template's. If two pages that have one title share nearly all of the words that those have not, they are one page with some noise.

The texts are aligned word by word in one pass: where they part, the nearest place where two words in a row agree again is looked for. The reason
is given in words. Nothing is learnt and nothing is remembered: two texts are always judged alike.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


MAX_CHANGED_SHARE = 0.06
"""Of this share of the words a copy may differ: twice what is wanted to be found, for chance is uneven."""

MIN_WORDS = 20
"""Shorter texts are one page only if they are equal: one word is then more than a twentieth of the text. A limit of taste."""

RUNNING_WORDS = 8
"""From so many words on a line is running text and not a value; from twice as many characters in a script without spaces. A limit of taste."""

MIN_OWN_SHARED = 0.8
"""Of the words that the template has not, two pages of one title share so many at least if they are one page. A limit of taste."""

MAX_NUMBERS = 2
"""Places where plain numbers may differ if nothing else does; and not more than one number to a hundred words. A limit of taste."""

_STRIDE = 16  # words that are compared at once, for speed only
_WINDOW = 40  # words that may be missing or new in a row: a limit of taste
_MIN_OWN_WORDS = 10  # words: with fewer of its own nothing can be said about a page; a limit of taste


@dataclass(frozen=True, slots=True)
class DuplicateVerdict:
    """Whether two pages are one, and why, for people to read."""

    same: bool
    why: str


@dataclass(frozen=True, slots=True)
class _ComparedText:
    """A text as it is compared."""

    words: list[str]
    starts: list[int]  # where each line or cell begins

    def lines(self, start: int, end: int) -> Iterator[tuple[list[str], list[str]]]:
        """Yield the lines in which a run of words stands, each with those of the words that stand in it."""
        while start < end:
            line = bisect_right(self.starts, start)
            close = self.starts[line] if line < len(self.starts) else len(self.words)
            yield self.words[self.starts[line - 1] : close], self.words[start : min(end, close)]
            start = close


@dataclass(frozen=True, slots=True)
class _Difference:
    """Where two texts part: words of one, words of the other."""

    start: int
    end: int
    other_start: int
    other_end: int

    @property
    def size(self) -> int:
        return max(self.end - self.start, self.other_end - self.other_start)


def compare_texts(
    text: str, other: str, *, title: str = "", other_title: str = "", elsewhere: Iterable[str] = ()
) -> DuplicateVerdict:
    """Say whether two pages are one; `elsewhere` are texts of pages of their template that have other titles."""
    if title.split() != other_title.split():
        return DuplicateVerdict(False, f"their titles differ: {_quote(title)} and {_quote(other_title)}")
    if far := _why_far_apart(text, other):
        return DuplicateVerdict(False, far)
    one, two = _split_lines(text), _split_lines(other)
    if one.words == two.words:
        return DuplicateVerdict(True, "they say exactly the same")
    most = max(len(one.words), len(two.words))
    if most < MIN_WORDS:
        return DuplicateVerdict(False, f"they differ, and have only {most} words")
    found = _find_differences(one.words, two.words, _max_changed(most))
    if found is None:
        return DuplicateVerdict(
            False, f"more than {_max_changed(most)} of {most} words differ, or stand elsewhere"
        )
    return _judge_differences(one, two, found, (text, other), elsewhere)


def _judge_differences(
    one: _ComparedText,
    two: _ComparedText,
    found: list[_Difference],
    texts: tuple[str, str],
    elsewhere: Iterable[str],
) -> DuplicateVerdict:
    most = max(len(one.words), len(two.words))
    changed = sum(each.size for each in found)
    pairs = [
        (one.words[each.start : each.end], two.words[each.other_start : each.other_end]) for each in found
    ]
    numbers = sum(any(map(_has_digit, before)) and any(map(_has_digit, after)) for before, after in pairs)
    if (
        len(found) <= MAX_NUMBERS
        and changed <= most // 100
        and all(_only_numbers_differ(one, two, each) for each in found)
    ):
        return DuplicateVerdict(True, f"nothing but numbers differs: {_quote_pair(*pairs[0])}")
    if name := _find_renamed(one, two, pairs):
        return DuplicateVerdict(
            False, f"they are about different things: {_quote_pair(*name)}, wherever that stands"
        )
    if numbers > 1 and numbers > 1 + 3 * len(found) * sum(map(_has_digit, one.words)) / len(one.words):
        return DuplicateVerdict(False, f"too many numbers differ: {numbers} of {len(found)} differences")
    value = next((pair for each, pair in zip(found, pairs, strict=True) if _is_value(one, two, each)), None)
    if value is None:
        return DuplicateVerdict(True, f"{changed} of {most} words differ, all of them in running text")
    return _compare_own_words(*texts, elsewhere) or DuplicateVerdict(
        False, f"a value differs: {_quote_pair(*value)}"
    )


def _compare_own_words(text: str, other: str, elsewhere: Iterable[str]) -> DuplicateVerdict | None:
    """Say that two pages are one if what other pages of the site have not is nearly the same in both."""
    known = {word for page in elsewhere for word in _words(page)}
    if not known:
        return None
    own, others = (Counter(word for word in _words(page) if word not in known) for page in (text, other))
    least, shared = min(own.total(), others.total()), (own & others).total()
    if least < _MIN_OWN_WORDS or shared < MIN_OWN_SHARED * least:
        return None
    return DuplicateVerdict(
        True, f"they share {shared} of {least} words that other pages of the site have not"
    )


# Steps

_WITHOUT_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_UNSPACED = re.compile(f"[{_WITHOUT_SPACES}]")
_WORD = re.compile(f"[{_WITHOUT_SPACES}]|[^\\s{_WITHOUT_SPACES}]+")
_PLAIN_NUMBER = re.compile(r"\W*\d[\d.,:/-]*(?:st|nd|rd|th|[ap]m)?\W*", re.IGNORECASE)
_MONEY_OR_SHARE = re.compile(r"[%‰$€£¥₹₽₩¢]|^(?:EUR|USD|GBP|CHF|JPY|CNY|INR)$")
_DIGIT = re.compile(r"\d")
_LINE = re.compile(r"[^\n\t]+")


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _why_far_apart(text: str, other: str) -> str:
    """Return why two texts in a script with spaces are clearly not one, which is seen at a glance; nothing if they may be."""
    if any(not each.isascii() and _UNSPACED.search(each) for each in (text, other)):
        return ""
    words, others = text.split(), other.split()
    one, two = set(words), set(others)
    changed, most = max(len(one - two), len(two - one)), max(len(words), len(others))
    return f"at least {changed} of {most} words differ" if changed > _max_changed(most) else ""


def _max_changed(words: int) -> int:
    return 1 + int(MAX_CHANGED_SHARE * words)


def _split_lines(text: str) -> _ComparedText:
    words: list[str] = []
    starts: list[int] = []
    for line in _LINE.findall(text):
        starts.append(len(words))
        words += _words(line)
    return _ComparedText(words, starts)


def _length(words: Sequence[str]) -> int:
    """Return how many words there are, two characters of a script without spaces being one."""
    letters = "".join(words)
    characters = 0 if letters.isascii() else len(_UNSPACED.findall(letters))
    return len(words) - characters + characters // 2


def _find_differences(one: Sequence[str], two: Sequence[str], most: int) -> list[_Difference] | None:
    """Return where two texts part; None if more words differ than may, or they do not come together again."""
    found: list[_Difference] = []
    i = j = changed = 0
    while i < len(one) or j < len(two):
        if i < len(one) and j < len(two) and one[i] == two[j]:
            step = _STRIDE if one[i : i + _STRIDE] == two[j : j + _STRIDE] else 1
            i, j = i + step, j + step  # past both ends, if at all
            continue
        met = _next_agreement(one, two, i, j)
        if met is None:
            return None
        found.append(_Difference(i, met[0], j, met[1]))
        changed += found[-1].size
        if changed > most:
            return None
        i, j = met
    return found


def _next_agreement(one: Sequence[str], two: Sequence[str], i: int, j: int) -> tuple[int, int] | None:
    """Return the nearest places from which two words in a row agree, or where both texts end."""
    for distance in range(1, 2 * _WINDOW):
        for ahead in _offsets(distance):
            a, b = i + ahead, j + distance - ahead
            if a > len(one) or b > len(two):
                continue
            if one[a : a + 2] == two[b : b + 2]:
                return a, b
    return None


@cache
def _offsets(distance: int) -> tuple[int, ...]:
    """Return how to share a distance between two texts, halves first: a word is replaced more often than dropped."""
    return tuple(sorted(range(distance + 1), key=lambda ahead: abs(2 * ahead - distance)))


def _is_value(one: _ComparedText, two: _ComparedText, each: _Difference) -> bool:
    """Say whether a difference fills a short line or cell, or most of a longer one."""
    return not (
        _is_running_text(one, each.start, each.end)
        and _is_running_text(two, each.other_start, each.other_end)
    )


def _is_running_text(text: _ComparedText, start: int, end: int) -> bool:
    """Say whether words stand in lines of running text and are at most half of each; no words stand anywhere."""
    return all(
        (length := _length(line)) >= RUNNING_WORDS and 2 * _length(within) <= length
        for line, within in text.lines(start, end)
    )


def _find_renamed(
    one: _ComparedText, two: _ComparedText, pairs: Sequence[tuple[list[str], list[str]]]
) -> tuple[list[str], list[str]] | None:
    """Return a word and the one that takes its place wherever it stands, if there are such."""
    replaced = Counter(
        each
        for before, after in pairs
        if len(before) == len(after)
        for each in zip(before, after, strict=True)
    )
    for (word, instead), times in replaced.items():
        if times < 2 or _are_plain_numbers([word], [instead]):
            continue
        if one.words.count(word) == times == two.words.count(instead) and word not in two.words:
            return [word], [instead]
    return None


def _only_numbers_differ(one: _ComparedText, two: _ComparedText, each: _Difference) -> bool:
    """Say whether nothing but numbers differs, and these are no sums of money and no shares."""
    before, after = one.words[each.start : each.end], two.words[each.other_start : each.other_end]
    beside = one.words[max(each.start - 1, 0) : each.start] + one.words[each.end : each.end + 1]
    return _are_plain_numbers(before, after) and not any(map(_MONEY_OR_SHARE.search, beside))


def _are_plain_numbers(before: Sequence[str], after: Sequence[str]) -> bool:
    return len(before) == len(after) and all(
        _PLAIN_NUMBER.fullmatch(word) and not _MONEY_OR_SHARE.search(word) for word in (*before, *after)
    )


def _has_digit(word: str) -> bool:
    return _DIGIT.search(word) is not None


def _quote_pair(before: Sequence[str], after: Sequence[str]) -> str:
    return f"{_quote(' '.join(before))} and {_quote(' '.join(after))}"


def _quote(text: str) -> str:
    text = " ".join(text.split())
    return f"“{text if len(text) <= 60 else text[:59] + '…'}”" if text else "nothing"
