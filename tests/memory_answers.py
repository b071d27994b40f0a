"""A store of the records of answers in memory, and prepared pages of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.model import CrawlTask, Fetched, Link, Page, Record
from hiddenweb.revisit.parts import PageVersion
from hiddenweb.revisit.revisit import PageReading, PageReadings, PageToRead
from hiddenweb.revisit.revisit_store import StoredReading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.comparison import ComparisonState
    from hiddenweb.revisit.revisit_store import AnswerRevisit, Miss, StoredAnswerPage

HOME = "http://a.example/find?q=x"
TASK = CrawlTask(1, 1, 1, HOME, "answer", submission=7, is_revisit=True)


class MemoryAnswers:
    """The store of one answer of one site."""

    def __init__(self, *, cap: int = 0, elsewhere: Iterable[str] = ()) -> None:
        self.cap = cap
        self.elsewhere = set(elsewhere)  # keys of records that other answers show
        self.records: dict[str, Record] = {}
        self.pages: dict[str, str] = {}  # own pages of records, by key
        self.gone: dict[str, float] = {}
        self.shown: list[str] = []
        self.saved_revisits: list[AnswerRevisit] = []
        self.planned: dict[str, int] = {}  # links, by address

    def load_further_pages(self, submission: int) -> list[StoredAnswerPage]:
        del submission
        return []

    def find_cap(self, form: int) -> int:
        del form
        return self.cap

    def plan_page(self, task: CrawlTask, url: str, number: int) -> int | None:
        del task, number
        return self.planned.setdefault(url, 100 + len(self.planned)) if url.startswith("http://a.") else None

    def end_page(self, link: int) -> bool:
        self.planned = {url: each for url, each in self.planned.items() if each != link}
        return True

    def plan_detail_page(self, task: CrawlTask, url: str) -> int | None:
        return self.plan_page(task, url, 1)

    def find_record(self, site: int, key: str) -> tuple[int, bool] | None:
        del site
        return (1, key in self.gone) if key in self.records else None

    def load_record(self, site: int, key: str) -> tuple[str, str]:
        del site
        return self.records[key].title, self.records[key].text

    def find_detail_page(self, site: int, key: str) -> str | None:
        del site
        return self.pages.get(key)

    def mark_shown(self, submission: int, site: int, records: Iterable[Record]) -> None:
        del submission, site
        self.shown = [record.key for record in records]

    def mark_missing(self, submission: int, site: int, key: str, at: float, *, is_proof: bool) -> Miss:
        del submission, site
        if key in self.elsewhere:
            return "shown elsewhere"
        if not is_proof:
            return "not proved"
        self.gone[key] = at
        return "gone"

    def mark_gone(self, site: int, key: str, at: float) -> None:
        del site
        self.gone[key] = at

    def update_record(self, site: int, record: Record) -> None:
        del site
        self.records[record.key] = record

    def is_reported(self, site: int, change: Change, since: float) -> bool:
        del site, change, since
        return False

    def save_revisit(self, revisit: AnswerRevisit) -> None:
        self.saved_revisits.append(revisit)


class PreparedPages:
    """Returns prepared readings by the bodies of pages."""

    def __init__(self, **pages: PageReading) -> None:
        self.pages = {name.encode(): reading for name, reading in pages.items()}

    async def read(self, wanted: PageToRead) -> PageReadings:
        """Return the reading prepared for a body."""
        now = self.pages.get(wanted.now.body) if wanted.now is not None else None
        return PageReadings(now, None)


def record(key: str, text: str = "") -> Record:
    """Return a record."""
    return Record(key, key, text or f"{key} is a record of its own")


def reading(*keys: str, following: str = "", text: str = "", **more: object) -> PageReading:
    """Return a page of an answer that shows some records and links to another page."""
    page, records = Page(HOME, "Answer", text), tuple(map(record, keys))
    link = Link(following) if following else None
    return PageReading(page, PageVersion("Answer"), records, next=link, **more)  # type: ignore[arg-type]


def fetched(body: str, link: int = 1, status: int = 200, url: str = HOME) -> Fetched:
    """Return a page that was fetched for a task."""
    task = CrawlTask(link, 1, 1, url, "answer", submission=7, is_revisit=True)
    return Fetched(task, url, status, 50.0, body.encode(), content_type="text/html")


def stored(known: ComparisonState | None = None) -> StoredReading:
    """Return what the store has for the revisit of the answer."""
    return StoredReading(1, 1, known, None, None, 10.0, b"")
