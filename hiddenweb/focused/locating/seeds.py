"""The seeds of a crawl: addresses that people name, in a list or in a file.

A list is separated by spaces or commas. A file has one address a line; empty lines are skipped, and so is what follows
a # at the beginning of a line or after a space. A bare host (`example.org`) means `https://example.org/`. Anything else is
an error that names the place, and nothing is fetched: a crawl of half of the list would look like a crawl of all of it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_FILE_BYTES = 100_000_000
"""Bytes of a seed file: enough for MAX_SEEDS long addresses. A limit of taste."""

MAX_SEEDS = 1_000_000  # of one crawl: a limit of taste
MAX_ADDRESS = 2_000
"""Characters of an address: browsers and servers agree on about as many."""

_BARE = re.compile(r"[^\s/:@?#]+\.[^\s/:@?#]+(?::\d+)?(?:[/?]\S*)?$")
_FILE = re.compile(r"^(?:\.{0,2}/|~)|^[^:\s,]*\.(?:txt|csv|tsv|lst|list|seeds|json|jsonl)$", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_SPACE = re.compile(r"\s")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
# A host that can be looked up, as the URL standard writes it: labels of the DNS, or an address.
_SITE = re.compile(
    rf"https?://(?:\[[0-9a-f:.]+\]|(?=[^/:]{{1,254}}[/:]){_LABEL}(?:\.{_LABEL})*\.?)(?::\d+)?/"
)
_NAMED = re.compile(r"https?://[^/?#]*@")
_PASSWORD = re.compile(r"^((?:[a-zA-Z][\w+.-]*://)?[^\s:@/?#]+:)[^/?#]*@")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(?!\d)", re.IGNORECASE)
_MAX_PROBLEMS = 10  # problems that are listed: a limit of taste


class BadSeeds(ValueError):
    """The seeds cannot be used; the message names what is wrong and where."""


def read_seeds(argument: str) -> list[str]:
    """Return the addresses that an argument names, itself or in a file, each once.

    >>> read_seeds("https://a.example/ b.example")
    ['https://a.example/', 'https://b.example/']
    """
    if not argument.strip(" \t\r\n,"):
        raise BadSeeds("no sites given: -a sites=https://a.example/,https://b.example/ or -a sites=seeds.txt")
    path = _find_file(argument.strip())
    seeds = _parse_list(argument) if path is None else _read_file(path)
    if not seeds:
        raise BadSeeds(f"{argument}: there is no address in it")
    return list(seeds)


def _find_file(argument: str) -> Path | None:
    """Return the file that an argument names, None if it names none; what looks like one must be one."""
    try:
        path = Path(argument).expanduser()
        if path.is_file():
            return path
        exists, is_folder = path.exists(), path.is_dir()
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, nobody's home: no name of a file
        return None
    if is_folder:
        raise BadSeeds(f"{argument}: is a folder, not a file with one address a line")
    if exists:
        raise BadSeeds(f"{argument}: is not a regular file")
    if _FILE.search(argument):
        raise BadSeeds(f"{argument}: there is no such file")
    return None


def _parse_list(argument: str) -> tuple[str, ...]:
    words = re.split(r"[\s,]+", argument.strip(" \t\r\n,"))
    return _check_addresses(("sites", word) for word in words)


def _read_file(path: Path) -> tuple[str, ...]:
    try:
        facts = path.stat()
        if facts.st_size > MAX_FILE_BYTES:
            raise BadSeeds(
                f"{path}: {facts.st_size:,} bytes are too many for a list of sites (at most {MAX_FILE_BYTES:,})"
            )
        return _read_file_version(path, facts.st_size, facts.st_mtime_ns)
    except OSError as error:
        raise BadSeeds(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadSeeds(f"{path}: is not a text file in UTF-8 (byte {error.start})") from error


@lru_cache(maxsize=1)  # the arguments are checked before a crawl, and a million addresses take some seconds
def _read_file_version(path: Path, size: int, changed: int) -> tuple[str, ...]:  # noqa: ARG001
    text = path.read_text(encoding="utf-8-sig")
    lines = ((f"{path}, line {number}", line) for number, line in enumerate(text.split("\n"), 1))
    bare = ((place, _COMMENT.sub("", line).strip()) for place, line in lines)
    return _check_addresses((place, line) for place, line in bare if line)


def _check_addresses(places: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    good: dict[str, None] = {}
    bad: list[str] = []
    more = 0
    for place, word in places:
        try:
            good[_address(word)] = None
        except ValueError as error:
            if len(bad) < _MAX_PROBLEMS:
                bad.append(f"{place}: {hide_password(word)[:100]!r} {error}")
            else:
                more += 1
        if len(good) > MAX_SEEDS:
            raise BadSeeds(f"{place}: more than {MAX_SEEDS:,} sites are too many for one crawl")
    if bad:
        raise BadSeeds(list_problems(bad, len(bad) + more))
    return tuple(good)


def list_problems(problems: Sequence[str], count: int) -> str:
    """Return the first problems, one a line, and how many more there are of `count`."""
    listed = problems[:_MAX_PROBLEMS]
    more = count - len(listed)
    return "\n".join([*listed, f"... and {more:,} more"] if more else listed)


def hide_password(word: str) -> str:
    """Return an address for a message, without the password in it.

    >>> hide_password("https://me:secret@a.example/"), hide_password("me:secret@a.example"), hide_password("a.example/@me")
    ('https://me:***@a.example/', 'me:***@a.example', 'a.example/@me')
    """
    return _PASSWORD.sub(r"\1***@", word, count=1)


def _address(word: str) -> str:
    """Return the address that a word means, or raise what is wrong with it."""
    if len(word) > MAX_ADDRESS:
        raise ValueError(f"has {len(word):,} characters, an address has at most {MAX_ADDRESS:,}")
    if _SPACE.search(word):
        raise ValueError("has a space in it; one address a line is wanted")
    if not word.isprintable():
        raise ValueError("has characters in it that are none")
    if "://" not in word.partition("?")[0]:
        if not _BARE.match(word):
            scheme = _SCHEME.match(word)
            raise ValueError(_not_web(scheme[1]) if scheme else _not_a_site(word))
        word = f"https://{word}"
    elif word.partition("://")[0].lower() not in ("http", "https"):
        raise ValueError(_not_web(word.partition("://")[0]))
    url = normalise_url(word)
    if url is not None and _NAMED.match(url):
        raise ValueError("has a name or a password in it, which a crawl does not use")
    if url is None or not _SITE.match(url):
        raise ValueError("is not the address of a site")
    return url


def _not_a_site(word: str) -> str:
    """Say what is wrong, and that a host without a dot needs its scheme, if there may be one in the word."""
    needs_scheme = _SITE.match(normalise_url(f"http://{word}") or "") and re.search(r":\d", word)
    return "is not the address of a site" + (f"; do you mean http://{word} ?" if needs_scheme else "")


def _not_web(scheme: str) -> str:
    if scheme.lower() in ("http", "https"):
        return f"has no // after {scheme}:"
    return f"begins with {scheme[:20]}:, only http and https are crawled"
