"""What Scrapy's documentation says holds in our project for the spiders of other people, and for Scrapy's commands: real crawls of a small site.

Each test shows one convention. What our own spiders do with settings and parts of a user is in `test_addon_installation.py`, what
the add-on does beside a spider of another project in `test_addon_companion.py`.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from crawling import ROOT
from forking import other_project_environment, run_forked
from guarded_sites import GuardedSite, Reply, SiteRequest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

VISITORS = {"SPIDER_MODULES": "hiddenweb.spiders,visitors"}
ENVIRONMENT = {"PYTHONPATH": str(ROOT / "tests" / "projects")}
CHAIN = 5
"""Pages of the site that lead from one to the next."""


class Site:
    """A site with a chain of pages, a redirect, a page that fails once, a cookie and a robots.txt."""

    def __init__(self) -> None:
        self.failures = 0

    def __call__(self, request: SiteRequest) -> Reply | str | None:
        match request.path:
            case "/robots.txt":
                return "User-agent: *\nDisallow: /private"
            case "/":
                return self.page("Start", "/chain/1")
            case "/moved":
                return Reply(status=302, headers=[("Location", "/chain/5")])
            case "/fails":
                self.failures += 1
                return Reply("later", 503) if self.failures == 1 else self.page("It came")
            case "/cookie":
                return Reply(self.page("A cookie", "/who"), headers=[("Set-Cookie", "visit=yes; Path=/")])
            case "/who":
                return self.page(f"visit is {request.cookies.get('visit', 'unknown')}")
            case "/private":
                return self.page("Private")
            case "/twice":
                return self.page("Twice", "/chain/5", "/chain/5", "/chain/5?")
            case path if path.startswith("/chain/"):
                number = int(path.removeprefix("/chain/"))
                return self.page(f"Page {number}", *([f"/chain/{number + 1}"] if number < CHAIN else []))
        return None

    @staticmethod
    def page(title: str, *links: str) -> str:
        anchors = "".join(f"<a href='{link}'>{link}</a> " for link in links)
        return f"<html lang=en><title>{title}</title><h1>{title}</h1>{anchors}</html>"


@pytest.fixture
def site() -> Iterator[GuardedSite]:
    with GuardedSite(Site()) as running:
        yield running


def scrapy(*arguments: object, cwd: Path = ROOT, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run `scrapy` in our project, with spiders of other people in it."""
    command = [sys.executable, "-m", "scrapy", *map(str, arguments)]
    for name, value in (VISITORS | settings).items():
        command += ["-s", f"{name}={value}"]
    return run_forked(command, cwd=cwd, env={**other_project_environment(), **ENVIRONMENT})


def walk(
    tmp_path: Path, *starts: str, options: tuple[object, ...] = (), **settings: Any
) -> tuple[list[dict[str, Any]], subprocess.CompletedProcess[str]]:
    """Crawl with a spider that is not ours; return its items, and how the crawl went."""
    feed = tmp_path / "items.jsonl"
    ran = scrapy("crawl", "walking", "-a", f"start={' '.join(starts)}", "-O", feed, *options, **settings)
    assert ran.returncode == 0, ran.stderr
    assert not (ROOT / "data").exists()
    return [json.loads(line) for line in feed.read_text(encoding="utf-8").splitlines()], ran


def titles(items: list[dict[str, Any]]) -> list[str]:
    return [item["title"] for item in items]


# Spiders of other people


def test_a_spider_follows_links_and_exports_items_to_feeds(tmp_path: Path, site: GuardedSite) -> None:
    items, ran = walk(tmp_path, site.url)

    assert titles(items) == ["Start", *(f"Page {number}" for number in range(1, CHAIN + 1))]
    assert "Stored jsonl feed (6 items)" in ran.stderr


def test_arguments_become_attributes_of_the_spider(tmp_path: Path, site: GuardedSite) -> None:
    items, _ = walk(tmp_path, f"{site.url}chain/5", options=("-a", "given=some words"))

    assert [item["given"] for item in items] == ["some words"]


def test_redirects_are_followed(tmp_path: Path, site: GuardedSite) -> None:
    items, _ = walk(tmp_path, f"{site.url}moved")

    assert titles(items) == ["Page 5"]


def test_redirects_are_not_followed_without_redirect_enabled(tmp_path: Path, site: GuardedSite) -> None:
    items, _ = walk(tmp_path, f"{site.url}moved", REDIRECT_ENABLED=0)

    assert items == []


def test_failures_are_retried(tmp_path: Path, site: GuardedSite) -> None:
    items, ran = walk(tmp_path, f"{site.url}fails")

    assert titles(items) == ["It came"]
    assert "'retry/count': 1" in ran.stderr


def test_cookies_are_kept(tmp_path: Path, site: GuardedSite) -> None:
    items, _ = walk(tmp_path, f"{site.url}cookie")

    assert titles(items) == ["A cookie", "visit is yes"]


def test_cookies_are_not_kept_without_cookies_enabled(tmp_path: Path, site: GuardedSite) -> None:
    items, _ = walk(tmp_path, f"{site.url}cookie", COOKIES_ENABLED=0)

    assert titles(items) == ["A cookie", "visit is unknown"]


def test_the_same_request_is_sent_once(tmp_path: Path, site: GuardedSite) -> None:
    walk(tmp_path, f"{site.url}twice")

    assert len(site.requests("/chain/5")) == 1


def test_another_dupefilter_is_used(tmp_path: Path, site: GuardedSite) -> None:
    walk(tmp_path, f"{site.url}twice", DUPEFILTER_CLASS="scrapy.dupefilters.BaseDupeFilter")

    assert len(site.requests("/chain/5")) == 3


def test_depth_limit_ends_a_crawl(tmp_path: Path, site: GuardedSite) -> None:
    items, _ = walk(tmp_path, site.url, DEPTH_LIMIT=2)

    assert [item["depth"] for item in items] == [0, 1, 2]


def test_robots_txt_is_read_only_if_the_project_wants_it(tmp_path: Path, site: GuardedSite) -> None:
    free, _ = walk(tmp_path, f"{site.url}private")
    asked_before = len(site.requests("/robots.txt"))
    obeying, _ = walk(tmp_path, f"{site.url}private", ROBOTSTXT_OBEY=1)

    assert (titles(free), asked_before) == (["Private"], 0)
    assert (obeying, len(site.requests("/robots.txt"))) == ([], 1)


def test_the_http_cache_answers_the_second_crawl(tmp_path: Path, site: GuardedSite) -> None:
    cache: dict[str, Any] = {"HTTPCACHE_ENABLED": 1, "HTTPCACHE_DIR": tmp_path / "cache"}
    walk(tmp_path, f"{site.url}chain/5", **cache)
    items, _ = walk(tmp_path, f"{site.url}chain/5", **cache)

    assert len(site.requests("/chain/5")) == 1
    assert items[0]["flags"] == ["cached"]


def test_a_crawl_with_a_jobdir_is_resumed(tmp_path: Path, site: GuardedSite) -> None:
    job: dict[str, Any] = {"JOBDIR": tmp_path / "job"}
    first, _ = walk(tmp_path, site.url, CLOSESPIDER_PAGECOUNT=2, CONCURRENT_REQUESTS=1, **job)
    second, _ = walk(tmp_path, site.url, **job)

    assert 2 <= len(first) <= 3
    assert {*titles(first), *titles(second)} == {"Start", *(f"Page {number}" for number in range(1, 6))}
    assert (tmp_path / "job" / "requests.seen").exists()


def test_middlewares_pipelines_and_extensions_of_a_project_are_used(
    tmp_path: Path, site: GuardedSite
) -> None:
    items, _ = walk(
        tmp_path,
        f"{site.url}chain/5",
        DOWNLOADER_MIDDLEWARES='{"own_parts.MarkingMiddleware": 543}',
        ITEM_PIPELINES='{"own_parts.MarkingPipeline": 300}',
    )

    assert [(item["flags"], item["piped"]) for item in items] == [(["seen by a middleware"], True)]


def test_stats_are_dumped_and_the_log_is_scrapys(tmp_path: Path, site: GuardedSite) -> None:
    _, ran = walk(tmp_path, f"{site.url}chain/5")

    assert "Dumping Scrapy stats" in ran.stderr
    assert "[scrapy.core.engine] DEBUG: Crawled (200)" in ran.stderr
    assert "[scrapy.extensions.logstats] INFO: Crawled 0 pages" in ran.stderr
    assert "'downloader/request_count': 1" in ran.stderr


def test_a_spider_that_cannot_start_ends_with_exit_code_1() -> None:
    ran = scrapy("crawl", "failing")

    assert ran.returncode == 1
    assert "this spider cannot start" in ran.stderr


# Commands


def test_list_names_all_spiders_of_the_project() -> None:
    assert scrapy("list").stdout.split() == ["explore", "failing", "harvest", "locate", "revisit", "walking"]


def test_settings_shows_a_setting() -> None:
    assert scrapy("settings", "--get", "BOT_NAME").stdout == "hiddenweb\n"
    assert scrapy("settings", "--getint", "CONCURRENT_REQUESTS").stdout == "16\n"


def test_fetch_prints_any_address(site: GuardedSite) -> None:
    ran = scrapy("fetch", "--nolog", f"{site.url}moved")

    assert ran.returncode == 0
    assert "<h1>Page 5</h1>" in ran.stdout
    assert not (ROOT / "data").exists()


def test_view_writes_the_page_for_a_browser(site: GuardedSite) -> None:
    ran = scrapy("view", f"{site.url}chain/5", "--nolog")

    assert ran.returncode == 0, ran.stderr
    assert [request.path for request in site.received] == ["/chain/5"]


def test_shell_evaluates_code_on_a_page(site: GuardedSite) -> None:
    ran = scrapy("shell", f"{site.url}chain/5", "--nolog", "-c", "response.css('h1::text').get()")

    assert ran.stdout == "Page 5\n", ran.stderr
    assert not (ROOT / "data").exists()


def test_parse_shows_what_a_callback_yields(site: GuardedSite) -> None:
    ran = scrapy("parse", "--spider=walking", "-c", "parse", "--nocolour", f"{site.url}chain/1")

    assert ran.returncode == 0, ran.stderr
    assert "'title': 'Page 1'" in ran.stdout
    assert f"<GET {site.url}chain/2>" in ran.stdout


def test_check_runs_the_contracts_of_a_spider_as_scrapy_does() -> None:
    ran = scrapy("check", "walking")

    assert ran.returncode == 0, ran.stderr
    assert "Ran 1 contract in" in ran.stderr


def test_runspider_runs_a_file(tmp_path: Path, site: GuardedSite) -> None:
    feed = tmp_path / "items.json"
    file = ROOT / "tests" / "projects" / "single_spider.py"
    ran = scrapy("runspider", file, "-a", f"start={site.url}chain/5", "-O", feed)

    assert ran.returncode == 0, ran.stderr
    assert [item["title"] for item in json.loads(feed.read_text())] == ["Page 5"]


def test_genspider_and_startproject_write_what_scrapy_writes(tmp_path: Path) -> None:
    started = scrapy("startproject", "shelf", tmp_path / "shelf", cwd=tmp_path)
    made = scrapy(
        "genspider", "films", "films.example", cwd=tmp_path / "shelf", SPIDER_MODULES="shelf.spiders"
    )
    shown = scrapy("genspider", "--dump=basic")

    assert (started.returncode, made.returncode, shown.returncode) == (0, 0, 0), made.stderr
    assert (tmp_path / "shelf" / "shelf" / "spiders" / "films.py").exists()
    assert "scrapy.Spider" in shown.stdout
    assert scrapy("settings", "--get", "NEWSPIDER_MODULE").stdout == "hiddenweb.spiders\n"


def test_version_and_bench_work_as_everywhere() -> None:
    assert scrapy("version").stdout.startswith("Scrapy 2.")
    shown = run_forked([sys.executable, "-m", "scrapy", "bench", "-h"])
    assert "Run quick benchmark test" in shown.stdout
