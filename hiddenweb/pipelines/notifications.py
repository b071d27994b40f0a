"""Notifying people of changes. Webhooks obey the rules of all requests, so none reaches into your own network."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from hiddenweb.fetch.address_guard import AllowList
from hiddenweb.fetch.errors import FetchError
from hiddenweb.fetch.fetcher import Fetcher, HttpRequest
from hiddenweb.fetch.http_client import HttpClient
from hiddenweb.notify.notifier import Notifier
from hiddenweb.notify.rules import read_rule_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

PENDING_FILE = "telling.json"
"""The pending notifications, in the folder of the state."""

_TIMEOUT = 30.0  # seconds for a webhook; a limit of taste
_SUCCESS = range(200, 300)


class Notifications:
    """A notifier, and the client for its webhooks."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self | None:
        """Return one for the rules of HIDDENWEB_NOTIFY; None without rules."""
        rules = settings.get("HIDDENWEB_NOTIFY")
        return cls(Path(rules), settings) if rules else None

    def __init__(self, rules: Path, settings: BaseSettings) -> None:
        self._fetcher: Fetcher = HttpClient(AllowList.parse(settings.getlist("HIDDENWEB_ALLOW_ADDRESSES")))
        self._agent = str(settings["USER_AGENT"]).encode()
        self.notifier = Notifier(
            read_rule_file(rules),
            Path(settings["HIDDENWEB_STATE"]) / PENDING_FILE,
            post=self._post,
            topic=settings.get("HIDDENWEB_TOPIC") or "",
        )

    async def finish(self, now: float) -> None:
        """Send what is due, and close; the rest waits for the next crawl."""
        await self.notifier.send(now)
        await self._fetcher.close()

    async def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> bool:
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        try:
            answer = await self._fetcher.fetch(
                HttpRequest("POST", url, [*encoded, (b"User-Agent", self._agent)], body, timeout=_TIMEOUT)
            )
        except FetchError as error:
            logger.warning("%s: cannot be notified: %s", url, error)
            return False
        if answer.status not in _SUCCESS:
            logger.warning("%s: cannot be notified: status %s", url, answer.status)
        return answer.status in _SUCCESS
