"""From any bytes to HTML that is parsed in time linear to its size.

Lexbor does not stand hostile HTML: 40,000 attributes in a tag take it 5 s, 60,000 times `<a><div>` 10 s, and 50,000 differing
`<font>` that are never closed all memory, as every paragraph repeats every one of them. C code cannot be interrupted, so a
page is cut down before it is parsed: bytes, attributes of one tag, open tags. Counting open tags takes a tokenizer that agrees
with the standard about quotes and comments, or a page could hide its depth; it runs only where there are more than
`PageLimits.depth` tags. In comments and raw text, where opinions about what is a tag could differ, a start tag counts and an
end tag does not.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.html.limits import PageLimits

_LONG_VALUE = re.compile(rb"=\s*+(?:\"[^\"]{65536,}+\"|'[^']{65536,}+')")
_VALUE = rb"(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>][^\s>]*+)?+"
_ATTRIBUTE = rb"[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+" + _VALUE + rb")?+"
TOKEN = re.compile(
    rb"<!--(?:-?>|.*?--!?>|.*+)|<!\[CDATA\[(?:.*?\]\]>|.*+)|<[!?][^>]*+>?"
    rb"|<(/?)([a-zA-Z][^\s/>]*+)(?:" + _ATTRIBUTE + rb")*+[\s/]*+>?",
    re.DOTALL,
)
_OPENING = re.compile(
    rb"(<([a-zA-Z][^\s/>]*+)(?:" + _ATTRIBUTE + rb")*+)"
)  # from start to end: nothing is seen twice
_first, _second = itemgetter(0), itemgetter(1)
_START_TAG = re.compile(rb"<[a-zA-Z]")
RAW_TEXT = {
    name: re.compile(rb"</" + name + rb"(?=[\s/>])", re.IGNORECASE)
    for name in (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")
}
# Tags that are never open for long: without content, or closed by the next of their kind.
_NOT_COUNTED = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    b"p li dt dd td th tr tbody thead tfoot caption colgroup option optgroup".split()
)
_FORMATTING = re.compile(
    rb"</?(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])(?:" + _ATTRIBUTE + rb")*+[\s/]*+>",
    re.IGNORECASE,
)
# For each option of a select with one choice Lexbor searches for the chosen one again: 5,000 options take it half a second.
_SELECT_OF_ONE = re.compile(rb"<select(?=[\s/>])(?![^>]*\smultiple[\s/>=])", re.IGNORECASE)
ONE_CHOICE = "hiddenweb-one-choice"
_MANY_OPTIONS = 1_000
"""A page with more options is changed before it is parsed; a limit of taste: a list of all countries has 250."""

SHADOW_ROOT = b"shadow-root"
"""The element that stands for a declarative shadow root."""

_SHADOW_ROOT = re.compile(rb"\sshadowrootmode\s*=\s*[\"']?(?:open|closed)(?=[\"'\s/>])", re.IGNORECASE)
_ALWAYS_HARMLESS = 96_000  # bytes: even if it is all one tag, its 20,000 attributes take less than a second
_DOUBTFUL_TAGS = 3  # times the depth: so many start tags in comments and scripts


def shorten_body(body: bytes, limits: PageLimits, marks: list[str]) -> bytes:
    """Return as much of a body as is read; images written into attributes go first."""
    if len(body) <= limits.bytes:
        return body
    body, cuts = _LONG_VALUE.subn(b'=""', body)
    if cuts:
        marks.append("tag_cut")
    if len(body) > limits.bytes:
        marks.append("truncated")
    return body[: limits.bytes]


def harden(source: bytes, limits: PageLimits, marks: list[str]) -> bytes:
    """Return HTML that Lexbor parses in time linear to its size."""
    if b"shadowroot" in source.lower():
        source = _open_shadow_roots(source)
    if len(source) > limits.tags and source.count(b"<") > limits.tags:
        source = b"<".join(source.split(b"<", limits.tags + 1)[:-1])
        marks.append("many_tags")
    is_shallow = len(_START_TAG.findall(source)) <= limits.depth
    if is_shallow and len(source) <= _ALWAYS_HARMLESS:
        return source
    openings = _OPENING.findall(source)
    if max(map(len, map(_first, openings)), default=0) > 2 * limits.attributes:
        source = _drop_attributes(source, limits, marks)
    if len(openings) <= limits.depth:
        return source
    names = Counter(map(bytes.lower, map(_second, openings)))
    if names[b"option"] > _MANY_OPTIONS:
        source = _SELECT_OF_ONE.sub(rb"<select multiple %s " % ONE_CHOICE.encode(), source)
    if len(openings) - sum(map(names.__getitem__, _NOT_COUNTED)) <= limits.depth:
        return source
    if len(_FORMATTING.findall(source)) > limits.depth:
        source = _FORMATTING.sub(b"", source)
    end = _end_of_shallow_part(source, limits.depth)
    if end < len(source):
        marks.append("too_deep")
    return source[:end]


def _open_shadow_roots(source: bytes) -> bytes:
    """Return a page in which declarative shadow roots are elements like others: browsers show them, templates they do not."""
    pieces: list[bytes] = []
    templates: list[bool] = []  # those that are open: is it a shadow root?
    written = at = 0
    while match := TOKEN.search(source, at):
        at = match.end()
        closing, name = match.groups()
        name = (name or b"").lower()
        if name in RAW_TEXT and not closing:
            end = RAW_TEXT[name].search(source, at)
            at = end.start() if end else len(source)
        elif name == b"template":
            if not closing:
                templates.append(all(templates) and _SHADOW_ROOT.search(match[0]) is not None)
            if templates and (templates.pop() if closing else templates[-1]):
                pieces += (source[written : match.start(2)], SHADOW_ROOT)
                written = match.end(2)
    return b"".join((*pieces, source[written:]))


def _drop_attributes(source: bytes, limits: PageLimits, marks: list[str]) -> bytes:
    shorter = _attributes_beyond(limits.attributes).sub(rb"\1", source)
    if len(shorter) < len(source) and "tag_cut" not in marks:
        marks.append("tag_cut")
    return shorter


@lru_cache(maxsize=8)
def _attributes_beyond(most: int) -> re.Pattern[bytes]:
    # It matches every tag to its end, so that no part of the page is looked at twice.
    return re.compile(rb"(<[a-zA-Z](?:%s){0,%d}+)(?:%s)*+" % (_ATTRIBUTE, most, _ATTRIBUTE))


def _end_of_shallow_part(source: bytes, depth: int) -> int:
    """Return where the tag stands that opens one level too many, or the end."""
    still_open: Counter[bytes] = Counter()
    level = doubtful = at = 0
    while match := TOKEN.search(source, at):
        at = match.end()
        closing, name = match.groups()
        if name is None:
            doubtful += len(_START_TAG.findall(match[0]))
        elif closing:
            name = name.lower()
            if still_open[name]:
                still_open[name] -= 1
                level -= 1
        elif (name := name.lower()) in RAW_TEXT:
            end = RAW_TEXT[name].search(source, at)
            doubtful += len(_START_TAG.findall(source[at : end.start() if end else len(source)]))
            at = end.start() if end else len(source)
        elif name not in _NOT_COUNTED:
            still_open[name] += 1
            level += 1
        if level > depth or doubtful > _DOUBTFUL_TAGS * depth:
            return match.start()
    return len(source)
