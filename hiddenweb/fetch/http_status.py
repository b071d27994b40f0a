"""What the status of a response means for the crawl: a page, a redirect, a retry, or a failure.

After a temporary error (429, 503, other server errors) a task is tried again later; Retry-After is obeyed for the
whole host. All other responses end the task. The body is read by `hiddenweb.fetch.reading`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.answers.notices import says_too_many
from hiddenweb.fetch.errors import FetchError, Refused
from hiddenweb.fetch.reading import Reading, ServerAnswer, read_answer, read_error
from hiddenweb.fetch.redirects import REDIRECTS, redirect_target
from hiddenweb.frontier.host_pace import retry_after
from hiddenweb.model import UNREQUESTED_304, Fetched, FetchFailure, HttpQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.fetch.errors import Postponed
    from hiddenweb.model import CrawlTask

TRY_LATER = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524))
"""Statuses of temporary errors, by RFC 9110, RFC 6585 and RFC 8470; those from 520 on are of a proxy that could not reach the host."""

_NOT_MODIFIED = 304  # RFC 9110
_OWN_ERROR = (
    500  # most often of a program on one request; other server errors are about the state of the server
)
_OF_WHOLE_HOST = frozenset((429, 503))


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after how long a task is tried again."""

    times: int = 2
    delay: float = 10.0  # seconds before the first retry; each further one waits twice as long
    longest: float = 3600.0


def interpret_answer(
    task: CrawlTask,
    answer: ServerAnswer,
    at: float,
    retries: RetryPolicy,
    *,
    on_parse: Callable[[], object] | None = None,
) -> Fetched | FetchFailure:
    """Return what a response means; `on_parse` is called when a page is parsed."""
    status, redirect = answer.status, None
    reading = Reading() if 200 <= status < 300 else read_error(task, answer, on_parse)
    if status in TRY_LATER and not _says_too_many(reading):
        return _try_later(task, answer, at, retries)
    why = ""
    if status in REDIRECTS:
        redirect = redirect_target(status, answer.location, answer.url)
        why = "" if redirect else "redirects to nowhere"
    elif status == _NOT_MODIFIED and not answer.is_conditional:
        why = UNREQUESTED_304
    elif not 200 <= status < 300:
        why = f"status {status}"
    else:
        reading = read_answer(task, answer, on_parse)
        why = reading.why
    return Fetched(
        task, answer.url, status, at, answer.body, answer.etag, answer.last_modified, answer.content_type,
        reading.page, redirect, why, answer.latency, behind_form=task.kind not in ("page", "sitemap"),
        marks=tuple(answer.marks) if task.is_revisit else (), form_page=reading.form_page, page_list=reading.page_list,
    )  # fmt: skip


def interpret_error(task: CrawlTask, error: FetchError, at: float, retries: RetryPolicy) -> FetchFailure:
    """Return what a failed fetch means."""
    why = str(error)
    if isinstance(error, Refused):
        return FetchFailure(task, why, at, refused=True)
    wait = _retry_wait(task, retries) if error.temporary else None
    return FetchFailure(task, why, at, wait, may_be_temporary=error.temporary)


def interpret_postponement(
    task: CrawlTask, postponed: Postponed, at: float, retries: RetryPolicy
) -> FetchFailure:
    """Return what it means that a request has to wait; a host whose robots.txt is never available is given up."""
    wait: float | None = postponed.seconds
    if postponed.whole_host and task.attempts >= retries.times:
        wait = None
    pause = postponed.seconds if postponed.whole_host else None
    return FetchFailure(
        task, str(postponed), at, wait, counts=postponed.whole_host, host_pause=pause, may_be_temporary=True
    )


def _says_too_many(reading: Reading) -> bool:
    return reading.page is not None and bool(says_too_many(reading.page, HttpQuery(())))


def _try_later(task: CrawlTask, answer: ServerAnswer, at: float, retries: RetryPolicy) -> FetchFailure:
    requested = retry_after(answer.retry_after, at) if answer.retry_after else None
    wait = _retry_wait(task, retries)
    if wait is not None and requested is not None:
        wait = max(wait, requested)
    why = f"status {answer.status}"
    if requested is not None:
        why += f", asks to wait {requested:.0f} s"
    pause = requested if answer.status in _OF_WHOLE_HOST or requested is not None else None
    may_be_temporary = answer.status != _OWN_ERROR
    return FetchFailure(
        task, why, at, wait, host_pause=pause, status=answer.status, may_be_temporary=may_be_temporary
    )


def _retry_wait(task: CrawlTask, retries: RetryPolicy) -> float | None:
    if task.attempts >= retries.times:
        return None
    return min(retries.longest, retries.delay * 2.0**task.attempts)
