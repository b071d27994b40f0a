"""The records of an answer, each with a key that is the same whatever question brought it.

A page's blocks are its like parts; those of an answer are its records. Where every block leads to an address of its own on
the same site, that address is the record: canonical, and without the traces of the question (`/item/5?from=wine`,
`/show?q=wine&id=5`), which are the parameters that hold what was asked, and those that are named for it. A parameter that holds
something else in other records of the answer is no trace: `/show?page=Wine` is what was found, not what was asked. A trace as well is
the way back to the list (`/item/5?return=q%3Dwine%26page%3D2`): a parameter that holds parameters, the same in all records, or with what
was asked among them. Otherwise the record is what it says, and its key is a hash of its words.
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
from hiddenweb.urls import canonical_url, kind_of_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.model import HttpQuery, Page, RepeatedItem

_MOST_OF_IT = 0.5
"""The share of a text that a part of it has to have to be nearly all of it: the greater half."""

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

_PARAMETERS = re.compile(r"(?:^|[?&])[a-z_][\w.-]*=[^=]")
"""A value that holds parameters with values."""

_SEVERAL = 3  # records, that show what the addresses of all have in common
_MANY = 6  # records, whose numbers follow each other by chance no more
_NUMBER = re.compile(r"\d{1,18}")
_AROUND_WORD = "*\"'+~-"  # signs of what is asked for that are no part of it
_MOST_ESCAPES = 3  # of a value inside a value inside a value; a limit of taste

_DOES = re.compile(
    r"cart|basket|wish_?list|delete|remove|edit|log_?in|sign_?in|vote|share|flag|report|compare|favou?rit|bookmark|subscribe|print|download",
    re.IGNORECASE,
)
"""Addresses that do something with a record instead of showing it."""

_SCRIPT = re.compile(r"^/?$|/[^/]+\.(?:php\d?|cgi|pl|aspx?|jsp|do|py|exe|dll)$", re.IGNORECASE)
"""Paths that name no page, the root and scripts: which one it is, a parameter says."""


def records_in(
    page: Page, query: HttpQuery | None = None, shapes: frozenset[str] = frozenset(), number: int = 1
) -> tuple[Record, ...]:
    """Return the records of a page of an answer to a question, in their order, each once; `shapes` is what addresses of records look like, if that is known."""
    asked = query_values(query)
    kept = constant_parameters(shapes)
    found = _use_own_addresses(page.blocks, page.url)
    urls = [block.url for block in found if block.url]
    telling = _telling(_add_similar_links(urls, page, asked), asked) | kept
    blocks = [_use_known_address(block, asked, telling, shapes, page.url) for block in found]
    addresses = [_find_known_address(block.url, asked, telling, shapes, page.url) for block in blocks]
    by_address = _are_addresses_of_records(addresses, page.url)
    texts = [block.text for block in blocks]
    has_words = query is not None and any(
        map(str.isalnum, query.keyword)
    )  # else all records are listed, by number
    first = _first_place(urls, asked, telling) if by_address and has_words else None
    if first is not None and _is_at_its_place(first, len(urls), number, is_known=bool(shapes)):
        by_address, texts = False, _names_of(blocks)
    records: dict[str, Record] = {}
    for block, address, text in zip(blocks, addresses, texts, strict=True):
        key = address if by_address and address else text_key(text, page.url)
        title = block.title or _first_words(block)
        records.setdefault(key, Record(key, title, block.text, block.url, block.pairs, block.attributes))
    return tuple(records.values())


def _is_at_its_place(first: int, count: int, number: int, *, is_known: bool) -> bool:
    """Say whether numbers that count up begin where page `number` of an answer does: records that were added one by one have such numbers, too.

    Where it is known what addresses of records look like, further pages must be as long as all those before.
    """
    if number == 1 or is_known:
        return first - (number - 1) * count in (0, 1)
    return first >= number - 1


def _first_place(
    urls: Sequence[str], asked: frozenset[str], telling: frozenset[str] = frozenset()
) -> int | None:
    """Return the first number of addresses that may name places in an answer, such as `/show/3?q=wine`, where the next question finds something else.

    They hold what was asked, and all else in them is the same but for one number, which counts them up one by one.

    >>> _first_place([f"http://a.example/show/{n}?q=wine" for n in (3, 4, 5, 6, 7, 8)], frozenset({"wine"}))
    3
    >>> _first_place([f"http://a.example/show/{n}?q=wine" for n in (3, 4, 5, 6, 8, 9)], frozenset({"wine"}))
    """
    if len(urls) < _MANY:
        return None
    parameters = (re.split("[&;]", urlsplit(url).query) for url in urls)
    if not all(any(_value(each) in asked and _is_trace(each, asked, telling) for each in some) for some in parameters):  # fmt: skip
        return None
    if len({_NUMBER.sub("0", url) for url in urls}) > 1:
        return None
    columns = [set(numbers) for numbers in zip(*map(_NUMBER.findall, urls), strict=True)]
    if sum(len(numbers) > 1 for numbers in columns) != 1:
        return None
    at = next(place for place, numbers in enumerate(columns) if len(numbers) > 1)
    counted = [int(_NUMBER.findall(url)[at]) for url in urls]
    return counted[0] if counted == list(range(counted[0], counted[0] + len(counted))) else None


def stand_at_places(records: Sequence[Record], page_url: str) -> bool:
    """Say whether many records have an address each, on the site of the page, that names no more than their place in the answer."""
    host = urlsplit(page_url).netloc
    own = {record.url for record in records if record.url and urlsplit(record.url).netloc == host}
    are_named = all(not record.key.startswith("http") for record in records)
    return _MANY <= len(own) == len(records) and are_named


def _names_of(blocks: Sequence[RepeatedItem]) -> list[str]:
    """Return what tells records apart that have no addresses of their own: what each names that is nowhere on the web, their titles, or all they say."""
    times = Counter(name for block in blocks for name in block.names)
    names = [next((name for name in block.names if times[name] == 1), "") for block in blocks]
    titles = [block.title for block in blocks]
    return next(
        (each for each in (names, titles) if all(each) and len(set(each)) == len(each)),
        [block.text for block in blocks],
    )


def _use_own_addresses(blocks: Sequence[RepeatedItem], page_url: str) -> Sequence[RepeatedItem]:
    """Return blocks that lead to other sites with the addresses that each has on this one, if there are such: collections of links have them."""
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


def asks_again(url: str | None, query: HttpQuery) -> bool:
    """Say whether an address does nothing but ask the same words in the same box, as a link to another search does.

    >>> from hiddenweb.model import HttpQuery
    >>> asks_again("http://a.example/?tags=wine+", HttpQuery((("tags", "wine"),), "wine"))
    True
    >>> asks_again("http://a.example/?page=wine", HttpQuery((("tags", "wine"),), "wine"))
    False
    """
    held = {(name.casefold(), value.strip().casefold()) for name, value in query.values if value}
    said = [each for each in re.split("[&;]", urlsplit(url or "").query) if each]
    return bool(said) and held.issuperset((_name(each), _value(each)) for each in said)


def _add_similar_links(urls: list[str], page: Page, asked: frozenset[str]) -> list[str]:
    """Return addresses with all of their kinds on the page, if they hold what was asked: it may be a word of the address itself (`a=commit`)."""
    if not any(_value(each) in asked for url in urls for each in re.split("[&;]", urlsplit(url).query)):
        return urls
    kinds = set(map(kind_of_address, urls))
    return [*urls, *(link.url for link in page.links if kind_of_address(link.url) in kinds)]


def _use_known_address(
    block: RepeatedItem, asked: frozenset[str], telling: frozenset[str], shapes: frozenset[str], page_url: str
) -> RepeatedItem:
    """Return a block with the one of its addresses that looks like those of records, if its own does not."""
    if not shapes or not block.others or _looks_known(block.url, asked, telling, shapes, page_url):
        return block
    known = (url for url in block.others if _looks_known(url, asked, telling, shapes, page_url))
    return replace(block, url=next(known, block.url))


def _find_known_address(
    url: str | None, asked: frozenset[str], telling: frozenset[str], shapes: frozenset[str], page_url: str
) -> str | None:
    """Return an address without the question, unless only with it it is of a kind that records have (`/wiki?page=Wine`)."""
    address = _bare_address(url, asked, telling)
    if url is None or address is None or not shapes:
        return address
    kinds, whole = kinds_in(shapes), canonical_url(url)
    if kind_of_address(address) not in kinds and kind_of_address(whole) in kinds:
        return whole
    return strip_page_place(address, page_url, kinds)


def strip_page_place(address: str, page_url: str, kinds: frozenset[str]) -> str:
    """Return an address without what it repeats of the page's own, if only then it is of a kind that records have.

    Further pages of an answer hand on which page they are, the first has nothing to hand on.

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


def _looks_known(
    url: str | None, asked: frozenset[str], telling: frozenset[str], shapes: frozenset[str], page_url: str
) -> bool:
    address = _find_known_address(url, asked, telling, shapes, page_url)
    return address is not None and has_shape(address, shapes)


def add_attributes(records: tuple[Record, ...], page: Page) -> tuple[Record, ...]:
    """Return records with what the page says of them; where they are no repeated parts, in the parts that stand alone."""
    return tuple(
        replace(record, attributes=tuple(record.attributes) or _statements_about(record, page))
        for record in records
    )


def _statements_about(record: Record, page: Page) -> Sequence[tuple[str, str]]:
    """Return what the smallest part says that is about a record: it leads there, or tells most of what the record tells."""
    title, told = " ".join(record.title.split()), " ".join(record.text.split())
    if record.url:
        about = [block for block in page.single_items if block.url == record.url and title in block.text]
        best = min(about, key=lambda block: len(block.text), default=None)
    else:
        about = [
            block
            for block in page.single_items
            if block.text in told and len(block.text) > _MOST_OF_IT * len(told)
        ]
        best = max(about, key=lambda block: len(block.text), default=None)
    if best is not None:
        return tuple(best.attributes)
    return (("title", title),) if title else ()


def text_key(text: str, page_url: str) -> str:
    """Return a key for a record that has no address: its host and a hash of its words."""
    words = " ".join(word_runs(text.casefold()))
    return f"{urlsplit(page_url).netloc}#{xxh3_64_hexdigest(words.encode('utf-8', 'replace'))}"


def query_values(query: HttpQuery | None) -> frozenset[str]:
    """Return what was asked, folded as values of parameters are compared; of a box that was left empty, its parameter (`q=`)."""
    values = {query.keyword, *(value or f"{name}=" for name, value in query.values)} if query else set()
    return frozenset(value.strip().casefold() for value in values if value.strip())


def strip_query_values(
    url: str,
    asked: frozenset[str],
    telling: frozenset[str] | None = None,
    kept: frozenset[str] = frozenset(),
) -> str:
    """Return an address without the parameters that repeat what was asked; those that are `telling` among others, or `kept`, stay.

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
    if telling is None:
        telling = _telling([url], asked) | kept
    parameters = re.split("[&;]", parts.query)
    left = [
        each
        for each in parameters
        if not (_is_way_back(each, telling) or (asked and _is_trace(each, asked, telling)))
    ]
    if len(left) == len(parameters):
        return url
    if not left and _SCRIPT.search(parts.path):
        left = parameters[:1]
    return urlunsplit(parts._replace(query="&".join(left)))


def shapes_of(keys: Iterable[str], known: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return what the addresses among keys of records look like: their kind, and the parameters that are the same in all of several.

    A page may lead to one record by several addresses of a kind (`op=get&id=5`, `op=view&id=5`): those that look like the known ones count.
    Few records do not show what all have in common; where that is known, they tell nothing.

    >>> sorted(shapes_of(f"http://a.example/db?op=get&id={n}" for n in range(3)))
    ['http://a.example/db?id&op op=get']
    """
    kinds: dict[str, list[set[str]]] = {}
    for key in keys:
        if key.startswith("http"):
            parameters = set(filter(None, re.split("[&;]", urlsplit(key).query)))
            kinds.setdefault(kind_of_address(key), []).append(parameters)
    shapes, known_kinds = set(), kinds_in(known)
    for kind, found in kinds.items():
        if len(found) >= _SEVERAL:
            shapes.add(" ".join((kind, *sorted(set.intersection(*found)))))
        elif kind not in known_kinds:
            shapes.add(kind)
    return frozenset(shapes)


def kinds_in(shapes: frozenset[str]) -> frozenset[str]:
    """Return the kinds of address in what addresses look like, whatever their parameters hold."""
    return frozenset(shape.partition(" ")[0] for shape in shapes)


def constant_parameters(shapes: frozenset[str]) -> frozenset[str]:
    """Return the names of the parameters that hold the same in all addresses of records."""
    return frozenset(_name(parameter) for shape in shapes for parameter in shape.split(" ")[1:])


def has_shape(key: str, shapes: frozenset[str]) -> bool:
    """Say whether an address looks like those of records: it is of their kind, and holds what all of them hold."""
    kind = kind_of_address(key)
    parameters = set(re.split("[&;]", urlsplit(key).query))
    return any(
        parameters.issuperset(held)
        for of_kind, *held in (shape.split(" ") for shape in shapes)
        if of_kind == kind
    )


def _is_trace(parameter: str, asked: frozenset[str], telling: frozenset[str]) -> bool:
    name = _name(parameter)
    return name in _TRACES or (name not in telling and _is_asked(name, _value(parameter), asked))


def _is_asked(name: str, value: str, asked: frozenset[str]) -> bool:
    """Say whether a parameter holds what was asked; where there are several of its name (`s[]=red&s[]=wine`), a word of it."""
    if value in asked or not name.endswith("]"):
        return value in asked
    return any(value.strip(_AROUND_WORD) in words.split() for words in asked)


def _is_way_back(parameter: str, telling: frozenset[str]) -> bool:
    return _name(parameter) not in telling and _PARAMETERS.search(_value(parameter)) is not None


def _telling(urls: Sequence[str], asked: frozenset[str]) -> frozenset[str]:
    """Return the names of parameters that tell records apart.

    They hold something else than what was asked in one address at least; if they hold parameters, they are not the same in all, and hold
    nothing that was asked.
    """
    addresses = set(urls)
    held: dict[str, set[str]] = {}
    for url in addresses:
        for each in filter(None, re.split("[&;]", urlsplit(url).query)):
            held.setdefault(_name(each), set()).add(_value(each))
    return frozenset(
        name
        for name, values in held.items()
        if not all(_is_asked(name, value, asked) for value in values)
        and not _lead_back(values, asked, are_several=len(addresses) > 1)
    )


def _lead_back(values: set[str], asked: frozenset[str], *, are_several: bool) -> bool:
    """Say whether the values of a parameter, in one address or in several, are the way back to the list."""
    if len(values) > 1 or not all(map(_PARAMETERS.search, values)):
        return False
    return are_several or any(_holds(value, asked) for value in values)


def _holds(value: str, asked: frozenset[str]) -> bool:
    """Say whether parameters inside a value hold what was asked, however often they were escaped."""
    for _ in range(_MOST_ESCAPES):
        parameters = re.split("[?&]", value)
        if any(_value(each) in asked for each in parameters) or not asked.isdisjoint(parameters):
            return True
        value = unquote_plus(value, errors="replace")
    return False


def _name(parameter: str) -> str:
    return unquote_plus(parameter.partition("=")[0], errors="replace").strip().casefold()


def _value(parameter: str) -> str:
    return unquote_plus(parameter.partition("=")[2], errors="replace").strip().casefold()


def _bare_address(url: str | None, asked: frozenset[str], telling: frozenset[str]) -> str | None:
    return canonical_url(strip_query_values(url, asked, telling)) if url else None


def _are_addresses_of_records(addresses: Sequence[str | None], page_url: str) -> bool:
    """Say whether nearly every block has an address of its own, on the site of the page."""
    host = urlsplit(page_url).netloc
    own = {address for address in addresses if address and urlsplit(address).netloc == host}
    return len(own) > 0.8 * len(addresses)


def _first_words(block: RepeatedItem) -> str:
    return " ".join(block.text.split()[:12])
