"""The contact is part of the User-Agent, and a missing one is reported once."""

from __future__ import annotations

import logging
import re

import pytest
from scrapy import signals
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from hiddenweb.extensions.contact import ContactAddon
from hiddenweb.model import CrawlTask, Fetched


def test_the_contact_becomes_part_of_the_agent() -> None:
    settings = Settings()
    settings.set("USER_AGENT", "hiddenweb/1", priority="project")
    settings.set("HIDDENWEB_CONTACT", "me@a.example", priority="cmdline")

    ContactAddon().update_settings(settings)

    assert re.fullmatch(r"hiddenweb/[\d.]+ \(\+me@a\.example\)", settings["USER_AGENT"])


def test_an_agent_from_the_command_line_stays() -> None:
    settings = Settings({"HIDDENWEB_CONTACT": "me@a.example"})
    settings.set("USER_AGENT", "mine/1", priority="cmdline")

    ContactAddon().update_settings(settings)

    assert settings["USER_AGENT"] == "mine/1"


@pytest.mark.parametrize(
    ("contact", "url", "reminders"),
    [
        ("", "https://www.bookshop.org/", 1),
        ("me@a.example", "https://www.bookshop.org/", 0),
        ("", "http://127.0.0.1:8080/", 0),
        ("", "http://localhost:8080/", 0),
        ("", "http://[::1]:8080/", 0),
        ("", "http://bookshop.example/", 0),
    ],
)
def test_who_asks_other_hosts_without_a_contact_is_reminded_once(
    contact: str, url: str, reminders: int, caplog: pytest.LogCaptureFixture
) -> None:
    crawler = get_crawler(settings_dict={"HIDDENWEB_CONTACT": contact})
    addon = ContactAddon.from_crawler(crawler)
    visit = Fetched(CrawlTask(1, 1, 1, url), url, 200, 0.0)

    with caplog.at_level(logging.WARNING):
        crawler.signals.send_catch_log(signals.item_scraped, item=visit)
        crawler.signals.send_catch_log(signals.item_scraped, item=visit)

    assert addon is not None
    assert (
        len([record for record in caplog.records if "HIDDENWEB_CONTACT" in record.getMessage()]) == reminders
    )
