"""Whether two pages are near duplicates: they say the same, apart from what a reader would not notice.

The similarity of two texts does not decide. A copy with three changed words in a hundred has a Jaccard similarity of 0.75 to 0.85, and
so have two records of one template that differ in a name and a price. What differs decides:

- **The title.** Pages with different titles are different pages.
- **How much.** At most `MAX_CHANGED_SHARE` of the words and one more may differ.
- **Names.** If one word stands at several places of one page and another word at just those places of the other, it names the subject
  of the page.
- **Numbers.** A few plain numbers, a counter or a date, may differ if nothing else does. Otherwise, numbers may not differ more
  often than other words: records of one template differ in prices, sizes and codes.
- **Values.** A change within running text, a line of many words of which most stay, is a revision. A text that fills a short line or
  the cell of a table is a value, and a page with another value is about something else,
- **unless the template is known.** Other pages of the template with other titles show that titles distinguish pages there, and which
  words belong to the template. If two pages with one title share nearly all words that are not in the template, they are near duplicates.

The texts are aligned word by word in one pass: after a difference, the nearest place is searched where two words in a row agree again. The
reason is given in words. Nothing is learnt: the verdict on two texts is always the same.
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
"""The share of the words in which a copy may differ: twice the share that we want to find, since changes are not spread evenly."""

MIN_WORDS = 20
"""Shorter texts are near duplicates only if they are equal: one word is more than a twentieth of them. A limit of taste."""

RUNNING_WORDS = 8
"""A line of so many words is running text and not a value; in a script without spaces, of twice as many characters. A limit of taste."""

MIN_OWN_SHARED = 0.8
"""Near duplicates share at least this part of the words that are not in the template. A limit of taste."""

MAX_NUMBERS = 2
"""Places where plain numbers may differ if nothing else does; and at most one number in a hundred words. A limit of taste."""

_STRIDE = 16  # words that are compared at once, for speed only
_WINDOW = 40  # words that may be missing or new in a row: a limit of taste
_MIN_OWN_WORDS = 10  # a page with fewer words of its own cannot be judged by them; a limit of taste


@dataclass(frozen=True, slots=True)
class DuplicateVerdict:
    """Whether two pages are near duplicates, and why, for people to read."""

    same: bool
    why: str


@dataclass(frozen=True, slots=True)
class _ComparedText:
    """The words of a text, in lines."""

    words: list[str]
    starts: list[int]  # where each line or cell begins

    def lines(self, start: int, end: int) -> Iterator[tuple[list[str], list[str]]]:
        """Yield the lines that have words of a run, each with these words."""
        while start < end:
            line = bisect_right(self.starts, start)
            close = self.starts[line] if line < len(self.starts) else len(self.words)
            yield self.words[self.starts[line - 1] : close], self.words[start : min(end, close)]
            start = close


@dataclass(frozen=True, slots=True)
class _Difference:
    """A difference of two texts: words of one, words of the other."""

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
    """Say whether two pages are near duplicates; `elsewhere` are texts of pages of their template with other titles."""
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
    """Say that two pages are near duplicates if they share nearly all words that other pages of the site do not have."""
    template = {word for page in elsewhere for word in _words(page)}
    if not template:
        return None
    own, others = (Counter(word for word in _words(page) if word not in template) for page in (text, other))
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
    """Return why two texts in a script with spaces are clearly different, by a quick test; "" if they may be near duplicates."""
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
    """Return the number of words; two characters of a script without spaces count as one."""
    letters = "".join(words)
    characters = 0 if letters.isascii() else len(_UNSPACED.findall(letters))
    return len(words) - characters + characters // 2


def _find_differences(one: Sequence[str], two: Sequence[str], most: int) -> list[_Difference] | None:
    """Return the differences of two texts; None if too many words differ, or the texts do not agree again."""
    found: list[_Difference] = []
    i = j = changed = 0
    while i < len(one) or j < len(two):
        if i < len(one) and j < len(two) and one[i] == two[j]:
            step = _STRIDE if one[i : i + _STRIDE] == two[j : j + _STRIDE] else 1
            i, j = i + step, j + step  # past both ends, if at all
            continue
        agreement = _next_agreement(one, two, i, j)
        if agreement is None:
            return None
        found.append(_Difference(i, agreement[0], j, agreement[1]))
        changed += found[-1].size
        if changed > most:
            return None
        i, j = agreement
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
    """Return the ways to share a distance between two texts, halves first: words are replaced more often than dropped."""
    return tuple(sorted(range(distance + 1), key=lambda ahead: abs(2 * ahead - distance)))


def _is_value(one: _ComparedText, two: _ComparedText, each: _Difference) -> bool:
    """Say whether a difference fills a short line or cell, or most of a longer one."""
    return not (
        _is_running_text(one, each.start, each.end)
        and _is_running_text(two, each.other_start, each.other_end)
    )


def _is_running_text(text: _ComparedText, start: int, end: int) -> bool:
    """Say whether words stand in lines of running text and are at most half of each line; true for no words."""
    return all(
        (length := _length(line)) >= RUNNING_WORDS and 2 * _length(within) <= length
        for line, within in text.lines(start, end)
    )


def _find_renamed(
    one: _ComparedText, two: _ComparedText, pairs: Sequence[tuple[list[str], list[str]]]
) -> tuple[list[str], list[str]] | None:
    """Return a word and the one that replaces it at all its places, if there are such."""
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
    """Say whether only numbers differ, and these are no amounts of money and no percentages."""
    before, after = one.words[each.start : each.end], two.words[each.other_start : each.other_end]
    neighbours = one.words[max(each.start - 1, 0) : each.start] + one.words[each.end : each.end + 1]
    return _are_plain_numbers(before, after) and not any(map(_MONEY_OR_SHARE.search, neighbours))


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
