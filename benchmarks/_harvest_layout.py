"""The pages of one site of the simulated web: how they hang together, what their addresses are, which forms stand where.

A homepage leads to sections, lists and items. A section is a tree in which every list has `fan` children, numbered level by level (the
children of i are i * fan + 1 ...), so that parents, depths and addresses are arithmetic and no page needs to be kept. The last child
of a list is its next page, if it is a list itself. Directories are named like their lists; one section has most of the pages.

Beside the tree stand special pages: about, contact, login; pages with search forms; pages that lead to them; pages that list other sites.
Each hangs below one page, its parent. A link never leads more than one step deeper than the page it is on, so the depth of a
page is its distance from the homepage. The first section has no form in it or below it; links from other sites that do not lead to
the homepage lead there, so nobody gets nearer to a form than from the homepage.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from benchmarks._harvest_forms import FormSeen, other_form, search_form
from benchmarks._harvest_material import SEARCH, SUBJECTS, TOPICS
from benchmarks._harvest_words import (
    BRIDGES,
    CENTRE_PAGES,
    FRAMES,
    MISLEADING,
    NAVIGATION,
    NOT_TELLING,
    SERVICES,
    SITE_SEARCH,
    TAG_PATHS,
    TELLING,
    TELLING_ANYWHERE,
    TELLING_FILES,
    UNTOLD_FILES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks._harvest_material import Material
    from benchmarks._harvest_plan import Centre, Interface, Shape, Site

_MOST_SECTIONS = 10
_FEATURES = 12  # pages that only the homepage links to
_RESERVED = 5  # pages kept back for ways to deep forms
_ITEM_NUMBERS = 1000  # from here on a number in an address is that of an item
_FORMS_OF_PAGES = ("contact", "other", "newsletter", "order", "login", SEARCH)
_SHARES_OF_FORMS = (30, 25, 15, 15, 10, 5)
_UNTOLD_FILES_AND_BRIDGES = (*UNTOLD_FILES, *(name.lower().replace(" ", "-") for name in BRIDGES))
_MOST_BESIDE = 12
_NUMBER = re.compile(r"(\d+)(?:\.html|/)?$")
_LATER_LIST = re.compile(r"(.+)-(\d+)$")


@dataclass(slots=True)
class Section:
    """A tree of lists and items: its root is the page `start`, `size` pages in all."""

    slug: str
    name: str
    size: int
    fan: int
    slugs: tuple[str, ...]  # names of the directories of lists
    numbers: int  # added to the numbers of items in addresses
    start: int = 0

    def first_of_level(self, level: int) -> int:
        """Return the first page of a level, whether there is one or not."""
        before: int = self.fan**level - 1
        return before // (self.fan - 1)

    def level(self, place: int) -> int:
        """Return how far a page is from the root."""
        level = 0
        while place:
            place = (place - 1) // self.fan
            level += 1
        return level

    def children(self, place: int) -> range:
        """Return the pages a list leads to."""
        first = place * self.fan + 1
        return range(first, min(first + self.fan, self.size))

    def is_list(self, place: int) -> bool:
        """Say whether a page leads to others."""
        return place * self.fan + 1 < self.size

    def is_later(self, place: int) -> bool:
        """Say whether a page only continues the list it is linked from."""
        return place > 0 and (place - 1) % self.fan == self.fan - 1 and self.is_list(place)


@dataclass(slots=True)
class Special:
    """A page beside the tree, linked from its parent and perhaps from every page, or from all children of its parent."""

    kind: str
    anchor: str
    path: str
    depth: int = 1
    role: str = "nav"  # where on a page the link to it stands
    parent: int = 0  # below zero while numbers are not settled: another special page
    hangs_in: tuple[int, int] | None = None  # the section it hangs in, and the place there
    everywhere: bool = False
    beside: bool = False  # linked from the children of its parent, too
    said: bool = False  # the text around the link says what it leads to
    forms: list[FormSeen] = field(default_factory=list)
    centre: Centre | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Which page an address means, and what else it says: a month, a way of sorting, a session."""

    page: int
    detail: str = ""


class Layout:
    """All pages of one site, by number: the homepage is 0, then come the sections, then the special pages."""

    def __init__(self, site: Site, shape: Shape, material: Material, seed: int) -> None:
        self.site, self.shape, self.material = site, shape, material
        self.key = seed * 1_000_003 + site.original
        rng = Random(self.key)
        self.style = rng.choices(("html", "slash", "php", "asp"), (45, 20, 15, 20))[0]
        self.file = rng.choice(("item", "detail", "show", "view"))
        self.home_file = "/index.html" if rng.random() < 0.1 else "/"
        frame = rng.choice(FRAMES)
        self.tag_paths = {role: frame + rng.choice(ends) for role, ends in TAG_PATHS.items()}
        self.stride = rng.randint(4, 9)  # every so manieth word is one of the subject
        self.favourites = tuple(material.special[site.subject].draw(rng, 25))
        self.forms: dict[int, list[FormSeen]] = {}
        self.sections: list[Section] = []
        self.specials: list[Special] = []
        self._build(rng)

    # Building

    def _build(self, rng: Random) -> None:
        site = self.site
        services = self._services(rng)
        features = min(_FEATURES, site.pages // 15)
        beside = self._pages_beside(rng)
        form_pages = len({each.page for each in site.interfaces if each.page})
        ways = _RESERVED if site.interfaces or site.centres else 0
        taken = len(services) + features + len(beside) + form_pages + len(site.centres) + ways
        self.sections = self._sections(max(site.pages - 1 - taken, 0), rng)
        self.specials = services + [self._feature(number) for number in range(features)]
        for special, file in [*beside, *self._interface_pages(rng), *self._centre_pages(rng)]:
            self._hang(special, file, rng)
        self._use_up(rng)
        self.base = 1 + sum(section.size for section in self.sections)
        self._number()
        self.page_of = {special.path: self.base + at for at, special in enumerate(self.specials)}
        self.section_of = {section.slug: section for section in self.sections}
        self.hanging: dict[int, list[int]] = {}
        for at, special in enumerate(self.specials):
            self.hanging.setdefault(special.parent, []).append(self.base + at)
            if special.forms:
                self.forms[self.base + at] = special.forms
        self._scatter_forms(rng)

    def _services(self, rng: Random) -> list[Special]:
        most = self.site.pages // 3
        services: list[Special] = []
        for anchor, file, share, form, role in SERVICES:
            if rng.random() < share and len(services) < most:
                named = anchor or rng.choice(SITE_SEARCH)
                special = Special(file, named, self._file(file), role=role, everywhere=True)
                if form:
                    special.forms.append(self._other_form(form, 50_000 + len(services), rng))
                services.append(special)
        if self.site.trap == "calendar":
            services.append(Special("calendar", "Calendar", "/calendar/", everywhere=True))
        return services

    def _pages_beside(self, rng: Random) -> list[tuple[Special, str]]:
        """Return pages without a form that are called what pages with one are called where nothing tells of a search."""
        count = min(self.site.pages // 8, rng.randint(0, 3) + self.site.pages // 100, _MOST_BESIDE)
        return [
            (self._link_special("beside", rng.choice((1, 1, 1, 2, 2, 3)), self._untold(rng), rng), file)
            for file in rng.choices(_UNTOLD_FILES_AND_BRIDGES, k=count)
        ]

    def _untold(self, rng: Random) -> str:
        """Return an anchor that does not tell of a search."""
        return rng.choice(NOT_TELLING + BRIDGES)

    def _link_special(self, kind: str, depth: int, anchor: str, rng: Random) -> Special:
        """Return a special page that is linked from the navigation, from its parent, or from the children of its parent too."""
        everywhere = depth == 1 and rng.random() < 0.75
        roles = ("nav", "nav", "nav", "top", "side") if everywhere else ("side", "side", "text", "list")
        beside = depth > 1 and rng.random() < 0.5
        return Special(kind, anchor, "", depth, rng.choice(roles), everywhere=everywhere, beside=beside)

    def _centre_pages(self, rng: Random) -> Iterator[tuple[Special, str]]:
        for centre in self.site.centres:
            special = Special("centre", rng.choice(CENTRE_PAGES), "", centre.depth, "list", centre=centre)
            yield special, f"{SUBJECTS[centre.topic]}-sites"

    def _file(self, name: str, directory: str = "/") -> str:
        return directory + name + {"html": ".html", "slash": "/", "php": ".php", "asp": ".asp"}[self.style]

    def _feature(self, number: int) -> Special:
        anchor, slug = self.anchor(900_000 + number)
        return Special("feature", anchor, self._file(f"{slug}-f{number}", "/features/"), role="text")

    def _sections(self, pages: int, rng: Random) -> list[Section]:
        """Return sections of very different sizes; the first is never the largest, if there are several."""
        count = min(_MOST_SECTIONS, round(pages**0.45), pages)
        if not count:
            return []
        weights = [1 / (rank + 1) ** 1.4 for rank in range(count)]
        sizes = [1 + int((pages - count) * weight / sum(weights)) for weight in weights]
        sizes[0] += pages - sum(sizes)
        largest = sizes.pop(0)
        rng.shuffle(sizes)
        sizes.insert(rng.randrange(1, count) if count > 1 else 0, largest)
        words = self.material.directories[self.site.subject]
        named = [entry_of(self.site.original)]
        while len(named) < count:
            name = rng.choice(NAVIGATION if rng.random() < 0.4 else words).capitalize()
            if name not in named:
                named.append(name)
        slugs = rng.sample(words, 30)
        return [
            Section(
                slug=name.lower(), name=name, size=size, fan=rng.randint(7, 16), slugs=tuple(slugs[at : at + 20]),
                numbers=_ITEM_NUMBERS * rng.randint(1, 9),
            )
            for at, (name, size) in enumerate(zip(named, sizes, strict=True))
        ]  # fmt: skip

    def _interface_pages(self, rng: Random) -> list[tuple[Special, str]]:
        """Put the search forms of the databases on the homepage and on pages of their own; return these, and what their files are called."""
        pages: dict[int, tuple[Special, str]] = {}
        for interface in self.site.interfaces:
            form = search_form(interface.id, TOPICS[interface.topic], self.shape, self.material, rng)
            if interface.page == 0:
                self.forms.setdefault(0, []).append(form)
                continue
            if interface.page not in pages:
                pages[interface.page] = self._interface_page(interface, rng)
            pages[interface.page][0].forms.append(form)
        return list(pages.values())

    def _interface_page(self, interface: Interface, rng: Random) -> tuple[Special, str]:
        """Return a page for a search form; the anchor of links to it, or its path, or both tell of a search, or neither does."""
        is_telling = rng.random() < self.shape.telling
        where = rng.choices(("both", "anchor", "path"), (45, 30, 25))[0] if is_telling else ""
        if where in ("both", "anchor"):
            anchor = rng.choice(TELLING[TOPICS[interface.topic]] + TELLING_ANYWHERE)
        elif rng.random() < 0.6:
            anchor = self._untold(rng)
        else:
            anchor = rng.choice(self.material.anchors[interface.topic])
        special = self._link_special("interface", interface.depth, anchor, rng)
        special.said = rng.random() < 0.3
        return special, rng.choice(TELLING_FILES if where in ("both", "path") else _UNTOLD_FILES_AND_BRIDGES)

    def _hang(self, special: Special, file: str, rng: Random) -> None:
        """Give a special page a parent one step nearer to the homepage, and an address in its directory."""
        directory = "/"
        if special.depth > 1:
            found = self._list_at(special.depth - 1, rng)
            if found:
                special.hangs_in = found
                directory = self._directory(self.sections[found[0]], found[1])
            elif special.kind == "beside":
                special.depth = 1
            else:
                special.parent = -1 - self._bridge(special.depth - 1)
        self._name(special, file, directory)
        self.specials.append(special)

    def _name(self, special: Special, file: str, directory: str) -> None:
        taken = {each.path for each in self.specials}
        taken.update(f"/{section.slug}{end}" for section in self.sections for end in (".php", "/"))
        special.path, number = self._file(file, directory), 2
        while special.path in taken:
            special.path, number = self._file(f"{file}{number}", directory), number + 1

    def _list_at(self, depth: int, rng: Random) -> tuple[int, int] | None:
        """Return a section, never the first, and a list in it at a depth, if there is one; large sections more often."""
        fitting = [
            (at, section)
            for at, section in enumerate(self.sections)
            if at and section.first_of_level(depth - 1) < section.size
        ]
        if not fitting:
            return None
        at, section = rng.choices(fitting, [section.size for _, section in fitting])[0]
        first, after = section.first_of_level(depth - 1), min(section.first_of_level(depth), section.size)
        lists = min(after, (section.size - 2) // section.fan + 1)
        return at, rng.randrange(first, lists if lists > first else after)

    def _bridge(self, depth: int) -> int:
        """Return a special page at a depth that leads on, made if need be: small sites have no lists so deep."""
        for at, special in enumerate(self.specials):
            if special.kind == "bridge" and special.depth == depth:
                return at
        parent = -1 - self._bridge(depth - 1) if depth > 1 else 0
        name = BRIDGES[(self.key + depth) % len(BRIDGES)]
        special = Special(
            "bridge", name, "", depth, "nav" if depth == 1 else "text", parent, everywhere=depth == 1
        )
        self._name(special, name.lower().replace(" ", "-"), "/")
        self.specials.append(special)
        return len(self.specials) - 1

    def _use_up(self, rng: Random) -> None:
        """Bring the site to its size: reserved pages that nothing needed become pages of its last section."""
        left = self.site.pages - 1 - len(self.specials) - sum(section.size for section in self.sections)
        if left > 0 and self.sections:
            self.sections[-1].size += left
        elif left > 0:
            self.specials += [self._feature(_FEATURES + number) for number in range(left)]
        start = 1
        for section in self.sections:
            section.start = start
            start += section.size
        if self.site.box:
            own = self.forms.get(0) or [self._other_form(SEARCH, 60_000, rng)]
            self.box: FormSeen | None = own[0]
        else:
            self.box = None

    def _number(self) -> None:
        """Say by number which pages special pages hang below, now that sizes are settled."""
        for special in self.specials:
            if special.hangs_in:
                section, place = special.hangs_in
                special.parent = self.sections[section].start + place
            elif special.parent < 0:
                special.parent = self.base - 1 - special.parent

    def _other_form(self, kind: str, place: int, rng: Random) -> FormSeen:
        return other_form(kind, self.site.original * 100_000 + place, self.shape, self.material, rng)

    def _scatter_forms(self, rng: Random) -> None:
        """Put forms that search no database on ordinary pages."""
        ordinary = range(1, self.base)
        count = int(len(ordinary) * self.shape.forms_of_a_page + rng.random())
        for page in rng.sample(ordinary, min(count, len(ordinary))):
            kind = rng.choices(_FORMS_OF_PAGES, _SHARES_OF_FORMS)[0]
            self.forms[page] = [self._other_form(kind, 70_000 + page, rng)]

    # Pages and addresses

    def depth(self, page: int) -> int:
        """Return how many links a page is from the homepage."""
        if page >= self.base:
            return self.specials[page - self.base].depth
        section = self.section_at(page)
        return 1 + section.level(page - section.start) if section else 0

    def special_at(self, page: int) -> Special | None:
        """Return the special page of a number, if it is one."""
        return self.specials[page - self.base] if page >= self.base else None

    def section_at(self, page: int) -> Section | None:
        """Return the section a page is in, if it is in one."""
        if 0 < page < self.base:
            for section in self.sections:
                if page < section.start + section.size:
                    return section
        return None

    def path(self, page: int) -> str:
        """Return the address of a page without its host."""
        if page == 0:
            return "/"
        if page >= self.base:
            return self.specials[page - self.base].path
        section = self.section_at(page)
        assert section is not None
        return self.path_in(section, page - section.start)

    def path_in(self, section: Section, place: int) -> str:
        """Return the address of a page of a section."""
        if place == 0:
            return f"/{section.slug}/"
        if self.style == "php":
            return f"/{section.slug}.php?id={section.numbers + place}"
        if section.is_later(place):
            list_place, number = self._list_of(section, place)
            return f"{self._directory(section, list_place)}?page={number}"
        if section.is_list(place):
            return self._directory(section, place)
        directory = self._directory(section, (place - 1) // section.fan)
        if self.style == "asp":
            return f"{directory}{self.file}.asp?id={section.numbers + place}"
        slug = self.anchor(section.start + place)[1]
        end = ".html" if self.style == "html" else "/"
        return f"{directory}{slug}-{section.numbers + place}{end}"

    def _directory(self, section: Section, place: int) -> str:
        """Return the directory of a list, which the pages that continue it share."""
        place, _ = self._list_of(section, place)
        if place == 0:
            return f"/{section.slug}/"
        parent = (place - 1) // section.fan
        slug = section.slugs[(place - 1 - parent * section.fan + parent) % len(section.slugs)]
        _, later = self._list_of(section, parent)
        return f"{self._directory(section, parent)}{slug}{f'-{later}' if later > 1 else ''}/"

    def _list_of(self, section: Section, place: int) -> tuple[int, int]:
        """Return the list that a page continues, and its number among the pages of that list."""
        number = 1
        while section.is_later(place):
            place, number = (place - 1) // section.fan, number + 1
        return place, number

    def find(self, path: str, query: str) -> Place | None:
        """Return the page that an address means, or None if there is no such page."""
        if path in ("", "/", "/index.html"):
            return Place(0, query)
        page = self.page_of.get(path)
        if page is not None:
            return Place(page, query)
        if path.startswith("/calendar/") and self.site.trap == "calendar":
            return Place(self.page_of["/calendar/"], path.removeprefix("/calendar/"))
        values = dict(part.partition("=")[::2] for part in query.split("&"))
        slug, _, rest = path[1:].partition("/")
        section = self.section_of.get(slug.removesuffix(".php"))
        if section is None:
            return None
        place = self._place(section, rest, values)
        if place is None or not 0 <= place < section.size:
            return None
        return Place(section.start + place, query)

    def _place(self, section: Section, rest: str, values: dict[str, str]) -> int | None:
        if "id" in values:
            return int(values["id"]) - section.numbers if values["id"].isdigit() else None
        numbered = _NUMBER.search(rest)
        if numbered and int(numbered[1]) >= _ITEM_NUMBERS:
            return int(numbered[1]) - section.numbers
        place = 0
        for slug in filter(None, rest.split("/")):
            name, later = (slug, 1)
            match = _LATER_LIST.fullmatch(slug)
            if match:
                name, later = match[1], int(match[2])
            if name not in section.slugs:
                return None
            place = self._later(section, place, later)
            child = (section.slugs.index(name) - place) % len(section.slugs)
            place = place * section.fan + 1 + child
        later_page = values.get("page", "1")
        return self._later(section, place, int(later_page)) if later_page.isdigit() else None

    def _later(self, section: Section, place: int, number: int) -> int:
        for _ in range(min(number, 50) - 1):
            place = place * section.fan + section.fan
        return place

    def anchor(self, page: int) -> tuple[str, str]:
        """Return what ordinary links to a page say, and how its address writes that; a few look as if they led to a search."""
        chance = mix(self.key, page)
        pool, slugs = self.material.anchors[self.site.subject], self.material.slugs[self.site.subject]
        if (chance & 0xFFFF) < self.shape.misleading * 0x10000:
            word = self.favourites[chance % len(self.favourites)]
            said = MISLEADING[(chance >> 16) % len(MISLEADING)].format(word=word)
            return said, said.lower().replace(" ", "-")
        at = (chance >> 8) % len(pool)
        return pool[at], slugs[at]

    def all_forms(self) -> Iterator[tuple[int, FormSeen]]:
        """Yield every form with the page it stands on; a box that stands on all pages comes once."""
        for page, forms in self.forms.items():
            for form in forms:
                yield page, form
        if self.box is not None and self.box not in self.forms.get(0, ()):
            yield 0, self.box

    def forms_on(self, page: int) -> tuple[FormSeen, ...]:
        """Return the forms of a page."""
        forms = tuple(self.forms.get(page, ()))
        return forms if self.box is None or self.box in forms else (self.box, *forms)


def entry_of(number: int) -> str:
    """Return the name of the first section of a site, which no form is in."""
    return NAVIGATION[number * 7 % len(NAVIGATION)]


def mix(first: int, second: int) -> int:
    """Return a number of 32 bits that two numbers give, as if by chance."""
    bits = (first * 0x9E3779B1 + second * 0x85EBCA77 + 0x165667B1) & 0xFFFFFFFF
    bits ^= bits >> 15
    bits = bits * 0x2C1B3C6D & 0xFFFFFFFF
    bits ^= bits >> 12
    bits = bits * 0x297A2D39 & 0xFFFFFFFF
    return bits ^ bits >> 15
