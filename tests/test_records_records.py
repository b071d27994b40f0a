"""One key for one record, whatever query found it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.model import HttpQuery, Link, Page, Record, RepeatedItem
from hiddenweb.records.records import add_attributes, has_shape, list_addresses, records_in, shapes_of
from hiddenweb.urls import canonical_url

ANSWER_URL = "http://a.example/find?q=red+wine"


def page(*blocks: RepeatedItem, url: str = ANSWER_URL) -> Page:
    return Page(url, blocks=blocks)


def keys(*blocks: RepeatedItem, keyword: str = "", url: str = ANSWER_URL) -> list[str]:
    query = HttpQuery((("q", keyword),), keyword) if keyword else None
    return [record.key for record in records_in(page(*blocks, url=url), query)]


def item(address: str, text: str = "text") -> RepeatedItem:
    return RepeatedItem(text, "title", f"http://a.example{address}")


def test_a_record_is_known_by_its_address() -> None:
    records = records_in(page(item("/item/1?b=2&a=1", "one"), item("/item/2", "two")))

    assert [record.key for record in records] == [
        "http://a.example/item/1?a=1&b=2",
        "http://a.example/item/2",
    ]
    assert (records[0].title, records[0].text, records[0].url) == (
        "title",
        "one",
        "http://a.example/item/1?b=2&a=1",
    )


@pytest.mark.parametrize(
    "back",
    [
        "/find?q%3Dred+wine%26size%3D20",
        "/find?page%3D2",
        "http%3A%2F%2Fa.example%2Ffind%3Fq%3Dred%2Bwine",
        "?q=red+wine",
    ],
)
def test_the_way_back_to_the_answer_is_no_part_of_a_record(back: str) -> None:
    found = keys(item(f"/show?id=1&return={back}"), item(f"/show?id=2&return={back}"), keyword="red wine")

    assert found == ["http://a.example/show?id=1", "http://a.example/show?id=2"]


def test_an_address_of_something_else_is_a_part_of_a_record() -> None:
    links = [item(f"/show?of=http://b.example/{name}") for name in ("find", "cheese")]

    assert len(set(keys(*links, keyword="red wine"))) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/item/{n}?from=red+wine", "/item/{n}?from=cheese"),
        ("/show?q=red%20wine&id={n}", "/show?q=cheese&id={n}"),
        ("/show?id={n}&hl=Red+Wine", "/show?hl=CHEESE&id={n}"),
        ("/show?id={n};from=red+wine", "/show?id={n};from=cheese"),
        ("/topic?t={n}&highlight=WyJyZWQi", "/topic?t={n}&highlight=WyJjaGVl"),
        ("/show?id={n}&s%5B%5D=red&s%5B%5D=wine", "/show?id={n}&s%5B%5D=cheese*"),
        ("/show?id={n}&s[0]=red&s[1]=wine", "/show?id={n}&s[0]=cheese"),
        ("/item/{n}/?list=q%3Dred%2Bwine", "/item/{n}/?list=page%3D2%26q%3Dcheese"),
        ("/show?id={n}&return=%2Ffind%3Fq%3Dred%2520wine", "/show?id={n}&return=%2Ffind%3Fq%3Dcheese"),
    ],
)
def test_traces_of_the_query_do_not_make_another_record(first: str, second: str) -> None:
    first_records = [item(first.format(n=n), f"record {n}") for n in (1, 2)]
    second_records = [item(second.format(n=n), f"record {n}") for n in (1, 2)]

    one, other = keys(*first_records, keyword="red wine"), keys(*second_records, keyword="cheese")

    assert one == other
    assert len(set(one)) == 2


def test_the_way_back_to_a_list_that_nobody_searched_makes_no_other_record() -> None:
    assert keys(item("/item/1?back=page%3D2"), item("/item/2?back=page%3D2")) == keys(
        item("/item/1"), item("/item/2")
    )


def test_the_way_back_to_the_answer_of_an_empty_box_makes_no_other_record() -> None:
    query = HttpQuery((("q", ""),), "")
    found = records_in(page(item("/item/1?back=q%3D"), item("/item/2?back=q%3D")), query)

    assert [record.key for record in found] == keys(item("/item/1"), item("/item/2"))


@pytest.mark.parametrize(
    ("address", "bare"),
    [
        ("/item/1?back=q%3Dred%2Bwine", "/item/1"),
        ("/item/1?back=page%3D2%26q%3Dred%252520wine", "/item/1"),
        ("/item/1?back=%2Ffind%3Fq%3DRed%2520Wine%26page%3D2", "/item/1"),
        ("/go?to=%2Fshow%3Fid%3D1", "/go?to=%2Fshow%3Fid%3D1"),
    ],
)
def test_a_record_alone_has_no_way_back_but_what_holds_the_query(address: str, bare: str) -> None:
    assert keys(item(address), keyword="red wine") == [f"http://a.example{bare}"]


def test_an_address_inside_an_address_that_is_another_for_each_record_is_its_own() -> None:
    found = keys(item("/go?to=%2Fshow%3Fid%3D1"), item("/go?to=%2Fshow%3Fid%3D2"), keyword="red wine")

    assert len(set(found)) == 2
    assert all("to=" in key for key in found)


@pytest.mark.parametrize(
    "blocks",
    [
        (RepeatedItem("Old  Bridge, 1862"), RepeatedItem("New Bridge")),
        (item("/add", "Old bridge 1862"), item("/add", "New Bridge")),
        (
            RepeatedItem("Old bridge 1862", url="http://b.example/1"),
            RepeatedItem("New Bridge", url="http://b.example/2"),
        ),
    ],
    ids=["no addresses", "one address for all", "addresses of another site"],
)
def test_without_an_address_of_its_own_a_record_is_what_it_says(blocks: tuple[RepeatedItem, ...]) -> None:
    same = keys(
        RepeatedItem("old BRIDGE 1862"), RepeatedItem("new bridge"), url="http://a.example/find?q=cheese"
    )

    assert keys(*blocks) == same
    assert same[0] != same[1]
    assert all(key.startswith("a.example#") for key in same)


def test_equal_texts_on_two_sites_are_two_records() -> None:
    assert keys(RepeatedItem("bridge")) != keys(RepeatedItem("bridge"), url="http://b.example/find")


def test_a_record_that_is_shown_twice_is_one() -> None:
    assert (
        len(
            keys(
                item("/1", "a"),
                item("/2", "b"),
                item("/3", "c"),
                item("/4", "d"),
                item("/5"),
                item("/1", "a"),
            )
        )
        == 5
    )


def test_a_record_that_is_named_like_the_query_keeps_its_address() -> None:
    several = keys(
        item("/wiki.php?page=Wine&s=wine"), item("/wiki.php?page=Beer&s=wine", "beer"), keyword="wine"
    )
    single = keys(item("/wiki.php?page=Wine&s=wine"), keyword="wine")

    assert several == ["http://a.example/wiki.php?page=Wine", "http://a.example/wiki.php?page=Beer"]
    assert single == several[:1]


def test_a_record_has_the_attributes_of_its_block() -> None:
    said = (("title", "Old Bridge"), ("year", "1862"))

    (record,) = records_in(page(RepeatedItem("Old Bridge 1862", "Old Bridge", attributes=said)))

    assert record.attributes == said


@pytest.mark.parametrize(
    ("record", "names"),
    [
        (Record("a", "Old Bridge", "Old Bridge by Ann", "http://a.example/1"), ["title", "year"]),
        (Record("a", "Old Bridge", "Old Bridge, 1862, by Ann Lee"), ["whole"]),
        (Record("a", "New Bridge", "New Bridge", "http://a.example/2"), ["title"]),
        (Record("a", "Old Bridge", "", attributes=(("name", "Old Bridge"),)), ["name"]),
    ],
    ids=["by its address", "by its text", "nowhere", "known already"],
)
def test_a_record_that_stands_alone_is_found_among_the_parts_that_do(
    record: Record, names: list[str]
) -> None:
    alone = (
        RepeatedItem(
            "1 result Old Bridge, 1862, by Ann Lee",
            url="http://a.example/1",
            attributes=(("all", "1 result"),),
        ),
        RepeatedItem("Old Bridge, 1862, by Ann Lee", attributes=(("whole", "Old Bridge"),)),
        RepeatedItem(
            "Old Bridge 1862",
            url="http://a.example/1",
            attributes=(("title", "Old Bridge"), ("year", "1862")),
        ),
    )

    (found,) = add_attributes((record,), Page(ANSWER_URL, single_items=alone))

    assert [name for name, _ in found.attributes] == names


def test_a_word_of_the_address_is_no_trace_where_other_links_of_the_kind_have_another() -> None:
    commits = [item(f"/?p=lib.git;a=commit;h={n}") for n in range(3)]
    links = tuple(
        Link(f"http://a.example/?p=lib.git;a={name};h={n}") for n in range(3) for name in ("commit", "tree")
    )
    found = records_in(replace(page(*commits), links=links), HttpQuery((("s", "commit"),), "commit"))

    assert [record.key for record in found] == [canonical_url(commit.url or "") for commit in commits]


def test_a_word_that_all_addresses_of_records_hold_is_no_trace() -> None:
    shapes = shapes_of(f"http://a.example/db?op=get&id={n}" for n in range(3))
    found = records_in(page(item("/db?op=get&id=7")), HttpQuery((("q", "get"),), "get"), shapes)

    assert [record.key for record in found] == ["http://a.example/db?id=7&op=get"]


def test_of_several_addresses_the_one_counts_that_looks_like_those_of_records() -> None:
    shapes = shapes_of(f"http://a.example/db?op=get&id={n}" for n in range(3))
    block = replace(item("/people/ann"), others=("http://a.example/db?op=view&id=7", "http://a.example/db?op=get&id=7"))  # fmt: skip

    assert [record.key for record in records_in(page(block), None, shapes)] == [
        "http://a.example/db?id=7&op=get"
    ]
    assert [record.key for record in records_in(page(block))] == ["http://a.example/people/ann"]


def test_a_page_that_is_named_like_the_query_keeps_its_name() -> None:
    shapes = shapes_of(f"http://a.example/wiki?page={name}" for name in ("Beer", "Cider", "Water"))
    found = records_in(page(item("/wiki?page=Wine")), HttpQuery((("q", "wine"),), "wine"), shapes)

    assert [record.key for record in found] == ["http://a.example/wiki?page=Wine"]


def test_few_records_do_not_show_what_all_addresses_hold() -> None:
    several = shapes_of(f"http://a.example/db?op=get&id={n}" for n in range(3))
    one = shapes_of(["http://a.example/db?op=view&id=1"])

    assert has_shape("http://a.example/db?op=get&id=9", several)
    assert not has_shape("http://a.example/db?op=view&id=9", several)
    assert has_shape("http://a.example/db?op=other&id=9", one)
    assert shapes_of(["http://a.example/db?op=view&id=1"], several) == frozenset()
    assert shapes_of(["a.example#1234"]) == frozenset()


def test_what_a_further_page_hands_on_of_its_own_address_is_no_part_of_a_record() -> None:
    shapes = shapes_of(f"http://a.example/item/{n}" for n in range(3))
    further = replace(
        page(item("/item/7?shown=20"), item("/item/8?shown=20")),
        url="http://a.example/find?q=wine&shown=20",
    )

    keys = [record.key for record in records_in(further, HttpQuery((("q", "wine"),), "wine"), shapes)]
    assert keys == ["http://a.example/item/7", "http://a.example/item/8"]


def test_what_the_addresses_of_all_records_repeat_of_the_page_stays() -> None:
    shapes = shapes_of(f"http://a.example/item?db=5&id={n}" for n in range(3))
    further = replace(page(item("/item?db=5&id=7")), url="http://a.example/find?q=wine&db=5&page=2")

    keys = [record.key for record in records_in(further, HttpQuery((("q", "wine"),), "wine"), shapes)]
    assert keys == ["http://a.example/item?db=5&id=7"]


def bookmark(number: int, *others: str) -> RepeatedItem:
    addresses = tuple(f"http://a.example{each}" for each in ("/tag/red", *others))
    return replace(item(""), url=f"http://site{number}.example/", others=addresses)


def test_what_leads_to_other_sites_is_known_by_its_own_address_on_this_one() -> None:
    links = [bookmark(n, f"/note/n{n}") for n in range(4)]

    assert [record.key for record in records_in(page(*links))] == [
        f"http://a.example/note/n{n}" for n in range(4)
    ]


def test_an_address_that_several_have_in_common_is_none_of_their_own() -> None:
    links = [bookmark(n, f"/by/{n % 2}") for n in range(4)]

    assert not any(record.key.startswith("http") for record in records_in(page(*links)))


def placed(first: int, *names: str, word: str = "wine") -> list[RepeatedItem]:
    return [
        RepeatedItem(
            f"#{number} {name} {word}",
            name,
            f"http://a.example/show/{number}?q={word}&page=1",
            names=(f"file:///docs/{name}.html", "file:///docs"),
        )
        for number, name in enumerate(names, first)
    ]


NAMES = ("bridge", "mill", "tower", "gate", "castle", "wall", "moat")


def test_records_at_numbered_places_of_an_answer_are_known_by_what_they_name() -> None:
    first = keys(*placed(0, *NAMES[:6]), keyword="wine")
    again = keys(*placed(1, *reversed(NAMES), word="beer"), keyword="beer")

    assert len({*first, *again}) == 7
    assert again[1:] == first[::-1]


def test_records_at_numbered_places_that_name_nothing_are_known_by_their_titles() -> None:
    first = keys(*(replace(block, names=()) for block in placed(0, *NAMES[:6])), keyword="wine")
    again = keys(*(replace(block, names=()) for block in placed(0, *NAMES[1:])), keyword="wine")

    assert len({*first, *again}) == 7


@pytest.mark.parametrize(
    ("first", "number", "known", "is_place"),
    [(29, 1, False, False), (29, 1, True, False), (29, 4, True, False), (6, 2, True, True), (25, 2, False, True)],
    ids=["added one by one", "and known", "on a later page", "places there", "on a last page that is shorter"],
)  # fmt: skip
def test_places_begin_where_a_page_of_an_answer_does(
    first: int, number: int, *, known: bool, is_place: bool
) -> None:
    shapes = frozenset({"http://a.example/show/0"}) if known else frozenset()
    records = records_in(
        page(*placed(first, *NAMES[:6])), HttpQuery((("q", "wine"),), "wine"), shapes, number
    )

    assert all(record.key.startswith("http") is not is_place for record in records)


def test_numbers_are_no_places_if_other_queries_found_records_there() -> None:
    query = HttpQuery((("q", "wine"),), "wine")
    blocks = page(*placed(1, *NAMES))
    known = frozenset(list_addresses(blocks, query))

    assert all(record.key in known for record in records_in(blocks, query, known=known))
    assert not any(record.key in known for record in records_in(blocks, query))


@pytest.mark.parametrize(
    ("blocks", "keyword"),
    [
        ([item(f"/show/{n}?q=wine") for n in (3, 4, 7)], "wine"),
        ([item(f"/show/{n}?q=*") for n in (1, 2, 3)], "*"),
        ([item(f"/show/{n}?back=q%3D") for n in (1, 2, 3)], ""),
        ([item(f"/show/{n}") for n in (1, 2, 3)], "wine"),
    ],
    ids=["numbers of records", "all there is", "all, for an empty box", "no query in them"],
)
def test_numbers_in_addresses_are_most_often_those_of_records(
    blocks: list[RepeatedItem], keyword: str
) -> None:
    assert all(key.startswith("http://a.example/show/") for key in keys(*blocks, keyword=keyword))
