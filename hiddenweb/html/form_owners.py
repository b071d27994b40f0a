"""Which controls belong to which form.

A control belongs to the form that its `form` attribute names, else to the form that the parser had open when it reached the
control, else to the form around it. The second rule matters if a page is misnested: a form that starts between the cells of a
table, or is closed together with a tag around it, is an empty element in the tree, and yet owns every control up to its end tag. The
tree does not show this, so the source is read, but only if it may matter: if forms are nested in the tree, or if a form has fewer
controls in the tree than tags of controls before its end tag. Then every form and control gets a number as an attribute and the page is
parsed once more: the number shows which node the parser made of a tag. This is the only parse of a page besides that of its
`Document`, and it is rare.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from hiddenweb.html.hardening import RAW_TEXT, SHADOW_ROOT, TOKEN

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import RawControl
    from hiddenweb.html.tree_walk import TreeWalk


_CONTROLS = frozenset({b"input", b"select", b"textarea", b"button"})
_CONTROL_TAGS = tuple(b"<" + name for name in sorted(_CONTROLS))
_FORMS_AND_CONTROLS = "form, input, select, textarea, button"
_NUMBERED = "hiddenweb-number"
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)


def controls_by_form(walk: TreeWalk) -> dict[int, list[RawControl]]:
    """Return the controls of each form: by `form=`, by the open form of the parser as in browsers, or by the form around them."""
    owned: dict[int, list[RawControl]] = {place: [] for place in range(len(walk.form_parts.forms))}
    if walk.form_parts.ties is None:
        walk.form_parts.ties = _ties_of_parser(walk)
    ties = walk.form_parts.ties
    has_shadows = b"<" + SHADOW_ROOT in walk.source
    for control in walk.form_parts.controls:
        if "form" in control.attributes:
            owner = _form_named(control.attributes["form"] or "", walk)
        else:
            owner = ties.get(control.node.mem_id, control.form) if ties else control.form
        if owner in owned and not (
            has_shadows and _is_in_another_tree(control.node, walk.form_parts.forms[owner].node)
        ):
            owned[owner].append(control)
    return owned


def _is_in_another_tree(node: LexborNode, form: LexborNode | None) -> bool:
    """Say whether a shadow root stands between a control and its form: then a browser does not send the control."""
    above = node.parent
    while above is not None and not (form is not None and above.mem_id == form.mem_id):
        if above.tag == SHADOW_ROOT.decode():
            return True
        above = above.parent
    return False


def _form_named(name: str, walk: TreeWalk) -> int:
    """Return the place of the form that has an id, unless another element has it before; -1 for none."""
    for place, form in enumerate(walk.form_parts.forms) if name else ():
        if form.node is not None and form.attributes.get("id") == name:
            first = walk.nodes_by_id().get(name)
            return place if first is not None and first.mem_id == form.node.mem_id else -1
    return -1


def _ties_of_parser(walk: TreeWalk) -> dict[int, int]:
    """Return the forms of controls that the tree does not show, by the parser's number of the node."""
    forms = [(place, form) for place, form in enumerate(walk.form_parts.forms) if form.node is not None]
    if not forms:
        return {}
    is_nested = any(form.is_nested for _, form in forms)
    if not is_nested and (
        _all_are_in_forms(walk.form_parts.controls) or _all_are_well_nested(walk, len(forms))
    ):
        return {}
    places = {form.node.mem_id: place for place, form in forms if form.node and not form.in_noscript}
    return _ties_in_source(walk, places)


def _all_are_in_forms(controls: list[RawControl]) -> bool:
    return all(control.form >= 0 or "form" in control.attributes for control in controls)


def _all_are_well_nested(walk: TreeWalk, forms: int) -> bool:
    """Say whether every form holds in the tree as many controls as there are tags of controls up to its end tag."""
    in_tree = [0] * len(walk.form_parts.forms)
    for control in walk.form_parts.controls:
        if control.form >= 0:
            in_tree[control.form] += 1
    source = walk.lowercase_source()
    if b"<!--" in source:
        source = _COMMENT.sub(b"", source)
    if source.count(b"</form") != source.count(b"<form"):
        return False
    in_source: list[int] = []
    end = 0
    while (start := source.find(b"<form", end)) >= 0:
        end = source.find(b"</form", start)
        end = end if end >= 0 else len(source)
        in_source.append(sum(source.count(tag, start, end) for tag in _CONTROL_TAGS))
    return in_source == in_tree[:forms]


def _ties_in_source(walk: TreeWalk, places: dict[int, int]) -> dict[int, int]:
    """Return the form that was open in the source at each control."""
    source, events = _number_controls(walk.source)
    root = LexborHTMLParser(source).root
    nodes = walk.root.css(_FORMS_AND_CONTROLS) if walk.root is not None else []
    copies = root.css(_FORMS_AND_CONTROLS) if root is not None else []
    if len(nodes) != len(copies):
        return {}
    node_of = {copy.attributes.get(_NUMBERED): node.mem_id for node, copy in zip(nodes, copies, strict=True)}
    ties: dict[int, int] = {}
    current = -1
    for number, is_end in events:
        node = node_of.get(str(number))
        if is_end:
            current = -1
        elif node in places:
            current = places[node]
        elif node is not None and current >= 0:
            ties[node] = current
    return ties


def _number_controls(source: bytes) -> tuple[bytes, list[tuple[int, bool]]]:
    """Return a page whose forms and controls are numbered, and their numbers and the ends of forms in order."""
    pieces: list[bytes] = []
    events: list[tuple[int, bool]] = []
    done = at = templates = 0
    while match := TOKEN.search(source, at):
        at = match.end()
        closing, name = match.groups()
        name = (name or b"").lower()
        if name == b"template":
            templates += -1 if closing else 1
        elif closing:
            if name == b"form" and templates <= 0:
                events.append((0, True))
        elif name == b"form" or name in _CONTROLS:
            events.append((len(events) + 1, False))
            cut = match.start() + 1 + len(name)
            pieces += (source[done:cut], b" %s=%d" % (_NUMBERED.encode(), len(events)))
            done = cut
        if not closing and name in RAW_TEXT:
            end = RAW_TEXT[name].search(source, at)
            at = end.start() if end else len(source)
    return b"".join([*pieces, source[done:]]), events
