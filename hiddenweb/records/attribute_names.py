"""Names of attributes: from what a page shows, and from its source.

A class is a name if it consists of words. It is cut at dashes, underlines and capitals. Left out are the classes that frameworks use for
layout (`col-md-3`, `mt-2`, `text-muted`), those that only say that something is an element (`item`, `wrapper`, `value`), and generated
ones (`css-1x2y`, `sc-bdVaJa`): digits among letters, pieces of one or two letters, words without a vowel.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from hiddenweb.language.identifiers import identifier_parts

if TYPE_CHECKING:
    from collections.abc import Collection

LONGEST_NAME = 60
"""Characters of the name of an attribute; a limit of taste."""


_BEGIN, _END = re.compile(r"^[\W_]+"), re.compile(r"[^\w)\]%]+$")
_VOWEL = re.compile(r"[aeiouy]|[^\x00-\x7f]")
_LONG_NUMBER = re.compile(r"(?=.*\d)(?=.*[a-z])[a-z\d]{4,}", re.IGNORECASE)
_LAYOUT = frozenset(  # words that lay out, and words that only say that something is there
    """
    col cols column columns row rows grid cell container wrapper wrap inner outer box block item items list entry element node group section part body main side
    head header footer foot content contents left right center middle top bottom first last odd even active current selected clearfix clear float pull push
    text txt font bold italic small large medium big tiny xs sm md lg xl muted primary secondary success danger warning default light dark white black gray grey
    btn button link links icon icons img image images thumb thumbnail badge pill card cards media tile panel well hidden visible show hide invisible sr only
    flex inline align justify items self order gap space margin padding mt mb ml mr mx my pt pb pl pr px py border rounded shadow bg color size width height full
    auto fluid responsive no none line lines truncate ellipsis nowrap lead field fields value val view views widget module component result results hit hits
    record records post posts product products article articles search data display static style styled wp woocommerce has is js jsx css sc mui ant chakra
    even alt new hover focus group type format standard status li ul ol td tr th tbl table span div par copy unit el one r
    """.split()  # noqa: SIM905
)


def clean(text: str) -> str:
    """Return a name as it is compared: in lower case, without colon, on one line.

    >>> clean(" Published  on: "), clean("ISBN ▼"), clean("Preis (EUR)")
    ('published on', 'isbn', 'preis (eur)')
    """
    text = _END.sub(_marks_of_last_letter, _BEGIN.sub("", " ".join(text[: 4 * LONGEST_NAME].split())))
    return unicodedata.normalize("NFC", text.lower().replace("i\u0307", "i"))[:LONGEST_NAME].strip()


@lru_cache(maxsize=8_192)
def fold_name(name: str) -> str:
    """Return what is the same for names that differ in nothing but case, spaces and punctuation.

    >>> fold_name("Date of birth"), fold_name("date-of-birth:"), fold_name("Price %"), fold_name("???")
    ('dateofbirth', 'dateofbirth', 'price%', '???')
    """
    letters = unicodedata.normalize("NFC", name.casefold())
    folded = "".join(each for each in letters if each in "%#" or unicodedata.category(each)[0] in "LMNS")
    return folded or name


def _marks_of_last_letter(end: re.Match[str]) -> str:
    """Return the marks that an end begins with. They belong to the last letter: accents, and vowels in Hindi and Thai."""
    return "".join(takewhile(lambda each: unicodedata.category(each).startswith("M"), end[0]))


def from_property(names: str | None) -> str:
    """Return the name of an itemprop or a property: the last part of the first.

    >>> from_property("datePublished"), from_property("http://schema.org/name"), from_property("dc:title")
    ('date published', 'name', 'title')
    """
    first = next(iter((names or "").split()), "")
    return clean(" ".join(identifier_parts(re.split(r"[/#:]", first)[-1])))


def from_class(style: str, common: Collection[str] = ()) -> str:
    """Return the name in the classes of an element, or nothing; `common` are words that most classes of the page begin with.

    >>> from_class("product-price"), from_class("card__price price--big", {"card"}), from_class("col-md-3 text-muted"), from_class("css-1x2y")
    ('price', 'price', '', '')
    >>> from_class("releaseDate"), from_class("views-field views-field-author"), from_class("sc-bdVaJa")
    ('release date', 'author', '')
    """
    names = (
        _words_of(each.partition("--")[0].rpartition("__")[2], common)
        for each in style.split()[:_MOST_CLASSES]
    )
    return next(filter(None, names), "")


_MOST_CLASSES = 8
"""Classes of an element that may name it; a limit of taste: more are the layout of a framework."""


def _words_of(name: str, common: Collection[str]) -> str:
    if len(name) > LONGEST_NAME or any(_LONG_NUMBER.fullmatch(part) for part in re.split(r"[-_]", name)):
        return ""
    words = [word.lower() for word in identifier_parts(name)]
    if any(word.isdigit() for word in words) or (words and words[0] in _UTILITIES):
        return ""
    words_left = [word for word in words if word not in _LAYOUT and word not in common]
    if (
        not words_left
        or any(len(word) < 3 and word.isascii() for word in words_left)
        or not all(map(_VOWEL.search, words_left))
    ):
        return ""
    return " ".join(words_left)


_UTILITIES = frozenset(
    "text font bg border rounded flex align justify float pull d m p mt mb ml mr mx my pt pb pl pr px py w h col row btn is has js u".split()  # noqa: SIM905
)
