"""Sites of a simweb on which crawlers of all kinds ask for the same pages.

Everything is allowed by their robots.txt, none has a crawl delay, a trap, session ids or a page that a careful crawler
leaves alone because its address looks like an action. So whoever follows all links within a set of such sites asks for
the same addresses, each once, and a difference is a fault of the crawler.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING
from urllib.request import ProxyHandler, build_opener

from hiddenweb.frontier.scope import FrontierScope, reason_to_ignore
from simweb.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from simweb.running import Simweb
    from simweb.world import World

_SAMPLED = 4


@dataclass(frozen=True, slots=True)
class PlainSite:
    """A site: where it begins, its public pages, the style of its search form if it has one."""

    host: str
    url: str
    pages: tuple[str, ...]
    style: str | None


def plain_sites(world: World, numbers: Iterable[int]) -> Iterator[PlainSite]:
    """Yield those of the sites of a world that are plain."""
    truth = Truth(world)
    for number in numbers:
        plan = world.plan(number)
        if plan.traps or plan.host.startswith("127.") or plan.session_ids or plan.compression:
            continue
        if plan.robots.rules or plan.robots.crawl_delay:
            continue
        pages = tuple(truth.pages(plan.host))
        if not any(reason_to_ignore(page, FrontierScope()) for page in pages):
            yield PlainSite(plan.host, plan.url, pages, plan.database.style if plan.database else None)


def page_bytes(web: Simweb, site: PlainSite) -> float:
    """Return how large the pages of a site are, by a sample of them."""
    opener = build_opener(ProxyHandler({"http": web.proxy}))
    sizes = []
    for page in site.pages[:: max(1, len(site.pages) // _SAMPLED)]:
        with opener.open(page) as response:
            sizes.append(len(response.read()))
    return mean(sizes)


def enough(sites: Iterable[PlainSite], pages: int) -> list[PlainSite]:
    """Return the first sites that have so many pages together."""
    chosen: list[PlainSite] = []
    for site in sites:
        chosen.append(site)
        if sum(len(each.pages) for each in chosen) >= pages:
            return chosen
    raise RuntimeError(f"the sites have fewer than {pages} pages")
