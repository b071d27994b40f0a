"""Where a page of an answer leads: to its next page, and to the pages of its records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.forms.submission import UnreadableForm, build_submission
from hiddenweb.frontier.scope import FrontierScope, reason_to_ignore
from hiddenweb.model import PostSeed, TaskSeed
from hiddenweb.querying.exchange import seed_further_page
from hiddenweb.urls import host

if TYPE_CHECKING:
    from collections.abc import Collection

    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.model import Fetched, Page
    from hiddenweb.querying.conversation_settings import ConversationSettings
    from hiddenweb.querying.conversation_store import ConversationStore, RecordPages, Stats
    from hiddenweb.querying.exchange import Exchange, StepWriter


class AnswerLinks:
    """Follows the links of answers, as far as it is allowed and worth it."""

    def __init__(
        self,
        store: ConversationStore,
        steps: StepWriter,
        stats: Stats,
        settings: ConversationSettings,
        record_pages: RecordPages,
        *,
        adopts_pages: bool,
    ) -> None:
        self._store = store
        self._steps = steps
        self._stats = stats
        self._post_hosts = settings.post_hosts
        self._obeys_nofollow = settings.obeys_nofollow
        self._record_pages = record_pages
        self._adopts_pages = adopts_pages  # pages that wait to be explored, in a crawl that does not explore
        self._scope = FrontierScope()

    def reason_not_to_redirect(self, target: str, exchange: Exchange) -> str:
        """Return why a redirect of an answer is not followed; empty if it is."""
        if not self._store.is_inside(target):
            return f"leads to another site: {target}"
        if not self._store.can_redirect(target, exchange.submission.id):
            return f"leads to a known page: {target}"
        is_last = exchange.task.redirects >= self._scope.max_redirects
        if reason_to_ignore(target, self._scope) or is_last:
            return f"leads to an address that no crawl fetches: {target}"
        return ""

    def find_next_page(
        self, fetched: Fetched, page: Page, answer: AnswerVerdict
    ) -> TaskSeed | PostSeed | None:
        """Return the task for the next page of an answer; None if there is none, or we may not fetch it."""
        return self._find_next_by_link(fetched, page, answer) or self._find_next_by_post(
            fetched, page, answer
        )

    def _find_next_by_link(self, fetched: Fetched, page: Page, answer: AnswerVerdict) -> TaskSeed | None:
        task, link = fetched.task, answer.next
        if link is None or not self._store.can_continue(link.url, task.submission):
            return None
        if not self._store.is_inside(link.url) or reason_to_ignore(link.url, self._scope):
            return None
        if link.nofollow or page.nofollow:
            if self._obeys_nofollow:
                return None
            self._stats.inc_value("hiddenweb/nofollow/answer_pages")
        return seed_further_page(task, link.url)

    def _find_next_by_post(self, fetched: Fetched, page: Page, answer: AnswerVerdict) -> PostSeed | None:
        """Return the task for a next page that is requested by POST, where that is allowed."""
        if answer.next_post is None or (page.nofollow and self._obeys_nofollow):
            return None
        try:
            query = build_submission(answer.next_post.form, submitter=answer.next_post.button)
        except UnreadableForm:
            return None
        if (
            query.method != "POST"
            or host(query.url) not in self._post_hosts
            or not self._store.is_inside(query.url)
        ):
            return None
        return PostSeed(seed_further_page(fetched.task, query.url), query.body, query.content_type)

    def follow_records(
        self,
        exchange: Exchange,
        fetched: Fetched,
        page: Page,
        answer: AnswerVerdict,
        known_keys: Collection[str],
    ) -> None:
        """Plan to fetch the page of every new record, if such pages say more than answers do.

        The address of such a page may contain the query; the key of its record does not.
        """
        if page.nofollow and self._obeys_nofollow:
            return
        are_wanted = self._record_pages.are_wanted(exchange.form.id)
        unwanted = {link.url for link in page.links if link.nofollow} if self._obeys_nofollow else set()
        for record in answer.records:
            if record.url is None or record.url == fetched.url or record.url in unwanted:
                continue
            if record.key in known_keys or reason_to_ignore(record.url, self._scope):
                continue
            if not are_wanted:
                self._stats.inc_value("hiddenweb/detail_pages/skipped")
            elif record.key.startswith("http") and self._store.is_known(record.key):
                if self._adopts_pages:
                    self._record_pages.adopt(record.key, exchange.submission.id)
            else:
                self._follow_record(exchange, record.url, page)

    def _follow_record(self, exchange: Exchange, url: str, page: Page) -> None:
        task = exchange.task
        bucket = self._record_pages.choose_bucket(exchange.form.id)
        if page.nofollow:
            self._stats.inc_value("hiddenweb/nofollow/records")
        self._steps.add_task(
            TaskSeed(url, "record", bucket, task.hops + 1, parent=task.link, submission=task.submission)
        )
