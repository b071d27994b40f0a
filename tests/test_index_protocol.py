"""An index and the store are compared document by document, and what opens a store is found by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.index.protocol import IndexProblem, NoStore, content_hash, differences, load_named, open_outbox
from hiddenweb.index.whoosh import WhooshIndex

if TYPE_CHECKING:
    from pathlib import Path

    from jsonlines_outbox import page
else:
    from tests.jsonlines_outbox import page


def test_differences_are_named(tmp_path: Path) -> None:
    first, second, third = (page(f"a.example/{number}", "bronze") for number in (1, 2, 3))
    index = WhooshIndex.create(tmp_path)
    index.update([first, second])

    found = differences(index, [page("a.example/1", "other"), third])

    assert (found.missing, found.surplus, found.changed) == ((third.key,), (second.key,), (first.key,))
    assert found
    assert not differences(index, [second, first])
    assert differences(index, [second, first]).compared == 2


def test_documents_with_other_attributes_have_another_hash() -> None:
    plain = page("a.example/1", "bronze")

    assert content_hash(plain) == plain.hash
    assert content_hash(page("a.example/1", "bronze", attributes=(("metal", "bronze"),))) != plain.hash


def test_a_named_object_is_imported() -> None:
    assert load_named("hiddenweb.index.whoosh:WhooshIndex") is WhooshIndex


def test_a_store_that_cannot_be_read_is_a_problem_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match="no state") as problem:
        open_outbox(tmp_path / "none", "hiddenweb.store.outbox:open_outbox")

    assert isinstance(problem.value, IndexProblem)
