"""Searches that keep an answer and send the visitor on to it: by a page in between, by an address that does not say what was asked, and not too often."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from guarded_sites import WORDS, Reply, SiteRequest, box, containing, found_records, harvested, listed, page

if TYPE_CHECKING:
    from pathlib import Path

PER_PAGE = 5


class Forum:
    """A search whose answers are kept under a number that looks like that of a session; a page in between tells of it."""

    def __init__(self, *, interval: float = 0.0) -> None:
        self.kept: dict[str, list[int]] = {}
        self.interval = interval
        self.last = 0.0
        self.refused: list[str] = []

    def __call__(self, request: SiteRequest) -> Reply | str | None:
        if request.path == "/":
            return page(f"<p>{' '.join(WORDS)}</p>{box()}")
        if request.path != "/find":
            return None
        return self.shown(request) if "sid" in request.sent else self.searched(request.sent.get("q", ""))

    def searched(self, word: str) -> str:
        rest = self.last + self.interval - time.monotonic()
        if rest > 0:
            self.refused.append(word)
            return page(
                f"<p>One search every {self.interval:.0f} seconds. Please wait {rest + 0.5:.0f} seconds.</p>"
            )
        self.last = time.monotonic()
        sid = f"{len(self.kept):032x}"
        self.kept[sid] = containing(word)
        if not self.kept[sid]:
            return listed([])
        return page(
            f"<meta http-equiv=refresh content='2;URL=/find?sid={sid}'><p>Your search has been sent."
            f" <a href='/find?sid={sid}'>Go to it at once</a> if you do not want to.</p>"
        )

    def shown(self, request: SiteRequest) -> str:
        found, first = self.kept[request.sent["sid"]], int(request.sent.get("from", "0"))
        more = f"<a href='/find?sid={request.sent['sid']}&from={first + PER_PAGE}'>Next</a>"
        part = found[first : first + PER_PAGE]
        return listed(part, more if len(found) > first + PER_PAGE else "").replace(
            f"<p>{len(part)} results</p>", ""
        )


class SessionSearch:
    """A search by POST that leads to one address whatever was asked, and knows by a cookie what that was."""

    def __init__(self) -> None:
        self.request = ""

    def __call__(self, request: SiteRequest) -> Reply | str | None:
        if request.path == "/":
            hidden = "<input type=hidden name=csrf_token value=t0123456789abcdef0123456789abcdef>"
            return Reply(
                page(" ".join(WORDS) + box(hidden, "post")), headers=[("Set-Cookie", "visit=1; Path=/")]
            )
        if request.path == "/find" and request.method == "POST":
            self.request = request.sent["q"]
            return Reply("", 302, [("Location", "/found")])
        if request.path == "/found" and request.cookies:
            found, first = containing(self.request), int(request.sent.get("from", "0"))
            more = (
                f"<a href='/found?from={first + PER_PAGE}'>Next</a>" if len(found) > first + PER_PAGE else ""
            )
            return listed(found[first : first + PER_PAGE], more)
        return None


@pytest.mark.parametrize("search", [Forum, SessionSearch])
def test_an_answer_that_a_site_keeps_is_read_to_its_end_for_every_question(
    tmp_path: Path, search: type[Forum | SessionSearch]
) -> None:
    ran, _ = harvested(tmp_path, search())

    assert found_records(ran) > 30
    assert ran.rows("SELECT count(*) FROM records WHERE url NOT LIKE '%/record/%'") == [(0,)]


def test_a_site_that_wants_time_between_two_questions_gets_it_and_nothing_is_lost(tmp_path: Path) -> None:
    forum = Forum(interval=2)

    ran, _ = harvested(tmp_path, forum, HIDDENWEB_QUERIES_PER_FORM=4)

    assert len(forum.refused) == 1  # by which that was learnt
    assert len(forum.kept) == 4
    assert ran.rows("SELECT count(*) FROM submissions WHERE state <> 'answered'") == [(0,)]
