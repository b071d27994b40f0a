"""The box of a form that takes free words: which one it is, and what shows that it takes something else.

Every text box is scored by the texts about it. A word that names it a search box counts most, then its neighbour: the box right before a
button that says search, if the other boxes have no labels. A box for a place, a date, a name or an address takes no free words, even in a
form that searches. Of boxes with equal scores the first that asks for no number is chosen.

Many forms look up one thing of one person: a parcel, an exam, a car. Their button says "Search", and only the box shows what they are: by
a word for a number or a code, by an example of one, by a pattern that no word fits, by a bare abbreviation ("PNR", "IMEI"), or by a
question to the visitor. All texts at the box that people can read count, tool tips and examples, too. A box that also takes words is no
such box: "Title, author or call number".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiddenweb.forms.entry_list import FREE_TEXT
from hiddenweb.forms.features import BUTTONS, MEANINGS, meanings_of_names, meanings_of_words
from hiddenweb.forms.field_types import TEXT_KINDS, range_end, split_words, type_of
from hiddenweb.forms.value_limits import fits
from hiddenweb.language.folding import fold
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrases import CONTENT_QUESTIONS, FORM_WORDS, NUMBERS, OTHER_PURPOSES, SEARCH

if TYPE_CHECKING:
    from hiddenweb.forms.field_types import FieldType
    from hiddenweb.model import Field, Form
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Field, Form

# Points for and against a box as the one for free words. Set by hand: `python -m benchmarks forms` measures them as query_box_exact.
_SEARCH_SCORE = 3  # of words that say "search"; also the least score of a box in a form that may not search
_TYPE_SCORE = 4  # of a box of the type "search"
_USUAL_NAME_SCORE = 1  # of a name that is usual for searches, such as `q`
_NARROW_SCORE = -2  # of words, and of names, for something narrower than a search
_LIST_SCORE = 2  # of a label that lists what is searched: title, author, subject
_NUMBER_SCORE = -2  # of a box that has a number in it
_UNSEEN_SCORE = -4  # of an invisible box, if others are visible
_VALUE_SCORE = -4  # of a box that takes a date, a number or one end of a range
_BUTTON_SCORE = 2  # of a nameless box before the button that searches
_MIN_COMMAS = 2  # commas in a list of things that a box searches; a limit of taste
_MAX_CODE_CHARACTERS = 4
"""Characters: a box with no more room takes a code or a number, not words; a limit of taste."""

_VALUES = frozenset(
    {"date", "datetime", "time", "year", "month", "day", "week", "weekday", "number", "price", "month of a year", "colour"}
)  # fmt: skip
_NARROW = frozenset(
    {
        "place", "date", "e-mail", "username", "password", "naming", "calling", "quantity", "street", "birth", "paging",
        "coupon", "newsletter", "captcha", "reference number", "tracking", "login", "filtering", "comment", "writing",
        "cart", "payment", "donation",
    }
)  # fmt: skip
_READ = frozenset({"label", "aria", "placeholder", "title", "description"})
_NUMBER = re.compile(
    r"\w{2,}(?:nummer|numret|zeichen|szam|szama|tunnus|numeris|nimer)\b|\b(?:cislo|nomor|ma so|id|no)\b|(?<![数數])[码碼]"
)
"""Endings of words for numbers ("Aktenzeichen"), and words that mean something else in other languages ("no", 数码 is digital)."""
_NUMERO = re.compile(r"(?:^|\| )\s*(?:[Nn](?:[.°º]|[or]\.)|№|#)")  # N. di tessera, N° de, Nr., No.
_QUESTION = re.compile(r"[?？؟]\s*$|(?:ですか|ますか|[吗嗎]|ไหม|มั้ย|หรือไม่|หรือยัง|습니까|나요)\s*$")
_LISTED = re.compile(r"[,/]|\b(?:or|and|oder|und|ou|et|o|of|lub|veya|ya da|или|أو)\b|或|または|หรือ|、")
_ABBREVIATION = re.compile(r"\s*[A-Z]{3,5}\s*[:*#]?\s*")
_OF_THINGS = frozenset({"isbn", "issn", "doi", "ean", "gtin", "upc", "sku", "oclc", "lccn", "text"})
_CODE = re.compile(r"(?=[A-Z\d]*\d)(?=[A-Z\d]*[A-Z])[A-Z\d]{6,}|(?:\d[ .-]?){7,}|\+\d{1,3} ?\d")
_STATEMENT = re.compile(r"\bselect\b.+\bfrom\b|\bsql\b", re.IGNORECASE)
_ADDRESS = re.compile(r"\b(?:url|uri|urls|website|homepage|siteurl|weburl|permalink)\b")
_MAX_TEXT = 200  # characters of one text about a box; a limit of taste
_WORDS_TO_TRY = ("water", "Wasser")
_MAX_ABBREVIATION = 3  # letters of a label that is an abbreviation; a limit of taste


def find_query_box(form: Form, *, sure: bool) -> int | None:
    """Return the place of the box for free words; if it is not `sure` that the form searches, only a box that says so itself."""
    boxes = [at for at, field in enumerate(form.fields) if _takes_words(field, form.source)]
    any_seen = any(not form.fields[at].unseen for at in boxes)
    any_named = any(form.fields[at].label for at in boxes[:-1])
    scored = [
        (score, not NUMBERS.find_words(form.fields[at].label), -at)
        for at in boxes
        if (score := _score(form, at, any_seen, any_named)) >= (0 if sure else _SEARCH_SCORE)
    ]
    return -max(scored)[2] if scored else None


def _takes_words(field: Field, source: str) -> bool:
    if field.kind not in FREE_TEXT or field.disabled or field.readonly:
        return False
    return bool(field.name) or source == "script"


def _score(form: Form, at: int, any_seen: bool, any_named: bool) -> int:
    field = form.fields[at]
    words, names = meanings_of_words(field), meanings_of_names(field)
    score = 0
    if field.kind == "search":
        score += _TYPE_SCORE
    if "search" in words:
        score += _SEARCH_SCORE
    if "search" in names:
        score += _SEARCH_SCORE
    elif "usual for searches" in names:
        score += _USUAL_NAME_SCORE
    if _NARROW & words.keys():
        score += _NARROW_SCORE
    if _NARROW & names.keys():
        score += _NARROW_SCORE
    if f"{field.label} {field.placeholder}".count(",") >= _MIN_COMMAS:
        score += _LIST_SCORE
    if field.value.isdigit():
        score += _NUMBER_SCORE
    if field.unseen and any_seen:
        score += _UNSEEN_SCORE  # if all are invisible, a script shows them
    if _takes_a_value(field, form.language):
        score += _VALUE_SCORE
    if not words and not any_named and _is_before_search_button(form, at):
        score += _BUTTON_SCORE
    return score


def _takes_a_value(field: Field, language: str) -> bool:
    """Say whether a box takes a date, a number or one end of a range, or is too short for more."""
    if field.max_length is not None and field.max_length <= _MAX_CODE_CHARACTERS:
        return True
    if 0 < field.size <= _MAX_CODE_CHARACTERS or (field.label and not any(map(str.isalpha, field.label))):
        return True
    return type_of(field, language).name in _VALUES or bool(range_end(field))


def _is_before_search_button(form: Form, at: int) -> bool:
    after = form.fields[at + 1] if at + 1 < len(form.fields) else None
    return (
        after is not None
        and after.kind in BUTTONS
        and "search" in MEANINGS.find_all(f"{after.label} | {after.value}")
    )


def find_objections_to_box(form: Form, box: Field, *, trusted: bool = False) -> Iterator[str]:
    """Yield what shows that a box takes something else than words.

    If a `trusted` button or box searches, a question with "what", "which" or "where" asks for words. Questions whether or how somebody
    does something are about the visitors themselves.
    """
    text = all_text(box)
    if word := _find_number_word(text, form):
        yield f"its box says {word!r}: it asks for a number or a code"
    elif not SEARCH.find_words(text):
        if _ABBREVIATION.fullmatch(box.label) and fold(box.label).strip(" :*#") not in _OF_THINGS:
            yield f"its box says {box.label!r}, as one asks for a number or a code"
        elif (
            not (trusted and CONTENT_QUESTIONS.find_words(box.label))
            and _QUESTION.search(box.label)
            and "place" not in FORM_WORDS.find_all(box.label)
            and _has_one_box(form)
        ):
            yield f"its box asks {box.label!r}"
        elif example := _CODE.search(box.placeholder):
            yield f"its box shows {example[0]!r}: it asks for a number or a code"
    if box.pattern and not any(fits(word, box) for word in _WORDS_TO_TRY):
        yield "its box takes no plain words"
    if why := reason_box_is_personal(box, form.language):
        yield f"its box is personal: {why}"
    if "@" in text:
        yield "its box shows an e-mail address"
    if takes_statements(box):
        yield "its box takes commands to a database"
    if takes_addresses(box):
        yield "its box takes the address of a page"


def takes_statements(box: Field) -> bool:
    """Say whether a box shows an SQL statement."""
    return bool(_STATEMENT.search(all_text(box)))


def all_text(box: Field) -> str:
    """Return all texts at a box that people can read, joined."""
    value = box.value if any(map(str.isalpha, box.value)) else ""
    texts = (box.label, box.placeholder, value, *(hint.text for hint in box.hints if hint.where in _READ))
    return " | ".join(filter(None, dict.fromkeys(each[:_MAX_TEXT] for each in texts)))


def text_for_people(box: Field | None) -> str:
    """Return the label of a box for people; "" if it comes only from a name made for machines, or is a word such as "for"."""
    if box is None:
        return ""
    if any(hint.where == "name" and hint.text == box.label for hint in box.hints):
        return box.placeholder
    if len(box.label) <= _MAX_ABBREVIATION and box.label.isascii() and not box.placeholder:
        return ""
    return box.label if box.label == box.placeholder else f"{box.label} {box.placeholder}".strip()


def _find_number_word(text: str, form: Form) -> str:
    """Return a word for a number in the text of a box, unless the box also takes words."""
    if SEARCH.find_words(text):
        return ""
    if word := _find_numero(text):
        return word
    if _takes_words_too(text):
        return ""
    if word := NUMBERS.find_words(text):
        return word
    found = _NUMBER.search(fold(text)) if _has_one_box(form) else None
    return found[0] if found else ""


def _has_one_box(form: Form) -> bool:
    boxes = (field for field in form.fields if field.kind in FREE_TEXT)
    return sum(not (box.disabled or box.readonly) for box in boxes) == 1


def _find_numero(text: str) -> str:
    found = _NUMERO.search(text)
    return found[0].strip("| ") if found else ""


def _takes_words_too(text: str) -> bool:
    """Say whether a text lists several things, and the first of them is no number: "Title, author or call number"."""
    first, *others = _LISTED.split(fold(text.partition("|")[0]), maxsplit=1)
    return bool(others and first.strip()) and not NUMBERS.find_words(first) and not _NUMBER.search(first)


def takes_places(text: str) -> bool:
    """Say whether a text lists several things, and one of them is a place that has a name: "City, state or ZIP"."""
    lists = (_LISTED.split(each) for each in fold(text).split("|"))
    parts = (part for parts in lists if len(parts) > 1 for part in parts)
    return any("place" in FORM_WORDS.find_all(part) and not OTHER_PURPOSES.find_words(part) for part in parts)


def takes_addresses(box: Field) -> bool:
    """Say whether a box is named after the address of a page, which visitors may submit there."""
    return bool(_ADDRESS.search(split_identifier(box.name).lower()))


_SEARCHABLE_TYPES = frozenset({"name", "address", "message"})  # words that also stand at boxes to search by


_MAX_WORDS_FOR_ONE_THING = 4  # words of a label; a longer one lists several things; a limit of taste


def reason_box_is_personal(box: Field, language: str) -> str:
    """Return why a box is personal even though it takes the words of a search, or ""."""
    wanted = type_of(box, language)
    return f"{wanted.name}, for {wanted.why}" if wanted.personal and not is_searched_by(box, wanted) else ""


def is_searched_by(box: Field, wanted: FieldType) -> bool:
    """Say whether personal words at a query box say what it searches: "Search by name", "Title, e-mail or phone number"."""
    if box.kind not in TEXT_KINDS or box.autocomplete.lower() not in ("", "off", "on"):
        return False
    lists_things = len(split_words(box.label)) > _MAX_WORDS_FOR_ONE_THING
    return (
        wanted.name in _SEARCHABLE_TYPES
        or lists_things
        or bool(SEARCH.find_words(f"{box.label} | {box.placeholder}"))
    )
