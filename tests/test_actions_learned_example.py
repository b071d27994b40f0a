from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from bookshop import book, page
from shop_state import BOOKS, REGION, SITE, extracted, keep, keep_books, truth, url_of

from hiddenweb.actions.learned_example import (
    PREVIEWED,
    LearnedExample,
    deviation_of,
    facts_of_example,
    learn_example,
    lines_of_example,
    lines_of_saving,
    load_layouts,
    require_extractor,
    save_example,
)
from hiddenweb.extraction.extractor import CannotLearn
from hiddenweb.html.document import read_layout
from hiddenweb.reports.extraction import NoSuchThing
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.extraction.examples import Example

OTHER = "<!doctype html><title>About</title><body><p>About this shop</p></body></html>"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A state with the pages of sixteen books."""
    with Store(tmp_path / "state") as store:
        keep_books(store, range(1, BOOKS + 1))
    return tmp_path / "state"


def learn(folder: Path, region: Example = REGION, *problems: str) -> LearnedExample:
    with Store(folder, write=False) as store:
        return learn_example(ExtractorStore(store), region, read_layout(page(1).encode()), problems)


def test_the_preview_has_few_other_pages(shop: Path) -> None:
    learned = learn(shop)

    assert len(learned.preview) == PREVIEWED
    assert url_of(1) not in dict(learned.preview)
    assert {
        url: {name: list(values) for name, values in reading.entries[0].values.items()}
        for url, reading in learned.preview
    } == {url: truth(int(url.rpartition("/")[2])) for url, _ in learned.preview}
    assert (learned.region.kind, learned.replaces, learned.strangers) == ("page", False, ())


def test_pages_of_another_kind_at_its_addresses_are_named(shop: Path) -> None:
    with Store(shop) as store:
        keep(store, f"{SITE}/item/about", OTHER)

    learned = learn(shop)

    assert learned.strangers == (f"{SITE}/item/about",)
    assert list(lines_of_example(learned))[-1].endswith(
        f"1 page at such addresses, such as {SITE}/item/about"
    )


def test_texts_that_are_not_on_the_page_are_an_error(shop: Path) -> None:
    for bad_region in (
        replace(REGION, text="Once upon a time"),
        replace(REGION, attributes=(*REGION.attributes, ("publisher", ("Nobody",)))),
    ):
        with pytest.raises(CannotLearn, match=r"^one problem\nand another$"):
            learn(shop, bad_region, "one problem", "and another")


def test_without_a_state_the_page_alone_is_learnt_from() -> None:
    learned = learn_example(None, REGION, read_layout(page(1).encode()), ["one problem"])

    lines = list(lines_of_example(learned))

    assert (learned.preview, learned.replaces) == ((), False)
    assert lines[0] == "note: one problem"
    assert lines[-1] == "No other page of this kind is in the state, so nothing can be shown of others."


def test_people_and_programs_get_the_same_facts(shop: Path) -> None:
    learned = learn(shop)

    facts, lines = facts_of_example(learned), "\n".join(lines_of_example(learned))

    assert (facts["name"], facts["kind"], facts["learnt_from"]) == ("books", "page", BOOKS)
    assert list(facts["attributes"]) == list(book(1))
    assert f"learnt from {BOOKS} pages at {facts['addresses']}" in lines
    assert f"What it extracts from {PREVIEWED} other pages:" in lines
    for each in facts["preview"]:
        assert book(int(each["page"].rpartition("/")[2]))["title"] in lines


def test_a_saved_extractor_extracts_at_once_and_replaces_one_of_its_name(shop: Path) -> None:
    assert save_example(shop, learn(shop)) == BOOKS

    with Store(shop, write=False) as store:
        assert extracted(store) == {number: truth(number) for number in range(1, BOOKS + 1)}
    again = learn(shop)
    assert again.replaces
    assert list(lines_of_saving(again, 1)) == [
        "books was saved, in place of the one of that name, and has extracted from 1 stored page: scrapy extract show books"
    ]


def test_few_pages_are_not_watched_and_the_report_says_so() -> None:
    learned = learn_example(None, replace(REGION, name="my books"), read_layout(page(1).encode()), [])

    saved, watched = lines_of_saving(learned, 0)

    assert saved.endswith("scrapy extract show 'my books'")
    assert watched.endswith(f"scrapy crawl explore -a sites={SITE}/")


def test_an_extractor_that_waits_for_its_page_cannot_be_used(shop: Path) -> None:
    save_example(shop, learn(shop))
    with Store(shop, write=False) as store:
        (stored,) = ExtractorStore(store).all(name="books")

    assert require_extractor(stored) == stored.extractor
    with pytest.raises(NoSuchThing, match=f"books: nothing was learnt yet: it waits for {SITE}/item/1"):
        require_extractor(replace(stored, extractor=None))


def test_only_pages_of_a_watched_template_deviate(shop: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "small") as store:
        keep_books(store, range(1, 5))
    watched, unwatched = learn(shop).extractor, learn(tmp_path / "small").extractor
    same_template = watched.read(read_layout(page(20).encode()))
    other = watched.read(read_layout(page(20).replace("<tr><th>Price<td class=p>", "<hr>").encode()))

    assert deviation_of(watched, same_template) is None
    assert deviation_of(watched, replace(other, is_member=True)) is not None
    assert deviation_of(unwatched, replace(other, is_member=True)) is None


def test_the_newest_stored_pages_are_loaded(shop: Path) -> None:
    extractor = learn(shop).extractor

    with Store(shop, write=False) as store:
        loaded = load_layouts(ExtractorStore(store), REGION.site, extractor)

    assert [url for url, _ in loaded] == [
        url_of(number) for number in range(BOOKS - PREVIEWED + 1, BOOKS + 1)
    ]
    assert all(extractor.read(layout).is_member for _, layout in loaded)
