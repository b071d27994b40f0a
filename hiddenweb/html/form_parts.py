"""The forms of a page and their controls, in the order of the walk; which control belongs to which form is decided later (`hiddenweb.html.form_owners`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiddenweb.html.hardening import ONE_CHOICE
from hiddenweb.html.page_parts import RawControl, RawForm, TextSpan
from hiddenweb.html.tags import DATALIST, NAMES, UNREAD, numbers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import Attributes, Leave
    from hiddenweb.html.tree_walk import TreeWalk

OF_FORMS = numbers_of("form input select textarea button fieldset legend label svg math")
_FOREIGN = numbers_of("svg math")
_ODD_IN_SELECT = "form, fieldset, button, textarea, input"
_TEXT_OF_FORMULAS = numbers_of("mi mo mn ms mtext")
_NOSCRIPT = re.compile(rb"<noscript[\s>](.*?)</noscript", re.IGNORECASE | re.DOTALL)
_FORM = re.compile(rb"<form[\s>]", re.IGNORECASE)
_LONGEST_HEAD = 20_000  # bytes; a limit of taste


class FormParts:
    """The forms and controls found so far, and the open elements around the current node."""

    def __init__(self) -> None:
        self.forms: list[RawForm] = []
        self.form = -1
        self.controls: list[RawControl] = []
        self.options = 0
        self.labels: list[TextSpan] = []
        self.label: TextSpan | None = None
        self.disabled = 0  # disabled fieldsets around the current node
        self.fieldsets = 0
        self.legend: TextSpan | None = None  # of the fieldset around the current node
        self.noscripts = 0
        self.noscripts_in_head: Iterator[re.Match[bytes]] | None = None
        self.moved_forms = 0  # out of a noscript
        self.datalists: dict[str, LexborNode] = {}
        self.ties: dict[int, int] | None = (
            None  # forms of misnested controls, by the parser's number of a node
        )


def enter_form(walk: TreeWalk, node: LexborNode, attributes: Attributes, _path: str) -> Leave | None:
    """Begin a form."""
    if len(walk.form_parts.forms) >= walk.limits.forms:
        walk.mark("many_forms")
        return None
    outer = walk.form_parts.form
    walk.form_parts.form = len(walk.form_parts.forms)
    span = TextSpan("", walk.length)
    in_noscript = walk.form_parts.noscripts > 0 or walk.form_parts.moved_forms > 0
    walk.form_parts.moved_forms = max(walk.form_parts.moved_forms - 1, 0)
    walk.form_parts.forms.append(
        RawForm(attributes, span, node, is_nested=outer >= 0, in_noscript=in_noscript)
    )

    def done() -> None:
        span.end = walk.length
        walk.form_parts.form = outer

    return done


def enter_fieldset(walk: TreeWalk, _node: LexborNode, attributes: Attributes, _path: str) -> Leave:
    """Begin a group of controls, which may have a name and be disabled together."""
    is_disabled = "disabled" in attributes
    legend = walk.form_parts.legend
    walk.form_parts.disabled += is_disabled
    walk.form_parts.fieldsets += 1

    def done() -> None:
        walk.form_parts.disabled -= is_disabled
        walk.form_parts.fieldsets -= 1
        walk.form_parts.legend = legend

    return done


def enter_legend(walk: TreeWalk, node: LexborNode, _attributes: Attributes, _path: str) -> Leave | None:
    """Begin the name of a fieldset: in the first legend of a disabled one controls work."""
    if not walk.form_parts.fieldsets:
        return None
    span = walk.form_parts.legend = TextSpan("", walk.length)
    is_enabled = walk.form_parts.disabled > 0 and _enables_controls(node)
    walk.form_parts.disabled -= is_enabled

    def done() -> None:
        span.end = walk.length
        walk.form_parts.disabled += is_enabled

    return done


def enter_noscript(walk: TreeWalk, node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
    """Begin a part for browsers without scripts; from the head of a page the parser moves its forms into the body."""
    walk.form_parts.noscripts += 1
    if node.parent is not None and node.parent.tag == "head":
        if walk.form_parts.noscripts_in_head is None:
            walk.form_parts.noscripts_in_head = _NOSCRIPT.finditer(walk.source[:_LONGEST_HEAD])
        part = next(walk.form_parts.noscripts_in_head, None)
        walk.form_parts.moved_forms += len(_FORM.findall(part[1])) if part else 0

    def done() -> None:
        walk.form_parts.noscripts -= 1

    return done


def enter_wordless(walk: TreeWalk, node: LexborNode, attributes: Attributes, _path: str) -> Leave | None:
    """Begin a part whose text does not count, but whose controls do: suggestions, formulas, the replacement of a video."""
    outer = walk.is_foreign
    if outer and not walk.wordless and node.tag_id not in _TEXT_OF_FORMULAS:
        return None
    if node.tag_id == DATALIST:
        walk.form_parts.datalists.setdefault(attributes.get("id") or "", node)
    walk.is_foreign = True
    walk.wordless += 1

    def done() -> None:
        walk.is_foreign = outer
        walk.wordless -= 1

    return done


def enter_label(walk: TreeWalk, _node: LexborNode, attributes: Attributes, _path: str) -> Leave:
    """Begin a label."""
    outer = walk.form_parts.label
    span = walk.form_parts.label = TextSpan(attributes.get("for") or "", walk.length)
    walk.form_parts.labels.append(span)

    def done() -> None:
        span.end = walk.length
        walk.form_parts.label = outer

    return done


def enter_control(walk: TreeWalk, node: LexborNode, attributes: Attributes, _path: str) -> Leave | None:
    """Take a control; buttons have text of their own."""
    if len(walk.form_parts.controls) >= walk.limits.fields:
        walk.mark("many_fields")
        return None
    if walk.form_parts.noscripts and not (
        walk.form_parts.form >= 0 and walk.form_parts.forms[walk.form_parts.form].in_noscript
    ):
        return None  # a form that works with scripts has no such control
    span = TextSpan("", walk.length)
    tag = NAMES[node.tag_id]
    if ONE_CHOICE in attributes:
        attributes.pop("multiple", None)
    walk.form_parts.controls.append(
        RawControl(
            tag,
            attributes,
            node,
            span,
            walk.form_parts.form,
            walk.form_parts.label,
            walk.form_parts.disabled > 0,
            walk.form_parts.legend,
            walk.unseen > 0,
        )
    )
    if tag == "select" and node.css_first(_ODD_IN_SELECT) is not None:
        enter_select(walk, node)
    if tag != "button":
        return None

    def done() -> None:
        span.end = walk.length

    return done


def enter_select(walk: TreeWalk, select: LexborNode) -> None:
    """Take the forms and controls among the options of a select: a select that is not closed may hold half of a page."""
    around: list[tuple[LexborNode, Leave | None]] = []
    node = select.first_child
    while node is not None and not walk.is_late():
        tag = node.tag_id
        is_read = tag in OF_FORMS and tag not in _FOREIGN
        leave = walk.enter_alone(node, tag) if is_read else None
        child = node.first_child if tag not in UNREAD and tag not in _FOREIGN else None
        around.append((node, leave))
        while child is None and around:
            node, leave = around.pop()
            if leave is not None:
                leave()
            child = node.next
        node = child
    for _, leave in reversed(around):
        if leave is not None:
            leave()


def _enables_controls(legend: LexborNode) -> bool:
    """Say whether a legend is the first of its own, disabled fieldset."""
    parent = legend.parent
    return (
        parent is not None
        and parent.tag == "fieldset"
        and "disabled" in parent.attributes
        and not any(child.tag == "legend" for child in _previous_siblings(legend))
    )


def _previous_siblings(node: LexborNode) -> Iterator[LexborNode]:
    earlier = node.prev
    while earlier is not None:
        yield earlier
        earlier = earlier.prev
