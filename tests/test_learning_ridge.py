"""Learning how far guesses are off."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest

from hiddenweb.learning.ridge import MOST, CountCorrection, RidgeCorrection


def test_before_learning_it_uses_the_start_weights() -> None:
    assert RidgeCorrection((0.5, -0.25)).offset(np.array((1.0, 2.0))) == pytest.approx(0.0)
    assert RidgeCorrection((0.5, 0.0)).offset(np.array((1.0, 2.0))) == pytest.approx(0.5)


def test_one_observation_by_hand() -> None:
    """(x x' + 1) w = x y with x = 2, y = 1 and stiffness 1: w = 2 / 5."""
    correction = RidgeCorrection((0.0,), stiffness=1.0)
    correction.learn(np.array((2.0,)), 1.0)
    assert correction.weights == pytest.approx((0.4,))


def test_results_are_compared_with_the_start_weights() -> None:
    """The start already says 0.5 for x = 1; only the rest, 0.5, is learnt, half of it by a stiffness of 1."""
    correction = RidgeCorrection((0.5,), stiffness=1.0)
    correction.learn(np.array((1.0,)), 1.0)
    assert correction.weights == pytest.approx((0.75,))


def test_one_count_by_hand() -> None:
    """Guessed 1, counted 3: log(4 / 2) = 0.693 was missed; the guess moves it by half, so x = 1/2: w = 0.693 / 2 / (1/4 + 1)."""
    correction = CountCorrection((0.0,), stiffness=1.0)
    correction.learn_count(np.array((1.0,)), counted=3.0, guessed=1.0, offset=0.0)
    assert correction.weights == pytest.approx((0.2773,), abs=1e-4)


def test_counts_teach_how_far_they_were_off() -> None:
    chance = Random(3)
    correction = CountCorrection((0.0, 0.0), memory=1.0)
    for _ in range(2_000):
        features = np.array((1.0, chance.uniform(-1, 1)))
        offset = float(correction.offset(features))
        counted = round(20.0 * np.exp(0.5 - 1.0 * features[1]))
        correction.learn_count(features, counted=counted, guessed=20.0 * np.exp(offset), offset=offset)
    assert correction.weights == pytest.approx((0.5, -1.0), abs=0.05)


def test_a_line_is_learnt() -> None:
    chance = Random(3)
    correction = RidgeCorrection((0.0, 0.0, 0.0), memory=1.0)
    for _ in range(500):
        features = np.array((1.0, chance.uniform(-1, 1), chance.uniform(-1, 1)))
        correction.learn(features, 0.3 * features[0] - 0.7 * features[1] + chance.gauss(0, 0.1))
    assert correction.weights == pytest.approx((0.3, -0.7, 0.0), abs=0.02)


def test_old_results_count_less() -> None:
    forgetting, remembering = RidgeCorrection((0.0,), memory=0.9), RidgeCorrection((0.0,), memory=1.0)
    for correction in (forgetting, remembering):
        for _ in range(50):
            correction.learn(np.array((1.0,)), 1.0)
        for _ in range(20):
            correction.learn(np.array((1.0,)), -1.0)
    assert forgetting.weights[0] < -0.6 < 0.3 < remembering.weights[0]


def test_corrections_are_limited() -> None:
    correction = RidgeCorrection((0.0,))
    for _ in range(100):
        correction.learn(np.array((1.0,)), 50.0)
    assert correction.offset(np.array((1.0,))) == MOST
    assert correction.offset(np.array((-1.0,))) == -MOST


def test_learnt_weights_are_saved_and_restored() -> None:
    correction = RidgeCorrection((0.1, 0.0))
    for at in range(9):
        correction.learn(np.array((1.0, at / 9)), 0.2 * at)
    again = RidgeCorrection((0.1, 0.0))
    again.restore(json.loads(json.dumps(correction.to_json())))
    assert again.weights == pytest.approx(correction.weights, rel=1e-4)


def test_state_of_other_features_is_ignored() -> None:
    correction = RidgeCorrection((0.1, 0.0))
    other = RidgeCorrection((0.0,))
    other.learn(np.array((1.0,)), 1.0)
    correction.restore(json.loads(json.dumps(other.to_json())))
    assert correction.weights.tolist() == [0.1, 0.0]
