"""What the add-on does beside a CrawlSpider of somebody else's project: real crawls of a small shop."""

from __future__ import annotations

import os
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from bookshelf_project import PROJECT, Shop, crawl_books
from crawling import crawl
from forking import other_project_environment, run_forked
from guarded_sites import GuardedSite

from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

FORMS, QUERY, CHANGES, INDEX = (
    {f"HIDDENWEB_ADDON_{name}": True} for name in ("FORMS", "QUERY", "CHANGES", "INDEX")
)


def test_without_a_switch_the_crawl_is_scrapys_and_there_is_no_state(tmp_path: Path) -> None:
    with GuardedSite(Shop()) as site:
        ran = crawl_books(tmp_path, site)

    assert ran.code == 0, ran.output
    assert sorted(item["title"] for item in ran.books) == ["Book 1", "Book 2"]
    assert ran.items == tuple(ran.books)
    assert not ran.state.exists()
    assert not (PROJECT / "data").exists()
    assert sorted(site.count()) == ["/", "/book/1", "/book/2", "/robots.txt"]
    assert "hiddenweb" not in ran.output.replace("hiddenweb.addon", "").replace("HIDDENWEB", "").replace(
        "hiddenweb_", ""
    )


def test_forms_are_judged_and_stored_and_the_spider_hears_of_them(tmp_path: Path) -> None:
    with GuardedSite(Shop()) as site:
        ran = crawl_books(tmp_path, site, **FORMS)

    assert ran.code == 0, ran.output
    assert "heard of a form: may be submitted: True" in ran.output
    assert "'hiddenweb/forms/submittable': 1" in ran.output
    assert ran.rows("SELECT kind, state FROM forms") == [("search", "found")]
    assert site.requests("/find") == []
    assert len(ran.books) == 2


def test_search_forms_are_queried_and_their_records_are_items(tmp_path: Path) -> None:
    with GuardedSite(Shop()) as site:
        ran = crawl_books(tmp_path, site, **QUERY)

    assert ran.code == 0, ran.output
    (stored,) = ran.rows("SELECT count(*) FROM records")
    assert len(ran.records) == len({item["url"] for item in ran.records}) == stored[0] > 10
    assert len(ran.books) == 2
    asked = [request.sent["q"] for request in site.requests("/find")]
    assert len(asked) == len(set(asked)) == 9
    assert ran.rows("SELECT count(*) FROM submissions WHERE state = 'answered'") == [(9,)]
    assert "'hiddenweb/addon/failed'" not in ran.output
    assert "'hiddenweb/addon/lost'" not in ran.output


def test_queries_are_requests_of_the_crawl_and_end_with_its_limits(tmp_path: Path) -> None:
    with GuardedSite(Shop()) as site:
        first = crawl_books(tmp_path, site, CLOSESPIDER_ITEMCOUNT=8, CONCURRENT_REQUESTS=1, **QUERY)
        second = crawl_books(tmp_path, site, **QUERY)

    assert first.code == second.code == 0, first.output + second.output
    assert "'finish_reason': 'closespider_itemcount'" in first.output
    first_urls, second_urls = ({item["url"] for item in ran.records} for ran in (first, second))
    assert first_urls
    assert second_urls
    assert not first_urls & second_urls
    assert {url for (url,) in second.rows("SELECT url FROM records")} == first_urls | second_urls
    assert second.rows("SELECT count(*) FROM submissions") == [(9,)]


@pytest.mark.parametrize("obey", [True, False])
def test_queries_obey_robots_txt_whatever_the_project_says(tmp_path: Path, *, obey: bool) -> None:
    with GuardedSite(Shop(robots="User-agent: *\nDisallow: /find")) as site:
        ran = crawl_books(tmp_path, site, ROBOTSTXT_OBEY=obey, **QUERY)

    assert ran.code == 0, ran.output
    assert site.requests("/find") == []
    assert len(ran.books) == 2


def test_queries_go_only_where_the_address_guard_lets_them(tmp_path: Path) -> None:
    with GuardedSite(Shop()) as site:
        ran = crawl_books(tmp_path, site, HIDDENWEB_ALLOW_ADDRESSES="", **QUERY)

    assert ran.code == 0, ran.output
    assert site.requests("/find") == []
    assert len(ran.books) == 2  # the spider may go where it likes


@pytest.mark.parametrize(("hosts", "sent"), [("", False), ("127.0.0.1", True)])
def test_a_post_is_sent_only_to_hosts_that_are_named_and_never_twice(
    tmp_path: Path, hosts: str, *, sent: bool
) -> None:
    with GuardedSite(Shop(method="post")) as site:
        crawl_books(tmp_path, site, HIDDENWEB_ALLOW_POST=hosts, HIDDENWEB_QUERIES_PER_FORM=3, **QUERY)
        ran = crawl_books(tmp_path, site, HIDDENWEB_ALLOW_POST=hosts, HIDDENWEB_QUERIES_PER_FORM=5, **QUERY)

    assert ran.code == 0, ran.output
    asked = [request.sent["q"] for request in site.requests("/find")]
    assert len(asked) == len(set(asked)) == (5 if sent else 0)


def test_queries_keep_our_pace_whatever_that_of_the_project_is(tmp_path: Path) -> None:
    shop = Shop()
    with GuardedSite(shop) as site:
        ran = crawl_books(tmp_path, site, HIDDENWEB_DELAY=0.3, HIDDENWEB_QUERIES_PER_FORM=4, **QUERY)

    assert ran.code == 0, ran.output
    assert len(shop.asked) == 4
    assert min(later - earlier for earlier, later in pairwise(shop.asked)) > 0.25


def test_a_part_that_changes_requests_of_the_spider_leaves_ours_alone(tmp_path: Path) -> None:
    with GuardedSite(Shop()) as site, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(PROJECT.parent), prepend=os.pathsep)
        ran = crawl_books(
            tmp_path,
            site,
            HTTPCACHE_ENABLED=True,
            HTTPCACHE_DIR=tmp_path / "cache",
            JOBDIR=tmp_path / "job",
            DOWNLOADER_MIDDLEWARES='{"own_parts.MarkingMiddleware": 543}',
            ITEM_PIPELINES='{"own_parts.MarkingPipeline": 300}',
            **QUERY,
        )

    assert ran.code == 0, ran.output
    assert len(site.requests("/find")) == 9
    assert all(item["piped"] for item in ran.items)
    assert len(ran.records) > 10


def test_pages_are_compared_with_what_they_said_in_an_earlier_crawl(tmp_path: Path) -> None:
    shop = Shop()
    with GuardedSite(shop) as site:
        crawl_books(tmp_path, site, **CHANGES)
        same = crawl_books(tmp_path, site, **CHANGES)
        shop.price = "7.50"
        ran = crawl_books(tmp_path, site, **CHANGES)

    assert ran.code == 0, ran.output
    assert "heard of a change" not in same.output
    assert ran.output.count("heard of a change") == 2
    assert f"heard of a change: {site.url}book/1" in ran.output
    assert ran.rows("SELECT DISTINCT kind FROM changes") == [("content",)]


@pytest.mark.parametrize("switches", [CHANGES, CHANGES | FORMS], ids=["changes", "and forms"])
def test_a_page_is_parsed_once_however_often_it_is_compared(
    tmp_path: Path, switches: dict[str, object]
) -> None:
    shop = Shop()
    with GuardedSite(shop) as site:
        first, same = (crawl_books(tmp_path, site, **switches) for _ in range(2))
        shop.price = "7.50"
        changed = crawl_books(tmp_path, site, **switches)

    for ran in (first, same, changed):
        assert "'hiddenweb/addon/pages': 3" in ran.output, ran.output
        assert "'hiddenweb/html/parsed': 3" in ran.output
    assert "'hiddenweb/changes/content': 2" in changed.output


def test_pages_and_records_are_indexed(tmp_path: Path) -> None:
    with GuardedSite(Shop()) as site:
        ran = crawl_books(tmp_path, site, **QUERY, **INDEX)

    assert ran.code == 0, ran.output
    for words, url in (("tale rivers", "/book/1"), ("beetle dragon", "/record/")):
        command = [sys.executable, "-m", "scrapy", "search", words, "-s", f"HIDDENWEB_STATE={ran.state}"]
        assert url in run_forked(command).stdout, words


def test_forms_of_sites_that_the_spider_does_not_visit_are_left_alone(tmp_path: Path) -> None:
    with GuardedSite(Shop(), "127.0.0.2") as other, GuardedSite(Shop()) as site:
        explored = crawl(tmp_path, [other.url], {"HIDDENWEB_ALLOW_ADDRESSES": other.place}, spider="explore")
        ran = crawl_books(tmp_path, site, HIDDENWEB_ALLOW_ADDRESSES=f"{site.place},{other.place}", **QUERY)

    assert explored.code == ran.code == 0, explored.output + ran.output
    assert other.requests("/find") == []
    assert len(site.requests("/find")) == 9


def test_our_spiders_run_in_a_project_that_has_none_of_our_settings(tmp_path: Path) -> None:
    feed = tmp_path / "records.jsonl"
    with GuardedSite(Shop(robots="User-agent: *\nDisallow: /book/2")) as site:
        given = {
            "SPIDER_MODULES": "hiddenweb.spiders",
            "HIDDENWEB_STATE": tmp_path / "state",
            "HIDDENWEB_ALLOW_ADDRESSES": site.place,
            "HIDDENWEB_DELAY": 0,
            "HIDDENWEB_PROXY": "",
            "HIDDENWEB_INDEX": 0,
            "ROBOTSTXT_OBEY": 0,
            "DOWNLOADER_MIDDLEWARES": "{}",
            "ADDONS": "{}",
        }
        command = [sys.executable, "-m", "scrapy", "crawl", "harvest", "-O", str(feed)]
        command += ["-a", f"sites={site.url}", "-a", "queries=3"]
        for name, value in given.items():
            command += ["-s", f"{name}={value}"]
        ran = run_forked(command, cwd=PROJECT, env=other_project_environment())

    assert ran.returncode == 0, ran.stderr
    assert "Finished: " in ran.stderr
    assert feed.stat().st_size
    assert site.requests("/book/1")
    assert not site.requests("/book/2")


def test_an_explore_of_the_site_still_follows_its_links(tmp_path: Path) -> None:
    shop = Shop()
    with GuardedSite(shop) as site:
        crawl_books(tmp_path, site, **FORMS)
        with Store(tmp_path / "state", write=False) as state:
            known = state.rows("SELECT count(*) FROM pages")
        explored = crawl(tmp_path, [site.url], {"HIDDENWEB_ALLOW_ADDRESSES": site.place}, spider="explore")

    assert known == [(3,)]
    assert explored.code == 0, explored.output
    assert explored.rows("SELECT count(*) FROM links WHERE state = 2 AND kind = 'page'") == [(3,)]


@pytest.mark.parametrize(
    "arguments",
    [
        ("fetch",),
        ("view",),
        ("shell", "-c", "response.status"),
        ("parse", "--spider=books", "--callback=parse_book"),
    ],
    ids=["fetch", "view", "shell", "parse"],
)
def test_commands_that_look_at_a_page_query_nothing_though_the_project_switches_all_on(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    with GuardedSite(Shop()) as site:
        command, *options = arguments
        ran = run_forked(
            [sys.executable, "-m", "scrapy", command, site.url, *options]
            + [f"-s{name}=1" for name in FORMS | QUERY | CHANGES | INDEX]
            + [
                "-s",
                f"HIDDENWEB_STATE={tmp_path / 'state'}",
                "-s",
                f"HIDDENWEB_ALLOW_ADDRESSES={site.place}",
            ],
            cwd=PROJECT,
            env={**other_project_environment(), "BROWSER": "true"},
        )

    assert ran.returncode == 0, ran.stderr
    assert "ERROR" not in ran.stderr
    assert "/" in site.count()
    assert site.requests("/find") == []
    assert not (tmp_path / "state").exists()
