from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from copies import WORDS, change_words, lines, prose

from hiddenweb.model import CrawlTask, Fetched, Page
from hiddenweb.near_duplicates.sketch import fingerprint_and_sketch, pack_sketch, sketch, unpack_sketch
from hiddenweb.store.database import Store
from hiddenweb.store.near_duplicates import MOST_IN_BAND
from hiddenweb.store.sqlite_file import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import TaskKind

NOW = 1_800_000_000.0
FROM_14_TO_6 = Path(__file__).parent / "states" / "from-14-to-6.sql"
HAN = [chr(code) for code in range(0x4E00, 0x5600)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


def page(text: str, title: str = "A title", url: str = "https://a.example/") -> Page:
    fingerprint, made = fingerprint_and_sketch(text)
    return Page(url, title, text, fingerprint=fingerprint, sketch=made)


def keep(store: Store, link: int, what: Page, kind: TaskKind = "page", site: int = 1) -> int:
    task = CrawlTask(link, site, site, what.url, kind)
    return store.pages.save(Fetched(task, what.url, 200, NOW, b"<p>", page=what), what)


def book(name: str, author: str, price: str, number: str, *, title: str = "A shop for books") -> Page:
    """A page of a template whose own words are few."""
    template = lines(prose(300, random.Random(1)))
    own = f"{name}\nAuthor\t{author}\nPrice\t{price}\nNumber\t{number}"
    return page(f"Home\nBooks\n{own}\n{template}\nImprint", title)


def test_a_changed_copy_is_found_among_pages_of_its_template(store: Store) -> None:
    rng = random.Random(3)
    pages = [book(f"{a} {b}".title(), f"{b} {c}".title(), f"$ {n}.00", str(n * 7919)) for n, (a, b, c) in enumerate(zip(WORDS, WORDS[9:], WORDS[20:], strict=False), 10)]  # fmt: skip
    numbers = [keep(store, link, each) for link, each in enumerate(pages, 1)]
    texts = [page(lines(prose(200, random.Random(seed))), f"Text {seed}") for seed in range(10)]
    numbers += [keep(store, 1_000 + link, each) for link, each in enumerate(texts)]

    merged = [each for link, each in enumerate(pages, 1) if store.pages.find_duplicate(1, link, each)]
    copies = [page(lines(change_words(each.text.split(), rng, WORDS)), each.title) for each in texts]
    found = [store.pages.find_duplicate(1, 0, copy) for copy in copies]

    assert merged == []
    assert [each.page for each in found if each] == numbers[-10:]
    assert all("running text" in each.why for each in found if each)


def test_bands_of_a_template_stop_growing_and_hide_no_page(store: Store) -> None:
    def record(number: int) -> Page:
        own = " ".join(prose(40, random.Random(number))).replace("a", "u")
        return page(f"{lines(prose(280, random.Random(1)))}\n{own}", "One title for all")

    for number in range(80):
        assert store.pages.find_duplicate(1, number, record(number)) is None
        keep(store, number, record(number))
    longest = store.rows("SELECT count(*) FROM bands GROUP BY band ORDER BY 1 DESC LIMIT 1")
    *start, last = record(77).text.split(" ")
    copy = " ".join([*start, "another", last])
    found = store.pages.find_duplicate(1, 1_000, page(copy, "One title for all"))

    assert longest == [(MOST_IN_BAND,)]
    assert found is not None
    assert store.rows("SELECT link FROM pages WHERE id = ?", (found.page,)) == [(77,)]


def test_a_page_that_changed_is_found_by_what_it_says_now(store: Store) -> None:
    before, now = (lines(prose(100, random.Random(seed))) for seed in (1, 2))
    number = keep(store, 1, page(before))
    keep(store, 1, page(now))

    assert store.pages.find_duplicate(1, 2, page(before + " more")) is None
    found = store.pages.find_duplicate(1, 2, page(now + " more"))
    assert found is not None
    assert (found.page, found.exact) == (number, False)
    assert store.rows("SELECT count(*) FROM bands") == [(16,)]


def test_answers_and_pages_of_other_sites_are_not_found(store: Store) -> None:
    text = lines(prose(100, random.Random(1)))
    keep(store, 1, page(text), "answer")
    keep(store, 2, page(text), site=2)

    assert store.pages.find_duplicate(1, 3, page(text + " more")) is None
    assert store.pages.find_duplicate(2 + (1 << 23), 3, page(text + " more")) is None, (
        "whose bands are the same"
    )


def test_the_reason_of_a_duplicate_is_stored(store: Store) -> None:
    text = page(lines(prose(100, random.Random(1))))
    number = keep(store, 1, text)
    again = page(text.text + " more")
    found = store.pages.find_duplicate(1, 2, again)
    assert found is not None

    task = CrawlTask(2, 1, 1, again.url)
    store.pages.save(
        Fetched(task, again.url, 200, NOW, page=again, duplicate_of=found.page, duplicate_why=found.why),
        again,
    )

    assert store.rows("SELECT duplicate_of, duplicate_why FROM pages WHERE link = 2") == [
        (number, "1 of 101 words differ, all of them in running text")
    ]


def test_a_sketch_is_packed_in_four_bytes_a_number() -> None:
    made = sketch(lines(prose(100, random.Random(1))))

    assert unpack_sketch(pack_sketch(made)) == made
    assert len(pack_sketch(made)) == 256


def test_a_state_of_version_4_finds_its_pages_again(tmp_path: Path) -> None:
    texts = [page(lines(prose(200, random.Random(seed))), f"Text {seed}") for seed in range(30)]
    with Store(tmp_path) as store:
        numbers = [keep(store, link, each) for link, each in enumerate(texts)]
        keep(store, 100, page("", "Nothing"))
        keep(store, 101, page(texts[0].text + " more", "An answer"), "answer")
        wanted = store.rows("SELECT * FROM bands ORDER BY band, page")
    db = sqlite3.connect(tmp_path / FILE)
    db.executescript(FROM_14_TO_6.read_text(encoding="utf-8"))
    db.executescript(
        "DELETE FROM bands; DELETE FROM sketches; INSERT INTO bands VALUES (-5, 1), (7, 2);"
        "INSERT INTO sketches VALUES (1, zeroblob(512)); ALTER TABLE pages DROP COLUMN duplicate_why;"
        "UPDATE versions SET content = x'00' WHERE page = 5; PRAGMA user_version = 4;"
        "DROP TABLE looks; DROP TABLE due; DROP TABLE changes"
    )
    db.close()

    with Store(tmp_path) as store:
        again = store.rows("SELECT * FROM bands ORDER BY band, page")
        found = [store.pages.find_duplicate(1, 200, page(each.text + " more", each.title)) for each in texts]

    damaged = numbers.index(5)
    assert again == [row for row in wanted if row[1] != 5]
    assert [each and (each.page, each.exact) for each in found] == [
        (number, False) if place != damaged else None for place, number in enumerate(numbers)
    ]


def test_a_value_may_differ_where_siblings_show_that_titles_distinguish_pages(store: Store) -> None:
    def film(seed: int, title: str, news: str) -> Page:
        own = lines(prose(60, random.Random(seed))).upper()
        return replace(page(f"{own}\n{news}\n{lines(prose(240, random.Random(1)))}", title), structure=9)

    number = keep(store, 1, film(5, "Ran", "Snow is coming"))
    again = film(5, "Ran", "Sunny days")

    assert store.pages.find_duplicate(1, 3, again) is None
    keep(store, 2, film(6, "Kes", "Sunny days"))
    found = store.pages.find_duplicate(1, 3, again)
    assert found is not None
    assert (found.page, found.exact) == (number, False)
    assert "that other pages of the site have not" in found.why


def test_records_under_one_title_stay_distinct_whatever_other_pages_there_are(store: Store) -> None:
    template = lines(prose(300, random.Random(1)))
    shelf = replace(
        page(f"{template[:900]}\n{lines(prose(150, random.Random(2)))}", "All books"), structure=3
    )
    keep(store, 1, shelf)

    for link, (name, author) in enumerate([("Ran", "Kurosawa"), ("Kes", "Hines"), ("Emma", "Austen")], 2):
        record = replace(page(f"{name}\nby {author}\n{template}", "A book"), structure=4)
        assert store.pages.find_duplicate(1, link, record) is None
        keep(store, link, record)
