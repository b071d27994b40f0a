"""Extractors in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from shop_state import events, fill_shop, rebuild, state_of

from hiddenweb.extraction.extractor_store import WATCHED
from hiddenweb.store.database import Store

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


def test_the_last_pages_of_a_watch_survive_a_restart(shop: Store) -> None:
    rebuild(shop, range(1, 5))
    shop.commit()
    assert state_of(shop) == WATCHED

    rebuild(shop, [5])  # what is live was read from the state again

    assert events(shop)[:2] == ["learnt", "alarm"]
