"""Promises are corrected by what alike queries brought."""

from __future__ import annotations

import json

from hiddenweb.querying.policies.options.corrections import WORDS_ALONE, PromiseCorrections


def test_a_kind_that_brings_less_than_it_promises_is_trusted_less_each_time() -> None:
    corrections = PromiseCorrections()
    ratios = []
    for _ in range(5):
        corrections.learn("genre", 100 * corrections.ratio("genre"), 10)
        ratios.append(corrections.ratio("genre"))

    assert ratios == sorted(ratios, reverse=True)
    assert 0.13 < ratios[-1] < ratios[0] < 1
    assert corrections.ratio("decade") == 1


def test_words_alone_are_corrected_by_their_own_policy() -> None:
    corrections = PromiseCorrections()
    corrections.learn(WORDS_ALONE, 100, 1)

    assert corrections.ratio(WORDS_ALONE) == 1


def test_what_was_learnt_is_restored() -> None:
    corrections, restored = PromiseCorrections(), PromiseCorrections()
    corrections.learn("genre", 10, 30)

    restored.restore(json.loads(json.dumps(corrections.to_json())))

    assert restored.ratio("genre") == corrections.ratio("genre") > 1
