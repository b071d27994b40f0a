"""What keeps a form from being submitted, whatever it is taken for.

One wrong submission costs more than ten missed forms. The classifier says what a form most likely is; this module asks
whether sending it could do harm, and needs no likelihood for that: one sign is enough. Signs are strong or weak. A strong one tells
what submitting does: it takes personal data, goes to an address that changes something, or says so on the button, at the box
or above them. Nothing is weighed against it. A weak one is a word that we do not understand, or one of another purpose
in a place that speaks of many things: a paragraph, the title of the page, the class of the form, a button that is not pressed. It counts
unless the classifier is very sure and the form itself says that it searches (`_is_vouched_for`).

Controls: what takes a password, an e-mail or other address, a telephone number, a file or a message is never sent, nor what
a browser would fill in with personal data. Address and command: what is sent to `/newsletter/subscribe`, or with a hidden
`action=delete`, changes something. Words: the button, the box, the heading and the form's name say what a form is for; there
any word of another purpose is enough ("find my account", "search and unsubscribe"). The rest of a search form may well speak of
other things, such as a link to e-mail alerts: there only words count that never belong to a search. The title of the
page counts only when the form itself says little: a shop may say "basket" above its search box. In a form with several boxes
the further ones may ask for a zip code, a price or a number of copies, which one box alone may not: they stay empty.

The button has to be understood (`forms.buttons`), the box may not ask for a number or a code (`forms.box_rules`), and what is sent
unasked may not be a command that we do not know (`forms.side_effects`). In a language that we know little of, a box whose words say
nothing to us is left alone, unless something else there speaks of searching.

Manners: a form is sent by POST only where the user allows that, never to another site, never if it says nofollow.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiddenweb.forms.box_rules import (
    all_said,
    objections_to_box,
    said_to_people,
    takes_places,
    takes_statements,
)
from hiddenweb.forms.buttons import (
    OWN,
    PRESSED,
    applies,
    objection,
    only_sends,
    runs,
    said_by,
    says_search,
    sends,
    sends_search,
    shows_results,
)
from hiddenweb.forms.entry_list import FREE_TEXT
from hiddenweb.forms.features import arranges
from hiddenweb.forms.field_types import type_of
from hiddenweb.forms.side_effects import deeds, path_and_query
from hiddenweb.forms.submission import as_sent
from hiddenweb.language.folding import fold
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrases import (
    DISPLAY,
    FURTHER_LANGUAGES,
    OTHER_PURPOSES,
    PLAIN_PURPOSES,
    SEARCH,
    TELEPHONES,
    THINGS,
    find_change_in_name,
    is_in_further_language,
)
from hiddenweb.urls import normalise_url, registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Field, Form

_PERSONAL_KINDS = {
    "password": "a password", "email": "an e-mail address", "tel": "a telephone number", "file": "a file",
    "textarea": "a message", "url": "an address of a page",
}  # fmt: skip
_PERSONAL_AUTOCOMPLETE = re.compile(
    r"\b(?:username|email|(?:new|current)-password|one-time-code|tel\b|cc-|(?:given|family|additional)-name|name\b|"
    r"nickname|street-address|address-|postal-code|bday|organization|country|sex\b|impp|transaction-)"
)
_FURTHER_BOXES = frozenset(
    {
        "reference number", "calculation", "booking", "cart", "paging", "choice of language or currency", "comment", "change", "fee",
        "order",
    }
)  # fmt: skip
"""What further boxes of a search may ask for: zip code, price, quantity, rating, date of change."""

_OF_PEOPLE = frozenset({"person", "identity"})
"""What they may ask for as well, where another box says that it searches: the people of an archive, the numbers of its files."""

_OF_SENDERS = frozenset({"login", "contact", "calculation"})
"""And what they may ask for if the form is vouched for: the user who wrote a post. They stay empty."""

_SURE, _SURE_BY_POST = 0.9, 0.9
"""The probability from which weak signs do not count, if the form itself says that it searches."""

_WEAK = frozenset(
    {
        "contact", "comment", "cart", "change", "choice of language or currency", "calculation", "report", "upload", "invitation",
        "poll", "paging", "person", "booking", "bid", "fee", "command", "message to a telephone",
    }
)  # fmt: skip
"""Purposes that a heading or the name of a form may mention: "Book a flight", "Add-ons"; the button and the box tell what is done."""

_WEAK_IN_TEXTS = (_WEAK - {"message to a telephone"}) | {
    "login",
    "registration",
    "account",
    "e-mail",
    "identity",
    "reference number",
    "donation",
    "prize",
    "alert",
}
"""What sentences and links beside a search speak of as well."""

_WEAK_IN_TITLES = _WEAK | {"order", "coupon", "donation", "prize", "tracking", "petition", "e-mail", "alert"}
"""What the title of a page may speak of where one place of the form says that it searches: what a shop or a club is there for."""

_WEAK_AT_BOX = frozenset(
    {
        "contact", "comment", "cart", "change", "choice of language or currency", "calculation", "report", "upload", "invitation",
        "poll", "paging", "person", "bid", "fee", "petition", "donation", "prize", "consent", "alert", "message to a telephone",
        "login", "reference number",
    }
)  # fmt: skip
"""What a box may name that says it searches: "Search comments", "Search by user name", "Press enter to search"."""

_MIXED = re.compile(r"[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]")

_USUAL_NAMES = frozenset({
    "q", "s", "k", "w", "kw", "wd", "sq", "qs", "query", "keyword", "keywords", "term", "terms", "text", "words", "phrase", "string",
})  # fmt: skip
_SEARCH_NAMES = _USUAL_NAMES - {"text", "string", "words", "w", "k"}
_FILLED_IN = frozenset(
    {"text", "search", "", "select", "date", "month", "week", "time", "datetime-local", "number", "range", "radio", "checkbox"}
)  # fmt: skip
_WELL_KNOWN = frozenset(["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ru", "ar", "zh", "ja", "th"])
_PAGE_NAMES = frozenset({"page", "p", "pg", "pageno", "pagenum", "seite", "pagina", "strona", "sayfa"})
_SHORTEST_BOX = 4  # what holds fewer characters takes a number or a code
_CHECKOUT = re.compile(r"\bcheck ?out(?: date| day)?$", re.IGNORECASE)
_LONGEST_TEXT = 600  # characters
_MOST_BUTTONS = 50
_FEW = 2  # choices
_SENTENCE = re.compile(r"\w{3,}[.。!！؟]|[。!！]")
_UNSPACED_LETTER = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_WORDS_OF_SENTENCE, _SIGNS_OF_SENTENCE = 5, 10
_LISTS = frozenset({"daftar"})  # what is a list of what follows, and a word for registering if nothing does
_CLEAR = 2  # places that must say "search" for the title of the page not to count


def refusals(
    form: Form,
    *,
    button: Field | None = None,
    query_box: Field | None = None,
    allow_post: bool = False,
    probability: float = 0.0,
) -> tuple[str, ...]:
    """Return all that speaks against submitting a form by a button, in words; nothing if it may be sent.

    `probability` is the classifier's that it searches: where that is high, weak signs are weighed against it.
    """
    sure = probability >= (_SURE_BY_POST if as_sent(form, button).method == "POST" else _SURE)
    vouched = sure and _is_vouched_for(form, button, query_box)
    found = [
        *_harm(form, button, query_box, sure=sure, vouched=vouched),
        *manners(form, button, allow_post=allow_post),
        *_limits(query_box),
    ]
    return tuple(dict.fromkeys(found))


def _is_vouched_for(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a form says that it searches, in words to people or in what it is made of, not by a mere usual name.

    Where the box asks for something else, and a sentence stands in the form that does not speak of searching either, it is not: that
    may be what one agrees to.
    """
    if said_to_people(query_box) and not _says_what_it_searches(query_box) and _promises(form, button):
        return False
    return bool(
        (query_box is not None and query_box.kind == "search")
        or form.template
        or _places_saying_search(replace(form, page_title=""), button)
    )


def _promises(form: Form, button: Field | None) -> bool:
    """Say whether a form holds a sentence that is no label, no choice and no button, and does not speak of searching."""
    text = _text_of_its_own(form, button, vouched=True)
    if len(text) > _LONGEST_TEXT:
        return False  # it goes around the page
    for field in form.fields:
        for said in filter(None, (field.label, field.placeholder)):
            text = text.replace(said, " | ")
    sentences = (each.strip() for each in text.split("|"))
    return any(_is_sentence(each) and not SEARCH.find_words(each) for each in sentences)


def _is_sentence(text: str) -> bool:
    letters = sum(map(bool, map(_UNSPACED_LETTER.match, text)))
    return text.count(" ") >= _WORDS_OF_SENTENCE - 1 or letters >= _SIGNS_OF_SENTENCE


def _harm(
    form: Form, button: Field | None, query_box: Field | None, *, sure: bool, vouched: bool
) -> Iterator[str]:
    yield from _harm_of_controls(form, vouched)
    yield from _harm_of_button(form, button, query_box, sure=sure, vouched=vouched)
    if (box := query_box or _only_box(form)) is not None:
        searches = _is_made_for_searching(form, button, box) or (button is not None and says_search(button))
        yield from objections_to_box(form, box, vouched=vouched and searches)
    yield from deeds(form, button, vouched=vouched)
    yield from _harm_of_words(form, button, query_box, vouched)
    yield from _harm_of_surroundings(form, button, sure=sure, vouched=vouched)


def _only_box(form: Form) -> Field | None:
    """Return the text box of a form that has nothing else to fill in, whatever it takes."""
    filled_in = [field for field in _usable(form) if field.kind in _FILLED_IN]
    return filled_in[0] if len(filled_in) == 1 and filled_in[0].kind in FREE_TEXT else None


def _harm_of_button(
    form: Form, button: Field | None, query_box: Field | None, *, sure: bool, vouched: bool
) -> Iterator[str]:
    in_further = _is_in_further_language(form, button, query_box)
    by_post = as_sent(form, button).method == "POST"
    may_send = vouched and _sends_what_is_searched(form, button, query_box)
    made_for_it = may_send or (
        vouched and _is_made_for_searching(form, button, query_box) and not _may_be_message(button)
    )
    if button is not None and (
        why := objection(
            button, by_post=by_post, strictly=in_further, language=form.language, vouched=vouched
        )
    ):
        by_get = not by_post and (runs(button) or _repeats_box(button, query_box))
        if not (may_send or (made_for_it and by_get)):
            yield why
    elif made_for_it:
        return
    elif button is None or not says_search(button):
        is_silent = sure and query_box is not None and not said_to_people(query_box)
        has_results = button is not None and shows_results(button)
        is_typed = (
            query_box is not None
            and query_box.kind == "search"
            and not _may_be_message(button)
            and not _promises(form, button)
        )
        if by_post or not (is_silent or has_results or is_typed):
            yield from _lack_of_words(form, button, query_box)
    elif in_further and not (vouched and _places_saying_search(form, button) >= _CLEAR):
        yield from _lack_of_understanding(form, query_box)


def _may_be_message(button: Field | None) -> bool:
    """Say whether what is written may as well be sent to somebody, for all that the button says."""
    return button is not None and sends(button) and not says_search(button)


def _sends_what_is_searched(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a button only says to send, and the box is made for searching and says so to people: then that is sent."""
    return (
        button is not None
        and query_box is not None
        and only_sends(button)
        and bool(SEARCH.find_words(f"{said_to_people(query_box)} | {query_box.value}"))
        and _is_made_for_searching(form, button, query_box)
    )


def _repeats_box(button: Field, query_box: Field | None) -> bool:
    """Say whether a button says what the box asks for, and so nothing of what it does."""
    return query_box is not None and said_by(button) in (query_box.label, query_box.placeholder)


def _is_made_for_searching(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a box is made for searching by its type or its name, or by a usual name and the address together.

    Classes do not count: they move with a theme from one form to another. Nor does the address alone.
    """
    if query_box is None:
        return False
    if query_box.kind == "search" or SEARCH.find_words(split_identifier(query_box.name)):
        return True
    address = split_identifier(path_and_query(as_sent(form, button).action))
    return query_box.name.lower() in _SEARCH_NAMES and bool(SEARCH.find_words(address))


def _lack_of_words(form: Form, button: Field | None, query_box: Field | None) -> Iterator[str]:
    """Yield what is missing where the button does not say that it searches: then something else that people read has to.

    Names and classes are made for machines and move with a theme from one form to another. They count only for a box that
    says nothing to people either, as beside a magnifier.
    """
    if said := said_to_people(query_box):
        if not SEARCH.find_words(said):
            yield f"neither its button nor its box ({said!r}) says that it searches"
        return
    if SEARCH.find_words(f"{_all_headings(form)} | {form.page_title}") or _shows_choices(
        form, button, query_box
    ):
        return
    if not (
        _has_usual_name(query_box)
        or SEARCH.find_words(split_identifier(form.names))
        or SEARCH.find_words(split_identifier(path_and_query(form.action)))
        or form.template
    ):
        yield "nothing says that it searches"


def _shows_choices(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a form has nothing to write into, and its button shows what was chosen: "Show cars"."""
    lists = [len(field.options) for field in _usable(form) if field.kind == "select"]
    has_lists = any(length > _FEW for length in lists) or sum(length == _FEW for length in lists) > 1
    return (
        query_box is None and has_lists and button is not None and bool(DISPLAY.find_words(said_by(button)))
    )


def _lack_of_understanding(form: Form, query_box: Field | None) -> Iterator[str]:
    """Yield what is missing in a language that we know little of: what the box wants has to be clear there."""
    said = said_to_people(query_box)
    if said and not SEARCH.find_words(f"{said} | {_all_headings(form)}") and not THINGS.find_words(said):
        yield f"we do not know what its box ({said!r}) asks for"


def _is_in_further_language(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a form speaks a language beyond the fourteen, whatever the page says of itself."""
    said = f"{said_by(button) if button is not None else ''} | {said_to_people(query_box)}"
    return bool(form.language and form.language not in _WELL_KNOWN) or is_in_further_language(said)


def _has_usual_name(box: Field | None) -> bool:
    """Say whether a box is made for searching, or called as search boxes are all over the world."""
    if box is None:
        return False
    name = re.sub(r"[\W\d_]+", "", box.name.lower())
    return box.kind == "search" or name in _USUAL_NAMES or bool(SEARCH.find_words(split_identifier(box.name)))


def _harm_of_controls(form: Form, vouched: bool) -> Iterator[str]:
    for field in _usable(form):
        if wanted := _PERSONAL_KINDS.get(field.kind):
            yield f"it asks for {wanted}"
        elif _PERSONAL_AUTOCOMPLETE.search(field.autocomplete.lower()):
            yield f"a browser would fill in a control with {field.autocomplete!r}"
        elif _is_day_of_stay(field, form.language):
            continue
        elif field.kind not in PRESSED and (word := _harmful_name(field, vouched)):
            yield f"a control is called {field.name!r}, which speaks of {word}"
        if field.kind in FREE_TEXT and takes_statements(field):
            yield "its box takes commands to a database"
    if form.captcha:
        yield "a captcha guards it"
    fillable = [field for field in _usable(form) if field.kind in _FILLED_IN]
    if not fillable:
        yield "there is nothing to fill in"
    elif all(field.kind == "select" and (arranges(field) or not field.name) for field in fillable):
        yield "it only arranges what is shown"


def _is_day_of_stay(field: Field, language: str) -> bool:
    """Say whether a control takes the day on which guests leave, which is called as paying in shops is."""
    is_called_so = _CHECKOUT.search(split_identifier(field.name))
    return bool(is_called_so) and type_of(field, language).name in ("date", "datetime")


def _harmful_name(field: Field, vouched: bool) -> str:
    """Return what a control is named after; one that nobody writes into, in a form that is vouched for, only at the worst."""
    words = split_identifier(field.name)
    found = PLAIN_PURPOSES.find(words)
    if vouched and (field.kind not in FREE_TEXT or SEARCH.find_words(words)):
        return found[0] if found and found[0] in ("deletion", "newsletter") else ""
    if found:
        return found[0]
    return find_change_in_name(words)


def _harm_of_words(form: Form, button: Field | None, query_box: Field | None, vouched: bool) -> Iterator[str]:
    in_further = _is_in_further_language(form, button, query_box)
    own_places = ("box",) if _says_what_it_searches(query_box) or query_box is None else ("box", "heading")
    may_ask = _FURTHER_BOXES | (_OF_PEOPLE if _says_what_it_searches(query_box) or vouched else frozenset())
    if vouched:
        may_ask |= _OF_SENDERS
    may_send = vouched and _sends_what_is_searched(form, button, query_box)
    asks_visitors = vouched and _asks_visitors(form, button, query_box)
    promises = _promises(form, button)
    box_searches = _says_what_it_searches(query_box)
    looks_up = button is not None and says_search(button) and not promises
    is_plain = vouched and not promises and _is_plain_search(form, button, query_box)
    for place, words, is_further in _own_words(form, button, query_box, vouched, is_plain):
        weak = _weak_in(place, words, is_further, box_searches, looks_up) if vouched else frozenset()
        if place == "button" and (may_send or (vouched and button is not None and sends_search(button))):
            weak |= {"contact"}
        found = _other_purpose(words, in_further, weak)
        if found and not (
            (is_further and found[0] in may_ask)
            or _is_list_of_things(place, words, found, vouched)
            or (place == "box" and found[0] == "reference number" and takes_places(words) and not promises)
        ):
            yield f"its {place} says {found[1]!r}: {found[0]}"
        elif (
            place in own_places
            and OWN.search(fold(words))
            and not (SEARCH.find_words(words) or is_further or (asks_visitors and place == "box"))
        ):
            yield f"its {place} says {words!r}, which speaks of somebody's own"
        elif _MIXED.search(fold(words)):
            yield f"its {place} says {words!r}, in letters of two alphabets"


def _is_plain_search(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a form has one box and nothing else to fill in, is sent by GET, and says twice by itself that it searches.

    Then it does no more than that, whatever the headings of other parts of the page say.
    """
    if query_box is None or as_sent(form, button).method != "GET":
        return False
    filled_in = [field for field in _usable(form) if field.kind in _FILLED_IN and not field.unseen]
    says_so = bool(SEARCH.find_words(said_to_people(query_box))) or (
        button is not None and says_search(button)
    )
    alone = replace(form, heading="", aside="", page_title="")
    return (
        filled_in == [query_box]
        and not OWN.search(fold(said_to_people(query_box)))
        and (says_so or query_box.kind == "search")
        and _places_saying_search(alone, button) >= _CLEAR
    )


def _asks_visitors(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a box made for searching, sent by GET to where one searches, may speak to visitors: "Type your question"."""
    sent = as_sent(form, button)
    return (
        query_box is not None
        and query_box.kind == "search"
        and sent.method == "GET"
        and not _may_be_message(button)
        and bool(SEARCH.find_words(split_identifier(path_and_query(sent.action))))
    )


def _all_headings(form: Form) -> str:
    return f"{form.aside} | {form.heading}"


def _weak_in(place: str, words: str, is_further: bool, box_searches: bool, looks_up: bool) -> frozenset[str]:
    """Return the purposes that do not count at a place of a form that is vouched for.

    What a box is called by machines says no more than people are told there, if those are told that it searches.
    """
    if place == "box" and not is_further:
        weak = _WEAK_AT_BOX if box_searches or SEARCH.find_words(words) else frozenset()
        if looks_up and not TELEPHONES.find_words(words):
            weak = weak | {"person"}
        return weak - {"login"} if OWN.search(fold(words)) else weak
    if place in ("heading", "name"):
        return _WEAK if place == "heading" else _WEAK | {"tracking"}  # of visitors
    if place == "introduction":
        return _WEAK_IN_TEXTS if not OWN.search(fold(words)) else frozenset()
    return frozenset({"command"}) if place == "button" else frozenset()


def _other_purpose(words: str, in_further_language: bool, weak: frozenset[str]) -> tuple[str, str] | None:
    """Return another purpose than searching that a text names, and by which word, less those that are weak there.

    Words of languages that we know less of count only where one is spoken: "parola" is a password in Romanian, and a word in Italian.
    """
    said = PLAIN_PURPOSES.find_all(words) or OTHER_PURPOSES.find_all(words)
    if weak:
        said = PLAIN_PURPOSES.find_all(words) | OTHER_PURPOSES.find_all(words)
    if in_further_language:
        said = said | FURTHER_LANGUAGES.find_all(words)
    return next(((purpose, word) for purpose, word in said.items() if purpose not in {"search", *weak}), None)


def _says_what_it_searches(query_box: Field | None) -> bool:
    """Say whether a box says in words that it searches; then further boxes may ask for people, and stay empty."""
    return bool(SEARCH.find_words(said_to_people(query_box)))


def _is_list_of_things(place: str, words: str, found: tuple[str, str], vouched: bool) -> bool:
    """Say whether a text that speaks of registering means a list: "Search the register of companies", "Daftar Siswa"."""
    if place not in ("heading", "name"):
        return False
    if vouched and found[1] in _LISTS:
        return any(word not in _LISTS for word in fold(words).split())
    return found[1].startswith("register") and bool(SEARCH.find_words(words))


def _own_words(
    form: Form, button: Field | None, query_box: Field | None, vouched: bool, is_plain: bool
) -> Iterator[tuple[str, str, bool]]:
    """Yield the places where a form says what it is for, what they say, and whether it is a further box."""
    for pressed in _buttons_that_count(form, button, vouched):
        if pressed is button and applies(pressed):
            continue  # elsewhere the word speaks of a change
        for said in dict.fromkeys((said_by(pressed), *(hint.text for hint in pressed.hints))):
            yield "button", said, False
    boxes = [field for field in _usable(form) if field.kind in FREE_TEXT]
    for field in boxes:
        if _is_day_of_stay(field, form.language):
            continue
        is_further = len(boxes) > 1 and field is not query_box
        yield (
            "box",
            all_said(field) if field is query_box else f"{field.label} | {field.placeholder}",
            is_further,
        )
        yield "box", split_identifier(field.name), is_further
        yield (
            "box",
            split_identifier(field.element_id.removeprefix("edit-")),
            is_further,
        )  # Drupal calls all so
    yield "heading", form.heading, False
    if not is_plain:
        yield "heading", form.aside, False
    yield "introduction", form.before, False
    yield "name", split_identifier(form.names), False


def _buttons_that_count(form: Form, pressed: Field | None, vouched: bool) -> list[Field]:
    """Return the buttons whose words count: all, unless the one that is pressed says that it searches.

    Then other buttons that send something of their own, or nothing at all, may do what they like: they are not pressed. In a
    form that is vouched for, the others only count if the one that is pressed says nothing.
    """
    if vouched and pressed is not None and (says_search(pressed) or applies(pressed)):
        return [pressed]
    if pressed is None or not says_search(pressed):
        kinds = PRESSED if vouched else (*PRESSED, "button")
        return [field for field in form.fields if field.kind in kinds]
    return [
        field
        for field in form.fields
        if field is pressed or (field.kind in PRESSED and not field.name and field.form_action is None)
    ]


def _harm_of_surroundings(form: Form, button: Field | None, *, sure: bool, vouched: bool) -> Iterator[str]:
    text = _text_of_its_own(form, button, vouched)
    if len(text) <= _LONGEST_TEXT:  # else the form goes around the page, and says whatever the page says
        said = PLAIN_PURPOSES.find_all(text)
        if as_sent(form, button).method == "GET" and button is not None and says_search(button):
            said.pop("deletion", None)  # a link beside the button that empties the form
        if _SENTENCE.search(text):
            said = said | OTHER_PURPOSES.find_all(text)
        weak = _WEAK_IN_TEXTS if vouched else frozenset()
        found = next(((purpose, word) for purpose, word in said.items() if purpose not in weak), None)
        if found:
            yield f"it says {found[1]!r}: {found[0]}"
    if _places_saying_search(form, button) < _CLEAR and not sure:
        said = PLAIN_PURPOSES.find_all(form.page_title) | OTHER_PURPOSES.find_all(form.page_title)
        says_itself = _places_saying_search(replace(form, page_title=""), button)
        weak = _WEAK_IN_TITLES if says_itself else frozenset()
        if found := next(((purpose, word) for purpose, word in said.items() if purpose not in weak), None):
            yield f"the page's title says {found[1]!r}: {found[0]}"


def _places_saying_search(form: Form, button: Field | None) -> int:
    """Return in how many places a form says that it searches."""
    boxes = [field for field in _usable(form) if field.kind in FREE_TEXT]
    said = (
        " | ".join(f"{field.label} | {field.placeholder}" for field in boxes),
        " | ".join(split_identifier(field.name) for field in boxes),
        said_by(button) if button is not None else "",
        split_identifier(form.names),
        split_identifier(path_and_query(as_sent(form, button).action)),
        _all_headings(form),
        form.page_title,
    )
    return sum(map(bool, map(SEARCH.find_words, said))) + any(field.kind == "search" for field in boxes)


def manners(form: Form, button: Field | None, *, allow_post: bool) -> Iterator[str]:
    """Yield what forbids sending a form whatever it is: POST without permission, another site, nofollow, a script."""
    method = as_sent(form, button).method
    if method == "POST" and not allow_post:
        yield "it is sent by POST, which is not allowed for its site"
    elif method not in ("GET", "POST"):
        yield f"it is sent by {method}"
    if not _stays_on_site(form, button):
        there = as_sent(form, button).action
        yield f"it is sent to another site, {urlsplit(there).netloc or there}"
    if "nofollow" in form.rel.split():
        yield "it says nofollow"
    if form.needs_browser:
        yield "only a script in a browser can send it"


def _limits(query_box: Field | None) -> Iterator[str]:
    if query_box is None:
        return
    if query_box.max_length is not None and query_box.max_length < _SHORTEST_BOX:
        yield f"its box takes only {query_box.max_length} characters"
    if query_box.name.lower() in _PAGE_NAMES and query_box.value.isdigit():
        yield "its box takes the number of a page"


def _usable(form: Form) -> list[Field]:
    return [field for field in form.fields if not (field.disabled or field.readonly)]


def _text_of_its_own(form: Form, button: Field | None, vouched: bool) -> str:
    """Return the visible words, less the choices and the buttons that are not pressed: a select may offer anything."""
    counting = {id(field) for field in _buttons_that_count(form, button, vouched)}
    unpressed = {field.label for field in form.fields if field.kind in PRESSED and id(field) not in counting}
    text = form.text
    for label in islice(filter(None, unpressed), _MOST_BUTTONS):
        text = text.replace(label, " ")
    kept, at = [], 0
    for offered in _offered(form):
        found = text.find(offered, at, at + len(offered) + _LONGEST_TEXT)
        if found >= 0:
            kept.append(text[at:found])
            at = found + len(offered)
    return " ".join([*kept, text[at:]])


def _offered(form: Form) -> Iterator[str]:
    """Yield the choices of a form in their order."""
    for field in form.fields:
        yield from (option.text for option in field.options if option.text)
        if field.kind in ("radio", "checkbox") and field.label:
            yield field.label


def _stays_on_site(form: Form, button: Field | None) -> bool:
    """Say whether a form is sent to the site of its page, if to another host of it."""
    there = normalise_url(as_sent(form, button).action)
    return there is not None and registered_domain(there) == registered_domain(form.page_url)
