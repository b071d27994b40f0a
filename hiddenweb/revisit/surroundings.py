"""Where the parts of a page stand: in which elements, and outside the main content or not.

Two sentences that are replaced at every revisit may differ only in their place: one is the headline of a newspaper, the other an advertisement. Three things
distinguish them without reading them. The names of the elements around them: advertisement boxes are named so ("ad-slot", "sponsored")
whatever language the page is in. The label before them ("Advertisement", "Anzeige"). And the path of tags: one box at one place of a template, on all its pages.

Names alone can mislead: a site of classified advertisements calls its main content "ad", a newspaper its stories "promo". So boxes with such names are taken as
outside the main content only if they are a small part of the page (`_MAX_ASIDE_SHARE`), and headings never are, except in boxes that are clearly named after
advertising.

A part whose element holds a value of a label (`<dd>`, a row of a table) is marked, too: a labelled value is never treated as an advertisement.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.html.tags import BLOCKS, CELLS, COMMENT, INLINE, NUMBERS, TEXT, numbers_of
from hiddenweb.language import lexicon
from hiddenweb.revisit.parts import ASIDE, LABELLED, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.html.node_table import Attributes, NodeTable

_NOT_ENTERED = numbers_of(
    "head script style template title textarea select iframe noembed noframes svg math nav"
)
_LABELLING = numbers_of("dd tr td")
_SKIPPED = _NOT_ENTERED | {TEXT, COMMENT, NUMBERS["br"]}
_DIGITS = re.compile(r"\d+")
_HEADINGS = numbers_of("h1 h2 h3 h4 h5 h6")
_PATH_STEPS = 3  # steps of a path, the last ones; a limit of taste
_MAX_PARTS_AT_PATH = 2  # parts of a page at one path: with more, the path says nothing; a limit of taste
_MAX_ASIDE_SHARE = 0.25
"""The largest share of the characters of a page that is outside its main content; a limit of taste."""

_MAX_PARTS = 4_000  # parts of a page whose paths are returned; a limit of taste
_MAX_PART = 2_000  # characters of a part; a limit of taste

_NAMES_CUT = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
_BOXES = re.compile(
    r"ads?|adv|advert\w*|adsense|adsbygoogle|ad(?:s?)(?:box|slot|unit|space|container|wrapper|block|frame|holder|label|zone|area|banner)|banner?ads?|dfp|gpt|doubleclick"
    r"|taboola|outbrain|criteo|sponsor\w*|werbung|anzeigen?|publicidade?|pubblicita|publicite|reklam[aey]?|annons\w*|advertentie|iklan|quangcao"
)
_LIKELY_BOXES = re.compile(
    r"promo|promos|promotion|promotions|promoted|banners?|affiliate\w*|recommend\w*|related"
)


def surroundings_of(nodes: NodeTable) -> dict[str, str]:
    """Return the paths of the parts of a page, by their text; parts whose path many share only if it is marked."""
    return _choose_parts(list(_lines(nodes)))


class _TextLine:
    """A line of the text while it is being collected."""

    __slots__ = ("is_heading", "is_labelled", "likely", "nodes", "path", "surely", "text")

    def __init__(self) -> None:
        self.text: list[str] = []
        self.nodes = 0
        self.path = ""
        self.surely = self.likely = self.is_heading = self.is_labelled = False


class _Around:
    """What is true for everything in an element."""

    __slots__ = ("is_heading", "is_labelled", "likely", "path", "surely")

    def __init__(
        self,
        path: str = "",
        *,
        surely: bool = False,
        likely: bool = False,
        is_heading: bool = False,
        is_labelled: bool = False,
    ) -> None:
        self.path = path
        self.surely, self.likely, self.is_heading, self.is_labelled = surely, likely, is_heading, is_labelled

    def inside(self, tag: int, name: str, attributes: Attributes) -> _Around:
        """Return what is true in a child element."""
        style = attributes.get("class") or ""
        surely, likely = is_named_as_box(f"{style} {attributes.get('id') or ''}"[:200])
        step = ".".join((name or "-", *_DIGITS.sub("", style[:200]).split()[:1]))
        return _Around(
            f"{self.path}/{step}",
            surely=self.surely or surely,
            likely=self.likely or likely,
            is_heading=self.is_heading or tag in _HEADINGS,
            is_labelled=tag in _LABELLING or (self.is_labelled and tag in INLINE),
        )


@lru_cache(maxsize=4_096)
def is_named_as_box(names: str) -> tuple[bool, bool]:
    """Return whether the names of an element are those of advertisements, surely and likely.

    >>> is_named_as_box("col-4 ad-slot"), is_named_as_box("topAds"), is_named_as_box("promo-box"), is_named_as_box("header shadow loaded")
    ((True, False), (True, False), (False, True), (False, False))
    """
    words = [word.lower() for word in _NAMES_CUT.split(names) if word]
    return any(map(_BOXES.fullmatch, words)), any(map(_LIKELY_BOXES.fullmatch, words))


def _lines(nodes: NodeTable) -> Iterator[_TextLine]:
    """Yield the lines of a page; each block begins a new one."""
    line, around = _TextLine(), _Around()
    above: list[tuple[int, _Around]] = []
    tags, ends = nodes.tags, nodes.ends
    place, end = 0, len(tags)
    while True:
        if place >= end:
            if not above:
                break
            ended, around = above.pop()
            end = ends[above[-1][0]] if above else len(tags)
            if tags[ended] in BLOCKS:
                yield line
                line = _TextLine()
            continue
        tag = tags[place]
        if tag == TEXT:
            _add_text(line, nodes.texts[place], around)
        elif tag in CELLS:
            line.text.append(" ")
        elif tag in BLOCKS:
            yield line
            line = _TextLine()
        if tag not in _SKIPPED and ends[place] > place + 1:
            above.append((place, around))
            end = ends[place]
            around = around.inside(tag, nodes.names[tag], nodes.attributes(place))
            place += 1
        else:
            place = ends[place]
    yield line


def _add_text(line: _TextLine, text: str, around: _Around) -> None:
    line.text.append(text)
    if text.isspace() or not text:
        return
    if line.nodes:  # text of several elements stands in their common ancestor
        line.path = _common(line.path, around.path)
        line.surely, line.likely = line.surely and around.surely, line.likely and around.likely
    else:
        line.path, line.surely, line.likely = around.path, around.surely, around.likely
    line.is_heading |= around.is_heading
    line.is_labelled |= around.is_labelled
    line.nodes += 1


def _common(path: str, other: str) -> str:
    steps = []
    for step, other_step in zip(path.split("/"), other.split("/"), strict=False):
        if step != other_step:
            break
        steps.append(step)
    return "/".join(steps)


def _choose_parts(lines: list[_TextLine]) -> dict[str, str]:
    """Return the parts whose path few parts share, or whose path is marked."""
    found: list[tuple[str, _TextLine, bool]] = []
    is_label = False
    for line in lines:
        text = " ".join("".join(line.text)[:_MAX_PART].split())
        if not text:
            continue
        is_aside = line.surely and not line.path.endswith(("/h1", "/h2"))
        is_aside = is_aside or (not line.is_heading and (line.likely or is_label))
        is_label = text.casefold().rstrip(" :") in lexicon.words("headings.advertising")
        found += [(part, line, is_aside and not is_label) for part in parts_of((text,))]
        if len(found) > _MAX_PARTS:
            break
    length = sum(len(part) for part, _, _ in found)
    is_small = sum(len(part) for part, _, is_aside in found if is_aside) <= _MAX_ASIDE_SHARE * length
    paths = Counter(line.path for _, line, _ in found)
    chosen = {}
    for part, line, is_aside in found:
        mark = ASIDE if is_aside and is_small else LABELLED if line.is_labelled else ""
        if mark or paths[line.path] <= _MAX_PARTS_AT_PATH:
            chosen[part] = "/".join(line.path.rsplit("/", _PATH_STEPS)[-_PATH_STEPS:]) + mark
    return chosen
