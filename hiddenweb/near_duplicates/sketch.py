"""Sketches of texts: which texts are equal, and which are worth comparing.

Texts are equal when their fingerprints are: a hash of the letters and the single spaces between words. They are worth comparing
when their sketches agree. A sketch is a MinHash of the set of shingles (three words in a row, or four characters in a script without
spaces), made by one-permutation hashing: every shingle is hashed once, the top bits of the hash choose one of 64 bins, and each bin
stores its smallest hash. The share of equal bins estimates the Jaccard similarity of the two sets, with a standard error of 0.05 at 0.8.
An empty bin borrows from another bin, which is the same for all texts (optimal densification, Shrivastava 2017). Longer texts are sampled
first, in the same way for all texts: shingles whose first word ends with certain letters, and of texts of thousands of words the
first words of sentences.

Sketches are found by sixteen bands of four bins. Three changed words in a hundred leave a similarity of 0.75 to 0.85, and then at least
one band is equal in 99 of 100 cases. Two records of one template may be that similar, so a sketch only says what to compare;
`hiddenweb.near_duplicates.compare` decides.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from itertools import repeat
from operator import lt, rshift
from struct import pack, unpack
from typing import TYPE_CHECKING

from xxhash import xxh3_64_intdigest

from hiddenweb.urls import to_signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BINS = 64
"""Numbers of a sketch: so the estimate of a similarity of 0.8 has a standard error of 0.05, the square root of 0.8 * 0.2 / 64."""

BANDS = 16
"""Of four bins each: two texts with a similarity of 0.8 share one with a probability of 1 - (1 - 0.8 ** 4) ** 16 = 0.9998."""

NEAR = 0.6
"""The least agreement of the sketches of two texts that are worth comparing: 0.8 less four standard errors."""

NEAR_IF_SHORT = 0.5
"""The same for texts of less than `SHORT` letters: they have few shingles, and a changed word changes many of them."""

SHORT = 1_000  # letters: a limit of taste

_ROWS = BINS // BANDS
_EDGES = tuple(bin_ << 24 for bin_ in range(BINS))  # of a hash we take 30 bits, the first six name its bin
_ENDS = (*_EDGES[1:], 1 << 30)
_LONG_WORD = 16
"""A text with more bytes per word is in a script without spaces, or nearly; a limit of taste."""

_ALL_WORDS = 300  # longer texts are sampled, which leaves at least one shingle per bin; a limit of taste
_IDEOGRAPHIC_STOP = "。".encode()
_LONG_TEXT = 12_000  # bytes: longer texts are sampled by their sentences; a limit of taste
_VERY_LONG_TEXT = 48_000  # bytes: of longer texts every fourth sentence is enough; a limit of taste
_RUN = 4  # characters of a shingle in a script without spaces: two words or so; a limit of taste
_ALL_CHARACTERS = 2_000  # longer texts are sampled; a limit of taste


def text_fingerprint(text: str) -> int:
    """Return a signed 64-bit hash that is equal for texts that differ only in white space."""
    return _fingerprint(_plain_bytes(text))


def sketch(text: str) -> tuple[int, ...]:
    """Return 64 numbers of which near duplicates share most; none for a text without words."""
    return sketch_parts(_shingles(text, _plain_bytes(text)))


def fingerprint_and_sketch(text: str) -> tuple[int, tuple[int, ...]]:
    """Return both, for half the price."""
    plain = _plain_bytes(text)
    return _fingerprint(plain), sketch_parts(_shingles(text, plain))


def sketch_parts(parts: Iterable[bytes]) -> tuple[int, ...]:
    """Return the sketch of a set of parts of any kind."""
    # Numbers below 2 ** 30 are sorted twice as fast as longer ones.
    hashes = sorted(map(rshift, map(xxh3_64_intdigest, parts), repeat(34)))
    if not hashes:
        return ()
    hashes.append(1 << 30)
    smallest = [hashes[bisect_left(hashes, edge)] for edge in _EDGES]
    if all(map(lt, smallest, _ENDS)):
        return tuple(smallest)
    return _fill_gaps([value if value < end else -1 for value, end in zip(smallest, _ENDS, strict=True)])


def estimate_similarity(sketch_a: Sequence[int], sketch_b: Sequence[int]) -> float:
    """Return how similar two texts are by their sketches: an estimate of the Jaccard similarity, from 0 to 1."""
    if not sketch_a or len(sketch_a) != len(sketch_b):
        return 0.0
    return sum(map(int.__eq__, sketch_a, sketch_b)) / len(sketch_a)


def bands(sketch: Sequence[int]) -> tuple[int, ...]:
    """Return sixteen 40-bit numbers of which texts that are worth comparing share at least one; none for an empty sketch."""
    numbers = pack_sketch(sketch)
    step = 4 * _ROWS
    return tuple(
        xxh3_64_intdigest(numbers[start : start + step], start) >> 24
        for start in range(0, len(numbers), step)
    )


def pack_sketch(sketch: Sequence[int]) -> bytes:
    """Return a sketch in four bytes a number."""
    return pack(f"<{len(sketch)}I", *sketch)


def unpack_sketch(numbers: bytes) -> tuple[int, ...]:
    """Return the sketch that was packed."""
    return unpack(f"<{len(numbers) // 4}I", numbers)


# Steps


def _bytes_with_rest(rests: range) -> bytes:
    return b"".join(re.escape(bytes([byte])) for byte in range(33, 256) if (byte - 3) % 8 in rests)


_ENOUGH_SENTENCES = 2 * BINS  # for a sketch: two sentences per bin, so that few bins are empty
_SOME_LETTERS = frozenset(bytes([byte]) for byte in range(256) if (byte - 1) % 4 == 0)  # a, e, i, m, q, u, y
_WHITE = b" \t\n\r\f\v"
_TO_SPACES = bytes.maketrans(_WHITE, b" " * len(_WHITE))
# Three words in a row of which the first ends with a byte of a class: about every fourth, and every twelfth, in any script.
_FOURTH_OF_WORDS = re.compile(rb" (?=([^ ]*+(?<=[%s]) [^ ]++ [^ ]++))" % _bytes_with_rest(range(3)))
_TWELFTH_OF_WORDS = re.compile(rb" (?=([^ ]*+(?<=[%s]) [^ ]++ [^ ]++))" % _bytes_with_rest(range(1)))
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF))
"""Code points of scripts without spaces: Thai and Lao, Burmese, Khmer, kana, Han."""


def _plain_bytes(text: str) -> bytes:
    """Return a text as bytes, with single spaces between its words."""
    if "\xa0" in text or "\u3000" in text or "\u2009" in text:
        text = " ".join(text.split())
    plain = text.encode("utf-8", "replace").translate(_TO_SPACES)
    return b" ".join(plain.split()) if b"  " in plain else plain.strip()


def _fingerprint(plain: bytes) -> int:
    return to_signed(xxh3_64_intdigest(plain))


def _shingles(text: str, plain: bytes) -> Iterable[bytes]:
    """Return the shingles of a text: runs of words, or of characters; of longer texts a sample, or first words of sentences."""
    if len(plain) > _LONG_TEXT and (starts := _starts_of_sentences(plain)):
        return starts
    count = plain.count(b" ") + 1
    if count * _LONG_WORD < len(plain):
        return _runs_of_characters("".join(text.split()))
    if count > _ALL_WORDS:
        return (_FOURTH_OF_WORDS if len(plain) <= _LONG_TEXT else _TWELFTH_OF_WORDS).findall(plain)
    words = plain.split()
    return map(b" ".join, zip(words, words[1:], words[2:])) if count > 2 else (plain,) * bool(plain)  # noqa: B905


def _starts_of_sentences(plain: bytes) -> list[bytes]:
    """Return the first words of sentences; none if there are too few for a sketch."""
    sentences = plain.split(b". ")
    if len(sentences) > _ENOUGH_SENTENCES:
        return [b" ".join(sentence.split(b" ", 3)[:3]) for sentence in _sample_sentences(sentences, plain)]
    sentences = plain.split(_IDEOGRAPHIC_STOP)
    if len(sentences) > _ENOUGH_SENTENCES:
        return [
            sentence[: 3 * _RUN] for sentence in _sample_sentences(sentences, plain)
        ]  # three bytes to a character
    return []


def _sample_sentences(sentences: list[bytes], plain: bytes) -> list[bytes]:
    if len(plain) <= _VERY_LONG_TEXT or len(sentences) <= 4 * _ENOUGH_SENTENCES:
        return sentences
    return [sentence for sentence in sentences if sentence[2:3] in _SOME_LETTERS]


def _runs_of_characters(text: str) -> Iterable[bytes]:
    if len(text) < _RUN:
        return (text.encode("utf-8", "replace"),) if text else ()
    if len(text) > _ALL_CHARACTERS:
        return map(str.encode, _character_pattern().findall(text))
    return map(str.encode, map("".join, zip(text, text[1:], text[2:], text[3:])))  # noqa: B905


@cache
def _character_pattern() -> re.Pattern[str]:
    """Return a pattern for the three characters behind one of every eight code points."""
    chosen = "".join(chr(code) for first, last in _UNSPACED for code in range(first, last) if code % 8 == 3)
    return re.compile(f"(?=[{chosen}]([^\ud800-\udfff]{{3}}))")


def _fill_gaps(bins: list[int]) -> tuple[int, ...]:
    """Fill every empty bin from a bin that is chosen by a hash of its number and the attempt, the same for all texts."""
    return tuple(value if value >= 0 else _borrow(bins, bin_) for bin_, value in enumerate(bins))


def _borrow(bins: list[int], bin_: int) -> int:
    """Return the value that an empty bin borrows; at least one bin is not empty."""
    for attempt in range(40 * BINS):
        if (found := bins[_probe(bin_, attempt)]) >= 0:
            return found
    return next(value for value in bins if value >= 0)


@cache
def _probe(bin_: int, attempt: int) -> int:
    return xxh3_64_intdigest(b"%d %d" % (bin_, attempt)) % BINS
