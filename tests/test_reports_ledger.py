"""The ledger of questions, as it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.model import Field, Form, HttpQuery, Verdict
from hiddenweb.reports.ledger import load_ledger
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_700_000_000.0


def test_a_long_ledger_is_read_to_its_end(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        form = Form("http://a.example/", "http://a.example/find", "GET", (Field("q", "search"),))
        number = store.forms.save(store.sites.want(form.page_url), form, Verdict(True, "search"), NOW)
        for turn in range(1201):
            word = f"w{turn}"
            store.submissions.plan(
                number, HttpQuery((("q", word),), word, url=f"http://a.example/find?q={word}"), "", NOW
            )
        store.commit()

        assert [entry.keyword for entry in load_ledger(store)] == [f"w{turn}" for turn in range(1201)]


def test_what_was_posted_can_be_read(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        form = Form("http://a.example/", "http://a.example/find", "POST", (Field("q", "search"),))
        number = store.forms.save(store.sites.want(form.page_url), form, Verdict(True, "search"), NOW)
        query = HttpQuery(
            (("q", "bär"),), "bär", "POST", form.action, "q=bär\udce9".encode("utf-8", "surrogateescape")
        )
        submission = store.submissions.plan(number, query, "", NOW)
        assert submission is not None
        store.submissions.mark_sent(submission, NOW + 1)

        (entry,) = load_ledger(store)

    assert (entry.method, entry.body, entry.state, entry.sent) == ("POST", "q=bär\ufffd", "sent", NOW + 1)
