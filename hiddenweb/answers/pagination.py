"""The next page of an answer.

Sites turn pages with a link that says so (`rel=next`, "next", "weiter", "次へ", an arrow), with numbers, with offsets, with a
button that is a small form of its own, or with "more". Whatever it looks like, its address is that of the answer again with a
little changed: the same host, the same path but for a number, the same parameters but for one or two. Facets and sorting
links pass that test too, so one more sign is asked for: the relation, the word, the number on the link, the usual name of
the parameter with a number that grows, or a number that grows by as many as the page shows records, whatever its name
(`whence=20` on a page of 20). Links that are numbered 2, 3, 4 and whose addresses grow in even steps count records, too. A number of
records per page does neither: it is written on its link. What leads back, to the same page or to the first, is never next.

Many applications write the address of the next page anew: they leave out the button that was pressed, and spell out what they
took for granted (`/search?q=wine&go=Search`, then `/search?q=wine&page=2&wiki=on&ticket=on`). Such a rewritten address is next if it still asks
for the keyword, counts pages by the usual name, and says so by relation, word or number.

Where a button loads more, its address is in an attribute. Such an address may have another path, if it carries the whole question.

Paging by POST and by script is seen (`has_further_page`): to whoever may not send a POST, an answer that has it is a part. What would be sent is said by
`find_next_post`: a small form of its own that repeats the question, or the form that was asked with a hidden value or two that a
script sets (`__doPostBack`, `form.page.value = 2`). Nothing is taken that goes elsewhere than the question went, or sends along what the
question did not.
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
_UNASKED_NAME = re.compile(r".*(?:csrf|xsrf|token|nonce|viewstate|validation|lang|locale).*", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,9}")
_WORDS = re.compile(r"[^\W\d_]+|[^\w\s]+")
_AROUND_NUMBER = " \t\n\u00a0[](){}<>|.,:;·•-–—_#"
_LONGEST_NUMBER = 5  # digits; a limit of taste
_LONGEST_ANCHOR = 40  # characters of a link to a further page; a limit of taste
_MOST_CHANGES = 2
"""Parameters by which the address of a further page differs, at most; a choice: the number of the page and where it begins."""


@dataclass(frozen=True, slots=True)
class _UrlDifference:
    """How an address differs from that of the page asked for: in which parameters, and the numbers there."""

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
    """The next page of an answer, asked for by POST: which form is sent, and by which of its buttons."""

    form: Form  # with the hidden values that a script sets
    button: Field | None = None


@dataclass(frozen=True, slots=True)
class _AnswerContext:
    """The page whose next one is looked for."""

    url: str
    number: int
    rows: frozenset[int]  # how many records it shows, by all ways to count them
    keyword: str
    asked: dict[str, bytes]  # the parameters of the question: those that came with paging mark a place
    boxes: frozenset[str]  # names of the parameters that hold the keyword
    places: frozenset[str]  # names of the parameters that grew since the first page


def find_next_page(
    page: Page,
    *,
    asked_url: str,
    number: int,
    keyword: str = "",
    rows: Iterable[int] = (),
    query: HttpQuery | None = None,
) -> Link | None:
    """Return the link to the page that follows page `number` of an answer to a keyword, or None.

    rows: how many records the page shows; where two ways of counting differ, both.
    """
    asked = _parameters(urlsplit(query.url).query) if query else {}
    now = _parameters(urlsplit(asked_url).query)
    grew = {
        name for name in now if number > 1 and query and (_place(now, name) or 0) > (_place(asked, name) or 0)
    }
    if number == 1 or not query:  # it may have been sent on to where the question is written anew
        asked |= now
    boxes = frozenset(name for name, value in query.values if value == keyword) if query else frozenset()
    here = _AnswerContext(
        asked_url, number, frozenset(row for row in rows if row > 1), keyword, asked, boxes, frozenset(grew)
    )
    turns = [
        turn for link in _candidates(page) if (turn := _turn(link, here)) and _leads_forward(turn, number)
    ]
    turns += [
        turn for link in page.turns if (turn := _turn_by_loading(link, here)) and _leads_forward(turn, number)
    ]
    turns = _mark_steps(turns, number)
    for is_sign in (_is_related, _says_next_or_its_number, _says_more, _is_named, _grows_by_rows):
        found = [turn for turn in turns if is_sign(turn, number)]
        if found:
            return min(found, key=lambda turn: (turn.value is None, turn.value or 0)).link
    return None


def has_further_page(page: Page, number: int = 1) -> bool:
    """Say whether page `number` of an answer has a way to a next one that we do not follow: a button that is sent by POST, or a script.

    Once pages were turned, a word for the next one that leads nowhere is that of the last page.
    """
    labels = [field.label or field.value for form in page.forms for field in form.fields]
    last = page.blocks[-1].text.split()[-1:] if page.blocks else []
    behind = page.text.rpartition(last[0])[2] if last else page.text
    lines = [line for line in behind.splitlines() if line.strip() not in labels]
    buttons = [text for form in page.forms if form.method == "POST" for text in _only_button(form)]
    return any(_is_next_word(text) for text in (*buttons, *(lines if number == 1 else ())))


def find_next_post(page: Page, query: HttpQuery, number: int) -> NextPagePost | None:
    """Return what is sent by POST for the page that follows page `number` of the answer to a question, or None."""
    forms = [form for form in page.forms if form.method == "POST" and _goes_where(form, query)]
    for is_next in (_is_next_word, lambda text: text.strip(_AROUND_NUMBER) == str(number + 1)):
        for form in forms:
            if (button := _turning_button(form, query, is_next)) is not None:
                return NextPagePost(form, button)
        for link in page.turns:
            if link.url.startswith("javascript:") and is_next(link.anchor):
                posting = next(filter(None, (_post_by_script(form, link.url) for form in forms)), None)
                if posting is not None:
                    return posting
    return None


def _goes_where(form: Form, query: HttpQuery) -> bool:
    """Say whether a form is sent to where a question went."""
    went, goes = urlsplit(query.url), urlsplit(form.action)
    paths = (_SESSION_PATH.sub("", parts.path) for parts in (went, goes))
    return (went.scheme, went.netloc) == (goes.scheme, goes.netloc) and len(set(paths)) == 1


def _turning_button(form: Form, query: HttpQuery, is_next: Callable[[str], bool]) -> Field | None:
    """Return the button of a form that has nothing to fill in and repeats a question, if it says so."""
    buttons = [field for field in form.fields if field.kind in ("submit", "image", "button")]
    others = [field for field in form.fields if field not in buttons and not field.disabled]
    if any(field.kind != "hidden" for field in others) or not _repeats(others, query):
        return None
    alone = form.text if len(buttons) == 1 else ""
    working = [button for button in buttons if button.kind != "button" and not button.disabled]
    said = ((button, button.label or alone or button.value) for button in working)
    found = (button for button, text in said if is_next(text))
    return next((button for button in found if button.form_action is None and not button.form_method), None)


def _repeats(hidden: list[Field], query: HttpQuery) -> bool:
    """Say whether hidden values ask what a question asked, and nothing besides but for the page."""
    asked = {**_parameters(urlsplit(query.url).query), **_parameters(query.body.decode("latin-1"))}
    filled = {name: value for name, value in query.values if value}
    for field in hidden:
        if field.name in filled:
            if field.value != filled[field.name]:
                return False
        elif not (
            field.name in asked or _page_name().fullmatch(field.name) or _is_session(field.name)
            or _UNASKED_NAME.fullmatch(field.name) or _CURSOR_NAME.search(field.name)
        ):  # fmt: skip
            return False
    return True


def _post_by_script(form: Form, script: str) -> NextPagePost | None:
    """Return a form as a script sends it, that does no more than set hidden values and submit."""
    if called := _POST_BACK.search(script):
        values = {"__EVENTTARGET": called[2], "__EVENTARGUMENT": called[4]}
    elif called := _SET_AND_SUBMIT.search(script):
        values = {called[1]: called[3]}
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
    """Return what the button of a form says that has nothing to fill in."""
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
    """Yield where the buttons of a form lead to that turn pages: the only one of a form without anything to fill in, or any that says so."""
    buttons = [field for field in form.fields if field.kind in ("submit", "image") and not field.disabled]
    is_small = len(buttons) == 1 and all(
        field.kind == "hidden" for field in form.fields if field not in buttons and not field.disabled
    )
    for button in buttons:
        says = button.label or button.value or (form.text if is_small else "")
        if is_small or (button.name and (_is_next_word(says) or says.strip().isdigit())):
            yield Link(_address_of(form, button), anchor=says)


def _address_of(form: Form, button: Field) -> str:
    """Return the address that a form leads to as it stands, by one of its buttons."""
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


def _turn(link: Link, here: _AnswerContext) -> _UrlDifference | None:
    """Return how a link continues the page asked for, or None when it leads somewhere else."""
    asked, target = urlsplit(here.url), urlsplit(link.url)
    if (asked.scheme, asked.netloc) != (target.scheme, target.netloc) or _BACK.search(link.rel):
        return None
    paths = [_SESSION_PATH.sub("", parts.path) for parts in (asked, target)]
    before, after = (_parameters(parts.query) for parts in (asked, target))
    changed = tuple(name for name in after if after[name] != before.get(name) and not _is_session(name))
    lost = [name for name in before if before[name] and name not in after and not _is_session(name)]
    if any(_changes_query(name, before, here.asked) for name in changed):
        return None
    if here.places and here.places.isdisjoint(changed):
        return None
    if paths[0] != paths[1]:
        turn, rewritten = _turn_in_path(link, paths[0], paths[1]), bool(changed or lost)
    else:
        turn, rewritten = (
            _turn_in_query(link, changed, before, after, here),
            bool(lost) or len(changed) > _MOST_CHANGES,
        )
    if turn is None:
        return None
    turn = replace(turn, by_rows=_is_by_rows(turn.value, turn.before, here), rewritten=rewritten)
    if not rewritten:
        return turn
    return turn if (turn.looks_like_paging or turn.by_rows) and _has_same_query(before, after, here) else None


def _turn_in_query(
    link: Link,
    changed: tuple[str, ...],
    before: dict[str, bytes],
    after: dict[str, bytes],
    here: _AnswerContext,
) -> _UrlDifference | None:
    if not changed:
        return None
    counting = [name for name in changed if _number(after[name]) is not None]
    called = link.anchor.strip(_AROUND_NUMBER).encode()
    named = (
        *(name for name in counting if _counts_pages(name)),
        *(name for name in counting if after[name] == called),
        *(name for name in counting if _is_by_rows(_number(after[name]), _place(before, name), here)),
        *(counting if len(counting) == 1 else ()),
    )
    name = next(iter(named), None)
    if name is None:
        return _UrlDifference(link, changed, None, None, False)
    return _UrlDifference(link, changed, _number(after[name]), _place(before, name), _counts_pages(name))


def _place(parameters: dict[str, bytes], name: str) -> int | None:
    return _number(parameters.get(name, b""))


def _is_by_rows(value: int | None, before: int | None, here: _AnswerContext) -> bool:
    """Say whether a number grows by as many as the page shows records; the first one may be 0 or 1."""
    if value is None:
        return False
    if before is not None:
        return value - before in here.rows
    return any(value in (rows * here.number, rows * here.number + 1) for rows in here.rows)


def _mark_steps(turns: list[_UrlDifference], number: int) -> list[_UrlDifference]:
    """Mark the links to the next page that are numbered beside others, where their addresses grow in even steps of several."""
    numbered = {
        (turn.changed, _number_on_label(turn)): turn.value for turn in turns if _number_on_label(turn)
    }
    return [
        replace(turn, in_steps=_is_in_steps(turn, numbered.get((turn.changed, number + 2)), number))
        if _number_on_label(turn) == number + 1
        else turn
        for turn in turns
    ]


def _is_in_steps(turn: _UrlDifference, value_after: int | None, number: int) -> bool:
    if not turn.value or value_after is None:
        return False
    step = value_after - turn.value
    first = turn.before if turn.before is not None else step * (number - 1)
    return step > 1 and turn.value - first in (step, step + 1)


def _number_on_label(turn: _UrlDifference) -> int | None:
    """Return the number that is all a link is called, whatever stands around it."""
    label = turn.link.anchor.strip(_AROUND_NUMBER)
    return int(label) if label.isdecimal() and len(label) <= _LONGEST_NUMBER else None


def _counts_pages(name: str) -> bool:
    """Say whether a parameter is called as those are that hold a place in a list: page, offset, `@startwith`, `pageNumber`."""
    return bool(_page_name().fullmatch(name) or _PLACE.search(name)) and not _NO_PLACE.search(name)


def _has_same_query(before: dict[str, bytes], after: dict[str, bytes], here: _AnswerContext) -> bool:
    """Say whether an address asks for the keyword of a page, in whatever encoding that is sent; for none, if nothing was asked."""
    if not here.keyword:
        return bool(here.boxes) and not any(after.get(name) for name in here.boxes)
    if any(before.get(name) and before[name] == after.get(name) for name in here.boxes):
        return True
    asked = here.keyword.strip().casefold()
    return bool(asked) and any(
        value.decode("utf-8", "replace").strip().casefold() == asked for value in after.values()
    )


def _turn_by_loading(link: Link, here: _AnswerContext) -> _UrlDifference | None:
    """Return how something that a script would load continues the page asked for: at another path it carries the whole question."""
    if link.url.startswith("javascript:"):
        return None
    if turn := _turn(link, here):
        return turn
    asked, target = urlsplit(here.url), urlsplit(link.url)
    before = {name: value for name, value in _parameters(asked.query).items() if value}
    after = _parameters(target.query)
    same_host = (asked.scheme, asked.netloc) == (target.scheme, target.netloc)
    if not same_host or not before or any(after.get(name) != value for name, value in before.items()):
        return None
    counting = [name for name in after if name not in before and _page_name().fullmatch(name)]
    value = _number(after[counting[0]]) if counting else None
    return _UrlDifference(link, tuple(counting), value, None, value is not None)


def _turn_in_path(link: Link, asked: str, target: str) -> _UrlDifference | None:
    """Return a turn where pages are numbered in the path: /find/wine/2, or /find/wine/page/2 after /find/wine."""
    parts, others = re.split(r"(\d+)", asked), re.split(r"(\d+)", target)
    if parts[::2] == others[::2]:
        differing = [(a, b) for a, b in zip(parts[1::2], others[1::2], strict=True) if a != b]
        if len(differing) == 1:
            before, value = differing[0]
            return _UrlDifference(link, (), int(value[:9]), int(before[:9]), "page" in others[-3].lower())
    grown = re.fullmatch(
        re.escape(asked.rstrip("/")) + rf"/(?:({lexicon.alternatives('paging.page')})[/_:=-]?)?(\d{{1,6}})/?",
        target,
    ) or _match_numbered_name(asked, target)
    return _UrlDifference(link, (), int(grown[2]), None, bool(grown[1])) if grown else None


def _match_numbered_name(asked: str, target: str) -> re.Match[str] | None:
    """Return the number of a page where it is written before the ending of a name: /wine-2.html after /wine.html."""
    name, dot, ending = asked.rpartition(".")
    if not dot or "/" in ending:
        return None
    return re.fullmatch(rf"{re.escape(name)}[._-](page|p)?[_-]?(\d{{1,6}})\.{re.escape(ending)}", target)


def _leads_forward(turn: _UrlDifference, number: int) -> bool:
    """Say whether a link does not lead back: its number grows, or is not that of the first page.

    Some count from 0: then the second page has number 1, and only what the link is called tells it from the first.
    """
    if turn.value is None:
        return True
    if turn.before is not None:
        return turn.value > turn.before
    is_called_next = _is_related(turn, number) or _says_next_or_its_number(turn, number)
    return turn.value > number or (turn.value == number and is_called_next)


def _is_related(turn: _UrlDifference, number: int) -> bool:
    del number
    return "next" in turn.link.rel.split()


def _says_next_or_its_number(turn: _UrlDifference, number: int) -> bool:
    """Say whether a link is called next, or after the next page; where both are there, an arrow may lead to the last."""
    return _says_next(turn, number) or _is_numbered(turn, number)


def _says_next(turn: _UrlDifference, number: int) -> bool:
    del number
    anchor = fold_line(turn.link.anchor)
    return len(anchor) <= _LONGEST_ANCHOR and (
        anchor in _words("next") or _EDGES.sub("", anchor) in _words("next")
    )


def _says_more(turn: _UrlDifference, number: int) -> bool:
    del number
    anchor = fold_line(turn.link.anchor)
    has_place = turn.value is not None or any(map(_CURSOR_NAME.search, turn.changed))
    if not has_place or turn.rewritten:
        return False
    return len(anchor) <= _LONGEST_ANCHOR and _EDGES.sub("", anchor) in _words("more")


def _is_numbered(turn: _UrlDifference, number: int) -> bool:
    """Say whether a link is called after the next page, and its address counts pages or records."""
    if _number_on_label(turn) != number + 1 or turn.value is None:
        return False
    return turn.looks_like_paging or turn.by_rows or turn.in_steps or turn.value in (number, number + 1)


def _grows_by_rows(turn: _UrlDifference, number: int) -> bool:
    """Say whether the number alone tells: it grows by as many as are shown, and the link is not called after something else.

    A link that has a number on it says which records come, or that they are next; others set how many are shown.
    """
    del number
    if not turn.by_rows or turn.rewritten or len(turn.changed) > 1 or turn.value is None:
        return False
    if any(_NO_PLACE.search(name) for name in turn.changed) or len(turn.link.anchor) > _LONGEST_ANCHOR:
        return False
    if _TABLE_HEAD.search(turn.link.tag_path):
        return False
    numbers = _NUMBERS.findall(turn.link.anchor)
    if not numbers:
        return True
    if any(word in _words("next") for word in _WORDS.findall(turn.link.anchor.casefold())):
        return True
    return len(numbers) > 1 and int(numbers[0]) in (turn.value, turn.value + 1)


def _is_named(turn: _UrlDifference, number: int) -> bool:
    """Say whether the parameter alone tells: it is called as such parameters are, and is the only one that changed.

    The head of a table sorts it, by the number of a column (`o=2`).
    """
    del number
    if turn.rewritten or not turn.looks_like_paging or _TABLE_HEAD.search(turn.link.tag_path):
        return False
    return len(turn.changed) == 1 and not turn.link.anchor.strip(_AROUND_NUMBER).isdigit()


def _parameters(query: str) -> dict[str, bytes]:
    """Return the parameters of an address as the bytes they stand for, however they were escaped."""
    pairs = (part.partition("=") for part in re.split("[&;]", query) if part)
    return {_unquote(name).decode("utf-8", "replace"): _unquote(value) for name, _, value in pairs}


def _unquote(text: str) -> bytes:
    return unquote_to_bytes(text.replace("+", " "))


def _number(value: bytes) -> int | None:
    return int(value) if value.isdigit() and len(value) <= 9 else None


def _changes_query(name: str, before: dict[str, bytes], asked: dict[str, bytes]) -> bool:
    """Say whether a change of this parameter is another question: it was asked, held words, and marks no place in a list."""
    value = before.get(name, b"")
    return bool(value) and name in asked and _number(value) is None and not _CURSOR_NAME.search(name)


def _is_session(name: str) -> bool:
    return bool(_SESSION_NAME.fullmatch(name)) and not _CURSOR_NAME.search(name)


@cache
def _words(purpose: str) -> frozenset[str]:
    """Return the texts of links that lead to the `next` page, or to `more`."""
    return frozenset(lexicon.phrases(f"paging.{purpose}"))


@cache
def _page_name() -> re.Pattern[str]:
    """What parameters are called that hold a place in a list."""
    names = f"{lexicon.alternatives('paging.page')}|{lexicon.alternatives('paging.place')}"
    return re.compile(rf"(?:.*[._-])?(?:{names})", re.IGNORECASE)
