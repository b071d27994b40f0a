"""Which addresses and which texts are the same."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import within

from hiddenweb.urls import (
    BANDS,
    BINS,
    bands,
    canonical,
    fingerprint_and_sketch,
    host,
    is_near,
    normalised,
    origin,
    registered_domain,
    repeats_itself,
    shape,
    sketch,
    text_fingerprint,
    url_hash,
)

# Addresses


@pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("HTTP://A.Example:80/a/../b#c", None, "http://a.example/b"),
        ("https://a.example", None, "https://a.example/"),
        ("x?y", "http://a.example/b/c?d", "http://a.example/b/x?y"),
        ("//b.example", "https://a.example/", "https://b.example/"),
        ("http://bücher.example/ü", None, "http://xn--bcher-kva.example/%C3%BC"),
        ("x", None, None),
        ("ftp://a.example/", None, None),
        ("javascript:void(0)", "http://a.example/", None),
        ("data:text/html,x", None, None),
        ("httpx://a.example/", None, None),
        ("http://a.example:99999/", None, None),
        ("http://[::1", "http://a.example/", None),
        ("x", "no base", None),
        ("http://0x7f.1/", None, "http://127.0.0.1/"),
        ("http://a.example/\ud800", None, None),
    ],
)
def test_addresses_are_written_as_the_standard_writes_them(
    url: str, base: str | None, expected: str | None
) -> None:
    assert normalised(url, base) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/?b=2&a=1", "http://a.example/?a=1&b=2"),
        ("http://a.example:80/x?", "http://a.example/x"),
        ("http://a.example/%7euser/%c3%bc", "http://a.example/~user/ü"),
        ("http://a.example/x;jsessionid=AB12?y=1", "http://a.example/x?y=1"),
        ("http://a.example/?PHPSESSID=abc&q=1", "http://a.example/?q=1"),
        ("http://a.example/?sid=0123456789abcdef0&q=1", "http://a.example/?q=1"),
        ("http://a.example/?utm_source=x&gclid=y&fbclid=z", "http://a.example/"),
        ("http://a.example/#top", "http://a.example/"),
    ],
)
def test_spellings_of_one_address_are_one(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)
    assert url_hash(one) == url_hash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "http://a.example/?a=1&a=2", "http://a.example/?a=2&a=1", id="order of values of one name"
        ),
        pytest.param("http://a.example/?b;a", "http://a.example/?a;b", id="not a list of parameters"),
        pytest.param("http://a.example/?a=%26b=1", "http://a.example/?a=&b=1", id="an escaped separator"),
        pytest.param("http://a.example/a%2Fb", "http://a.example/a/b", id="an escaped slash"),
        pytest.param("http://a.example/?sid=12", "http://a.example/?sid=13", id="a short sid is a number"),
        pytest.param("http://a.example/?q=", "http://a.example/", id="an empty value"),
        pytest.param("http://a.example/A", "http://a.example/a", id="case of a path"),
        pytest.param("http://a.example/", "https://a.example/", id="scheme"),
    ],
)
def test_different_addresses_stay_different(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)
    assert url_hash(one) != url_hash(other)


def test_a_query_separated_by_semicolons_is_left_as_it_is() -> None:
    assert canonical("http://a.example/s?b=2;a=1&c") == "http://a.example/s?b=2;a=1&c"


@given(st.text(max_size=40))
def test_canonical_is_stable_and_hashes_fit_into_a_database(rest: str) -> None:
    url = normalised("http://a.example/" + rest)
    assert url is not None

    assert canonical(canonical(url)) == canonical(url)
    assert -(1 << 63) <= url_hash(url) < 1 << 63


def test_a_typical_address_is_made_canonical_within_ten_microseconds() -> None:
    urls = [f"http://a.example/section/page-{number}.html" for number in range(1_000)]

    within(30e-6 * len(urls), lambda: [url_hash(url) for url in urls])  # generous: machines differ


@pytest.mark.parametrize(
    ("url", "site", "name", "registered"),
    [
        ("http://www.a.com:8080/x", "http://www.a.com:8080", "www.a.com", "a.com"),
        ("http://www.a.example/", "http://www.a.example", "www.a.example", "www.a.example"),
        ("https://u:p@b.shop.co.uk:443?x/y:1", "https://b.shop.co.uk", "b.shop.co.uk", "shop.co.uk"),
        ("http://127.0.0.2:8000/", "http://127.0.0.2:8000", "127.0.0.2", "127.0.0.2"),
        ("http://[::1]:8000/", "http://[::1]:8000", "[::1]", "[::1]"),
        ("http://localhost/", "http://localhost", "localhost", "localhost"),
    ],
)
def test_origin_host_and_registered_domain(url: str, site: str, name: str, registered: str) -> None:
    assert (origin(url), host(url), registered_domain(url)) == (site, name, registered)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/cal/2024/5", "http://a.example/cal/2031/12"),
        ("http://a.example/?page=1&q=x", "http://a.example/?page=2&q=y"),
        ("http://a.example/x/550e8400-e29b-41d4-a716-446655440000", "http://a.example/x/123e4567-e89b-12d3-a456-426614174000"),
        ("http://a.example/x/deadbeef12345678", "http://a.example/x/0123456789abcdef"),
    ],
)  # fmt: skip
def test_what_a_trap_counts_up_has_one_shape(one: str, other: str) -> None:
    assert shape(one) == shape(other)


def test_names_and_hosts_keep_their_shape() -> None:
    assert shape("http://a1.example/cafe/decade?x1=2") == "http://a1.example/cafe/decade?x0="
    assert shape("http://a1.example/a") != shape("http://a2.example/a")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/a/a/a", True), ("/a/b/a/b/a/b", True), ("/a/x/a/y/a", True), ("/a/b/a/b", False), ("/", False), ("/a?a/a/a", False)],
)  # fmt: skip
def test_a_path_that_repeats_itself_is_noticed(path: str, expected: bool) -> None:
    assert repeats_itself(f"http://a.example{path}") is expected


# Texts

VOCABULARY = [f"word{number}" for number in range(3_000)]
HAN = [chr(code) for code in range(0x4E00, 0x5600)]


def text_of(length: int, seed: int, vocabulary: list[str] = VOCABULARY, between: str = " ") -> str:
    return between.join(random.Random(seed).choices(vocabulary, k=length))


def test_a_fingerprint_ignores_white_space_and_nothing_else() -> None:
    assert text_fingerprint("Ä  b\n\xa0c") == text_fingerprint(" Ä b\tc ")
    assert text_fingerprint("a b c") != text_fingerprint("A b c")
    assert text_fingerprint("a b c") != text_fingerprint("a b d")


@pytest.mark.parametrize(
    ("between", "vocabulary"), [(" ", VOCABULARY), ("", HAN)], ids=["words", "characters"]
)
@pytest.mark.parametrize("length", [40, 400, 1_900, 12_000])
@pytest.mark.parametrize("changed", [0.0, 0.01, 0.1, 0.3])
def test_the_agreement_of_sketches_estimates_the_similarity(
    changed: float, length: int, between: str, vocabulary: list[str]
) -> None:
    run = 3 if between else 4
    errors = []
    for seed in range(12):
        draw = random.Random(seed)
        one = draw.choices(vocabulary, k=length)
        other = [draw.choice(vocabulary) if draw.random() < changed else word for word in one]
        truth = _jaccard(one, other, run)
        errors.append(is_near(sketch(between.join(one)), sketch(between.join(other))) - truth)

    assert -0.13 < sum(errors) / len(errors) < 0.08, "long texts are judged more strictly"
    assert max(map(abs, errors)) < 0.3


def _jaccard(one: list[str], other: list[str], run: int) -> float:
    a = {tuple(one[at : at + run]) for at in range(len(one) - run + 1)}
    b = {tuple(other[at : at + run]) for at in range(len(other) - run + 1)}
    return len(a & b) / len(a | b)


def test_near_duplicates_share_a_band_and_strangers_do_not() -> None:
    texts = [text_of(500, seed).split() for seed in range(100)]
    near = [" ".join([*text[:250], "changed", *text[251:]]) for text in texts]

    found = sum(
        not set(bands(sketch(" ".join(a)))).isdisjoint(bands(sketch(b)))
        for a, b in zip(texts, near, strict=True)
    )
    strange = sum(not set(bands(sketch(a))).isdisjoint(bands(sketch(b))) for a, b in pairwise(near))

    assert found >= 98
    assert strange == 0


def test_sketches_and_bands_have_the_promised_form() -> None:
    made = sketch("some words in a row")

    assert len(made) == BINS
    assert len(bands(made)) == BANDS
    assert all(-(1 << 63) <= band < 1 << 63 for band in bands(made))
    assert sketch(" ") == bands(()) == ()
    assert is_near((), ()) == 0.0
    assert is_near(sketch("one"), sketch("one ")) == 1.0


def test_signatures_do_not_depend_on_the_process() -> None:
    assert text_fingerprint("a b c") == 5728600131650158283
    assert set(sketch("a b c")) == {333448413}
    assert url_hash("http://a.example/") == -2761359738066541415


@given(st.text(max_size=200))
def test_any_text_has_signatures(text: str) -> None:
    assert fingerprint_and_sketch(text) == (text_fingerprint(text), sketch(text))
