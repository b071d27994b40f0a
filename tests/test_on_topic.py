"""What the parts of a crawl on a topic share."""

from __future__ import annotations

import gzip
from random import Random
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

import hiddenweb.settings
from hiddenweb.items import Field, Form, Page
from hiddenweb.locating.reverse_search import HostGraph, SearchEngine
from hiddenweb.locating.topic import read_topic
from hiddenweb.on_topic import (
    ReverseLinks,
    classifier_from,
    engine_of,
    graph_of,
    plan_of,
    rows_of,
    strategy_of,
    topic_crawl,
)
from hiddenweb.storage.sqlite import State
from hiddenweb.two_stages import Plan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME = Page(
    "https://a.example/", "Rare books", "Old books and first editions from all publishers", language="en"
)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with State(tmp_path / "state") as opened:
        yield opened


def settings(**given: object) -> Settings:
    made = Settings()
    made.setmodule(hiddenweb.settings)
    made.update(given)
    return made


def test_crawl_without_a_topic_shares_nothing(state: State) -> None:
    assert topic_crawl(state, settings()) is None


def test_all_parts_share_one_crawl(state: State) -> None:
    given = settings(HIDDENWEB_TOPIC="books")

    assert topic_crawl(state, given) is topic_crawl(state, given)


def test_numbers_of_the_settings_are_those_of_the_paper() -> None:
    assert plan_of(settings()) == Plan()
    assert plan_of(settings(HIDDENWEB_BARREN_PAGES=7)).criteria.barren_in_all == 7


def test_strategy_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match="'magic' is no strategy; there are adaptive, smartcrawler"):
        strategy_of(settings(HIDDENWEB_STRATEGY="magic"))


def test_box_that_says_nothing_is_about_what_its_page_is_about(state: State) -> None:
    crawl = topic_crawl(state, settings(HIDDENWEB_TOPIC="books"))
    assert crawl is not None
    box = Form(
        "https://a.example/",
        "https://a.example/find",
        "GET",
        (Field("q", "text"),),
        text="Search",
        language="en",
    )
    hotels = Page(
        "https://b.example/", "Hotels", "Hotels, rooms, resorts and suites for your stay", language="en"
    )

    assert crawl.relevance(box, HOME)[1]
    assert not crawl.relevance(box, hotels)[1]


def test_what_the_site_classifier_learnt_is_there_in_the_next_crawl(tmp_path: Path) -> None:
    given = settings(HIDDENWEB_TOPIC="books")
    with State(tmp_path) as state:
        crawl = topic_crawl(state, given)
        assert crawl is not None
        crawl.learn_site("incunabula and colophons", "Old prints", "en", on_topic=True)
        learnt = rows_of(crawl.classifier)

    with State(tmp_path) as state:
        crawl = topic_crawl(state, given)

        assert crawl is not None
        assert learnt
        assert rows_of(crawl.classifier) == learnt


def test_classifier_is_the_same_from_its_rows() -> None:
    topic = read_topic("books")
    classifier = classifier_from(topic, [])
    classifier.learn("incunabula and colophons: a catalogue", "Old prints", "en", on_topic=True)

    again = classifier_from(topic, rows_of(classifier).items())

    text = "a colophon in every incunabula"
    assert again.judge(text, "", "en").probability == pytest.approx(
        classifier.judge(text, "", "en").probability, abs=1e-3
    )


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
    assert list(links.arrived()) == ["https://links.example/"]
    assert list(links.arrived()) == []


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

    assert list(links.arrived()) == []
    assert "vertices.txt" in caplog.text


def test_engine_is_asked_as_a_page_is() -> None:
    asked: list[str] = []
    links = ReverseLinks(None, SearchEngine("https://search.example/?q={site}&format=json"))
    links.ask_engine = asked.append

    assert list(links.linking("good.example")) == []
    assert asked == ["https://search.example/?q=good.example&format=json"]


def test_graph_and_engine_come_from_the_settings(tmp_path: Path) -> None:
    assert graph_of(settings(), Random(1)) is None
    assert engine_of(settings()) is None
    with pytest.raises(ValueError, match="there is no such file"):
        graph_of(settings(HIDDENWEB_HOST_GRAPH=f"{tmp_path}/v.txt,{tmp_path}/e.txt"), Random(1))
    with pytest.raises(ValueError, match="is no template"):
        engine_of(settings(HIDDENWEB_SEARCH_ENGINE="not an address"))
