"""Searches over several pages, submitted by real crawls of small sites and of simweb."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from guarded_sites import RECORDS, Reply, SiteRequest, box, containing, found_records, harvested, listed, page

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ["amber", "beetle", "candle", "dragon"]
PLACES = ["north", "south", "east"]


def select(name: str, label: str, choices: list[str]) -> str:
    options = "".join(f"<option value={choice}>{choice.title()}</option>" for choice in choices)
    return f"<label>{label} <select name={name}><option value=''>Choose</option>{options}</select></label>"


def form(controls: str, method: str = "get", action: str = "/find") -> str:
    return f"<h2>Search our collection</h2><form action={action} method={method}>{controls}<button>Search</button></form>"


def hidden(name: str, value: str) -> str:
    return f"<input type=hidden name={name} value='{value}'>"


def found(kind: str, place: str) -> str:
    places = {PLACES.index(place)} if place in PLACES else set()
    return listed([n for n in RECORDS if n % len(KINDS) == KINDS.index(kind) and n % len(PLACES) in places])


FRONT = page(form(select("kind", "Kind", KINDS)))


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_second_form_of_every_first_choice_is_asked(tmp_path: Path, method: str) -> None:
    def reply(request: SiteRequest) -> str | None:
        if request.path == "/":
            return page(form(select("kind", "Kind", KINDS), method))
        if request.path != "/find" or request.sent.get("kind") not in KINDS:
            return None
        if request.sent.get("place"):
            return found(request.sent["kind"], request.sent["place"])
        step = hidden("kind", request.sent["kind"]) + select("place", "Place", PLACES)
        return page(f"<p>You chose {request.sent['kind']}.</p>{form(step, method)}", "Second step")

    ran, _ = harvested(tmp_path, reply)

    assert found_records(ran) == len(RECORDS)
    chain = ran.rows(
        "SELECT DISTINCT first.keyword, json_extract(forms.form, '$.chosen') FROM records"
        " JOIN submissions second ON second.id = records.submission JOIN forms ON forms.id = second.form"
        " JOIN submissions first ON first.id = json_extract(forms.form, '$.asked_by') ORDER BY 1"
    )
    assert chain == [(kind.title(), f'[["kind","{kind}"]]') for kind in KINDS]


def test_a_choice_that_only_the_session_remembers_is_not_mixed_up_with_another(tmp_path: Path) -> None:
    numbers = count(1)
    sessions: dict[str, str] = {}

    def reply(request: SiteRequest) -> Reply | str | None:
        if request.path == "/":
            return FRONT
        if request.path == "/find" and request.sent.get("kind") in KINDS:
            session = request.cookies.get("sid") or f"{next(numbers):016x}"
            sessions[session] = request.sent["kind"]
            body = page(form(select("place", "Place", PLACES), action="/more"), "Second step")
            return Reply(body, headers=[("Set-Cookie", f"sid={session}; Path=/")])
        if request.path != "/more":
            return None
        kind = sessions.get(request.cookies.get("sid", ""))
        return found(kind, request.sent["place"]) if kind else Reply(page("Your session has expired."), 403)

    ran, site = harvested(tmp_path, reply)

    answered = [(sessions[a.cookies["sid"]], a.sent["place"]) for a in site.requests("/more") if a.cookies]
    assert len(answered) == len(set(answered))
    assert {kind for kind, _ in answered} == set(KINDS)
    assert found_records(ran) == len(RECORDS)


def test_a_third_form_is_left_and_says_why(tmp_path: Path) -> None:
    def reply(request: SiteRequest) -> str | None:
        if request.path == "/":
            return FRONT
        if request.path != "/find":
            return None
        given = "".join(hidden(name, value) for name, value in request.sent.items())
        following = {"kind": "place", "place": "colour"}.get(list(request.sent)[-1], "size")
        return page(form(given + select(following, following.title(), PLACES)), "Next step")

    ran, site = harvested(tmp_path, reply)

    assert not any("colour" in request.sent for request in site.received)
    left = ran.rows("SELECT DISTINCT why FROM forms WHERE json_extract(form, '$.step') = 3")
    assert left == [("it is step 3 of a search; 2 are followed",)]


def test_second_forms_without_end_are_given_up(tmp_path: Path) -> None:
    numbers = count()
    choices = [f"choice{n}" for n in range(40)]

    def reply(request: SiteRequest) -> str | None:
        if request.path == "/":
            return page(form(select("kind", "Kind", choices)))
        if request.sent.get("place"):
            return page("<p>No results found</p>")
        given = hidden("kind", request.sent.get("kind", "")) + hidden(
            "visit", f"visit {next(numbers)} of today"
        )
        return (
            page(form(given + select("place", "Place", PLACES)), "Second step")
            if request.path == "/find"
            else None
        )

    ran, _ = harvested(tmp_path, reply, HIDDENWEB_QUERIES_PER_FORM=30)

    second = ran.rows("SELECT state, count(*) FROM forms WHERE json_extract(form, '$.step') = 2 GROUP BY 1")
    assert dict(second)["left"] > 5
    assert dict(second)["done"] <= 6


@pytest.mark.parametrize(("own", "asked_forms"), [(False, 4), (True, 9)])
def test_a_search_below_every_page_is_left_where_it_finds_nothing_else(
    tmp_path: Path, own: bool, asked_forms: int
) -> None:
    def reply(request: SiteRequest) -> str | None:
        *_, place, end = f"/all{request.path}".split("/")
        if end == "find":
            word = request.sent.get("q", "")
            part = [n for n in RECORDS if not own or str(n % 9) == place]
            return listed([n for n in containing(word) if n in part])
        links = "".join(f"<a href=/{n}/>Part {n}</a> " for n in range(8))
        return page(f"<p>Candle and falcon, dragon and amber.</p>{box(action='find')}{links}")

    ran, site = harvested(tmp_path, reply)

    assert len({request.path for request in site.received if request.path.endswith("/find")}) == asked_forms
    left = ran.rows("SELECT COUNT(*) FROM forms WHERE why LIKE '%the last of them brought nothing new%'")
    assert left == [(9 - asked_forms,)]
