"""Every setting of ours in one table: its name, its default, what it may be, and what it is for.

`hiddenweb/settings.py` takes the defaults from here, `scrapy crawl` checks all settings against it before anything is fetched,
and a test compares docs/settings.md with it. Some values, such as a topic or a proxy, are checked by the part that uses them;
it is imported only then, because commands load this module just for the defaults.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from hiddenweb import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

PREFIX = "HIDDENWEB_"
"""How our names begin, so that they never clash with Scrapy's."""

PROJECT_PRIORITY = 20
"""Of the settings module of a project (`scrapy.settings.SETTINGS_PRIORITIES`); typed settings have a higher one."""

MAX_BUDGET_DIGITS = 15
"""Of a number in an argument: SQLite's whole numbers have 18. A limit of taste."""

MAX_VALUE_CHARACTERS = 100
"""Of a bad value in a message. A limit of taste."""


class SettingsReader(Protocol):
    """What the checks need of Scrapy's settings."""

    def get(self, name: str, /) -> Any: ...
    def getbool(self, name: str, /) -> bool: ...
    def getint(self, name: str, /) -> int: ...
    def getfloat(self, name: str, /) -> float: ...
    def getlist(self, name: str, /) -> list[Any]: ...
    def getpriority(self, name: str, /) -> int | None: ...
    def __iter__(self) -> Iterator[Any]: ...


class Kind(Protocol):
    """What a setting may be."""

    def check(self, settings: SettingsReader, name: str) -> None:
        """Raise ValueError or OSError for a bad value; the message names it and what was wanted."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number within limits. None means no number."""

    minimum: float = 0
    maximum: float = math.inf
    is_whole: bool = True
    is_above: bool = False  # more than the minimum, not the minimum itself

    def check(self, settings: SettingsReader, name: str) -> None:
        value = settings.get(name)
        if value is not None and not self._allows(value):
            raise ValueError(f"{value!r} cannot be used; wanted {self.wanted}")

    @property
    def wanted(self) -> str:
        """What was wanted, for a message."""
        kind = "a whole number" if self.is_whole else "a number"
        if math.isfinite(self.maximum):
            return f"{kind} from {self.minimum:g} to {self.maximum:g}"
        return f"{kind} above {self.minimum:g}" if self.is_above else f"{kind}, {self.minimum:g} or more"

    def _allows(self, value: Any) -> bool:
        try:
            number = int(value) if self.is_whole else float(value)
        except (TypeError, ValueError, OverflowError):
            return False
        is_high_enough = number > self.minimum if self.is_above else number >= self.minimum
        return math.isfinite(number) and is_high_enough and number <= self.maximum


@dataclass(frozen=True, slots=True)
class Flag:
    """True or False."""

    def check(self, settings: SettingsReader, name: str) -> None:
        try:
            settings.getbool(name)
        except ValueError:
            raise ValueError(f"{settings.get(name)!r} cannot be used; wanted 1 or 0, True or False") from None


@dataclass(frozen=True, slots=True)
class Read:
    """A value that the part which uses it can read; an empty one is not checked if it `may_be_empty`."""

    read: Callable[[SettingsReader, str], object]
    may_be_empty: bool = True

    def check(self, settings: SettingsReader, name: str) -> None:
        if settings.get(name) or not self.may_be_empty:
            self.read(settings, name)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of ours."""

    name: str
    default: Any
    kind: Kind
    help: str


def _read_folder(settings: SettingsReader, name: str) -> None:
    if not settings.get(name):
        raise ValueError("is empty; wanted a folder")


def _read_contact(settings: SettingsReader, name: str) -> None:
    contact = settings.get(name)
    if not (contact.isascii() and contact.isprintable()):
        raise ValueError(f"{contact!r} cannot be sent; wanted one line in ASCII")


def _read_addresses(settings: SettingsReader, name: str) -> None:
    from hiddenweb.fetch.address_guard import AllowList

    AllowList.parse(settings.getlist(name))


def _read_proxy(settings: SettingsReader, name: str) -> None:
    import os

    from hiddenweb.fetch.proxies import Proxies

    Proxies.from_setting(settings.get(name), os.environ)


def _read_certificates(settings: SettingsReader, name: str) -> None:
    from hiddenweb.fetch.http_client import tls_context

    file = settings.get(name)
    try:
        tls_context(file)
    except OSError as error:  # an SSLError is one
        why = error.strerror or error
        raise ValueError(f"{file!r} cannot be read: {why}; wanted a file of certificates (PEM)") from None


def _read_cookies(settings: SettingsReader, name: str) -> None:
    from pathlib import Path

    from hiddenweb.fetch.own_headers import read_cookie_file

    read_cookie_file(Path(settings.get(name)))


def _read_headers(settings: SettingsReader, name: str) -> None:
    from pathlib import Path

    from hiddenweb.fetch.own_headers import read_header_file

    read_header_file(Path(settings.get(name)))


def _read_nofollow(settings: SettingsReader, name: str) -> None:
    from hiddenweb.frontier.scope import nofollow_policy

    nofollow_policy(str(settings.get(name)))


def _read_time(settings: SettingsReader, name: str) -> None:
    from hiddenweb.frontier.stopping import parse_seconds

    parse_seconds(str(settings.get(name)))


def _read_patterns(settings: SettingsReader, name: str) -> None:
    from hiddenweb.frontier.address_scope import parse_patterns

    parse_patterns(settings.get(name))


def _read_topic(settings: SettingsReader, name: str) -> None:
    from hiddenweb.focused.topic import read_topic

    read_topic(settings.get(name))


def _read_strategy(settings: SettingsReader, _: str) -> None:
    from hiddenweb.focused.topic_crawl import read_strategy

    read_strategy(settings)


def _read_host_graph(settings: SettingsReader, _: str) -> None:
    from random import Random

    from hiddenweb.focused.topic_crawl import read_graph

    read_graph(settings, Random(0))


def _read_search_engine(settings: SettingsReader, _: str) -> None:
    from hiddenweb.focused.topic_crawl import read_engine

    read_engine(settings)


def _read_form_numbers(settings: SettingsReader, name: str) -> None:
    from hiddenweb.store.chosen_forms import parse_form_numbers

    parse_form_numbers(settings.get(name))


def _read_policy(settings: SettingsReader, name: str) -> None:
    from hiddenweb.querying.policies.registry import known_policy

    known_policy(settings.get(name))


def _read_detail_pages(settings: SettingsReader, name: str) -> None:
    from hiddenweb.store.detail_pages import policy_named

    policy_named(str(settings.get(name)))


def _read_values(settings: SettingsReader, name: str) -> None:
    from datetime import UTC, datetime
    from pathlib import Path

    from hiddenweb.querying.labelled_values import LabelledValueSet

    LabelledValueSet(datetime.now(UTC).date()).load_user_file(Path(settings.get(name)))


def _read_repair(settings: SettingsReader, name: str) -> None:
    from hiddenweb.extraction.template_repair import parse_repairs

    parse_repairs(str(settings.get(name)))


def _read_anything(_settings: SettingsReader, _name: str) -> None:
    """Leave the check to the part that uses the value."""


FLAG = Flag()
COUNT, POSITIVE_COUNT = Number(), Number(is_above=True)
AMOUNT, POSITIVE_AMOUNT = Number(is_whole=False), Number(is_whole=False, is_above=True)
SHARE = Number(maximum=1, is_whole=False)
ANYTHING = Read(_read_anything)

# Where a default is no limit of taste, docs/settings.md names its origin.
SETTINGS: tuple[Setting, ...] = (
    # Where everything is stored
    Setting("HIDDENWEB_STATE", "data", Read(_read_folder, may_be_empty=False), "the folder of frontier, pages, forms, records and index"),
    Setting("HIDDENWEB_STATE_WAIT", 0.0, AMOUNT, "seconds a crawl waits while another one uses its state"),
    # Politeness and safety
    Setting("HIDDENWEB_CONTACT", "", Read(_read_contact), "an address or a page where the owner of a site can reach you"),
    Setting("HIDDENWEB_DELAY", 1.0, AMOUNT, "seconds between two requests to one host"),
    Setting("HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST", 1, POSITIVE_COUNT, "requests to one host at the same time"),
    Setting("HIDDENWEB_MAX_OPEN_HOSTS", 256, POSITIVE_COUNT, "hosts that take turns"),
    Setting("HIDDENWEB_NOFOLLOW", "links", Read(_read_nofollow, may_be_empty=False), "what nofollow forbids: links only, or strict: searches too"),
    Setting("HIDDENWEB_RETRIES", 2, COUNT, "how often a request that failed for the moment is tried again"),
    Setting("HIDDENWEB_RETRY_DELAY", 10.0, AMOUNT, "seconds before the first retry, then twice as long each time"),
    Setting("HIDDENWEB_ROBOTS_RETRY_DELAY", 600.0, AMOUNT, "seconds until a robots.txt that could not be fetched is requested again"),
    # The network
    Setting("HIDDENWEB_ALLOW_ADDRESSES", (), Read(_read_addresses), "host:port of your own network that may be requested; else only public ones"),
    Setting("HIDDENWEB_PROXY", None, Read(_read_proxy, may_be_empty=False), "an http proxy; None: of the environment, empty: none"),
    Setting("HIDDENWEB_CA_FILE", None, Read(_read_certificates), "certificates (PEM) that are trusted beside the system's"),
    Setting("HIDDENWEB_COOKIES", None, Read(_read_cookies), "a cookies.txt (Netscape format) with cookies of your own, for sites that are yours"),
    Setting("HIDDENWEB_HEADERS", None, Read(_read_headers), "a TOML file with headers of your own, by origin, for sites that are yours"),
    Setting("HIDDENWEB_MAX_BYTES", 10_000_000, POSITIVE_COUNT, "bytes of a response after decoding; what is longer is cut"),
    Setting("HIDDENWEB_MAX_HEADER_BYTES", 65_536, POSITIVE_COUNT, "bytes of the head of a response; a longer one is an error"),
    # Where following ends
    Setting("HIDDENWEB_INCLUDE", "", Read(_read_patterns), "patterns of the only addresses that are requested: /books, a.example/books, re:..."),
    Setting("HIDDENWEB_EXCLUDE", "", Read(_read_patterns), "patterns of addresses that are not requested, and to which no form is sent"),
    Setting("HIDDENWEB_MAX_HOPS", 30, COUNT, "links between a seed and a page"),
    Setting("HIDDENWEB_PAGES_PER_SITE", 20_000, POSITIVE_COUNT, "pages of one site in all, of all crawls of this state together"),
    Setting("HIDDENWEB_EXPLORED_PAGES_PER_SITE", 5_000, POSITIVE_COUNT, "of these, pages that links lead to"),
    Setting("HIDDENWEB_DETAIL_PAGES_PER_SITE", 5_000, POSITIVE_COUNT, "of these, own pages of records; answers come before them"),
    Setting("HIDDENWEB_SITEMAP_LINKS", 1_000, COUNT, "pages that are taken from the sitemaps of a site; 0: they are not read"),
    Setting("HIDDENWEB_TIME_LIMIT", None, Read(_read_time), "how long a crawl runs: 90s, 30m, 2h; the same command resumes it"),
    Setting("HIDDENWEB_MAX_DUPLICATES_PER_SITE", 200, POSITIVE_COUNT, "pages of a site in a row that repeat others, then it is left"),
    Setting("HIDDENWEB_MAX_DUPLICATES_PER_PATTERN", 30, POSITIVE_COUNT, "the same of pages whose addresses differ in numbers and query only"),
    # On a topic
    Setting("HIDDENWEB_TOPIC", None, Read(_read_topic), "what the crawl looks for: the name of a topic, any words, or a topic file"),
    Setting("HIDDENWEB_STRATEGY", "adaptive", Read(_read_strategy, may_be_empty=False), "how sites and links are chosen: adaptive or smartcrawler"),
    Setting("HIDDENWEB_FOLLOW_SITES", True, FLAG, "whether other sites than the seeds are visited"),
    Setting("HIDDENWEB_CONCURRENT_SITES", 32, POSITIVE_COUNT, "sites that are explored at the same time"),
    Setting("HIDDENWEB_MIN_RELEVANCE", 0.05, AMOUNT, "the cosine of form and topic from which a form is on the topic"),
    Setting("HIDDENWEB_MAX_SITE_DEPTH", 3, COUNT, "SC1: links from the first page of a site"),
    Setting("HIDDENWEB_PAGES_PER_DEPTH", 100, COUNT, "SC2: pages of one depth that are read; 0: no limit"),
    Setting("HIDDENWEB_FORMS_PER_DEPTH", 10, COUNT, "SC3: search forms of one depth, then the next has its turn; 0: no limit"),
    Setting("HIDDENWEB_FORMLESS_PAGES_PER_DEPTH", 30, COUNT, "SC4: pages of one depth without a new search form; 0: no limit"),
    Setting("HIDDENWEB_FORMLESS_PAGES_PER_SITE", 60, COUNT, "SC5: the same, of the whole site; 0: no limit"),
    Setting("HIDDENWEB_LINKS_PER_DEPTH", 100, POSITIVE_COUNT, "smartcrawler: visits of one depth that the link tree shares out"),
    Setting("HIDDENWEB_SITE_ALPHA", 0.7, SHARE, "smartcrawler: the weight of words in the rank of a site, against links"),
    Setting("HIDDENWEB_RERANK_AFTER_SITES", 50, POSITIVE_COUNT, "smartcrawler: new sites with forms after which ranks are rebuilt"),
    Setting("HIDDENWEB_RERANK_AFTER_FORMS", 100, POSITIVE_COUNT, "smartcrawler: the same, forms"),
    Setting("HIDDENWEB_MIN_WAITING_SITES", 50, COUNT, "smartcrawler: candidates below which reverse search begins"),
    Setting("HIDDENWEB_HUB_LINKS", 2, COUNT, "a page that links to more good sites than these is a hub: its other links are candidates"),
    Setting("HIDDENWEB_HOST_GRAPH", None, Read(_read_host_graph), "reverse search: vertices and edges, as Common Crawl writes them"),
    Setting("HIDDENWEB_SEARCH_ENGINE", None, Read(_read_search_engine), "reverse search: the address of an engine, with {site} in it"),
    Setting("HIDDENWEB_RANDOM_SEED", 0, COUNT, "what is left to chance follows from it"),
    # Querying
    Setting("HIDDENWEB_SUBMIT", False, FLAG, "whether search forms are submitted"),
    Setting("HIDDENWEB_DRY_RUN", False, FLAG, "whether harvest only looks at the sites, and says what querying their forms will cost"),
    Setting("HIDDENWEB_POLICY", "benefit", Read(_read_policy, may_be_empty=False), "what chooses the next query"),
    Setting("HIDDENWEB_QUERIES_PER_FORM", 5_000, COUNT, "queries to one form at most, of all crawls of this state together"),
    Setting("HIDDENWEB_MIN_NEW_RECORDS", 0.5, AMOUNT, "new records that a query must be expected to bring"),
    Setting("HIDDENWEB_PAGES_PER_ANSWER", 0, COUNT, "pages of one answer that are read at a time; 0: while they bring new records"),
    Setting("HIDDENWEB_FORMS", None, Read(_read_form_numbers), "the numbers of known forms that are submitted, while nothing is explored"),
    Setting("HIDDENWEB_DETAIL_PAGES", "auto", Read(_read_detail_pages, may_be_empty=False), "whether the pages of records are fetched: auto, always, never"),
    Setting("HIDDENWEB_ALLOW_POST", (), ANYTHING, "hosts whose search forms may be sent by POST"),
    Setting("HIDDENWEB_VALUES", None, Read(_read_values), "a TOML file with values of your own, by label"),
    # Revisiting
    Setting("HIDDENWEB_REVISIT", False, FLAG, "whether a crawl fetches pages again that were read before, and nothing else"),
    Setting("HIDDENWEB_COMPARISON_PROCESSES", 0, COUNT, "processes that read what changed; 0: as many as there are cores"),
    Setting("HIDDENWEB_COMPARISON_QUEUE", 500, POSITIVE_COUNT, "pages that wait for these processes before fetching waits"),
    Setting("HIDDENWEB_NOTIFY", None, ANYTHING, "a TOML file that says who is notified of which changes"),
    Setting("HIDDENWEB_GONE_AFTER_FAILURES", 3, POSITIVE_COUNT, "revisits that find no page, before it counts as gone"),
    Setting("HIDDENWEB_GONE_MIN_INTERVAL", 6 * 3600.0, AMOUNT, "seconds between two such revisits for both to count"),
    Setting("HIDDENWEB_MAX_VERSIONS_PER_PAGE", 100, COUNT, "versions of a page that are kept; 0: all"),
    Setting("HIDDENWEB_VERSION_MAX_DAYS", 0.0, AMOUNT, "days for which a replaced version is kept; 0: for ever"),
    # Extraction
    Setting("HIDDENWEB_REPAIR", "auto", Read(_read_repair, may_be_empty=False), "what happens to a new pattern when a template has changed: auto or ask"),
    Setting("HIDDENWEB_AUTOMATIC_EXTRACTORS", True, FLAG, "whether the answers of a form get an extractor by themselves"),
    # The index
    Setting("HIDDENWEB_INDEX", True, FLAG, "whether a process beside the crawl writes the search index"),
    Setting("HIDDENWEB_INDEX_WAIT", 600.0, AMOUNT, "seconds a crawl waits at its end until all is indexed"),
    Setting("HIDDENWEB_OUTBOX", None, ANYTHING, "for scrapy search and reindex: the function that opens what is stored"),
    # Beside spiders that are not ours
    Setting("HIDDENWEB_ADDON_FORMS", False, FLAG, "whether the forms of their pages are judged and stored"),
    Setting("HIDDENWEB_ADDON_QUERY", False, FLAG, "whether search forms of their pages are submitted"),
    Setting("HIDDENWEB_ADDON_CHANGES", False, FLAG, "whether their pages are compared with what they said before"),
    Setting("HIDDENWEB_ADDON_INDEX", False, FLAG, "whether a process beside the crawl indexes their pages"),
    # What people see
    Setting("HIDDENWEB_PROGRAM", "scrapy", ANYTHING, "the command that messages name: scrapy, or hiddenweb"),
    Setting("HIDDENWEB_PROGRESS_SECONDS", 10.0, AMOUNT, "seconds between two lines of progress in a log; 0: none at all"),
)  # fmt: skip
"""Every setting of ours, in the order of docs/settings.md."""

SCRAPY_NUMBERS: dict[str, Number] = {
    "CLOSESPIDER_TIMEOUT": AMOUNT,
    "CLOSESPIDER_PAGECOUNT": COUNT,
    "CLOSESPIDER_ITEMCOUNT": COUNT,
    "CLOSESPIDER_ERRORCOUNT": COUNT,
    "CONCURRENT_REQUESTS": POSITIVE_COUNT,
    "DOWNLOAD_TIMEOUT": POSITIVE_AMOUNT,
}
"""Settings of Scrapy that it reads without a check."""

# Names that settings had before, without the prefix.
RENAMED: dict[str, str] = {
    "TELL": "NOTIFY",
    "LOOKS": "REVISIT",
    "WANDER": "FOLLOW_SITES",
    "LEAST_NEW": "MIN_NEW_RECORDS",
    "REQUESTS_PER_HOST": "CONCURRENT_REQUESTS_PER_HOST",
    "OPEN_HOSTS": "MAX_OPEN_HOSTS",
    "ROBOTS_RETRY": "ROBOTS_RETRY_DELAY",
    "EXPLORED_PER_SITE": "EXPLORED_PAGES_PER_SITE",
    "RECORD_PAGES_PER_SITE": "DETAIL_PAGES_PER_SITE",
    "DETAILS": "DETAIL_PAGES",
    "TIME": "TIME_LIMIT",
    "NOTHING_NEW": "MAX_DUPLICATES_PER_SITE",
    "NOTHING_NEW_ALIKE": "MAX_DUPLICATES_PER_PATTERN",
    "SITES_AT_ONCE": "CONCURRENT_SITES",
    "RELEVANCE": "MIN_RELEVANCE",
    "SITE_DEPTH": "MAX_SITE_DEPTH",
    "BARREN_PER_DEPTH": "FORMLESS_PAGES_PER_DEPTH",
    "BARREN_PAGES": "FORMLESS_PAGES_PER_SITE",
    "LEARN_SITES": "RERANK_AFTER_SITES",
    "LEARN_FORMS": "RERANK_AFTER_FORMS",
    "FEW_SITES": "MIN_WAITING_SITES",
    "COMPARERS": "COMPARISON_PROCESSES",
    "COMPARING_QUEUE": "COMPARISON_QUEUE",
    "GONE_AFTER": "GONE_AFTER_FAILURES",
    "GONE_APART": "GONE_MIN_INTERVAL",
    "VERSIONS_PER_PAGE": "MAX_VERSIONS_PER_PAGE",
    "VERSIONS_DAYS": "VERSION_MAX_DAYS",
    "AUTOMATIC_SOURCES": "AUTOMATIC_EXTRACTORS",
}

BUDGETS = {
    "queries": ("HIDDENWEB_QUERIES_PER_FORM",),
    "pages": (
        "HIDDENWEB_PAGES_PER_SITE",
        "HIDDENWEB_EXPLORED_PAGES_PER_SITE",
        "HIDDENWEB_DETAIL_PAGES_PER_SITE",
    ),
    "time": ("HIDDENWEB_TIME_LIMIT",),
}
"""Arguments of spiders (`-a pages=1000`), and the settings they replace: so many pages in all, of whatever kind."""

SCOPES = {"include": "HIDDENWEB_INCLUDE", "exclude": "HIDDENWEB_EXCLUDE"}
"""Arguments of all spiders with patterns of addresses, and the settings they replace."""

_MIN_BUDGET = {"queries": 0, "pages": 1}
"""The smallest number that makes sense of each: no queries may be wanted, no pages may not."""


def default_settings() -> dict[str, Any]:
    """Return the default of every setting of ours."""
    return {setting.name: setting.default for setting in SETTINGS}


def command_settings() -> dict[str, Any]:
    """Return what our commands set where neither project nor command line does: they also run in other projects, and in none."""
    return {"LOG_ENABLED": False, "USER_AGENT": f"hiddenweb/{__version__}", **default_settings()}


def name_state_folder(folder: str, names: Mapping[str, str]) -> str:
    """Return the folder of a state, with {spider} and {job} replaced by their names; raises ValueError for other and for unusable names.

    >>> name_state_folder("states/{spider}-{job}", {"spider": "harvest", "job": "7"})
    'states/harvest-7'
    """

    def read_name(found: re.Match[str]) -> str:
        name = names.get(found[1])
        if name is None:
            raise ValueError(
                f"{found[0]} is unknown; a folder may hold {' and '.join(f'{{{name}}}' for name in names)}"
            )
        if not _FILE_NAME.fullmatch(name):
            given = f"{name[:MAX_VALUE_CHARACTERS]!r} is no name of a folder" if name else "there is none"
            raise ValueError(f"{found[0]}: {given}; -a _{found[1]}=NAME names one, as Scrapyd does")
        return name

    return re.sub(r"\{(\w*)\}", read_name, folder)


_FILE_NAME = re.compile(r"[^\W.][\w.@:+-]{0,199}")
"""What a name may be that becomes part of a folder's: file systems take 255 bytes."""


def problems_with_settings(settings: SettingsReader) -> Iterator[str]:
    """Yield a line for every bad setting: its name, its value, and what was wanted."""
    yield from _unknown_names(settings)
    checks: list[tuple[str, Kind]] = [(setting.name, setting.kind) for setting in SETTINGS]
    for name, kind in (*checks, *SCRAPY_NUMBERS.items()):
        try:
            kind.check(settings, name)
        except (ValueError, OSError) as error:
            yield f"{name}: {error}"


def _unknown_names(settings: SettingsReader) -> Iterator[str]:
    names = [setting.name for setting in SETTINGS]
    renamed = {PREFIX + old: PREFIX + new for old, new in RENAMED.items()}
    for name in sorted(map(str, settings)):
        was_typed = (settings.getpriority(name) or 0) > PROJECT_PRIORITY
        if name in renamed:
            yield f"{name} was renamed to {renamed[name]}"
        elif name.startswith(PREFIX) and was_typed and name not in names:
            yield no_such_thing("setting", name, names)


def no_such_thing(what: str, name: str, names: Iterable[str]) -> str:
    """Return a message about an unknown name, with the most similar one.

    >>> no_such_thing("spider", "harvets", ["explore", "harvest"])
    "there is no spider 'harvets'; do you mean harvest?"
    """
    near = difflib.get_close_matches(name, list(names), 1)
    return f"there is no {what} {name!r}" + (f"; do you mean {near[0]}?" if near else "")


def problems_with_budgets(budgets: Mapping[str, str]) -> list[str]:
    """Return a line for every bad budget."""
    return [
        f"{name}: {why}" for name, value in budgets.items() if (why := _problem_with_budget(name, str(value)))
    ]


def _problem_with_budget(name: str, value: str) -> str:
    if name == "time":
        from hiddenweb.frontier.stopping import parse_seconds

        try:
            parse_seconds(value)
        except ValueError as error:
            return str(error)
        return ""
    minimum, digits = _MIN_BUDGET[name], value.strip()
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= MAX_BUDGET_DIGITS
    if is_number and int(digits) >= minimum:
        return ""
    return f"{value[:MAX_VALUE_CHARACTERS]!r} cannot be used; wanted a whole number, {minimum} or more"
