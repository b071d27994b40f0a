from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb.near_duplicates.sketch import (
    BANDS,
    BINS,
    bands,
    estimate_similarity,
    fingerprint_and_sketch,
    sketch,
    text_fingerprint,
)

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
        errors.append(estimate_similarity(sketch(between.join(one)), sketch(between.join(other))) - truth)

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
    assert estimate_similarity((), ()) == 0.0
    assert estimate_similarity(sketch("one"), sketch("one ")) == 1.0


def test_signatures_do_not_depend_on_the_process() -> None:
    assert text_fingerprint("a b c") == 5728600131650158283
    assert set(sketch("a b c")) == {333448413}


@given(st.text(max_size=200))
def test_any_text_has_signatures(text: str) -> None:
    assert fingerprint_and_sketch(text) == (text_fingerprint(text), sketch(text))
