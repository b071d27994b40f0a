"""The journey of a page: every part, in the order Scrapy runs it. Only what we change."""

from hiddenweb import __version__

BOT_NAME = "hiddenweb"
SPIDER_MODULES = ["hiddenweb.spiders"]
COMMANDS_MODULE = "hiddenweb.commands"

# Where everything is kept.
HIDDENWEB_STATE = "data"

# Manners
HIDDENWEB_CONTACT = ""  # an address or a page where the owner of a site can reach you
USER_AGENT = f"hiddenweb/{__version__}"
HIDDENWEB_DELAY = 1.0  # seconds between two requests to one host
HIDDENWEB_REQUESTS_PER_HOST = 1  # at once
HIDDENWEB_OPEN_HOSTS = 256  # hosts that take turns
HIDDENWEB_NOFOLLOW = (
    "links"  # are not explored, searches of sites that you name are asked; or strict: neither
)
HIDDENWEB_RETRIES = 2
HIDDENWEB_RETRY_DELAY = 10.0  # seconds before the first; then twice as long each time
HIDDENWEB_ROBOTS_RETRY = 600.0  # seconds until a robots.txt that could not be had is asked for again
HIDDENWEB_ALLOW_ADDRESSES: list[
    str
] = []  # host:port of your own network that may be asked; else only public ones
HIDDENWEB_PROXY = None  # of the environment; "" for none
HIDDENWEB_CA_FILE = None
HIDDENWEB_MAX_BYTES = 10_000_000
HIDDENWEB_MAX_HEADER_BYTES = 65_536
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 32  # the scheduler sees to the hosts
DOWNLOAD_TIMEOUT = 30

# Where following ends
HIDDENWEB_MAX_HOPS = 30
HIDDENWEB_PAGES_PER_SITE = 20_000  # in all
HIDDENWEB_EXPLORED_PER_SITE = 5_000  # of these, pages that links lead to
HIDDENWEB_RECORD_PAGES_PER_SITE = 5_000  # own pages of records; answers come before them
HIDDENWEB_TIME: str | None = None  # of a crawl: 90s, 30m, 2h; the same command goes on
HIDDENWEB_SITEMAP_LINKS = 1_000  # of a site; 0: its sitemaps are not read when it is explored
HIDDENWEB_NOTHING_NEW = 200  # pages of a site in a row
HIDDENWEB_NOTHING_NEW_ALIKE = 30  # pages in a row whose addresses differ in numbers and query only

# On a topic: which site, which link; locate needs a topic, explore can do with one
HIDDENWEB_TOPIC: str | None = None  # -a topic=NAME says it
HIDDENWEB_STRATEGY = "adaptive"  # or smartcrawler, as published
HIDDENWEB_WANDER = True  # from site to site; explore stays
HIDDENWEB_SITES_AT_ONCE = 32
HIDDENWEB_RELEVANCE = 0.05  # the cosine of form and topic from which a form is on topic
HIDDENWEB_SITE_DEPTH = 3  # SC1: links from the homepage
HIDDENWEB_PAGES_PER_DEPTH = 100  # SC2
HIDDENWEB_FORMS_PER_DEPTH = 10  # SC3
HIDDENWEB_BARREN_PER_DEPTH = 30  # SC4: pages without a new search form
HIDDENWEB_BARREN_PAGES = 60  # SC5: the same, of the whole site
HIDDENWEB_LINKS_PER_DEPTH = 100  # smartcrawler: visits that the link tree shares out
HIDDENWEB_SITE_ALPHA = 0.7  # smartcrawler: what words weigh in the rank of a site, against links
HIDDENWEB_LEARN_SITES = 50  # smartcrawler: new sites with forms after which ranks are rebuilt
HIDDENWEB_LEARN_FORMS = 100  # the same, forms
HIDDENWEB_FEW_SITES = 50  # that wait: then reverse search begins
HIDDENWEB_HUB_LINKS = 2  # a page that links to more good sites names others worth a visit
HIDDENWEB_HOST_GRAPH: str | None = None  # reverse search: vertices and edges, as Common Crawl writes them
HIDDENWEB_SEARCH_ENGINE: str | None = None  # reverse search: the address of an engine, with {site} in it
HIDDENWEB_RANDOM_SEED = 0

# Asking
HIDDENWEB_SUBMIT = False  # explore only looks for forms; harvest asks them
HIDDENWEB_FORMS: list[int] | None = None  # by number: ask these and explore nothing; -a forms=NUMBERS says it
HIDDENWEB_POLICY = "benefit"  # what to ask; or frequency, random, dictionary, adaptive, top_k, automata
HIDDENWEB_QUERIES_PER_FORM = 5_000  # at most; most forms have had enough long before
HIDDENWEB_LEAST_NEW = 0.5  # records that a question must be expected to bring
HIDDENWEB_PAGES_PER_ANSWER = (
    0  # at a time; 0: as long as they bring new records, within the budget of the site
)
HIDDENWEB_DETAILS = "auto"  # or always, never: whether the pages of records are fetched
HIDDENWEB_ALLOW_POST: list[str] = []  # hosts whose forms may be sent by POST
HIDDENWEB_VALUES: str | None = None  # a TOML file with values of your own, by label

# Looking again
HIDDENWEB_LOOKS = False  # at pages that were read, and nothing else; revisit does
HIDDENWEB_COMPARERS = 0  # processes that read what changed; 0: as many as there are cores
HIDDENWEB_COMPARING_QUEUE = 500  # pages that wait for them, then the crawl waits
HIDDENWEB_TELL: str | None = None  # a TOML file: who is told of which changes
HIDDENWEB_GONE_AFTER = 3  # looks that find no page, before it is gone
HIDDENWEB_GONE_APART = 6 * 3600.0  # seconds between two of them that count
HIDDENWEB_VERSIONS_PER_PAGE = 100  # that are kept, the first and the newest among them; 0: all
HIDDENWEB_VERSIONS_DAYS = 0.0  # for which a version is kept after it was replaced; 0: for ever

# What is taken from pages
HIDDENWEB_REPAIR = "auto"  # or ask: whether a new pattern is taken over when a template has changed
HIDDENWEB_AUTOMATIC_SOURCES = True  # answers of forms are watched without a person

# Finding again
HIDDENWEB_INDEX = True
HIDDENWEB_INDEX_WAIT = 600.0  # seconds a crawl waits at its end until all is indexed

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
    "hiddenweb.middlewares.failures.FailuresMiddleware": 50,  # what if not?
    "hiddenweb.middlewares.robots.RobotsMiddleware": 100,  # may we?
    "hiddenweb.middlewares.form_session.FormSessionMiddleware": 200,  # with which tokens and cookies?
    "hiddenweb.middlewares.ledger.LedgerMiddleware": 999,  # never twice
}
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
SPIDER_MIDDLEWARES = {
    "hiddenweb.middlewares.form_submission.FormSubmissionMiddleware": 100,  # what to ask next
}
ITEM_PIPELINES = {
    "hiddenweb.pipelines.duplicates.DuplicatesPipeline": 100,  # seen this page before?
    "hiddenweb.pipelines.pages.PagesPipeline": 200,  # what does it say?
    "hiddenweb.pipelines.records.RecordsPipeline": 300,  # what did the answer hold?
    "hiddenweb.pipelines.extraction.ExtractionPipeline": 350,  # what do people want of it? Does its template stand?
    "hiddenweb.pipelines.search_index.SearchIndexPipeline": 400,  # who wants to find it?
    "hiddenweb.pipelines.frontier.FrontierPipeline": 500,  # where does it lead? Ends the errand
}
CONCURRENT_ITEMS = 1  # a page is one item; more cost a task each
ASYNCIO_EVENT_LOOP = "uvloop.Loop"  # half the cost of asyncio's own

# Records for other programs: -o FILE, or FEEDS
FEED_EXPORT_ENCODING = "utf-8"
FEED_EXPORTERS = {
    "csv": "hiddenweb.feeds.csv_exporter.RecordCsvExporter",  # attributes differ, columns do not
    "xml": "hiddenweb.feeds.xml_exporter.RecordXmlExporter",
}

# What people see
HIDDENWEB_PROGRESS_SECONDS = 10.0  # between two lines of progress, where there is no terminal; 0: none at all
ADDONS = {
    "hiddenweb.extensions.progress.ContactAddon": 100,  # who crawls?
    "hiddenweb.contracts.OfflineCheck": 900,  # `scrapy check` reads saved pages
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
    "hiddenweb.contracts.AsksContract": 20,
    "hiddenweb.contracts.RecordsContract": 20,
}
LOG_FORMATTER = "hiddenweb.extensions.progress.QuietFormatter"
STATS_DUMP = False
LOG_VERSIONS: list[str] = []

# Nobody steers a running crawl from outside: both of these run code that is sent to them.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
LOG_LEVEL = "INFO"
