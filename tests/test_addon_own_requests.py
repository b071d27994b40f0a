"""Requests of ours that other parts of a crawl drop end their queries, and not the crawl."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from bookshelf_project import PROJECT, Crawled, Shop, crawl_books
from guarded_sites import WORDS, GuardedSite, Reply, SiteRequest, box, containing, listed, page

if TYPE_CHECKING:
    from pathlib import Path


def crawl_with(tmp_path: Path, **settings: object) -> tuple[Crawled, GuardedSite]:
    with GuardedSite(Shop()) as site, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(PROJECT.parent), prepend=os.pathsep)
        return crawl_books(tmp_path, site, HIDDENWEB_ADDON_QUERY=True, **settings), site


def test_a_middleware_that_refuses_our_requests_ends_their_queries(tmp_path: Path) -> None:
    ran, site = crawl_with(tmp_path, DOWNLOADER_MIDDLEWARES='{"own_parts.RefusingMiddleware": 100}')

    assert ran.code == 0, ran.output
    assert site.requests("/find") == []
    assert len(ran.books) == 2
    assert ran.rows("SELECT count(*) FROM submissions WHERE state = 'planned'") == [(0,)]


def test_a_scheduler_that_forgets_our_requests_does_not_keep_the_crawl_open(tmp_path: Path) -> None:
    ran, site = crawl_with(tmp_path, SCHEDULER="own_parts.ForgetfulScheduler")

    assert ran.code == 0, ran.output
    assert site.requests("/find") == []
    assert len(ran.books) == 2
    assert "'hiddenweb/addon/lost'" in ran.output


def test_an_answer_that_is_a_redirect_is_followed_by_us(tmp_path: Path) -> None:
    class MovedShop(Shop):
        def __call__(self, request: SiteRequest) -> Reply | str | None:
            if request.path == "/find":
                return Reply(status=302, headers=[("Location", f"/found?q={request.sent['q']}")])
            if request.path == "/found":
                return listed(containing(request.sent["q"]))
            return super().__call__(request)

    with GuardedSite(MovedShop()) as site:
        ran = crawl_books(tmp_path, site, HIDDENWEB_ADDON_QUERY=True, HIDDENWEB_QUERIES_PER_FORM=3)

    assert ran.code == 0, ran.output
    assert len(site.requests("/found")) == len(site.requests("/find")) == 3
    assert ran.records


def test_a_session_that_a_form_wants_is_kept_by_us(tmp_path: Path) -> None:
    class TokenShop(Shop):
        def __call__(self, request: SiteRequest) -> Reply | str | None:
            if request.path == "/":
                token = f"<input type=hidden name=csrf_token value=t{len(self.asked)}>"
                return Reply(
                    page(f"<h1>Books</h1>{box(hidden=token)}<p>{' '.join(WORDS)}</p>"),
                    headers=[("Set-Cookie", "sid=7; Path=/")],
                )
            if request.path == "/find" and request.cookies.get("sid") != "7":
                return Reply(page("<p>Your session has expired. Please start again.</p>"), 403)
            return super().__call__(request)

    with GuardedSite(TokenShop()) as site:
        ran = crawl_books(tmp_path, site, HIDDENWEB_ADDON_QUERY=True, COOKIES_ENABLED=False)

    assert ran.code == 0, ran.output
    assert ran.records
    assert {request.cookies.get("sid") for request in site.requests("/find")} >= {"7"}
