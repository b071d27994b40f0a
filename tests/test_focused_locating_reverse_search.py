"""Reverse search: whom to ask for, search engines and their answers, graphs of hosts, centre pages."""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.focused.locating import reverse_search as module
from hiddenweb.focused.locating.reverse_search import (
    BadGraph,
    BadTemplate,
    HostGraph,
    SearchEngine,
    UnreadableSearchResults,
    is_centre_page,
)

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


SITES = [f"https://site{number}.example/" for number in range(10)]
ENGINE = "https://engine.example/search?q={searchTerms}"


# Whom to ask for


# Centre pages


@pytest.mark.parametrize(
    ("links", "has_form", "is_centre"),
    [
        ([], False, False),
        ([], True, True),  # a relevant form is enough
        (["https://a.example/", "https://b.example/"], False, False),  # two are not more than two
        (["https://a.example/", "https://b.example/x", "https://c.example/"], False, True),
        (
            ["https://example.com/1", "https://www.example.com/2", "https://m.example.com/"],
            False,
            False,
        ),  # one site
        (["https://x.example/", "https://y.example/", "https://z.example/"], False, False),  # no good site
    ],
)
def test_a_centre_page_has_a_form_or_links_to_several_good_sites(
    links: list[str], has_form: bool, is_centre: bool
) -> None:
    known_good = {"a.example", "b.example", "c.example", "example.com"}

    assert is_centre_page(links, known_good, has_form) is is_centre


def test_links_of_a_page_to_its_own_site_do_not_count() -> None:
    links = ["https://example.com/", "https://b.example/", "https://c.example/"]
    known_good = {"example.com", "b.example", "c.example"}

    assert not is_centre_page(links, known_good, False, page_url="https://www.example.com/links")
    assert is_centre_page(links, known_good, False, hub=1, page_url="https://www.example.com/links")


# Search engines


@pytest.mark.parametrize(
    ("template", "address"),
    [
        (
            "https://e.example/?q=link:{site}&format=json",
            "https://e.example/?q=link:www.t.example&format=json",
        ),
        (
            "https://e.example/links?to={url}",
            "https://e.example/links?to=https%3A%2F%2Fwww.t.example%2Fa%3Fb%3D1",
        ),
        (ENGINE, "https://engine.example/search?q=%22www.t.example%22%20-site%3Awww.t.example"),
        ("https://e.example/{site}/in?p={startPage?}", "https://e.example/www.t.example/in?p=1"),
        ("https://e.example/?q={site}&x={custom?}", "https://e.example/?q=www.t.example&x="),
        ("http://127.0.0.1:8888/search?q={site}", "http://127.0.0.1:8888/search?q=www.t.example"),
    ],
)
def test_a_template_becomes_an_address_to_fetch(template: str, address: str) -> None:
    assert SearchEngine(template).request_for("https://www.t.example/a?b=1") == address


@pytest.mark.parametrize(
    ("template", "complaint"),
    [
        ("", "is no template of an address; wanted an address such as https://engine.example/"),
        ("https://e.example/", "is no template of an address"),
        ("e.example/?q={site}", "is no template of an address"),
        ("ftp://e.example/{site}", "is no template of an address"),
        ("https://{site}/", "is no template of an address"),  # it would lead anywhere
        ("https://e.example/?q={site", "is no template of an address"),
        ("https://e.example/#{site}", "is no template of an address"),  # never sent
        ("https://me:secret@e.example/?q={site}", "has a name or a password in it"),
        ("https://e.example/?p={startPage}", "does not say where the site goes"),
        ("https://e.example/?q={site}&k={key}", "{key} is not known; known are site, url, searchTerms"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused(template: str, complaint: str) -> None:
    with pytest.raises(BadTemplate) as error:
        SearchEngine(template)

    assert complaint in str(error.value)


def answered(
    body: str | bytes, content_type: str = "", url: str = "https://engine.example/search?q=x"
) -> list[str]:
    return SearchEngine(ENGINE).read_answer(
        body if isinstance(body, bytes) else body.encode(), content_type, url
    )


@pytest.mark.parametrize(
    "answer",
    [
        {"query": "x", "results": [{"url": "https://a.example"}, {"url": "https://b.example/links"}]},
        {"data": {"items": [{"link": "https://a.example/"}, {"link": "https://b.example/links"}]}},
        [{"href": "https://a.example/"}, {"href": "https://b.example/links"}, {"title": "none"}, 7, None],
        [[{"url": "https://a.example/"}], {"more": [{"url": "https://b.example/links"}]}],
        {
            "url": "https://engine.example/",
            "hits": [{"url": "https://a.example/"}, {"url": "https://b.example/links"}],
        },
    ],
)
def test_addresses_are_taken_out_of_json_of_any_shape(answer: object) -> None:
    assert answered(json.dumps(answer), "application/json") == [
        "https://a.example/",
        "https://b.example/links",
    ]
    assert answered(json.dumps(answer)) == ["https://a.example/", "https://b.example/links"]


@pytest.mark.parametrize(
    "answer",
    [
        """<?xml version="1.0"?><rss version="2.0"><channel><link>https://other.example/</link>
        <item><title>A</title><link>https://a.example/</link></item>
        <item><link> https://b.example/links </link></item></channel></rss>""",
        """<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://other.example/"/>
        <entry><link rel="self" href="https://self.example/"/><link href="https://a.example/"/></entry>
        <entry><link rel="alternate" href="https://b.example/links"/></entry></feed>""",
        """<?xml version="1.0"?><list><link>https://a.example/</link><link>https://b.example/links</link></list>""",
    ],
    ids=["RSS", "Atom", "other XML"],
)
def test_addresses_are_taken_out_of_feeds(answer: str) -> None:
    assert answered(answer, "application/rss+xml") == ["https://a.example/", "https://b.example/links"]


def test_links_that_leave_the_engine_are_taken_out_of_a_page() -> None:
    page = """
        <a href="/settings">Settings</a> <a href="https://help.example.net/">Help</a>
        <a href="https://a.example/">A</a>
        <a href="//www.example.net/l/?u=https%3A%2F%2Fb.example%2Flinks&amp;r=1">B</a>
        <a href="/l?to=https://help.example.net/">own, by way of itself</a>
        <a href="https://a.example/#again">A again</a> <a href="mailto:me@a.example">mail</a>
    """
    engine = SearchEngine("https://www.example.net/find?q={searchTerms}")

    found = engine.read_answer(page.encode(), "text/html; charset=utf-8", "https://www.example.net/find?q=x")

    assert found == ["https://a.example/", "https://b.example/links"]


def test_an_answer_that_was_redirected_is_the_engines_own_too() -> None:
    page = '<a href="/about">About</a><a href="https://a.example/">A</a>'

    assert answered(page, "text/html", "https://mirror.example/search") == ["https://a.example/"]


@pytest.mark.parametrize(
    ("body", "content_type", "complaint"),
    [
        (b"{", "application/json", "is no JSON"),
        (b"<html>not allowed</html>", "application/json", "is no JSON"),
        (b"[" * 100_000, "application/json", "is no JSON"),
        (b"\xff\xfe", "application/json", "is no JSON"),
        (b"<?xml version='1.0'?><rss>", "application/xml", "is no feed"),
        (b"<?xml version='1.0'?><!DOCTYPE r [<!ENTITY x 'y'>]><rss>&x;</rss>", "", "it has a document type"),
        (b" " * 5_000_001, "text/html", "5,000,001 bytes are too many"),
    ],
)
def test_an_answer_that_cannot_be_read_says_why(body: bytes, content_type: str, complaint: str) -> None:
    with pytest.raises(UnreadableSearchResults) as error:
        answered(body, content_type)

    assert str(error.value).startswith("https://engine.example/search?q=x: ")
    assert complaint in str(error.value)


def test_answers_are_not_endless() -> None:
    results = [{"url": f"https://a{number}.example/"} for number in range(1_000)]

    assert len(answered(json.dumps(results))) == module.MAX_RESULTS


@given(body=st.binary(), content_type=st.sampled_from(["", "application/json", "text/html", "text/xml"]))
@settings(max_examples=100)
def test_whatever_comes_back_is_read_or_refused(body: bytes, content_type: str) -> None:
    with suppress(UnreadableSearchResults):
        assert isinstance(answered(body, content_type), list)


# Graphs of hosts

VERTICES = ["com.example", "com.example.shop", "de.buch", "net.links", "org.archive.www", "org.blog"]
EDGES = [(3, 0), (4, 0), (5, 0), (1, 0), (3, 2), (0, 3)]


def graph(
    folder: Path,
    vertices: Iterable[str] = VERTICES,
    edges: Iterable[tuple[int, int]] = EDGES,
    *,
    suffix: str = ".txt",
    counts: bool = False,
) -> HostGraph:
    lines = (f"{number}\t{name}{f'{chr(9)}7' if counts else ''}\n" for number, name in enumerate(vertices))
    paths = folder / f"vertices{suffix}", folder / f"edges{suffix}"
    texts = "".join(lines), "".join(f"{source}\t{target}\n" for source, target in edges)
    for path, text in zip(paths, texts, strict=True):
        body = text.encode()
        packed = gzip.compress(body) if suffix == ".gz" else zstd.compress(body) if suffix == ".zst" else body
        path.write_bytes(packed)
    return HostGraph(*paths, Random(1))


@pytest.mark.parametrize("suffix", [".txt", ".gz", ".zst"])
@pytest.mark.parametrize("counts", [False, True], ids=["hosts", "domains"])
def test_a_graph_knows_who_links_to_a_host(tmp_path: Path, suffix: str, counts: bool) -> None:
    hosts = graph(tmp_path, suffix=suffix, counts=counts)

    assert list(hosts.linking("https://example.com/", 10)) == [
        "https://links.net/",
        "https://www.archive.org/",
        "https://blog.org/",
    ]
    assert list(hosts.linking("https://www.buch.de/a?b", 10)) == ["https://links.net/"]
    assert list(hosts.linking("https://nobody.example/", 10)) == []
    assert list(hosts.linking("https://example.com/", 2)) == [
        "https://links.net/",
        "https://www.archive.org/",
    ]


def test_a_host_is_also_found_by_its_domain(tmp_path: Path) -> None:
    assert list(graph(tmp_path).linking("https://www.shop.example.com/", 1)) == ["https://links.net/"]


def test_many_hosts_are_looked_up_in_one_go_and_remembered(tmp_path: Path) -> None:
    hosts = graph(tmp_path)
    hosts.look_up(["https://example.com/", "https://buch.de/", "https://nobody.example/"])
    (tmp_path / "edges.txt").unlink()
    (tmp_path / "vertices.txt").unlink()

    assert len(list(hosts.linking("https://example.com/", 10))) == 3
    assert list(hosts.linking("https://nobody.example/", 10)) == []
    with pytest.raises(BadGraph, match=r"vertices\.txt: cannot be read: No such file"):
        hosts.linking("https://links.net/", 10)


def test_old_answers_are_forgotten_when_there_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_REMEMBERED", 2)
    hosts = graph(tmp_path)

    for number in range(5):
        hosts.look_up([f"https://a{number}.example/"])

    assert len(hosts._linking) == 2


def test_blocks_and_their_borders_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"com.host{number:04}" for number in range(500)]
    edges = [(source, source * 7 % 500) for source in range(500)] + [
        (source, 250) for source in range(0, 500, 9)
    ]
    expected = {
        f"https://host{source:04}.com/" for source, target in edges if target == 250 and source != 250
    }

    for block in (1, 7, 64, 1 << 18):
        monkeypatch.setattr(module, "_BLOCK_BYTES", block)
        assert set(graph(tmp_path, names, edges).linking("https://host0250.com/", 1_000)) == expected


def test_very_many_hosts_at_once_are_found_too(tmp_path: Path) -> None:
    names = [f"com.host{number:04}" for number in range(500)]
    hosts = graph(tmp_path, names, [(number, (number + 1) % 500) for number in range(500)])
    targets = [f"https://host{number:04}.com/" for number in range(1, 300)]

    hosts.look_up(targets)

    assert [list(hosts.linking(target, 5)) for target in targets[:2]] == [
        ["https://host0000.com/"],
        ["https://host0001.com/"],
    ]


def test_of_very_many_that_link_a_fair_sample_is_taken(tmp_path: Path) -> None:
    names = [f"{'ac' if number < 1_000 else 'org'}.host{number}" for number in range(2_000)]
    hosts = graph(tmp_path, names, [(source, 7) for source in range(2_000)])

    found = list(hosts.linking("https://host7.ac/", 1_000))

    suffixes = Counter(url.rpartition(".")[2] for url in found)
    assert 98 <= len(found) <= module.MAX_RESULTS
    assert suffixes["ac/"] > 30
    assert suffixes["org/"] > 30


def test_broken_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    hosts = graph(tmp_path)
    (tmp_path / "vertices.txt").write_text(
        "0\tcom.example\n\nrubbish\n1\t\n2\tnet.links\textra\tmore\n3\tnet.links\t12\n4\torg.blog",
        encoding="utf-8",
    )
    (tmp_path / "edges.txt").write_text("3\t0\nx\t0\n5\n1\t2\t3\n4\t0\r\n", encoding="utf-8")

    assert list(hosts.linking("https://example.com/", 10)) == ["https://links.net/", "https://blog.org/"]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        (
            "vertices.txt",
            b"host,id\n",
            "vertices.txt, line 1: 'host,id' is not of a host graph, wanted a number",
        ),
        (
            "vertices.txt",
            b"0\t1\n",
            "line 1: '0\\t1' is not of a host graph, wanted a number, a tab and a reversed",
        ),
        ("vertices.txt", b"\x1f\x8b\x08\x00\n\x00", "is not of a host graph"),
        ("vertices.txt", b"x" * 1_000_000, "has a line of more than 65,536 bytes"),
        (
            "edges.txt",
            b"0\tcom.example\n",
            "edges.txt, line 1: '0\\tcom.example' is not of a host graph, wanted two",
        ),
    ],
)
def test_another_file_is_refused_with_its_first_line(
    name: str, content: bytes, complaint: str, tmp_path: Path
) -> None:
    hosts = graph(tmp_path)
    (tmp_path / name).write_bytes(content)

    with pytest.raises(BadGraph) as error:
        hosts.linking("https://example.com/", 10)

    assert complaint in str(error.value)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_half_of_a_packed_file_is_named(tmp_path: Path, suffix: str) -> None:
    hosts = graph(tmp_path, suffix=suffix)
    path = tmp_path / f"edges{suffix}"
    path.write_bytes(path.read_bytes()[:-6])

    with pytest.raises(BadGraph, match=rf"edges{suffix}: cannot be read: "):
        hosts.linking("https://example.com/", 10)


def test_a_plain_file_that_calls_itself_packed_is_named(tmp_path: Path) -> None:
    hosts = graph(tmp_path, suffix=".gz")
    (tmp_path / "edges.gz").write_bytes(b"3\t0\n")

    with pytest.raises(BadGraph, match=r"edges\.gz: cannot be read: Not a gzipped file"):
        hosts.linking("https://example.com/", 10)


def test_a_graph_may_come_in_parts(tmp_path: Path) -> None:
    for folder, parts in {
        "vertices": ["0\tcom.example\n", "1\tnet.links\n2\torg.blog\n"],
        "edges": ["1\t0\n", "2\t0\n"],
    }.items():
        (tmp_path / folder).mkdir()
        for number, part in enumerate(parts):
            (tmp_path / folder / f"part-{number}.txt.gz").write_bytes(gzip.compress(part.encode()))

    hosts = HostGraph(tmp_path / "vertices", tmp_path / "edges", Random(1))

    assert list(hosts.linking("https://example.com/", 5)) == ["https://links.net/", "https://blog.org/"]


def test_a_folder_without_parts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadGraph, match="there is no file in it"):
        HostGraph(tmp_path, tmp_path, Random(1)).linking("https://example.com/", 5)


def test_a_setting_names_both_files(tmp_path: Path) -> None:
    graph(tmp_path)
    setting = f"{tmp_path / 'vertices.txt'}, {tmp_path / 'edges.txt'}"

    hosts = HostGraph.from_setting(setting, Random(1))

    assert list(hosts.linking("https://buch.de/", 5)) == ["https://links.net/"]


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("", "wanted two files with a comma between them"),
        ("vertices.txt", "vertices.txt: wanted two files"),
        ("a,b,c", "a,b,c: wanted two files"),
        ("missing-v.txt,missing-e.txt", "missing-v.txt: there is no such file"),
    ],
)
def test_a_setting_that_names_no_graph_is_refused(setting: str, complaint: str) -> None:
    with pytest.raises(BadGraph, match=complaint):
        HostGraph.from_setting(setting, Random(1))
