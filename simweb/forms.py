"""The forms of a site: what they are for, which controls they have, and what a submission of them asks.

A form is planned once from the site's database and its style; `simweb.markup` writes it as HTML in the site's
dialect, `query_of` reads a submission back. Every control knows its meaning, which is the truth a form reader is
measured against: "keywords", "choice" of an attribute, "from" and "to" of a range, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from simweb.guards import TOKEN
from simweb.search import Query

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from simweb.catalogue import Catalogue
    from simweb.search import Matching, Order
    from simweb.topics import Attribute
    from simweb.voice import Voice

Control = Literal[
    "text", "search", "select", "multiple", "radio", "checkbox", "checkboxes", "hidden", "date", "number",
    "password", "email", "tel", "file", "textarea", "submit", "image",
]  # fmt: skip
Meaning = Literal[
    "keywords", "contains", "choice", "from", "to", "matching", "order", "page_size", "flag", "token", "fixed", "personal",
]  # fmt: skip
Labelling = Literal["for", "wrapped", "cells", "placeholder", "aria", "title", "before", "broken"]

STYLES = (
    "box",
    "box_selects",
    "radios",
    "advanced",
    "finder",
    "dependent",
    "steps",
    "post",
    "required",
    "dates",
    "aspnet",
    "semicolon",
    "charset",
    "accept_charset",
    "outside",
    "formless",
)
FURTHER_STYLES = ("token", "token_post", "load_more")
"""Styles that are there when asked for only, so that worlds stay what they were."""

LABELLINGS: tuple[Labelling, ...] = (
    "for", "wrapped", "cells", "placeholder", "aria", "title", "before", "broken",
)  # fmt: skip

_NAMES: dict[str, tuple[str, ...]] = {
    "keywords": ("q", "query", "keywords", "s", "search", "term", "kw", "text", "searchterm", "words"),
    "matching": ("mode", "match", "op", "bool"),
    "order": ("sort", "order", "sortby"),
    "page_size": ("limit", "num", "perpage", "rows"),
}
_MOST_OPTIONS = 60

MATCHING_OPTIONS: dict[str, Matching] = {"and": "all", "or": "any", "phrase": "phrase"}
ORDER_OPTIONS: dict[str, Order] = {"rel": "relevance", "new": "newest", "title": "title"}


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select, a radio group or a group of checkboxes; `stands_for` is "" where it means any."""

    value: str
    label: str
    stands_for: str = ""
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One control of a form and its meaning."""

    name: str
    control: Control
    meaning: Meaning
    label: str
    attribute: str = ""
    options: tuple[Option, ...] = ()
    value: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A form: `purpose` is "search", one of the purposes of `simweb.leave_alone`, or the name of a booby trap.

    A booby trap (`simweb.booby_traps`) comes with its markup. It may be a search as well: then it does harm only at its
    harmful address, or when one of its harmful controls is sent with a value.
    """

    key: str
    purpose: str
    style: str
    method: Literal["get", "post"]
    action: str
    fields: tuple[Field, ...]
    button: str
    labelling: Labelling = "for"
    button_name: str = ""
    accept_charset: str = ""
    multipart: bool = False
    looks_like_search: bool = False
    booby_trap: str = ""
    harmful_address: str = ""
    harmful_controls: tuple[str, ...] = ()
    markup: str = ""

    @property
    def is_search(self) -> bool:
        """Say whether the form searches the site's database."""
        return self.purpose == "search"

    @property
    def needs_browser(self) -> bool:
        """Say whether only a script can submit it."""
        return self.style == "formless"

    def field_meaning(self, meaning: Meaning) -> Field | None:
        """Return the first control with a meaning."""
        return next((field for field in self.fields if field.meaning == meaning), None)


@dataclass(frozen=True, slots=True)
class FormMaker:
    """Plans the search forms of one database."""

    catalogue: Catalogue
    voice: Voice
    action: str

    def make(self, style: str, chance: Random, key: str = "search") -> Form:
        """Return a search form of a style, or a plain box where the database has nothing for that style."""
        fields = _distinct(self._fields(style, chance))
        say = self.voice.say
        return Form(
            key=key,
            purpose="search",
            style=style,
            method="post" if style in ("post", "aspnet", "token_post") else "get",
            action=self.action,
            fields=fields,
            button=say(chance.choice(("search", "find", "go"))),
            labelling=chance.choice(LABELLINGS),
            button_name=chance.choice(("", "", "submit", "btn"))
            if style != "aspnet"
            else "ctl00$Main$btnSearch",
            accept_charset="utf-8" if style == "accept_charset" else "",
            looks_like_search=True,
        )

    def only(self, form: Form, field: Field) -> Form:
        """Return the same search with one control left, as sites show it in a corner of other pages."""
        return replace(form, key=form.key + "-box", style="box", fields=(field,))

    def second_step(self, form: Form, parent_value: str) -> Form:
        """Return the form that answers the first step of a "steps" form: the second choice, narrowed by the first."""
        first = form.fields[0]
        child = self._child()
        narrowed = self._choice(child, first.name + "2", "select", first.attribute, parent_value)
        chosen = next(option for option in first.options if option.stands_for == parent_value)
        hidden = replace(first, control="hidden", options=first.options, value=chosen.value)
        return replace(form, key=form.key + "-2", fields=(hidden, replace(narrowed, required=True)))

    def _fields(self, style: str, chance: Random) -> tuple[Field, ...]:
        match style:
            case "box_selects":
                return (self._keywords(chance), *self._selects(chance, 2))
            case "radios":
                return (self._keywords(chance), *self._radios(chance))
            case "advanced":
                return self._advance(chance)
            case "finder":
                return self._selects(chance, 2)
            case "dependent" if self._children():
                return self._dependent(chance)
            case "steps" if self._children():
                return (replace(self._dependent(chance)[0], required=True),)
            case "dependent" | "steps":
                return self._selects(chance, 2)
            case "required":
                select = self._selects(chance, 1)[0]
                return (self._keywords(chance), replace(select, required=True))
            case "dates":
                return (self._keywords(chance), *self._range(chance))
            case "aspnet":
                return self._aspnet(chance)
            case "token" | "token_post":
                return (Field(TOKEN, "hidden", "token", ""), self._keywords(chance))
            case _:
                return (self._keywords(chance),)

    def _keywords(self, chance: Random, name: str = "") -> Field:
        label = self.voice.say(
            chance.choice(("keyword", "keywords", "search_term", "search", "search_catalogue"))
        )
        control: Control = chance.choice(("text", "search"))
        return Field(name or chance.choice(_NAMES["keywords"]), control, "keywords", label)

    def _selects(self, chance: Random, most: int) -> tuple[Field, ...]:
        usable = [a for a in self.catalogue.topic.attributes if a.kind == "choice" and a.parent is None]
        chosen = usable[:1] + chance.sample(usable[1:], min(most - 1, len(usable) - 1))
        return tuple(
            self._choice(a, self._name(a, chance), "select", codes=chance.random() < 0.5) for a in chosen
        )

    def _radios(self, chance: Random) -> tuple[Field, ...]:
        usable = [a for a in self.catalogue.topic.attributes if a.kind == "choice" and a.parent is None]
        usable.sort(key=lambda attribute: len(self.catalogue.choices(attribute.name)))
        radio = self._choice(usable[0], self._name(usable[0], chance), "radio")
        boxes = self._choice(usable[1], self._name(usable[1], chance), "checkboxes", codes=True)
        return (radio, replace(boxes, options=boxes.options[1:13]))

    def _advance(self, chance: Random) -> tuple[Field, ...]:
        texts = [a for a in self.catalogue.topic.attributes if a.kind == "text"][:2]
        contains = (
            Field(self._name(a, chance), "text", "contains", self._label(a.name), a.name) for a in texts
        )
        return (
            self._keywords(chance),
            self._matching(chance),
            *contains,
            *self._selects(chance, 2),
            *self._range(chance),
            self._order(chance),
            self._page_size(chance),
        )

    def _dependent(self, chance: Random) -> tuple[Field, Field]:
        child = self._child()
        parent = next(a for a in self.catalogue.topic.attributes if a.name == child.parent)
        first = self._choice(parent, self._name(parent, chance), "select")
        options = [Option("", self.voice.say("any"))]
        for value in self.catalogue.choices(parent.name):
            own = self.catalogue.choices(child.name, value)
            options += [Option(text, text, text, parent=value) for text in own]
        second = Field(
            self._name(child, chance), "select", "choice", self._label(child.name), child.name, tuple(options)
        )
        return first, second

    def _range(self, chance: Random) -> tuple[Field, ...]:
        kinds = ("date", "year", "number")
        attribute = next(
            (a for kind in kinds for a in self.catalogue.topic.attributes if a.kind == kind), None
        )
        if attribute is None:
            return ()
        control: Control = "date" if attribute.kind == "date" else chance.choice(("text", "number"))
        label, say = self._label(attribute.name), self.voice.say
        stem = self._name(attribute, chance)
        return (
            Field(f"{stem}_from", control, "from", f"{label} {say('from')}", attribute.name),
            Field(f"{stem}_to", control, "to", f"{label} {say('to')}", attribute.name),
        )

    def _aspnet(self, chance: Random) -> tuple[Field, ...]:
        box = self._keywords(chance, "ctl00$Main$txtSearch")
        select = replace(self._selects(chance, 1)[0], name="ctl00$Main$ddlFilter")
        state = f"/wEPDwUK{chance.getrandbits(200):x}"
        hidden = (
            Field("__VIEWSTATE", "hidden", "token", "", value=state),
            Field("__EVENTTARGET", "hidden", "fixed", ""),
            Field("__EVENTARGUMENT", "hidden", "fixed", ""),
        )
        return (*hidden, box, select)

    def _matching(self, chance: Random) -> Field:
        say = self.voice.say
        options = (
            Option("and", say("all_words"), "all"),
            Option("or", say("any_word"), "any"),
            Option("phrase", say("exact_phrase"), "phrase"),
        )
        return Field(
            chance.choice(_NAMES["matching"]),
            "radio",
            "matching",
            say("search_in"),
            options=options,
            value="and",
        )

    def _order(self, chance: Random) -> Field:
        say = self.voice.say
        options = (
            Option("rel", say("relevance"), "relevance"),
            Option("new", say("newest"), "newest"),
            Option("title", say("title_order"), "title"),
        )
        return Field(
            chance.choice(_NAMES["order"]), "select", "order", say("sort_by"), options=options, value="rel"
        )

    def _page_size(self, chance: Random) -> Field:
        options = tuple(Option(str(n), str(n), str(n)) for n in (10, 20, 50))
        name = chance.choice(_NAMES["page_size"])
        return Field(name, "select", "page_size", self.voice.say("per_page"), options=options, value="20")

    def _choice(
        self,
        attribute: Attribute,
        name: str,
        control: Control,
        parent: str = "",
        parent_value: str = "",
        codes: bool = False,
    ) -> Field:
        values = self.catalogue.choices(attribute.name, parent_value or None)[:_MOST_OPTIONS]
        options = [Option(str(at) if codes else text, text, text) for at, text in enumerate(values, 1)]
        any_option = Option("", self.voice.say("any" if control != "select" or not parent else "choose"))
        return Field(
            name, control, "choice", self._label(attribute.name), attribute.name, (any_option, *options)
        )

    @property
    def has_children(self) -> bool:
        """Say whether one choice of the database depends on another."""
        return bool(self._children())

    def _children(self) -> list[Attribute]:
        return [a for a in self.catalogue.topic.attributes if a.parent is not None]

    def _child(self) -> Attribute:
        return self._children()[0]

    def _name(self, attribute: Attribute, chance: Random) -> str:
        name = attribute.name
        return chance.choice((name, name[:3], f"f_{name}", f"search[{name}]"))

    def _label(self, attribute: str) -> str:
        return self.voice.say(f"field.{attribute}")


def query_of(form: Form, parameters: Sequence[tuple[str, str]]) -> Query:
    """Read what a submission asks for; parameters that are no control of the form mean nothing."""
    words, matching, order = "", None, None
    contains, equals, at_least, at_most = [], [], [], []
    for field in form.fields:
        values = [value.strip() for name, value in parameters if name == field.name]
        given = [value for value in values if value]
        if not given:
            continue
        match field.meaning:
            case "keywords":
                words = given[0]
            case "contains":
                contains.append((field.attribute, given[0]))
            case "choice":
                stands_for = _choice_values(field, given)
                if stands_for is not None:
                    equals.append((field.attribute, stands_for))
            case "from":
                at_least.append((field.attribute, given[0]))
            case "to":
                at_most.append((field.attribute, given[0]))
            case "matching":
                matching = MATCHING_OPTIONS.get(given[0])
            case "order":
                order = ORDER_OPTIONS.get(given[0])
    return Query(words, matching, tuple(contains), tuple(equals), tuple(at_least), tuple(at_most), order)


def choice_value(form: Form, parameters: Iterable[tuple[str, str]], meaning: Meaning) -> str:
    """Return what the chosen option of a control stands for, or "" where nothing was chosen."""
    field = form.field_meaning(meaning)
    if field is None:
        return ""
    wanted = dict(parameters).get(field.name, field.value)
    return next((option.stands_for for option in field.options if option.value == wanted), "")


def missing(form: Form, parameters: Iterable[tuple[str, str]]) -> Field | None:
    """Return the first required control that was left empty."""
    given = {name for name, value in parameters if value.strip()}
    return next((field for field in form.fields if field.required and field.name not in given), None)


def _distinct(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Rename controls whose name is taken, as a webmaster would have to."""
    taken: set[str] = set()
    named = []
    for field in fields:
        name = field.name
        while name in taken:
            name += "2"
        taken.add(name)
        named.append(replace(field, name=name))
    return tuple(named)


def _choice_values(field: Field, given: list[str]) -> tuple[str, ...] | None:
    """Return the record values the chosen options stand for; a value that is no option matches nothing."""
    known = {option.value: option.stands_for for option in field.options}
    meant = tuple(known.get(value, "\x00") for value in given)
    return None if "" in meant else meant
