"""The sites of the benchmark `surface` as a crawl meets them: a page with a search form, and answers that are pages of HTML.

A policy that is given rows knows which records an answer shows and which words they hold. A crawl has to find that out: the form and its box, the
records of a page, their keys and words, the total, the next page. Before the policy has anything to choose by, the conversation takes words from the
form's page, tries what may list everything, and asks for a word that does not exist. All of that costs queries, and none is asked of the policy
alone; so what is measured here is what is left of a policy in a crawl. The page of the form names the words with which the policy alone
begins, most often of all words on it.
"""

from __future__ import annotations

import time
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from benchmarks._conversations import MemoryConversation
from benchmarks._surface_site import PAGE_SIZE
from hiddenweb.fetch.reading import ServerAnswer
from hiddenweb.model import Fetched
from hiddenweb.querying.conversation_settings import ConversationSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks._surface_site import Answered, Site
    from hiddenweb.model import CrawlTask, Record

HOME = "http://records.example/"
_FORM = '<form action="/search"><label>Search the records <input type="search" name="q"></label> <button>Search</button></form>'
_NAMED = ("Most wanted this week", "Many of our visitors look for", "Why not begin with")


class SearchPages:
    """A site of the benchmark as pages, and what they cost."""

    def __init__(self, site: Site, begin: Sequence[str]) -> None:
        self.queries = 0
        self.pages = 0
        self.shown: set[int] = set()
        self.seconds = 0.0  # of CPU, for answering
        self._site = site
        self._begin = begin
        self._latest: tuple[str, Answered] | None = None

    def fetch(self, task: CrawlTask) -> ServerAnswer:
        """Return the page that a task asks for."""
        started = time.process_time()
        asked = parse_qs(urlsplit(task.url).query, keep_blank_values=True)
        page = self._answer(asked["q"][0], int(asked.get("page", ["1"])[0])) if "q" in asked else self._home()
        self.seconds += time.process_time() - started
        return ServerAnswer(task.url, 200, page.encode(), "text/html; charset=utf-8")

    def _home(self) -> str:
        words = ", ".join(self._begin)
        named = "".join(f"<p>{escape(said)}: {escape(words)}.</p>" for said in _NAMED)
        return _page("Records", f"{_FORM}{named}")

    def _answer(self, asked: str, number: int) -> str:
        self.pages += 1
        self.queries += number == 1
        if self._latest is None or self._latest[0] != asked:
            self._latest = asked, self._site.ask(asked.split())
        records, total, _ = self._latest[1]
        shown = records[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
        self.shown.update(shown)
        said = f"<p>{total:,} records found</p>" if total is not None else ""
        if not shown:
            said = said if total else "<p>Nothing was found.</p>"
        items = "".join(self._item(each) for each in shown)
        further = urlencode({"q": asked, "page": number + 1})
        link = f'<p><a rel="next" href="/search?{escape(further)}">Next page</a></p>'
        more = link if len(records) > number * PAGE_SIZE else ""
        return _page("Search results", f"{said}<ul>{items}</ul>{more}")

    def _item(self, number: int) -> str:
        title, _, rest = self._site.database.shown[number].text.partition("\n")
        lines = "".join(f"<p>{escape(line)}</p>" for line in rest.split("\n") if line)
        return f'<li><h3><a href="/record/{number}">{escape(title)}</a></h3>{lines}</li>'


class PagedRun:
    """A conversation with the form of such a site."""

    def __init__(self, pages: SearchPages, queries: int, seed: int) -> None:
        # a policy that is given rows ends when its queries are spent, so no query is refused here because little is expected of it
        settings = ConversationSettings(queries=queries, least_new=0.0, seed=seed)
        self.pages = pages
        self.known: set[int] = set()  # the records that were read
        self.seconds = 0.0  # of CPU, for reading pages and choosing queries
        self._conversation = MemoryConversation(HOME, settings)

    def known_after_pages(self) -> Iterator[int]:
        """Read answers until the queries are spent; yield after each page how many records are known."""
        visits = self._conversation.visits(self.pages.fetch)
        while True:
            started = time.process_time() - self.pages.seconds
            visit = next(visits, None)
            self.seconds += time.process_time() - self.pages.seconds - started
            if visit is None:
                return
            if isinstance(visit.came, Fetched) and visit.came.task.submission is not None:
                self.known.update(_numbers_of(visit.turn.records))
                yield len(self.known)


def _page(title: str, body: str) -> str:
    return f'<!doctype html><html lang="en"><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>'


def _numbers_of(records: Iterable[Record]) -> Iterator[int]:
    """Yield the numbers of records by the addresses that the pages link; what is none has none."""
    for record in records:
        place, _, number = urlsplit(record.url or "").path.rpartition("/")
        if place == "/record":
            yield int(number)
