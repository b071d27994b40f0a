"""The next page of an answer.

Sites turn pages with a link that says so (`rel=next`, "next", "weiter", "次へ", an arrow), with numbers, with offsets, with a
button that is a small form of its own, or with "more". In each case its address is that of the answer with a little changed: the
same host, the same path apart from a number, the same parameters apart from one or two. Links to facets and orders pass that test,
too. So one more sign is needed: the relation, the word, the number on the link, the usual name of a parameter with a number that
grows, or a number that grows by as many as the page shows records (`whence=20` on a page of 20). Links that are numbered 2, 3, 4 and
whose addresses grow in even steps count records, too. A number of records per page does neither: it is written on its link. A link
back, to the same page or to the first, is never next.

Many applications rewrite the address of the next page: they leave out the button that was pressed, and add their defaults
(`/search?q=wine&go=Search`, then `/search?q=wine&page=2&wiki=on&ticket=on`). Such a rewritten address is next if it still has the
keyword, counts pages by the usual name, and says so by relation, word or number.

If a button loads more, its address is in an attribute. Such an address may have another path if it carries the whole query.

`has_further_page` recognises paging by POST and by script: without POST such an answer is a part. `find_next_post` says what to send: a
small form of its own that repeats the query, or the submitted form with one or two hidden values that a script sets (`__doPostBack`,
`form.page.value = 2`). The form must go to the address of the query, and must not send anything that the query did not send.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes, urlencode, urlsplit, urlunsplit

from hiddenweb.language import lexicon
from hiddenweb.language.folding import fold_line
from hiddenweb.model import Link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hiddenweb.model import Field, Form, HttpQuery, Page


_BACK = re.compile(r"\b(?:prev|previous|first)\b")  # relations of links, not words
_PLACE = re.compile("page|start|offset|skip|begin", re.IGNORECASE)
_NO_PLACE = re.compile("size|per|length|count|max|total|sort|order|date|time|year|day", re.IGNORECASE)
_CURSOR_NAME = re.compile("after|cursor|next|continu|scroll|mark|page|argument", re.IGNORECASE)
_SESSION_NAME = re.compile(r"(?:php|j|asp)?_?(?:sess(?:ion)?_?(?:id)?|sid)|.*token", re.IGNORECASE)
_SESSION_PATH = re.compile(r";jsessionid=[^/?;]*", re.IGNORECASE)
_TABLE_HEAD = re.compile(r"(?:^|/)th(?:ead)?(?:[.#/]|$)")
_EDGES = re.compile(r"^[\s\W\d_]+|[\s\W\d_]+$")
_POST_BACK = re.compile(r"__doPostBack\(\s*(['\"])([^'\"\\]*)\1\s*,\s*(['\"])([^'\"\\]*)\3\s*\)")
_SET_AND_SUBMIT = re.compile(
    r"(?:\.|\[['\"])([\w$:-]+)(?:['\"]\])?\.value\s*=\s*(['\"]?)([\w$.-]*)\2\s*[;,].{0,80}\.submit\(\)",
    re.DOTALL,
)
_ADDED_NAME = re.compile(r".*(?:csrf|xsrf|token|nonce|viewstate|validation|lang|locale).*", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,9}")
_WORDS = re.compile(r"[^\W\d_]+|[^\w\s]+")
_AROUND_NUMBER = " \t\n\u00a0[](){}<>|.,:;·•-–—_#"
_LONGEST_NUMBER = 5  # digits; a limit of taste
_LONGEST_ANCHOR = 40  # characters of a link to a further page; a limit of taste
_MOST_CHANGES = 2
"""Parameters by which the address of a further page differs, at most; a choice: the number of the page and where it begins."""


@dataclass(frozen=True, slots=True)
class _UrlDifference:
    """How an address differs from that of the page: in which parameters, and the numbers there."""

    link: Link
    changed: tuple[str, ...]
    value: int | None  # of the parameter or the part of the path that changed, where that is one number
    before: int | None
    looks_like_paging: bool
    rewritten: bool = False  # more differs than the place in the list
    by_rows: bool = False  # the number grows by as many as the page shows records
    in_steps: bool = False  # links are numbered, and their addresses grow in even steps


@dataclass(frozen=True, slots=True)
class NextPagePost:
    """The next page of an answer, requested by POST: which form is sent, and by which of its buttons."""

    form: Form  # with the hidden values that a script sets
    button: Field | None = None


@dataclass(frozen=True, slots=True)
class _AnswerContext:
    """The page whose next page is wanted."""

    url: str
    number: int
    rows: frozenset[int]  # how many records it shows, by all ways to count them
    keyword: str
    submitted: dict[str, bytes]  # the parameters of the query: those that paging added mark a place
    boxes: frozenset[str]  # names of the parameters that hold the keyword
    places: frozenset[str]  # names of the parameters that grew since the first page


def find_next_page(
    page: Page,
    *,
    page_url: str,
    number: int,
    keyword: str = "",
    rows: Iterable[int] = (),
    query: HttpQuery | None = None,
) -> Link | None:
    """Return the link to the page that follows page `number` of an answer to a keyword, or None.

    rows: how many records the page shows; where two ways of counting differ, both.
    """
    submitted = _parameters(urlsplit(query.url).query) if query else {}
    current = _parameters(urlsplit(page_url).query)
    grown_names = {
        name
        for name in current
        if number > 1 and query and (_place(current, name) or 0) > (_place(submitted, name) or 0)
    }
    if number == 1 or not query:  # it may have been redirected to a rewritten address
        submitted |= current
    boxes = frozenset(name for name, value in query.values if value == keyword) if query else frozenset()
    context = _AnswerContext(
        page_url,
        number,
        frozenset(row for row in rows if row > 1),
        keyword,
        submitted,
        boxes,
        frozenset(grown_names),
    )
    diffs = [
        diff
        for link in _candidates(page)
        if (diff := _compare_url(link, context)) and _leads_forward(diff, number)
    ]
    diffs += [
        diff
        for link in page.paging_links
        if (diff := _compare_loaded_url(link, context)) and _leads_forward(diff, number)
    ]
    diffs = _mark_steps(diffs, number)
    for is_sign in (_is_related, _says_next_or_its_number, _says_more, _is_named, _grows_by_rows):
        found = [diff for diff in diffs if is_sign(diff, number)]
        if found:
            return min(found, key=lambda diff: (diff.value is None, diff.value or 0)).link
    return None


def has_further_page(page: Page, number: int = 1) -> bool:
    """Say whether page `number` of an answer has a way to the next page that is no link: a button that is sent by POST, or a script.

    On a later page, a word for the next page without a link means that this is the last page.
    """
    labels = [field.label or field.value for form in page.forms for field in form.fields]
    last = page.blocks[-1].text.split()[-1:] if page.blocks else []
    behind = page.text.rpartition(last[0])[2] if last else page.text
    lines = [line for line in behind.splitlines() if line.strip() not in labels]
    buttons = [text for form in page.forms if form.method == "POST" for text in _only_button(form)]
    return any(_is_next_word(text) for text in (*buttons, *(lines if number == 1 else ())))


def find_next_post(page: Page, query: HttpQuery, number: int) -> NextPagePost | None:
    """Return what is sent by POST for the page that follows page `number` of the answer to a query, or None."""
    forms = [form for form in page.forms if form.method == "POST" and _has_same_target(form, query)]
    for is_next in (_is_next_word, lambda text: text.strip(_AROUND_NUMBER) == str(number + 1)):
        for form in forms:
            if (button := _find_paging_button(form, query, is_next)) is not None:
                return NextPagePost(form, button)
        for link in page.paging_links:
            if link.url.startswith("javascript:") and is_next(link.anchor):
                posting = next(filter(None, (_post_by_script(form, link.url) for form in forms)), None)
                if posting is not None:
                    return posting
    return None


def _has_same_target(form: Form, query: HttpQuery) -> bool:
    """Say whether a form is sent to the address of a query."""
    query_target, form_target = urlsplit(query.url), urlsplit(form.action)
    paths = (_SESSION_PATH.sub("", parts.path) for parts in (query_target, form_target))
    return (query_target.scheme, query_target.netloc) == (form_target.scheme, form_target.netloc) and len(
        set(paths)
    ) == 1


def _find_paging_button(form: Form, query: HttpQuery, is_next: Callable[[str], bool]) -> Field | None:
    """Return the button for the next page of a form that has nothing to fill in and repeats a query, or None."""
    buttons = [field for field in form.fields if field.kind in ("submit", "image", "button")]
    others = [field for field in form.fields if field not in buttons and not field.disabled]
    if any(field.kind != "hidden" for field in others) or not _repeats_query(others, query):
        return None
    alone = form.text if len(buttons) == 1 else ""
    working = [button for button in buttons if button.kind != "button" and not button.disabled]
    labels = ((button, button.label or alone or button.value) for button in working)
    found = (button for button, text in labels if is_next(text))
    return next((button for button in found if button.form_action is None and not button.form_method), None)


def _repeats_query(hidden: list[Field], query: HttpQuery) -> bool:
    """Say whether hidden values are those of a query, and nothing else apart from the page."""
    submitted = {**_parameters(urlsplit(query.url).query), **_parameters(query.body.decode("latin-1"))}
    filled = {name: value for name, value in query.values if value}
    for field in hidden:
        if field.name in filled:
            if field.value != filled[field.name]:
                return False
        elif not (
            field.name in submitted or _page_name().fullmatch(field.name) or _is_session(field.name)
            or _ADDED_NAME.fullmatch(field.name) or _CURSOR_NAME.search(field.name)
        ):  # fmt: skip
            return False
    return True


def _post_by_script(form: Form, script: str) -> NextPagePost | None:
    """Return a form as a script sends it, if the script only sets hidden values and submits."""
    if call := _POST_BACK.search(script):
        values = {"__EVENTTARGET": call[2], "__EVENTARGUMENT": call[4]}
    elif call := _SET_AND_SUBMIT.search(script):
        values = {call[1]: call[3]}
    else:
        return None
    names = {field.name for field in form.fields if field.kind == "hidden" and not field.disabled}
    if not values.keys() <= names:
        return None
    fields = tuple(
        replace(field, value=values[field.name]) if field.kind == "hidden" and field.name in values else field
        for field in form.fields
    )
    return NextPagePost(replace(form, fields=fields))


def _only_button(form: Form) -> list[str]:
    """Return the label of the button of a form that has nothing to fill in."""
    buttons = [field for field in form.fields if field.kind in ("submit", "image", "button")]
    is_small = all(field.kind == "hidden" for field in form.fields if field not in buttons)
    return [button.label or form.text or button.value for button in buttons] if is_small else []


def _is_next_word(text: str) -> bool:
    words = fold_line(text)
    return len(words) <= _LONGEST_ANCHOR and bool(
        {words, _EDGES.sub("", words)} & (_words("next") | _words("more"))
    )


def _candidates(page: Page) -> Iterator[Link]:
    yield from page.links
    for form in page.forms:
        if form.method == "GET" and not form.needs_browser:
            yield from _button_links(form)


def _button_links(form: Form) -> Iterator[Link]:
    """Yield links for the buttons of a form that may turn pages: the only button if there is nothing to fill in, or any that says so."""
    buttons = [field for field in form.fields if field.kind in ("submit", "image") and not field.disabled]
    is_small = len(buttons) == 1 and all(
        field.kind == "hidden" for field in form.fields if field not in buttons and not field.disabled
    )
    for button in buttons:
        says = button.label or button.value or (form.text if is_small else "")
        if is_small or (button.name and (_is_next_word(says) or says.strip().isdigit())):
            yield Link(_address_of(form, button), anchor=says)


def _address_of(form: Form, button: Field) -> str:
    """Return the address that a form leads to by one of its buttons, with the values it has."""
    pairs = [pair for field in form.fields if not field.disabled for pair in _pairs_of(field, button)]
    try:
        query = urlencode(pairs, encoding=form.charset, errors="xmlcharrefreplace")
    except LookupError:
        query = urlencode(pairs)
    return urlunsplit(urlsplit(form.action)._replace(query=query, fragment=""))


def _pairs_of(field: Field, button: Field) -> list[tuple[str, str]]:
    if not field.name or field.kind in ("image", "button", "reset", "file"):
        return []
    if field.kind == "submit":
        return [(field.name, field.value)] if field is button else []
    if field.kind in ("checkbox", "radio") and not field.checked:
        return []
    if field.kind == "select":
        chosen = [option for option in field.options if option.selected] or list(field.options)
        return [(field.name, option.value) for option in chosen[:1]]
    return [(field.name, field.value)]


def _compare_url(link: Link, context: _AnswerContext) -> _UrlDifference | None:
    """Return how the address of a link differs from that of the page, or None if it is no further page."""
    current, target = urlsplit(context.url), urlsplit(link.url)
    if (current.scheme, current.netloc) != (target.scheme, target.netloc) or _BACK.search(link.rel):
        return None
    paths = [_SESSION_PATH.sub("", parts.path) for parts in (current, target)]
    before, after = (_parameters(parts.query) for parts in (current, target))
    changed = tuple(name for name in after if after[name] != before.get(name) and not _is_session(name))
    lost = [name for name in before if before[name] and name not in after and not _is_session(name)]
    if any(_changes_query(name, before, context.submitted) for name in changed):
        return None
    if context.places and context.places.isdisjoint(changed):
        return None
    if paths[0] != paths[1]:
        diff, rewritten = _compare_path(link, paths[0], paths[1]), bool(changed or lost)
    else:
        diff, rewritten = (
            _compare_parameters(link, changed, before, after, context),
            bool(lost) or len(changed) > _MOST_CHANGES,
        )
    if diff is None:
        return None
    diff = replace(diff, by_rows=_is_by_rows(diff.value, diff.before, context), rewritten=rewritten)
    if not rewritten:
        return diff
    return (
        diff if (diff.looks_like_paging or diff.by_rows) and _has_same_query(before, after, context) else None
    )


def _compare_parameters(
    link: Link,
    changed: tuple[str, ...],
    before: dict[str, bytes],
    after: dict[str, bytes],
    context: _AnswerContext,
) -> _UrlDifference | None:
    if not changed:
        return None
    counting = [name for name in changed if _number(after[name]) is not None]
    label = link.anchor.strip(_AROUND_NUMBER).encode()
    named = (
        *(name for name in counting if _counts_pages(name)),
        *(name for name in counting if after[name] == label),
        *(name for name in counting if _is_by_rows(_number(after[name]), _place(before, name), context)),
        *(counting if len(counting) == 1 else ()),
    )
    name = next(iter(named), None)
    if name is None:
        return _UrlDifference(link, changed, None, None, False)
    return _UrlDifference(link, changed, _number(after[name]), _place(before, name), _counts_pages(name))


def _place(parameters: dict[str, bytes], name: str) -> int | None:
    return _number(parameters.get(name, b""))


def _is_by_rows(value: int | None, before: int | None, context: _AnswerContext) -> bool:
    """Say whether a number grows by as many as the page shows records; the first one may be 0 or 1."""
    if value is None:
        return False
    if before is not None:
        return value - before in context.rows
    return any(value in (rows * context.number, rows * context.number + 1) for rows in context.rows)


def _mark_steps(diffs: list[_UrlDifference], number: int) -> list[_UrlDifference]:
    """Mark the numbered links to the next page if the addresses of the numbered links grow in even steps of several."""
    numbered = {
        (diff.changed, _number_on_label(diff)): diff.value for diff in diffs if _number_on_label(diff)
    }
    return [
        replace(diff, in_steps=_is_in_steps(diff, numbered.get((diff.changed, number + 2)), number))
        if _number_on_label(diff) == number + 1
        else diff
        for diff in diffs
    ]


def _is_in_steps(diff: _UrlDifference, value_after: int | None, number: int) -> bool:
    if not diff.value or value_after is None:
        return False
    step = value_after - diff.value
    first = diff.before if diff.before is not None else step * (number - 1)
    return step > 1 and diff.value - first in (step, step + 1)


def _number_on_label(diff: _UrlDifference) -> int | None:
    """Return the number that is the whole label of a link, apart from signs around it."""
    label = diff.link.anchor.strip(_AROUND_NUMBER)
    return int(label) if label.isdecimal() and len(label) <= _LONGEST_NUMBER else None


def _counts_pages(name: str) -> bool:
    """Say whether a parameter has a name for a place in a list: page, offset, `@startwith`, `pageNumber`."""
    return bool(_page_name().fullmatch(name) or _PLACE.search(name)) and not _NO_PLACE.search(name)


def _has_same_query(before: dict[str, bytes], after: dict[str, bytes], context: _AnswerContext) -> bool:
    """Say whether an address has the keyword of a page, in any encoding; or no keyword, if the query had none."""
    if not context.keyword:
        return bool(context.boxes) and not any(after.get(name) for name in context.boxes)
    if any(before.get(name) and before[name] == after.get(name) for name in context.boxes):
        return True
    keyword = context.keyword.strip().casefold()
    return bool(keyword) and any(
        value.decode("utf-8", "replace").strip().casefold() == keyword for value in after.values()
    )


def _compare_loaded_url(link: Link, context: _AnswerContext) -> _UrlDifference | None:
    """Return how an address that a script would load differs from that of the page: if its path is another, it carries the whole query."""
    if link.url.startswith("javascript:"):
        return None
    if diff := _compare_url(link, context):
        return diff
    current, target = urlsplit(context.url), urlsplit(link.url)
    before = {name: value for name, value in _parameters(current.query).items() if value}
    after = _parameters(target.query)
    same_host = (current.scheme, current.netloc) == (target.scheme, target.netloc)
    if not same_host or not before or any(after.get(name) != value for name, value in before.items()):
        return None
    counting = [name for name in after if name not in before and _page_name().fullmatch(name)]
    value = _number(after[counting[0]]) if counting else None
    return _UrlDifference(link, tuple(counting), value, None, value is not None)


def _compare_path(link: Link, current: str, target: str) -> _UrlDifference | None:
    """Return how paths differ if pages are numbered in the path: /find/wine/2, or /find/wine/page/2 after /find/wine."""
    parts, others = re.split(r"(\d+)", current), re.split(r"(\d+)", target)
    if parts[::2] == others[::2]:
        differing = [(a, b) for a, b in zip(parts[1::2], others[1::2], strict=True) if a != b]
        if len(differing) == 1:
            before, value = differing[0]
            return _UrlDifference(link, (), int(value[:9]), int(before[:9]), "page" in others[-3].lower())
    grown = re.fullmatch(
        re.escape(current.rstrip("/"))
        + rf"/(?:({lexicon.alternatives('paging.page')})[/_:=-]?)?(\d{{1,6}})/?",
        target,
    ) or _match_numbered_name(current, target)
    return _UrlDifference(link, (), int(grown[2]), None, bool(grown[1])) if grown else None


def _match_numbered_name(current: str, target: str) -> re.Match[str] | None:
    """Return the number of a page that stands before the ending of a name: /wine-2.html after /wine.html."""
    name, dot, ending = current.rpartition(".")
    if not dot or "/" in ending:
        return None
    return re.fullmatch(rf"{re.escape(name)}[._-](page|p)?[_-]?(\d{{1,6}})\.{re.escape(ending)}", target)


def _leads_forward(diff: _UrlDifference, number: int) -> bool:
    """Say whether a link does not lead back: its number grows, or is not that of the first page.

    Some count from 0: then the second page has number 1, and only its label distinguishes it from the first.
    """
    if diff.value is None:
        return True
    if diff.before is not None:
        return diff.value > diff.before
    is_called_next = _is_related(diff, number) or _says_next_or_its_number(diff, number)
    return diff.value > number or (diff.value == number and is_called_next)


def _is_related(diff: _UrlDifference, number: int) -> bool:
    del number
    return "next" in diff.link.rel.split()


def _says_next_or_its_number(diff: _UrlDifference, number: int) -> bool:
    """Say whether the label of a link is a word for next or the number of the next page. With numbers, an arrow may lead to the last page."""
    return _says_next(diff, number) or _is_numbered(diff, number)


def _says_next(diff: _UrlDifference, number: int) -> bool:
    del number
    anchor = fold_line(diff.link.anchor)
    return len(anchor) <= _LONGEST_ANCHOR and (
        anchor in _words("next") or _EDGES.sub("", anchor) in _words("next")
    )


def _says_more(diff: _UrlDifference, number: int) -> bool:
    del number
    anchor = fold_line(diff.link.anchor)
    has_place = diff.value is not None or any(map(_CURSOR_NAME.search, diff.changed))
    if not has_place or diff.rewritten:
        return False
    return len(anchor) <= _LONGEST_ANCHOR and _EDGES.sub("", anchor) in _words("more")


def _is_numbered(diff: _UrlDifference, number: int) -> bool:
    """Say whether the label of a link is the number of the next page, and its address counts pages or records."""
    if _number_on_label(diff) != number + 1 or diff.value is None:
        return False
    return diff.looks_like_paging or diff.by_rows or diff.in_steps or diff.value in (number, number + 1)


def _grows_by_rows(diff: _UrlDifference, number: int) -> bool:
    """Say whether the number in the address is evidence enough: it grows by as many records as are shown, and the label does not contradict.

    A label with a number must be a range of the next records, or have a word for next; otherwise it sets how many records are shown.
    """
    del number
    if not diff.by_rows or diff.rewritten or len(diff.changed) > 1 or diff.value is None:
        return False
    if any(_NO_PLACE.search(name) for name in diff.changed) or len(diff.link.anchor) > _LONGEST_ANCHOR:
        return False
    if _TABLE_HEAD.search(diff.link.tag_path):
        return False
    numbers = _NUMBERS.findall(diff.link.anchor)
    if not numbers:
        return True
    if any(word in _words("next") for word in _WORDS.findall(diff.link.anchor.casefold())):
        return True
    return len(numbers) > 1 and int(numbers[0]) in (diff.value, diff.value + 1)


def _is_named(diff: _UrlDifference, number: int) -> bool:
    """Say whether the parameter is evidence enough: it has a usual name for paging, and is the only one that changed.

    A link in the head of a table does not count: it sorts by the number of a column (`o=2`).
    """
    del number
    if diff.rewritten or not diff.looks_like_paging or _TABLE_HEAD.search(diff.link.tag_path):
        return False
    return len(diff.changed) == 1 and not diff.link.anchor.strip(_AROUND_NUMBER).isdigit()


def _parameters(query: str) -> dict[str, bytes]:
    """Return the parameters of an address as bytes, unescaped."""
    pairs = (part.partition("=") for part in re.split("[&;]", query) if part)
    return {_unquote(name).decode("utf-8", "replace"): _unquote(value) for name, _, value in pairs}


def _unquote(text: str) -> bytes:
    return unquote_to_bytes(text.replace("+", " "))


def _number(value: bytes) -> int | None:
    return int(value) if value.isdigit() and len(value) <= 9 else None


def _changes_query(name: str, before: dict[str, bytes], submitted: dict[str, bytes]) -> bool:
    """Say whether a change of this parameter makes another query: it was submitted, held words, and marks no place in a list."""
    value = before.get(name, b"")
    return bool(value) and name in submitted and _number(value) is None and not _CURSOR_NAME.search(name)


def _is_session(name: str) -> bool:
    return bool(_SESSION_NAME.fullmatch(name)) and not _CURSOR_NAME.search(name)


@cache
def _words(purpose: str) -> frozenset[str]:
    """Return the texts of links that lead to the `next` page, or to `more`."""
    return frozenset(lexicon.phrases(f"paging.{purpose}"))


@cache
def _page_name() -> re.Pattern[str]:
    """The names of parameters that hold a place in a list."""
    names = f"{lexicon.alternatives('paging.page')}|{lexicon.alternatives('paging.place')}"
    return re.compile(rf"(?:.*[._-])?(?:{names})", re.IGNORECASE)
