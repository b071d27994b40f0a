"""Reverse search: looking for pages that link to known good sites.

Algorithm 1 of SmartCrawler. When a crawl begins, and whenever fewer than 50 candidate sites wait, it takes a known deep
site or a seed at random, looks for pages that link to it, and fetches them. A page counts as a *centre page* if it has a relevant
searchable form or links to more than two known good sites; its other sites become candidates. No site is looked up twice.

The paper sends `link:site` to a search engine, which none answers any more. We use what was read already (the stages' own index of who
links to whom), and providers:

- `HostGraph`: a graph of hosts or of registered domains in the format of Common Crawl.
- `SearchEngine`: any engine that the user names by a template of its address. It gives an address to fetch, and reads the answer.

**The graph** is two tables of several GB: vertices, `number TAB reversed host`, with a further number in graphs of domains; and edges,
`number of the one that links TAB number of the one linked`. They are never held in memory. All wanted sites are looked up
together, in one pass over each file and a second one over the vertices: names to numbers, numbers to those that link, and these to
names. A pass reads blocks of 256 KB and splits a whole block at once; only a block with a line that is not as it should be is
read line by line. Such lines are counted and skipped, unless it is the first: then the file is another one.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from dataclasses import dataclass, field
from itertools import chain, compress, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast
from urllib.parse import parse_qsl, quote
from xml.parsers import expat

from hiddenweb.html.reader import read_page
from hiddenweb.html.url_templates import GAP, absolute_template, gaps_of, needs_script
from hiddenweb.language.shortening import shorten
from hiddenweb.urls import end_of_host, host, normalise_url, registered_domain

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from random import Random
    from typing import Self

HUB = 2
"""Known good sites that a centre page links to more of (T_hub): the paper's."""

MAX_RESULTS = 100
"""Addresses taken out of one answer of a search engine, and hosts that link to one site in a graph. A limit of taste."""

MAX_REMEMBERED = 10_000
"""Sites whose links a graph remembers. A limit of taste."""


def is_centre_page(
    page_links: Iterable[str],
    good_sites: Container[str],
    has_relevant_form: bool,
    hub: int = HUB,
    *,
    page_url: str = "",
) -> bool:
    """Say whether the sites that a page links to are worth a visit; good sites are known by their registered domains."""
    if has_relevant_form:
        return True
    own = registered_domain(page_url) if page_url else ""
    return len({d for link in page_links if (d := registered_domain(link)) in good_sites and d != own}) > hub


def _distinct(urls: Iterable[str], limit: int) -> list[str]:
    """Return the first addresses, as the URL standard writes them, each once."""
    good = (url for each in urls if (url := normalise_url(each)) is not None)
    return list(islice(dict.fromkeys(good), limit))


# Search engines

_WORDS = "searchTerms"
_GAP_VALUES: Mapping[str, Callable[[str], str]] = {
    "site": host,
    "url": str,
    _WORDS: lambda target: f'"{host(target)}" -site:{host(target)}',
}
_FIRST_PAGE = {  # what OpenSearch lets a client begin with
    "count": "50",
    "startIndex": "1",
    "startPage": "1",
    "language": "*",
    "inputEncoding": "UTF-8",
    "outputEncoding": "UTF-8",
}
_ADDRESS_KEYS = ("url", "link", "href")
_MAX_ANSWER_BYTES = 5_000_000  # of a search engine: a limit of taste
_FEED = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|rss|feed|rdf:RDF)\b", re.IGNORECASE)
_EXAMPLE = "wanted an address such as https://engine.example/search?q={searchTerms}"


class BadTemplate(ValueError):
    """A template of an address that gives no query to a search engine; the message names what is wrong."""


class UnreadableSearchResults(ValueError):
    """An answer of a search engine that cannot be read; the message says what was found."""


class SearchEngine:
    """A search engine that the user names by a template of its address.

    In the template `{site}` is the host of the site whose links are wanted, `{url}` its address, and `{searchTerms}` a query
    that most engines understand: pages that name the host and are not its own. A `?` in a gap says that it may stay empty.
    """

    name = "search engine"

    def __init__(self, template: str) -> None:
        self.template = _check_template(template)
        self._domain = registered_domain(GAP.sub("", self.template))

    def request_for(self, target: str) -> str:
        """Return the address to fetch in order to learn who links to the site of an address."""
        values = {name: value_for(target) for name, value_for in _GAP_VALUES.items()} | _FIRST_PAGE
        return GAP.sub(lambda gap: quote(values.get(gap[1], ""), safe=""), self.template)

    def read_answer(self, body: bytes, content_type: str, url: str) -> list[str]:
        """Return the addresses that an answer lists, without the engine's own; raises UnreadableAnswer.

        JSON may be of any shape in which the objects of a list have a `url`, `link` or `href`. RSS and Atom give the links of
        their entries, HTML all links that leave the engine, also those that pass by a redirect of its own.
        """
        if len(body) > _MAX_ANSWER_BYTES:
            raise UnreadableSearchResults(
                f"{url}: {len(body):,} bytes are too many (at most {_MAX_ANSWER_BYTES:,})"
            )
        if "json" in content_type.lower() or body.lstrip()[:1] in (b"{", b"["):
            found: Iterable[str] = _read_json(body, url)
        elif "html" not in content_type.lower() and _FEED.match(body):
            found = _read_feed(body, url)
        else:
            found = (link.url for link in read_page(body, url, content_type=content_type).links)
        own = {self._domain, registered_domain(url)}
        return _distinct(_outside_links(found, url, own), MAX_RESULTS)


def _check_template(template: str) -> str:
    start = shorten(template, 100)
    written = absolute_template(template, "about:blank")
    if written is None or needs_script(written):
        raise BadTemplate(f"{start}: is no template of an address; {_EXAMPLE}")
    if "@" in written[: end_of_host(written)]:
        raise BadTemplate(f"{start}: has a name or a password in it, which a crawl does not use")
    gaps = gaps_of(written)
    names = (*_GAP_VALUES, *_FIRST_PAGE)
    for name, may_be_empty in gaps.items():
        if name not in names and not may_be_empty:
            raise BadTemplate(f"{start}: {{{name}}} is not known; known are {', '.join(names)}")
    if gaps.keys().isdisjoint(_GAP_VALUES):
        raise BadTemplate(f"{start}: does not say where the site goes; {_EXAMPLE}")
    return written


def _outside_links(found: Iterable[str], url: str, own: Container[str]) -> Iterator[str]:
    """Yield the addresses that are not the engine's own; for its redirects, their targets."""
    for each in found:
        full = normalise_url(each, url)
        if full is None:
            continue
        if registered_domain(full) not in own:
            yield full
            continue
        for _, value in parse_qsl(full.partition("?")[2]):
            target = normalise_url(value)
            if target is not None and registered_domain(target) not in own:
                yield target


def _read_json(body: bytes, url: str) -> Iterator[str]:
    try:
        answer: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UnreadableSearchResults(f"{url}: is no JSON: {error}") from error
    waiting = [answer]
    while waiting:
        one = waiting.pop()
        inner = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        if isinstance(one, list):
            yield from filter(None, map(_address_in, one))
        waiting.extend(reversed(inner))


def _address_in(entry: object) -> str:
    """Return the address of an entry in a list; empty if it has none."""
    if not isinstance(entry, dict):
        return ""
    return next((value for key in _ADDRESS_KEYS if isinstance(value := entry.get(key), str)), "")


def _read_feed(body: bytes, url: str) -> list[str]:
    feed = _Feed()
    try:
        feed.parser.Parse(body, True)
    except (expat.ExpatError, _DocumentType) as error:
        raise UnreadableSearchResults(f"{url}: is no feed: {error}") from error
    return feed.in_entries or feed.elsewhere


class _DocumentType(ValueError):
    """Without a document type there are no entities to expand and no files to load."""


@dataclass(slots=True)
class _Feed:
    """Collects the links of RSS and Atom in one pass, those of entries separately."""

    in_entries: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    parser: expat.XMLParserType = field(default_factory=expat.ParserCreate)
    _depth_of_entry: int = 0
    _text: list[str] | None = None

    def __post_init__(self) -> None:
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._add_text

    def _refuse(self, *_: object) -> None:
        raise _DocumentType("it has a document type")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if _local(name) in ("item", "entry"):
            self._depth_of_entry += 1
        elif _local(name) == "link":
            self._text = []
            if attributes.get("rel", "alternate") == "alternate":
                self._add(attributes.get("href", ""))

    def _add_text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, name: str) -> None:
        if _local(name) in ("item", "entry"):
            self._depth_of_entry -= 1
        elif _local(name) == "link" and self._text is not None:
            self._add("".join(self._text))
            self._text = None

    def _add(self, address: str) -> None:
        if address.strip():
            (self.in_entries if self._depth_of_entry else self.elsewhere).append(address.strip())


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


# The graph of hosts

_BLOCK_BYTES = 1 << 18  # bytes: a block holds up other threads for some milliseconds
_MAX_LINE = 1 << 16  # bytes: the name of a host has 253 at most
_FEW_NEEDLES = 20  # up to so many are searched for in a block before it is split; a limit of taste
_VERTEX = re.compile(rb"\d+\t(?=\S*[^\d\s])\S+(?:\t\d+)?\r?\n")
_EDGE = re.compile(rb"\d+\t\d+\r?\n")
_SHAPE_ONLY = bytes(byte for byte in range(256) if byte not in b"\t\n")


class BadGraph(ValueError):
    """A file that is no part of a host graph, or cannot be read; the message names the file and the line."""


class HostGraph:
    """A graph of hosts, or of registered domains, in two files of Common Crawl's format: plain, .gz or .zst, or folders of them.

    `look_up` reads both files and may take minutes, so it is a call for a thread. It remembers what it found.
    """

    name = "host graph"

    def __init__(self, vertices: Path, edges: Path, rng: Random, *, most: int = MAX_RESULTS) -> None:
        self._vertices = vertices
        self._edges = edges
        self._rng = rng
        self._most = most
        self._linking: dict[str, tuple[str, ...]] = {}

    @classmethod
    def from_setting(cls, setting: str, rng: Random) -> Self:
        """Return the graph that a setting names: the files of vertices and of edges, with a comma between them."""
        paths = [Path(part.strip()).expanduser() for part in setting.split(",") if part.strip()]
        if len(paths) != 2:
            raise BadGraph(
                f"{setting}: wanted two files with a comma between them: vertices.txt.gz,edges.txt.gz"
            )
        for path in paths:
            if not path.exists():
                raise BadGraph(f"{path}: there is no such file")
        return cls(paths[0], paths[1], rng)

    def linking(self, target: str, limit: int) -> Iterable[str]:
        if host(target) not in self._linking:
            self.look_up([target])
        own = registered_domain(target)
        urls = (f"https://{name}/" for name in self._linking[host(target)])
        return _distinct((url for url in urls if registered_domain(url) != own), limit)

    def look_up(self, targets: Iterable[str]) -> None:
        """Find out in one pass who links to the sites of some addresses; raises BadGraph."""
        wanted = {name for target in targets if (name := host(target)) not in self._linking}
        if not wanted:
            return
        names = {name: _spellings(name) for name in wanted}
        numbers = self._numbers_of({spelling for each in names.values() for spelling in each})
        sources = self._sources_of(set(numbers.values()))
        hosts = self._hosts_of({source for each in sources.values() for source in each})
        for name, spellings in names.items():
            found = chain.from_iterable(sources.get(numbers.get(spelling, b""), ()) for spelling in spellings)
            self._save(name, tuple(hosts[source] for source in dict.fromkeys(found) if source in hosts))

    def _save(self, name: str, hosts: tuple[str, ...]) -> None:
        self._linking[name] = hosts
        while len(self._linking) > MAX_REMEMBERED:
            del self._linking[next(iter(self._linking))]

    def _numbers_of(self, names: set[bytes]) -> dict[bytes, bytes]:
        needles = [b"\t" + name for name in names]
        found: dict[bytes, bytes] = {}
        for numbers, column in self._columns(self._vertices, _VERTEX, needles):
            for number, name in compress(zip(numbers, column, strict=True), map(names.__contains__, column)):
                found[name] = number  # noqa: PERF403
        return found

    def _sources_of(self, wanted: set[bytes]) -> dict[bytes, list[bytes]]:
        """Return who links to each number: a fair sample if there are many, since files are in alphabetical order."""
        sources: dict[bytes, list[bytes]] = {}
        counts = dict.fromkeys(wanted, 0)
        needles = [b"\t" + number for number in wanted]
        for column, targets in self._columns(self._edges, _EDGE, needles) if wanted else ():
            for source, target in compress(
                zip(column, targets, strict=True), map(wanted.__contains__, targets)
            ):
                counts[target] += 1
                sample = sources.setdefault(target, [])
                if len(sample) < self._most:
                    sample.append(source)
                elif (place := self._rng.randrange(counts[target])) < self._most:
                    sample[place] = source
        return sources

    def _hosts_of(self, wanted: set[bytes]) -> dict[bytes, str]:
        hosts: dict[bytes, str] = {}
        for numbers, names in self._columns(self._vertices, _VERTEX, ()) if wanted else ():
            for number, name in compress(zip(numbers, names, strict=True), map(wanted.__contains__, numbers)):
                hosts[number] = _reverse_labels(name.decode("ascii", "replace"))
        return hosts

    def _columns(
        self, path: Path, line: re.Pattern[bytes], needles: Sequence[bytes]
    ) -> Iterator[tuple[list[bytes], list[bytes]]]:
        """Yield the first two columns of a table, block by block; blocks without any of a few needles are skipped."""
        for file in _files(path):
            for number, block in enumerate(_blocks(file)):
                if not number:
                    _refuse_another_file(file, block, line)
                width = _width(block)
                if (
                    width
                    and 0 < len(needles) <= _FEW_NEEDLES
                    and not any(needle in block for needle in needles)
                ):
                    continue
                fields = block.split()
                if width and len(fields) == width * block.count(b"\n"):
                    yield fields[::width], fields[1::width]
                else:
                    yield self._columns_of_good_lines(block, line)

    def _columns_of_good_lines(
        self, block: bytes, line: re.Pattern[bytes]
    ) -> tuple[list[bytes], list[bytes]]:
        lines = block.splitlines(keepends=True)
        good = [each.split() for each in lines if line.fullmatch(each)]
        return [fields[0] for fields in good], [fields[1] for fields in good]


def _width(block: bytes) -> int:
    """Return how many columns all lines of a block have; 0 if they differ, or have others than two or three."""
    shape = block.translate(None, _SHAPE_ONLY)
    lines = shape.count(b"\n")
    return 2 if shape == b"\t\n" * lines else 3 if shape == b"\t\t\n" * lines else 0


def _refuse_another_file(file: Path, block: bytes, line: re.Pattern[bytes]) -> None:
    if not line.match(block):
        start = block[:60].partition(b"\n")[0].decode("ascii", "replace")
        wanted = (
            "a number, a tab and a reversed host"
            if line is _VERTEX
            else "two numbers with a tab between them"
        )
        raise BadGraph(f"{file}, line 1: {start!r} is not of a host graph, wanted {wanted}")


def _files(path: Path) -> list[Path]:
    """Return a file, or all files of a folder: large graphs come in parts."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.is_file())
    if not files:
        raise BadGraph(f"{path}: there is no file in it")
    return files


def _blocks(file: Path) -> Iterator[bytes]:
    """Yield a file in blocks of whole lines."""
    rest = b""
    try:
        with _open_file(file) as stream:
            while read := stream.read(_BLOCK_BYTES):
                whole, newline, rest = (rest + read).rpartition(b"\n")
                if newline:
                    yield whole + newline
                elif len(rest) > _MAX_LINE:
                    raise BadGraph(
                        f"{file}: has a line of more than {_MAX_LINE:,} bytes, so it is no host graph"
                    )
    except (OSError, EOFError, zlib.error, zstd.ZstdError) as error:
        raise BadGraph(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if rest:
        yield rest + b"\n"


def _open_file(file: Path) -> BinaryIO:
    if file.suffix == ".gz":
        return cast("BinaryIO", gzip.open(file))
    return cast("BinaryIO", zstd.open(file)) if file.suffix == ".zst" else file.open("rb")


def _spellings(name: str) -> tuple[bytes, ...]:
    """Return the names under which a graph may have a host, reversed: graphs leave out www, or all but the domain."""
    names = dict.fromkeys((name, name.removeprefix("www."), registered_domain(f"http://{name}/")))
    return tuple(_reverse_labels(each).encode("ascii", "replace") for each in names)


def _reverse_labels(name: str) -> str:
    """Return a host with its labels in reverse order.

    >>> _reverse_labels("com.example.www")
    'www.example.com'
    """
    return ".".join(reversed(name.split(".")))
