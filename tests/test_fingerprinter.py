from __future__ import annotations

import pytest
from scrapy import Request

from hiddenweb.fingerprinter import UrlFingerprinter


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Request("https://a.example/?b=2&a=1"), Request("https://a.example/?a=1&b=2"), True),
        (Request("https://a.example:443/x"), Request("https://A.example/x#part"), True),
        (Request("https://a.example/x"), Request("https://a.example/y"), False),
        (Request("https://a.example/x"), Request("https://a.example/x", method="POST"), False),
        (
            Request("https://a.example/x", method="POST", body=b"a"),
            Request("https://a.example/x", method="POST", body=b"b"),
            False,
        ),
    ],
)
def test_requests_are_the_same_when_the_frontier_says_so(one: Request, other: Request, same: bool) -> None:
    fingerprint = UrlFingerprinter().fingerprint

    assert (fingerprint(one) == fingerprint(other)) is same
