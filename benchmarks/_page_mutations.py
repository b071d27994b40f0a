"""Changing pages as their owners do: single changes around a value, values taken away, whole redesigns.

Every change is made alike on all pages of a site: names are replaced by what they are, blocks are moved by what stands around them, never by chance of the
single page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree, html

from hiddenweb.html.path_numbers import stable_hash
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

KINDS = (
    "wrap",
    "insert before",
    "insert both sides",
    "rename tag",
    "remove preceding block",
    "swap with sibling",
    "rename classes",
)
_NOT_TEXT = frozenset(
    {"script", "style", "noscript", "textarea", "select", "head", "title", "template", "iframe"}
)
_OF_TABLES = frozenset({"td", "th", "tr", "tbody", "thead", "tfoot", "table", "caption", "col", "colgroup"})
_FIXED = _OF_TABLES | {
    "html",
    "body",
    "head",
    "li",
    "dt",
    "dd",
    "form",
    "option",
    "select",
    "input",
    "a",
    "img",
    "br",
}
_OTHER_TAG = {
    "div": "section", "section": "div", "span": "em", "em": "span", "b": "strong", "strong": "b", "i": "span", "font": "span", "p": "div",
    "h1": "h2", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6", "table": "div", "tbody": "div", "thead": "div", "tfoot": "div", "tr": "div",
    "td": "div", "th": "div", "caption": "div", "ul": "div", "ol": "div", "li": "div", "dl": "div", "dt": "span", "dd": "div", "center": "div",
    "small": "span", "big": "span", "u": "span", "label": "span",
}  # fmt: skip
_BLOCKS = frozenset(
    {"div", "section", "table", "ul", "ol", "dl", "p", "h1", "h2", "h3", "h4", "tr", "article", "aside"}
)
_DIGITS = re.compile(r"\d+")
_AS_LETTERS = str.maketrans("0123456789", "abcdefghij")
_WORD = re.compile(r"[^\W\d_]+")
_MOST_OF_LABEL = 40  # characters


def mutate(source: str, kind: str, value: str, keep: Collection[str] = ()) -> str | None:
    """Return a page changed around the first place of a value; None where that cannot be done without losing what is to be kept."""
    tree = _tree(source)
    if kind == "rename classes":
        _rename(tree, "class", "renamed")
        return _write_page(tree)
    element = next((around for around, text in _texts(tree) if fold_text(text) == fold_text(value)), None)
    if element is None or not _MUTATIONS[kind](element, frozenset(map(fold_text, keep))):
        return None
    return _write_page(tree)


def remove_values(source: str, values: Collection[str], *, with_label: bool) -> str:
    """Return a page on which no text says one of some values; with their labels, where they have a place of their own."""
    tree = _tree(source)
    gone = frozenset(map(fold_text, values))
    for element, text in list(_texts(tree)):
        if fold_text(text) in gone:
            _clear(element, gone)
            if with_label:
                _drop(_row_around(element))
    return _write_page(tree)


def redesign(source: str, labels: Collection[str] = ()) -> str:
    """Return a page with other classes, ids and tags and moved blocks; texts that are labels are renamed, too."""
    tree = _tree(source)
    _rename(tree, "class", "new")
    _rename(tree, "id", "other")
    if labels:
        _rename_labels(tree, frozenset(map(fold_text, labels)))
    for element in list(tree.iter(etree.Element)):
        _move_children(element)
    for element in tree.iter(etree.Element):
        if (
            element.tag in _OTHER_TAG
        ):  # others stay, and are not set: lxml reads tags such as `tr"` and `o:p`, but refuses to set them
            element.tag = _OTHER_TAG[str(element.tag)]
    return _write_page(tree)


def texts_of(source: str) -> set[str]:
    """Return the texts of a page, folded."""
    return {fold_text(text) for _, text in _texts(_tree(source))}


def _tree(source: str) -> etree._Element:
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    return html.document_fromstring(source.encode("utf-8", "replace") or b"<html></html>", parser=parser)


def _write_page(tree: etree._Element) -> str:
    return str(html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>"))


def _texts(tree: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """Yield the visible texts, each with the element around it."""
    for element in tree.iter():
        inside = isinstance(element.tag, str) and element.tag not in _NOT_TEXT
        if inside and element.text and element.text.strip():
            yield element, element.text
        parent = element.getparent()
        if parent is not None and parent.tag not in _NOT_TEXT and element.tail and element.tail.strip():
            yield parent, element.tail


def _new_name(name: str, by: str) -> str:
    number = stable_hash(_DIGITS.sub("0", name)) % 100_000
    return f"{by}-{number:05d}".translate(_AS_LETTERS)


def _rename(tree: etree._Element, attribute: str, by: str) -> None:
    for element in tree.iter(etree.Element):
        names = element.get(attribute)
        if names:
            element.set(attribute, " ".join(_new_name(name, by) for name in names.split()))


def _rename_labels(tree: etree._Element, labels: frozenset[str]) -> None:
    for element in tree.iter():
        if isinstance(element.tag, str) and element.text and fold_text(element.text) in labels:
            element.text = _WORD.sub(_other_word, element.text)
        if element.tail and fold_text(element.tail) in labels:
            element.tail = _WORD.sub(_other_word, element.tail)


def _other_word(match: re.Match[str]) -> str:
    word = match[0]
    number = stable_hash(word.casefold())
    return "".join(
        "aeiou"[number >> at & 3] + "bdfklmnprstvz"[(number >> at + 2) % 13]
        for at in range(0, 2 * len(word), 4)
    )


def _move_children(element: etree._Element) -> None:
    """Turn round the order of an element's blocks, if they are few and there is no text between them."""
    children = list(element)
    if not 2 <= len(children) <= 6 or (element.text or "").strip():
        return
    if all(child.tag in _BLOCKS and not (child.tail or "").strip() for child in children):
        for child in children:
            element.remove(child)
        element.extend(children[::-1])


def _new(tag: str, text: str = "") -> etree._Element:
    element: etree._Element = html.Element(tag)
    element.set("class", "inserted")
    element.text = text or None
    return element


def _wrap(element: etree._Element, keep: frozenset[str]) -> bool:
    del keep
    around = _renameable(element)
    parent = around.getparent() if around is not None else None
    if around is None or parent is None:
        return False
    wrapper = _new("div")
    wrapper.tail, around.tail = around.tail, None
    parent.replace(around, wrapper)
    wrapper.append(around)
    return True


def _renameable(element: etree._Element) -> etree._Element | None:
    """Return the nearest element around that may have any tag."""
    while element is not None and element.tag in _FIXED:
        parent = element.getparent()
        if parent is None or element.tag == "body":
            return None
        element = parent
    return element


def _insert(element: etree._Element, *, behind: bool) -> bool:
    around = _renameable(element)
    parent = around.getparent() if around is not None else None
    if around is None or parent is None:
        return False
    parent.insert(parent.index(around), _new("div", "Today only: save up to half of it"))
    if behind:
        new = _new("div", "Tell a friend about this page")
        new.tail, around.tail = around.tail, None
        parent.insert(parent.index(around) + 1, new)
    return True


def _insert_before(element: etree._Element, keep: frozenset[str]) -> bool:
    del keep
    return _insert(element, behind=False)


def _insert_both_sides(element: etree._Element, keep: frozenset[str]) -> bool:
    del keep
    return _insert(element, behind=True)


def _rename_tag(element: etree._Element, keep: frozenset[str]) -> bool:
    del keep
    around = _renameable(element)
    if around is None:
        return False
    around.tag = _OTHER_TAG.get(str(around.tag), "section")
    return True


def _remove_preceding(element: etree._Element, keep: frozenset[str]) -> bool:
    at: etree._Element | None = element
    while at is not None and at.tag != "body":
        before = at.getprevious()
        if before is not None and isinstance(before.tag, str) and before.tag in _BLOCKS:
            said = {fold_text(text) for _, text in _texts(before)}
            if said and said.isdisjoint(keep):
                _drop(before)
                return True
        at = at.getparent()
    return False


def _swap(element: etree._Element, keep: frozenset[str]) -> bool:
    del keep
    at: etree._Element | None = element
    while at is not None and at.tag != "body":
        other, parent = at.getnext(), at.getparent()
        if parent is not None and other is not None and other.tag == at.tag:
            at.tail, other.tail = other.tail, at.tail
            parent.insert(parent.index(at), other)
            return True
        at = parent
    return False


_MUTATIONS: dict[str, Callable[[etree._Element, frozenset[str]], bool]] = {
    "wrap": _wrap,
    "insert before": _insert_before,
    "insert both sides": _insert_both_sides,
    "rename tag": _rename_tag,
    "remove preceding block": _remove_preceding,
    "swap with sibling": _swap,
}


def _clear(element: etree._Element, gone: frozenset[str]) -> None:
    if element.text and fold_text(element.text) in gone:
        element.text = None
    for child in element:
        if child.tail and fold_text(child.tail) in gone:
            child.tail = None


def _row_around(element: etree._Element) -> etree._Element:
    """Return the largest element around that says hardly more than a label."""
    while True:
        parent = element.getparent()
        if parent is None or parent.tag == "body":
            return element
        said = " ".join(text for _, text in _texts(parent))
        if len(" ".join(said.split())) > _MOST_OF_LABEL or sum(1 for _ in _texts(parent)) > 2:
            return element
        element = parent


def _drop(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)
