"""What a site answers to a search: the outcome, decided first, and the page that shows it.

`outcome` decides by the site's manners: results, nothing, "did you mean", too many, too short, the form once more,
another form, or a redirect to the only match. The truth asks it the same question a visitor asks over HTTP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from simweb import chance
from simweb.escaping import escape
from simweb.forms import choice_value, missing, query_of
from simweb.guards import GUARDED, TOKEN, is_refused
from simweb.markup import hidden_inputs
from simweb.pages import Sheet, fields_html
from simweb.search import is_too_short

if TYPE_CHECKING:
    from simweb.catalogue import Record
    from simweb.forms import Form
    from simweb.messages import Parameters, Request, Response
    from simweb.search import Query
    from simweb.site import Site

OutcomeKind = Literal[
    "form",
    "form_again",
    "another_form",
    "results",
    "no_results",
    "did_you_mean",
    "too_many",
    "redirect",
    "error",
]

_PAGE_NAMES = ("page", "p", "pg", "seite")
_OFFSET_NAMES = ("start", "offset", "first", "skip")
_UNUSUAL_NAMES = ("whence", "b", "xpos")
_OPAQUE_NAMES = ("after", "cursor", "resume")
_SNIPPET_WORDS = 18
_WIDEST_PAGER = 10
_ASPNET_PAGER = "ctl00$Main$Pager"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a search ended: what was found in all, what this page of the answer shows, what the visitor is told."""

    kind: OutcomeKind
    form: Form
    query: Query
    found: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()
    page: int = 1
    pages: int = 0
    message: str = ""
    suggestion: str = ""


def answer(site: Site, request: Request) -> Response:
    """Answer a search over HTTP."""
    parameters = site.parameters(request)
    if site.search_form.style in GUARDED and is_asked(site, parameters):
        turns_page = paging_name(site)[0] in dict(parameters)
        if is_refused(site, request, parameters, turns_page=turns_page):
            return _refusal(site, request)
    result = outcome(site, parameters, request.day)
    if result.kind == "redirect":
        record = site.record(result.found[0], request.day)
        assert record is not None
        return site.redirect(site.record_path(record))
    sheet = Sheet(site, request)
    _write(sheet, result, parameters)
    return site.page(sheet, _status(site, result), f"answer:{result.kind}")


def _status(site: Site, result: Outcome) -> int:
    plan = site.plan.database
    assert plan is not None
    match result.kind:
        case "error":
            return 500
        case "form":
            return plan.bare_status
        case "no_results" | "did_you_mean":
            return plan.nothing_status
        case "too_many":
            return plan.too_many_status
        case _:
            return 200


def _refusal(site: Site, request: Request) -> Response:
    """Answer a question that lacks a good token or its session: by status or only in words, and with the form."""
    sheet = Sheet(site, request)
    sheet.heading(site.say("error_title"))
    sheet.notice(site.say("error_text"))
    sheet.form(site.search_form)
    status = (403, 200, 419)[site.plan.number % 3]
    return site.page(sheet, status, "answer:refused")


def is_asked(site: Site, parameters: Parameters) -> bool:
    """Say whether a request carries any control of the search form, and so asks for something."""
    names = {field.name for field in site.search_form.fields}
    return any(name in names for name, _ in parameters)


def outcome(site: Site, parameters: Parameters, day: int) -> Outcome:
    """Decide what a search leads to."""
    form = site.search_form
    nothing = query_of(form, [])
    if not is_asked(site, parameters):
        return Outcome("form", form, nothing)
    if form.style == "aspnet" and not dict(parameters).get("__VIEWSTATE"):
        return Outcome("error", form, nothing, message=site.say("error_text"))
    if lacking := missing(form, parameters):
        return Outcome("form_again", form, nothing, message=site.say("choose_field", field=lacking.label))
    if form.style == "steps" and len(form.fields) == 1:
        parent = choice_value(form, parameters, "choice")
        if not parent:
            return Outcome("no_results", form, nothing, message=site.say("no_results", query=""))
        form = site.form_maker.second_step(form, parent)
        if missing(form, parameters):
            return Outcome("another_form", form, nothing)
    query = query_of(form, parameters)
    if refused := _refuse(site, form, query):
        return refused
    return _find(site, form, query, parameters, day)


def parameters_for_page(site: Site, result: Outcome, parameters: Parameters, page: int) -> Parameters:
    """Return the parameters that lead to a page of an answer."""
    name, is_offset = paging_name(site)
    kept = [(n, v) for n, v in parameters if n not in (name, TOKEN)]
    if site.search_form.style == "aspnet":
        kept = [(n, v) for n, v in kept if n not in ("__EVENTTARGET", "__EVENTARGUMENT")]
        return [*kept, ("__EVENTTARGET", _ASPNET_PAGER), ("__EVENTARGUMENT", f"Page${page}")]
    if is_opaque(site):
        return [*kept, (name, _page_token(site, page))]
    number = (page - 1) * page_size(site, result.form, parameters) if is_offset else page
    return [*kept, (name, str(number))]


def paging_name(site: Site) -> tuple[str, bool]:
    """Return the parameter that turns pages, and whether it counts records rather than pages."""
    assert site.plan.database is not None
    paging = site.plan.database.paging
    is_offset = paging in ("offset", "more", "load", "bracketed")
    further = {"bracketed": _UNUSUAL_NAMES, "opaque": _OPAQUE_NAMES}
    names = further.get(paging, _OFFSET_NAMES if is_offset else _PAGE_NAMES)
    taken = {field.name for field in site.search_form.fields}
    free = [name for name in names if name not in taken]
    return chance.pick(free, site.plan.number, "paging"), is_offset


def is_opaque(site: Site) -> bool:
    """Say whether pages are turned by tokens that only the site understands."""
    return site.plan.database is not None and site.plan.database.paging == "opaque"


def page_size(site: Site, form: Form, parameters: Parameters) -> int:
    """Return how many records one page of an answer shows."""
    assert site.plan.database is not None
    asked = choice_value(form, parameters, "page_size")
    return int(asked) if asked else site.plan.database.behaviour.page_size


def _refuse(site: Site, form: Form, query: Query) -> Outcome | None:
    assert site.plan.database is not None
    behaviour = site.plan.database.behaviour
    if query.is_empty and behaviour.empty != "everything":
        message = site.say("empty_query") if behaviour.empty == "error" else ""
        return Outcome("form_again", form, query, message=message)
    if is_too_short(query.words, behaviour):
        return Outcome("form_again", form, query, message=site.say("too_short", n=behaviour.shortest_word))
    return None


def _find(site: Site, form: Form, query: Query, parameters: Parameters, day: int) -> Outcome:
    assert site.plan.database is not None
    plan, behaviour = site.plan.database, site.plan.database.behaviour
    database = site.database(day)
    found = database.search(query)
    if behaviour.too_many is not None and len(found) > behaviour.too_many:
        return Outcome("too_many", form, query, message=site.say("too_many", total=len(found)))
    if not found:
        suggestion = database.suggestion(query.words) if behaviour.suggests and query.words else None
        kind: OutcomeKind = "did_you_mean" if suggestion else "no_results"
        message = site.say("no_results", query=query.words)
        return Outcome(kind, form, query, message=message, suggestion=suggestion or "")
    page = _page_asked(site, form, parameters)
    if behaviour.redirects_exact and len(found) == 1 and plan.has_details and page == 1:
        return Outcome("redirect", form, query, tuple(found), tuple(found))
    reachable = found[: behaviour.cap]
    size = page_size(site, form, parameters)
    shown = reachable[(page - 1) * size : page * size]
    pages = -(-len(reachable) // size)
    if not shown:
        return Outcome("no_results", form, query, message=site.say("no_results", query=query.words))
    return Outcome("results", form, query, tuple(found), tuple(shown), page, pages)


def _page_asked(site: Site, form: Form, parameters: Parameters) -> int:
    sent = dict(parameters)
    name, is_offset = paging_name(site)
    value = sent.get(name, "")
    if site.search_form.style == "aspnet" and sent.get("__EVENTTARGET") == _ASPNET_PAGER:
        value = sent.get("__EVENTARGUMENT", "").removeprefix("Page$")
    if is_opaque(site):
        most = site.claimed_count(0) + 2
        return next((page for page in range(1, most) if _page_token(site, page) == value), 1)
    if not value.isascii() or not value.isdigit() or len(value) > 9:
        return 1
    number = int(value)
    return number // page_size(site, form, parameters) + 1 if is_offset else max(1, number)


def _page_token(site: Site, page: int) -> str:
    return f"{chance.draw(site.key, 'page', page):016x}"


def _write(sheet: Sheet, result: Outcome, parameters: Parameters) -> None:
    site = sheet.site
    assert site.plan.database is not None
    sheet.title = site.say("search")
    sheet.ask_nofollow()
    if result.kind == "results":
        _write_results(sheet, result, parameters)
    else:
        sheet.heading(site.say("error_title" if result.kind == "error" else "search"))
        if result.message:
            sheet.notice(result.message)
        if result.suggestion:
            _write_suggestion(sheet, result)
    if result.kind != "results" or site.plan.database.repeats_form or result.form.style == "aspnet":
        sheet.form(result.form, dict(parameters))


def _write_results(sheet: Sheet, result: Outcome, parameters: Parameters) -> None:
    site = sheet.site
    assert site.plan.database is not None
    behaviour = site.plan.database.behaviour
    found = len(result.found)
    total = found if behaviour.total == "found" else len(result.found[: behaviour.cap])
    size = page_size(site, result.form, parameters)
    first = (result.page - 1) * size + 1
    if behaviour.total == "more_than" and total < found:
        sheet.heading(site.say("more_than", total=total))
    elif behaviour.shows_total:
        sheet.heading(site.say("results_for", total=total, query=result.query.words))
        sheet.notice(site.say("results_range", first=first, last=first + len(result.shown) - 1, total=total))
    else:
        sheet.heading(site.say("results"))
    records = site.database(sheet.request.day).records(result.shown)
    sheet.records = result.shown
    sheet.main.append(_results_html(sheet, records, result.query.words))
    if result.pages > 1:
        sheet.main.append(sheet.skin.wrap("pager", _pager(sheet, result, parameters)))


def _write_suggestion(sheet: Sheet, result: Outcome) -> None:
    site = sheet.site
    box = result.form.field_meaning("keywords")
    assert box is not None
    text = site.say("did_you_mean", query=result.suggestion)
    if result.form.method == "get":
        path = f"{site.search_action}?{quote(box.name)}={site.quote(result.suggestion)}"
        sheet.main.append(sheet.skin.wrap("row", sheet.inside(path, text)))
    else:
        sheet.notice(text)


def _results_html(sheet: Sheet, records: list[Record], words: str) -> str:
    skin, site = sheet.skin, sheet.site
    assert site.plan.database is not None
    match site.plan.database.layout:
        case "list":
            inner = skin.listing([_result(sheet, record, words) for record in records])
        case "table":
            names = [escape(label) for label in (site.say("field.title"), *site.labels)]
            inner = skin.table(names, [_cells(sheet, record, words) for record in records])
        case "grid":
            inner = skin.grid([_result(sheet, record, words) for record in records])
        case "definitions":
            inner = skin.definitions([(_title(sheet, r, words), _rest(sheet, r)) for r in records])
        case _:
            inner = "".join([skin.wrap("result", _result(sheet, record, words)) for record in records])
    return skin.wrap("results", inner)


def _cells(sheet: Sheet, record: Record, words: str) -> list[str]:
    cells = [_title(sheet, record, words), *map(escape, record.values)]
    return cells if _has_page(sheet.site) else [*cells, escape(record.text)]


def _result(sheet: Sheet, record: Record, words: str) -> str:
    title = sheet.skin.wrap("result_title", _title(sheet, record, words))
    text = "result_text" if _has_page(sheet.site) else "result_body"
    return title + sheet.skin.wrap(text, _rest(sheet, record))


def _title(sheet: Sheet, record: Record, words: str) -> str:
    site = sheet.site
    if not _has_page(site):
        return escape(record.title)
    assert site.plan.database is not None
    back = sheet.request.target
    if not site.plan.database.two_addresses:
        return sheet.inside(site.record_path(record, words, back), record.title)
    ways = (("view", record.title), ("get", site.say("details")))
    return " ".join(sheet.inside(site.record_path(record, words, back, op), text) for op, text in ways)


def _rest(sheet: Sheet, record: Record) -> str:
    """Return a short version where the record has a page of its own, else all of it."""
    site = sheet.site
    if not _has_page(site):
        return fields_html(sheet, record) + sheet.skin.wrap("text", escape(record.text))
    values = ", ".join(value for value in record.values[:3] if value)
    text = record.text.split()
    snippet = " ".join(text[:_SNIPPET_WORDS]) if len(text) > 1 else record.text[:60]
    return f"{sheet.skin.wrap('values', escape(values))} {escape(snippet)} ..."


def _has_page(site: Site) -> bool:
    return site.plan.database is not None and site.plan.database.has_details


def _pager(sheet: Sheet, result: Outcome, parameters: Parameters) -> str:
    site = sheet.site
    assert site.plan.database is not None
    ahead, behind = result.page < result.pages, result.page > 1
    match site.plan.database.paging:
        case "numbered" | "bracketed" as paging:
            label = "[{}]" if paging == "bracketed" else "{}"
            first = max(1, result.page - _WIDEST_PAGER // 2)
            numbers = range(first, min(result.pages, first + _WIDEST_PAGER - 1) + 1)
            return " ".join(
                sheet.skin.wrap("current", label.format(n))
                if n == result.page
                else _page_link(sheet, result, parameters, n, label.format(n))
                for n in numbers
            )
        case "button" | "post":
            turns = [(result.page - 1, "previous")] * behind + [(result.page + 1, "next")] * ahead
            return "".join(_page_button(sheet, result, parameters, n, site.say(word)) for n, word in turns)
        case "load":
            turned = _page_address(sheet, result, parameters, result.page + 1)
            address = escape(site.href(sheet.address(turned)))
            return (
                f'<button type="button" data-next="{address}">{escape(site.say("more"))}</button>'
                if ahead
                else ""
            )
        case "more":
            return _page_link(sheet, result, parameters, result.page + 1, site.say("more")) if ahead else ""
        case _:
            turns = [(result.page - 1, "previous")] * behind + [(result.page + 1, "next")] * ahead
            return " ".join(_page_link(sheet, result, parameters, n, site.say(word)) for n, word in turns)


def _page_link(sheet: Sheet, result: Outcome, parameters: Parameters, page: int, text: str) -> str:
    site = sheet.site
    relation = ' rel="next"' if page == result.page + 1 and site.plan.number % 3 == 0 else ""
    return sheet.inside(_page_address(sheet, result, parameters, page), text, relation)


def _page_address(sheet: Sheet, result: Outcome, parameters: Parameters, page: int) -> str:
    site = sheet.site
    joiner = ";" if result.form.style == "semicolon" else "&"
    assert site.plan.database is not None
    given = [(n, v) for n, v in parameters if v or site.plan.database.keeps_empty]
    turned = parameters_for_page(site, result, given, page)
    query = joiner.join(f"{quote(name)}={site.quote(value)}" for name, value in turned)
    return f"{site.search_action}?{query}"


def _page_button(sheet: Sheet, result: Outcome, parameters: Parameters, page: int, text: str) -> str:
    site = sheet.site
    if result.form.style == "aspnet":
        return f"<a href=\"javascript:__doPostBack('{_ASPNET_PAGER}','Page${page}')\">{escape(text)}</a> "
    turned = parameters_for_page(site, result, parameters, page)
    name, _ = paging_name(site)
    kept = hidden_inputs([(n, v) for n, v in turned if n != name])
    value = dict(turned)[name]
    charset = f' accept-charset="{site.query_charset}"' if site.query_charset != site.plan.codec else ""
    return (
        f'<form method="{result.form.method}" action="{escape(site.search_action)}"{charset}>{kept}'
        f'<button name="{name}" value="{value}">{escape(text)}</button></form>'
    )
