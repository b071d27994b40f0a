"""Settings of Scrapy that our spiders honour in their own way, or answer with one warning."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from hiddenweb.journey import add_defaults
from hiddenweb.scrapy_settings import TRANSLATED, WITHOUT_EFFECT, list_warnings, translate_settings


def settings_with(priority: str = "project", **given: object) -> Settings:
    settings = Settings()
    add_defaults(settings)
    settings.setdict(given, priority=priority)
    translate_settings(settings)
    return settings


@pytest.mark.parametrize(
    ("given", "ours", "value"),
    [
        ({"DEPTH_LIMIT": 3}, "HIDDENWEB_MAX_HOPS", 3),
        ({"DEPTH_LIMIT": 0}, "HIDDENWEB_MAX_HOPS", 30),  # no limit is ours
        ({"DOWNLOAD_DELAY": "2.5"}, "HIDDENWEB_DELAY", 2.5),
        ({"DOWNLOAD_DELAY": 0.25}, "HIDDENWEB_DELAY", 1.0),  # ours is longer
        ({"RETRY_TIMES": 5}, "HIDDENWEB_RETRIES", 5),
        ({"RETRY_ENABLED": False}, "HIDDENWEB_RETRIES", 0),
        ({"RETRY_ENABLED": True}, "HIDDENWEB_RETRIES", 2),
        ({"DOWNLOAD_MAXSIZE": 1000}, "HIDDENWEB_MAX_BYTES", 1000),
        ({"HTTPPROXY_ENABLED": False}, "HIDDENWEB_PROXY", ""),
    ],
)
def test_a_setting_of_scrapys_sets_ours(given: dict[str, Any], ours: str, value: object) -> None:
    settings = settings_with(**given)

    assert settings[ours] == value
    assert list_warnings(settings) == []


def test_a_setting_of_ours_that_was_changed_goes_first() -> None:
    assert settings_with(DOWNLOAD_DELAY=5, HIDDENWEB_DELAY=0)["HIDDENWEB_DELAY"] == 0
    assert settings_with("cmdline", DEPTH_LIMIT=5, HIDDENWEB_MAX_HOPS=7)["HIDDENWEB_MAX_HOPS"] == 7


def test_what_a_command_sets_for_itself_says_nothing() -> None:
    settings = settings_with("command", DUPEFILTER_CLASS="scrapy.dupefilters.BaseDupeFilter", DEPTH_LIMIT=1)

    assert settings["HIDDENWEB_MAX_HOPS"] == 30
    assert list_warnings(settings) == []


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_a_setting_without_effect_is_answered_with_one_warning(name: str) -> None:
    true, _ = WITHOUT_EFFECT[name]
    other: Any = not true if isinstance(true, bool) else "other.Class"
    if isinstance(true, dict):
        other = {"a.example": {"delay": 1}}
    elif isinstance(true, int) and not isinstance(true, bool):
        other = 1

    (warning,) = list_warnings(settings_with(**{name: other}))

    assert warning.startswith(f"{name}=")
    assert "has no effect: " in warning
    assert list_warnings(settings_with(**{name: true})) == []


def test_more_requests_to_one_host_than_ours_are_not_sent() -> None:
    (warning,) = list_warnings(settings_with(CONCURRENT_REQUESTS_PER_DOMAIN=8))

    assert "HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST is 1" in warning
    assert list_warnings(settings_with(CONCURRENT_REQUESTS_PER_DOMAIN=1)) == []


def test_every_setting_that_is_translated_is_one_of_scrapys() -> None:
    assert set(TRANSLATED) | set(WITHOUT_EFFECT) <= set(Settings()) | {"HTTPAUTH_USER"}
