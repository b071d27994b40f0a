"""Answers of simweb with their labels: every style of form, every language, every manner of answering.

A form is asked as the crawl asks it: it is read from its page, filled in and sent, and what comes back is read as a page. What
the answer is says simweb, which knows its database: how the search ended, which records are shown on this page and which on
the next, whether the page tells a total. What cannot be seen on a page is not asked for: an answer that is cut off without a word
about it, or a way on, counts as whole.

Questions of a form come in an order drawn by chance, so that the first answer, when nothing is known yet, may be any of them.
Between them something goes wrong, as it does on the web: the server fails, the page is gone, the site wants to know whether
we are human. simweb has pages for that, some with the search form on them, since many sites have it on all pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from stopwordsiso import stopwords

from hiddenweb.forms.submission import UnreadableForm, build_submission
from hiddenweb.model import HttpQuery
from hiddenweb.querying.decoy_test import nonsense
from hiddenweb.records.page import read_page_with_items
from hiddenweb.urls import normalise_url
from simweb.answers import outcome, parameters_for_page
from simweb.faults import Fault
from simweb.messages import Request
from simweb.pages import Sheet
from simweb.search import UNSPACED, searchable_text
from simweb.server import answer_instead
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiddenweb.model import Form, Page
    from simweb.answers import Outcome
    from simweb.forms import Form as SearchForm
    from simweb.messages import Response
    from simweb.site import Site

Label = Literal[
    "all", "paged", "part", "with_form", "another_form", "error", "form_again", "duplicate", "nothing_found",
    "suggestion", "blocked", "soft_404",
]  # fmt: skip
"""The cases of an answer; "did you mean" and a missing page that is called a success are told apart from their likes."""

_ROLES = ("much", "little", "one", "common", "nonsense", "short", "empty", "misspelt", "again")
_FAULTS = (
    "error-page",
    "block-page",
    "missing",
    "block-403",
    "captcha",
    "429",
    "missing with form",
    "503",
    "500",
)
_FAULTS_PER_FORM = 3
_WORDS_TRIED = 40
_RECORDS_READ = 40
_PAGES_FOLLOWED = 2
_MOST_REDIRECTS = 3
_NOT_FOLLOWED = frozenset({"post"})
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Truthful:
    """What an answer is, as simweb knows it."""

    label: Label
    shown: tuple[int, ...] = ()  # the records on this page, where it is not a duplicate
    goes_on: bool = False  # there is a link to a next page
    following: tuple[int, ...] = ()  # the records on that page
    total: int | None = None  # as the page says
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """One page of an answer, with what was asked and what it is. A new form begins with the page it stands on."""

    site: Site
    role: str  # what kind of question it was
    form: Form
    form_page: Page
    query: HttpQuery
    page: Page
    status: int
    number: int
    truth: Truthful

    @property
    def is_list(self) -> bool:
        """Say whether it is a list of results, and not the page of the only one."""
        return urlsplit(self.page.url).path == urlsplit(self.query.url).path


def answers_of(seed: int, sites: int) -> Iterator[Answered]:
    """Yield the answers of all forms of a world, form by form, in the order in which they come."""
    world = World(seed, sites, pages_per_site=6, largest_database=300, text_bytes=600)
    try:
        for site in Truth(world).sites(databases=True):
            yield from _answers_of_site(site, Random(f"{seed} {site.plan.host}"))
    finally:
        world.close()


def records_on_page(site: Site, url: str) -> tuple[int, ...]:
    """Return the records that an address of a search shows, as simweb knows."""
    request = _request(site, HttpQuery((), url=url))
    return outcome(site, site.parameters(request), request.day).shown


def _answers_of_site(site: Site, chance: Random) -> Iterator[Answered]:
    place = next(
        f for f in Truth(site.world).forms(site.plan.host) if f.form.is_search and f.form.key == "search"
    )
    page = _read(_response(site, HttpQuery((), url=place.page))[1], place.page)
    form = next(f for f in page.forms if _is_the_search(site, f))
    yield from _Conversation(site, form, page, chance).answers()


def _is_the_search(site: Site, form: Form) -> bool:
    if site.search_form.needs_browser:
        return form.source == "script" and form.needs_browser
    path = site.strip_session(urlsplit(form.action).path, "")[0]
    return path == site.search_action and _has_controls(form, site.search_form)


def _has_controls(form: Form, search: SearchForm) -> bool:
    return {field.name for field in search.fields} <= {field.name for field in form.fields}


class _Conversation:
    """All questions to one form."""

    def __init__(self, site: Site, form: Form, page: Page, chance: Random) -> None:
        self.site, self.form, self.page, self.chance = site, form, page, chance
        self.seen: set[int] = set()
        self.brought: set[frozenset[int]] = set()
        self.led_on = False
        box = site.search_form.field_meaning("keywords")
        has_box = form.needs_browser or any(box and field.name == box.name for field in form.fields)
        self.box = box.name if box and has_box else None

    def answers(self) -> Iterator[Answered]:
        asked = list(self._questions())
        self.chance.shuffle(asked)
        asked.sort(key=lambda question: question[0] == "again")  # what comes again has been there
        first = self.site.plan.number * _FAULTS_PER_FORM
        faults = [_FAULTS[(first + turn) % len(_FAULTS)] for turn in range(_FAULTS_PER_FORM)]
        for turn, (role, query) in enumerate(asked):
            yield from self._answer(role, query)
            if turn < len(faults):
                yield self._trouble(faults[turn], query)

    # Questions

    def _questions(self) -> Iterator[tuple[str, HttpQuery]]:
        yield from self._word_queries() if self.box else self._choice_queries()

    def _word_queries(self) -> Iterator[tuple[str, HttpQuery]]:
        words = self._words()
        by_role = {
            "much": max(words, key=lambda word: words[word], default=""),
            "little": _first(w for w, n in words.items() if 2 <= n <= self._page_size),
            "one": _first(w for w, n in words.items() if n == 1),
            "common": self.chance.choice(sorted(stopwords(self.site.plan.language))),
            "nonsense": nonsense(self.site.plan.host),
            "short": "ab",
            "misspelt": _misspelt(max(words, key=len, default="")),
        }
        by_role["again"] = by_role["little"].upper() or by_role["one"]
        for role in _ROLES:
            word = by_role.get(role, "")
            if (word or role == "empty") and (query := self._ask(word, self._required_values())):
                yield role, query
        if self._required_values() and (query := self._ask(by_role["much"], {})):
            yield "incomplete", query

    def _choice_queries(self) -> Iterator[tuple[str, HttpQuery]]:
        choices = [
            {field.name: option.value}
            for field in self.form.fields
            for option in field.options
            if field.kind == "select" and option.value
        ]
        picked = self.chance.sample(choices, min(6, len(choices)))
        for choice in picked:
            if query := self._choose(choice):
                yield "choice", query
        pairs = [{**one, **other} for one in picked for other in choices if one.keys() != other.keys()]
        for pair in self.chance.sample(pairs, min(4, len(pairs))):
            if query := self._choose(pair):
                yield "two choices", query
        if query := self._choose({}):
            yield "empty", query
        if picked and (query := self._choose(picked[0])):
            yield "again", query

    def _words(self) -> dict[str, int]:
        """Return words of the database, each with how many records it finds, in an order drawn by chance."""
        site = self.site
        numbers = range(1, site.catalogue.size + 1)
        records = (site.record(n, 0) for n in self.chance.sample(numbers, min(_RECORDS_READ, len(numbers))))
        words: dict[str, None] = {}
        for record in records:
            if record is not None:
                found = _WORD.findall(searchable_text(record, site.catalogue.topic))
                pieces = [w[:2] if site.plan.language in UNSPACED and len(w) > 2 else w for w in found]
                words |= dict.fromkeys(w for w in pieces if len(w) > 1 and not w.isdigit())
        tried = self.chance.sample(list(words), min(_WORDS_TRIED, len(words)))
        return {
            word: len(self._outcome(query).found)
            for word in tried
            if (query := self._ask(word, self._required_values()))
        }

    def _required_values(self) -> dict[str, str]:
        return {
            field.name: next(option.value for option in field.options if option.stands_for)
            for field in self.site.search_form.fields
            if field.required and field.options
        }

    @property
    def _page_size(self) -> int:
        assert self.site.plan.database is not None
        return self.site.plan.database.behaviour.page_size

    def _ask(self, word: str, more: Mapping[str, str]) -> HttpQuery | None:
        assert self.box is not None
        if self.form.needs_browser:
            url = f"http://{self.site.plan.host}{self.site.search_action}?{self.box}={self.site.quote(word)}"
            return HttpQuery(((self.box, word),), word, url=url)
        filled = {self.box: word, **more}
        return replace(build_submission(self.form, filled), keyword=word, values=tuple(filled.items()))

    def _choose(self, choice: Mapping[str, str]) -> HttpQuery | None:
        texts = {
            (field.name, option.value): option.text for field in self.form.fields for option in field.options
        }
        try:
            query = build_submission(self.form, choice)
        except UnreadableForm:
            return None
        said = ", ".join(texts.get(pair) or pair[1] for pair in choice.items())
        return replace(query, keyword=said, values=tuple(choice.items()))

    # Answers

    def _answer(self, role: str, query: HttpQuery) -> Iterator[Answered]:
        """Yield the first page of an answer, the second and the last; one that leads to what is known is never read."""
        result = self._outcome(query)
        if result.kind == "redirect" and result.found[0] in self.seen:
            return
        first = self._judge(role, query, query, 1, result)
        yield first
        if first.truth.following:
            for number in sorted({2, result.pages}):
                yield self._judge(
                    f"{role}, page {number}", query, self._page_of(query, result, number), number
                )
        if first.truth.label == "another_form" and not self.led_on:
            self.led_on = True
            other = next(form for form in first.page.forms if _has_controls(form, result.form))
            yield from _Conversation(self.site, other, first.page, self.chance).answers()

    def _judge(
        self, role: str, query: HttpQuery, asked: HttpQuery, number: int, result: Outcome | None = None
    ) -> Answered:
        result = result or self._outcome(asked)
        response, url = _response(self.site, asked)[::-1]
        page = _read(response, url)
        truth = self._truth(result, asked, response.status)
        return Answered(self.site, role, self.form, self.page, query, page, response.status, number, truth)

    def _page_of(self, query: HttpQuery, result: Outcome, number: int) -> HttpQuery:
        """Return the question for a further page, as the site's own links ask it."""
        assert self.site.plan.database is not None
        is_button = self.site.plan.database.paging == "button"
        sent_before = self.site.parameters(_request(self.site, query))
        given = [(name, value) for name, value in sent_before if value or is_button]
        turned = parameters_for_page(self.site, result, given, number)
        joiner = ";" if self.site.search_form.style == "semicolon" else "&"
        sent = joiner.join(f"{name}={self.site.quote(value)}" for name, value in turned)
        url = normalise_url(f"{self.site.search_action}?{sent}", self.site.plan.url)
        assert url is not None
        return replace(query, url=url)

    def _outcome(self, query: HttpQuery) -> Outcome:
        request = _request(self.site, query)
        return outcome(self.site, self.site.parameters(request), request.day)

    def _truth(self, result: Outcome, asked: HttpQuery, status: int) -> Truthful:
        match result.kind:
            case "results" | "redirect":
                return self._truth_of_records(result, asked)
            case "did_you_mean":
                return Truthful("suggestion", suggestion=result.suggestion)
            case "no_results":
                return Truthful("nothing_found")
            case "another_form" if not _has_controls(self.form, result.form):
                return Truthful("another_form")
            case "error":
                assert status >= 500
                return Truthful("error")
            case _:
                return Truthful("form_again")

    def _truth_of_records(self, result: Outcome, asked: HttpQuery) -> Truthful:
        shown = frozenset(result.shown)
        self.seen |= shown
        if shown in self.brought:
            return Truthful("duplicate")
        self.brought.add(shown)
        database = self.site.plan.database
        assert database is not None
        if result.kind == "redirect":
            return Truthful("all", result.shown)
        total = len(result.found) if database.behaviour.shows_total else None
        last = self._first_shown(result) + len(result.shown) - 1
        more = result.page < result.pages
        goes_on = more and database.paging not in _NOT_FOLLOWED
        following = self._outcome(self._page_of(asked, result, result.page + 1)).shown if goes_on else ()
        label: Label = "all"
        if goes_on:
            label = "paged"
        elif more or (total is not None and last < total):
            label = "part"
        elif database.repeats_form or result.form.style == "aspnet":
            label = "with_form"
        return Truthful(label, result.shown, goes_on, following, total)

    def _first_shown(self, result: Outcome) -> int:
        return result.found.index(result.shown[0]) + 1

    # What goes wrong

    def _trouble(self, kind: str, query: HttpQuery) -> Answered:
        request = _request(self.site, query)
        response = _trouble_page(self.site, request, kind)
        page = _read(response, query.url)
        labels: dict[str, Label] = {
            "block-page": "blocked", "block-403": "blocked", "captcha": "blocked", "429": "blocked",
            "missing": "soft_404", "missing with form": "soft_404",
        }  # fmt: skip
        truth = Truthful(labels.get(kind, "error"))
        return Answered(self.site, kind, self.form, self.page, query, page, response.status, 1, truth)


def _trouble_page(site: Site, request: Request, kind: str) -> Response:
    """Return a page of the site on which something is wrong."""
    if kind == "missing":
        return replace(site.not_found(request), status=200)
    if kind in ("captcha", "missing with form"):
        name = "blocked" if kind == "captcha" else "not_found"
        sheet = Sheet(site, request)
        sheet.heading(site.say(f"{name}_title"))
        sheet.paragraph(site.say("blocked_text" if kind == "captcha" else "not_found"))
        if kind == "captcha":
            sheet.main.append(_CAPTCHA)
        else:
            sheet.form(site.search_form)
        return site.page(sheet, 200, "fault")
    response = answer_instead(site, request, Fault(kind))
    assert response is not None
    return response


_CAPTCHA = (
    '<form method="post" action="/verify"><input type="hidden" name="return" value="/"><img src="/captcha.png" alt="">'
    '<input type="text" name="captcha"><button>OK</button></form>'
)


def _response(site: Site, query: HttpQuery) -> tuple[str, Response]:
    """Return what the site answers, and the address at which it does."""
    url, request = query.url, _request(site, query)
    response = site.respond(request)
    for _ in range(_MOST_REDIRECTS):
        headers = {name.lower(): value for name, value in response.headers}
        if response.status not in (301, 302, 303, 307, 308):
            break
        url = urljoin(url, headers["location"])
        response = site.respond(_request(site, HttpQuery((), url=url)))
    return url, response


def _request(site: Site, query: HttpQuery) -> Request:
    """Return a question as the site's server gets it."""
    parts = urlsplit(query.url)
    path, sent = site.strip_session(parts.path or "/", parts.query)
    count = len(query.url) + len(query.body)
    return Request(query.method, site.plan.host, path, sent, body=query.body, count=count)


def _read(response: Response, url: str) -> Page:
    headers = {name.lower(): value for name, value in response.headers}
    return read_page_with_items(response.body, url, content_type=headers.get("content-type", ""))


def _first(words: Iterator[str]) -> str:
    return next(words, "")


def _misspelt(word: str) -> str:
    """Return a word with one letter too many, as a hurried visitor writes it."""
    return f"{word[:-1]}x{word[-1:]}" if len(word) > 4 else ""
