"""Which numbers are amounts of money, by the text around them."""

from __future__ import annotations

import re
from functools import cache

from hiddenweb.language import lexicon

_SIGN = "[$¢£¤¥֏؋৳฿₠-⃀﷼＄￡￥]"


def is_money(before: str, after: str, label: str) -> bool:
    """Say whether a number is an amount of money: a currency stands before or behind it, or its label names a price."""
    return bool(
        _currency_before().search(before[-6:]) or _currency_after().match(after) or _price().search(label)
    )


@cache
def _currency_before() -> re.Pattern[str]:
    codes = lexicon.alternatives("money.currencies")
    return re.compile(rf"(?:{_SIGN}|(?<![^\W\d_])(?:{codes})\.?)\s?$", re.IGNORECASE)


@cache
def _currency_after() -> re.Pattern[str]:
    codes = lexicon.alternatives("money.currencies")
    return re.compile(
        rf"[\s\xa0]?(?:[万億千百]?[円元])|[\s\xa0]?(?:{_SIGN}|,-|(?:{codes})(?![^\W\d_]))|[\s\xa0]?(?:元|円|圓|块|บาท|원)",
        re.IGNORECASE,
    )


@cache
def _price() -> re.Pattern[str]:
    names, unspaced = lexicon.alternatives("money.price"), lexicon.alternatives("money.price_unspaced")
    return re.compile(rf"(?:(?<![^\W\d_])(?:{names})|{unspaced})\s*[:：=]?\s*$", re.IGNORECASE)
