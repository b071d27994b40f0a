"""Records in feeds: real crawls of a small site, with Scrapy's own feed exports."""

from __future__ import annotations

import csv
import json
import re
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree as ET

from crawling import SmallSite, crawl
from forking import run_forked

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["amber", "beetle", "candle", "dragon", "ember", "falcon", "garnet", "hollow", "indigo", "jasper"]
AUTHORS = ["Jane Smith", "John Doe", "Ann Jones"]
FORM = "<form action=/find role=search><label>Search books by title <input type=search name=q></label><button>Search</button></form>"


def shop(path: str) -> str | None:
    parts = urlsplit(path)
    if parts.path == "/":
        return page("Books", f"{FORM}<p>{' '.join(WORDS)}</p>")
    if parts.path == "/find":
        word = parse_qs(parts.query).get("q", [""])[0].lower()
        found = [at for at in range(30) if word and word in says(at)]
        items = "".join(
            f"<li><a href=/book/{at}>The book {at}</a><p>{says(at)}</p>"
            f"<dl><dt>Author</dt><dd>{AUTHORS[at % 3]}</dd><dt>Price</dt><dd>{at}.50</dd></dl></li>"
            for at in found
        )
        return page("Found", FORM + (f"<ol>{items}</ol>" if found else "<p>No results found</p>"))
    if match := re.fullmatch(r"/book/(\d+)", parts.path):
        at = int(match[1])
        return page(f"The book {at}", f"<p>{says(at)}</p><p>It was made in {1800 + at} by master{at}.</p>")
    return None


def says(at: int) -> str:
    return f"{WORDS[at % 10]} {WORDS[at * 3 % 10]} number{at}"


def page(title: str, body: str) -> str:
    return f"<html lang=en><title>{title}</title>{body}</html>"


def options(site: SmallSite, **more: object) -> dict[str, object]:
    return {
        "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}",
        "HIDDENWEB_RETRIES": 0,
        "HIDDENWEB_INDEX": 0,
        **more,
    }


def rows_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def lines_in(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_feeds_have_the_records_that_a_run_found(tmp_path: Path) -> None:
    lines, table = tmp_path / "out" / "records.jsonl", tmp_path / "records.csv"
    with SmallSite(shop) as site:
        both = ["-o", str(lines), "-o", str(table)]
        first = crawl(tmp_path, [site.url], options(site), options=both, queries=1)
        known = {url for (url,) in first.rows("SELECT url FROM records")}
        told = [row["url"] for row in rows_in(lines)]
        second = crawl(tmp_path, [site.url], options(site), options=both, queries=4)
        known_now = {url for (url,) in second.rows("SELECT url FROM records")}
        third = crawl(tmp_path, [site.url], options(site), options=["-O", str(table)], queries=30)
        known_last = {url for (url,) in third.rows("SELECT url FROM records")}

    assert first.code == second.code == third.code == 0, first.output + second.output + third.output
    assert f"jsonl feed ({len(known)} items) in: {lines}" in first.output
    assert sorted(told) == sorted(known)  # each once
    assert len(known) < len(known_now) < len(known_last)
    rows = rows_in(lines)
    assert sorted(row["url"] for row in rows) == sorted(known_now)  # -o goes on with a file
    assert {row["site"] for row in rows} == {"127.0.0.1"}
    assert {row["kind"] for row in rows} == {"record"}
    assert {row["title"] for row in rows} <= {f"The book {at}" for at in range(30)}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", row["found_at"]) for row in rows)
    head, *found = lines_in(table)  # -O writes it anew: what the last run found
    assert head[:5] == ["site", "url", "title", "author", "price"]
    assert sorted(line[1] for line in found) == sorted(known_last - known_now)


def test_what_answers_name_is_in_feeds_and_found_by_name(tmp_path: Path) -> None:
    feed = tmp_path / "records.jsonl"
    with SmallSite(shop) as site:
        given = options(site, HIDDENWEB_INDEX=1)
        ran = crawl(tmp_path, [site.url], given, options=["-o", str(feed)], queries=3)

    assert ran.code == 0, ran.output
    by_smith = {row["url"] for row in rows_in(feed) if row["author"] == "Jane Smith"}
    command = [sys.executable, "-m", "scrapy", "search", "-s", f"HIDDENWEB_STATE={ran.state}", "--json"]
    found = run_forked([*command, "author:smith"])
    hits = [json.loads(line) for line in found.stdout.splitlines()]
    assert {hit["url"] for hit in hits} == by_smith != set()
    assert {hit["attributes"]["author"] for hit in hits} == {"Jane Smith"}


def test_attributes_are_in_every_format(tmp_path: Path) -> None:
    feeds = {
        str(tmp_path / "records.jsonl"): {"format": "jsonlines"},
        str(tmp_path / "records.json"): {"format": "json"},
        str(tmp_path / "records.csv"): {"format": "csv"},
        str(tmp_path / "chosen.csv"): {"format": "csv", "fields": ["title", "author", "price"]},
        str(tmp_path / "records.xml"): {"format": "xml"},
        str(tmp_path / "part-%(batch_id)d.csv"): {"format": "csv", "batch_item_count": 3},
    }
    with SmallSite(shop) as site:
        given = {"FEEDS": json.dumps(feeds), "HIDDENWEB_DETAIL_PAGES": "always"}
        ran = crawl(tmp_path, [site.url], options(site, **given), queries=3)

    assert ran.code == 0, ran.output
    rows = rows_in(tmp_path / "records.jsonl")
    by_url = {row["url"]: row for row in rows}
    (count,) = ran.rows("SELECT count(*) FROM records")[0]
    assert len(rows) == len(by_url) == count > 4
    assert json.loads((tmp_path / "records.json").read_text(encoding="utf-8")) == rows
    some = rows[0]

    head, *lines = lines_in(tmp_path / "records.csv")
    listed = {line[1]: dict(zip(head, line, strict=True)) for line in lines}
    assert len(lines) == count
    assert {listed[row["url"]]["price"] for row in rows} == {row["price"] for row in rows}
    chosen = lines_in(tmp_path / "chosen.csv")
    assert chosen[0] == ["title", "author", "price"]
    assert [some["title"], some["author"], some["price"]] in chosen
    items = ET.parse(tmp_path / "records.xml").getroot()
    first = next(item for item in items if item.findtext("url") == some["url"])
    assert len(items) == count
    assert some["price"] in [part.text for part in first.iter("attribute") if part.get("name") == "price"]
    parts = [lines_in(path) for path in sorted(tmp_path.glob("part-*.csv"))]
    assert sum(len(part) - 1 for part in parts) == count
    assert all(part[0][:3] == ["site", "url", "title"] for part in parts)


def test_what_a_feed_has_is_what_is_stored(tmp_path: Path) -> None:
    feed, exported = tmp_path / "records.jsonl", tmp_path / "exported.jsonl"
    with SmallSite(shop) as site:
        ran = crawl(tmp_path, [site.url], options(site), options=["-o", str(feed)], queries=3)

    command = [sys.executable, "-m", "scrapy", "records", "-s", f"HIDDENWEB_STATE={ran.state}", "--text"]
    done = run_forked([*command, "-o", str(exported)])
    assert done.returncode == 0, done.stderr
    told = {row["url"]: (row["title"], row["author"], row["price"]) for row in rows_in(feed)}
    stored = {row["url"]: (row["title"], row["author"], row["price"]) for row in rows_in(exported)}
    assert told == stored
    assert len(told) > 4
