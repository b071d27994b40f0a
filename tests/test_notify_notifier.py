"""Telling people of changes: rules, feeds and digests."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from hiddenweb.notify.atom import write_feed
from hiddenweb.notify.notifier import LISTED, CannotNotify, Notifier
from hiddenweb.notify.rules import BadRuleFile, NotificationRule, read_rule_file
from hiddenweb.notify.wording import change_id, digest, headline, lines_of
from hiddenweb.revisit.change import Change, Edit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ATOM = {"a": "http://www.w3.org/2005/Atom"}
HOUR = 3600.0
PRICE = Change(
    "record changed", "https://shop.example/dune", 1_700_000_000.0, site="shop.example", title="Dune",
    key="dune", attribute="price", before="9.99", after="7.99",
)  # fmt: skip
NEWS = Change(
    "content", "https://news.example/", 1_700_000_100.0, site="www.news.example", title="News",
    edits=(Edit("rain", "a last chance of sun"),),
)  # fmt: skip


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


def hook(**wanted: Any) -> NotificationRule:
    return NotificationRule("hook", webhook="https://me.example/hook", every=HOUR, **wanted)


def send(notifier: Notifier, now: float) -> None:
    asyncio.run(notifier.send(now))


def many(count: int) -> list[Change]:
    return [replace(PRICE, key=str(number), title=f"Book {number}") for number in range(count)]


# The rules


def rules_in(tmp_path: Path, text: str) -> tuple[NotificationRule, ...]:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return read_rule_file(path)


def test_a_rule_file_is_read(tmp_path: Path) -> None:
    rules = rules_in(
        tmp_path,
        """
        [prices]
        site = "Shop.example"
        kind = ["record changed", "gone"]
        words = ["Last  Chance"]
        every = "30m"
        atom = "feeds/{site}.xml"
        webhook = "https://me.example/hook"
        [everything]
        apprise = "mailto://me@example.org"
        """,
    )

    assert rules == (
        NotificationRule(
            "prices",
            sites=("shop.example",),
            kinds=("record changed", "gone"),
            words=("last chance",),
            every=1800.0,
            atom=str(tmp_path / "feeds/{site}.xml"),
            webhook="https://me.example/hook",
        ),
        NotificationRule("everything", apprise="mailto://me@example.org"),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1", r"\[a\] is 1, wanted a table"),
        ("[a]", r"\[a\] notifies nobody, wanted one of atom, webhook, apprise"),
        ("[a]\natom = 'x'\nsites = ['y']", r"\[a\] has the key 'sites', wanted some of site, kind"),
        ("[a]\natom = 'x'\nsite = 3", r"\[a\] site is 3, wanted a list of texts"),
        ("[a]\natom = 'x'\nsite = []", r"\[a\] site is empty"),
        ("[a]\natom = 'x'\nwords = ['']", r"\[a\] words is \[''\], wanted a list of texts"),
        ("[a]\natom = 'x'\nsite = ['http://y']", r"\[a\] site has 'http://y', wanted a host"),
        ("[a]\natom = 'x'\nkind = ['changed']", r"\[a\] kind has 'changed', wanted some of 'new'"),
        ("[a]\natom = 'x'\nevery = 'often'", r"\[a\] every is 'often', wanted seconds, or a time"),
        ("[a]\natom = 'x'\nevery = true", r"\[a\] every is True"),
        ("[a]\natom = 7", r"\[a\] atom is 7, wanted the path"),
        ("[a]\natom = '{host}.xml'", r"\[a\] atom has '{host}', wanted {topic}, {site} or {query}"),
        ("[a]\natom = '{site!r}.xml'", r"\[a\] atom has '{site!r}'"),
        ("[a]\natom = 'x}.xml'", r"\[a\] atom has '}'"),
        ("[a]\nwebhook = 'ftp://x/'", r"\[a\] webhook is 'ftp://x/', wanted http://... or https://..."),
        ("[a]\nwebhook = 'https://'", r"\[a\] webhook is 'https://'"),
        ("[a]\nwebhook = 'https://[x/'", r"\[a\] webhook is"),
        ("[a]\napprise = 'me'", r"\[a\] apprise is 'me', wanted an address"),
        ("[a", r"is no TOML"),
    ],
)
def test_a_bad_rule_file_is_refused_with_file_rule_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadRuleFile, match=rf"rules\.toml: {said}"):
        rules_in(tmp_path, text)


def test_a_rule_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRuleFile, match=r"none\.toml: cannot be read: No such file"):
        read_rule_file(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        (NotificationRule("all"), [PRICE, NEWS]),
        (NotificationRule("site", sites=("news.example",)), [NEWS]),  # and hosts below it
        (NotificationRule("site", sites=("ews.example",)), []),  # but not those that only end alike
        (NotificationRule("kind", kinds=("record changed",)), [PRICE]),
        (NotificationRule("words", words=("last chance",)), [NEWS]),
        (NotificationRule("words", words=("price",)), [PRICE]),
        (NotificationRule("words", words=("las",)), []),  # whole words
        (NotificationRule("both", sites=("shop.example",), words=("sun",)), []),
    ],
)
def test_a_rule_wants_what_it_says(rule: NotificationRule, wanted: list[Change]) -> None:
    assert [change for change in (PRICE, NEWS) if rule.wants(change)] == wanted


# Words


def test_changes_are_said_in_words() -> None:
    assert headline(PRICE) == "Dune: price is 7.99, was 9.99"
    assert lines_of(NEWS) == ["content at https://news.example/", "- rain", "+ a last chance of sun"]
    assert digest([PRICE, NEWS], {"content": 3}, 1) == (
        "4 content, 1 record changed\nDune: price is 7.99, was 9.99 https://shop.example/dune\nand 4 more"
    )


def test_a_change_keeps_its_name_and_another_has_another() -> None:
    assert change_id(PRICE) == change_id(replace(PRICE, number=7, title="Dune, 2nd ed.", old=1, new=2))
    assert len({change_id(change) for change in (PRICE, NEWS, *many(50))}) == 52


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


def test_a_feed_gets_new_entries_first_and_each_once(tmp_path: Path) -> None:
    path = tmp_path / "feeds" / "prices.xml"

    write_feed(path, "prices", [PRICE])
    write_feed(path, "prices", [NEWS, PRICE])

    titles = [entry.findtext("a:title", namespaces=ATOM) for entry in entries(path)]
    assert titles == ["content: News", "Dune: price is 7.99, was 9.99"]
    assert [each.name for each in path.parent.iterdir()] == ["prices.xml"]


def test_a_feed_keeps_the_newest_entries(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    for number in range(7):
        write_feed(path, "t", [replace(PRICE, at=PRICE.at + number, title=str(number))], most=3)

    titles = [entry.findtext("a:title", namespaces=ATOM) for entry in entries(path)]

    assert [title[0] for title in titles if title] == ["6", "5", "4"]


def test_what_pages_say_cannot_break_a_feed(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    nasty = "</title><script>\x00\x08\x1b]]>&amp;\ud800\ufffe \"'"
    change = replace(
        PRICE, title=nasty, url=f"https://a.example/ä b?{nasty}", after=nasty, query=nasty, attribute=nasty
    )

    write_feed(path, nasty, [change])

    (entry,) = entries(path)
    assert "</title><script>]]>&amp; \"'" in (entry.findtext("a:title", namespaces=ATOM) or "")
    link = entry.find("a:link", ATOM)
    assert link is not None
    assert re.fullmatch(r"https://a\.example/%C3%A4%20b\?[!-~]+", str(link.get("href")))


def test_a_damaged_feed_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_text("<feed")

    write_feed(path, "t", [PRICE])

    assert len(entries(path)) == 1


def test_there_is_a_feed_for_each_site_topic_and_query(tmp_path: Path) -> None:
    rule = NotificationRule("r", atom=str(tmp_path / "{topic}" / "{site}.xml"))
    of_queries = NotificationRule("q", atom=str(tmp_path / "queries" / "{query}.xml"))
    notifier = Notifier([rule, of_queries], tmp_path / "kept.json", topic="books")

    notifier.add([PRICE, NEWS, replace(PRICE, query="../dune?", key="2")])
    send(notifier, 0.0)

    assert len(entries(tmp_path / "books" / "shop.example.xml")) == 2
    assert len(entries(tmp_path / "books" / "www.news.example.xml")) == 1
    (of_query,) = (tmp_path / "queries").iterdir()
    assert re.fullmatch(r"dune-[0-9a-f]{8}\.xml", of_query.name)
    assert notifier.next_time() is None


# Messages


def test_the_first_change_is_told_at_once_and_the_others_in_one_message(tmp_path: Path) -> None:
    receiver = Receiver()
    notifier = Notifier([hook()], tmp_path / "kept.json", post=receiver.post)

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


def test_a_clock_that_is_set_back_keeps_nobody_waiting_for_years(tmp_path: Path) -> None:
    receiver, year = Receiver(), 365 * 24 * HOUR
    notifier = Notifier([hook()], tmp_path / "kept.json", post=receiver.post)
    notifier.add([PRICE])
    send(notifier, year)
    notifier.add(many(1))

    send(notifier, 0.0)
    assert len(receiver.messages) == 1
    send(notifier, 24 * HOUR)

    assert len(receiver.messages) == 2


@pytest.mark.parametrize("how", ["refused", "raised"])
def test_what_was_not_taken_is_sent_again_until_it_is(tmp_path: Path, how: str) -> None:
    receiver = Receiver(works=False, raises=how == "raised")
    notifier = Notifier([hook()], tmp_path / "kept.json", post=receiver.post)
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


def test_a_change_is_told_once_even_by_the_next_crawl(tmp_path: Path) -> None:
    receiver = Receiver()
    for _ in range(3):
        notifier = Notifier([hook()], tmp_path / "kept.json", post=receiver.post)
        notifier.add([PRICE, PRICE])
        send(notifier, 0.0)

    assert [message["total"] for message in receiver.messages] == [1]


def test_what_a_killed_crawl_had_to_tell_is_told_by_the_next_one(tmp_path: Path) -> None:
    receiver = Receiver(works=False)
    first = Notifier([hook()], tmp_path / "kept.json", post=receiver.post)
    first.add([PRICE])
    send(first, 0.0)
    first.add([NEWS])  # and then it was killed, in the middle of a line
    with (tmp_path / "kept.json.new").open("a") as file:
        file.write('{"kind": "con')

    receiver.works = True
    for _ in range(2):
        second = Notifier([hook()], tmp_path / "kept.json", post=receiver.post)
        send(second, 10 * HOUR)
        send(second, 20 * HOUR)

    told = [each["url"] for message in receiver.messages for each in message["changes"]]
    assert told == [PRICE.url, NEWS.url]
    assert receiver.attempts[0] == receiver.attempts[1]
    assert receiver.messages[1]["changes"][0]["edits"] == [
        {"before": "rain", "after": "a last chance of sun"}
    ]


def test_a_line_that_was_cut_spoils_none_that_follow(tmp_path: Path) -> None:
    (tmp_path / "kept.json.new").write_text('{"kind": "con')
    Notifier([hook()], tmp_path / "kept.json", post=Receiver().post).add([PRICE])

    assert Notifier([hook()], tmp_path / "kept.json", post=Receiver().post).next_time() == 0.0


def test_a_place_that_is_never_reached_costs_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hiddenweb.notify.notifier._KEPT", 10)
    receiver = Receiver(works=False)
    notifier = Notifier([hook()], tmp_path / "kept.json", post=receiver.post)
    notifier.add(many(25))
    receiver.works = True
    send(notifier, 0.0)

    (message,) = receiver.messages
    assert (message["total"], len(message["changes"])) == (25, 10)  # the others are counted


def test_what_no_rule_wants_is_not_kept(tmp_path: Path) -> None:
    notifier = Notifier([hook(kinds=("gone",))], tmp_path / "kept.json", post=Receiver().post)

    assert notifier.add([PRICE, NEWS]) == 0
    assert notifier.next_time() is None


def test_a_rule_that_was_removed_is_forgotten(tmp_path: Path) -> None:
    Notifier([hook()], tmp_path / "kept.json", post=Receiver().post).add([PRICE])

    assert Notifier([], tmp_path / "kept.json").next_time() is None


def test_one_place_that_fails_does_not_keep_another_waiting(tmp_path: Path) -> None:
    rule = replace(hook(), atom=str(tmp_path / "feed.xml"))
    notifier = Notifier([rule], tmp_path / "kept.json", post=Receiver(works=False).post)

    notifier.add([PRICE])
    send(notifier, 0.0)

    assert len(entries(tmp_path / "feed.xml")) == 1
    assert notifier.counts == {"wanted": 1, "atom sent": 1, "webhook failed": 1}


def test_a_feed_that_cannot_be_written_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "feeds").write_text("in the way")
    notifier = Notifier(
        [NotificationRule("r", atom=str(tmp_path / "feeds" / "all.xml"))], tmp_path / "kept.json"
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

    notifier = Notifier([NotificationRule("r", apprise="json://x")], tmp_path / "kept.json", notify=notify)
    notifier.add([PRICE])
    send(notifier, 0.0)

    assert sent == [("json://x", "r: 1 record changed", digest([PRICE], {}, 1))]


def test_what_is_missing_is_said_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "apprise", None)

    with pytest.raises(CannotNotify, match=r"pip install hiddenweb\[notify\]"):
        Notifier([NotificationRule("r", apprise="json://x")], tmp_path / "kept.json")
    with pytest.raises(CannotNotify, match="webhook"):
        Notifier([hook()], tmp_path / "kept.json")
    (tmp_path / "kept.json").write_text("[]")
    with pytest.raises(CannotNotify, match=r"kept\.json: what is still to be reported cannot be read"):
        Notifier([], tmp_path / "kept.json")
