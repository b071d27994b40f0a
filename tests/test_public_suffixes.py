"""Public suffixes: what tldextract would say, without loading it."""

from __future__ import annotations

import pytest
from tldextract import TLDExtract

from hiddenweb.public_suffixes import _read_rules, split_host


@pytest.mark.parametrize(
    ("host", "domain", "suffix"),
    [
        ("shop.example.com", "example.com", "com"),
        ("a.b.example.co.uk", "example.co.uk", "co.uk"),
        ("Shop.EXAMPLE.Co.UK", "EXAMPLE.Co.UK", "Co.UK"),
        ("somebody.blogspot.com", "blogspot.com", "com"),  # a private rule is none
        ("co.uk", "", "co.uk"),  # nobody registered it
        ("a.shop.ck", "a.shop.ck", "shop.ck"),  # *.ck
        ("a.www.ck", "www.ck", "ck"),  # !www.ck
        ("ck", "", ""),
        ("xn--fiq228c.xn--55qx5d.cn", "xn--fiq228c.xn--55qx5d.cn", "xn--55qx5d.cn"),
        ("a.公司.cn", "a.公司.cn", "公司.cn"),
        ("a.xn--55qx5dx.cn", "xn--55qx5dx.cn", "cn"),
        ("example.com.", "example.com", "com"),
        ("127.0.0.1", "", ""),
        ("[::1]", "", ""),
        ("localhost", "", ""),
        ("a..com", "", "com"),
    ],
)
def test_a_host_is_split_before_its_public_suffix(host: str, domain: str, suffix: str) -> None:
    assert split_host(host) == (domain, suffix)


def test_every_rule_says_what_tldextract_makes_of_it() -> None:
    extract = TLDExtract(suffix_list_urls=(), cache_dir=None)
    names = {rule.lstrip("*.!") for rule in _read_rules()[0]}
    hosts = [f"{front}{name}" for name in names for front in ("", "a.", "c.b.a.")]

    differing = [
        host
        for host in hosts
        if split_host(host) != ((found := extract(host)).top_domain_under_public_suffix, found.suffix)
    ]

    assert not differing
    assert len(hosts) > 15_000
