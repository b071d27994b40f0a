from __future__ import annotations

from collections import Counter

import pytest

from hiddenweb.frontier.scope import FIRST, LAST, FrontierScope, links_to_follow, reason_to_ignore
from hiddenweb.model import CrawlTask, Link, TaskSeed


def followed(
    task: CrawlTask, *links: Link, rules: FrontierScope | None = None
) -> tuple[list[TaskSeed], Counter[str]]:
    why: Counter[str] = Counter()
    chosen = links_to_follow(links, task, rules or FrontierScope(), lambda _, reason: why.update([reason]))
    return chosen, why


HOME = CrawlTask(1, 1, 1, "https://a.example/")


def test_link_knows_its_parent_and_its_distance() -> None:
    ((link,), _) = followed(HOME, Link("https://a.example/books"))

    assert link == TaskSeed("https://a.example/books", "page", FIRST + 1, 1, parent=1)


def test_pages_far_away_share_the_last_bucket() -> None:
    far = CrawlTask(1, 1, 1, "https://a.example/", hops=25)

    ((link,), _) = followed(far, Link("https://a.example/books"))

    assert (link.bucket, link.hops) == (LAST, 26)


def test_following_ends_after_enough_hops() -> None:
    far = CrawlTask(1, 1, 1, "https://a.example/", hops=5)

    chosen, why = followed(
        far, Link("https://a.example/1"), Link("https://a.example/2"), rules=FrontierScope(max_hops=5)
    )

    assert chosen == []
    assert why == {"too_many_hops": 2}


def test_nofollow_is_obeyed() -> None:
    chosen, why = followed(HOME, Link("https://a.example/1", nofollow=True), Link("https://a.example/2"))

    assert [link.url for link in chosen] == ["https://a.example/2"]
    assert why == {"nofollow": 1}


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("books/7", None),
        ("books/7.html", None),
        ("download.php?file=7", None),
        ("photo.JPG", "file"),
        ("paper.pdf?version=2", "file"),
        ("archive.tar.gz", "file"),
        ("account/logout", "action"),
        ("item?id=5&action=delete", "action"),
        ("shop/add-to-cart/5", "action"),
        ("index.php?title=Bee&action=edit&section=1", "behind"),
        ("doku.php?id=bee&do=revisions", "behind"),
        ("wiki/Bee?edit", "behind"),
        ("projects/bees/edit", "behind"),
        ("index.php?title=Bee&diff=7&oldid=5", "behind"),
        ("unsubscribe?m=x", "action"),
        ("vote.php?poll=3", "action"),
        ("books/history", None),
        ("credits?role=editor", None),
        ("blog/how-to-vote-well", None),  # only whole segments count
        ("voters/list", None),
        ("deleted-scenes", None),
        ("a/b/a/b/a/b/", "repeats"),
        ("x" * 3000, "too_long"),
    ],
)
def test_addresses_that_are_never_followed(path: str, why: str | None) -> None:
    assert reason_to_ignore(f"https://a.example/{path}", FrontierScope()) == why
