"""Forms of simweb with several controls, or with choices alone: crawled with the default of all settings, and held against the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from styled_webs import Crawled, crawl_web

if TYPE_CHECKING:
    from collections.abc import Iterator

ASKED = ["box_selects", "radios", "advanced", "finder", "dependent", "dates", "required"]
WORLD: dict[str, Any] = {"seed": 5, "sites": 40, "pages_per_site": 6, "largest_database": 90}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    with crawl_web(tmp_path_factory.mktemp("choices"), ASKED, WORLD) as web:
        yield web


@pytest.mark.parametrize("style", ASKED)
def test_most_records_are_found_whatever_controls_a_form_has(crawled: Crawled, style: str) -> None:
    assert crawled.ran.code == 0, crawled.ran.output[-3000:]
    assert crawled.share(style) > 0.75


def test_forms_with_choices_alone_are_asked_no_more_than_they_have_choices_for(crawled: Crawled) -> None:
    for style in ("finder", "dependent"):
        requested = [
            request for request in crawled.requests_of_style(style) if request["kind"].startswith("answer")
        ]
        hosts = {request["host"] for request in requested}
        assert len(requested) < 150 * len(hosts)


def test_every_form_says_how_much_of_its_database_is_known_and_why_it_had_enough(crawled: Crawled) -> None:
    rows = crawled.ran.rows("SELECT state, why, coverage FROM forms WHERE may_submit AND records > 20")

    assert rows
    assert {state for state, _, _ in rows} == {"done"}
    assert all(coverage.startswith("[") for _, _, coverage in rows)
    assert all("ask" in why or "record" in why or "finds what" in why for _, why, _ in rows)
