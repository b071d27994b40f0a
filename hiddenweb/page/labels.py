"""What the controls of a page are called."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from hiddenweb.text import shorten

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from hiddenweb.page.walk import Control, Walk

LONGEST_LABEL = 120  # characters


class Labels:
    """What the fields of a page are called."""

    def __init__(self, walk: Walk, flat: str) -> None:
        self.walk = walk
        self.flat = flat
        self.starts = sorted(control.span.start for control in walk.controls)
        self.ends = sorted(control.span.end for control in walk.controls)
        self.nodes: dict[str, LexborNode] | None = None
        self.by_id: dict[str, str] = {}
        for label in walk.labels:
            if label.value and (words := self.words(label.start, label.end)):
                self.by_id.setdefault(label.value, words)

    def words(self, start: int, end: int) -> str:
        """Return a part of the page's text in one line."""
        return " ".join(self.flat[start:end].split())

    def label(self, control: Control, kind: str) -> str:
        """Return the best name the page gives a control."""
        attributes = control.attributes
        if kind == "hidden":
            return ""
        label = control.label
        return (
            self.by_id.get(attributes.get("id") or "", "")
            or (self.words(label.start, label.end) if label and not label.value else "")
            or self.named_by(attributes.get("aria-labelledby") or "")
            or one_line(attributes.get("aria-label"))
            or self.own_words(control, kind)
            or one_line(attributes.get("placeholder"))
            or one_line(attributes.get("title"))
            or self.nearby(control, kind)
        )

    def own_words(self, control: Control, kind: str) -> str:
        """Return what is written on a button."""
        if control.tag == "button":
            return self.words(control.span.start, control.span.end) or one_line(
                control.attributes.get("value")
            )
        if kind in ("submit", "reset", "button"):
            return one_line(control.attributes.get("value"))
        return one_line(control.attributes.get("alt")) if kind == "image" else ""

    def named_by(self, ids: str) -> str:
        """Return the texts of other elements."""
        wanted = ids.split()[:10]
        if not wanted or self.walk.root is None:
            return ""
        if self.nodes is None:
            self.nodes = {}
            for node in self.walk.root.traverse():
                self.nodes.setdefault(node.attributes.get("id") or "", node)
        named = (self.nodes[name].text(separator=" ") for name in wanted if name in self.nodes)
        return shorten(" ".join(named), LONGEST_LABEL)

    def nearby(self, control: Control, kind: str) -> str:
        """Return the text after a box to tick, or the text before any other control: in its line or the cell before."""
        if kind in ("submit", "reset", "button", "image"):
            return ""
        if kind in ("radio", "checkbox") and (after := self.after(control)):
            return after
        end = control.span.start
        start = self.start_of_cell(end)
        earlier = bisect_left(self.ends, end)
        words = self.words(max([start, *self.ends[earlier - 1 : earlier]]), end)
        if not words and start > 0:
            end = start - 1
            earlier = bisect_right(self.ends, end)
            words = self.words(max([self.start_of_cell(end), *self.ends[earlier - 1 : earlier]]), end)
        return words if len(words) <= LONGEST_LABEL else ""

    def start_of_cell(self, end: int) -> int:
        """Return where the line or cell begins that goes on to a place."""
        return max(self.flat.rfind("\n", 0, end), self.flat.rfind("\t", 0, end)) + 1

    def after(self, control: Control) -> str:
        """Return the text between a control and the next one on its line."""
        at = control.span.end
        ends = [self.flat.find(mark, at + 1) for mark in "\n\t"]
        following = self.starts[bisect_right(self.starts, at) :][:1]
        end = min([e for e in (*ends, *following) if e >= 0], default=len(self.flat))
        words = self.words(at, end) if self.flat[at : at + 1] != "\n" else ""
        return words if len(words) <= LONGEST_LABEL else ""


def one_line(text: str | None) -> str:
    """Return a text without line breaks and double spaces."""
    return " ".join(text.split()) if text else ""
