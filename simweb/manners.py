"""Manners of real search applications that no drawn site has: they are there when they are named only.

Each manner is one change to a database that is plain otherwise: generated records in English, one box, all words, twenty results
on a page, pages of records, a robots.txt that allows everything, no trap. So what a crawl misses on such a site is the manner's doing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from simweb.plan import ENGLISH_ONLY, RobotsPlan
from simweb.search import Behaviour
from simweb.topics import TOPICS

if TYPE_CHECKING:
    from collections.abc import Callable

    from simweb.plan import DatabasePlan, SitePlan

PLAIN_TOPICS = tuple(topic for topic in TOPICS if topic not in (*ENGLISH_ONLY, "places"))
"""Whose records are generated: real ones may have so little in common, or so much, that it counts for more than a manner."""

CAP = 30
TOO_MANY = 60

MANNERS: dict[str, Callable[[DatabasePlan], DatabasePlan]] = {
    "plain": lambda plain: plain,
    "nofollow": lambda plain: replace(plain, asks_nofollow=True),  # DokuWiki, gitweb, MediaWiki
    "bare_400": lambda plain: replace(plain, bare_status=400, same_page=True, form_depths=(1,)),  # Datasette
    "bare_404": lambda plain: replace(plain, bare_status=404, same_page=True, form_depths=(1,)),
    "nothing_404": lambda plain: replace(plain, nothing_status=404),
    "too_many_500": lambda plain: replace(plain, too_many_status=500, behaviour=Behaviour(too_many=TOO_MANY)),
    "more_than": lambda plain: replace(plain, behaviour=Behaviour(cap=CAP, total="more_than")),
    "silent_cap": lambda plain: replace(plain, behaviour=Behaviour(cap=CAP, total="capped")),
    "untold_cap": lambda plain: replace(plain, behaviour=Behaviour(cap=CAP, shows_total=False)),
    "bracketed": lambda plain: replace(plain, paging="bracketed"),
    "opaque": lambda plain: replace(plain, paging="opaque"),
    "empty": lambda plain: replace(plain, keeps_empty=True, behaviour=Behaviour(empty="everything")),
    "wildcard": lambda plain: replace(plain, behaviour=Behaviour(wildcard="*")),
    "stop_words": lambda plain: replace(
        plain, behaviour=Behaviour(drops_stop_words=True, stop_words_find_all=True)
    ),
    "back": lambda plain: replace(plain, carries_back=True),
    "highlight": lambda plain: replace(plain, carries_query=True),
    "two_addresses": lambda plain: replace(plain, two_addresses=True),
}


def add_manner(plan: SitePlan, manner: str) -> SitePlan:
    """Return the plan of a site with a database as it is with one manner and nothing else that is special."""
    assert plan.database is not None
    return replace(
        plan,
        database=MANNERS[manner](_plain(plan.database)),
        robots=RobotsPlan("allow_all", ((True, "/"),)),
        traps=(),
        session_ids="",
    )


def _plain(database: DatabasePlan) -> DatabasePlan:
    return replace(
        database,
        behaviour=Behaviour(),
        paging="next",
        has_details=True,
        carries_query=False,
        same_page=False,
        featured=0,
        links_related=False,
        popular_searches=False,
        everywhere=False,
    )
