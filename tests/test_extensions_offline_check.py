"""`scrapy check` opens neither state nor network; other commands are not affected."""

from __future__ import annotations

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

import hiddenweb.settings
from hiddenweb.extensions.offline_check import OfflineCheck


def test_it_is_there_only_while_contracts_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRAPY_CHECK", raising=False)
    with pytest.raises(NotConfigured):
        OfflineCheck.from_crawler(get_crawler())

    monkeypatch.setenv("SCRAPY_CHECK", "true")
    assert isinstance(OfflineCheck.from_crawler(get_crawler()), OfflineCheck)


def test_nothing_is_left_that_opens_the_state_or_the_network() -> None:
    settings = Settings()
    settings.setmodule(hiddenweb.settings)

    OfflineCheck().update_settings(settings)

    assert not settings.getdict("ITEM_PIPELINES")
    assert not settings.getdict("EXTENSIONS")
    assert set(settings.getdict("DOWNLOAD_HANDLERS").values()) == {None}
    assert "hiddenweb" not in settings["SCHEDULER"]
