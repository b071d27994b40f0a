"""What is known of a text when its page is read."""

from __future__ import annotations

import numpy as np
import pytest

from hiddenweb.extraction.features import FEATURES, PRIORS, are_labels, label_inside
from hiddenweb.extraction.pattern import to_numbers


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Author: Jane Smith", "Author:"),
        ("作者：Jane", "作者："),
        ("Jane Smith", ""),
        ("12:30 train", ""),  # a time
        ("Author:", ""),  # nothing stands behind it
    ],
)
def test_a_label_stands_at_the_beginning_of_a_text(text: str, label: str) -> None:
    assert label_inside(text).strip() == label


def test_of_labels_only_the_upper_halves_are_compared() -> None:
    keys = to_numbers((5 << 32, (5 << 32) + 1, 9 << 32))
    labels = np.sort(keys[:1] >> np.uint64(32))

    assert are_labels(keys, labels).tolist() == [True, True, False]


def test_every_feature_has_a_share_of_texts_that_agree_in_it() -> None:
    assert len(FEATURES) == len(set(FEATURES))
    assert all(0 < share < 1 for share in PRIORS.values())
