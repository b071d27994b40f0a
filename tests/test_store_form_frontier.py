"""The frontier of a crawl that submits known forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.model import Field, Form, HttpQuery, PlannedQuery, TaskSeed, Verdict
from hiddenweb.store.chosen_forms import ONLY_QUERIED, ChosenForms
from hiddenweb.store.database import Store
from hiddenweb.store.form_frontier import FormFrontier

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_700_000_000.0
HOME = "https://a.example/"
FORM = Form(HOME, f"{HOME}find", "GET", (Field("q", "search"),))
QUERY = HttpQuery((("q", "x"),), "x", url=f"{HOME}find?q=x")


def test_nothing_but_the_forms_is_leased_and_their_sites_are_left_when_all_is_done(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        site = store.sites.want(HOME)
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        store.frontier.add([TaskSeed(f"{HOME}page")])
        frontier = FormFrontier(store, ChosenForms(store, [form]))
        frontier.open("harvest", NOW)
        frontier.add([PlannedQuery(form, QUERY)])
        host = store.sites.find_host(HOME) or 0

        [task], _ = frontier.lease(host, 16, NOW)
        frontier.finish(task)
        frontier.close("finished", NOW)

        assert (task.kind, task.form) == ("answer", form)
        assert store.rows("SELECT left FROM sites") == [(ONLY_QUERIED,)]


def test_sites_stay_wanted_while_something_of_the_forms_waits(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        form = store.forms.save(store.sites.want(HOME), FORM, Verdict(True, "search"), NOW)
        frontier = FormFrontier(store, ChosenForms(store, [form]))
        frontier.open("harvest", NOW)
        frontier.add([PlannedQuery(form, QUERY)])

        frontier.close("shutdown", NOW)

        assert store.rows("SELECT left FROM sites") == [(None,)]
