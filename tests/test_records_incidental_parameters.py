"""What in the address of a record only says how it was reached."""

from __future__ import annotations

import pytest

from hiddenweb.model import HttpQuery, Page, RepeatedItem
from hiddenweb.records.incidental_parameters import is_incidental, is_return_address
from hiddenweb.records.records import records_in

SESSION = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"


def keys_of(address: str) -> list[str]:
    """Return the keys of four records of an answer, whose numbers stand in their addresses."""
    blocks = tuple(
        RepeatedItem(f"text {number}", f"title {number}", f"http://a.example{address.format(number)}")
        for number in (3, 9, 14, 21)
    )
    query = HttpQuery((("q", "wine"),), "wine", url="http://a.example/find?q=wine")
    return [record.key for record in records_in(Page("http://a.example/find?q=wine", blocks=blocks), query)]


@pytest.mark.parametrize(
    "more",
    [
        "sort=title&dir=asc", "_sort=id", "order_by=year", "sort=-activity",
        f"sid={SESSION}", f"PHPSESSID={SESSION}", f"token={SESSION}",
        "back=%2Ffind", "return_url=http%3A%2F%2Fa.example%2Ffind", "return=%2Ffind%3Fq%3Dwine",
        "q=wine", "highlight=wine+red", "utm_source=search",
    ],
)  # fmt: skip
def test_how_a_record_was_reached_is_not_in_its_key(more: str) -> None:
    assert keys_of(f"/item/{{}}?{more}") == keys_of("/item/{}")
    assert keys_of(f"/item.php?id={{}}&{more}") == keys_of("/item.php?id={}")


@pytest.mark.parametrize(
    "address", ["/view?order={}", "/view?position={}", "/go?next=/item/{}", "/list?dir=films/{}"]
)
def test_what_tells_records_apart_is(address: str) -> None:
    assert len(set(keys_of(address))) == 4


def test_names_alone_decide_nothing() -> None:
    assert not is_incidental("order", "5017")
    assert not is_incidental("token", "wine")
    assert not is_return_address("from", "1999")
