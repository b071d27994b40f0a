from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import within

from hiddenweb.focused.exploring.link_tree import (
    MAX_DEPTH,
    REST,
    VisitQuota,
    build_tree,
    choose_balanced,
    share_visits,
    whole_visits,
)

HOME = "https://www.abebooks.com"
URLS = st.lists(
    st.builds("https://a.example/{}".format, st.text("ab/?", max_size=8)), unique=True, max_size=25
)


def under(directory: str, count: int) -> list[str]:
    return [f"{HOME}/{directory}/page{number}" for number in range(count)]


def books_of_the_paper() -> list[str]:
    """The directory `books` of the example in the paper: 47 links."""
    return [
        *under("books/authors", 4),
        *under("books/find", 11),
        *under("books/features", 3),
        *under("books", 26),  # each a directory of its own, with a single link
        *under("books/RareBooks", 3),
    ]


def links_of_the_paper() -> list[str]:
    """The example of the paper: 91 links of abebooks.com."""
    single = [f"{HOME}/{name}" for name in ("a", "b", "c", "d", "e", "f", "g", "h")]
    return [
        *single,
        *books_of_the_paper(),
        *under("servlet", 9),
        *under("products", 9),
        *under("docs", 10),
        *under("help", 5),
        *under("sitemap", 3),
    ]


def table(share: VisitQuota) -> dict[str, tuple[int, int]]:
    return {part.name: (part.links, part.visits) for part in share.parts}


def part(share: VisitQuota, name: str) -> VisitQuota:
    return next(each for each in share.parts if each.name == name)


# The example of the paper


def test_visits_are_shared_out_as_in_the_example_of_the_paper() -> None:
    share = share_visits(links_of_the_paper(), 50)

    assert (share.links, share.visits) == (91, 50)
    assert table(share) == {
        REST: (8, 4),
        "books": (47, 26),
        "servlet": (9, 5),
        "products": (9, 5),
        "docs": (10, 5),
        "help": (5, 3),
        "sitemap": (3, 2),
    }


def test_each_directory_shares_its_visits_out_in_the_same_way() -> None:
    share = share_visits(links_of_the_paper(), 50)

    assert table(part(share, "books")) == {
        REST: (26, 14),
        "authors": (4, 2),
        "find": (11, 6),
        "features": (3, 2),
        "RareBooks": (3, 2),
    }


def test_chosen_links_are_those_of_the_shares() -> None:
    chosen = choose_balanced(dict.fromkeys(links_of_the_paper(), 0.0), 50)

    def visits(directory: str) -> int:
        return sum(url.startswith(f"{HOME}/{directory}/") for url in chosen)

    assert len(set(chosen)) == len(chosen) == 50
    assert [visits(name) for name in ("books", "servlet", "products", "docs", "help", "sitemap")] == [
        26,
        5,
        5,
        5,
        3,
        2,
    ]
    assert [visits(f"books/{name}") for name in ("authors", "find", "features", "RareBooks")] == [2, 6, 2, 2]


# Links


@pytest.mark.parametrize("visits", [91, 92, 1000])
def test_all_are_visited_if_there_are_visits_for_all(visits: int) -> None:
    links = links_of_the_paper()

    assert sorted(choose_balanced(dict.fromkeys(links, 0.0), visits)) == sorted(links)
    assert share_visits(links, visits).visits == 91


@pytest.mark.parametrize(
    "others",
    [
        ["https://a.example/find?q=2"],
        ["https://a.example/find"],
        ["https://a.example/find/"],
        ["https://a.example/find/?lang=en", "https://a.example/find?a=/b/c"],
    ],
)
def test_addresses_that_differ_in_their_query_only_are_one_link(others: list[str]) -> None:
    urls = ["https://a.example/find?q=1", *others]

    assert build_tree(urls).size == 1
    assert choose_balanced(dict.fromkeys(urls, 0.0), 10) == urls[:1]


def test_page_of_a_directory_counts_with_the_links_below_it() -> None:
    share = share_visits(["https://a.example/books/", *(f"https://a.example/books/{n}" for n in range(3))], 2)

    assert table(share) == {"books": (4, 2)}


def test_best_links_of_a_node_come_first() -> None:
    scores = {url: float(number % 7) for number, url in enumerate(under("books", 20))}
    scores.update((url, 10.0 + number) for number, url in enumerate(under("help", 20)))

    chosen = choose_balanced(scores, 10)

    assert [scores[url] for url in chosen if "/books/" in url] == [6.0, 6.0, 5.0, 5.0, 5.0]
    assert [scores[url] for url in chosen if "/help/" in url] == [29.0, 28.0, 27.0, 26.0, 25.0]
    assert chosen == sorted(chosen, key=lambda url: (-scores[url], url))


def test_a_better_directory_does_not_take_the_visits_of_others() -> None:
    scores = {**dict.fromkeys(under("books", 30), 3.0), **dict.fromkeys(under("help", 10), 0.0)}

    chosen = choose_balanced(scores, 20)

    assert sum("/help/" in url for url in chosen) == 5


def test_small_directories_compete_with_each_other_by_rank() -> None:
    scores = {f"{HOME}/d{number}/page": float(number) for number in range(30)}

    chosen = choose_balanced(scores, 3)

    assert chosen == [f"{HOME}/d{number}/page" for number in (29, 28, 27)]


def test_directory_with_a_quota_of_a_whole_visit_keeps_it() -> None:
    share = share_visits([*under("books", 8), *under("help", 2)], 5)

    assert table(share) == {"books": (8, 4), "help": (2, 1)}


def test_links_of_other_hosts_of_the_site_are_in_the_same_tree() -> None:
    urls = [f"https://{name}.a.example/books/{number}" for name in ("www", "shop") for number in range(2)]

    assert table(share_visits(urls, 2)) == {"books": (4, 2)}


def test_nothing_is_chosen_from_nothing() -> None:
    assert choose_balanced({}, 10) == []
    assert choose_balanced({"https://a.example/": 1.0}, 0) == []
    assert share_visits([], 10) == VisitQuota("", 0, 0)


@given(URLS, st.integers(0, 30))
@settings(max_examples=40)
def test_as_many_links_are_chosen_as_there_are_visits(urls: list[str], visits: int) -> None:
    size = build_tree(urls).size

    chosen = choose_balanced(dict.fromkeys(urls, 0.0), visits)

    assert len(set(chosen)) == len(chosen) == min(visits, size)
    assert set(chosen) <= set(urls)
    assert share_visits(urls, visits).visits == min(visits, size)


# Whole visits


@given(st.lists(st.integers(0, 300), max_size=12), st.integers(0, 2000))
@settings(max_examples=40)
def test_whole_visits_add_up_and_no_part_gets_more_than_it_has(sizes: list[int], visits: int) -> None:
    visits = min(visits, sum(sizes))

    due = whole_visits(sizes, visits)

    assert sum(due) == visits
    assert all(0 <= own <= size for own, size in zip(due, sizes, strict=True))
    for own, size in zip(due, sizes, strict=True):
        assert abs(own - size * visits / (sum(sizes) or 1)) < 1


@pytest.mark.parametrize(
    ("sizes", "visits", "due"),
    [
        ([4, 11, 3, 26, 3], 26, [2, 6, 2, 14, 2]),  # under books, in the paper
        ([1, 1, 1], 2, [1, 1, 0]),  # of equal remainders the first
        ([0, 5], 3, [0, 3]),
        ([], 5, []),
        ([0, 0], 5, [0, 0]),
    ],
)
def test_largest_remainders_get_what_is_left(sizes: list[int], visits: int, due: list[int]) -> None:
    assert whole_visits(sizes, visits) == due


# Hostile sites


def test_directories_without_end_are_cut() -> None:
    deep = [f"https://a.example/{'x/' * 2000}{number}" for number in range(50)]

    chosen = within(1, lambda: choose_balanced({url: float(number) for number, url in enumerate(deep)}, 10))

    assert chosen == deep[:-11:-1]
    node, levels = build_tree(deep), 0
    while node.children:
        node, levels = next(iter(node.children.values())), levels + 1
    assert levels == MAX_DEPTH


@pytest.mark.parametrize(
    "pattern",
    ["https://a.example/{}", "https://a.example/{}/x", "https://a.example/a/b/c/d/e/f/g/h/{}?q=1"],
    ids=["flat", "each in a directory", "deep"],
)
def test_ten_thousand_links_are_shared_out_at_once(pattern: str) -> None:
    scores = {pattern.format(number): number % 100 / 100 for number in range(10_000)}

    chosen = within(1, lambda: choose_balanced(scores, 100))

    assert [scores[url] for url in chosen] == [0.99] * 100


def test_visits_are_never_more_than_there_are_links() -> None:
    assert whole_visits([1, 1], 10) == [1, 1]
