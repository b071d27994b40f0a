"""Settings of Scrapy that mean something else to our spiders: translated into ours where that is natural, else answered with one warning each.

Only what a project, a spider or a command line says counts, not Scrapy's defaults. A setting of ours that was changed goes before its
translation. docs/scrapy.md has the same table for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.config import PROJECT_PRIORITY, default_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scrapy.settings import BaseSettings

_DEFAULTS = default_settings()

TRANSLATED: Mapping[str, tuple[str, Callable[[BaseSettings], Any]]] = {
    "DEPTH_LIMIT": ("HIDDENWEB_MAX_HOPS", lambda read: read.getint("DEPTH_LIMIT") or None),
    "DOWNLOAD_DELAY": ("HIDDENWEB_DELAY", lambda read: _longer_delay(read.getfloat("DOWNLOAD_DELAY"))),
    "RETRY_TIMES": ("HIDDENWEB_RETRIES", lambda read: read.getint("RETRY_TIMES")),
    "RETRY_ENABLED": ("HIDDENWEB_RETRIES", lambda read: None if read.getbool("RETRY_ENABLED") else 0),
    "DOWNLOAD_MAXSIZE": ("HIDDENWEB_MAX_BYTES", lambda read: read.getint("DOWNLOAD_MAXSIZE") or None),
    "HTTPPROXY_ENABLED": (
        "HIDDENWEB_PROXY",
        lambda read: None if read.getbool("HTTPPROXY_ENABLED") else "",
    ),
}
"""Settings of Scrapy, the setting of ours that each stands for, and how its value is read; None: it says nothing that ours does not."""

_FRONTIER = "the frontier in HIDDENWEB_STATE says what was requested and what comes next"
_PACE = "each host has a pace of its own: HIDDENWEB_DELAY, HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST"
_REDIRECTS = "redirects are requests of their own, each of which robots.txt and the address guard judge"

WITHOUT_EFFECT: Mapping[str, tuple[Any, str]] = {
    "ROBOTSTXT_OBEY": (True, "robots.txt is always obeyed; HIDDENWEB_NOFOLLOW says what nofollow forbids"),
    "JOBDIR": (None, "the same command always resumes, from HIDDENWEB_STATE"),
    "HTTPCACHE_ENABLED": (False, "pages are stored in HIDDENWEB_STATE, with their versions"),
    "COOKIES_ENABLED": (
        True,
        "cookies are kept only for forms that need a session, if HIDDENWEB_SUBMIT is on",
    ),
    "AUTOTHROTTLE_ENABLED": (False, _PACE),
    "DOWNLOAD_SLOTS": ({}, _PACE),
    "REDIRECT_ENABLED": (True, _REDIRECTS),
    "METAREFRESH_ENABLED": (True, _REDIRECTS),
    "DUPEFILTER_CLASS": ("scrapy.dupefilters.RFPDupeFilter", _FRONTIER),
    "SCHEDULER": ("scrapy.core.scheduler.Scheduler", _FRONTIER),
    "REQUEST_FINGERPRINTER_CLASS": ("scrapy.utils.request.RequestFingerprinter", _FRONTIER),
    "DEPTH_PRIORITY": (0, "HIDDENWEB_POLICY and HIDDENWEB_STRATEGY say what comes first"),
    "HTTPAUTH_USER": ("", "it is not sent; HIDDENWEB_PROXY may name a proxy that adds it"),
}
"""Settings of Scrapy that change nothing, the value that is true of our spiders, and what holds instead."""


def translate_settings(settings: BaseSettings) -> None:
    """Give our settings what the user said in Scrapy's."""
    for name, (ours, read) in TRANSLATED.items():
        if _is_said(settings, name) and (value := read(settings)) is not None:
            _translate(settings, name, ours, value)


def list_warnings(settings: BaseSettings) -> list[str]:
    """Return a warning for each setting of Scrapy that the user changed in vain."""
    return [*_warnings(settings), *_warn_of_concurrency(settings)]


def _translate(settings: BaseSettings, name: str, ours: str, value: Any) -> None:
    said, said_by_ours = settings.getpriority(name) or 0, settings.getpriority(ours) or 0
    if settings.get(ours) == _DEFAULTS[ours] and said_by_ours <= max(said, PROJECT_PRIORITY):
        settings.set(ours, value, priority=max(said, said_by_ours) + 1)  # a process sets its own once more


def _warnings(settings: BaseSettings) -> Iterator[str]:
    for name, (true, instead) in WITHOUT_EFFECT.items():
        if _is_said(settings, name) and not _is_same(settings, name, true):
            yield f"{name}={settings.get(name)!s:.100} has no effect: {instead}"


def _warn_of_concurrency(settings: BaseSettings) -> Iterator[str]:
    name, ours = "CONCURRENT_REQUESTS_PER_DOMAIN", "HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST"
    if _is_said(settings, name) and settings.getint(name) > settings.getint(ours):
        yield f"{name}={settings.getint(name)} has no effect: {ours} is {settings.getint(ours)}"


def _is_said(settings: BaseSettings, name: str) -> bool:
    """Say whether a project, a spider or a command line has a value; commands have defaults of their own, which say nothing."""
    return (settings.getpriority(name) or 0) >= PROJECT_PRIORITY


def _is_same(settings: BaseSettings, name: str, true: Any) -> bool:
    if isinstance(true, bool):
        return settings.getbool(name) == true
    if isinstance(true, dict):
        return settings.getdict(name) == true
    if isinstance(true, int):
        return settings.getint(name) == true
    return settings.get(name) in (true, None, "")


def _longer_delay(seconds: float) -> float | None:
    return seconds if seconds > _DEFAULTS["HIDDENWEB_DELAY"] else None
