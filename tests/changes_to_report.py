"""Changes that somebody is to be notified of."""

from __future__ import annotations

from dataclasses import replace

from hiddenweb.revisit.change import Change, Edit

PRICE = Change(
    "record changed", "https://shop.example/dune", 1_700_000_000.0, site="shop.example", title="Dune",
    key="dune", attribute="price", before="9.99", after="7.99",
)  # fmt: skip


NEWS = Change(
    "content", "https://news.example/", 1_700_000_100.0, site="www.news.example", title="News",
    edits=(Edit("rain", "a last chance of sun"),),
)  # fmt: skip


def many(count: int) -> list[Change]:
    return [replace(PRICE, key=str(number), title=f"Book {number}") for number in range(count)]
