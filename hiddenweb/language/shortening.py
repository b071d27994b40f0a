"""A text cut short, between words where that is possible."""

from __future__ import annotations


def shorten(text: str, length: int) -> str:
    """Return a text of at most so many characters, cut between words where that is possible.

    >>> shorten("one two three", 9)
    'one two …'
    """
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    cut = text[: max(length - 1, 0)]
    whole, space, _ = cut.rpartition(" ")
    return f"{whole} …" if space and len(whole) >= length // 2 else f"{cut}…"[:length]
