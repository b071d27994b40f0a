"""What the parts of a crawl on a topic share."""

from __future__ import annotations

import gzip
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

import hiddenweb.settings
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.focused.locating.reverse_search import HostGraph, SearchEngine
from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.focused.topic_crawl import (
    ReverseLinks,
    read_engine,
    read_graph,
    read_limits,
    read_strategy,
)
from hiddenweb.model import Field, Form, Page
from hiddenweb.store.database import Store
from hiddenweb.store.topic_knowledge import add_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.focused.locating.site_classifier import SiteVerdict

HOME = Page(
    "https://a.example/", "Rare books", "Old books and first editions from all publishers", language="en"
)
HOTELS = Page(
    "https://b.example/", "Hotels", "Hotels, rooms, resorts and suites for your stay", language="en"
)
BOX = Form(
    "https://a.example/", "https://a.example/find", "GET", (Field("q", "text"),), text="Search", language="en"
)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as opened:
        yield opened


def settings(**given: object) -> Settings:
    made = Settings()
    made.setmodule(hiddenweb.settings)
    made.update(given)
    return made


def test_limits_of_the_settings_are_those_of_the_paper() -> None:
    assert read_limits(settings()) == FocusedLimits()
    assert read_limits(settings(HIDDENWEB_FORMLESS_PAGES_PER_SITE=7)).criteria.formless_in_all == 7


def test_unknown_strategy_is_named() -> None:
    with pytest.raises(ValueError, match="'magic' is no strategy; there are adaptive, smartcrawler"):
        read_strategy(settings(HIDDENWEB_STRATEGY="magic"))


def test_form_without_words_is_judged_by_its_page(state: Store) -> None:
    crawl = CrawlContext(state, settings(HIDDENWEB_TOPIC="books")).topic
    assert crawl is not None

    assert crawl.relevance(BOX, HOME)[1]
    assert not crawl.relevance(BOX, HOTELS)[1]


def test_page_is_classified_once(state: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = CrawlContext(state, settings(HIDDENWEB_TOPIC="books")).topic
    assert crawl is not None
    judged_titles: list[str] = []
    judge = crawl.classifier.judge

    def counted(text: str, title: str = "", language: str = "") -> SiteVerdict:
        judged_titles.append(title)
        return judge(text, title, language)

    monkeypatch.setattr(crawl.classifier, "judge", counted)
    again = replace(HOME)

    for page in (HOME, again):
        verdicts = [
            crawl.relevance(replace(BOX, action=f"{BOX.action}/{number}"), page) for number in range(3)
        ]
        assert all(relevant for _, relevant in verdicts)
        assert crawl.judge_homepage(page).on_topic

    assert again == HOME
    assert judged_titles == [HOME.title, HOME.title]  # another object may be another page


def test_classifier_of_an_older_state_is_ignored(state: Store) -> None:
    add_terms(state, "books", [("site classifier", "en:on:hotel", [50.0])])

    crawl = CrawlContext(state, settings(HIDDENWEB_TOPIC="books")).topic

    assert crawl is not None
    assert not crawl.judge_homepage(HOTELS).on_topic


def test_host_graph_answers_later(tmp_path: Path) -> None:
    vertices, edges = tmp_path / "vertices.txt.gz", tmp_path / "edges.txt.gz"
    vertices.write_bytes(gzip.compress(b"0\texample.good\n1\texample.links\n2\texample.other\n"))
    edges.write_bytes(gzip.compress(b"1\t0\n2\t1\n"))
    graph = HostGraph.from_setting(f"{vertices},{edges}", Random(1))
    links = ReverseLinks(graph, None)

    now = list(links.linking("good.example"))
    assert links._threads is not None
    links._threads.shutdown(wait=True)

    assert now == []
    assert list(links.take_found()) == ["https://links.example/"]
    assert list(links.take_found()) == []


def test_graph_that_breaks_while_it_is_read_costs_no_crawl(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    vertices, edges = tmp_path / "vertices.txt", tmp_path / "edges.txt"
    vertices.write_text("this is no graph\n", encoding="utf-8")
    edges.write_text("1\t0\n", encoding="utf-8")
    links = ReverseLinks(HostGraph.from_setting(f"{vertices},{edges}", Random(1)), None)

    links.linking("good.example")
    assert links._threads is not None
    links._threads.shutdown(wait=True)

    assert list(links.take_found()) == []
    assert "vertices.txt" in caplog.text


def test_engine_is_fetched_as_a_page_is() -> None:
    queries: list[str] = []
    links = ReverseLinks(None, SearchEngine("https://search.example/?q={site}&format=json"))
    links.query_engine = queries.append

    assert list(links.linking("good.example")) == []
    assert queries == ["https://search.example/?q=good.example&format=json"]


def test_graph_and_engine_come_from_the_settings(tmp_path: Path) -> None:
    assert read_graph(settings(), Random(1)) is None
    assert read_engine(settings()) is None
    with pytest.raises(ValueError, match="there is no such file"):
        read_graph(settings(HIDDENWEB_HOST_GRAPH=f"{tmp_path}/v.txt,{tmp_path}/e.txt"), Random(1))
    with pytest.raises(ValueError, match="is no template"):
        read_engine(settings(HIDDENWEB_SEARCH_ENGINE="not an address"))
