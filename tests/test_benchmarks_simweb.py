"""The benchmark of simweb measures what it says: small runs of its parts."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import pytest

from benchmarks import simweb as benchmark
from benchmarks._bare_scrapy import CONCURRENCY, BareScrapy, Job
from benchmarks._load import load
from benchmarks._simweb_calibration import Sample, calibration, power_law
from simweb.running import Simweb

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def web() -> Iterator[Simweb]:
    with Simweb.start(seed=7, sites=60, pages_per_site=20, largest_database=60) as running:
        yield running


@pytest.fixture(scope="module")
def pages(web: Simweb) -> list[str]:
    sites = [site for site in web.sites() if not site["traps"] and not site["host"].startswith("127.")]
    return benchmark.page_list(web, sites, 100, Random(7))[:100]


@pytest.mark.parametrize("exponent", [2.1, 2.7])
def test_power_law_is_found_again(exponent: float) -> None:
    draw = Random(7)
    values = [round(3 * (1 - draw.random()) ** (-1 / (exponent - 1))) for _ in range(20_000)]

    fitted = power_law(values)

    assert fitted.exponent == pytest.approx(exponent, abs=0.12)
    assert fitted.tail >= 50


def test_too_few_values_have_no_power_law() -> None:
    assert math.isnan(power_law([1, 2, 3]).exponent)


def test_calibration_gives_shares_and_exponents() -> None:
    sample = Sample(sites=200, sampled=100, databases=20, pages=20, linking_pages=2000)

    figures = {figure.key: figure.value for figure in calibration(7, sample)}

    assert all(0 < figures[key] < 1 for key in ("out_of_site_links", "pages_with_form", "searchable_forms"))
    assert figures["interfaces_within_3"] <= figures["databases_within_3"] <= 1
    assert 1.5 < figures["in_link_exponent"] < 3


def test_load_brings_every_page(web: Simweb, pages: list[str]) -> None:
    loaded = load(web.proxy, pages)

    assert (loaded.pages, loaded.failed) == (len(pages), 0)
    assert loaded.bytes > 1000 * len(pages)


def test_both_spiders_take_in_the_list_and_both_sides_are_counted(web: Simweb, pages: list[str]) -> None:
    with BareScrapy() as scrapy:
        fetched = benchmark.crawl(web, scrapy, "static", "fetch", pages)
        followed = benchmark.crawl(web, scrapy, "static", "follow", pages)

    served = web.get("requests")[-followed.pages :]
    links = {f"http://{each['host']}{each['target']}" for each in served} - set(pages)
    assert fetched.pages == len(pages)
    assert len(links) < CONCURRENCY  # a few, while the crawl closes
    assert min(fetched.scrapy, fetched.simweb, followed.scrapy, followed.simweb) > 0


def test_a_crawl_that_misses_pages_is_no_measurement(web: Simweb, pages: list[str]) -> None:
    with BareScrapy() as scrapy, pytest.raises(RuntimeError, match="2 addresses, but"):
        scrapy.crawl(Job("fetch", web.proxy, (pages[0], "http://no-such-host.example/")))


def test_questions_are_words_of_the_database_and_none_comes_twice(web: Simweb) -> None:
    site = next(
        site for site in web.sites() if site["style"] in benchmark.ONE_BOX and site["language"] == "en"
    )
    plan = web.get("site", host=site["host"])

    asked = benchmark.questions(web, plan, Random(7))

    urls = [url for url, _ in asked]
    assert len(set(urls)) == len(urls) > 50
    assert {hits for _, hits in asked} >= {"2 to 9"}
    assert load(web.proxy, urls[:20]).failed == 0
