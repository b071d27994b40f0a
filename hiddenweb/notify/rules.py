"""Who is notified of which changes: a TOML file with a table for each rule, read completely or refused with a reason.

    [prices]
    site = ["shop.example"]            # only there, and on its subdomains
    kind = ["record changed"]          # only changes of these kinds
    words = ["sale", "last chance"]    # only changes with one of these
    every = "1h"                       # at most one message in this time; more changes are summed up
    atom = "feeds/{site}.xml"          # a feed for each {site}, {topic} or {query}; a path without them is one feed
    webhook = "https://me.example/hook"
    apprise = "mailto://me@example.org"

Keys that are missing do not restrict a rule: one with a target and nothing else reports everything there. Paths are relative to the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from hiddenweb.language.folding import fold_line
from hiddenweb.revisit.change import KINDS
from hiddenweb.toml_files import read_tables

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hiddenweb.revisit.change import Change

EVERY = 3600.0
"""Default seconds between two messages of a rule: an hour. A limit of taste."""

FEED_KEYS = ("topic", "site", "query")
"""What may be in the path of a feed: there is one feed for each value."""

_LISTS = ("site", "kind", "words")
_TARGETS = ("atom", "webhook", "apprise")
_SECONDS_OF_UNIT = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}  # seconds of the units of a rule
_PLACEHOLDERS = re.compile("|".join(rf"\{{{key}\}}" for key in FEED_KEYS))
_BRACES = re.compile(r"\{[^}]*\}?|\}")
_TIME = re.compile(r"(\d{1,6})\s*([smhd])")


class BadRuleFile(ValueError):
    """A file of rules that cannot be read as one; the message names the file, the rule and the key."""


@dataclass(frozen=True, slots=True)
class NotificationRule:
    """Which changes are reported, and where."""

    name: str
    sites: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # as they are compared: without case
    every: float = EVERY
    atom: str = ""
    webhook: str = ""
    apprise: str = ""

    def wants(self, change: Change) -> bool:
        """Return whether the rule reports a change."""
        return (
            (not self.kinds or change.kind in self.kinds)
            and (not self.sites or any(_is_at(change.site, site) for site in self.sites))
            and (not self.words or _has_words(change, self.words))
        )


def read_rule_file(path: Path) -> tuple[NotificationRule, ...]:
    """Return the rules of a file; raises BadRuleFile."""
    tables = read_tables(path, BadRuleFile)
    return tuple(_rule(path, name, table) for name, table in tables.items())


def _rule(path: Path, name: str, table: object) -> NotificationRule:
    where = f"{path}: [{name}]"
    if not isinstance(table, dict):
        raise BadRuleFile(f"{where} is {table!r}, wanted a table")
    if unknown := table.keys() - {*_LISTS, *_TARGETS, "every"}:
        raise BadRuleFile(
            f"{where} has the key {min(unknown)!r}, wanted some of {', '.join([*_LISTS, 'every', *_TARGETS])}"
        )
    if not table.keys() & set(_TARGETS):
        raise BadRuleFile(f"{where} notifies nobody, wanted one of {', '.join(_TARGETS)}")
    return NotificationRule(
        name,
        sites=tuple(_host(where, site) for site in _texts(where, table, "site")),
        kinds=tuple(_kind(where, kind) for kind in _texts(where, table, "kind")),
        words=tuple(fold_line(words) for words in _texts(where, table, "words")),
        every=_seconds(where, table.get("every", EVERY)),
        atom=_atom(path, where, table),
        webhook=_address(where, table, "webhook", ("http", "https")),
        apprise=_address(where, table, "apprise", ()),
    )


def _texts(where: str, table: Mapping[str, object], key: str) -> list[str]:
    values = table.get(key, [])
    values = [values] if isinstance(values, str) else values
    if not isinstance(values, list) or not all(isinstance(value, str) and value.strip() for value in values):
        raise BadRuleFile(f"{where} {key} is {values!r}, wanted a list of texts")
    if key in table and not values:
        raise BadRuleFile(f"{where} {key} is empty: nothing would be reported; without the key everything is")
    return cast("list[str]", values)


def _host(where: str, site: str) -> str:
    host = site.strip().lower().rstrip(".")
    if "/" in host or ":" in host or " " in host:
        raise BadRuleFile(f"{where} site has {site!r}, wanted a host such as 'shop.example'")
    return host


def _kind(where: str, kind: str) -> str:
    if kind not in KINDS:
        raise BadRuleFile(f"{where} kind has {kind!r}, wanted some of {', '.join(map(repr, KINDS))}")
    return kind


def _seconds(where: str, every: object) -> float:
    if isinstance(every, str) and (match := _TIME.fullmatch(every.strip())):
        return int(match[1]) * _SECONDS_OF_UNIT[match[2]]
    if isinstance(every, (int, float)) and not isinstance(every, bool) and 0 <= every < 1e9:
        return float(every)
    raise BadRuleFile(f"{where} every is {every!r}, wanted seconds, or a time such as '30m', '1h' or '7d'")


def _atom(path: Path, where: str, table: Mapping[str, object]) -> str:
    if "atom" not in table:
        return ""
    name = table["atom"]
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        raise BadRuleFile(f"{where} atom is {name!r}, wanted the path of a file")
    if wrong := _BRACES.search(_PLACEHOLDERS.sub("", name)):
        raise BadRuleFile(f"{where} atom has {wrong[0]!r}, wanted {{topic}}, {{site}} or {{query}}")
    return str(path.parent / name)


def _address(where: str, table: Mapping[str, object], key: str, schemes: tuple[str, ...]) -> str:
    if key not in table:
        return ""
    address = table[key]
    wanted = " or ".join(f"{scheme}://..." for scheme in schemes) or "an address such as mailto://..."
    try:
        parts = urlsplit(address) if isinstance(address, str) else None
    except ValueError:
        parts = None
    if parts is None or not parts.scheme or (schemes and (parts.scheme not in schemes or not parts.hostname)):
        raise BadRuleFile(f"{where} {key} is {address!r}, wanted {wanted}")
    return str(address)


def _is_at(host: str, site: str) -> bool:
    host = host.lower()
    return host == site or host.endswith(f".{site}")


def _has_words(change: Change, words: tuple[str, ...]) -> bool:
    texts = [change.title, change.key, change.attribute, change.before, change.after]
    texts += [text for edit in change.edits for text in (edit.before, edit.after)]
    folded = "\n".join(fold_line(text) for text in texts)
    return any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", folded) for each in words)
