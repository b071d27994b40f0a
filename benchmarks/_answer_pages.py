"""Answers of simweb with their labels: every style of form, every language, every manner of answering.

A form is read from its page, filled in and sent, and what comes back is read as a page. What the answer is says simweb, which knows
its database (`benchmarks._answer_labels`).

The questions are ours, since a conversation would not ask most of them: words that find just so much, a misspelt one, options left out, the
last page of an answer, the same again. They come in an order drawn by chance, so that the first answer, when nothing is known yet, may be any of them.
Between them something goes wrong, as it does on the web: the server fails, the page is gone, the site wants to know whether
we are human. simweb has pages for that, some with the search form on them, since many sites have it on all pages.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from stopwordsiso import stopwords

from benchmarks._answer_labels import (
    Answered,
    Labels,
    Truthful,
    fetch,
    has_controls,
    outcome_of,
    page_of,
    request_of,
    source_of,
)
from hiddenweb.forms.submission import UnreadableForm, build_submission
from hiddenweb.model import HttpQuery
from hiddenweb.querying.decoy_test import nonsense
from hiddenweb.records.page import read_page_with_items
from simweb.faults import Fault
from simweb.pages import Sheet
from simweb.search import UNSPACED, searchable_text
from simweb.server import answer_instead
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks._answer_labels import Label, Source
    from hiddenweb.model import Form, Page
    from simweb.answers import Outcome
    from simweb.messages import Request, Response
    from simweb.site import Site

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
_WORD = re.compile(r"\w+")


def answers_of(seed: int, sites: int) -> Iterator[Answered]:
    """Yield the answers of all forms of a world, form by form, in the order in which they come."""
    for site in sites_of(seed, sites):
        yield from _answers_of_site(site, Random(f"{seed} {site.plan.host}"))


def sites_of(seed: int, sites: int) -> Iterator[Site]:
    """Yield the sites of a world that have a database."""
    world = World(seed, sites, pages_per_site=6, largest_database=300, text_bytes=600)
    try:
        yield from Truth(world).sites(databases=True)
    finally:
        world.close()


def search_page_of(site: Site) -> str:
    """Return the address of the page on which the search form of a site stands."""
    forms = Truth(site.world).forms(site.plan.host)
    return next(place.page for place in forms if place.form.is_search and place.form.key == "search")


def _answers_of_site(site: Site, chance: Random) -> Iterator[Answered]:
    url = search_page_of(site)
    source = source_of(fetch(site, HttpQuery((), url=url))[1])
    page = _read(source, url)
    form = next(f for f in page.forms if _is_the_search(site, f))
    yield from _DrawnQuestions(site, form, page, source, chance).answers()


def _is_the_search(site: Site, form: Form) -> bool:
    if site.search_form.needs_browser:
        return form.source == "script" and form.needs_browser
    path = site.strip_session(urlsplit(form.action).path, "")[0]
    return path == site.search_action and has_controls(form, site.search_form)


class _DrawnQuestions:
    """All questions to one form."""

    def __init__(self, site: Site, form: Form, page: Page, source: Source, chance: Random) -> None:
        self.site, self.form, self.page, self.source, self.chance = site, form, page, source, chance
        self.labels = Labels(site, form)
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
            word: len(outcome_of(self.site, query).found)
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
        result = outcome_of(self.site, query)
        if self.labels.leads_to_known(result):
            return
        first = self._judge(role, query, query, 1, result)
        yield first
        if first.truth.following:
            for number in sorted({2, result.pages}):
                yield self._judge(
                    f"{role}, page {number}", query, page_of(self.site, query, result, number), number
                )
        if first.truth.label == "another_form" and not self.led_on:
            self.led_on = True
            other = next(form for form in first.page.forms if has_controls(form, result.form))
            yield from _DrawnQuestions(self.site, other, first.page, first.source, self.chance).answers()

    def _judge(
        self, role: str, query: HttpQuery, asked: HttpQuery, number: int, result: Outcome | None = None
    ) -> Answered:
        result = result or outcome_of(self.site, asked)
        url, response = fetch(self.site, asked)
        truth = self.labels.label(result, asked, response.status)
        return self._answered(role, query, url, response, number, truth)

    def _answered(
        self, role: str, query: HttpQuery, url: str, response: Response, number: int, truth: Truthful
    ) -> Answered:
        source = source_of(response)
        return Answered(
            self.site, role, self.form, self.page, query, _read(source, url), response.status, number, truth, source,
            self.source,
        )  # fmt: skip

    # What goes wrong

    def _trouble(self, kind: str, query: HttpQuery) -> Answered:
        request = request_of(self.site, query)
        response = _trouble_page(self.site, request, kind)
        labels: dict[str, Label] = {
            "block-page": "blocked", "block-403": "blocked", "captcha": "blocked", "429": "blocked",
            "missing": "soft_404", "missing with form": "soft_404",
        }  # fmt: skip
        truth = Truthful(labels.get(kind, "error"))
        return self._answered(kind, query, query.url, response, 1, truth)


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


def _read(source: Source, url: str) -> Page:
    body, content_type = source
    return read_page_with_items(body, url, content_type=content_type)


def _first(words: Iterator[str]) -> str:
    return next(words, "")


def _misspelt(word: str) -> str:
    """Return a word with one letter too many, as a hurried visitor writes it."""
    return f"{word[:-1]}x{word[-1:]}" if len(word) > 4 else ""
