"""The limits of an estimate are those of the crawl that would follow."""

from __future__ import annotations

from scrapy.settings import Settings

from hiddenweb.actions.estimate import read_limits


def test_budgets_of_the_command_line_replace_those_of_the_settings() -> None:
    settings = Settings()
    settings.setmodule("hiddenweb.settings", priority="project")

    usual, limited = (
        read_limits(settings, {}),
        read_limits(settings, {"queries": "7", "pages": "90", "time": "1h"}),
    )

    assert (usual.queries, usual.pages, usual.delay, usual.detail_pages) == (5_000, 20_000, 1.0, "auto")
    assert (limited.queries, limited.pages) == (7, 90)
