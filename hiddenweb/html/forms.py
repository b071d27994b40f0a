"""The forms of a page, and their contents; `hiddenweb.html.form_owners` decides which controls belong to which form.

A browser reads nothing in <noscript>. We run no scripts, so a whole form in <noscript> is read, with the source "noscript"; controls
there that would belong to a form outside are left out, as are controls in a <template>. Controls in a <datalist> are invisible, but they
are read, since browsers send them.

A page may hold thousands of controls in thousands of elements, so what a control inherits from the elements around it (whether it is
disabled, its direction) is computed once for each element, and so is a list of suggestions. Of texts that are read for many controls
only the beginning is read.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from hiddenweb import urls
from hiddenweb.html.charsets import web_encoding
from hiddenweb.html.field_labels import FieldLabels
from hiddenweb.html.form_owners import controls_by_form
from hiddenweb.html.page_regions import CONCEALING
from hiddenweb.html.tags import OPTION
from hiddenweb.model import Field, Form, Option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import Attributes, RawControl, RawForm, TextSpan
    from hiddenweb.html.tree_walk import TreeWalk

_INPUT_TYPES = frozenset({
    "button", "checkbox", "color", "date", "datetime-local", "email", "file", "hidden", "image", "month",
    "number", "password", "radio", "range", "reset", "search", "submit", "tel", "text", "time", "url",
    "week",
})  # fmt: skip
_TEXT_TYPES = frozenset({"text", "search", "tel", "url", "email", "password", "textarea"})
_DIRECTED = _TEXT_TYPES | {"hidden", "submit"}
_URLENCODED = "application/x-www-form-urlencoded"
_ENCTYPES = frozenset({_URLENCODED, "multipart/form-data", "text/plain"})
_METHODS = {"post": "POST", "dialog": "DIALOG"}
_INTEGER = re.compile(r"[ \t\n\f\r]*\+?(\d{1,9})(?!\d)")
_WHITE_SPACE = re.compile("[ \t\n\f\r]+")
_ASCII_SPACE = " \t\n\f\r"
_CAPTCHAS = ("captcha", "cf-turnstile", "securimage")
_AROUND = 3  # elements; a limit of taste
_LONGEST_AROUND = 80  # characters of one element; a limit of taste
_LONGEST_TEXT = 50_000  # characters of a form; a limit of taste
_MOST_SUGGESTIONS = 50  # suggestions of a box; a limit of taste
_LONGEST_SUGGESTION = 120
"""Characters of a suggestion that are stored; a limit of taste: nobody types longer values."""

_NOWHERE = "about:invalid"  # for an address that cannot be parsed
_LONGEST_PHRASE = 1_000  # characters of a heading, a title, a placeholder ...; a limit of taste
_NEAR = 500  # characters between a form and what belongs to it; a limit of taste
_HEADINGS = 3
_SENTENCE = 3  # spaces in the shortest one
_MOST_NODES = 1_000  # of a list of suggestions, or of an option with markup in it; a limit of taste
_LONGEST_OPTION = 10_000  # characters, with markup in it; a limit of taste
_LONGEST_SAMPLE = 500  # characters by which the direction of a part is decided; a limit of taste
_DIRECTIONS = frozenset({"ltr", "rtl", "auto"})
_UNDIRECTED = frozenset(
    {"bdi", "script", "style", "textarea"}
)  # they do not count for the element around them

_T = TypeVar("_T")


@dataclass(slots=True)
class _Cache:
    """What is the same for many controls: by the parser's number of an element, or by the id of a datalist."""

    directions: dict[int, str] = field(default_factory=dict)
    disabled: dict[int, bool] = field(default_factory=dict)
    suggestions: dict[str, tuple[str, ...]] = field(default_factory=dict)


def forms_of(walk: TreeWalk, flat: str, language: str = "") -> Iterator[Form]:
    """Yield the forms of a page with their controls, inside of them or elsewhere."""
    if not walk.form_parts.forms:
        return
    owned = controls_by_form(walk)
    labels = FieldLabels(walk, flat)
    cache = _Cache()
    for place, form in enumerate(walk.form_parts.forms):
        fields = tuple([_field(control, labels, walk, cache) for control in owned[place]])
        yield _form(walk, labels, language, place, form, fields, owned[place])


def _form(
    walk: TreeWalk,
    labels: FieldLabels,
    language: str,
    place: int,
    form: RawForm,
    fields: tuple[Field, ...],
    controls: list[RawControl],
) -> Form:
    attributes, span, flat = form.attributes, form.span, labels.flat
    end = max([span.end, *(control.span.end for control in controls if span.start == span.end)])
    end = min(end, span.start + _LONGEST_TEXT)
    words = [flat[span.start : end], *(f.label for f in fields if f.kind in ("submit", "image") and f.label)]
    named = [attributes.get(name) for name in ("id", "name", "class", "role", "aria-label", "title")]
    if ids := attributes.get("aria-labelledby"):
        named.append(labels.text_of_ids(ids))
    action = _address(attributes.get("action") or "", walk)
    heading, aside = _headings(walk, flat, place)
    return Form(
        page_url=walk.url,
        action=action,
        method=_method(attributes.get("method")),
        fields=fields,
        enctype=_enctype(attributes.get("enctype")),
        charset=_charset_of_form(attributes, walk.charset),
        text=" ".join(" ".join(words).split()),
        heading=heading[:_LONGEST_PHRASE],
        aside=aside[:_LONGEST_PHRASE],
        before=_line_before(labels, walk, place),
        names=" ".join(name for name in named if name)[:_LONGEST_PHRASE],
        place=place,
        element_id=attributes.get("id") or "",
        rel=" ".join((attributes.get("rel") or "").lower().split()),
        around=_ancestors_text(form.node),
        page_title=walk.head.title[:_LONGEST_PHRASE],
        language=language,
        source="noscript" if form.in_noscript else "form",
        needs_browser=action[:11].lower() == "javascript:" or _has_only_nameless_boxes(fields),
        captcha=_is_guarded(walk, form),
    )


def _headings(walk: TreeWalk, flat: str, place: int) -> tuple[str, str]:
    """Return the headings shortly before a form: those above it, and those of other parts of the page.

    A part may end before the form begins. And a heading before another form belongs to that form: below "Newsletter" stands the box for
    an address, and then the search.
    """
    start = walk.form_parts.forms[place].span.start
    earlier = [form.span for form in walk.form_parts.forms[:place] if form.span.end <= start]
    since = max([0, *(span.start for span in earlier)])
    end = bisect_right(walk.headings, start, key=_end_of_heading)
    above: dict[str, None] = {}
    aside: dict[str, None] = {}
    for at in range(max(end - _HEADINGS, 0), end):
        heading = walk.headings[at]
        if heading.end >= start - _NEAR:
            text = " ".join(flat[heading.start : min(heading.end, heading.start + _LONGEST_PHRASE)].split())
            is_above = heading.end >= since and _is_above(
                walk.heading_nodes[at], walk.form_parts.forms[place].node
            )
            (above if is_above else aside).setdefault(text)
    return " | ".join(filter(None, above)), " | ".join(filter(None, aside))


def _end_of_heading(heading: TextSpan) -> int:
    return heading.end


def _is_above(heading: LexborNode, form: LexborNode | None) -> bool:
    """Say whether a heading stands above a form: both are in the smallest part of the page that has more text than the heading."""
    within, part = heading, heading.parent
    while part is not None and part.parent is not None and not _has_more_text(part, within):
        within, part = part, part.parent
    node = form
    while node is not None and not (part is not None and node.mem_id == part.mem_id):
        node = node.parent
    return form is None or node is not None


def _has_more_text(part: LexborNode, than: LexborNode) -> bool:
    """Say whether an element has text outside of one of its children."""
    return any(
        child.mem_id != than.mem_id and child.text(strip=True) for child in part.iter(include_text=True)
    )


def _line_before(labels: FieldLabels, walk: TreeWalk, place: int) -> str:
    """Return the line that stands right before a form, if it is a sentence and no menu, and not within another form."""
    flat, start = labels.flat, walk.form_parts.forms[place].span.start
    end = len(flat[max(start - _NEAR, 0) : start].rstrip()) + max(start - _NEAR, 0)
    begin = flat.rfind("\n", max(end - _NEAR, 0), end) + 1
    if any(form.span.start <= begin < form.span.end <= start for form in walk.form_parts.forms[:place]):
        return ""
    words = labels.words(begin, end) if begin else ""
    return words if words.count(" ") >= _SENTENCE and not labels.links_in(begin, end) else ""


def _is_guarded(walk: TreeWalk, form: RawForm) -> bool:
    """Say whether a picture, a class, a script or anything else in a form is called a captcha; in doubt, yes."""
    source = walk.lowercase_source()
    if form.node is None or not any(word.encode() in source for word in _CAPTCHAS):
        return False
    inside = (form.node.html or "").lower() if not form.is_nested else _CAPTCHAS[0]
    return any(word in inside for word in _CAPTCHAS)


def _address(written: str, walk: TreeWalk) -> str:
    """Return the address that a form or a button sends to: if it has none, the page itself, not its base."""
    written = written.strip(_ASCII_SPACE)
    if not written:
        return urls.normalise_url(walk.url) or walk.url
    address = walk.resolve(written) or written
    return address if urls.is_readable(address) else _NOWHERE


def _method(written: str | None) -> str:
    return _METHODS.get((written or "").lower(), "GET")


def _enctype(written: str | None) -> str:
    written = (written or "").lower()
    return written if written in _ENCTYPES else _URLENCODED


def _charset_of_form(attributes: Attributes, charset: str) -> str:
    name = charset
    if accepted := attributes.get("accept-charset"):
        labels = re.split(r"[\s,]+", accepted)
        known = next(filter(None, map(web_encoding, filter(None, labels))), None)
        name = known[0] if known else charset
    return "utf-8" if name.startswith("utf-16") else name


def _ancestors_text(node: LexborNode | None) -> str:
    """Return the elements around a form, the nearest first, as tag#id.class.class@role."""
    described: list[str] = []
    while node is not None and len(described) < _AROUND:
        node = node.parent
        if node is None or node.tag in ("html", "-document", "#document"):
            break
        attribute = node.attrs.sget
        parts = [node.tag or ""]
        if name := attribute("id", "")[:_LONGEST_AROUND]:
            parts.append("#" + "".join(name.split()))
        parts += ["." + style for style in attribute("class", "")[:_LONGEST_AROUND].split()]
        if role := attribute("role", "")[:_LONGEST_AROUND]:
            parts.append("@" + "".join(role.split()))
        described.append("".join(parts)[:_LONGEST_AROUND])
    return " ".join(described)


def _has_only_nameless_boxes(fields: tuple[Field, ...]) -> bool:
    """Say whether a form has boxes for text, but none of them would be sent."""
    boxes = [f.name for f in fields if f.kind in _TEXT_TYPES and not f.disabled]
    return bool(boxes) and not any(boxes)


# Controls


def _field(control: RawControl, labels: FieldLabels, walk: TreeWalk, cache: _Cache) -> Field:
    attributes = control.attributes
    attribute = attributes.get
    kind = _kind_of(control)
    options = _options(control, walk, cache) if kind == "select" else ()
    hints = labels.hints(control, kind)
    is_button = kind in ("submit", "image")
    is_directed = "dirname" in attributes and kind in _DIRECTED and control.tag != "button"
    return Field(
        name=attribute("name") or "",
        kind=kind,
        label=hints[0].text if hints else "",
        value=_value(control, kind, options),
        options=options,
        placeholder=(attribute("placeholder") or "")[:_LONGEST_PHRASE],
        autocomplete=attribute("autocomplete") or "",
        element_id=attribute("id") or "",
        required="required" in attributes,
        disabled=control.disabled or "disabled" in attributes,
        readonly="readonly" in attributes,
        multiple="multiple" in attributes,
        checked="checked" in attributes,
        max_length=_integer(attribute("maxlength")) if "maxlength" in attributes else None,
        minimum=attribute("min") or "",
        maximum=attribute("max") or "",
        step=attribute("step") or "",
        pattern=attribute("pattern") or "",
        dirname=(attribute("dirname") or "") if is_directed else None,
        direction=_direction(control, kind, cache) if is_directed else "ltr",
        form_action=_address(attribute("formaction") or "", walk)
        if is_button and "formaction" in attributes
        else None,
        form_method=_method(attribute("formmethod")) if is_button and "formmethod" in attributes else None,
        form_enctype=_enctype(attribute("formenctype"))
        if is_button and "formenctype" in attributes
        else None,
        suggestions=_suggestions(attribute("list") or "", walk, cache) if "list" in attributes else (),
        unseen=kind != "hidden" and (control.unseen or _conceals_itself(attributes)),
        hints=hints,
        size=(_integer(attribute("size")) or 0) if "size" in attributes else 0,
        wrap=_wrap(attributes) if kind == "textarea" and "wrap" in attributes else 0,
    )


def _kind_of(control: RawControl) -> str:
    kind = (control.attributes.get("type") or "").lower()
    if control.tag == "input":
        return kind if kind in _INPUT_TYPES else "text"
    if control.tag != "button":
        return control.tag
    if kind in ("reset", "button", "submit"):
        return kind
    parent = control.node.parent
    opens = parent is not None and parent.tag == "select"
    commands = "command" in control.attributes or "commandfor" in control.attributes
    return "button" if opens or commands else "submit"


def _value(control: RawControl, kind: str, options: tuple[Option, ...]) -> str:
    if kind == "textarea":
        return control.node.text()
    if kind == "select":
        return next((option.value for option in options if option.selected), "")
    if kind in ("checkbox", "radio") and "value" not in control.attributes:
        return "on"
    if control.tag == "input" and kind == "submit" and "value" not in control.attributes:
        return "Submit"  # what it shows, and what browsers send, though the standard says nothing is sent
    return control.attributes.get("value") or ""


def _integer(written: str | None) -> int | None:
    """Return the number in an attribute as the standard reads it: text behind the digits does not count."""
    found = _INTEGER.match(written or "")
    return int(found[1]) if found else None


def _wrap(attributes: Attributes) -> int:
    is_hard = (attributes.get("wrap") or "").lower() == "hard"
    return (_integer(attributes.get("cols")) or 20) if is_hard else 0


def _conceals_itself(attributes: Attributes) -> bool:
    return "hidden" in attributes or (
        "style" in attributes and bool(CONCEALING.search(attributes["style"] or ""))
    )


def _suggestions(name: str, walk: TreeWalk, cache: _Cache) -> tuple[str, ...]:
    if name not in cache.suggestions:
        cache.suggestions[name] = tuple(
            dict.fromkeys(_datalist_values(walk.form_parts.datalists.get(name), walk))
        )
    return cache.suggestions[name] if name else ()


def _datalist_values(datalist: LexborNode | None, walk: TreeWalk) -> Iterator[str]:
    nodes = islice(datalist.traverse(), _MOST_NODES) if datalist is not None else ()
    for option in islice((node for node in nodes if node.tag_id == OPTION), _MOST_SUGGESTIONS):
        if walk.form_parts.options >= walk.limits.options:
            return
        walk.form_parts.options += 1
        value = option.attributes.get("value")
        yield _one_line(value if value is not None else _text_of_option(option))[:_LONGEST_SUGGESTION]


def _inherit(
    node: LexborNode | None, cached: dict[int, _T], own_value: Callable[[LexborNode], _T | None], default: _T
) -> _T:
    """Return the value of the nearest element that has one, from this one up, and cache it for all elements up to there."""
    passed: list[int] = []
    found: _T | None = None
    while node is not None and found is None:
        passed.append(node.mem_id)
        found = cached[node.mem_id] if node.mem_id in cached else own_value(node)
        node = node.parent
    result = found if found is not None else default
    cached.update(dict.fromkeys(passed, result))
    return result


def _direction(control: RawControl, kind: str, cache: _Cache) -> str:
    """Return the writing direction of a control: its own, or that of the nearest element that has one."""
    own = (control.attributes.get("dir") or "").lower()
    if own in _DIRECTIONS:
        return own
    return _inherit(control.node.parent, cache.directions, _own_direction, "ltr") if kind != "tel" else "ltr"


def _own_direction(element: LexborNode) -> str | None:
    direction = _dir(element)
    return _direction_within(element) if direction == "auto" else direction or None


def _dir(node: LexborNode) -> str:
    direction = (node.attributes.get("dir") or "").lower()
    return direction if direction in _DIRECTIONS else ""


def _direction_within(element: LexborNode) -> str:
    """Return the direction of the first letter that has one; parts with a direction of their own do not count.

    So no letter is read twice, even if many elements need their direction.
    """
    left = _LONGEST_SAMPLE
    node = element.first_child
    while node is not None and left > 0:
        if node.is_text_node:
            text = (node.text_content or "").strip()[:left]
            left -= len(text)
            if found := _first_direction(text):
                return found
        following = node.first_child if not (node.tag in _UNDIRECTED or _dir(node)) else None
        while following is None and node is not None and node.mem_id != element.mem_id:
            following = node.next
            node = node.parent
        node = following
    return "ltr"


def direction_of(text: str) -> str:
    """Return the direction of the first letter that has one.

    >>> direction_of("12 שלום"), direction_of("12"), direction_of("a שלום")
    ('rtl', 'ltr', 'ltr')
    """
    return _first_direction(text) or "ltr"


def _first_direction(text: str) -> str:
    for character in text:
        strength = unicodedata.bidirectional(character)
        if strength in ("R", "AL"):
            return "rtl"
        if strength == "L":
            return "ltr"
    return ""


# Selects


def _options(control: RawControl, walk: TreeWalk, cache: _Cache) -> tuple[Option, ...]:
    """Return the options of a select; if it shows one at a time, exactly one is selected."""
    found: list[Option] = []
    for node in control.node.traverse():
        if node.tag_id != OPTION:
            continue
        if walk.form_parts.options >= walk.limits.options:
            walk.mark("many_options")
            break
        walk.form_parts.options += 1
        attributes = node.attributes
        text = _text_of_option(node)
        value = (attributes["value"] or "") if "value" in attributes else text
        label = attributes.get("label")
        found.append(
            Option(
                value,
                _one_line(label) if label else text,
                "selected" in attributes,
                "disabled" in attributes or _inherit(node.parent, cache.disabled, _disables, False),
            )
        )
    if "multiple" in control.attributes or not found:
        return tuple(found)
    return _select_one(found, (_integer(control.attributes.get("size")) or 1) == 1)


def _text_of_option(node: LexborNode) -> str:
    child = node.first_child
    if child is None:
        return ""
    if child.next is None and child.is_text_node:
        return _one_line(child.text_content or "")
    return _one_line("".join(_texts_without_scripts(node))[:_LONGEST_OPTION])


def _texts_without_scripts(node: LexborNode) -> Iterator[str]:
    length = 0
    for each in islice(node.traverse(include_text=True), _MOST_NODES):
        if each.is_text_node and (each.parent is None or each.parent.tag != "script"):
            yield each.text_content or ""
            length += len(each.text_content or "")
        if length > _LONGEST_OPTION:
            return


def _one_line(text: str) -> str:
    """Return the text of an option: only the white space of ASCII is stripped and collapsed."""
    if text.isascii():
        return " ".join(text.split())
    return _WHITE_SPACE.sub(" ", text).strip(" ")


def _select_one(found: list[Option], is_menu: bool) -> tuple[Option, ...]:
    chosen = max((place for place, option in enumerate(found) if option.selected), default=-1)
    if chosen < 0 and is_menu:
        chosen = next((place for place, option in enumerate(found) if not option.disabled), -1)
    return tuple(
        option
        if option.selected is (place == chosen)
        else Option(option.value, option.text, place == chosen, option.disabled)
        for place, option in enumerate(found)
    )


def _disables(element: LexborNode) -> bool | None:
    """Say whether an element disables the options in it; None if the elements around it decide."""
    if element.tag == "optgroup":
        return "disabled" in element.attributes
    return False if element.tag == "select" else None
