"""The last line of a crawl says why it ended and what to do next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.extensions.crawl_summary import CrawlSummary, describe_end
from hiddenweb.extensions.progress_text import RevisitProgress
from hiddenweb.reports.run_counts import StateCounts
from hiddenweb.store.chosen_forms import ONLY_QUERIED

DONE = CrawlSummary(
    "finished", tasks=9, pages=1_234, forms=12, submittable=4, sites=(("a.example", 1_234, None),)
)


@pytest.mark.parametrize(
    ("end", "outcome", "message"),
    [
        pytest.param(
            CrawlSummary("finished", revisits=RevisitProgress(9, 9, 2, 3.14, 1, 0, fresh_before=0.71, fresh=0.824)),
            "finished",
            "Finished: all revisits were made. 9 revisits, 2 found a change (3.1 expected), 1 came to nothing;"
            " about 82 % of all pages are as they were read, 71 % before. Next: scrapy changes, scrapy search WORDS.",
            id="revisited",
        ),
        pytest.param(
            CrawlSummary("shutdown", waiting=5, revisits=RevisitProgress(9, 4, 0)),
            "interrupted",
            "Interrupted (Ctrl-C or a signal): nothing is lost, the same command resumes it (5 revisits waiting)."
            " 4 revisits, 0 found a change (0 expected).",
            id="revisits interrupted",
        ),
        pytest.param(
            CrawlSummary("finished", trouble="http://a.example/: status 503", revisits=RevisitProgress(2, 2, fruitless=2, unanswered=2)),
            "failed",
            "Nothing could be revisited: http://a.example/: status 503. Next: fix that, or see scrapy status.",
            id="no revisit was answered",
        ),
        pytest.param(
            DONE,
            "finished",
            "Finished: all links of 1 site were followed. 1,234 pages, 12 forms (4 submittable)."
            " Next: scrapy crawl harvest to submit the forms, scrapy search WORDS, scrapy status.",
            id="explored",
        ),
        pytest.param(
            replace(DONE, submit=True, submitted=37, new_records=890, failed=2, refused=1),
            "finished",
            "Finished: all links of 1 site were followed. 1,234 pages, 12 forms (4 submittable), 37 queries submitted,"
            " 890 new records, 3 links not read. Next: scrapy search WORDS, scrapy status.",
            id="harvested",
        ),
        pytest.param(
            replace(DONE, given_up=1, waiting=40),
            "finished",
            "Finished: 1 host did not answer, with 40 links waiting there; all others of 1 site were followed. 1,234 pages,",
            id="a host did not answer",
        ),
        pytest.param(
            replace(DONE, sites=(("a.example", 5_000, "5,000 pages"), ("b.example", 3, None))),
            "finished",
            "Finished: 1 of 2 sites was left early (a.example: 5,000 pages), all other links were followed.",
            id="a site was left",
        ),
        pytest.param(
            replace(DONE, tasks=0, pages=0, forms=0, submittable=0),
            "finished",
            "Finished: nothing was left to do, all links of 1 site were followed earlier. 0 pages, no new form.",
            id="nothing left",
        ),
        pytest.param(
            replace(DONE, tasks=0, given_up=1, waiting=4),
            "finished",
            "Finished: 1 host did not answer, with 4 links waiting there; all others of 1 site were followed.",
            id="the only host that was left did not answer",
        ),
        pytest.param(
            replace(DONE, tasks=0, sites=(("a.example", 9, "its budget of 9 pages is spent"),)),
            "finished",
            "Finished: 1 of 1 site was left early (a.example: its budget of 9 pages is spent), all other links were",
            id="a budget that was spent earlier",
        ),
        pytest.param(
            replace(DONE, sites=(("a.example", 9, ONLY_QUERIED),), chosen=((12, "asked 10 times"),)),
            "finished",
            "Finished: 1 form gets no more queries for now (#12: asked 10 times). 1,234 pages,",
            id="a form",
        ),
        pytest.param(
            replace(DONE, tasks=0, chosen=tuple((number, "asked") for number in range(1, 6))),
            "finished",
            "Finished: nothing was left to do, 5 forms get no more queries for now (#1: asked; #2: asked;"
            " #3: asked; and 2 more).",
            id="forms that were queried earlier",
        ),
        pytest.param(
            replace(DONE, reason="time is up", limit="HIDDENWEB_TIME_LIMIT=30m", waiting=2),
            "limit",
            "Stopped: limit HIDDENWEB_TIME_LIMIT=30m reached; the same command resumes it (2 links waiting).",
            id="its time",
        ),
        pytest.param(
            CrawlSummary("finished", tasks=1, sites=(("a.example", 0, None),), trouble="https://a.example/: status 404"),
            "failed",
            "Nothing could be read: https://a.example/: status 404. Next: fix that, or see scrapy status.",
            id="nothing could be read",
        ),
        pytest.param(
            CrawlSummary("finished", trouble="http://a.example/: no", remedy="allow it with -s HIDDENWEB_ALLOW_ADDRESSES=a:1"),
            "failed",
            "Nothing could be read: http://a.example/: no. Next: allow it with -s HIDDENWEB_ALLOW_ADDRESSES=a:1.",
            id="a remedy",
        ),
        pytest.param(
            CrawlSummary("finished", trouble="no", remedy="allow it with -s HIDDENWEB_ALLOW_ADDRESSES=a:1", program="hiddenweb"),
            "failed",
            "Nothing could be read: no. Next: allow it with --allow a:1.",
            id="a remedy for hiddenweb URL",
        ),
        pytest.param(
            replace(DONE, submit=True, submitted=7, new_records=0, before=StateCounts(10, 1, 1, 20, 30), refused=3, forbidden=2),
            "finished",
            "Finished: all links of 1 site were followed. 1,234 pages (1,244 in all), 12 forms (4 submittable), 7 queries"
            " submitted (27 in all), 0 new records (30 in all), 3 links not read (robots.txt forbids 2). Next:",
            id="resumed",
        ),
        pytest.param(
            replace(DONE, sites=(("a.example", 9, None), ("127.0.0.1", 0, None)), refused=1, remedy="allow it"),
            "finished",
            "Finished: all links of 2 sites were followed. 1,234 pages, 12 forms (4 submittable), 1 link not read. 127.0.0.1 could"
            " not be read: allow it. Next:",
            id="a site of several was not read",
        ),
        pytest.param(
            replace(DONE, submit=True, unused=(("its page says nofollow", 1),)),
            "finished",
            "Finished: all links of 1 site were followed. 1,234 pages, 12 forms (4 submittable). 1 search form was not used:"
            " its page says nofollow; scrapy forms --why says more. Next:",
            id="one search was left alone",
        ),
        pytest.param(
            replace(DONE, submit=True, unused=(("a", 5), ("b", 2), ("c", 1), ("d", 1))),
            "finished",
            "Finished: all links of 1 site were followed. 1,234 pages, 12 forms (4 submittable). 9 search forms were not used:"
            " a (5); b (2); other reasons (2); scrapy forms --why says more. Next:",
            id="several searches were left alone",
        ),
        pytest.param(
            replace(DONE, reason="shutdown", waiting=4_210),
            "interrupted",
            "Interrupted (Ctrl-C or a signal): nothing is lost, the same command resumes it (4,210 links waiting).",
            id="Ctrl-C",
        ),
        pytest.param(
            replace(DONE, reason="closespider_pagecount", limit="CLOSESPIDER_PAGECOUNT=9", waiting=1),
            "limit",
            "Stopped: limit CLOSESPIDER_PAGECOUNT=9 reached; the same command resumes it (1 link waiting).",
            id="a limit",
        ),
        pytest.param(
            replace(DONE, reason="disk\x1b[2Jfull"), "failed", "Stopped: disk [2Jfull; the same", id="something else"
        ),
    ],
)  # fmt: skip
def test_the_last_line_says_why_it_ended_and_what_to_do(
    end: CrawlSummary, outcome: str, message: str
) -> None:
    word, sentence = describe_end(end)

    assert word == outcome
    assert sentence.startswith(message)
