"""What is decided about every site before any page of it is made.

A plan is a value: host name, topic, language, size, the form and its manners, the traps, the robots rules, the
habits of the webmaster. Plans are drawn from the seed and the site's number alone. The calibration (how many
databases, how deep the forms lie, how many pages hold a form) follows published measurements of the web; see
docs/simweb.md for the sources and `python -m benchmarks simweb` for what comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from simweb import chance
from simweb.forms import STYLES
from simweb.guards import GUARDED
from simweb.languages import language
from simweb.leave_alone import PURPOSES
from simweb.look import Look, look_of
from simweb.search import STEMMERS, UNSPACED, Behaviour
from simweb.topics import TOPICS

if TYPE_CHECKING:
    from random import Random

    from simweb.search import EmptyQuery, Matching, Order

Layout = Literal["list", "table", "grid", "definitions", "blocks"]
Paging = Literal["next", "numbered", "offset", "button", "post", "more", "load", "bracketed", "opaque"]
LinkStyle = Literal["path", "full", "base"]
Validators = Literal["honest", "missing", "stuck", "restless"]

TRAPS = (
    "calendar",
    "facets",
    "endless_paging",
    "session_ids",
    "path_repetition",
    "redirect_chains",
    "script_links",
    "hostile_html",
)
LAYOUTS: tuple[Layout, ...] = ("list", "table", "grid", "definitions", "blocks")
PAGINGS: tuple[Paging, ...] = ("next", "numbered", "offset", "button", "post", "more")
MATCHINGS: tuple[Matching, ...] = ("all", "all", "any", "prefix", "substring", "all")
ENGLISH_ONLY = frozenset({"software", "characters"})
SECTIONS = (
    "about", "news", "guides", "archive", "events", "reviews", "help", "community", "collections", "services",
    "articles", "history", "resources", "interviews", "projects", "partners",
)  # fmt: skip

# Depth of a database's first search form and of its others: 94 % of databases and 72 % of query interfaces lie
# within depth 3 (Chang et al., "Structured databases on the web", SIGMOD Record 2004). Small sites are not that deep
# and pull their forms up, so more is drawn deep than shall lie deep.
FIRST_FORM_DEPTHS = (0.22, 0.32, 0.24, 0.12, 0.06, 0.04)
OTHER_FORM_DEPTHS = (0.0, 0.09, 0.18, 0.26, 0.27, 0.2)
LEFT_ALONE_PER_PAGE = 0.0205

# What browsers do with a label differs from what Python does (encoding.spec.whatwg.org, "Names and labels").
_CODECS = {
    "iso-8859-1": "cp1252", "iso-8859-9": "cp1254", "windows-874": "cp874", "tis-620": "cp874", "shift_jis": "cp932",
    "gbk": "gb18030",
}  # fmt: skip
_LABELS = {"cp874": "windows-874"}
_SEARCH_PATHS = (
    "/search",
    "/find.php",
    "/cgi-bin/query.pl",
    "/results",
    "/catalog/search.aspx",
    "/s",
    "/index.php/lookup",
)
_RECORD_PATHS = (
    "/item/{n}",
    "/record.php?id={n}",
    "/{topic}/{slug}-{n}.html",
    "/view/{n}/",
    "/show;id={n}",
    "/detail?no={n}",
)


@dataclass(frozen=True, slots=True)
class DatabasePlan:
    """One hidden database: how large it is, how it is asked and how it answers."""

    style: str
    size: int
    behaviour: Behaviour
    layout: Layout
    paging: Paging
    has_details: bool
    carries_query: bool
    repeats_form: bool
    same_page: bool
    search_path: str
    record_path: str
    featured: int
    links_related: bool
    popular_searches: bool
    form_depths: tuple[int, ...]
    everywhere: bool
    record_forms: tuple[str, ...]
    asks_nofollow: bool = False  # on the pages of its form and on its answers
    bare_status: int = 200  # of the form's page while nothing is asked
    nothing_status: int = 200  # of an answer that found nothing
    too_many_status: int = 200
    keeps_empty: bool = False  # further pages of an answer to nothing say that nothing was asked
    carries_back: bool = False  # addresses of records name the answer they were found in
    two_addresses: bool = False  # of each record, in each result


@dataclass(frozen=True, slots=True)
class RobotsPlan:
    """A site's robots.txt: `rules` are (allowed, path pattern) for everybody."""

    kind: str
    rules: tuple[tuple[bool, str], ...] = ()
    crawl_delay: float | None = None
    has_file: bool = True


@dataclass(frozen=True, slots=True)
class SitePlan:
    """Everything decided about one host."""

    number: int
    host: str
    topic: str
    language: str
    charset: str
    pages: int
    sections: tuple[str, ...]
    look: Look
    database: DatabasePlan | None
    left_alone: tuple[str, ...]
    traps: tuple[str, ...]
    is_hub: bool
    robots: RobotsPlan
    has_sitemap: bool
    validators: Validators
    compression: Literal["", "gzip", "br"]
    soft_404: bool
    session_ids: Literal["", "query", "path"]
    counts_views: bool
    shows_date: bool
    rotates_ads: bool
    shuffles: bool
    extension: str
    redesign_every: int | None
    arrivals_per_day: float
    changing_share: float
    leaving_share: float
    focus: int
    other_topic: str
    links: LinkStyle
    names_canonical: bool
    booby_traps: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Return the address of the homepage."""
        return f"http://{self.host}/"

    @property
    def codec(self) -> str:
        """Return the encoding as browsers mean it, by the name Python knows."""
        return _CODECS.get(self.charset, self.charset)


@dataclass(frozen=True, slots=True)
class Role:
    """What the world wants a site to be; the rest of its plan is drawn."""

    number: int
    host: str
    topic: str
    language: str
    pages: int
    database: int | None = None
    trap: int | None = None
    is_hub: bool = False
    booby_traps: tuple[str, ...] = ()
    style: str = ""  # of its search form; that of its turn if empty


def plan_site(seed: int, role: Role, largest_database: int, *, whole: bool = False) -> SitePlan:
    """Draw the plan of a site. Styles and manners go round in turn, so that a small world shows them all.

    With `whole` a database takes all records there are, up to the largest size.
    """
    draw = chance.rng(seed, role.number, "site")
    database = _database(seed, role, draw, largest_database, whole) if role.database is not None else None
    traps = (TRAPS[role.trap % len(TRAPS)],) if role.trap is not None else ()
    charset = _charset(role, database, draw)
    return SitePlan(
        number=role.number,
        host=role.host,
        topic=role.topic,
        language=role.language,
        charset=charset,
        pages=role.pages,
        sections=sections_of(seed, role.number, role.pages),
        look=look_of(seed, role.number),
        database=database,
        left_alone=_plan_purposes(role, draw),
        traps=traps,
        is_hub=role.is_hub,
        robots=_robots(role, database, draw),
        has_sitemap=draw.random() < 0.5,
        validators=draw.choices(("honest", "missing", "stuck", "restless"), (5, 4, 1, 1))[0],
        compression=draw.choices(("", "gzip", "br"), (7, 2, 1))[0],
        soft_404=draw.random() < 0.2,
        session_ids=_session_ids(traps, draw),
        counts_views=draw.random() < 0.3,
        shows_date=draw.random() < 0.2,
        rotates_ads=draw.random() < 0.3,
        shuffles=draw.random() < 0.15,
        extension=draw.choice(("", ".html", ".php", ".htm")),
        redesign_every=draw.randint(60, 400) if draw.random() < 0.3 else None,
        arrivals_per_day=draw.choice((0.0, 0.001, 0.005, 0.02)) * (database.size if database else 0),
        changing_share=draw.choice((0.0, 0.1, 0.5)),
        leaving_share=draw.choice((0.0, 0.05, 0.2)),
        focus=draw.choice((40, 60, 80, 100)),
        other_topic=draw.choice(TOPICS),
        links="path" if traps else draw.choices(("path", "full", "base"), (7, 2, 1))[0],
        names_canonical=draw.random() < 0.3,
        booby_traps=role.booby_traps,
    )


def sections_of(seed: int, number: int, pages: int) -> tuple[str, ...]:
    """Return the sections of a site; other sites link to them, so it must be quick to tell."""
    state = chance.mix(seed * 1_000_003 + number)
    count = min(max(1, pages - 1), 4 + state % 6)
    first, stride = (state >> 8) % len(SECTIONS), 2 * ((state >> 16) % 8) + 1
    return tuple(SECTIONS[(first + turn * stride) % len(SECTIONS)] for turn in range(count))


def section_path(section: str) -> str:
    """Return the path of a section."""
    return f"/{section}/"


def _database(seed: int, role: Role, draw: Random, largest: int, whole: bool) -> DatabasePlan:
    turn = role.database or 0

    def is_turn(count: int, name: str) -> bool:
        return chance.take_turn(turn, count, seed, name) == 0

    style = role.style or STYLES[turn % len(STYLES)]
    drawn = min(largest, int(60 * draw.random() ** -0.9))
    size = largest if whole else drawn
    has_details = not is_turn(5, "no details")
    boxed = style in ("box", "box_selects", "semicolon", "outside", "radios")
    return DatabasePlan(
        style=style,
        size=size,
        behaviour=_behaviour(seed, role, size),
        layout=LAYOUTS[chance.take_turn(turn, len(LAYOUTS), seed, "layout")],
        paging=_paging(seed, style, turn),
        has_details=has_details,
        carries_query=has_details and is_turn(6, "carries query"),
        repeats_form=not is_turn(3, "form once"),
        same_page=is_turn(6, "same page") and style not in ("steps", "aspnet", *GUARDED),
        search_path=draw.choice(_SEARCH_PATHS),
        record_path=draw.choice(_RECORD_PATHS),
        featured=min(size, draw.choice((0, 3, 5, 8) if role.trap is None else (5, 8))) if has_details else 0,
        links_related=has_details and is_turn(9, "related"),
        popular_searches=boxed and is_turn(4, "popular searches"),
        form_depths=_form_depths(role, draw),
        everywhere=role.pages <= 30 and is_turn(10, "everywhere"),
        record_forms=_record_forms(draw) if has_details and is_turn(4, "record forms") else (),
    )


def _record_forms(draw: Random) -> tuple[str, ...]:
    return tuple(draw.sample(("cart", "comment", "report"), draw.randint(1, 2)))


def _behaviour(seed: int, role: Role, size: int) -> Behaviour:
    turn = role.database or 0

    def spin(count: int, name: str) -> int:
        return chance.take_turn(turn, count, seed, name)

    matching = MATCHINGS[spin(len(MATCHINGS), "matching")]
    if size > 1000 and matching == "substring":  # reading every text is slow
        matching = "all"
    limited = spin(8, "limit")
    capped = limited in (0, 1)
    unspaced = role.language in UNSPACED
    empties: tuple[EmptyQuery, ...] = ("error", "everything", "form")
    orders: tuple[Order, ...] = ("relevance", "relevance", "number", "title", "newest")
    can_stem = matching in ("all", "any") and role.language in STEMMERS
    return Behaviour(
        matching=matching,
        language=role.language,
        stems=can_stem and spin(2, "stems") == 0,
        folds_case=spin(12, "case") != 0,
        folds_accents=spin(5, "accents") != 0,
        drops_stop_words=spin(2, "stop words") == 0,
        shortest_word=3 if spin(6, "shortest") == 0 and not unspaced else 1,
        empty="error" if capped else empties[spin(3, "empty")],
        order=orders[spin(len(orders), "order")],
        cap=max(10, min(100, size // 4)) if capped else None,
        too_many=max(20, size // 3) if limited == 2 else None,
        page_size=(10, 10, 20, 25)[spin(4, "page size")],
        shows_total=spin(3, "total") != 0,
        redirects_exact=spin(6, "exact") == 0,
        suggests=spin(4, "suggests") == 0 and not unspaced,
    )


def _paging(seed: int, style: str, turn: int) -> Paging:
    if style in ("post", "aspnet", "token_post"):
        return "post"
    if style == "load_more":
        return "load"
    if style == "semicolon":
        return "next"
    others = [paging for paging in PAGINGS if paging != "post"]
    return others[chance.take_turn(turn, len(others), seed, "paging")]


def _form_depths(role: Role, draw: Random) -> tuple[int, ...]:
    """Return how deep the search forms lie: the first one shallow, a few more deeper down in larger sites."""
    first = draw.choices(range(6), FIRST_FORM_DEPTHS)[0]
    room = int(role.pages * 0.04)
    others = min(room, int(draw.expovariate(1 / 4.2)))
    return (first, *(max(first, d) for d in draw.choices(range(6), OTHER_FORM_DEPTHS, k=others)))


def _charset(role: Role, database: DatabasePlan | None, draw: Random) -> str:
    legacy = language(role.language).charsets[1:]
    wants_legacy = database is not None and database.style in ("charset", "accept_charset")
    chosen = draw.choice(legacy) if legacy and (wants_legacy or draw.random() < 0.06) else "utf-8"
    return _LABELS.get(chosen, chosen)


def _plan_purposes(role: Role, draw: Random) -> tuple[str, ...]:
    """Return the purposes of the forms to leave alone, one for each of so many pages, in turn over all purposes."""
    expected = role.pages * LEFT_ALONE_PER_PAGE
    count = int(expected) + (draw.random() < expected % 1)
    first = draw.randrange(len(PURPOSES)) + role.number
    return tuple(PURPOSES[(first + at * 7) % len(PURPOSES)] for at in range(count))


def _session_ids(traps: tuple[str, ...], draw: Random) -> Literal["", "query", "path"]:
    if "session_ids" not in traps:
        return ""
    return "query" if draw.random() < 0.5 else "path"


def _robots(role: Role, database: DatabasePlan | None, draw: Random) -> RobotsPlan:
    kind = draw.choices(
        ("none", "empty", "allow_all", "section", "search", "wildcards", "delay", "everything"),
        (30, 10, 20, 14, 8, 8, 7, 3),
    )[0]
    search = database.search_path if database else "/search"
    match kind:
        case "none":
            return RobotsPlan(kind, has_file=False)
        case "allow_all":
            return RobotsPlan(kind, ((True, "/"),))
        case "section":
            return RobotsPlan(kind, ((False, "/admin/"), (False, "/account/"), (False, f"/{SECTIONS[3]}/")))
        case "search":
            return RobotsPlan(kind, ((False, search), (True, "/")))
        case "wildcards":
            return RobotsPlan(kind, ((False, "/*.php$"), (False, "/*sort="), (True, "/index.php$")))
        case "delay":
            return RobotsPlan(kind, ((False, "/admin/"),), crawl_delay=draw.choice((0.5, 1.0, 2.0)))
        case "everything" if not role.is_hub:
            return RobotsPlan(kind, ((False, "/"),))
        case _:
            return RobotsPlan("empty")
