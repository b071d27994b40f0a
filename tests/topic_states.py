"""A small state of a crawl on a topic, made without a network."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.focused.topic_crawl import HomepageVerdict, VisitedPage
from hiddenweb.model import Fetched, Field, Form, Link, Page, TaskSeed, Verdict
from hiddenweb.store.focused import FocusedStore

if TYPE_CHECKING:
    from hiddenweb.store.database import Store

NOW = 1_000_000.0
A, B = "https://a.example/", "https://b.example/"
VERDICT = '{"on_topic": true, "probability": 0.9, "why": [["book", 2.0], ["hotel", -1.0]]}'


def read_one_site(store: Store, topic: str = "books") -> FocusedStore:
    """Read the homepage of one seed: a form on the topic, a link of its own, and one to another site."""
    store.runs.begin("locate", NOW)
    stages = FocusedStore(store, topic, ["book"], Random(0), FocusedLimits())
    store.before_commit.append(stages.write)
    stages.start([A])
    stages.open_site(NOW)
    host = store.sites.find_host(A)
    assert host is not None
    [task], _ = stages.lease(host, 1, NOW)
    inside = TaskSeed(f"{A}find/7", "page", 2, 1, parent=task.link, anchor="Find books", around="our shop")
    store.frontier.add([inside])
    page = Page(A, "Books", "All our books", language="en")
    store.pages.save(Fetched(task, A, 200, NOW, b"<p>", page=page), page)
    form = store.forms.save(
        store.sites.want(A), Form(A, A, "GET", (Field("q", "text"),)), Verdict(True, "search", True, 0.9), NOW
    )
    store.forms.save_relevance(form, topic, 0.3, relevant=True)
    stages.read(
        task,
        VisitedPage(
            A, [inside], [Link(B, "More books", "look here")], "en", 1, 1,
            HomepageVerdict(on_topic=True, verdict=VERDICT),
        ),
    )  # fmt: skip
    store.sites.count_page(task.site, new=True)
    store.frontier.finish(task)
    store.commit()
    return stages
