"""The records of an answer, each with a key that is the same whatever question brought it.

A page's blocks are its like parts; those of an answer are its records. Where every block leads to an address of its own on
the same site, that address is the record: canonical, and without the traces of the question (`/item/5?from=wine`,
`/show?q=wine&id=5`), which are the parameters that hold what was asked, and those that are named for it. A parameter that holds
something else in other records of the answer is no trace: `/show?page=Wine` is what was found, not what was asked. A parameter that
holds the address of the answer is the way back to it (`/show?id=5&return=/list?q=wine&page=2`), and no part of the record. Otherwise the
record is what it says, and its key is a hash of its words.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus, urlsplit, urlunsplit

from xxhash import xxh3_64_hexdigest

from hiddenweb.identity import canonical, normalised
from hiddenweb.items import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.items import Block, Page, Query

_MOST_OF_IT = 0.5
_WORDS = re.compile(r"\w+")
_ADDRESS = re.compile(r"https?://|/|\?", re.IGNORECASE)
_TRACES = frozenset(
    {
        "highlight",
        "hilit",
        "srchterm",
        "searchterm",
        "searchid",
        "search_id",
        "list_id",
        "query_desc",
        "_pos",
        "_ss",
    }
)
"""Parameters that forums, shops, trackers and catalogues add to the addresses of what was found."""

_SCRIPT = re.compile(r"^/?$|/[^/]+\.(?:php\d?|cgi|pl|aspx?|jsp|do|py|exe|dll)$", re.IGNORECASE)
"""Paths that name no page, the root and scripts: which one it is, a parameter says."""


def records_in(page: Page, query: Query | None = None) -> tuple[Record, ...]:
    """Return the records of an answer to a question, in their order, each once."""
    asked = asked_values(query)
    telling = _telling([block.url for block in page.blocks if block.url], asked)
    addresses = [_bare_address(block.url, asked, telling, page.url) for block in page.blocks]
    by_address = _are_addresses_of_records(addresses, page.url)
    records: dict[str, Record] = {}
    for block, address in zip(page.blocks, addresses, strict=True):
        key = address if by_address and address else text_key(block.text, page.url)
        title = block.title or _first_words(block)
        records.setdefault(key, Record(key, title, block.text, block.url, block.pairs, block.attributes))
    return tuple(records.values())


def with_attributes(records: tuple[Record, ...], page: Page) -> tuple[Record, ...]:
    """Return records with what the page says of them; where they are no repeated parts, in the parts that stand alone."""
    return tuple(
        replace(record, attributes=tuple(record.attributes) or _said_of(record, page)) for record in records
    )


def _said_of(record: Record, page: Page) -> Sequence[tuple[str, str]]:
    """Return what the smallest part says that is about a record: it leads there, or tells most of what the record tells."""
    title, told = " ".join(record.title.split()), " ".join(record.text.split())
    if record.url:
        about = [block for block in page.alone if block.url == record.url and title in block.text]
        best = min(about, key=lambda block: len(block.text), default=None)
    else:
        about = [
            block for block in page.alone if block.text in told and len(block.text) > _MOST_OF_IT * len(told)
        ]
        best = max(about, key=lambda block: len(block.text), default=None)
    if best is not None:
        return tuple(best.attributes)
    return (("title", title),) if title else ()


def text_key(text: str, page_url: str) -> str:
    """Return a key for a record that has no address: its host and a hash of its words."""
    words = " ".join(_WORDS.findall(text.casefold()))
    return f"{urlsplit(page_url).netloc}#{xxh3_64_hexdigest(words.encode('utf-8', 'replace'))}"


def asked_values(query: Query | None) -> frozenset[str]:
    """Return what was asked, folded as values of parameters are compared."""
    values = {query.keyword, *(value for _, value in query.values)} if query else set()
    return frozenset(value.strip().casefold() for value in values if value.strip())


def without_question(
    url: str, asked: frozenset[str], telling: frozenset[str] = frozenset(), shown_on: str = ""
) -> str:
    """Return an address without the parameters that repeat what was asked, or lead back to the page that it is shown on.

    Those that are `telling` stay.

    >>> without_question("http://a.example/item/5?from=Red+wine&x=1", frozenset({"red wine"}))
    'http://a.example/item/5?x=1'
    >>> without_question("http://a.example/wiki.php?page=wine&s=wine", frozenset({"wine"}))
    'http://a.example/wiki.php?page=wine'
    >>> without_question("http://a.example/view/old-bridge/?from=wine", frozenset({"wine"}))
    'http://a.example/view/old-bridge/'
    >>> without_question("http://a.example/view?id=5&back=/list?q=wine%26page=2", frozenset(), shown_on="http://a.example/list?q=wine")
    'http://a.example/view?id=5'
    """
    parts = urlsplit(url)
    if not parts.query or not (asked or shown_on):
        return url
    parameters = re.split("[&;]", parts.query)
    kept = [
        each for each in parameters if not (_is_trace(each, asked, telling) or _leads_back(each, shown_on))
    ]
    if not kept and _SCRIPT.search(parts.path):
        kept = parameters[:1]
    return urlunsplit(parts._replace(query="&".join(kept)))


def _is_trace(parameter: str, asked: frozenset[str], telling: frozenset[str]) -> bool:
    name = _name(parameter)
    return name in _TRACES or (name not in telling and _value(parameter) in asked)


def _leads_back(parameter: str, shown_on: str) -> bool:
    """Say whether a parameter holds the address of the page that it is shown on, or of another page of the same list."""
    written = unquote_plus(parameter.partition("=")[2], errors="replace").strip()
    if not shown_on or not _ADDRESS.match(written):
        return False
    back = normalised(written, shown_on)
    return back is not None and back.partition("?")[0] == _place(shown_on)


def _place(url: str) -> str:
    return url.partition("#")[0].partition("?")[0]


def _telling(urls: Sequence[str], asked: frozenset[str]) -> frozenset[str]:
    """Return the names of parameters that hold something else than what was asked in one address at least."""
    parameters = (each for url in urls for each in re.split("[&;]", urlsplit(url).query) if each)
    return frozenset(_name(each) for each in parameters if _value(each) not in asked)


def _name(parameter: str) -> str:
    return unquote_plus(parameter.partition("=")[0], errors="replace").strip().casefold()


def _value(parameter: str) -> str:
    return unquote_plus(parameter.partition("=")[2], errors="replace").strip().casefold()


def _bare_address(
    url: str | None, asked: frozenset[str], telling: frozenset[str], shown_on: str
) -> str | None:
    return canonical(without_question(url, asked, telling, shown_on)) if url else None


def _are_addresses_of_records(addresses: Sequence[str | None], page_url: str) -> bool:
    """Say whether nearly every block has an address of its own, on the site of the page."""
    host = urlsplit(page_url).netloc
    own = {address for address in addresses if address and urlsplit(address).netloc == host}
    return len(own) > 0.8 * len(addresses)


def _first_words(block: Block) -> str:
    return " ".join(block.text.split()[:12])
