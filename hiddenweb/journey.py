"""The journey of a page: the parts that our spiders run with, in the order in which a page meets them.

A spider says with its attribute `journey` that it is one of ours, and which parts it needs. The add-on (`hiddenweb.addon`) puts them into the
settings of its crawl, beside whatever a project, a spider or a command line has there. Spiders without a journey run with Scrapy's own parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.utils.python import global_object_name

from hiddenweb import __version__
from hiddenweb.config import default_settings
from hiddenweb.scrapy_settings import translate_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

    Journey = Mapping[str, Mapping[str, Any]]
    """Parts, by the settings of Scrapy that name them, each with its place or its name."""

ADDON = "hiddenweb.addon.HiddenwebAddon"
"""What installs a journey."""

PACKAGE = "hiddenweb.addon."
"""How the names of the add-on begin: a project may name the class as well."""

USUAL_ORDER = 500
"""The place of the add-on in our documentation."""

_FETCHING: Journey = {
    "DOWNLOAD_HANDLERS": {
        "http": "hiddenweb.download_handler.HiddenwebDownloadHandler",
        "https": "hiddenweb.download_handler.HiddenwebDownloadHandler",
        "data": None,
        "file": None,
        "ftp": None,
        "s3": None,
    },
    "DOWNLOADER_MIDDLEWARES": {
        "hiddenweb.middlewares.failures.FailuresMiddleware": 50,  # failures become reasons
        "hiddenweb.middlewares.robots.RobotsMiddleware": 100,  # robots.txt is obeyed
        "hiddenweb.middlewares.form_session.FormSessionMiddleware": 200,  # tokens and cookies
        "hiddenweb.middlewares.ledger.LedgerMiddleware": 999,  # no query is sent twice
    },
}
_SHOWING: Journey = {
    "EXTENSIONS": {
        "hiddenweb.feeds.record_feeds.RecordFeeds": 0,
        "scrapy.extensions.feedexport.FeedExporter": None,  # it writes visits
        "hiddenweb.extensions.progress.ProgressExtension": 100,
        "scrapy.extensions.logstats.LogStats": None,  # progress says it better
    },
    "FEED_EXPORTERS": {
        "csv": "hiddenweb.feeds.csv_exporter.RecordCsvExporter",  # a column for each attribute
        "xml": "hiddenweb.feeds.xml_exporter.RecordXmlExporter",
    },
}

EXPLORING: Journey = {
    **_FETCHING,
    "SPIDER_MIDDLEWARES": {
        "hiddenweb.middlewares.form_submission.FormSubmissionMiddleware": 100,  # forms and answers go to the conversation
    },
    "ITEM_PIPELINES": {
        "hiddenweb.pipelines.duplicates.DuplicatesPipeline": -600,  # marks pages that say the same
        "hiddenweb.pipelines.pages.PagesPipeline": -500,  # stores pages and versions
        "hiddenweb.pipelines.records.RecordsPipeline": -400,  # stores records, puts new ones into the outbox
        "hiddenweb.pipelines.extraction.ExtractionPipeline": -350,  # takes attributes, watches templates
        "hiddenweb.pipelines.search_index.SearchIndexPipeline": -300,  # puts pages into the outbox, runs the indexing process
        "hiddenweb.pipelines.frontier.FrontierPipeline": -200,  # adds what a page leads to, completes the task
    },  # other people's come after them: when they see a page, all of it is stored
    **_SHOWING,
}
"""Of spiders that follow links and submit forms."""

REVISITING: Journey = {
    **_FETCHING,
    "SPIDER_MIDDLEWARES": {},
    "ITEM_PIPELINES": {
        "hiddenweb.pipelines.changes.ChangesPipeline": -500,  # finds what changed, completes the task
        "hiddenweb.pipelines.records.RecordsPipeline": -400,
        "hiddenweb.pipelines.search_index.SearchIndexPipeline": -300,
    },
    **_SHOWING,
}
"""Of spiders that fetch pages again which were read before."""

OPTIONAL_PARTS = frozenset(("EXTENSIONS", "FEED_EXPORTERS"))
"""Settings whose parts a user may replace or switch off; all others keep a crawl polite, safe or whole."""

FIXED: Mapping[str, Any] = {
    "SCHEDULER": "hiddenweb.scheduler.FrontierScheduler",
    "REQUEST_FINGERPRINTER_CLASS": "hiddenweb.fingerprinter.UrlFingerprinter",
    "DOWNLOADER_MIDDLEWARES_BASE": {},  # our handler, scheduler and spiders do what these did
    "SPIDER_MIDDLEWARES_BASE": {},
    "ITEM_PROCESSOR": "hiddenweb.pipelines.manager.PipelineManager",  # errors of other people's pipelines cost no page
    "CONCURRENT_REQUESTS_PER_DOMAIN": 32,  # as many as at all: the scheduler sees to the hosts
    "DOWNLOAD_DELAY": 0,  # the scheduler keeps HIDDENWEB_DELAY
    "AUTOTHROTTLE_ENABLED": False,
}
"""Settings of Scrapy that our spiders need as they are."""

CHOSEN: Mapping[str, Any] = {
    "USER_AGENT": f"hiddenweb/{__version__}",
    "CONCURRENT_REQUESTS": 32,  # under way in a crawl: many slow hosts at once; a limit of taste
    "DOWNLOAD_TIMEOUT": 30,  # seconds: slow databases answer within them, dead hosts hold a place no longer; a limit of taste
    "CONCURRENT_ITEMS": 1,  # a page is one item; more cost a task each
    "FEED_EXPORT_ENCODING": "utf-8",
    "LOG_LEVEL": "INFO",
    "LOG_FORMATTER": "hiddenweb.extensions.log_formatter.QuietFormatter",
    "STATS_CLASS": "hiddenweb.extensions.stats.PlainStatsCollector",
    "STATS_DUMP": False,
    # Nobody steers a running crawl from outside: both of these run code that is sent to them.
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
}
"""Settings of Scrapy that our spiders have unless a project, a spider or a command line says otherwise."""


def journey_of(spider: object) -> Journey | None:
    """Return the parts that a spider, or its class, needs; None if it is not one of ours."""
    journey: Journey | None = getattr(spider, "journey", None)
    return journey


def prepare_settings(settings: BaseSettings) -> None:
    """Give a crawl of ours its defaults, and make sure that the add-on runs, after all others: it sees what they did."""
    add_defaults(settings)
    translate_settings(settings)
    for name, value in CHOSEN.items():
        settings.set(name, value, priority="addon")
    addons = {
        path: order for path, order in read_parts(settings, "ADDONS").items() if not path.startswith(PACKAGE)
    }
    others = [order for order in addons.values() if order is not None]
    addons[ADDON] = max([*others, USUAL_ORDER]) + 1
    settings.set(
        "ADDONS", addons, priority=1 + (settings.getpriority("ADDONS") or 0)
    )  # a process sets its own once more


def add_defaults(settings: BaseSettings) -> None:
    """Give every setting of ours that is missing its default."""
    for name, value in default_settings().items():
        if name not in settings:
            settings.set(name, value, priority="default")


def read_parts(settings: BaseSettings, name: str) -> dict[str, Any]:
    """Return the parts that a setting names, by their paths: a user may have put classes there."""
    return {
        part if isinstance(part, str) else global_object_name(part): place
        for part, place in settings.getdict(name).items()
    }
