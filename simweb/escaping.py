"""Escaping for HTML, quick for the many texts that need none."""

from __future__ import annotations

import html
import re

_SPECIAL = re.compile("[&<>\"']").search


def escape(text: str) -> str:
    """Return a text as it stands in HTML, in attributes too.

    >>> escape("plain"), escape('Tom & "Jerry"')
    ('plain', 'Tom &amp; &quot;Jerry&quot;')
    """
    return html.escape(text) if _SPECIAL(text) else text
