"""The records of an answer, each with a key that is the same for every query that finds it.

The blocks of a page are its repeated parts; the blocks of an answer are its records. If every block leads to an address of its own
on the same site, that address is the key. It is canonical, and it has no traces of the query (`/item/5?from=wine`,
`/show?q=wine&id=5`). A trace is a parameter that holds a submitted value, or one that says how the record was reached: a sort order, a
session (`hiddenweb.records.incidental_parameters`). A parameter that holds
something else in other records of the answer is no trace: in `/show?page=Wine` the value is what was found. The way back to the list
(`/item/5?return=q%3Dwine%26page%3D2`) is a trace, too: a parameter that holds parameters, and is the same in all records or repeats
a submitted value. Without such an address the key is a hash of the words of the record.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus, urlsplit, urlunsplit

from xxhash import xxh3_64_hexdigest

from hiddenweb.language.tokens import word_runs
from hiddenweb.model import Record
from hiddenweb.records.incidental_parameters import is_incidental, is_return_address
from hiddenweb.urls import canonical_url, kind_of_address

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.model import HttpQuery, Page, RepeatedItem

_LARGER_PART = 0.5
"""A part that stands for a text has more than this share of it."""

_PARAMETERS = re.compile(r"(?:^|[?&])[a-z_][\w.-]*=[^=]")
"""A value that holds parameters with values."""

_SEVERAL = 3  # records: enough to see what all addresses have in common
_MANY = 6  # records: so many numbers do not follow each other by chance
_NUMBER = re.compile(r"\d{1,18}")
_AROUND_WORD = "*\"'+~-"  # signs that are submitted with a word and are no part of it
_MOST_ESCAPES = 3  # of a value inside a value inside a value; a limit of taste

_DOES = re.compile(
    r"cart|basket|wish_?list|delete|remove|edit|log_?in|sign_?in|vote|share|flag|report|compare|favou?rit|bookmark|subscribe|print|download",
    re.IGNORECASE,
)
"""Words in addresses that do something with a record instead of showing it."""

_SCRIPT = re.compile(r"^/?$|/[^/]+\.(?:php\d?|cgi|pl|aspx?|jsp|do|py|exe|dll)$", re.IGNORECASE)
"""Paths that name no page: the root and scripts. A parameter says which page it is."""


def records_in(
    page: Page,
    query: HttpQuery | None = None,
    shapes: frozenset[str] = frozenset(),
    number: int = 1,
    known: Collection[str] = (),
) -> tuple[Record, ...]:
    """Return the records of a page of an answer, in their order, each once.

    `shapes` are the known shapes of the addresses of records (`shapes_of`); empty if none are known. `known` are keys of known records.
    """
    submitted = query_values(query)
    constant = constant_parameters(shapes)
    found = _use_own_addresses(page.blocks, page.url)
    urls = [block.url for block in found if block.url]
    distinguishing = (
        _find_distinguishing_names(_add_similar_links(urls, page, submitted), submitted) | constant
    )
    blocks = [_use_known_address(block, submitted, distinguishing, shapes, page.url) for block in found]
    addresses = [
        _find_known_address(block.url, submitted, distinguishing, shapes, page.url) for block in blocks
    ]
    by_address = _are_addresses_of_records(addresses, page.url)
    texts = [block.text for block in blocks]
    has_words = query is not None and any(
        map(str.isalnum, query.keyword)
    )  # else all records are listed, by number
    first = _find_first_number(urls, submitted, distinguishing) if by_address and has_words else None
    known_addresses = sum(address in known for address in set(addresses)) if known else 0
    if (
        first is not None
        and known_addresses < _MANY
        and _counts_places(first, len(urls), number, is_known=bool(shapes))
    ):
        by_address, texts = False, _names_of(blocks)
    records: dict[str, Record] = {}
    for block, address, text in zip(blocks, addresses, texts, strict=True):
        key = address if by_address and address else text_key(text, page.url)
        title = block.title or _first_words(block)
        records.setdefault(
            key, Record(key, title, block.text, block.url, block.pairs, block.attributes, block.shown)
        )
    return tuple(records.values())


def list_addresses(page: Page, query: HttpQuery) -> list[str]:
    """Return the addresses of the blocks of an answer without traces of its query: those by which they may be known."""
    submitted = query_values(query)
    return [canonical_url(strip_query_values(block.url, submitted)) for block in page.blocks if block.url]


def _counts_places(first: int, count: int, number: int, *, is_known: bool) -> bool:
    """Say whether numbers that count up begin where page `number` of an answer begins.

    Records that were added one by one have numbers that count up, too; if many of their addresses are known as keys, other queries found them
    there, which no place of an answer would allow. If the shapes of addresses are known, all pages before must be as long as this one.
    """
    if number == 1 or is_known:
        return first - (number - 1) * count in (0, 1)
    return first >= number - 1


def _find_first_number(
    urls: Sequence[str], submitted: frozenset[str], distinguishing: frozenset[str] = frozenset()
) -> int | None:
    """Return the first number of addresses that may name places in an answer, such as `/show/3?q=wine`; None if they do not.

    The next query finds something else at such an address. Each holds a submitted value; one number counts up by one, and all else is the same.

    >>> _find_first_number([f"http://a.example/show/{n}?q=wine" for n in (3, 4, 5, 6, 7, 8)], frozenset({"wine"}))
    3
    >>> _find_first_number([f"http://a.example/show/{n}?q=wine" for n in (3, 4, 5, 6, 8, 9)], frozenset({"wine"}))
    """
    if len(urls) < _MANY:
        return None
    parameters = (re.split("[&;]", urlsplit(url).query) for url in urls)
    if not all(any(_value(each) in submitted and _is_trace(each, submitted, distinguishing) for each in some) for some in parameters):  # fmt: skip
        return None
    if len({_NUMBER.sub("0", url) for url in urls}) > 1:
        return None
    columns = [set(numbers) for numbers in zip(*map(_NUMBER.findall, urls), strict=True)]
    if sum(len(numbers) > 1 for numbers in columns) != 1:
        return None
    at = next(place for place, numbers in enumerate(columns) if len(numbers) > 1)
    counted = [int(_NUMBER.findall(url)[at]) for url in urls]
    return counted[0] if counted == list(range(counted[0], counted[0] + len(counted))) else None


def are_numbered_by_place(records: Sequence[Record], page_url: str) -> bool:
    """Say whether many records each have an address on the site of the page that only names their place in the answer."""
    host = urlsplit(page_url).netloc
    own = {record.url for record in records if record.url and urlsplit(record.url).netloc == host}
    are_named = all(not record.key.startswith("http") for record in records)
    return _MANY <= len(own) == len(records) and are_named


def _names_of(blocks: Sequence[RepeatedItem]) -> list[str]:
    """Return what distinguishes records without addresses: the names only they have (files, magnet links), their titles, or their texts."""
    times = Counter(name for block in blocks for name in block.names)
    names = [next((name for name in block.names if times[name] == 1), "") for block in blocks]
    titles = [block.title for block in blocks]
    return next(
        (each for each in (names, titles) if all(each) and len(set(each)) == len(each)),
        [block.text for block in blocks],
    )


def _use_own_addresses(blocks: Sequence[RepeatedItem], page_url: str) -> Sequence[RepeatedItem]:
    """Return blocks that lead to other sites with the address that each has on this site, if all have one, as in collections of links."""
    host = urlsplit(page_url).netloc
    if len(blocks) < _SEVERAL or any(block.url and urlsplit(block.url).netloc == host for block in blocks):
        return blocks
    kinds: dict[str, dict[int, str]] = {}
    for number, block in enumerate(blocks):
        for url in block.others:
            if urlsplit(url).netloc == host and not _DOES.search(url):
                kinds.setdefault(kind_of_address(url), {}).setdefault(number, url)
    for own in kinds.values():
        if len(own) == len(set(own.values())) == len(blocks):
            return [replace(block, url=own[number]) for number, block in enumerate(blocks)]
    return blocks


def repeats_query(url: str | None, query: HttpQuery) -> bool:
    """Say whether an address only submits the same words in the same box, as a link to another search does.

    >>> from hiddenweb.model import HttpQuery
    >>> repeats_query("http://a.example/?tags=wine+", HttpQuery((("tags", "wine"),), "wine"))
    True
    >>> repeats_query("http://a.example/?page=wine", HttpQuery((("tags", "wine"),), "wine"))
    False
    """
    submitted = {(name.casefold(), value.strip().casefold()) for name, value in query.values if value}
    parameters = [each for each in re.split("[&;]", urlsplit(url or "").query) if each]
    return bool(parameters) and submitted.issuperset((_name(each), _value(each)) for each in parameters)


def _add_similar_links(urls: list[str], page: Page, submitted: frozenset[str]) -> list[str]:
    """Return addresses with all others of their kinds on the page, if they hold a submitted value.

    The value may be a word of the address itself (`a=commit`); the others show that.
    """
    if not any(_value(each) in submitted for url in urls for each in re.split("[&;]", urlsplit(url).query)):
        return urls
    kinds = set(map(kind_of_address, urls))
    return [*urls, *(link.url for link in page.links if kind_of_address(link.url) in kinds)]


def _use_known_address(
    block: RepeatedItem,
    submitted: frozenset[str],
    distinguishing: frozenset[str],
    shapes: frozenset[str],
    page_url: str,
) -> RepeatedItem:
    """Return a block with that of its addresses which looks like those of records, if its own does not."""
    if (
        not shapes
        or not block.others
        or _has_known_shape(block.url, submitted, distinguishing, shapes, page_url)
    ):
        return block
    known = (
        url for url in block.others if _has_known_shape(url, submitted, distinguishing, shapes, page_url)
    )
    return replace(block, url=next(known, block.url))


def _find_known_address(
    url: str | None,
    submitted: frozenset[str],
    distinguishing: frozenset[str],
    shapes: frozenset[str],
    page_url: str,
) -> str | None:
    """Return an address without the query, unless only the whole address is of a kind that records have (`/wiki?page=Wine`)."""
    address = _bare_address(url, submitted, distinguishing)
    if url is None or address is None or not shapes:
        return address
    kinds, whole = kinds_in(shapes), canonical_url(url)
    if kind_of_address(address) not in kinds and kind_of_address(whole) in kinds:
        return whole
    return strip_page_place(address, page_url, kinds)


def strip_page_place(address: str, page_url: str, kinds: frozenset[str]) -> str:
    """Return an address without the parameters of the page's own address, if only then it is of a kind that records have.

    Links on further pages of an answer repeat which page they are on; links on the first page do not.

    >>> kinds = frozenset({kind_of_address("http://a.example/item/5")})
    >>> strip_page_place("http://a.example/item/7?shown=20", "http://a.example/find?q=wine&shown=20", kinds)
    'http://a.example/item/7'
    """
    parts = urlsplit(address)
    if not parts.query or kind_of_address(address) in kinds:
        return address
    of_page = {(_name(each), _value(each)) for each in re.split("[&;]", urlsplit(page_url).query)}
    left = [each for each in re.split("[&;]", parts.query) if (_name(each), _value(each)) not in of_page]
    bare = urlunsplit(parts._replace(query="&".join(left)))
    return bare if kind_of_address(bare) in kinds else address


def _has_known_shape(
    url: str | None,
    submitted: frozenset[str],
    distinguishing: frozenset[str],
    shapes: frozenset[str],
    page_url: str,
) -> bool:
    address = _find_known_address(url, submitted, distinguishing, shapes, page_url)
    return address is not None and has_shape(address, shapes)


def add_attributes(records: tuple[Record, ...], page: Page) -> tuple[Record, ...]:
    """Return records with their attributes; a record that has none gets those of the single item it stands in."""
    return tuple(
        replace(record, attributes=tuple(record.attributes), shown=tuple(record.shown))
        if record.attributes
        else _add_statements(record, page)
        for record in records
    )


def _add_statements(record: Record, page: Page) -> Record:
    """Return a record with the attributes of the smallest single item that is about it: it leads there, or has most of its text."""
    title, text = " ".join(record.title.split()), " ".join(record.text.split())
    if record.url:
        about = [block for block in page.single_items if block.url == record.url and title in block.text]
        best = min(about, key=lambda block: len(block.text), default=None)
    else:
        about = [
            block
            for block in page.single_items
            if block.text in text and len(block.text) > _LARGER_PART * len(text)
        ]
        best = max(about, key=lambda block: len(block.text), default=None)
    if best is not None:
        return replace(record, attributes=tuple(best.attributes), shown=tuple(best.shown))
    return replace(record, attributes=(("title", title),) if title else ())


def text_key(text: str, page_url: str) -> str:
    """Return a key for a record that has no address: its host and a hash of its words."""
    words = " ".join(word_runs(text.casefold()))
    return f"{urlsplit(page_url).netloc}#{xxh3_64_hexdigest(words.encode('utf-8', 'replace'))}"


def query_values(query: HttpQuery | None) -> frozenset[str]:
    """Return the submitted values, folded to be compared; for a box that was left empty, its parameter (`q=`)."""
    values = {query.keyword, *(value or f"{name}=" for name, value in query.values)} if query else set()
    return frozenset(value.strip().casefold() for value in values if value.strip())


def strip_query_values(
    url: str,
    submitted: frozenset[str],
    distinguishing: frozenset[str] | None = None,
    constant: frozenset[str] = frozenset(),
) -> str:
    """Return an address without the parameters that repeat a submitted value; `distinguishing` and `constant` ones stay.

    >>> strip_query_values("http://a.example/item/5?from=Red+wine&x=1", frozenset({"red wine"}))
    'http://a.example/item/5?x=1'
    >>> strip_query_values("http://a.example/wiki.php?page=wine&s=wine", frozenset({"wine"}))
    'http://a.example/wiki.php?page=wine'
    >>> strip_query_values("http://a.example/view/old-bridge/?from=wine", frozenset({"wine"}))
    'http://a.example/view/old-bridge/'
    >>> strip_query_values("http://a.example/item/5/?list=page%3D2%26q%3Dred%2Bwine", frozenset({"red wine"}))
    'http://a.example/item/5/'
    >>> strip_query_values("http://a.example/go?to=%2Fshow%3Fid%3D5", frozenset({"red wine"}))
    'http://a.example/go?to=%2Fshow%3Fid%3D5'
    """
    parts = urlsplit(url)
    if not parts.query:
        return url
    if distinguishing is None:
        distinguishing = _find_distinguishing_names([url], submitted) | constant
    parameters = re.split("[&;]", parts.query)
    left = [
        each
        for each in parameters
        if not (_is_way_back(each, distinguishing) or _is_trace(each, submitted, distinguishing))
    ]
    if len(left) == len(parameters):
        return url
    if not left and _SCRIPT.search(parts.path):
        left = parameters[:1]
    return urlunsplit(parts._replace(query="&".join(left)))


def shapes_of(keys: Iterable[str], known: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the shapes of the addresses among keys of records: their kind, and the parameters that are the same in all of several.

    The parameters matter since a page may lead to one record by several addresses of a kind (`op=get&id=5`, `op=view&id=5`).
    Too few addresses do not show what all have in common: of a known kind, they add no shape.

    >>> sorted(shapes_of(f"http://a.example/db?op=get&id={n}" for n in range(3)))
    ['http://a.example/db?id&op op=get']
    """
    kinds: dict[str, list[set[str]]] = {}
    for key in keys:
        if key.startswith("http"):
            parameters = set(filter(None, re.split("[&;]", urlsplit(key).query)))
            kinds.setdefault(kind_of_address(key), []).append(parameters)
    shapes, known_kinds = set(), kinds_in(known)
    for kind, parameter_sets in kinds.items():
        if len(parameter_sets) >= _SEVERAL:
            shapes.add(" ".join((kind, *sorted(set.intersection(*parameter_sets)))))
        elif kind not in known_kinds:
            shapes.add(kind)
    return frozenset(shapes)


def kinds_in(shapes: frozenset[str]) -> frozenset[str]:
    """Return the kinds of address in shapes, without their parameters."""
    return frozenset(shape.partition(" ")[0] for shape in shapes)


def constant_parameters(shapes: frozenset[str]) -> frozenset[str]:
    """Return the names of the parameters that hold the same in all addresses of records."""
    return frozenset(_name(parameter) for shape in shapes for parameter in shape.split(" ")[1:])


def has_shape(key: str, shapes: frozenset[str]) -> bool:
    """Say whether an address looks like those of records: it is of their kind, and has the parameters that all of them have."""
    kind = kind_of_address(key)
    parameters = set(re.split("[&;]", urlsplit(key).query))
    return any(
        parameters.issuperset(constant)
        for shape_kind, *constant in (shape.split(" ") for shape in shapes)
        if shape_kind == kind
    )


def _is_trace(parameter: str, submitted: frozenset[str], distinguishing: frozenset[str]) -> bool:
    name, value = _name(parameter), _value(parameter)
    return is_incidental(name, value) or (
        name not in distinguishing and _repeats_query(name, value, submitted)
    )


def _repeats_query(name: str, value: str, submitted: frozenset[str]) -> bool:
    """Say whether a parameter holds a submitted value, or a word of one if several have its name (`s[]=red&s[]=wine`)."""
    if value in submitted or not name.endswith("]"):
        return value in submitted
    return any(value.strip(_AROUND_WORD) in words.split() for words in submitted)


def _is_way_back(parameter: str, distinguishing: frozenset[str]) -> bool:
    name, value = _name(parameter), _value(parameter)
    if name in distinguishing:
        return False
    return _PARAMETERS.search(value) is not None or is_return_address(name, value)


def _find_distinguishing_names(urls: Sequence[str], submitted: frozenset[str]) -> frozenset[str]:
    """Return the names of the parameters that distinguish records.

    In one address at least they do not hold a submitted value. If they hold parameters, these differ, and none holds a submitted value.
    """
    addresses = set(urls)
    values_by_name: dict[str, set[str]] = {}
    for url in addresses:
        for each in filter(None, re.split("[&;]", urlsplit(url).query)):
            values_by_name.setdefault(_name(each), set()).add(_value(each))
    return frozenset(
        name
        for name, values in values_by_name.items()
        if not all(_repeats_query(name, value, submitted) for value in values)
        and not _are_way_back(name, values, submitted, are_several=len(addresses) > 1)
    )


def _are_way_back(name: str, values: set[str], submitted: frozenset[str], *, are_several: bool) -> bool:
    """Say whether the values of a parameter lead back to the list."""
    if len(values) == 1 and are_several and all(is_return_address(name, value) for value in values):
        return True
    if len(values) > 1 or not all(map(_PARAMETERS.search, values)):
        return False
    return are_several or any(_holds_query(value, submitted) for value in values)


def _holds_query(value: str, submitted: frozenset[str]) -> bool:
    """Say whether parameters inside a value hold a submitted value, even if they were escaped several times."""
    for _ in range(_MOST_ESCAPES):
        parameters = re.split("[?&]", value)
        if any(_value(each) in submitted for each in parameters) or not submitted.isdisjoint(parameters):
            return True
        value = unquote_plus(value, errors="replace")
    return False


def _name(parameter: str) -> str:
    return unquote_plus(parameter.partition("=")[0], errors="replace").strip().casefold()


def _value(parameter: str) -> str:
    return unquote_plus(parameter.partition("=")[2], errors="replace").strip().casefold()


def _bare_address(url: str | None, submitted: frozenset[str], distinguishing: frozenset[str]) -> str | None:
    return canonical_url(strip_query_values(url, submitted, distinguishing)) if url else None


def _are_addresses_of_records(addresses: Sequence[str | None], page_url: str) -> bool:
    """Say whether nearly every block has an address of its own on the site of the page."""
    host = urlsplit(page_url).netloc
    own = {address for address in addresses if address and urlsplit(address).netloc == host}
    return len(own) > 0.8 * len(addresses)


def _first_words(block: RepeatedItem) -> str:
    return " ".join(block.text.split()[:12])
