"""When two addresses are one address, and two texts one text.

Addresses are read by ada-url, which follows the URL standard to the letter, and then written canonically. `normalised` is
what we fetch: the standard's own spelling, without the fragment. `canonical` is what we compare: also without session ids
and tracking parameters, with parameters in order and percent-encoding in one spelling. Sorting is stable, so parameters of one
name keep their order, and a query that is separated by `;`, or is no list of parameters at all, is left as it is.

Texts are equal when their fingerprints are: a hash of the letters and the single spaces between words. They are worth comparing
when their sketches agree. A sketch is a MinHash of the set of shingles (three words in a row, or four characters
where a script writes no spaces), made by one-permutation hashing: every shingle is hashed once, the top bits of the hash
choose one of 64 bins, and each bin keeps its smallest hash. The share of equal bins estimates the Jaccard similarity of
the two sets, with a standard error of 0.05 at 0.8. An empty bin borrows from a bin that two texts choose alike (optimal
densification, Shrivastava 2017). Longer texts are sampled first, so that two texts agree on what is taken: shingles whose first word ends with
certain letters, and of texts of thousands of words the first words of sentences.

Sketches are looked up by sixteen bands of four bins. Of every hundred words three changed leave a similarity of 0.75 to 0.85, and then
one band at least is equal in 99 of 100 cases. Two records of one template may be that similar, so a sketch only
says what to compare; `hiddenweb.near_duplicates.compare` compares.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, lru_cache
from itertools import repeat
from operator import lt, rshift
from struct import pack, unpack
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ada_url import join_url, normalize_url
from tldextract import TLDExtract
from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BINS = 64
BANDS = 16
NEAR = 0.6
"""From this agreement of their sketches on it is worth comparing two texts."""

NEAR_IF_SHORT = 0.5
"""And from this on if they have less than `SHORT` letters: of few shingles a changed word takes many."""

SHORT = 1_000

_ROWS = BINS // BANDS
_EDGES = tuple(bin_ << 24 for bin_ in range(BINS))  # of a hash we take 30 bits, the first six name its bin
_ENDS = (*_EDGES[1:], 1 << 30)
_LONG_WORD = 16  # more bytes than this to a word on average: a script without spaces, or nearly
_ALL_WORDS = 300  # longer texts are sampled
_IDEOGRAPHIC_STOP = "。".encode()
_LONG_TEXT = 12_000  # bytes: longer texts are sampled by their sentences
_VERY_LONG_TEXT = 48_000  # bytes: and of these every fourth is enough
_RUN = 4  # characters
_ALL_CHARACTERS = 2_000

# Addresses


def normalised(url: str, base: str | None = None) -> str | None:
    """Return an address as the URL standard writes it, without fragment; None unless it is http or https."""
    try:
        full = _joined(base, url) if base is not None else _parsed(url)
    except ValueError:
        return None
    if not full.startswith(("http://", "https://")):
        return None
    cut = full.find("#")
    return full if cut < 0 else full[:cut]


def canonical(url: str) -> str:
    """Return the address that stands for all spellings of one address; for comparing, not for fetching."""
    url = normalised(url) or url
    if "%" in url:
        url = _ESCAPE.sub(_escape_in_one_spelling, url)
    path, question, query = url.partition("?")
    if ";" in path:
        path = _SESSION_IN_PATH.sub("", path)
    if not question:
        return path
    query = _canonical_query(query)
    return f"{path}?{query}" if query else path


def url_hash(url: str) -> int:
    """Return the number an address is known by: a signed 64-bit hash of its canonical form."""
    return _signed(xxh3_64_intdigest(canonical(url).encode("utf-8", "surrogatepass")))


def text_hash(text: str) -> int:
    """Return a signed 64-bit hash of a text."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - (1 << 63)


def origin(url: str) -> str:
    """Return scheme, host and port of a normalised address, without the default port.

    >>> origin("https://example.org:443/a?b")
    'https://example.org'
    """
    return _origin(url[: end_of_host(url)])


def host(url: str) -> str:
    """Return the host of an address, without port.

    >>> host("http://[::1]:8080/"), host("https://Example.org/a")
    ('[::1]', 'example.org')
    """
    place = origin(url).partition("://")[2]
    return place.rpartition(":")[0] if place[-1:].isdigit() and _PORT.search(place) else place


def registered_domain(url: str) -> str:
    """Return the part of the host that somebody registered; the whole host if its suffix is in no list."""
    return _registered_domain(host(url))


def without_suffix(name: str) -> str:
    """Return the name of a host without its public suffix, which says nothing about the host.

    >>> without_suffix("www.rare-books.co.uk"), without_suffix("shop.example"), without_suffix("localhost")
    ('www.rare-books', 'shop', 'localhost')
    """
    suffix = _suffixes()(name).suffix or name.rpartition(".")[2]
    return name.removesuffix(f".{suffix}")


def shape(url: str) -> str:
    """Return an address with everything masked that a trap may count up: digits, long hexadecimals, query values.

    >>> shape("http://a.example/day/2024-05-17?id=4&x")
    'http://a.example/day/0-0-0?id=&x='
    """
    path, question, query = url.partition("?")
    place = end_of_host(path)
    masked = path[:place] + _DIGITS.sub("0", _HEXADECIMAL.sub("0", path[place:]))
    if not question:
        return masked
    names = [_DIGITS.sub("0", part.partition("=")[0]) + "=" for part in _SEPARATOR.split(query) if part]
    return f"{masked}?{'&'.join(names)}"


def kind_of_address(url: str) -> str:
    """Return what addresses of one kind have in common: the folder but for numbers, the ending, the names of parameters.

    >>> kind_of_address("http://a.example/books/old-bridge-12.html"), kind_of_address("http://a.example/show.php?id=12")
    ('http://a.example/books/*.html?', 'http://a.example/show.php?id')
    >>> kind_of_address("http://a.example/books/12/show")
    'http://a.example/books/*/*?'

    What stands behind a dot of a title or a version is no ending.

    >>> kind_of_address("http://a.example/wiki/Mr.%20Brown"), kind_of_address("http://a.example/snake/2.7")
    ('http://a.example/wiki/*?', 'http://a.example/snake/*?')
    """
    parts = urlsplit(url)
    folder, _, last = parts.path.rstrip("/").rpartition("/")
    name, semicolon, _ = last.partition(";")
    ending = found[0] if (found := _ENDING.search(name)) else ""
    names = sorted(part.partition("=")[0] for part in _SEPARATOR.split(parts.query) if part)
    last_part = name if names or semicolon else f"*{ending}"
    folder = _NUMBERED.sub("*", folder)
    return f"{parts.scheme}://{parts.netloc}{folder}/{last_part}{semicolon}?{'&'.join(names)}"


def repeats_itself(url: str) -> bool:
    """Return whether a path segment occurs three times in an address, or a run of segments three times in a row.

    >>> repeats_itself("http://a.example/a/b/a/b/a/b/"), repeats_itself("http://a.example/a/b/a/")
    (True, False)
    """
    path = url.partition("?")[0]
    segments = [segment for segment in path[end_of_host(path) :].split("/") if segment]
    return len(segments) >= 3 and any(segments.count(segment) >= 3 for segment in set(segments))


def end_of_host(url: str) -> int:
    """Return where the host of an absolute address ends, and with it the port.

    >>> "http://a.example:8/b"[: end_of_host("http://a.example:8/b")]
    'http://a.example:8'
    """
    start = url.find("://") + 3
    end = url.find("/", start)
    place = url[start:end] if end >= 0 else url[start:]
    if "?" in place or "#" in place:
        place = place.partition("?")[0].partition("#")[0]
    return start + len(place)


# Texts


def text_fingerprint(text: str) -> int:
    """Return a signed 64-bit hash that is equal for texts equal but for white space."""
    return _fingerprint(_plain(text))


def sketch(text: str) -> tuple[int, ...]:
    """Return 64 numbers of which near-duplicates share most; nothing for a text without words."""
    return sketch_of(_shingles(text, _plain(text)))


def fingerprint_and_sketch(text: str) -> tuple[int, tuple[int, ...]]:
    """Return both, for half the price."""
    plain = _plain(text)
    return _fingerprint(plain), sketch_of(_shingles(text, plain))


def sketch_of(parts: Iterable[bytes]) -> tuple[int, ...]:
    """Return the sketch of a set of parts of any kind."""
    # Numbers below 2 ** 30 are sorted twice as fast as longer ones.
    hashes = sorted(set(map(rshift, map(xxh3_64_intdigest, parts), repeat(34))))
    if not hashes:
        return ()
    hashes.append(1 << 30)
    smallest = [hashes[bisect_left(hashes, edge)] for edge in _EDGES]
    if all(map(lt, smallest, _ENDS)):
        return tuple(smallest)
    return _without_gaps([value if value < end else -1 for value, end in zip(smallest, _ENDS, strict=True)])


def is_near(sketch_a: Sequence[int], sketch_b: Sequence[int]) -> float:
    """Return how similar two texts are by their sketches: an estimate of the Jaccard similarity, from 0 to 1."""
    if not sketch_a or len(sketch_a) != len(sketch_b):
        return 0.0
    return sum(map(int.__eq__, sketch_a, sketch_b)) / len(sketch_a)


def bands(sketch: Sequence[int]) -> tuple[int, ...]:
    """Return sixteen 40-bit numbers of which texts that are worth comparing share at least one; nothing for an empty sketch."""
    numbers = packed(sketch)
    step = 4 * _ROWS
    return tuple(
        xxh3_64_intdigest(numbers[start : start + step], start) >> 24
        for start in range(0, len(numbers), step)
    )


def packed(sketch: Sequence[int]) -> bytes:
    """Return a sketch in four bytes a number."""
    return pack(f"<{len(sketch)}I", *sketch)


def unpacked(numbers: bytes) -> tuple[int, ...]:
    """Return the sketch that was packed."""
    return unpack(f"<{len(numbers) // 4}I", numbers)


# Steps


def _bytes_with_rest(rests: range) -> bytes:
    return b"".join(re.escape(bytes([byte])) for byte in range(33, 256) if (byte - 3) % 8 in rests)


_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/;]*", re.IGNORECASE)
_IGNORED_PARAMETER = re.compile(
    r"(?:utm_\w+|gclid|fbclid|dclid|msclkid|jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken)(?:=|\Z)"
    r"|(?:sid|session_?id|sess|s)=[0-9a-f]{16,}\Z",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.(?=[0-9]*[A-Za-z])[A-Za-z0-9]{1,5}$")  # of a file
_NUMBERED = re.compile(r"(?<=/)\d+(?=/|$)")
_SEPARATOR = re.compile("[&;]")
_DIGITS = re.compile(r"\d+")
_HEXADECIMAL = re.compile(
    r"(?<![0-9A-Za-z])(?=[a-fA-F-]*\d)[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,}){0,4}(?![0-9A-Za-z])"
)
_PORT = re.compile(r":\d+\Z")
_MANY = 2 * BINS
_SOME_LETTERS = frozenset(bytes([byte]) for byte in range(256) if (byte - 1) % 4 == 0)  # a, e, i, m, q, u, y
_WHITE = b" \t\n\r\f\v"
_TO_SPACES = bytes.maketrans(_WHITE, b" " * len(_WHITE))
# Three words in a row of which the first ends with a byte of a class: about every fourth, and every twelfth, in any script.
_SAMPLED_WORDS = re.compile(rb" (?=([^ ]*+(?<=[%s]) [^ ]++ [^ ]++))" % _bytes_with_rest(range(3)))
_FEW_WORDS = re.compile(rb" (?=([^ ]*+(?<=[%s]) [^ ]++ [^ ]++))" % _bytes_with_rest(range(1)))
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF))


@lru_cache(maxsize=4_096)
def _parsed(url: str) -> str:
    return str(normalize_url(url))


@lru_cache(maxsize=16_384)
def _joined(base: str, url: str) -> str:
    return str(join_url(base, url))


def _escape_in_one_spelling(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _canonical_query(query: str) -> str:
    if "=" not in query or ";" in query:
        return query
    kept = [part for part in query.split("&") if part and not _IGNORED_PARAMETER.match(part)]
    kept.sort(key=_name_of_parameter)
    return "&".join(kept)


def _name_of_parameter(parameter: str) -> str:
    return parameter.partition("=")[0]


def is_readable(url: str) -> bool:
    """Say whether an address can be taken apart at all.

    >>> is_readable("mailto:me"), is_readable("http://[bad")
    (True, False)
    """
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4_096)
def _origin(start: str) -> str:
    parts = urlsplit(normalised(start) or start)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


@cache
def _suffixes() -> TLDExtract:
    return TLDExtract(suffix_list_urls=(), cache_dir=None)


@lru_cache(maxsize=16_384)
def _registered_domain(name: str) -> str:
    return _suffixes()(name).top_domain_under_public_suffix or name


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _plain(text: str) -> bytes:
    """Return a text as bytes, with single spaces between its words."""
    if "\xa0" in text or "\u3000" in text or "\u2009" in text:
        text = " ".join(text.split())
    plain = text.encode("utf-8", "replace").translate(_TO_SPACES)
    return b" ".join(plain.split()) if b"  " in plain else plain.strip()


def _fingerprint(plain: bytes) -> int:
    return _signed(xxh3_64_intdigest(plain))


def _shingles(text: str, plain: bytes) -> Iterable[bytes]:
    """Return the parts a text is compared by: runs of words, or of characters; of longer texts a sample, or sentences."""
    if len(plain) > _LONG_TEXT and (starts := _starts_of_sentences(plain)):
        return starts
    count = plain.count(b" ") + 1
    if count * _LONG_WORD < len(plain):
        return _runs_of_characters("".join(text.split()))
    if count > _ALL_WORDS:
        return (_SAMPLED_WORDS if len(plain) <= _LONG_TEXT else _FEW_WORDS).findall(plain)
    words = plain.split()
    return map(b" ".join, zip(words, words[1:], words[2:])) if count > 2 else (plain,) * bool(plain)  # noqa: B905


def _starts_of_sentences(plain: bytes) -> list[bytes]:
    """Return the first words of sentences; none if there are too few for a sketch."""
    sentences = plain.split(b". ")
    if len(sentences) > _MANY:
        return [b" ".join(sentence.split(b" ", 3)[:3]) for sentence in _some(sentences, plain)]
    sentences = plain.split(_IDEOGRAPHIC_STOP)
    if len(sentences) > _MANY:
        return [sentence[: 3 * _RUN] for sentence in _some(sentences, plain)]  # three bytes to a character
    return []


def _some(sentences: list[bytes], plain: bytes) -> list[bytes]:
    if len(plain) <= _VERY_LONG_TEXT or len(sentences) <= 4 * _MANY:
        return sentences
    return [sentence for sentence in sentences if sentence[2:3] in _SOME_LETTERS]


def _runs_of_characters(text: str) -> Iterable[bytes]:
    if len(text) < _RUN:
        return (text.encode("utf-8", "replace"),) if text else ()
    if len(text) > _ALL_CHARACTERS:
        return map(str.encode, _sampled_characters().findall(text))
    return map(str.encode, map("".join, zip(text, text[1:], text[2:], text[3:])))  # noqa: B905


@cache
def _sampled_characters() -> re.Pattern[str]:
    """Return what finds three characters after every eighth one, by its number."""
    chosen = "".join(chr(code) for first, last in _UNSPACED for code in range(first, last) if code % 8 == 3)
    return re.compile(f"(?=[{chosen}]([^\ud800-\udfff]{{3}}))")


def _without_gaps(bins: list[int]) -> tuple[int, ...]:
    """Fill every empty bin from one chosen by a hash of its number and the attempt, the same for all texts."""
    if -1 not in bins:
        return tuple(bins)
    return tuple(
        value if value >= 0 else next(bins[other] for other in _probes(bin_) if bins[other] >= 0)
        for bin_, value in enumerate(bins)
    )


@cache
def _probes(bin_: int) -> tuple[int, ...]:
    drawn = [xxh3_64_intdigest(b"%d %d" % (bin_, attempt)) % BINS for attempt in range(40 * BINS)]
    return (*dict.fromkeys(drawn), *range(BINS))
