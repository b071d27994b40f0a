"""Answers that are nothing but names: a list of links that are as short as those of a menu.

Wikis and indexes of names answer with titles, one link each. Such a list has less text than the columns of its page, so it is not found
as repeated items. One of three things distinguishes it from a menu: the page says that it shows as many, all names hold the keyword, or
the links are new and are most of the new text of the page. A single result could be any link of a menu, so it must be new.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiddenweb.model import Record
from hiddenweb.records.cells import has_words
from hiddenweb.urls import kind_of_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hiddenweb.model import Link

_ASIDE = frozenset({"nav", "aside", "header", "footer"})
_STYLE = re.compile(r"[.#][^/]*")
_SEVERAL = 3  # new links that need no further evidence
_LARGER_PART = 0.5


def find_record_links(
    links: Mapping[str, Link],
    *,
    listed_before: frozenset[str],
    is_counted: Callable[[int], bool | None],
    new_lines: Iterable[str],
    holds_keyword: Callable[[str], bool],
) -> tuple[Record, ...]:
    """Return the longest list of records among the links of an answer, which are given by the keys of the records they would be.

    `listed_before` are the links of the form's page, `new_lines` the text that only this page has; `is_counted` says whether
    the page shows so many records, by its own words, and None if it does not say.
    """
    new_text = "\n".join(new_lines)
    for group in sorted(_lists(links), key=len, reverse=True):
        confirmed = is_counted(len(group))
        if confirmed is False:
            continue
        new = [key for key in group if key not in listed_before]
        names = [links[key].anchor for key in group]
        match_query = len(group) > 1 and all(map(holds_keyword, names)) and all(n in new_text for n in names)
        is_counted_list = confirmed and (len(group) > 1 or (new and names[0] in new_text))
        if is_counted_list or match_query or (len(new) >= _SEVERAL and _is_most(names, new_text)):
            return tuple(Record(key, links[key].anchor, links[key].anchor, links[key].url) for key in group)
    return ()


def _lists(links: Mapping[str, Link]) -> Iterable[list[str]]:
    """Return the keys of links that stand in similar places, lead to similar addresses and have names."""
    groups: dict[tuple[str, str], list[str]] = {}
    for key, link in links.items():
        path = _STYLE.sub("", link.tag_path)
        if has_words(link.anchor) and _ASIDE.isdisjoint(path.split("/")):
            groups.setdefault((path, kind_of_address(key)), []).append(key)
    return groups.values()


def _is_most(names: list[str], new_text: str) -> bool:
    """Say whether names are most of a text, and it has all of them."""
    return all(name in new_text for name in names) and sum(map(len, names)) >= _LARGER_PART * len(new_text)
