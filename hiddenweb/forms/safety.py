"""The reasons not to submit a form, whatever its kind.

One wrong submission costs more than ten missed forms. The classifier says what a form most likely is; this module decides whether
sending it could do harm, and needs no probability for that: one sign is enough. Signs are strong or weak. A strong sign shows what
submitting does: the form takes personal data, goes to an address that changes something, or says so on the button, at the box or above
them. A strong sign always counts. A weak sign is an unknown word, or a word for another purpose in a place that mentions many things: a
paragraph, the title of the page, the class of the form, a button that is not pressed. It counts unless the classifier is very sure and
the form itself says that it searches (`_is_trusted`).

`find_refusals` lists all reasons of safety and politeness; `forms.verdict` weighs them and decides. What the modules check:

- controls: a form with a control for a password, an e-mail or other address, a telephone number, a file or a message is never sent, nor
  one with a control that a browser would fill in with personal data (here);
- the button has to be understood (`forms.buttons`), or the form has to say in another way that it searches (`forms.search_signs`);
- the box may not ask for a number or a code (`forms.query_box`);
- address and command: a form that is sent to `/newsletter/subscribe`, or with a hidden `action=delete`, changes something
  (`forms.side_effects`);
- words: no place of the form may name another purpose (`forms.other_purposes`);
- politeness: a form is sent by POST only if the user allows that, never to another site, never if it says nofollow (here).

In a little-known language a form with a box whose words we do not understand is not submitted, unless something else says that it searches.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiddenweb.forms.buttons import (
    PRESSED,
    button_text,
    find_objection,
    says_run,
    says_search,
    shows_results,
)
from hiddenweb.forms.entry_list import FREE_TEXT
from hiddenweb.forms.features import arranges
from hiddenweb.forms.field_types import is_day_of_stay
from hiddenweb.forms.other_purposes import find_other_purposes, find_purposes_around
from hiddenweb.forms.query_box import (
    find_objections_to_box,
    takes_statements,
    text_for_people,
)
from hiddenweb.forms.search_signs import (
    CLEAR_SIGNS,
    FILLABLE_KINDS,
    count_search_signs,
    find_lack_of_understanding,
    find_lack_of_words,
    has_other_sentence,
    is_in_little_known_language,
    is_made_for_searching,
    may_be_message,
    says_what_it_searches,
    sends_what_is_searched,
    usable_fields,
)
from hiddenweb.forms.side_effects import find_side_effects
from hiddenweb.forms.submission import resolve_button
from hiddenweb.language import lexicon
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrases import (
    PLAIN_PURPOSES,
    SEARCH,
    find_change_in_name,
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


_SURE_ENOUGH_TO_TRUST = 0.9
"""The probability from which weak signs do not count, if the form itself says that it searches. A limit of taste."""


_MIN_BOX_CHARACTERS = 4  # characters: a shorter box takes a number or a code; a limit of taste


def find_refusals(
    form: Form,
    *,
    button: Field | None = None,
    query_box: Field | None = None,
    allow_post: bool = False,
    probability: float = 0.0,
) -> tuple[str, ...]:
    """Return all reasons not to submit a form by a button, in words; none if it may be sent.

    `probability` is the classifier's that it searches: if it is high, weak signs do not count.
    """
    sure = probability >= _SURE_ENOUGH_TO_TRUST
    trusted = sure and _is_trusted(form, button, query_box)
    found = [
        *_find_harm(form, button, query_box, sure=sure, trusted=trusted),
        *find_politeness_refusals(form, button, allow_post=allow_post),
        *_find_limits(query_box),
    ]
    return tuple(dict.fromkeys(found))


def _is_trusted(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a form says that it searches, in words for people or by its kind of controls, not just by a usual name.

    It is not trusted if the box asks for something else and the form has a sentence that is not about searching: that may be a consent.
    """
    if (
        text_for_people(query_box)
        and not says_what_it_searches(query_box)
        and has_other_sentence(form, button)
    ):
        return False
    return bool(
        (query_box is not None and query_box.kind == "search")
        or form.template
        or count_search_signs(replace(form, page_title=""), button)
    )


def _find_harm(
    form: Form, button: Field | None, query_box: Field | None, *, sure: bool, trusted: bool
) -> Iterator[str]:
    yield from _find_harm_in_controls(form, trusted)
    yield from _find_harm_in_button(form, button, query_box, sure=sure, trusted=trusted)
    if (box := query_box or _only_box(form)) is not None:
        searches = is_made_for_searching(form, button, box) or (button is not None and says_search(button))
        yield from find_objections_to_box(form, box, trusted=trusted and searches)
    yield from find_side_effects(form, button, trusted=trusted)
    yield from find_other_purposes(form, button, query_box, trusted)
    yield from find_purposes_around(form, button, sure=sure, trusted=trusted)


def _only_box(form: Form) -> Field | None:
    """Return the text box of a form that has nothing else to fill in."""
    filled_in = [field for field in usable_fields(form) if field.kind in FILLABLE_KINDS]
    return filled_in[0] if len(filled_in) == 1 and filled_in[0].kind in FREE_TEXT else None


def _find_harm_in_button(
    form: Form, button: Field | None, query_box: Field | None, *, sure: bool, trusted: bool
) -> Iterator[str]:
    is_little_known = is_in_little_known_language(form, button, query_box)
    by_post = resolve_button(form, button).method == "POST"
    may_send = trusted and sends_what_is_searched(form, button, query_box)
    made_for_it = may_send or (
        trusted and is_made_for_searching(form, button, query_box) and not may_be_message(button)
    )
    if button is not None and (
        why := find_objection(
            button, by_post=by_post, strictly=is_little_known, language=form.language, trusted=trusted
        )
    ):
        by_get = not by_post and (says_run(button) or _repeats_box(button, query_box))
        if not (may_send or (made_for_it and by_get)):
            yield why
    elif made_for_it:
        return
    elif button is None or not says_search(button):
        is_silent = sure and query_box is not None and not text_for_people(query_box)
        has_results = button is not None and shows_results(button)
        is_typed = (
            query_box is not None
            and query_box.kind == "search"
            and not may_be_message(button)
            and not has_other_sentence(form, button)
        )
        if by_post or not (is_silent or has_results or is_typed):
            yield from find_lack_of_words(form, button, query_box)
    elif is_little_known and not (trusted and count_search_signs(form, button) >= CLEAR_SIGNS):
        yield from find_lack_of_understanding(form, query_box)


def _repeats_box(button: Field, query_box: Field | None) -> bool:
    """Say whether a button repeats what the box asks for, and so does not say what it does."""
    return query_box is not None and button_text(button) in (query_box.label, query_box.placeholder)


def _find_harm_in_controls(form: Form, trusted: bool) -> Iterator[str]:
    for field in usable_fields(form):
        if wanted := _PERSONAL_KINDS.get(field.kind):
            yield f"it asks for {wanted}"
        elif _PERSONAL_AUTOCOMPLETE.search(field.autocomplete.lower()):
            yield f"a browser would fill in a control with {field.autocomplete!r}"
        elif is_day_of_stay(field, form.language):
            continue
        elif field.kind not in PRESSED and (word := _harmful_name(field, trusted)):
            yield f"a control is called {field.name!r}, which means {word}"
        if field.kind in FREE_TEXT and takes_statements(field):
            yield "its box takes commands to a database"
    if form.captcha:
        yield "a captcha guards it"
    fillable = [field for field in usable_fields(form) if field.kind in FILLABLE_KINDS]
    if not fillable:
        yield "there is nothing to fill in"
    elif all(field.kind == "select" and (arranges(field) or not field.name) for field in fillable):
        yield "it only arranges what is shown"


def _harmful_name(field: Field, trusted: bool) -> str:
    """Return the harmful purpose that a control is named after; in a trusted form only the worst, unless it is a box for text."""
    words = split_identifier(field.name)
    found = PLAIN_PURPOSES.find(words)
    if trusted and (field.kind not in FREE_TEXT or SEARCH.find_words(words)):
        return found[0] if found and found[0] in ("deletion", "newsletter") else ""
    if found:
        return found[0]
    return find_change_in_name(words)


def find_politeness_refusals(form: Form, button: Field | None, *, allow_post: bool) -> Iterator[str]:
    """Yield the reasons of politeness: POST without permission, another site, nofollow, a script."""
    method = resolve_button(form, button).method
    if method == "POST" and not allow_post:
        yield "it is sent by POST, which is not allowed for its site"
    elif method not in ("GET", "POST"):
        yield f"it is sent by {method}"
    if not _stays_on_site(form, button):
        there = resolve_button(form, button).action
        yield f"it is sent to another site, {urlsplit(there).netloc or there}"
    if "nofollow" in form.rel.split():
        yield "it says nofollow"
    if form.needs_browser:
        yield "only a script in a browser can send it"


def _find_limits(query_box: Field | None) -> Iterator[str]:
    if query_box is None:
        return
    if query_box.max_length is not None and query_box.max_length < _MIN_BOX_CHARACTERS:
        yield f"its box takes only {query_box.max_length} characters"
    if query_box.value.isdigit() and lexicon.search_pattern("paging.page").fullmatch(query_box.name):
        yield "its box takes the number of a page"


def _stays_on_site(form: Form, button: Field | None) -> bool:
    """Say whether a form is sent to the site of its page, perhaps to another host."""
    there = normalise_url(resolve_button(form, button).action)
    return there is not None and registered_domain(there) == registered_domain(form.page_url)
