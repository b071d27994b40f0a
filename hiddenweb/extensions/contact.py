"""The contact for owners of sites: HIDDENWEB_CONTACT, as part of the User-Agent."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy import signals

from hiddenweb import __version__

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import Settings

logger = logging.getLogger(__name__)


class ContactAddon:
    """Puts HIDDENWEB_CONTACT into the User-Agent, and reminds of it once if it is missing.

    It is an add-on because it must run before every part that reads USER_AGENT, however a crawl is started. A USER_AGENT
    on the command line, or of a spider, takes precedence.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        addon = cls()
        if not crawler.settings.get("HIDDENWEB_CONTACT"):
            addon._crawler = crawler
            crawler.signals.connect(addon.remind, signals.item_scraped)
        return addon

    def __init__(self) -> None:
        self._crawler: Crawler | None = None

    def update_settings(self, settings: Settings) -> None:
        """Add the contact to the User-Agent."""
        contact = settings.get("HIDDENWEB_CONTACT")
        if contact:
            settings.set("USER_AGENT", user_agent(contact), priority="project")

    def remind(self, item: object) -> None:
        """Ask the user for a contact once, when a foreign host has answered."""
        from hiddenweb.model import Fetched, FetchFailure

        if (
            self._crawler is None
            or not isinstance(item, Fetched | FetchFailure)
            or _is_own_host(item.task.url)
        ):
            return
        self._crawler.signals.disconnect(self.remind, signals.item_scraped)
        logger.warning(
            "Nobody can reach you: please set HIDDENWEB_CONTACT to an address or a page,"
            " so that the owners of sites know whom to write to about this crawl"
        )


def user_agent(contact: str) -> str:
    """Return a User-Agent with a contact."""
    return f"hiddenweb/{__version__} (+{contact})"


def _is_own_host(url: str) -> bool:
    """Return whether an address is this machine, or a name that is reserved for examples and tests."""
    from hiddenweb.fetch.address_guard import is_localhost, literal_address
    from hiddenweb.urls import host

    name = host(url)
    address = literal_address(name)
    if address is not None:
        return address == "::1" or address.startswith("127.")
    return is_localhost(name) or name.endswith((".example", ".test", ".invalid"))
