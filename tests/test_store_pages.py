from __future__ import annotations

from typing import TYPE_CHECKING

from stores import fetch, lease_seeds, save_page

from hiddenweb.store.versions import PageSource

if TYPE_CHECKING:
    from hiddenweb.store.database import Store


def test_same_text_at_another_address_is_an_exact_duplicate(store: Store) -> None:
    first, second = lease_seeds(store, "https://a.example/1", "https://a.example/2")
    number = save_page(store, fetch(first, "one and the same"))
    page = fetch(second, "one and  the\nsame").page
    assert page is not None

    found = store.pages.find_duplicate(second.site, second.link, page)
    assert found is not None
    assert (found.page, found.exact) == (number, True)
    assert store.pages.find_duplicate(first.site, first.link, page) is None


def test_nearly_the_same_text_is_a_near_duplicate_and_another_one_is_not(store: Store) -> None:
    words = [f"word{n}" for n in range(400)]
    first, second = lease_seeds(store, "https://a.example/1", "https://a.example/2")
    number = save_page(store, fetch(first, " ".join(words)))
    near = fetch(second, " ".join([*words[:200], "other", *words[201:]])).page
    far = fetch(second, " ".join([*words[:200], *(f"else{n}" for n in range(200))])).page
    assert near is not None
    assert far is not None

    found = store.pages.find_duplicate(second.site, second.link, near)
    assert found is not None
    assert (found.page, found.exact) == (number, False)
    assert store.pages.find_duplicate(second.site, second.link, far) is None


def test_pages_of_other_sites_are_no_duplicates(store: Store) -> None:
    first, second = lease_seeds(store, "https://a.example/", "https://b.example/")
    save_page(store, fetch(first, "one and the same text of some length"))
    page = fetch(second, "one and the same text of some length").page
    assert page is not None

    assert store.pages.find_duplicate(second.site, second.link, page) is None


def test_page_seen_again_keeps_a_version_only_if_it_changed(store: Store) -> None:
    (task,) = lease_seeds(store, "https://a.example/")

    numbers = {save_page(store, fetch(task, text)) for text in ("old", "old", "new")}

    assert len(numbers) == 1
    assert store.rows("SELECT count(*) FROM versions") == [(2,)]
    assert store.pages.load_source("https://a.example/") == PageSource(b"<p>new")


def test_source_of_a_page_is_stored_with_its_content_type(store: Store) -> None:
    (task,) = lease_seeds(store, "https://a.example/")

    save_page(store, fetch(task, "text", content_type="text/html; charset=iso-8859-7"))

    assert store.pages.load_source("https://a.example/") == PageSource(
        b"<p>text", "text/html; charset=iso-8859-7"
    )
    assert store.pages.load_source("https://a.example/other") is None


def test_duplicate_has_a_row_and_no_content(store: Store) -> None:
    first, second = lease_seeds(store, "https://a.example/1", "https://a.example/2")
    number = save_page(store, fetch(first, "text"))

    save_page(store, fetch(second, "text", duplicate_of=number))

    assert store.rows("SELECT duplicate_of FROM pages ORDER BY id") == [(None,), (number,)]
    assert store.rows("SELECT count(*) FROM versions") == [(1,)]
