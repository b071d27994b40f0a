"""Labelled forms: real ones from a file of JSON Lines, and generated ones from simweb.

A line of the file is one form as it was found on a page: `form_html`, the three elements around it, the title and the address
of the page, the kind that people saw in it, whether it searches, and what each of its fields is for. We write a small page of
it and read that as any page, so the classifier sees what it would see in a crawl.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from hiddenweb.html.reader import read_page
from simweb.messages import Request
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from hiddenweb.model import Form, Page
    from simweb.truth import FormTruth

FILE = "forms_dev.jsonl.gz"
KINDS = {
    "search": "search",
    "login": "login",
    "registration": "registration",
    "password/login recovery": "recovery",
    "join mailing list": "newsletter",
    "contact/comment": "contact",
    "order/add to cart": "order",
}  # all others are "other"
_KINDS_OF_SIMWEB = {
    "search": "search",
    "login": "login",
    "registration": "registration",
    "recovery": "recovery",
    "newsletter": "newsletter",
    "contact": "contact",
    "comment": "contact",
    "cart": "order",
    "order": "order",
}
SEED_TO_LEARN_FROM = 101  # no measurement and no test uses it
_SEARCH_QUERY = "search query"
_OUTSIDE = {
    "html": "",
    "body": "",
    "tr": "<table>",
    "td": "<table><tr>",
    "li": "<ul>",
}  # as far as parsers ask for it


@dataclass(frozen=True, slots=True)
class LabelledForm:
    """A form and what people say of it; comments are counted as contacts, as in the data."""

    form: Form
    domain: str
    kind: str
    searchable: bool
    query_names: frozenset[str]  # of the controls for free words
    name: str  # to find it again


def read_labelled_forms(file: Path) -> list[LabelledForm]:
    """Return all forms of a file of JSON Lines, compressed or not."""
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8") as lines:
        return [read_labelled_form(json.loads(line)) for line in lines if line.strip()]


def read_labelled_form(row: Mapping[str, Any]) -> LabelledForm:
    """Return the form of one line."""
    searchable = bool(row["searchable"])
    kind = KINDS.get(row["label"], "other")
    queries = (field["name"] for field in row["fields"] if field["label"] == _SEARCH_QUERY)
    return LabelledForm(
        form=_read_form(row),
        domain=row["domain"],
        kind=kind if searchable or kind != "search" else "other",
        searchable=searchable,
        query_names=frozenset(queries),
        name=str(row["id"]),
    )


def page_of(row: Mapping[str, Any]) -> str:
    """Return a page that has the form of a line where it stood: inside three elements, under its title."""
    before, after = "", ""
    elements = [element for element in reversed(row["ancestors"]) if element["tag"] != "form"]
    if elements:
        before = _OUTSIDE.get(elements[0]["tag"], "<body>")
    for element in elements:
        named = "".join(
            f' {name}="{escape(value)}"' for name in ("id", "class", "role") if (value := element[name])
        )
        before += f"<{element['tag']}{named}>"
        after = f"</{element['tag']}>{after}"
    title = escape(row["page_title"] or "")
    return f'<!DOCTYPE html><meta charset="utf-8"><title>{title}</title>{before}{row["form_html"]}{after}'


def _read_form(row: Mapping[str, Any]) -> Form:
    """Return the form with most controls: pieces of broken markup may look like further forms."""
    page = read_page(page_of(row).encode(), row["url"], content_type="text/html; charset=utf-8")
    return max(
        (form for form in page.forms if form.source in ("form", "noscript")),
        key=lambda form: len(form.fields),
    )


def forms_to_learn_beside() -> list[LabelledForm]:
    """Return generated forms in twelve languages, among them what looks like a search and is none, for training."""
    return generate_forms(SEED_TO_LEARN_FROM, sites=450)


def generate_forms(seed: int, sites: int = 150) -> list[LabelledForm]:
    """Return the forms of a world of simweb, with its truth."""
    world = World(seed, sites, pages_per_site=20, largest_database=60, text_bytes=300)
    try:
        return list(_forms_of(world))
    finally:
        world.close()


def _forms_of(world: World) -> Iterator[LabelledForm]:
    truth = Truth(world)
    for site in truth.sites():
        by_page: dict[str, list[FormTruth]] = {}
        for placed in truth.forms(site.plan.host):
            if placed.page:
                by_page.setdefault(placed.page, []).append(placed)
        for url, forms in by_page.items():
            yield from _page_forms(_page_at(world, url), site.plan.host, forms)


def _page_forms(page: Page, host: str, placed: Iterable[FormTruth]) -> Iterator[LabelledForm]:
    """Yield the forms of a page that are sent where a known form is sent."""
    known = {form.form.action: form.form for form in placed}
    for form in page.forms:
        truth = known.get(urlsplit(form.action).path)
        if truth is None or form.source != "form":
            continue
        queries = (field.name for field in truth.fields if field.meaning == "keywords")
        yield LabelledForm(
            form=form,
            domain=host,
            kind=_KINDS_OF_SIMWEB.get(truth.purpose, "other"),
            searchable=truth.is_search,
            query_names=frozenset(queries if truth.is_search else ()),
            name=f"{page.url} {truth.key}",
        )


def _page_at(world: World, url: str) -> Page:
    parts = urlsplit(url)
    response = world.respond(Request("GET", parts.netloc, parts.path or "/", parts.query))
    if response is None:
        raise LookupError(f"{url}: simweb has no such page")
    headers = {name.lower(): value for name, value in response.headers}
    if response.status in (301, 302, 303, 307, 308):
        return _page_at(world, urljoin(url, headers["location"]))
    return read_page(response.body, url, content_type=headers.get("content-type", ""))
