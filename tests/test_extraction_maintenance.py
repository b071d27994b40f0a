"""The life of extractors in a crawl: learnt, watched, repaired or proposed, accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bookshop import new_page, page
from shop_state import (
    BOOKS,
    NOW,
    REGION,
    SITE,
    events,
    extracted,
    fill_shop,
    keep,
    keep_books,
    passes,
    rebuild,
    state_of,
    truth,
    url_of,
)

from hiddenweb.extraction.extractor import learn_extractor
from hiddenweb.extraction.extractor_store import ALARM, LEARNING, PUT_OFF, WAITING, WATCHED
from hiddenweb.extraction.maintenance import CannotAccept, ExtractorMaintenance
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "one") as opened:
        yield opened


def test_a_waiting_example_is_learnt_from_its_page_and_extracts_from_earlier_pages(
    state: Store,
) -> None:
    ExtractorStore(state).add(REGION, None, NOW)
    assert state_of(state) == WAITING
    keep_books(state, range(2, 6))
    knowledge = ExtractorMaintenance(ExtractorStore(state))

    assert not knowledge.wants(url_of(2))
    assert knowledge.wants(url_of(1))
    seen = passes(knowledge, state, url_of(1), page(1))

    assert [each.extractor for each in seen.extracted] == ["books"]
    assert state_of(state) == LEARNING
    assert extracted(state) == {number: truth(number) for number in range(1, 6)}


def test_an_extractor_with_few_pages_is_watched_as_soon_as_there_are_ten(state: Store) -> None:
    ExtractorStore(state).add(REGION, None, NOW)
    knowledge = ExtractorMaintenance(ExtractorStore(state))

    states = []
    for number in range(1, 12):
        passes(knowledge, state, url_of(number), page(number))
        states.append(state_of(state))

    assert states == [LEARNING] * 9 + [WATCHED] * 2
    assert extracted(state) == {number: truth(number) for number in range(1, 12)}


@pytest.fixture
def shop(state: Store) -> Store:
    fill_shop(state)
    return state


def test_an_example_is_saved_and_extracted_from_all_pages(shop: Store) -> None:
    assert events(shop) == ["learnt"]
    assert extracted(shop) == {number: truth(number) for number in range(1, BOOKS + 1)}


def test_a_removed_extractor_leaves_nothing_also_in_memory(shop: Store) -> None:
    knowledge = ExtractorMaintenance(ExtractorStore(shop))
    assert knowledge.wants(url_of(3))

    assert knowledge.remove("books")

    assert not knowledge.wants(url_of(3))
    assert (extracted(shop), events(shop)) == ({}, [])
    assert not knowledge.remove("books")


def test_pages_of_a_removed_extractor_are_indexed_again(shop: Store) -> None:
    page_number = shop.rows("SELECT id FROM pages WHERE url = ?", (url_of(3),))[0][0]
    shop.write(
        "INSERT INTO documents (hash, key, page, digest, behind_form) VALUES (1, 'a', ?, 'x', 0)",
        (page_number,),
    )
    shop.write("DELETE FROM outbox")

    ExtractorMaintenance(ExtractorStore(shop)).remove("books")

    assert shop.rows("SELECT count(*) FROM outbox") == [(1,)]


def test_if_people_decide_a_new_pattern_is_proposed_once_and_used_when_accepted(
    shop: Store,
) -> None:
    knowledge = rebuild(shop, range(1, BOOKS + 1), "ask")
    passes(knowledge, shop, url_of(3), new_page(3, price="1.23"), NOW + 50)
    assert events(shop) == ["learnt", "alarm", "proposed"]
    assert extracted(shop)[3] == truth(3)
    assert state_of(shop) == ALARM

    accepted = knowledge.accept("books", NOW + 100)

    assert accepted.was_proposed
    assert accepted.is_watched
    assert accepted.pages == BOOKS
    assert state_of(shop) == WATCHED
    assert events(shop)[-1] == "accepted"
    others = {number: truth(number) for number in range(1, BOOKS + 1)}
    assert extracted(shop) == others | {3: truth(3, price="1.23")}
    assert passes(knowledge, shop, url_of(20), new_page(20)).extracted[0].entries[0].values == truth(20)


def test_an_accepted_proposal_takes_also_from_new_pages_that_the_watch_forgot(shop: Store) -> None:
    knowledge = rebuild(shop, range(1, BOOKS + 1), "ask")
    for number in range(100, 140):
        passes(knowledge, shop, url_of(number), new_page(number))
    passes(knowledge, shop, url_of(200), page(200))

    knowledge.accept("books", NOW + 100)

    numbers = [*range(1, BOOKS + 1), *range(100, 140)]
    assert {number: values for number, values in extracted(shop).items() if number != 200} == {
        number: truth(number) for number in numbers
    }
    assert extracted(shop)[200] == truth(200)


def without_price(number: int) -> str:
    return page(number).replace("<td class=p>", "<td class=p><!--").replace("<tr><th>ISBN", "--><tr><th>ISBN")


def test_without_a_proposal_the_template_is_learnt_again_from_the_pages_seen_last(shop: Store) -> None:
    knowledge = ExtractorMaintenance(ExtractorStore(shop))
    for number in range(1, 15):
        passes(knowledge, shop, url_of(number), without_price(number))
    assert state_of(shop) == ALARM

    accepted = knowledge.accept("books", NOW + 100)

    assert not accepted.was_proposed
    assert state_of(shop) == WATCHED
    for number in range(15, 40):
        assert not passes(knowledge, shop, url_of(number), without_price(number)).deviates
    assert state_of(shop) == WATCHED


def test_what_is_gone_cannot_be_accepted(shop: Store) -> None:
    knowledge = ExtractorMaintenance(ExtractorStore(shop))
    for number in range(1, 12):
        passes(knowledge, shop, url_of(number), f"<html><body><p>Closed, said {number}</p></body></html>")
    assert state_of(shop) == PUT_OFF

    with pytest.raises(CannotAccept, match="choose again"):
        knowledge.accept("books", NOW + 100)

    assert state_of(shop) == PUT_OFF


def test_what_is_not_there_or_has_learnt_nothing_cannot_be_accepted(state: Store) -> None:
    ExtractorStore(state).add(REGION, None, NOW)
    knowledge = ExtractorMaintenance(ExtractorStore(state))

    with pytest.raises(CannotAccept, match="there is no extractor 'films'"):
        knowledge.accept("films", NOW)
    with pytest.raises(CannotAccept, match="nothing was learnt yet"):
        knowledge.accept("books", NOW)


def test_pages_of_another_kind_at_its_addresses_raise_no_alarm_also_when_it_has_learnt_again(
    state: Store,
) -> None:
    def help_page(number: int) -> tuple[str, str]:
        return f"{SITE}/item/help{number}", f"<html><body><h1>Help</h1><p>Question {number}</p></body></html>"

    keep_books(state, range(1, 13))
    for number in range(12):
        keep(state, *help_page(number))
    sources, knowledge = ExtractorStore(state), ExtractorMaintenance(ExtractorStore(state))
    found = sources.layout_at(REGION.page)
    assert found is not None
    knowledge.add(REGION, learn_extractor(REGION, found[1], sources.other_pages(REGION.page)), NOW)
    for number in range(13, 45):
        passes(knowledge, state, url_of(number), page(number))
    assert events(state) == ["learnt", "learnt"]

    for number in range(20, 32):
        passes(knowledge, state, *help_page(number))

    assert events(state) == ["learnt", "learnt"]
