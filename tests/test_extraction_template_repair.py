"""What becomes of an extractor whose template has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bookshop import book, page
from shop_state import (
    BOOKS,
    NOW,
    events,
    extracted,
    fill_shop,
    passes,
    rebuild,
    state_of,
    truth,
    url_of,
)

from hiddenweb.extraction.extractor_store import WATCHED
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "one") as opened:
        yield opened


@pytest.fixture
def shop(state: Store) -> Store:
    fill_shop(state)
    return state


def test_a_redesign_is_repaired_at_once_without_a_confirmation(shop: Store) -> None:
    rebuild(shop, range(1, BOOKS + 1))

    assert events(shop)[:3] == ["learnt", "alarm", "repaired"]
    assert state_of(shop) == WATCHED
    assert extracted(shop) == {number: truth(number) for number in range(1, BOOKS + 1)}


def wrapped(number: int) -> str:
    """The page of a book within one more element, in which everything is found as before."""
    inner = page(number).replace("<div class=main>", "<div class=new><div class=main>")
    return inner.replace("<div class=foot>", "</div><div class=foot>")


def test_a_change_that_moves_nothing_we_want_is_settled_without_anyone(shop: Store) -> None:
    knowledge = ExtractorMaintenance(ExtractorStore(shop))
    for number in range(1, 40):
        passes(knowledge, shop, url_of(number), wrapped(number))

    assert events(shop)[:3] == ["learnt", "alarm", "repaired"]
    assert "alarm" not in events(shop)[3:]
    assert state_of(shop) == WATCHED
    assert extracted(shop) == {number: truth(number) for number in range(1, 40)}
    (stored,) = ExtractorStore(shop).all()
    assert stored.extractor is not None
    assert stored.extractor.repairs == 0


def with_moved_price(number: int) -> str:
    """The page of a book whose price has gone to the foot, where nobody watches."""
    price = book(number)["price"]
    rest = page(number).replace(f"<th>Price<td class=p>{price}", "<th>Stock<td class=q>yes")
    return rest.replace("Contact</div>", f"Contact <p>Yours for <em class=amount>{price}</em></p></div>")


def test_one_attribute_that_moved_is_found_again_by_what_earlier_versions_said(shop: Store) -> None:
    knowledge = ExtractorMaintenance(ExtractorStore(shop))
    for number in range(1, BOOKS + 1):
        passes(knowledge, shop, url_of(number), with_moved_price(number), NOW + number)

    assert events(shop)[:3] == ["learnt", "alarm", "repaired"]
    assert state_of(shop) == WATCHED
    assert extracted(shop) == {number: truth(number) for number in range(1, BOOKS + 1)}
