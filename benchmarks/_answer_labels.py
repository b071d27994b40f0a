"""What the answers of simweb are: labels that follow from its database and its behaviour, never from our reading.

simweb knows how a search ended, which records are shown on a page and which on the next, whether the page tells a total. What cannot be seen
on a page is not asked for: an answer that is cut off without a word about it, or a way on, counts as whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from hiddenweb.model import HttpQuery
from hiddenweb.urls import normalise_url
from simweb.answers import outcome, parameters_for_page
from simweb.messages import Request

if TYPE_CHECKING:
    from hiddenweb.model import Form, Page
    from simweb.answers import Outcome
    from simweb.forms import Form as SearchForm
    from simweb.messages import Response
    from simweb.site import Site

Source = tuple[bytes, str]
"""The body of a page, and its type as the server says it."""

Label = Literal[
    "all", "paged", "part", "with_form", "another_form", "error", "form_again", "duplicate", "nothing_found",
    "suggestion", "blocked", "soft_404",
]  # fmt: skip
"""The cases of an answer; "did you mean" and a missing page that is called a success are told apart from their likes."""

_MOST_REDIRECTS = 3
_NOT_FOLLOWED = frozenset({"post"})


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
    source: Source
    form_source: Source

    @property
    def is_list(self) -> bool:
        """Say whether it is a list of results, and not the page of the only one."""
        return urlsplit(self.page.url).path == urlsplit(self.query.url).path


class Labels:
    """Says what the pages are that answer one form, in the order in which they come."""

    def __init__(self, site: Site, form: Form) -> None:
        self._site, self._form = site, form
        self._seen: set[int] = set()
        self._brought: set[frozenset[int]] = set()

    def leads_to_known(self, result: Outcome) -> bool:
        """Say whether an answer leads to the page of a record that was seen: nobody reads that again."""
        return result.kind == "redirect" and result.found[0] in self._seen

    def label(self, result: Outcome, asked: HttpQuery, status: int) -> Truthful:
        """Say what a page is, by how the search for it ended, the request and the status."""
        match result.kind:
            case "results" | "redirect":
                return self._truth_of_records(result, asked)
            case "did_you_mean":
                return Truthful("suggestion", suggestion=result.suggestion)
            case "no_results":
                return Truthful("nothing_found")
            case "another_form" if not has_controls(self._form, result.form):
                return Truthful("another_form")
            case "error":
                assert status >= 500
                return Truthful("error")
            case _:
                return Truthful("form_again")

    def _truth_of_records(self, result: Outcome, asked: HttpQuery) -> Truthful:
        shown = frozenset(result.shown)
        self._seen |= shown
        if shown in self._brought:
            return Truthful("duplicate")
        self._brought.add(shown)
        database = self._site.plan.database
        assert database is not None
        if result.kind == "redirect":
            return Truthful("all", result.shown)
        total = len(result.found) if database.behaviour.shows_total else None
        last = _first_shown(result) + len(result.shown) - 1
        more = result.page < result.pages
        goes_on = more and database.paging not in _NOT_FOLLOWED
        following = (
            outcome_of(self._site, page_of(self._site, asked, result, result.page + 1)).shown
            if goes_on
            else ()
        )
        label: Label = "all"
        if goes_on:
            label = "paged"
        elif more or (total is not None and last < total):
            label = "part"
        elif database.repeats_form or result.form.style == "aspnet":
            label = "with_form"
        return Truthful(label, result.shown, goes_on, following, total)


def _first_shown(result: Outcome) -> int:
    return result.found.index(result.shown[0]) + 1


def outcome_of(site: Site, query: HttpQuery) -> Outcome:
    """Return how a search ends."""
    request = request_of(site, query)
    return outcome(site, site.parameters(request), request.day)


def page_of(site: Site, query: HttpQuery, result: Outcome, number: int) -> HttpQuery:
    """Return the question for a further page, as the site's own links ask it."""
    assert site.plan.database is not None
    is_button = site.plan.database.paging == "button"
    sent_before = site.parameters(request_of(site, query))
    given = [(name, value) for name, value in sent_before if value or is_button]
    turned = parameters_for_page(site, result, given, number)
    joiner = ";" if site.search_form.style == "semicolon" else "&"
    sent = joiner.join(f"{name}={site.quote(value)}" for name, value in turned)
    url = normalise_url(f"{site.search_action}?{sent}", site.plan.url)
    assert url is not None
    return replace(query, url=url)


def records_on_page(site: Site, url: str) -> tuple[int, ...]:
    """Return the records that an address of a search shows, as simweb knows."""
    return outcome_of(site, HttpQuery((), url=url)).shown


def has_controls(form: Form, search: SearchForm) -> bool:
    """Say whether a form that was read has the controls of one of simweb."""
    return {field.name for field in search.fields} <= {field.name for field in form.fields}


def fetch(site: Site, query: HttpQuery) -> tuple[str, Response]:
    """Return what the site answers, and the address at which it does."""
    url, request = query.url, request_of(site, query)
    response = site.respond(request)
    for _ in range(_MOST_REDIRECTS):
        headers = {name.lower(): value for name, value in response.headers}
        if response.status not in (301, 302, 303, 307, 308):
            break
        url = urljoin(url, headers["location"])
        response = site.respond(request_of(site, HttpQuery((), url=url)))
    return url, response


def request_of(site: Site, query: HttpQuery) -> Request:
    """Return a question as the site's server gets it."""
    parts = urlsplit(query.url)
    path, sent = site.strip_session(parts.path or "/", parts.query)
    count = len(query.url) + len(query.body)
    return Request(query.method, site.plan.host, path, sent, body=query.body, count=count)


def source_of(response: Response) -> Source:
    """Return what a site sent, and its type."""
    headers = {name.lower(): value for name, value in response.headers}
    return response.body, headers.get("content-type", "")
