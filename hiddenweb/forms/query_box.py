"""Finding the box of a form that takes free words.

Every text box is scored by what is said of it. What names it a search box counts most, then its neighbour: the box right
before a button that says search, if the others say nothing of themselves. A box for a place, a date, a name or an address takes
no free words, even in a form that searches. Of equals the first is taken that asks for no number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.forms.entry_list import FREE_TEXT
from hiddenweb.forms.features import BUTTONS, MEANINGS, meanings_of_names, meanings_of_words
from hiddenweb.forms.field_types import range_end, type_of
from hiddenweb.language.phrases import NUMBERS

if TYPE_CHECKING:
    from hiddenweb.model import Field, Form

_SEARCHES = 3
_SEVERAL = 2  # commas in a list of things
_SHORTEST = 4  # characters of a box for words
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


def query_box(form: Form, *, sure: bool) -> int | None:
    """Return the place of the box for free words; unless `sure` that the form searches, only one that says so itself."""
    boxes = [at for at, field in enumerate(form.fields) if _takes_words(field, form.source)]
    any_seen = any(not form.fields[at].unseen for at in boxes)
    any_named = any(form.fields[at].label for at in boxes[:-1])
    scored = [
        (score, not NUMBERS.find_words(form.fields[at].label), -at)
        for at in boxes
        if (score := _score(form, at, any_seen, any_named)) >= (0 if sure else _SEARCHES)
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
        score += 4
    if "search" in words:
        score += _SEARCHES
    if "search" in names:
        score += _SEARCHES
    elif "usual for searches" in names:
        score += 1
    if _NARROW & words.keys():
        score -= 2
    if _NARROW & names.keys():
        score -= 2
    if f"{field.label} {field.placeholder}".count(",") >= _SEVERAL:
        score += 2  # title, author, subject
    if field.value.isdigit():
        score -= 2
    if field.unseen and any_seen:
        score -= 4  # where nobody sees any of them, a script shows all of them
    if _takes_a_value(field, form.language):
        score -= 4
    if not words and not any_named and _is_before_search_button(form, at):
        score += 2
    return score


def _takes_a_value(field: Field, language: str) -> bool:
    """Say whether a box takes a date, a number or one end of a range, or has room for no more than such."""
    if field.max_length is not None and field.max_length <= _SHORTEST:
        return True
    if 0 < field.size <= _SHORTEST or (field.label and not any(map(str.isalpha, field.label))):
        return True
    return type_of(field, language).name in _VALUES or bool(range_end(field))


def _is_before_search_button(form: Form, at: int) -> bool:
    after = form.fields[at + 1] if at + 1 < len(form.fields) else None
    return (
        after is not None
        and after.kind in BUTTONS
        and "search" in MEANINGS.find_all(f"{after.label} | {after.value}")
    )
