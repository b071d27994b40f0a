"""What keeps a form from being submitted, whatever it is taken for.

One wrong submission costs more than ten missed forms. The classifier says what a form most likely is; this module asks
whether sending it could do harm, and needs no likelihood for that: one sign is enough. Nothing is weighed against it.

Controls: what takes a password, an e-mail or other address, a telephone number, a file or a message is never sent, nor what
a browser would fill in with personal data. Address and command: what is sent to `/newsletter/subscribe`, or with a hidden
`action=delete`, changes something. Words: the button, the box, the heading and the form's name say what a form is for; there
any word of another purpose is enough ("find my account", "search and unsubscribe"). The rest of a search form may well speak of
other things, such as a link to e-mail alerts: there only words count that never belong to a search. The title of the
page counts only when the form itself says little: a shop may say "basket" above its search box. In a form with several boxes
the further ones may ask for a zip code, a price or a number of copies, which one box alone may not.

The button has to be understood (`hiddenweb.forms.buttons`), and the box may not ask for a number or a code.

Manners: a form is sent by POST only where the user allows that, never to another site, never if it says nofollow.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hiddenweb.forms.buttons import OWN, PRESSED, applies, objection, said_by, says_search
from hiddenweb.forms.planning import personal_query_box
from hiddenweb.forms.submission import FREE_TEXT
from hiddenweb.forms.types import type_of
from hiddenweb.forms.vocabulary import (
    FURTHER_LANGUAGES,
    NUMBERS,
    OTHER_PURPOSES,
    PLAIN_PURPOSES,
    RUN_TOGETHER,
    SEARCH,
    STATE_CHANGES,
    folded,
    identifier_words,
)
from hiddenweb.identity import normalised, registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.items import Field, Form

_PERSONAL_KINDS = {
    "password": "a password", "email": "an e-mail address", "tel": "a telephone number", "file": "a file",
    "textarea": "a message", "url": "an address of a page",
}  # fmt: skip
_PERSONAL_AUTOCOMPLETE = re.compile(
    r"\b(?:username|email|(?:new|current)-password|one-time-code|tel\b|cc-|(?:given|family|additional)-name|name\b|"
    r"nickname|street-address|address-|postal-code|bday|organization|country|sex\b|impp|transaction-)"
)
_COMMANDS = re.compile(
    r"_?(?:action|act|do|cmd|command|op|task|method|event|func|function|mode|m)", re.IGNORECASE
)
_FURTHER_BOXES = frozenset(
    {
        "reference number", "calculation", "booking", "cart", "paging", "choice of language or currency", "comment", "change", "fee",
        "order",
    }
)  # fmt: skip
"""What further boxes of a search may ask for: zip code, price, quantity, rating, date of change."""

_USUAL_NAMES = frozenset({
    "q", "s", "k", "w", "kw", "wd", "sq", "qs", "query", "keyword", "keywords", "term", "terms", "text", "words", "phrase", "string",
})  # fmt: skip
_FILLED_IN = frozenset(
    {"text", "search", "", "select", "date", "month", "week", "time", "datetime-local", "number", "range", "radio", "checkbox"}
)  # fmt: skip
_WELL_KNOWN = frozenset(["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ru", "ar", "zh", "ja", "th"])
_PAGE_NAMES = frozenset({"page", "p", "pg", "pageno", "pagenum", "seite", "pagina", "strona", "sayfa"})
_SHORTEST_WORD = 3  # letters of what tells something
_SHORTEST_BOX = 4  # what holds fewer characters takes a number or a code
_NUMBER = re.compile(
    r"\w{2,}(?:nummer|numret|zeichen|szam|szama|tunnus|numeris|nimer)\b|\b(?:cislo|nomor|ma so|id|no)\b"
)
"""Words for numbers that end so ("Aktenzeichen"), or that mean something else elsewhere ("no")."""
_CHECKOUT = re.compile(r"\bcheck ?out(?: date| day)?$", re.IGNORECASE)
_LONGEST_TEXT = 600  # characters
_SENTENCE = re.compile(r"\w{3,}[.。!！؟]|[。!！]")
_STATEMENT = re.compile(r"\bselect\b.+\bfrom\b|\bsql\b", re.IGNORECASE)
_CLEAR = 2  # places that must say "search" for the title of the page not to count


def refusals(
    form: Form, *, button: Field | None = None, query_box: Field | None = None, allow_post: bool = False
) -> tuple[str, ...]:
    """Return all that speaks against submitting a form by a button, in words; nothing if it may be sent."""
    found = [*_harm(form, button, query_box), *_manners(form, button, allow_post), *_limits(query_box)]
    return tuple(dict.fromkeys(found))


def _harm(form: Form, button: Field | None, query_box: Field | None) -> Iterator[str]:
    yield from _harm_of_controls(form)
    yield from _harm_of_button(form, button, query_box)
    yield from _harm_of_query_box(form, query_box)
    yield from _harm_of_address(form, button)
    yield from _harm_of_words(form, button, query_box)
    yield from _harm_of_surroundings(form, button)


def _harm_of_button(form: Form, button: Field | None, query_box: Field | None) -> Iterator[str]:
    by_post = _method(form, button) == "POST"
    if button is not None and (why := objection(button, by_post=by_post, language=form.language)):
        yield why
    elif button is None or not says_search(button):
        yield from _lack_of_words(form, query_box)


def _lack_of_words(form: Form, query_box: Field | None) -> Iterator[str]:
    """Yield what is missing where the button does not say that it searches: then something else that people read has to.

    Names and classes are made for machines and move with a theme from one form to another. They count only for a box that
    says nothing to people either, as beside a magnifier.
    """
    if said := _said_to_people(query_box):
        if not SEARCH.word_in(said):
            yield f"neither its button nor its box ({said!r}) says that it searches"
        return
    if SEARCH.word_in(f"{form.heading} | {form.page_title}"):
        return
    if not (
        _has_usual_name(query_box)
        or SEARCH.word_in(identifier_words(form.names))
        or SEARCH.word_in(identifier_words(_path_and_query(form.action)))
        or form.template
    ):
        yield "nothing says that it searches"


def _said_to_people(box: Field | None) -> str:
    if box is None:
        return ""
    if any(hint.where == "name" and hint.text == box.label for hint in box.hints):
        return box.placeholder  # a label made of the name says nothing to people
    if len(box.label) <= _SHORTEST_WORD and box.label.isascii() and not box.placeholder:
        return ""  # "for", "in", "por" ...
    return box.label if box.label == box.placeholder else f"{box.label} {box.placeholder}".strip()


def _has_usual_name(box: Field | None) -> bool:
    """Say whether a box is made for searching, or called as search boxes are all over the world."""
    if box is None:
        return False
    name = re.sub(r"[\W\d_]+", "", box.name.lower())
    return box.kind == "search" or name in _USUAL_NAMES or bool(SEARCH.word_in(identifier_words(box.name)))


def _harm_of_query_box(form: Form, box: Field | None) -> Iterator[str]:
    """Yield what shows that the box takes something else than words."""
    if box is None:
        return
    said = f"{box.label} | {box.placeholder}"
    if ((word := NUMBERS.word_in(said)) and not SEARCH.word_in(said)) or (word := _number_in(said, form)):
        yield f"its box says {word!r}: it asks for a number or a code"
    if why := personal_query_box(box, form.language):
        yield f"its box is personal: {why}"
    if "@" in said:
        yield "its box shows an e-mail address"
    if _STATEMENT.search(said):
        yield "its box takes commands to a database"


def _number_in(said: str, form: Form) -> str:
    """Return a word that is likely one for a number, in a form with one box that says nothing of searching."""
    boxes = [field for field in _usable(form) if field.kind in FREE_TEXT]
    if len(boxes) != 1 or SEARCH.word_in(said):
        return ""
    found = _NUMBER.search(folded(said))
    return found[0] if found else ""


def _harm_of_controls(form: Form) -> Iterator[str]:
    for field in _usable(form):
        if wanted := _PERSONAL_KINDS.get(field.kind):
            yield f"it asks for {wanted}"
        elif _PERSONAL_AUTOCOMPLETE.search(field.autocomplete.lower()):
            yield f"a browser would fill in a control with {field.autocomplete!r}"
        elif _is_day_of_stay(field, form.language):
            continue
        elif field.kind not in PRESSED and (word := _harmful_name(field.name)):
            yield f"a control is called {field.name!r}, which speaks of {word}"
    if form.captcha:
        yield "a captcha guards it"
    if not any(field.kind in _FILLED_IN for field in _usable(form)):
        yield "there is nothing to fill in"


def _is_day_of_stay(field: Field, language: str) -> bool:
    """Say whether a control takes the day on which guests leave, which is called as paying in shops is."""
    is_called_so = _CHECKOUT.search(identifier_words(field.name))
    return bool(is_called_so) and type_of(field, language).name in ("date", "datetime")


def _harmful_name(name: str) -> str:
    words = identifier_words(name)
    if found := PLAIN_PURPOSES.find(words):
        return found[0]
    together = RUN_TOGETHER.search(words.lower())
    return together[0] if together else ""


def _harm_of_address(form: Form, button: Field | None) -> Iterator[str]:
    """Yield what the address, or a field that names a command, says will be done."""
    address = _action(form, button)
    is_own = _method(form, button) == "GET" and urlsplit(address).path == urlsplit(form.page_url).path
    said = [] if is_own else [("address", _path_and_query(address))]  # its own page was asked for before
    said += [
        (f"command {field.name!r}", field.value)
        for field in form.fields
        if field.name and _COMMANDS.fullmatch(field.name) and (field.kind == "hidden" or field is button)
    ]
    for place, text in said:
        words = identifier_words(text)
        together = RUN_TOGETHER.search(words.lower())
        if word := STATE_CHANGES.word_in(words) or (together[0] if together else ""):
            yield f"its {place} says {word!r}"


def _harm_of_words(form: Form, button: Field | None, query_box: Field | None) -> Iterator[str]:
    for place, words, is_further in _own_words(form, button, query_box):
        for found in (
            PLAIN_PURPOSES.find(words),
            OTHER_PURPOSES.find(words),
            _in_further_languages(form, words),
        ):
            if found and not (is_further and found[0] in _FURTHER_BOXES):
                yield f"its {place} says {found[1]!r}: {found[0]}"
                break
        else:
            if place == "box" and OWN.search(folded(words)) and not SEARCH.word_in(words):
                yield f"its box says {words!r}, which speaks of somebody's own"


def _in_further_languages(form: Form, words: str) -> tuple[str, str] | None:
    """Return another purpose than searching that is named in one of the languages we know less of.

    Only where the page is in such a language: "parola" is a password in Romanian, and a word in Italian.
    """
    if not form.language or form.language in _WELL_KNOWN:
        return None
    said = FURTHER_LANGUAGES.all_in(words)
    return next(((purpose, word) for purpose, word in said.items() if purpose != "search"), None)


def _own_words(form: Form, button: Field | None, query_box: Field | None) -> Iterator[tuple[str, str, bool]]:
    """Yield the places where a form says what it is for, what they say, and whether it is a further box."""
    for pressed in _buttons_that_count(form, button):
        if pressed is button and applies(pressed):
            continue  # elsewhere the word speaks of a change
        yield "button", said_by(pressed), False
    boxes = [field for field in _usable(form) if field.kind in FREE_TEXT]
    for field in boxes:
        if _is_day_of_stay(field, form.language):
            continue
        is_further = len(boxes) > 1 and field is not query_box
        yield "box", f"{field.label} | {field.placeholder}", is_further
        yield "box", identifier_words(field.name), is_further
        yield (
            "box",
            identifier_words(field.element_id.removeprefix("edit-")),
            is_further,
        )  # Drupal calls all so
    yield "heading", form.heading, False
    yield "name", identifier_words(form.names), False


def _buttons_that_count(form: Form, pressed: Field | None) -> list[Field]:
    """Return the buttons whose words count: all, unless the one that is pressed says that it searches.

    Then other buttons that send something of their own may do what they like: they are not pressed.
    """
    buttons = [field for field in form.fields if field.kind in (*PRESSED, "button")]
    if pressed is None or not says_search(pressed):
        return buttons
    return [
        field
        for field in buttons
        if field is pressed or not (field.kind in PRESSED and (field.name or field.form_action is not None))
    ]


def _harm_of_surroundings(form: Form, button: Field | None) -> Iterator[str]:
    text = _text_of_its_own(form, button)
    if len(text) <= _LONGEST_TEXT:  # else the form goes around the page, and says whatever the page says
        said = PLAIN_PURPOSES.all_in(text)
        if _method(form, button) == "GET" and button is not None and says_search(button):
            said.pop("deletion", None)  # a link beside the button that empties the form
        found = next(iter(said.items()), None) or (
            OTHER_PURPOSES.find(text) if _SENTENCE.search(text) else None
        )
        if found:
            yield f"it says {found[1]!r}: {found[0]}"
    if _places_saying_search(form, button) < _CLEAR:
        found = PLAIN_PURPOSES.find(form.page_title) or OTHER_PURPOSES.find(form.page_title)
        if found:
            yield f"the page's title says {found[1]!r}: {found[0]}"


def _places_saying_search(form: Form, button: Field | None) -> int:
    """Return in how many places a form says that it searches."""
    boxes = [field for field in _usable(form) if field.kind in FREE_TEXT]
    said = (
        " | ".join(f"{field.label} | {field.placeholder}" for field in boxes),
        " | ".join(identifier_words(field.name) for field in boxes),
        said_by(button) if button is not None else "",
        identifier_words(form.names),
        identifier_words(_path_and_query(_action(form, button))),
        form.heading,
        form.page_title,
    )
    return sum(map(bool, map(SEARCH.word_in, said))) + any(field.kind == "search" for field in boxes)


def _manners(form: Form, button: Field | None, allow_post: bool) -> Iterator[str]:
    method = _method(form, button)
    if method == "POST" and not allow_post:
        yield "it is sent by POST, which is not allowed for its site"
    elif method not in ("GET", "POST"):
        yield f"it is sent by {method}"
    if not _stays_on_site(form, button):
        there = _action(form, button)
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


def _method(form: Form, button: Field | None) -> str:
    return (button.form_method if button is not None else None) or form.method


def _action(form: Form, button: Field | None) -> str:
    """Return where the form is sent by a button."""
    return button.form_action if button is not None and button.form_action is not None else form.action


def _text_of_its_own(form: Form, button: Field | None) -> str:
    """Return the visible words, less the choices and the buttons that are not pressed: a select may offer anything."""
    text = form.text
    counting = _buttons_that_count(form, button)
    for field in form.fields:
        for option in field.options:
            text = text.replace(option.text, " ", 1) if option.text else text
        if field.kind in ("radio", "checkbox") and field.label:
            text = text.replace(field.label, " ", 1)
        if field.kind in PRESSED and field.label and field not in counting:
            text = text.replace(field.label, " ")
    return text


def _path_and_query(url: str) -> str:
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}")


def _stays_on_site(form: Form, button: Field | None) -> bool:
    """Say whether a form is sent to the site of its page, if to another host of it."""
    there = normalised(_action(form, button))
    return there is not None and registered_domain(there) == registered_domain(form.page_url)
