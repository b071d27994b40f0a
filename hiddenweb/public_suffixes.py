"""Which part of a host's name was registered by somebody: the label before its public suffix.

The rules are those of the Public Suffix List (https://publicsuffix.org), without its private part: a blog belongs to the host of the blogs. The list is the one
that tldextract carries with it, and the answers are its own. But tldextract loads an HTTP client to fetch a newer list, which we never do, and makes a
tree of each of its two parts: 80 ms of CPU at the start of every crawl, as much as reading a hundred pages. The rules as they stand, in a set, take 6.

A rule is a name (`co.uk`), a name below which every label is one more suffix (`*.ck`), or an exception to that (`!www.ck`).
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_PACKAGE, _FILE = "tldextract", ".tld_set_snapshot"
_PRIVATE_PART = "// ===BEGIN PRIVATE DOMAINS==="
_RULE = re.compile(r"^[.*!]*\w\S*", re.MULTILINE)
_ENCODED = "xn--"  # what a label of other letters than ASCII begins with in an address
_DOTS = re.compile("[\u3002\uff0e\uff61]")  # in scripts with full stops of their own


def split_host(host: str) -> tuple[str, str]:
    """Return the registered domain of a host and its public suffix; both empty where there is no such thing.

    >>> split_host("www.rare-books.co.uk"), split_host("shop.example"), split_host("com")
    (('rare-books.co.uk', 'co.uk'), ('', ''), ('', 'com'))
    """
    labels = _DOTS.sub(".", host.partition(":")[0].strip()).rstrip(".").split(".")
    start = _start_of_suffix(labels)
    suffix = ".".join(labels[start:])
    is_registered = suffix and start and labels[start - 1]
    return (f"{labels[start - 1]}.{suffix}" if is_registered else ""), suffix


def _start_of_suffix(labels: list[str]) -> int:
    """Return the place of the first label of the suffix; behind the last label if no rule fits."""
    rules, ends = _read_rules()
    start, name = len(labels), ""
    for place in range(len(labels) - 1, -1, -1):
        label = _decode_label(labels[place])
        longer = f"{label}.{name}" if name else label
        if longer in rules:
            start = place
        elif longer not in ends:
            if f"*.{name}" in rules:
                return place + 1 if f"!{longer}" in rules else place
            return start
        name = longer
    return start


@cache
def _read_rules() -> tuple[frozenset[str], frozenset[str]]:
    """Return the rules, and what they end in behind each of their dots."""
    package = find_spec(_PACKAGE)  # which is found, not imported
    assert package is not None
    assert package.origin is not None
    public = (Path(package.origin).parent / _FILE).read_text(encoding="utf-8").partition(_PRIVATE_PART)[0]
    rules = frozenset(_RULE.findall(public))
    ends = set()
    for rule in rules:
        while (rule := rule.partition(".")[2]) and rule not in ends:
            ends.add(rule)
    return rules, frozenset(ends)


def _decode_label(label: str) -> str:
    label = label.lower()
    if not label.startswith(_ENCODED):
        return label
    try:
        decoded = label[len(_ENCODED) :].encode("ascii").decode("punycode")
    except UnicodeError:
        return label
    # What is written in a way of its own names something else: no browser would go there.
    return decoded if decoded.encode("punycode").decode() == label[len(_ENCODED) :] else label
