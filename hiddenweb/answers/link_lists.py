"""Answers that are nothing but names: a list of links, too short to be told from a menu by their length.

Wikis and indexes of names answer with titles, one link each. Such a list weighs less than the columns of its page, so it is no group of like parts. What tells it from a
menu is one of three things: the page says that it shows as many, all of its names hold what was asked, or the links are new and are
most of what the page says that the form's page does not. One result may be any link of a menu: it counts if it is new.
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
_SEVERAL = 3  # new links that stand for themselves
_MOST_OF_IT = 0.5


def find_record_links(
    links: Mapping[str, Link],
    *,
    listed_before: frozenset[str],
    is_counted: Callable[[int], bool | None],
    new_lines: Iterable[str],
    holds_keyword: Callable[[str], bool],
) -> tuple[Record, ...]:
    """Return the longest list among the links of an answer, by the keys of the records they would be, that is one of records.

    `listed_before` is where the form's page leads, `new_lines` what only this page says; `is_counted` says
    whether the page tells that it shows so many records, and None if it tells nothing.
    """
    said = "\n".join(new_lines)
    for group in sorted(_lists(links), key=len, reverse=True):
        counted = is_counted(len(group))
        if counted is False:
            continue
        new = [key for key in group if key not in listed_before]
        names = [links[key].anchor for key in group]
        are_asked_for = len(group) > 1 and all(map(holds_keyword, names)) and all(n in said for n in names)
        is_told = counted and (len(group) > 1 or (new and names[0] in said))
        if is_told or are_asked_for or (len(new) >= _SEVERAL and _is_most(names, said)):
            return tuple(Record(key, links[key].anchor, links[key].anchor, links[key].url) for key in group)
    return ()


def _lists(links: Mapping[str, Link]) -> Iterable[list[str]]:
    """Return the keys of links that stand in like places, lead to like addresses and have names."""
    groups: dict[tuple[str, str], list[str]] = {}
    for key, link in links.items():
        path = _STYLE.sub("", link.tag_path)
        if has_words(link.anchor) and _ASIDE.isdisjoint(path.split("/")):
            groups.setdefault((path, kind_of_address(key)), []).append(key)
    return groups.values()


def _is_most(names: list[str], said: str) -> bool:
    """Say whether names are most of a text, and it has all of them."""
    return all(name in said for name in names) and sum(map(len, names)) >= _MOST_OF_IT * len(said)
