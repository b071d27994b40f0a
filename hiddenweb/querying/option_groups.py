"""Selects, radio buttons and checkboxes: which of their choices restrict a search, and which controls are only settings.

Radio buttons of one name are one control for people, and so are checkboxes of one name; together with selects they are
called groups here. Some choices of a group mean "no restriction": they send nothing, or say "any", "all" or "please choose" in
one of many languages. A group whose choices order, count or display the results, or translate the page, is a setting: it
never changes what is found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from hiddenweb.forms.field_types import has_meaning, label_words, split_words, words_of
from hiddenweb.language import lexicon
from hiddenweb.language.folding import fold
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrase_matcher import PhraseMatcher
from hiddenweb.model import Option
from hiddenweb.querying.builtin_values import category_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.model import Field, Form

_MOST_OPTIONS = 500
"""The most options of a control that are read; a limit of taste, it bounds the work."""

_MOST_OPTIONS_OF_FORM = 10_000
"""The most options of a whole form that are read; a limit of taste, it bounds the work."""

_FEWEST_OPTIONS = 40
"""Options of a control that are read even if there are many controls; a limit of taste."""

_GROUP_HINTS = re.compile("legend|group|fieldset")
_PAGE_SIZES = words_of(
    "5 6 8 9 10 12 15 16 18 20 24 25 27 30 32 36 40 45 48 50 60 64 72 75 80 90 96 100 120 150 200 250 500 1000"
)

_LARGEST_PAGE = 500
"""The most results on one page that are chosen: more may be too much work for a site; a limit of taste."""


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Choices that belong together. `places` has the places of its controls in the form, `options` one option for each choice."""

    kind: str  # select, radio buttons or checkboxes
    name: str
    places: tuple[int, ...]
    fields: tuple[Field, ...]
    options: tuple[Option, ...]
    multiple: bool
    open_places: frozenset[int] = frozenset()  # places of the options that mean no restriction

    @property
    def default(self) -> tuple[str, ...]:
        """The values that are sent by default."""
        usable = [option for option in self.options if not option.disabled]
        selected = [option for option in self.options if option.selected]
        if self.kind == "select" and not self.multiple:
            selected = selected[-1:] or usable[:1]
        return tuple(option.value for option in selected if not option.disabled)


_LANGUAGES = frozenset(
    map(
        fold,
        [
            "English",
            "Deutsch",
            "Français",
            "Español",
            "Italiano",
            "Português",
            "Nederlands",
            "Polski",
            "Türkçe",
            "Русский",
            "العربية",
            "中文",
            "日本語",
            "ไทย",
            "한국어",
            "Svenska",
            "Dansk",
            "Norsk",
            "Suomi",
            "Čeština",
            "Slovenčina",
            "Magyar",
            "Română",
            "Ελληνικά",
            "Українська",
            "Български",
            "Hrvatski",
            "Srpski",
            "Slovenščina",
            "Lietuvių",
            "Latviešu",
            "Eesti",
            "עברית",
            "فارسی",
            "हिन्दी",
            "Bahasa",
            "Català",
            "Galego",
            "Euskara",
            "Íslenska",
            "Gaeilge",
            "Cymraeg",
            "简体中文",
            "繁體中文",
            "en",
            "de",
            "fr",
            "es",
            "it",
            "pt",
            "nl",
            "pl",
            "tr",
            "ru",
            "ar",
            "zh",
            "ja",
            "th",
        ],
    )
)


def groups(form: Form) -> Iterator[OptionGroup]:
    """Yield the groups of a form in their order; disabled controls are left out."""
    places_by_group: dict[tuple[str, str], list[int]] = {}
    for place, field in enumerate(form.fields):
        if field.disabled or not field.name:
            continue
        if field.kind == "select":
            places_by_group["select", str(place)] = [place]
        elif field.kind in ("radio", "checkbox"):
            places_by_group.setdefault((field.kind, field.name), []).append(place)
    most = max(_MOST_OPTIONS_OF_FORM // max(len(places_by_group), 1), _FEWEST_OPTIONS)
    for (kind, _), places in places_by_group.items():
        group = _group(kind, places, [form.fields[place] for place in places], min(most, _MOST_OPTIONS))
        yield replace(
            group, open_places=frozenset(at for at in range(len(group.options)) if _means_any(group, at))
        )


def label_of_group(group: OptionGroup) -> str:
    """Return the name of a whole group: its label, or the words of its name."""
    name = split_identifier(group.name) if has_meaning(group.name) else ""
    if group.kind == "select" or len(group.fields) == 1:
        return group.fields[0].label or name
    hints = (hint for field in group.fields for hint in field.hints)
    return next((hint.text for hint in hints if _GROUP_HINTS.search(hint.where)), "") or name


def real_options(group: OptionGroup) -> list[Option]:
    """Return the choices that restrict a search, in order, each value once."""
    by_value: dict[str, Option] = {}
    for place, option in enumerate(group.options):
        if not option.disabled and place not in group.open_places:
            by_value.setdefault(option.value, option)
    return list(by_value.values())


def any_option(group: OptionGroup) -> Option | None:
    """Return the choice that means no restriction, if there is one; preferably one that sends a value."""
    open_options = [
        group.options[place] for place in sorted(group.open_places) if not group.options[place].disabled
    ]
    return next(
        (option for option in open_options if option.value), open_options[0] if open_options else None
    )


def setting(group: OptionGroup) -> str:
    """Return why a group is a setting, which never changes what is found, or nothing."""
    texts = [option.text for option in real_options(group)[:_FEWEST_OPTIONS]]
    all_texts = [option.text for option in group.options[:_FEWEST_OPTIONS]]
    for where, text in _names_of(group):
        if found := _SETTINGS.find(text):
            return f"it sets {found[0]}: its {where} says {found[1]!r}"
        if where == "name" and (what := _SETTING_NAMES.get(text.lower())):
            return f"it sets {what}: its {where} is {text!r}"
    if len(texts) >= 2 and all(text.strip() in _PAGE_SIZES for text in texts) and any_option(group) is None:
        return f"{_COUNTS}: its choices are such numbers"
    if sum(1 for text in texts if _DISTANCE.search(text)) >= max(2, len(texts) // 2):
        return "it sets the distance: its choices are distances"
    if sum(1 for text in texts if _ORDERS.find(text)) >= max(2, len(texts) // 2):
        return "it sets the order: its choices are orders"
    if sum(1 for text in all_texts if _MATCHINGS.find(text) or text.strip().lower() in ("and", "or")) >= 2:
        return "it sets how words are matched: its choices say so"
    if _must_restrict(group) and (category := category_of(texts)) in ("language", "currency"):
        return f"it sets the {category} of the page: no choice means any {category}"
    if _must_restrict(group) and len(texts) > 1 and all(fold(text.strip()) in _LANGUAGES for text in texts):
        return "it sets the language of the page: its choices are languages, each in its own words"
    return _switch_of_page(group)


def largest_page(group: OptionGroup) -> Option | None:
    """Return the choice for the most results on a page, if a group sets that and its default is smaller.

    Answers on large pages need fewer requests, which is kinder to a site than many small ones. All choices must be usual page sizes, the
    default among them: "5 rooms" is none if 1 to 4 can be chosen as well.
    """
    sizes = {option.value: _page_size(option) for option in real_options(group)}
    if group.multiple or len(sizes) < 2 or len(group.default) != 1 or not setting(group).startswith(_COUNTS):
        return None
    current = sizes.get(group.default[0])
    numbers = [size for size in sizes.values() if size is not None]
    if current is None or len(numbers) < len(sizes):
        return None
    most = max((size for size in numbers if size <= _LARGEST_PAGE), default=current)
    return next((option for option in group.options if sizes.get(option.value) == most > current), None)


def _page_size(option: Option) -> int | None:
    """Return how many results a choice shows: the only number in its text."""
    numbers = re.findall(r"\d+", option.text)
    return int(numbers[0]) if len(numbers) == 1 and numbers[0] in _PAGE_SIZES else None


def _switch_of_page(group: OptionGroup) -> str:
    """Return why a group is a setting: it names a language or a currency, and no choice means any."""
    if not _must_restrict(group):
        return ""
    for where, text in _names_of(group):
        if found := _SWITCHES.find(text):
            return (
                f"it sets the {found[0]} of the page: its {where} says {found[1]!r}, and no choice means any"
            )
    return ""


def _must_restrict(group: OptionGroup) -> bool:
    """Say whether a group always has one choice, and none of them means any."""
    return not group.multiple and any_option(group) is None


def _group(kind: str, places: list[int], fields: Sequence[Field], most: int) -> OptionGroup:
    if kind == "select":
        select = fields[0]
        return OptionGroup(
            "select", select.name, tuple(places), tuple(fields), _first_options(select, most), select.multiple
        )
    options = tuple(Option(field.value, field.label or field.value, field.checked) for field in fields)
    name = "radio buttons" if kind == "radio" else "checkboxes"
    return OptionGroup(name, fields[0].name, tuple(places), tuple(fields), options, kind == "checkbox")


def _first_options(select: Field, most: int) -> tuple[Option, ...]:
    if len(select.options) <= most:
        return select.options
    return select.options[:most] + tuple(option for option in select.options[most:] if option.selected)


def _names_of(group: OptionGroup) -> Iterator[tuple[str, str]]:
    yield "label", label_of_group(group)
    yield "name", split_identifier(group.name)
    if group.kind == "select":
        yield "id", split_identifier(group.fields[0].element_id)


def _means_any(group: OptionGroup, place: int) -> bool:
    """Say whether a choice means "no restriction"."""
    option = group.options[place]
    text = " ".join(split_words(option.text))
    if group.kind != "checkboxes" and (
        not option.value.strip() or option.value.strip().lower() in _ANY_VALUES
    ):
        return True
    if not text or text in _any_texts():
        return True
    if 1 < place < len(group.options) - 1 and not option.selected:
        return False  # "All saints" may stand in the middle of a list
    return _begins_with_any(text) or (place == 0 and group.kind == "select" and _repeats_label(option, group))


def _repeats_label(option: Option, group: OptionGroup) -> bool:
    """Say whether a choice only repeats the label, such as "State or region" in a select for states."""
    label, text = label_words(label_of_group(group)), label_words(option.text)
    return bool(label) and f"{text} ".startswith(f"{label} ")


@cache
def _any_texts() -> frozenset[str]:
    """Return the texts of choices that restrict nothing."""
    alone = lexicon.fold_phrases("options.any_begins") - lexicon.fold_phrases("options.any_not_alone")
    return alone | lexicon.fold_phrases("options.any_texts")


@cache
def _any_unspaced() -> re.Pattern[str]:
    return re.compile(fold(lexicon.alternatives("options.any_unspaced")))


def _begins_with_any(text: str) -> bool:
    first, _, rest = text.partition(" ")
    if first in lexicon.fold_phrases("options.any_begins") and len(rest) <= 40:
        return True
    return _any_unspaced().search(text) is not None


_ANY_VALUES = frozenset(
    {"all", "any", "*", "-1", "none", "alle", "tous", "todos", "tutti", "%", "null", "undefined"}
)

_COUNTS = "it sets the number of results"
_DISTANCE = re.compile(r"(?i)^\D{0,12}\d+ ?(?:miles?|mi|km|kilomet\w+|mijl|км|公里|キロ)\b")
_SETTING_NAMES = {
    "order": "the order", "dir": "the order", "ord": "the order", "num": "the number of results", "limit": "the number of results",
    "count": "the number of results", "view": "the display", "display": "the display", "hl": "the language of the page",
}  # fmt: skip
_SETTINGS = PhraseMatcher.from_lexicon("options.settings")
_SWITCHES = PhraseMatcher.from_lexicon("options.switches")
_ORDERS = PhraseMatcher.from_lexicon("options.orders")
_MATCHINGS = PhraseMatcher.from_lexicon("options.matchings")
