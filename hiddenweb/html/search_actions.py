"""Searches of a page without a <form>.

Boxes without a form. Many pages leave their search to a script: a text box stands in the page and nothing around it says where its words
are sent. The classifier decides which words mean searching; here only the structure of a box counts: a one-line box that belongs to no
form (by `form=`, by the parser or by the tree) and has any name: placeholder, aria-label, label, title, id or name. A box that is only
named for a framework (`v-model=query`, `formcontrolname`) has no name for people; it counts if that variable, or an element close by,
is named after a search. An element of any kind counts with `role=searchbox`: scripts turn a <div> into a box. The walk ignores
those, so a page with such elements is walked through once more.

Controls that stand together are one search: those in one search region (`role=search` or <search>), else those in the smallest element
around a box, at most four levels up, that holds another control, too. Of repeated groups, such as the rows of a cart, the first
counts, and of the rest the five that look most like a search. They are added to the end of the walk's forms, so that they are read like
any other form; only a browser can submit them.

Declared searches. A SearchAction of schema.org names an address with gaps (see `hiddenweb.html.url_templates`). It is read from JSON-LD at
any depth, and from microdata. A declared search that repeats a form of the page is left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.html.form_owners import controls_by_form
from hiddenweb.html.forms import forms_of
from hiddenweb.html.json_ld import read_json_ld
from hiddenweb.html.page_parts import RawControl, RawForm, TextSpan
from hiddenweb.html.tree_walk import NUMBER, TreeWalk
from hiddenweb.html.url_templates import (
    absolute_template,
    drop_repeats,
    gaps_of,
    needs_script,
    parameters_of,
    start_of,
)
from hiddenweb.model import Field, Form, LabelHint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import Attributes, Leave

_MOST_SEARCHES = (
    5  # boxes without form of one page, and as many declared searches and descriptions; a limit of taste
)
_MOST_CONTROLS = 300  # without form, that are read; a limit of taste
_MOST_TOGETHER = 50  # controls of one search; a limit of taste
_NEAR = 4  # levels: so far up controls stand together; a limit of taste
_FAR = 12  # levels: so far up a search region may be; a limit of taste
_NAMING = ("placeholder", "aria-label", "name", "id", "aria-labelledby", "title")
_SEARCH_HINTS = ("inputmode", "enterkeyhint")
_BINDING = re.compile(
    r"(?:(?:data-|x-)?ng-model|(?:v-model|x-model|wire:model)(?:[.:].*)?|formcontrolname|\[\(ngmodel\)\]|\[formcontrol\])"
)
"""Attributes that tie a box to a variable of a script, in AngularJS, Vue, Alpine, Livewire and Angular."""
_SEARCHING = re.compile(
    r"(?<!re)search|(?<!j)quer(?:y|ies)|keyword|\bq$|\bfind\b|\bsuch[ebtw]|recherch|\bbusca|busqueda|ricerca|\bzoek|szuka|pesquis",
    re.IGNORECASE,
)
_LONGEST_VARIABLE = 100  # characters; a limit of taste
_MADE_BOXES = "[role~=searchbox i]:not(input):not(textarea)"
_BOXES = frozenset({"input", "textarea", "select"})
_WHOLE_PAGE = frozenset({"html", "body"})

_MOST_ACTIONS = 20  # that are read; a limit of taste
_NAME_IN_SPECIFICATION = re.compile(r"(?:^|\s)name\s*=\s*[\"']?([^\s\"']+)")


def forms_and_searches(walk: TreeWalk, flat: str, language: str) -> tuple[Form, ...]:
    """Return the forms of a page, then its boxes without form, then the searches it declares."""
    written = len(walk.form_parts.forms)
    _gather_boxes(walk, flat)
    forms = [form if form.place < written else _for_browser(form) for form in forms_of(walk, flat, language)]
    if walk.head.linked_data or walk.head.properties:
        forms += _declare_forms(walk, forms, language)
    return tuple(forms)


def descriptions_of(walk: TreeWalk) -> tuple[str, ...]:
    """Return the addresses of descriptions of the page's search."""
    found = (walk.resolve(href) for href in walk.head.descriptions if href.strip())
    return tuple(dict.fromkeys(url for url in found if url))[:_MOST_SEARCHES]


def _for_browser(form: Form) -> Form:
    return replace(form, method="GET", source="script", needs_browser=True)


# Boxes without form


class _Free(NamedTuple):
    """A control without form, and where it stands."""

    number: int  # its place among the controls of the page
    control: RawControl
    region: LexborNode | None  # the search region around it
    near: list[LexborNode]  # the elements around it, the nearest first
    rank: int | None  # of a text box: 0 looks most like a search; None: no text box


def _gather_boxes(walk: TreeWalk, flat: str) -> None:
    """Put boxes that belong to no form, with the controls around them, into forms of their own."""
    _add_made_boxes(walk)
    if "many_forms" in walk.marks or not any(map(_might_be_free_box, walk.form_parts.controls)):
        return
    free = list(_free_controls(walk))
    for container, members in _best(sorted(_groups(free), key=_first_number), walk):
        _make_form(walk, flat, container, members)


def _add_made_boxes(walk: TreeWalk) -> None:
    """Add the elements that scripts use as search boxes to the controls of a page."""
    if (
        not walk.has_box_by_role
        or b"searchbox" not in walk.lowercase_source()
        or walk.root is None
        or walk.root.css_first(_MADE_BOXES) is None
    ):
        return
    again = _WalkForBoxes(walk.document, walk.url, walk.deadline, marks=walk.marks)
    again.visit(walk.root)
    if "slow" not in walk.marks:
        walk.form_parts.controls = again.form_parts.controls


class _WalkForBoxes(TreeWalk):
    """A walk that also takes elements that scripts use as search boxes for controls."""

    def enter(self, node: LexborNode, tag: int, attributes: Attributes, path: str) -> Leave | None:
        """Enter an element as any walk does; a search box without form is a control, too."""
        is_free = self.form_parts.form < 0 and not (self.form_parts.noscripts or self.is_foreign)
        if is_free and len(self.form_parts.controls) < self.limits.fields and _is_made_box(node, attributes):
            self.add_box(node, attributes)
        return super().enter(node, tag, attributes, path)

    def add_box(self, node: LexborNode, attributes: Attributes) -> None:
        """Take an element for a box of the type search."""
        as_search = {**attributes, "type": "search"}
        span = TextSpan("", self.length)
        self.form_parts.controls.append(
            RawControl(
                "input",
                as_search,
                node,
                span,
                self.form_parts.form,
                self.form_parts.label,
                False,
                self.form_parts.legend,
                self.unseen > 0,
            )
        )


def _is_made_box(node: LexborNode, attributes: Attributes) -> bool:
    if not _has_role(attributes, "searchbox") or attributes.get("contenteditable") == "false":
        return False
    return not any(part.tag in _BOXES for part in islice(node.traverse(), _MOST_TOGETHER))


def _might_be_free_box(control: RawControl) -> bool:
    return control.form < 0 and "form" not in control.attributes and _is_text_like(control)


def _free_controls(walk: TreeWalk) -> Iterator[_Free]:
    owned = controls_by_form(walk) if walk.form_parts.forms else {}
    tied = {id(control) for controls in owned.values() for control in controls}
    free = [
        pair
        for pair in enumerate(walk.form_parts.controls)
        if id(pair[1]) not in tied and "form" not in pair[1].attributes
    ]
    if len(free) > _MOST_CONTROLS:
        walk.mark("many_boxes")
    for number, control in free[:_MOST_CONTROLS]:
        around = list(_elements_around(control.node))
        region = next(filter(_is_search_region, around), None)
        yield _Free(number, control, region, around[:_NEAR], _rank(control, region, around[:_NEAR]))


def _elements_around(node: LexborNode) -> Iterator[LexborNode]:
    parent = node.parent
    for level in range(_FAR):
        if parent is None or (level and parent.tag in _WHOLE_PAGE):
            return
        yield parent
        parent = parent.parent


def _is_search_region(node: LexborNode) -> bool:
    return node.tag == "search" or _has_role(node.attributes, "search")


def _has_role(attributes: Attributes, role: str) -> bool:
    return "role" in attributes and role in (attributes["role"] or "").lower().split()


def _is_text_like(control: RawControl) -> bool:
    kind = (control.attributes.get("type") or "text").strip().lower()
    return control.tag == "textarea" or (control.tag == "input" and kind in ("text", "search"))


def _rank(control: RawControl, region: LexborNode | None, near: list[LexborNode]) -> int | None:
    """Return how much a control looks like a search box, best first; None if it is no box that can be named."""
    attributes = control.attributes
    if not _is_text_like(control):
        return None
    role = (attributes.get("role") or "").lower()
    is_for_searching = (
        region is not None
        or role == "searchbox"
        or any(_has_role(node.attributes, "searchbox") for node in near)
        or (attributes.get("type") or "").lower() == "search"
        or any((attributes.get(name) or "").lower() == "search" for name in _SEARCH_HINTS)
    )
    if is_for_searching:
        return 0
    if role == "combobox" or "aria-autocomplete" in attributes:
        return 1
    if control.tag == "textarea" or "readonly" in attributes:
        return None
    if control.label is not None or any(attributes.get(name) for name in _NAMING):
        return 2
    return 2 if _is_bound_to_search(attributes, near) else None


def _is_bound_to_search(attributes: Attributes, near: list[LexborNode]) -> bool:
    """Say whether a script reads a box, and its variable or an element around it is named after a search."""
    variable = _variable(attributes)
    if not variable:
        return False
    around = (node.attributes.get(name) or "" for node in near for name in ("id", "class"))
    return any(_SEARCHING.search(called[:_LONGEST_VARIABLE]) for called in chain((variable,), around))


def _variable(attributes: Attributes) -> str:
    """Return the variable of a script that a box is tied to, without the objects that hold it.

    >>> _variable({"v-model.trim": "filters.searchTerm"}), _variable({"formcontrolname": "city"}), _variable({"class": "q"})
    ('searchTerm', 'city', '')
    """
    bound = (value for name, value in attributes.items() if value and _BINDING.fullmatch(name))
    return next(bound, "")[:_LONGEST_VARIABLE].rpartition(".")[2].strip()


_Group = tuple["LexborNode", list[_Free]]


def _groups(free: list[_Free]) -> Iterator[_Group]:
    """Yield the controls that stand together, with the element around them; every control is in at most one group."""
    inside: dict[int, list[_Free]] = defaultdict(list)
    for each in free:
        for node in [each.region] if each.region is not None else each.near:
            inside[node.mem_id].append(each)
    boxes = [(each, each.region or _common_container(each, inside)) for each in free if each.rank is not None]
    taken: set[int] = set()
    for box, node in sorted(boxes, key=lambda found: len(inside[found[1].mem_id])):
        if box.number in taken:
            continue
        left = [each for each in inside[node.mem_id] if each.number not in taken]
        left.sort(key=lambda each: abs(each.number - box.number))
        members = sorted(left[:_MOST_TOGETHER], key=_number)
        taken.update(map(_number, members))
        yield node, members


def _common_container(box: _Free, inside: dict[int, list[_Free]]) -> LexborNode:
    """Return the smallest element around a box that holds another control, too; if none does, the parent of the box."""
    return next((node for node in box.near if len(inside[node.mem_id]) > 1), box.near[0])


def _best(groups: list[_Group], walk: TreeWalk) -> list[_Group]:
    """Return the groups that look most like searches, in the order of the page, and of similar ones the first."""
    first_of_kind: dict[tuple[str, ...], _Group] = {}
    for group in groups:
        first_of_kind.setdefault(_kind_of_group(group), group)
    ranked = sorted(
        first_of_kind.values(), key=lambda group: min(e.rank for e in group[1] if e.rank is not None)
    )
    if len(ranked) > _MOST_SEARCHES:
        walk.mark("many_boxes")
    return sorted(ranked[:_MOST_SEARCHES], key=_first_number)


def _kind_of_group(group: _Group) -> tuple[str, ...]:
    """Return what the boxes of a group have in common with those of another row: their names without numbers."""
    boxes = (each.control.attributes for each in group[1] if each.rank is not None)
    return tuple(NUMBER.sub("0", box.get("name") or box.get("id") or _other_name(box)) for box in boxes)


def _other_name(attributes: Attributes) -> str:
    return attributes.get("aria-label") or attributes.get("placeholder") or _variable(attributes)


def _number(each: _Free) -> int:
    return each.number


def _first_number(group: _Group) -> int:
    return group[1][0].number


def _make_form(walk: TreeWalk, flat: str, container: LexborNode, members: list[_Free]) -> None:
    start = min(each.control.span.start for each in members)
    span = TextSpan("", flat.rfind("\n", 0, start) + 1)
    last = max(each.control.span.end for each in members)
    end_of_line = flat.find("\n", last)
    span.end = end_of_line if end_of_line >= 0 else len(flat)
    around = container.attributes
    # Its id is no id of a form: no `form=` may lead here.
    attributes = {
        "name": around.get("id"),
        **{key: around.get(key) for key in ("class", "role", "aria-label")},
    }
    for each in members:
        named = _name_by_variable(each.control.attributes)
        walk.form_parts.controls[each.number] = each.control._replace(
            form=len(walk.form_parts.forms), attributes=named
        )
    walk.form_parts.forms.append(RawForm(attributes, span))


def _name_by_variable(attributes: Attributes) -> Attributes:
    """Return the attributes of a control that no form holds, with the variable for a name if it has none."""
    if attributes.get("name") or attributes.get("id") or not (variable := _variable(attributes)):
        return attributes
    return {**attributes, "name": variable}


# SearchAction


@dataclass(frozen=True, slots=True)
class _SearchAction:
    """What a page says about a search in the words of schema.org."""

    templates: tuple[str, ...]
    inputs: dict[str, bool]  # the gaps that people fill in, and whether they must
    owner: str = ""  # the name of what is searched
    text: str = ""


def _declare_forms(walk: TreeWalk, forms: list[Form], language: str) -> list[Form]:
    found = [
        _declare_form(walk, language, action, template)
        for action in islice(chain(_actions_in_json(walk), _actions_in_microdata(walk)), _MOST_ACTIONS)
        for written in action.templates[:_MOST_SEARCHES]
        if (template := absolute_template(written, walk.head.base))
    ]
    new = drop_repeats(found, forms)[:_MOST_SEARCHES]
    return [replace(form, place=place) for place, form in enumerate(new, len(forms))]


def _declare_form(walk: TreeWalk, language: str, action: _SearchAction, template: str) -> Form:
    return Form(
        page_url=walk.url,
        action=start_of(template),
        method="GET",
        fields=tuple(_declare_fields(template, action.inputs)),
        text=action.text,
        heading=action.owner,
        names="SearchAction",
        page_title=walk.head.title,
        language=language,
        source="schema.org",
        template=template,
        needs_browser=needs_script(template),
    )


def _declare_fields(template: str, inputs: dict[str, bool]) -> Iterator[Field]:
    """Return a control for each gap: the first that people fill in takes the words, gaps that are not declared stay empty."""
    gaps = gaps_of(template)
    parameters = parameters_of(template)
    named = [name for name in gaps if name in inputs] or list(gaps)[:1]
    for name, may_be_empty in gaps.items():
        label = " ".join(re.split(r"[\W_]+", name)).strip()
        hints = [LabelHint("schema.org", label)] if label else []
        if name in parameters:
            hints.append(LabelHint("name", parameters[name]))
        kind = "search" if name == named[0] else "text" if name in named else "hidden"
        required = name in named and not may_be_empty and inputs.get(name, True)
        yield Field(name, kind, label, required=required, hints=tuple(hints))


def _actions_in_json(walk: TreeWalk) -> Iterator[_SearchAction]:
    for data in read_json_ld(walk, about="SearchAction"):
        yield from _actions_within(data)


def _actions_within(data: object) -> Iterator[_SearchAction]:
    """Return every SearchAction of a JSON value, however deep, with the name of what it belongs to."""
    waiting = [(data, "")]
    while waiting:
        value, owner = waiting.pop()
        if isinstance(value, list):
            waiting += [(each, owner) for each in reversed(value) if isinstance(each, (dict, list))]
        elif isinstance(value, dict):
            if _is_a("SearchAction", value.get("@type")):
                yield _action(value, owner)
            owner = _text(value.get("name")) or owner
            waiting += [(v, owner) for v in reversed(value.values()) if isinstance(v, (dict, list))]


def _is_a(kind: str, types: object) -> bool:
    return any(isinstance(each, str) and re.split("[/#:]", each)[-1] == kind for each in _list_of(types))


def _action(value: dict[str, object], owner: str) -> _SearchAction:
    templates = tuple(filter(None, map(_template, _list_of(value.get("target")))))
    words = (_text(value.get("name")), _text(value.get("description")))
    return _SearchAction(
        templates, _inputs(_list_of(value.get("query-input"))), owner, " ".join(filter(None, words))
    )


def _template(target: object) -> str:
    if isinstance(target, dict):
        if _text(target.get("httpMethod")).upper() not in ("", "GET"):
            return ""
        target = next(
            iter(_list_of(target.get("urlTemplate") or target.get("template") or target.get("url"))), ""
        )
    return target if isinstance(target, str) else ""


def _inputs(specifications: Iterable[object]) -> dict[str, bool]:
    inputs: dict[str, bool] = {}
    for each in specifications:
        if isinstance(each, dict):
            name = _text(each.get("valueName"))
            required = _text(each.get("valueRequired")).lower() not in ("", "false", "0")
        else:
            name, required = _input(_text(each))
        if name:
            inputs[name] = required
    return inputs


def _input(specification: str) -> tuple[str, bool]:
    """Return the name in a short specification, and whether it says that a value is required.

    >>> _input("required maxlength=100 name=words"), _input("name=words"), _input("words")
    (('words', True), ('words', False), ('words', False))
    """
    found = _NAME_IN_SPECIFICATION.search(specification)
    if found:
        return found[1], "required" in specification.split()
    words = specification.split()
    return (words[0] if len(words) == 1 else ""), False


def _list_of(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: object) -> str:
    """Return a JSON value as one short line; what is no text or number has none."""
    value = next(iter(value), None) if isinstance(value, list) else value
    return " ".join(str(value)[:500].split()) if isinstance(value, (str, int, float)) else ""


def _actions_in_microdata(walk: TreeWalk) -> Iterator[_SearchAction]:
    templates: dict[int, list[str]] = defaultdict(list)
    inputs: dict[int, dict[str, bool]] = defaultdict(dict)
    boxes = [control.node for control in walk.form_parts.controls if "itemprop" in control.attributes]
    for node in (*walk.head.properties, *boxes[:_MOST_TOGETHER]):
        action = _action_around(node) if walk.head.properties else None
        if action is None:
            continue
        attributes = node.attributes
        content = attributes.get("content") or attributes.get("href") or ""
        if "query-input" not in (attributes["itemprop"] or "").split():
            templates[action].append(content)
        elif attributes.get("name"):
            inputs[action][attributes["name"] or ""] = "required" in attributes
        else:
            inputs[action].update(_inputs([content]))
    for action, found in templates.items():
        yield _SearchAction(tuple(found), inputs[action])


def _action_around(node: LexborNode) -> int | None:
    """Return which SearchAction a property belongs to: its own item, or the one whose target is its item."""
    for scope in _elements_around(node):
        attributes = scope.attributes
        if "itemscope" in attributes:
            kinds = (attributes.get("itemtype") or "").split()
            if _is_a("SearchAction", kinds):
                return scope.mem_id
            if not _is_a("EntryPoint", kinds):
                return None
    return None
