"""Where the parts of a page stand: in which elements, and beside the matter or not.

Two sentences that are replaced at every revisit are alike in all but their place: one is the headline of a newspaper, the other an advertisement. Three things
tell them apart without reading them. The names of the elements around them: those who place advertisements name the boxes so ("ad-slot", "sponsored"),
whatever language the page is in. The label before them ("Advertisement", "Anzeige"). And the path of tags: one box at one place of a template, on all its pages.

Names alone lie: a site of classified advertisements calls its matter "ad", a newspaper its stories "promo". So what is named like this is taken to stand beside
the matter only if it is a small part of the page (`_MAX_BESIDE_SHARE`), and never if it is a heading, but for those within boxes that are named after
advertising beyond doubt.

A part whose element holds a value of a label (`<dd>`, a row of a table) is marked, too: what somebody labelled is never treated as an advertisement.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.html.tags import BLOCKS, CELLS, COMMENT, INLINE, NUMBERS, TEXT, numbers_of
from hiddenweb.language import lexicon
from hiddenweb.revisit.parts import BESIDE, LABELLED, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.html.node_table import Attributes, NodeTable

_NOT_ENTERED = numbers_of(
    "head script style template title textarea select iframe noembed noframes svg math nav"
)
_LABELLING = numbers_of("dd tr td")
_PASSED_BY = _NOT_ENTERED | {TEXT, COMMENT, NUMBERS["br"]}
_DIGITS = re.compile(r"\d+")
_HEADINGS = numbers_of("h1 h2 h3 h4 h5 h6")
_PATH_STEPS = 3  # steps of a path, the last ones; a limit of taste
_MAX_PARTS_AT_PATH = 2  # parts of a page at one path: of more, the path says nothing; a limit of taste
_MAX_BESIDE_SHARE = 0.25
"""Share of the characters of a page: what stands beside the matter is no more; a limit of taste."""

_MAX_PARTS = 4_000  # parts of a page whose places are kept; a limit of taste
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
    """Return where parts of a page stand, by what they say; of parts that stand where many do, only what is marked."""
    return _choose_parts(list(_lines(nodes)))


class _TextLine:
    """A line of the text, as it is written."""

    __slots__ = ("is_heading", "is_labelled", "likely", "nodes", "path", "surely", "text")

    def __init__(self) -> None:
        self.text: list[str] = []
        self.nodes = 0
        self.path = ""
        self.surely = self.likely = self.is_heading = self.is_labelled = False


class _Around:
    """What holds for all that stands in an element."""

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
        """Return what holds in an element that stands here."""
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
    """Say whether the names of an element are those of advertisements, beyond doubt or likely.

    >>> is_named_as_box("col-4 ad-slot"), is_named_as_box("topAds"), is_named_as_box("promo-box"), is_named_as_box("header shadow loaded")
    ((True, False), (True, False), (False, True), (False, False))
    """
    words = [word.lower() for word in _NAMES_CUT.split(names) if word]
    return any(map(_BOXES.fullmatch, words)), any(map(_LIKELY_BOXES.fullmatch, words))


def _lines(nodes: NodeTable) -> Iterator[_TextLine]:
    """Yield the lines of a page: a block begins a new one."""
    line, around = _TextLine(), _Around()
    above: list[tuple[int, _Around]] = []
    tags, ends = nodes.tags, nodes.ends
    place, end = 0, len(tags)
    while True:
        if place >= end:
            if not above:
                break
            left, around = above.pop()
            end = ends[above[-1][0]] if above else len(tags)
            if tags[left] in BLOCKS:
                yield line
                line = _TextLine()
            continue
        tag = tags[place]
        if tag == TEXT:
            _say(line, nodes.texts[place], around)
        elif tag in CELLS:
            line.text.append(" ")
        elif tag in BLOCKS:
            yield line
            line = _TextLine()
        if tag not in _PASSED_BY and ends[place] > place + 1:
            above.append((place, around))
            end = ends[place]
            around = around.inside(tag, nodes.names[tag], nodes.attributes(place))
            place += 1
        else:
            place = ends[place]
    yield line


def _say(line: _TextLine, text: str, around: _Around) -> None:
    line.text.append(text)
    if text.isspace() or not text:
        return
    if line.nodes:  # what is said by several elements stands in what is around them
        line.path = _common(line.path, around.path)
        line.surely, line.likely = line.surely and around.surely, line.likely and around.likely
    else:
        line.path, line.surely, line.likely = around.path, around.surely, around.likely
    line.is_heading |= around.is_heading
    line.is_labelled |= around.is_labelled
    line.nodes += 1


def _common(path: str, other: str) -> str:
    steps = []
    for one, two in zip(path.split("/"), other.split("/"), strict=False):
        if one != two:
            break
        steps.append(one)
    return "/".join(steps)


def _choose_parts(lines: list[_TextLine]) -> dict[str, str]:
    """Return the parts that stand at a place of few parts, or at one that is marked."""
    found: list[tuple[str, _TextLine, bool]] = []
    label = False
    for line in lines:
        text = " ".join("".join(line.text)[:_MAX_PART].split())
        if not text:
            continue
        beside = line.surely and not line.path.endswith(("/h1", "/h2"))
        beside = beside or (not line.is_heading and (line.likely or label))
        label = text.casefold().rstrip(" :") in lexicon.words("headings.advertising")
        found += [(part, line, beside and not label) for part in parts_of((text,))]
        if len(found) > _MAX_PARTS:
            break
    length = sum(len(part) for part, _, _ in found)
    is_small = sum(len(part) for part, _, beside in found if beside) <= _MAX_BESIDE_SHARE * length
    paths = Counter(line.path for _, line, _ in found)
    chosen = {}
    for part, line, beside in found:
        mark = BESIDE if beside and is_small else LABELLED if line.is_labelled else ""
        if mark or paths[line.path] <= _MAX_PARTS_AT_PATH:
            chosen[part] = "/".join(line.path.rsplit("/", _PATH_STEPS)[-_PATH_STEPS:]) + mark
    return chosen
