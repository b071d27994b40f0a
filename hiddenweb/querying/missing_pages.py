"""The pages of answers that did not come because of an outage.

Such a page is fetched again when the site has answered another query, or when no other query is left, and otherwise by the next
crawl. Until it has come, nothing is concluded from its absence, and the form is not done.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING

from hiddenweb.querying.conversation_store import MissingAnswerPage

if TYPE_CHECKING:
    from hiddenweb.model import CrawlTask, FetchFailure
    from hiddenweb.querying.conversation_store import ConversationStore, Stats
    from hiddenweb.querying.exchange import Exchange, StepWriter

MOST_RETRIES = 2
"""How often a page of an answer is fetched again in one crawl, after all the retries of its task: a limit of taste."""


class MissingPages:
    """Knows which pages of answers are missing, and which of them wait to be fetched again."""

    def __init__(self, store: ConversationStore, steps: StepWriter, stats: Stats) -> None:
        self._store = store
        self._steps = steps
        self._stats = stats
        self._missing: dict[int, MissingAnswerPage] = {}  # by link
        self._waiting: dict[int, deque[int]] = {}  # by form: the links to fetch again
        self._retries: Counter[int] = Counter()  # by link
        self._failed_now: int | None = None  # the link whose failure is being handled
        self._counted: set[int] = set()  # links that count as missed until they come
        self._resumed: set[int | None] = set()  # submissions of which a missing page has come

    def load(self) -> None:
        """Load the pages that did not come in earlier crawls."""
        for page in self._store.list_missing_pages():
            if page.link not in self._missing and not self._store.is_site_left(page.site):
                self._missing[page.link] = page
                self._waiting.setdefault(page.form, deque()).append(page.link)

    @property
    def sites(self) -> list[int]:
        """The sites of which pages are missing."""
        return [page.site for page in self._missing.values()]

    def list_waiting_forms(self, site: int) -> list[int]:
        """Return the forms of a site of which pages wait to be fetched again."""
        forms = [page.form for page in self._missing.values() if page.site == site]
        return [form for form in dict.fromkeys(forms) if form in self._waiting]

    def has_waiting(self, form: int) -> bool:
        """Say whether pages of a form's answers wait to be fetched again."""
        return form in self._waiting

    def count_of(self, form: int) -> int:
        """Return how many pages of a form's answers are missing."""
        return sum(page.form == form for page in self._missing.values())

    def is_resumed(self, submission: int | None) -> bool:
        """Say whether a missing page of an answer has come in this crawl."""
        return submission in self._resumed

    def add(self, failure: FetchFailure, exchange: Exchange, *, was_sent: bool) -> bool:
        """Note that a page of an answer did not come; say whether it is fetched again in this crawl."""
        link = exchange.task.link
        if failure.refused:
            return False
        if was_sent:
            self._stats.inc_value("hiddenweb/answers/lost")
            return False
        if link not in self._missing:
            self._stats.inc_value("hiddenweb/answers/interrupted")
        self._missing[link] = MissingAnswerPage(link, exchange.form.id, exchange.form.site)
        self._count_missing()
        can_retry = failure.may_be_temporary and self._retries[link] < MOST_RETRIES
        if can_retry:
            self._waiting.setdefault(exchange.form.id, deque()).append(link)
        return can_retry

    def remove(self, task: CrawlTask) -> None:
        """Note that a page has come."""
        if self._missing.pop(task.link, None) is None:
            return
        self._resumed.add(task.submission)
        if task.link in self._counted:
            self._counted.discard(task.link)
            self._stats.inc_value("hiddenweb/frontier/missed", -1)
        self._stats.inc_value("hiddenweb/answers/resumed")
        self._count_missing()

    def retry_one(self, form: int) -> bool:
        """Fetch a missing page of an answer of the form again; say whether there is one that may come now."""
        waiting = self._waiting.get(form, ())
        link = next((link for link in waiting if link != self._failed_now), None)
        if link is None:
            return False
        self.take(form, link)
        self._steps.retry(link)
        return True

    def take(self, form: int, link: int) -> None:
        """Note that a page is fetched again now, and waits no longer."""
        self._waiting[form].remove(link)
        if not self._waiting[form]:
            del self._waiting[form]
        self._retries[link] += 1
        self._stats.inc_value("hiddenweb/answers/requested_again")

    def hold_back(self, link: int | None) -> None:
        """Do not retry the page of a link for now: it has just failed; None: no page is held back."""
        self._failed_now = link

    def count_failure(self, link: int) -> None:
        """Note that a page counts as missed until it comes."""
        self._counted.add(link)

    def _count_missing(self) -> None:
        self._stats.set_value("hiddenweb/answers/not_come", len(self._missing))
