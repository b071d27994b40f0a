"""How like the web simweb is: the shape of a world of simulated sites, beside what was measured on the real one.

Power laws are fitted as Clauset, Shalizi and Newman do it ("Power-law distributions in empirical data", SIAM Review
2009): for a smallest value x_min, over the n values x >= x_min,

    alpha = 1 + n / sum(ln(x / (x_min - 1/2)))

and x_min is the one whose fitted law lies closest to the values (the smallest Kolmogorov-Smirnov distance).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from simweb.messages import Request
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from simweb.forms import Form
    from simweb.site import Site

DEPTH = 3

_FEWEST_IN_TAIL = 50


@dataclass(frozen=True, slots=True)
class Sample:
    """How much of a world is looked at."""

    sites: int  # hosts of the world
    sampled: int  # sites whose forms are counted
    databases: int  # databases whose forms are placed
    pages: int  # pages that are written, for their links
    linking_pages: int  # pages whose links to other sites are counted, for the power law


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of simweb beside the published one."""

    key: str
    meaning: str
    value: float
    published: str
    source: str


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """A fitted power law: P(x) ~ x ** -exponent from `smallest` on, which holds `tail` values."""

    exponent: float
    smallest: int
    tail: int


def calibration(seed: int, sample: Sample) -> list[Figure]:
    """Measure a world, by looking at so much of it."""
    world = World(seed, sample.sites)
    try:
        draw = Random(seed)
        return [*_links(world, draw, sample), *_forms(world, draw, sample), *_power_laws(world, draw, sample)]
    finally:
        world.close()


def power_law(values: Iterable[int]) -> PowerLaw:
    """Fit a power law to the tail of some values, where it fits best."""
    ordered = sorted(value for value in values if value > 0)
    logs_from = list(accumulate((math.log(value) for value in reversed(ordered)), initial=0.0))[::-1]
    best, best_distance = PowerLaw(math.nan, 0, 0), math.inf
    for smallest in sorted(set(ordered)):
        first = bisect_left(ordered, smallest)
        tail = len(ordered) - first
        if tail < _FEWEST_IN_TAIL:
            break
        exponent = 1 + tail / (logs_from[first] - tail * math.log(smallest - 0.5))
        distance = _distance(ordered[first:], smallest, exponent)
        if distance < best_distance:
            best, best_distance = PowerLaw(exponent, smallest, tail), distance
    return best


def _distance(tail: Sequence[int], smallest: int, exponent: float) -> float:
    """How far the share of values of at least x lies from what the law says, at worst."""
    count = len(tail)
    worst, at = 0.0, 0
    while at < count:
        said = ((tail[at] - 0.5) / (smallest - 0.5)) ** (1 - exponent)
        worst = max(worst, abs((count - at) / count - said))
        at = bisect_left(tail, tail[at] + 1, at)
    return worst


def _links(world: World, draw: Random, sample: Sample) -> list[Figure]:
    shares = [_outward_share(*page, world) for page in _pages(world, draw, sample.pages)]
    return [
        Figure(
            "out_of_site_links", "links that leave the site, share per page", fmean(shares),
            "0.04 to 0.11", "as stated in the design",
        ),
    ]  # fmt: skip


def _pages(world: World, draw: Random, count: int) -> list[tuple[int, int]]:
    """Pages drawn from all pages of the world alike: (site, page), site by site."""
    sizes = [world.plan(number).pages for number in world.numbers[: world.sites]]
    numbers = draw.choices(world.numbers[: world.sites], sizes, k=count)
    return sorted((number, draw.randrange(sizes[number])) for number in numbers)


def _outward_share(number: int, page: int, world: World) -> float:
    host, path = world.host(number), world.site(number).path(page)
    response = world.respond(Request("GET", host, path))
    assert response is not None
    outward = sum(urlsplit(link).netloc not in ("", host) for link in response.links)
    return outward / max(1, len(response.links))


def _forms(world: World, draw: Random, sample: Sample) -> list[Figure]:
    sites = [world.site(number) for number in draw.sample(range(world.sites), sample.sampled)]
    pages = sum(site.plan.pages for site in sites)
    with_form = sum(_pages_with_form(site) for site in sites)
    forms = [form for site in sites for _, form in _forms_of(site)]
    searchable = sum(form.is_search for form in forms) / len(forms)
    hosting = [number for number in range(world.sites) if world.plan(number).database is not None]
    chosen = draw.sample(hosting, min(len(hosting), sample.databases))
    depths = [_interface_depths(world.site(number)) for number in chosen]
    interfaces = [depth for each in depths for depth in each]
    chang = "Chang et al. 2004, Structured databases on the web"
    return [
        Figure("pages_with_form", "pages that hold a form", with_form / pages, "0.025", "as stated in the design"),
        Figure("searchable_forms", "forms that search, of all forms", searchable, "about 1/6", "as stated in the design"),
        Figure("interfaces_within_3", "query interfaces within depth 3", _share_within(interfaces), "0.72", chang),
        Figure(
            "databases_within_3", "databases with an interface within depth 3",
            _share_within([min(each) for each in depths]), "0.94", chang,
        ),
        Figure(
            "interfaces_per_database", "query interfaces per database", len(interfaces) / len(depths),
            "2.1 (406 of 190)", chang,
        ),
    ]  # fmt: skip


def _pages_with_form(site: Site) -> int:
    everywhere = site.plan.database is not None and site.plan.database.everywhere
    return site.plan.pages if everywhere else len(site.form_pages)


def _forms_of(site: Site) -> list[tuple[int, Form]]:
    """The forms that have a place of their own, with its depth; a box repeated on every page counts once."""
    return [(site.structure.depth[page], form) for page, forms in site.form_pages.items() for form in forms]


def _interface_depths(site: Site) -> list[int]:
    return [depth for depth, form in _forms_of(site) if form.is_search]


def _share_within(depths: Sequence[int]) -> float:
    return sum(depth <= DEPTH for depth in depths) / len(depths)


def _power_laws(world: World, draw: Random, sample: Sample) -> list[Figure]:
    targets: Counter[str] = Counter()
    for number, page in _pages(world, draw, sample.linking_pages):
        links = world.site(number).outward_links(page)
        targets.update(urlsplit(url).netloc for url, _, _ in links)
    inward = power_law(targets.values())
    sizes = power_law(world.plan(number).pages for number in range(world.sites))
    return [
        Figure(
            "in_link_exponent", f"in-links of a host, exponent (x_min {inward.smallest}, {inward.tail} hosts)",
            inward.exponent, "2.1", "Broder et al. 2000, Graph structure in the web (pages)",
        ),
        Figure(
            "site_size_exponent", f"pages of a site, exponent (x_min {sizes.smallest}, {sizes.tail} hosts)",
            sizes.exponent, "a power law", "Huberman & Adamic 1999, Growth dynamics of the World-Wide Web",
        ),
    ]  # fmt: skip
