"""Telling people of changes: rules, feeds and digests."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest
from changes_to_report import NEWS, PRICE, many
from lxml import etree

from hiddenweb.notify.notifier import LISTED, CannotNotify, Notifier
from hiddenweb.notify.rules import NotificationRule
from hiddenweb.notify.wording import digest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ATOM = {"a": "http://www.w3.org/2005/Atom"}
HOUR = 3600.0


@dataclass
class Receiver:
    """A webhook that takes what it is sent, or does not."""

    works: bool = True
    raises: bool = False
    messages: list[dict[str, Any]] = field(default_factory=list)
    attempts: list[str] = field(default_factory=list)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> bool:
        assert url == "https://me.example/hook"
        assert headers["Content-Type"] == "application/json"
        self.attempts.append(headers["Idempotency-Key"])
        if self.raises:
            raise ConnectionResetError
        if self.works:
            self.messages.append(json.loads(body))
        return self.works


def hook(**conditions: Any) -> NotificationRule:
    return NotificationRule("hook", webhook="https://me.example/hook", every=HOUR, **conditions)


def send(notifier: Notifier, now: float) -> None:
    asyncio.run(notifier.send(now))


# The rules


# Words


# Feeds


def entries(path: Path) -> list[etree._Element]:
    """Return the entries of a feed, which must have what RFC 4287 asks for."""
    feed = etree.fromstring(path.read_bytes())
    found = feed.findall("a:entry", ATOM)
    for part in (feed, *found):
        for name in ("id", "title", "updated"):
            assert len(part.findall(f"a:{name}", ATOM)) == 1
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", part.findtext("a:id", namespaces=ATOM) or "")
        assert re.fullmatch(
            r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", part.findtext("a:updated", namespaces=ATOM) or ""
        )
    assert feed.findtext("a:author/a:name", namespaces=ATOM)
    assert len({entry.findtext("a:id", namespaces=ATOM) for entry in found}) == len(found)
    return found


def test_there_is_a_feed_for_each_site_topic_and_query(tmp_path: Path) -> None:
    rule = NotificationRule("r", atom=str(tmp_path / "{topic}" / "{site}.xml"))
    of_queries = NotificationRule("q", atom=str(tmp_path / "queries" / "{query}.xml"))
    notifier = Notifier([rule, of_queries], tmp_path / "notify.json", topic="books")

    notifier.add([PRICE, NEWS, replace(PRICE, query="../dune?", key="2")])
    send(notifier, 0.0)

    assert len(entries(tmp_path / "books" / "shop.example.xml")) == 2
    assert len(entries(tmp_path / "books" / "www.news.example.xml")) == 1
    (of_query,) = (tmp_path / "queries").iterdir()
    assert re.fullmatch(r"dune-[0-9a-f]{8}\.xml", of_query.name)
    assert notifier.next_time() is None


# Messages


def test_the_first_change_is_sent_at_once_and_the_others_in_one_message(tmp_path: Path) -> None:
    receiver = Receiver()
    notifier = Notifier([hook()], tmp_path / "notify.json", post=receiver.post)

    notifier.add([PRICE])
    send(notifier, 0.0)
    for change in many(200):
        notifier.add([change])
        send(notifier, 10.0)
    assert len(receiver.messages) == 1
    assert notifier.next_time() == HOUR
    send(notifier, HOUR)

    first, second = receiver.messages
    assert (first["total"], first["changes"][0]["after"], first["rule"]) == (1, "7.99", "hook")
    assert (second["total"], second["kinds"], second["sites"]) == (
        200,
        {"record changed": 200},
        {"shop.example": 200},
    )
    assert len(second["changes"]) == LISTED
    assert second["text"].endswith("and 150 more")


def test_a_clock_that_is_set_back_delays_no_message_for_years(tmp_path: Path) -> None:
    receiver, year = Receiver(), 365 * 24 * HOUR
    notifier = Notifier([hook()], tmp_path / "notify.json", post=receiver.post)
    notifier.add([PRICE])
    send(notifier, year)
    notifier.add(many(1))

    send(notifier, 0.0)
    assert len(receiver.messages) == 1
    send(notifier, 24 * HOUR)

    assert len(receiver.messages) == 2


@pytest.mark.parametrize("how", ["refused", "raised"])
def test_an_undelivered_message_is_sent_again_until_it_is_delivered(tmp_path: Path, how: str) -> None:
    receiver = Receiver(works=False, raises=how == "raised")
    notifier = Notifier([hook()], tmp_path / "notify.json", post=receiver.post)
    notifier.add([PRICE])

    send(notifier, 0.0)
    notifier.add([NEWS])
    send(notifier, 1.0)  # too early
    send(notifier, 60.0)
    receiver.works, receiver.raises = True, False
    send(notifier, 180.0)
    send(notifier, 180.0 + HOUR)
    send(notifier, 180.0 + 9 * HOUR)

    assert receiver.attempts[0] == receiver.attempts[1] == receiver.attempts[2]  # so a receiver can tell
    assert len(set(receiver.attempts)) == 2
    assert [[each["url"] for each in message["changes"]] for message in receiver.messages] == [
        [PRICE.url],
        [NEWS.url],
    ]
    assert notifier.next_time() is None


def test_a_change_is_sent_only_once_even_by_the_next_crawl(tmp_path: Path) -> None:
    receiver = Receiver()
    for _ in range(3):
        notifier = Notifier([hook()], tmp_path / "notify.json", post=receiver.post)
        notifier.add([PRICE, PRICE])
        send(notifier, 0.0)

    assert [message["total"] for message in receiver.messages] == [1]


def test_changes_of_a_killed_crawl_are_sent_by_the_next_one(tmp_path: Path) -> None:
    receiver = Receiver(works=False)
    first = Notifier([hook()], tmp_path / "notify.json", post=receiver.post)
    first.add([PRICE])
    send(first, 0.0)
    first.add([NEWS])  # and then it was killed, in the middle of a line
    with (tmp_path / "notify.json.new").open("a") as file:
        file.write('{"kind": "con')

    receiver.works = True
    for _ in range(2):
        second = Notifier([hook()], tmp_path / "notify.json", post=receiver.post)
        send(second, 10 * HOUR)
        send(second, 20 * HOUR)

    sent_urls = [each["url"] for message in receiver.messages for each in message["changes"]]
    assert sent_urls == [PRICE.url, NEWS.url]
    assert receiver.attempts[0] == receiver.attempts[1]
    assert receiver.messages[1]["changes"][0]["edits"] == [
        {"before": "rain", "after": "a last chance of sun"}
    ]


def test_a_line_that_was_cut_spoils_none_that_follow(tmp_path: Path) -> None:
    (tmp_path / "notify.json.new").write_text('{"kind": "con')
    Notifier([hook()], tmp_path / "notify.json", post=Receiver().post).add([PRICE])

    assert Notifier([hook()], tmp_path / "notify.json", post=Receiver().post).next_time() == 0.0


def test_a_place_that_is_never_reached_costs_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hiddenweb.notify.notifier._MAX_WAITING", 10)
    receiver = Receiver(works=False)
    notifier = Notifier([hook()], tmp_path / "notify.json", post=receiver.post)
    notifier.add(many(25))
    receiver.works = True
    send(notifier, 0.0)

    (message,) = receiver.messages
    assert (message["total"], len(message["changes"])) == (25, 10)  # the others are counted


def test_a_change_without_a_rule_is_not_stored(tmp_path: Path) -> None:
    notifier = Notifier([hook(kinds=("gone",))], tmp_path / "notify.json", post=Receiver().post)

    assert notifier.add([PRICE, NEWS]) == 0
    assert notifier.next_time() is None


def test_a_rule_that_was_removed_is_forgotten(tmp_path: Path) -> None:
    Notifier([hook()], tmp_path / "notify.json", post=Receiver().post).add([PRICE])

    assert Notifier([], tmp_path / "notify.json").next_time() is None


def test_the_file_of_an_older_version_is_read(tmp_path: Path) -> None:
    state_file = tmp_path / "notify.json"
    Notifier([hook()], state_file, post=Receiver().post).add([PRICE])
    Notifier([hook()], state_file, post=Receiver().post)
    state_file.write_text(state_file.read_text().replace('"reported"', '"told"'))

    assert Notifier([hook()], state_file, post=Receiver().post).next_time() == 0.0


def test_one_place_that_fails_does_not_keep_another_waiting(tmp_path: Path) -> None:
    rule = replace(hook(), atom=str(tmp_path / "feed.xml"))
    notifier = Notifier([rule], tmp_path / "notify.json", post=Receiver(works=False).post)

    notifier.add([PRICE])
    send(notifier, 0.0)

    assert len(entries(tmp_path / "feed.xml")) == 1
    assert notifier.counts == {"wanted": 1, "atom sent": 1, "webhook failed": 1}


def test_a_feed_that_cannot_be_written_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "feeds").write_text("in the way")
    notifier = Notifier(
        [NotificationRule("r", atom=str(tmp_path / "feeds" / "all.xml"))], tmp_path / "notify.json"
    )
    notifier.add([PRICE])
    send(notifier, 0.0)
    assert notifier.counts["atom failed"] == 1

    (tmp_path / "feeds").unlink()
    send(notifier, 60.0)

    assert len(entries(tmp_path / "feeds" / "all.xml")) == 1


def test_apprise_gets_the_digest(tmp_path: Path) -> None:
    sent: list[tuple[str, str, str]] = []

    async def notify(address: str, title: str, text: str) -> bool:
        sent.append((address, title, text))
        return True

    notifier = Notifier([NotificationRule("r", apprise="json://x")], tmp_path / "notify.json", notify=notify)
    notifier.add([PRICE])
    send(notifier, 0.0)

    assert sent == [("json://x", "r: 1 record changed", digest([PRICE], {}, 1))]


def test_missing_parts_are_reported_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "apprise", None)

    with pytest.raises(CannotNotify, match=r"pip install hiddenweb\[notify\]"):
        Notifier([NotificationRule("r", apprise="json://x")], tmp_path / "notify.json")
    with pytest.raises(CannotNotify, match="webhook"):
        Notifier([hook()], tmp_path / "notify.json")
    (tmp_path / "notify.json").write_text("[]")
    with pytest.raises(CannotNotify, match=r"notify\.json: what is still to be reported cannot be read"):
        Notifier([], tmp_path / "notify.json")
