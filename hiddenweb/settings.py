"""The journey of a page: every part, in the order Scrapy runs it. Only what we change."""

from hiddenweb import __version__
from hiddenweb.config import default_settings

BOT_NAME = "hiddenweb"
SPIDER_LOADER_CLASS = "hiddenweb.spider_loader.NamedModuleLoader"  # only the spider that runs is imported
SPIDER_MODULES = [
    "hiddenweb.spiders.explore",
    "hiddenweb.spiders.harvest",
    "hiddenweb.spiders.locate",
    "hiddenweb.spiders.revisit",
]
COMMANDS_MODULE = "hiddenweb.commands"

# Our own, HIDDENWEB_...: names, limits and defaults stand in config.py, explained in docs/settings.md. To change one, write it here, below.
vars().update(default_settings())

# Politeness and safety
USER_AGENT = f"hiddenweb/{__version__}"
CONCURRENT_REQUESTS = 32  # requests under way in a crawl: many slow hosts at once; a limit of taste
CONCURRENT_REQUESTS_PER_DOMAIN = 32  # the scheduler sees to the hosts
DOWNLOAD_TIMEOUT = (
    30  # seconds: slow databases answer within them, dead hosts hold a place no longer; a limit of taste
)

# The journey
SCHEDULER = "hiddenweb.scheduler.FrontierScheduler"
REQUEST_FINGERPRINTER_CLASS = "hiddenweb.fingerprinter.UrlFingerprinter"
DOWNLOAD_HANDLERS = {
    "http": "hiddenweb.download_handler.HiddenwebDownloadHandler",
    "https": "hiddenweb.download_handler.HiddenwebDownloadHandler",
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
}
DOWNLOADER_MIDDLEWARES_BASE: dict[str, int] = {}  # our handler, scheduler and spiders do what these did
DOWNLOADER_MIDDLEWARES = {
    "hiddenweb.middlewares.failures.FailuresMiddleware": 50,  # failures become reasons
    "hiddenweb.middlewares.robots.RobotsMiddleware": 100,  # robots.txt is obeyed
    "hiddenweb.middlewares.form_session.FormSessionMiddleware": 200,  # tokens and cookies
    "hiddenweb.middlewares.ledger.LedgerMiddleware": 999,  # no query is sent twice
}
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
SPIDER_MIDDLEWARES = {
    "hiddenweb.middlewares.form_submission.FormSubmissionMiddleware": 100,  # forms and answers go to the conversation
}
ITEM_PIPELINES = {
    "hiddenweb.pipelines.duplicates.DuplicatesPipeline": 100,  # marks pages that say the same
    "hiddenweb.pipelines.pages.PagesPipeline": 200,  # stores pages and versions
    "hiddenweb.pipelines.records.RecordsPipeline": 300,  # stores records, puts new ones into the outbox
    "hiddenweb.pipelines.extraction.ExtractionPipeline": 350,  # takes attributes, watches templates
    "hiddenweb.pipelines.search_index.SearchIndexPipeline": 400,  # puts pages into the outbox, runs the indexing process
    "hiddenweb.pipelines.frontier.FrontierPipeline": 500,  # adds what a page leads to, completes the task
}
CONCURRENT_ITEMS = 1  # a page is one item; more cost a task each
ASYNCIO_EVENT_LOOP = "uvloop.Loop"  # half the cost of asyncio's own

# Records for other programs: -o FILE, or FEEDS
FEED_EXPORT_ENCODING = "utf-8"
FEED_EXPORTERS = {
    "csv": "hiddenweb.feeds.csv_exporter.RecordCsvExporter",  # a column for each attribute
    "xml": "hiddenweb.feeds.xml_exporter.RecordXmlExporter",
}

# What people see
ADDONS = {
    "hiddenweb.extensions.contact.ContactAddon": 100,  # a contact address in the User-Agent
    "hiddenweb.extensions.offline_check.OfflineCheck": 900,  # `scrapy check` reads saved pages
}
EXTENSIONS = {
    "hiddenweb.feeds.record_feeds.RecordFeeds": 0,
    "scrapy.extensions.feedexport.FeedExporter": None,  # it writes visits
    "hiddenweb.extensions.progress.ProgressExtension": 100,
    "scrapy.extensions.logstats.LogStats": None,  # progress says it better
}
SPIDER_CONTRACTS = {
    "hiddenweb.contracts.PageContract": 10,
    "hiddenweb.contracts.LinksContract": 20,
    "hiddenweb.contracts.FormsContract": 20,
    "hiddenweb.contracts.SubmitsContract": 20,
    "hiddenweb.contracts.RecordsContract": 20,
}
LOG_FORMATTER = "hiddenweb.extensions.log_formatter.QuietFormatter"
STATS_CLASS = "hiddenweb.extensions.stats.PlainStatsCollector"
STATS_DUMP = False
LOG_VERSIONS: list[str] = []

# Nobody steers a running crawl from outside: both of these run code that is sent to them.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
LOG_LEVEL = "INFO"
