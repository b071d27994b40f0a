"""Search forms of simweb that guard themselves with tokens and cookies, and buttons that load more."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from simweb.__main__ import main
from simweb.forms import FURTHER_STYLES, STYLES
from simweb.guards import COOKIE, TOKEN
from simweb.messages import Request
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simweb.messages import Response
    from simweb.site import Site


COUNT = count(1)  # requests to a host are counted, and tokens follow from it


class Visitor:
    """Somebody who asks a site, with or without his cookie."""

    def __init__(self, site: Site, keeps_cookie: bool = True) -> None:
        self.site = site
        self.keeps_cookie = keeps_cookie
        self.cookie = ""

    def get(self, path: str, **sent: str) -> Response:
        return self.ask("GET", path, sent)

    def ask(self, method: str, path: str, sent: dict[str, str]) -> Response:
        headers = {"cookie": self.cookie} if self.cookie and self.keeps_cookie else {}
        query, body = (urlencode(sent), b"") if method == "GET" else ("", urlencode(sent).encode())
        response = self.site.respond(
            Request(method, self.site.plan.host, path, query, headers, body, count=next(COUNT))
        )
        for name, value in response.headers:
            if name == "Set-Cookie":
                self.cookie = value.partition(";")[0]
        return response

    def token(self) -> str:
        page = next(page for page, forms in self.site.form_pages.items() if self.site.search_form in forms)
        return token_in(self.get(self.site.path(page)))

    def search(self, word: str, **more: str) -> Response:
        form = self.site.search_form
        box = form.field_meaning("keywords")
        assert box is not None
        return self.ask(form.method.upper(), self.site.search_action, {box.name: word, **more})


def token_in(response: Response) -> str:
    found = re.search(rf'name="{TOKEN}" value="([^"]+)"', response.body.decode(errors="replace"))
    assert found
    return found[1]


def a_word(site: Site) -> str:
    return max(site.catalogue.record(1, 0).title.split(), key=len)


def a_site(world: World, style: str) -> Site:
    plans = (world.plan(number) for number in range(world.sites))
    number = next(
        plan.number for plan in plans
        if plan.database and plan.database.style == style and not plan.database.behaviour.redirects_exact
        and not plan.compression and plan.charset == "utf-8" and plan.language == "en" and not plan.look.upper_case
    )  # fmt: skip
    return world.site(number)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World(5, 80, pages_per_site=8, largest_database=200, styles=FURTHER_STYLES)
    yield made
    made.close()


@pytest.mark.parametrize("style", ["token", "token_post"])
def test_a_token_is_good_once_and_only_with_its_cookie(world: World, style: str) -> None:
    site = a_site(world, style)
    visitor, other, forgetful = Visitor(site), Visitor(site), Visitor(site, keeps_cookie=False)
    word, token = a_word(site), visitor.token()
    other.token()

    kinds = [
        visitor.search(word).kind,
        other.search(word, **{TOKEN: token}).kind,
        visitor.search(word, **{TOKEN: token}).kind,
        visitor.search(word, **{TOKEN: token}).kind,
        forgetful.search(word, **{TOKEN: forgetful.token()}).kind,
    ]

    refused = "answer:refused"
    assert [kind == refused for kind in kinds] == [True, True, False, True, True]
    assert kinds[2] == "answer:results"


def test_a_refusal_has_the_form_with_a_fresh_token_that_is_good(world: World) -> None:
    site = a_site(world, "token")
    visitor = Visitor(site)

    refused = visitor.search(a_word(site))
    answer = visitor.search(a_word(site), **{TOKEN: token_in(refused)})

    assert refused.status in (403, 200, 419)
    assert answer.kind == "answer:results"


def test_what_the_truth_says_is_what_a_visitor_with_a_good_token_gets(world: World) -> None:
    site = a_site(world, "token")
    visitor = Visitor(site)
    box = site.search_form.field_meaning("keywords")
    assert box is not None

    response = visitor.search(a_word(site), **{TOKEN: visitor.token()})
    truth = Truth(world).answer(site.plan.host, [(box.name, a_word(site))])

    assert response.records == truth.shown
    assert len(response.records) > 0


def test_a_button_that_loads_more_names_the_next_page_which_no_link_does(world: World) -> None:
    site = a_site(world, "load_more")
    words = (word for number in range(1, 50) for word in site.catalogue.record(number, 0).text.split())
    answers = (Visitor(site).search(word) for word in words)
    first = next(answer for answer in answers if b"data-next=" in answer.body)

    found = re.search(r'data-next="([^"]+)"', first.body.decode())
    assert found
    path, _, query = found[1].replace("&amp;", "&").partition("?")
    second = site.respond(
        Request("GET", site.plan.host, path.removeprefix(f"http://{site.plan.host}"), query)
    )

    assert second.kind == "answer:results"
    assert not set(second.records) & set(first.records)
    assert not any(query in link for link in first.links)


def test_styles_are_those_that_were_asked_for(world: World) -> None:
    styles = {plan.database.style for n in world.numbers if (plan := world.plan(n)).database}

    assert styles == set(FURTHER_STYLES)


def test_worlds_without_them_have_none(capsys: pytest.CaptureFixture[str]) -> None:
    usual = World(5, 40, pages_per_site=8)
    styles = {plan.database.style for n in usual.numbers if (plan := usual.plan(n)).database}
    usual.close()

    assert styles <= set(STYLES)
    with pytest.raises(ValueError, match="no style of forms called 'tokens'"):
        World(5, 4, styles=("tokens",))
    assert main(["--styles", "tokens"]) == 2
    assert "tokens" in capsys.readouterr().err


def test_a_cookie_that_is_no_cookie_is_no_session(world: World) -> None:
    visitor = Visitor(a_site(world, "token"))
    token = visitor.token()

    for cookie in (f"{COOKIE}=1-0", f"{COOKIE}=", "x=1", "a b; c\x00=", f"{COOKIE}=zz-1"):
        visitor.cookie = cookie
        assert visitor.search("x", **{TOKEN: token}).kind == "answer:refused"
