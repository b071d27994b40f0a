"""Words in a form for another purpose than searching, or for something of the user's own.

The button, the box, the heading and the form's name say what a form is for; there any word for another purpose is enough ("find my
account", "search and unsubscribe"). The rest of a search form may mention other things, such as a link to e-mail alerts: there only
words count that never belong to a search. The title of the page counts only if the form itself says little: a shop may have "basket"
above its search box. In a form with several boxes the further ones may ask for a zip code, a price or a number of copies, which the
only box of a form may not: they stay empty.

In a form that is trusted (`hiddenweb.forms.safety`), purposes that are weak at a place do not count there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.forms.buttons import (
    button_text,
    says_apply,
    says_search,
    says_send_search,
    speaks_of_own,
)
from hiddenweb.forms.entry_list import FREE_TEXT
from hiddenweb.forms.field_types import is_day_of_stay
from hiddenweb.forms.query_box import (
    all_text,
    takes_places,
)
from hiddenweb.forms.search_signs import (
    CLEAR_SIGNS,
    LONGEST_TEXT,
    buttons_that_count,
    count_search_signs,
    has_other_sentence,
    is_in_little_known_language,
    is_plain_search,
    may_speak_to_visitors,
    own_text,
    says_what_it_searches,
    sends_what_is_searched,
    usable_fields,
)
from hiddenweb.forms.submission import resolve_button
from hiddenweb.language.folding import fold
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrases import (
    LITTLE_KNOWN_PURPOSES,
    OTHER_PURPOSES,
    PLAIN_PURPOSES,
    SEARCH,
    TELEPHONES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Field, Form

_FURTHER_BOXES = frozenset(
    {
        "reference number", "calculation", "booking", "cart", "paging", "choice of language or currency", "comment", "change", "fee",
        "order",
    }
)  # fmt: skip
"""What further boxes of a search may ask for: zip code, price, quantity, rating, date of change."""


_OF_PEOPLE = frozenset({"person", "identity"})
"""What they may also ask for if another box says that it searches: the people of an archive, the numbers of its files."""


_OF_SENDERS = frozenset({"login", "contact", "calculation"})
"""What they may also ask for if the form is trusted: the user who wrote a post. They stay empty."""


_WEAK = frozenset(
    {
        "contact", "comment", "cart", "change", "choice of language or currency", "calculation", "report", "upload", "invitation",
        "poll", "paging", "person", "booking", "bid", "fee", "command", "message to a telephone",
    }
)  # fmt: skip
"""Purposes that a heading or the name of a form may mention: "Book a flight", "Add-ons"; the button and the box decide."""


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
"""Purposes that sentences and links next to a search may mention."""


_WEAK_IN_TITLES = _WEAK | {"order", "coupon", "donation", "prize", "tracking", "petition", "e-mail", "alert"}
"""Purposes that the title of a page may mention if one place of the form says that it searches: what a shop or a club is for."""


_WEAK_AT_BOX = frozenset(
    {
        "contact", "comment", "cart", "change", "choice of language or currency", "calculation", "report", "upload", "invitation",
        "poll", "paging", "person", "bid", "fee", "petition", "donation", "prize", "consent", "alert", "message to a telephone",
        "login", "reference number",
    }
)  # fmt: skip
"""Purposes that a box may mention if it says that it searches: "Search comments", "Search by user name", "Press enter to search"."""


_MIXED = re.compile(r"[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]")


_SENTENCE = re.compile(r"\w{3,}[.。!！؟]|[。!！]")


_LISTS = frozenset({"daftar"})  # with another word behind it a list, alone a word for registering


def find_other_purposes(
    form: Form, button: Field | None, query_box: Field | None, trusted: bool
) -> Iterator[str]:
    """Yield what speaks against a form in its own places: another purpose, a word such as "my", or letters of two alphabets."""
    is_little_known = is_in_little_known_language(form, button, query_box)
    own_places = ("box",) if says_what_it_searches(query_box) or query_box is None else ("box", "heading")
    may_ask = _FURTHER_BOXES | (_OF_PEOPLE if says_what_it_searches(query_box) or trusted else frozenset())
    if trusted:
        may_ask |= _OF_SENDERS
    may_send = trusted and sends_what_is_searched(form, button, query_box)
    asks_visitors = trusted and may_speak_to_visitors(form, button, query_box)
    has_sentence = has_other_sentence(form, button)
    box_searches = says_what_it_searches(query_box)
    looks_up = button is not None and says_search(button) and not has_sentence
    is_plain = trusted and not has_sentence and is_plain_search(form, button, query_box)
    for place, words, is_further in _own_places(form, button, query_box, trusted, is_plain):
        weak = _weak_purposes(place, words, is_further, box_searches, looks_up) if trusted else frozenset()
        if place == "button" and (may_send or (trusted and button is not None and says_send_search(button))):
            weak |= {"contact"}
        found = _find_other_purpose(words, is_little_known, weak)
        if found and not (
            (is_further and found[0] in may_ask)
            or _is_list_of_things(place, words, found, trusted)
            or (
                place == "box" and found[0] == "reference number" and takes_places(words) and not has_sentence
            )
        ):
            yield f"its {place} says {found[1]!r}: {found[0]}"
        elif (
            place in own_places
            and speaks_of_own(words)
            and not (SEARCH.find_words(words) or is_further or (asks_visitors and place == "box"))
        ):
            yield f"its {place} says {words!r}, which names something of the user's own"
        elif _MIXED.search(fold(words)):
            yield f"its {place} says {words!r}, in letters of two alphabets"


def _weak_purposes(
    place: str, words: str, is_further: bool, box_searches: bool, looks_up: bool
) -> frozenset[str]:
    """Return the purposes that do not count at a place of a form that is trusted.

    If people can read that a box searches, the name that it has for machines does not count against it.
    """
    if place == "box" and not is_further:
        weak = _WEAK_AT_BOX if box_searches or SEARCH.find_words(words) else frozenset()
        if looks_up and not TELEPHONES.find_words(words):
            weak = weak | {"person"}
        return weak - {"login"} if speaks_of_own(words) else weak
    if place in ("heading", "name"):
        return _WEAK if place == "heading" else _WEAK | {"tracking"}  # of visitors
    if place == "introduction":
        return _WEAK_IN_TEXTS if not speaks_of_own(words) else frozenset()
    return frozenset({"command"}) if place == "button" else frozenset()


def _find_other_purpose(words: str, is_little_known: bool, weak: frozenset[str]) -> tuple[str, str] | None:
    """Return another purpose than searching that a text names, and its word, without those that are weak there.

    Words of little-known languages count only in a form in such a language: "parola" is a password in Romanian, and a word in Italian.
    """
    purposes = PLAIN_PURPOSES.find_all(words) or OTHER_PURPOSES.find_all(words)
    if weak:
        purposes = PLAIN_PURPOSES.find_all(words) | OTHER_PURPOSES.find_all(words)
    if is_little_known:
        purposes = purposes | LITTLE_KNOWN_PURPOSES.find_all(words)
    return next(
        ((purpose, word) for purpose, word in purposes.items() if purpose not in {"search", *weak}), None
    )


def _is_list_of_things(place: str, words: str, found: tuple[str, str], trusted: bool) -> bool:
    """Say whether a text with a word for registering means a list: "Search the register of companies", "Daftar Siswa"."""
    if place not in ("heading", "name"):
        return False
    if trusted and found[1] in _LISTS:
        return any(word not in _LISTS for word in fold(words).split())
    return found[1].startswith("register") and bool(SEARCH.find_words(words))


def _own_places(
    form: Form, button: Field | None, query_box: Field | None, trusted: bool, is_plain: bool
) -> Iterator[tuple[str, str, bool]]:
    """Yield the places where a form says what it is for, their texts, and whether it is a further box."""
    for pressed in buttons_that_count(form, button, trusted):
        if pressed is button and says_apply(pressed):
            continue  # elsewhere the word means a change
        for text in dict.fromkeys((button_text(pressed), *(hint.text for hint in pressed.hints))):
            yield "button", text, False
    boxes = [field for field in usable_fields(form) if field.kind in FREE_TEXT]
    for field in boxes:
        if is_day_of_stay(field, form.language):
            continue
        is_further = len(boxes) > 1 and field is not query_box
        yield (
            "box",
            all_text(field) if field is query_box else f"{field.label} | {field.placeholder}",
            is_further,
        )
        yield "box", split_identifier(field.name), is_further
        yield (
            "box",
            split_identifier(field.element_id.removeprefix("edit-")),
            is_further,
        )  # a prefix of all names in Drupal
    yield "heading", form.heading, False
    if not is_plain:
        yield "heading", form.aside, False
    yield "introduction", form.before, False
    yield "name", split_identifier(form.names), False


def find_purposes_around(form: Form, button: Field | None, *, sure: bool, trusted: bool) -> Iterator[str]:
    """Yield the other purposes in the rest of a form's text and in the title of its page."""
    text = own_text(form, button, trusted)
    if len(text) <= LONGEST_TEXT:  # else the form is around the whole page, and has all its words
        purposes = PLAIN_PURPOSES.find_all(text)
        if resolve_button(form, button).method == "GET" and button is not None and says_search(button):
            purposes.pop("deletion", None)  # a link next to the button that empties the form
        if _SENTENCE.search(text):
            purposes = purposes | OTHER_PURPOSES.find_all(text)
        weak = _WEAK_IN_TEXTS if trusted else frozenset()
        found = next(((purpose, word) for purpose, word in purposes.items() if purpose not in weak), None)
        if found:
            yield f"it says {found[1]!r}: {found[0]}"
    if count_search_signs(form, button) < CLEAR_SIGNS and not sure:
        purposes = PLAIN_PURPOSES.find_all(form.page_title) | OTHER_PURPOSES.find_all(form.page_title)
        says_itself = count_search_signs(replace(form, page_title=""), button)
        weak = _WEAK_IN_TITLES if says_itself else frozenset()
        if found := next(
            ((purpose, word) for purpose, word in purposes.items() if purpose not in weak), None
        ):
            yield f"the page's title says {found[1]!r}: {found[0]}"
