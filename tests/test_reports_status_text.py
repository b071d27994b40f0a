"""What a state holds, in words."""

from __future__ import annotations

from typing import Any

from hiddenweb.reports.status_text import MAX_PAUSES, status_lines
from hiddenweb.reports.summary import (
    FormCoverage,
    HarvestPoint,
    PausedHost,
    RunSummary,
    SiteSummary,
    Summary,
    UnreadReason,
)

NOW = 1_700_000_000.0
FACTS = {"folder": "data/state", "bytes": 2_500_000, "unindexed": 1}
NO_LINKS = {"pending": 0, "leased": 0, "done": 0, "missed": 0, "refused": 0}


def lines_of(**what: Any) -> list[str]:
    """The lines of a state that holds nothing but this."""
    return list(status_lines(Summary(**{"links": NO_LINKS} | what), FACTS, NOW))


def test_an_empty_state_has_no_part_without_entries() -> None:
    lines = lines_of()

    assert lines[0] == "data/state: 2.5 MB"
    assert lines[1].startswith("0 sites, 0 pages (0 of them duplicates), 0 records")
    assert "forms: none; queries: none" in lines
    assert not [line for line in lines if line.endswith(":")]
    assert lines[-1] == "Next: scrapy search WORDS."


def test_numbers_of_one_have_no_plural() -> None:
    lines = lines_of(site_count=1, pages=1, records=1, documents=1)

    assert lines[1] == "1 site, 1 page (0 of them duplicates), 1 record (0 with their own page read)"
    assert "index: 1 document, 1 change not indexed yet" in lines


def test_a_crawl_that_did_not_report_its_end_is_said_to_be_resumed_by_the_same_command() -> None:
    lines = lines_of(runs=[RunSummary("crawl harvest", NOW - 60, None, None, 42)], waiting=3)

    [run] = [line for line in lines if "crawl harvest" in line]
    assert run.endswith("for 60 s, did not report its end (process 42)")
    assert lines[-1] == "A crawl is under way, or was killed; the same command resumes it."


def test_links_that_wait_come_next_after_a_crawl_that_ended() -> None:
    lines = lines_of(runs=[RunSummary("crawl harvest", NOW - 60, NOW, "finished", 42)], waiting=3)

    assert any("finished after 60 s" in line for line in lines)
    assert lines[-1] == "Links are waiting: the same crawl command continues with them."


def test_a_site_is_shown_with_why_it_was_left() -> None:
    sites = [
        SiteSummary("a.example", 3, "HIDDENWEB_PAGES_PER_SITE is reached", forms=1, queries=2, records=1)
    ]

    lines = lines_of(sites=sites, site_count=5)

    assert "Sites (1 of 5):" in lines
    [line] = [line for line in lines if "a.example" in line]
    assert "3 pages, 1 form (0 submittable), 2 queries, 1 record" in line
    assert line.endswith("; left: HIDDENWEB_PAGES_PER_SITE is reached")


def test_a_database_is_shown_with_its_size_and_why_its_form_is_done() -> None:
    database = FormCoverage(7, "a.example", "https://a.example/", 40, 50, 45, 60, 12, "done", "nothing new")

    [line] = [line for line in lines_of(databases=[database]) if "form 7" in line]

    assert "a.example, form 7: about 40 of 50 (45-60)" in line
    assert line.endswith("12 queries; done: nothing new")


def test_only_the_longest_pauses_are_named_but_all_are_counted() -> None:
    pauses = [
        PausedHost(f"https://{number}.example", NOW + 90, "status 503") for number in range(MAX_PAUSES + 5)
    ]

    lines = lines_of(pauses=pauses)

    assert f"Paused hosts ({MAX_PAUSES + 5}):" in lines
    pause_lines = [line for line in lines if "90 s left: status 503" in line]
    assert len(pause_lines) == MAX_PAUSES


def test_reasons_why_links_were_not_read_come_with_an_example() -> None:
    reasons = [UnreadReason("missed", "no connection", 1_200, "https://a.example/x")]

    assert "  1,200 missed: no connection (for example https://a.example/x)" in lines_of(reasons=reasons)


def test_the_harvest_says_how_many_forms_a_thousand_pages_gave() -> None:
    points = [HarvestPoint(NOW, 100, 1, 0), HarvestPoint(NOW + 1, 200, 3, 1)]

    assert "Harvest (3 search forms, 1 on topic; 15.0 per 1,000 pages):" in lines_of(harvest=points)
