"""Writing pages of the simulated web: words and links, made from the plan when somebody asks for them.

Words: of every 4 to 9 words of a page one is about the subject of its site, half of these being favourites of the site; homepages say
more, about and contact pages less. A site whose homepage the site classifier takes for something it is not reads like it, so that
crawls that judge pages by their words are deceived as well. Links: the navigation is the same on all pages of a site, with the same tag
paths; then the way up, what a list or an item leads to, special pages that hang here, other sites, the foot.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from benchmarks._harvest_layout import Layout, Place, entry_of, mix
from benchmarks._harvest_material import TOPICS
from benchmarks._harvest_words import NOTHING_SAID, SAYS_SEARCH
from hiddenweb.model import Link, Page
from hiddenweb.near_duplicates.sketch import text_fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks._harvest_layout import Section, Special
    from benchmarks._harvest_material import Material, Words
    from benchmarks._harvest_plan import Plan, Site

_AROUND = 20  # words, ten on each side
_SIBLINGS = 8
_SAID_ANYWHERE = 0.1  # pages on which words beside any one link tell of a search
_WORDLESS = 40  # words between words of the subject on a site that nobody takes to be on it
_MOST_ON_A_MAP = 40
_FACETS = (("sort", ("price", "date", "name")), ("view", ("grid", "list")), ("show", ("20", "50")))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A site as it is drawn: its layout, what stands above and below every page, and where its links to other sites are."""

    layout: Layout
    above: tuple[Link, ...]
    below: tuple[Link, ...]
    outward: dict[int, list[int]]  # by page: the sites it surely links to
    lure: int | None  # the topic that its words feign


class Wanted(NamedTuple):
    """A link that is to be written: path, anchor, where it stands, and whether the words around it tell of a search."""

    path: str
    anchor: str
    role: str
    is_said: bool = False


class Writer:
    """Writes the pages of all sites of a plan."""

    def __init__(self, plan: Plan, material: Material) -> None:
        self._plan, self._material, self._shape = plan, material, plan.shape
        self._outward_counts = range(len(plan.shape.outward))

    def draw_site(self, site: Site) -> Drawn:
        """Return a site with all that its pages have in common."""
        layout = Layout(site, self._shape, self._material, self._plan.seed)
        above, below = _frame(layout)
        lured = [topic for topic in range(len(TOPICS)) if site.taken >> topic & 1 and not site.is_on(topic)]
        return Drawn(layout, above, below, _outward(layout), lured[0] if lured else None)

    def page(self, drawn: Drawn, place: Place, url: str) -> Page:
        """Return a page of a site, as somebody who asks for this address gets it."""
        layout = drawn.layout
        rng = Random((layout.key << 24) + place.page)
        words = self._words(drawn, place, rng)
        links = list(drawn.above)
        links += _inward(layout, place, words, rng)
        links += self._links_out(drawn, place, words, rng)
        links += drawn.below
        if layout.site.trap in ("session", "reference"):
            links = list(_session_links(links, layout, place, url))
        text = " ".join(words)
        title = f"{_title(layout, place)} - {layout.site.name}"
        return Page(url, title, text, "en", links=tuple(links), fingerprint=text_fingerprint(text))

    # Words

    def _words(self, drawn: Drawn, place: Place, rng: Random) -> list[str]:
        layout, material, site = drawn.layout, self._material, drawn.layout.site
        special = layout.special_at(place.page)
        count = rng.randint(90, 230)
        words = material.general.draw(rng, count)
        stride = _stride(layout, place.page, special, rng)
        if site.subject < len(TOPICS) and not site.taken >> site.subject & 1:
            stride = _WORDLESS
        own = material.special[special.centre.topic if special and special.centre else site.subject]
        _put(words, own, 0, 2 * stride, rng)
        words[stride :: 2 * stride] = rng.choices(layout.favourites, k=len(range(stride, count, 2 * stride)))
        if site.also >= 0:
            _put(words, material.special[site.also], 1, 2 * stride, rng)
        if drawn.lure is not None:
            _put(words, material.special[drawn.lure], 2, 12, rng)
        if special and special.kind == "calendar" and place.detail:
            words = [*place.detail.split("/"), *words[:40]]
        return words

    # Links to other sites

    def _links_out(self, drawn: Drawn, place: Place, words: Sequence[str], rng: Random) -> Iterator[Link]:
        layout = drawn.layout
        special = layout.special_at(place.page)
        role = "links" if special and special.kind in ("centre", "links") else "text"
        numbers = [*drawn.outward.get(place.page, ())]
        if special and special.centre:
            numbers += special.centre.listed
        elif layout.site.linked and not (special and special.kind == "calendar"):
            count = rng.choices(self._outward_counts, self._shape.outward)[0]
            if layout.site.kind == "directory" and place.page < layout.base:
                count += rng.randint(3, 10)
            numbers += rng.choices(layout.site.linked, k=count)
        path = layout.tag_paths[role]
        for number in numbers:
            yield self._link_out(self._plan.sites[number], path, words, rng)

    def _link_out(self, site: Site, tag_path: str, words: Sequence[str], rng: Random) -> Link:
        """Return a link to another site: its name, words about it, or nothing that tells; mostly to its homepage."""
        chance = rng.random()
        at = rng.randrange(max(1, len(words) - _AROUND))
        around = list(words[at : at + _AROUND])
        about = self._material.special[site.subject]
        if chance < self._shape.named_anchor:
            anchor = site.name
            _put(around, about, 0, 6, rng)
        elif chance < self._shape.named_anchor + self._shape.worded_anchor:
            anchor = " ".join(about.draw(rng, rng.choice((1, 2, 2, 3)))).capitalize()
            _put(around, about, 0, 4, rng)
        else:
            anchor = rng.choice(NOTHING_SAID)
        path = "/"
        if site.has_entry and rng.random() < self._shape.deep_links:
            path = f"/{entry_of(site.original).lower()}/"
        return Link(site.root + path, anchor, " ".join(around), tag_path)


def _stride(layout: Layout, page: int, special: Special | None, rng: Random) -> int:
    """Return how many words apart the words of the subject are."""
    if page == 0:
        return max(3, layout.stride - 2)
    if special and special.kind in ("about", "contact", "privacy", "login", "help", "terms", "register"):
        return 15
    return layout.stride + rng.choice((-1, 0, 0, 1, 3))


def _put(words: list[str], drawn_from: Words, start: int, step: int, rng: Random) -> None:
    """Replace every so manieth word by a drawn one."""
    words[start::step] = drawn_from.draw(rng, len(range(start, len(words), step)))


def _title(layout: Layout, place: Place) -> str:
    if place.page == 0:
        return layout.site.name
    special = layout.special_at(place.page)
    if special:
        return special.anchor or special.kind.title()
    section = layout.section_at(place.page)
    assert section is not None
    return _anchor(layout, section, place.page - section.start)


# What stands on every page


def _frame(layout: Layout) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
    """Return the links above and below the contents of every page."""
    root, paths = layout.site.root, layout.tag_paths
    everywhere = [special for special in layout.specials if special.everywhere]
    above = [
        *((root + each.path, each.anchor, paths["top"]) for each in everywhere if each.role == "top"),
        (root + layout.home_file, "Home", paths["nav"]),
        *((f"{root}/{section.slug}/", section.name, paths["nav"]) for section in layout.sections),
        *(
            (root + each.path, each.anchor, paths[each.role])
            for each in everywhere
            if each.role in ("nav", "side")
        ),
    ]
    below = [(root + each.path, each.anchor, paths["foot"]) for each in everywhere if each.role == "foot"]
    return tuple(_side_by_side(above)), tuple(_side_by_side(below))


def _side_by_side(links: Sequence[tuple[str, str, str]]) -> Iterator[Link]:
    """Yield links whose surroundings are the anchors beside them."""
    anchors = [anchor for _, anchor, _ in links]
    for at, (url, anchor, tag_path) in enumerate(links):
        before = " ".join(anchors[max(0, at - 5) : at]).split()[-10:]
        after = " ".join(anchors[at + 1 : at + 6]).split()[:10]
        yield Link(url, anchor, " ".join(before + after), tag_path)


def _outward(layout: Layout) -> dict[int, list[int]]:
    """Return by page which sites it surely links to. Where there are databases, only pages from which no form is near do."""
    links_page = next((page for path, page in layout.page_of.items() if path.startswith("/links")), None)
    first = layout.sections[0] if layout.sections else None
    found: dict[int, list[int]] = {}
    for at, number in enumerate(layout.site.linked):
        chance = mix(layout.key, 700_000 + at)
        share, page = chance % 100, 0
        if share >= 30 and links_page is not None and share < 60:
            page = links_page
        elif share >= 30 and first is not None:
            size = first.size if layout.site.interfaces else layout.base - first.start
            page = first.start + (chance >> 8) % size
        found.setdefault(page, []).append(number)
    return found


# Links inside a site


def _inward(layout: Layout, place: Place, words: Sequence[str], rng: Random) -> Iterator[Link]:
    """Yield the links of a page to others of its site, but for those that stand on every page."""
    root, paths = layout.site.root, layout.tag_paths
    wanted = [*_ways_up(layout, place.page), *_contents(layout, place, rng), *_hanging(layout, place.page)]
    if rng.random() < layout.shape.dead_links and layout.site.pages > 5:
        wanted.insert(rng.randint(0, len(wanted)), _dead(layout, place.page, rng))
    said_by_chance = rng.randrange(len(wanted)) if wanted and rng.random() < _SAID_ANYWHERE else None
    room = max(1, len(words) - _AROUND)
    for at, (path, anchor, role, is_said) in enumerate(wanted):
        start = at * 7 % room
        around = " ".join(words[start : start + _AROUND])
        if is_said or at == said_by_chance:
            around = f"{SAYS_SEARCH[at % len(SAYS_SEARCH)]} {' '.join(words[start : start + 10])}"
        yield Link(root + path, anchor, around, paths[role])


def _contents(layout: Layout, place: Place, rng: Random) -> Iterator[Wanted]:
    page = place.page
    section = layout.section_at(page)
    special = layout.special_at(page)
    if page == 0:
        for each in layout.sections[:6]:
            yield Wanted(f"/{each.slug}/", each.name, "list")
    elif section and section.is_list(page - section.start):
        yield from _list(layout, section, page - section.start, place.detail)
    elif section:
        yield from _item(layout, section, page - section.start, rng)
    elif special and special.kind == "sitemap":
        yield from _map(layout)
    elif special and special.kind == "calendar":
        yield from _calendar(place.detail)
    elif special and special.kind in ("feature", "bridge", "beside", "help", "interface", "centre"):
        for each in layout.sections[:5]:
            yield Wanted(f"/{each.slug}/", each.name, "side")


def _ways_up(layout: Layout, page: int) -> list[Wanted]:
    """Return the links to the pages above, from the homepage down."""
    ways: list[Wanted] = []
    while page:
        special = layout.special_at(page)
        section = layout.section_at(page)
        if special:
            page = special.parent
        elif section:
            place = page - section.start
            page = section.start + (place - 1) // section.fan if place else 0
        ways.append(Wanted(layout.path(page), _name(layout, page), "crumb"))
    return ways[::-1]


def _name(layout: Layout, page: int) -> str:
    special, section = layout.special_at(page), layout.section_at(page)
    if special:
        return special.anchor
    return _anchor(layout, section, page - section.start) if section else "Home"


def _anchor(layout: Layout, section: Section, place: int) -> str:
    """Return what a link to a page of a section says."""
    if place == 0:
        return section.name
    if section.is_later(place):
        return "Next page"
    if section.is_list(place):
        parent = (place - 1) // section.fan
        return section.slugs[(place - 1 - parent * section.fan + parent) % len(section.slugs)].capitalize()
    return layout.anchor(section.start + place)[0]


def _list(layout: Layout, section: Section, place: int, detail: str) -> Iterator[Wanted]:
    """Yield what a list leads to, then lists beside it; where lists have facets, all ways of sorting it."""
    children = list(section.children(place))
    if layout.site.trap == "facets":
        yield from _facets(layout.path_in(section, place), detail)
        if detail:
            shift = mix(len(detail), place) % len(children)
            children = children[shift:] + children[:shift]
    for child in children:
        role = "pager" if section.is_later(child) else "list"
        yield Wanted(layout.path_in(section, child), _anchor(layout, section, child), role)
    yield from _neighbours(layout, section, place, 4)


def _neighbours(layout: Layout, section: Section, place: int, count: int) -> Iterator[Wanted]:
    """Yield the next pages of the same list, from the first again after the last."""
    if place:
        siblings = section.children((place - 1) // section.fan)
        for step in range(1, min(count + 1, len(siblings))):
            sibling = siblings[(place - siblings[0] + step) % len(siblings)]
            yield Wanted(layout.path_in(section, sibling), _anchor(layout, section, sibling), "side")


def _item(layout: Layout, section: Section, place: int, rng: Random) -> Iterator[Wanted]:
    """Yield links of an item: in its text to others that are no deeper, then to its siblings."""
    last = min(section.first_of_level(section.level(place) + 1), section.size)
    for other in {rng.randrange(last) for _ in range(rng.randint(0, 4))} - {place}:
        yield Wanted(layout.path_in(section, other), _anchor(layout, section, other), "text")
    yield from _neighbours(layout, section, place, _SIBLINGS)


def _hanging(layout: Layout, page: int) -> Iterator[Wanted]:
    """Yield the links to special pages that hang below a page, or below the page above it if they are linked beside."""
    for child in layout.hanging.get(page, ()):
        special = layout.specials[child - layout.base]
        if not special.everywhere:
            yield Wanted(special.path, special.anchor, special.role, special.said)
    section = layout.section_at(page)
    if section and page > section.start:
        above = section.start + (page - section.start - 1) // section.fan
        for child in layout.hanging.get(above, ()):
            special = layout.specials[child - layout.base]
            if special.beside:
                yield Wanted(special.path, special.anchor, special.role, special.said)


def _map(layout: Layout) -> Iterator[Wanted]:
    """Yield what a map of the site shows: sections, and lists and special pages below them."""
    shown = 0
    for special in layout.specials:
        if special.depth <= 2 and not special.everywhere and special.kind != "feature":
            yield Wanted(special.path, special.anchor, "list")
            shown += 1
    for section in layout.sections:
        for child in section.children(0):
            if shown < _MOST_ON_A_MAP and section.is_list(child):
                yield Wanted(layout.path_in(section, child), _anchor(layout, section, child), "list")
                shown += 1


def _calendar(detail: str) -> Iterator[Wanted]:
    """Yield the months beside a month, and its days; there is no last one."""
    numbers = [int(part) for part in detail.split("/") if part.isdigit()][:2]
    year, month = numbers if len(numbers) == 2 else (2010, 6)
    months = 12 * year + month - 1
    for step, anchor in ((-1, "Previous month"), (1, "Next month"), (12, "Next year")):
        then = months + step
        yield Wanted(f"/calendar/{then // 12}/{then % 12 + 1:02}/", anchor, "pager")
    for day in range(1, 29, 3):
        yield Wanted(f"/calendar/{year}/{month:02}/{day:02}/", str(day), "list")


def _facets(path: str, detail: str) -> Iterator[Wanted]:
    """Yield a list in every other order: one facet more or another value, all in one address."""
    chosen = dict(part.split("=", 1) for part in detail.split("&") if "=" in part)
    own = {name: value for name, value in chosen.items() if name not in dict(_FACETS)}
    chosen = {name: value for name, value in chosen.items() if name in dict(_FACETS)}
    path = path.partition("?")[0]
    for name, values in _FACETS:
        for value in values:
            if chosen.get(name) != value:
                query = "&".join(f"{key}={said}" for key, said in {**own, **chosen, name: value}.items())
                yield Wanted(f"{path}?{query}", f"{name} {value}", "side")


def _dead(layout: Layout, page: int, rng: Random) -> Wanted:
    """Return a link to a page that is there no more."""
    anchor, slug = layout.anchor(800_000 + page)
    gone = rng.randint(1, 400)
    if not layout.sections:
        return Wanted(f"/old/{slug}-{gone}.html", anchor, "text")
    section = rng.choice(layout.sections)
    number = section.numbers + section.size + gone
    if layout.style in ("php", "asp"):
        return Wanted(f"/{section.slug}/{layout.file}.{layout.style}?id={number}", anchor, "text")
    return Wanted(f"/{section.slug}/{slug}-{number}.html", anchor, "text")


def _session_links(links: Iterable[Link], layout: Layout, place: Place, url: str) -> Iterator[Link]:
    """Yield links whose addresses carry a session, which is a new one for who comes without, or the page that they are on."""
    root = f"{layout.site.root}/"
    if layout.site.trap == "reference":
        mark = f"ref={place.page}"
    else:
        _, _, known = place.detail.partition("sid=")
        mark = f"sid={known or format(mix(layout.key, len(url)) << 32 | mix(place.page, layout.key), '016x')}"
    for link in links:
        if link.url.startswith(root):
            joint = "&" if "?" in link.url else "?"
            yield Link(f"{link.url}{joint}{mark}", link.anchor, link.around, link.tag_path)
        else:
            yield link
