"""The JSON-LD of a page, as JSON. Search actions (`hiddenweb.html.search_actions`) and attributes of items (`hiddenweb.records.json_ld`) are read from it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.html.tree_walk import TreeWalk

_LONGEST_JSON = 500_000
"""Characters of all scripts together for one reader; a limit of taste: a page within the limits of size has less."""

_LONGEST_END = 40
"""Characters that are searched for the signs after JSON; a limit of taste."""

_BEFORE_JSON = re.compile(r"(?:\ufeff|\s|<!--|//|/\*|\*/|<!\[CDATA\[)*+")
_AFTER_JSON = re.compile(r"(?:\s|-->|//|/\*|\*/|\]\]>|;)+$")
_SURROGATE = "\\ud"


def read_json_ld(walk: TreeWalk, *, about: str = "") -> Iterator[object]:
    """Yield the contents of each script of JSON-LD, or of those with the text `about`; what is wrong or too long is in the marks of the page."""
    left = _LONGEST_JSON
    for node in walk.head.linked_data:
        text = node.text()
        if about not in text:
            continue
        left -= len(text)
        if left < 0:
            walk.mark("long_json")
            return
        try:
            data = parse_json(text)
        except (ValueError, RecursionError):
            walk.mark("bad_json")
        else:
            yield data


def parse_json(text: str) -> object:
    r"""Return the JSON in a script; raises ValueError or RecursionError. Half of a surrogate pair becomes a question mark.

    >>> parse_json('<!-- {"name": "a"} -->'), parse_json('["\\ud800"]')
    ({'name': 'a'}, ['?'])
    """
    data: object = json.loads(_unwrap_json(text), strict=False)
    if _SURROGATE in text.lower():
        whole = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
        data = json.loads(whole, strict=False)
    return data


def _unwrap_json(text: str) -> str:
    """Return JSON without the signs that hide it from old browsers."""
    text = text.rstrip()
    text = text[:-_LONGEST_END] + _AFTER_JSON.sub("", text[-_LONGEST_END:])
    found = _BEFORE_JSON.match(text)
    return text[found.end() :] if found else text
