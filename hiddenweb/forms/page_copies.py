"""What a form has only because of the page it stands on: copies of the parameters of its address, and numbered rows for filters in force."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from hiddenweb.model import Form

_NUMBERED = re.compile(r"[_.-]?\d+\]?$")


def copied_names(form: Form) -> frozenset[str]:
    """Return the names of the hidden controls of a form that its page has as parameters; a further step has none, since they are its query."""
    parameters = urlsplit(form.page_url).query
    if not parameters or form.step > 1:
        return frozenset()
    hidden = {field.name for field in form.fields if field.kind == "hidden"}
    return frozenset(hidden.intersection(dict(parse_qsl(parameters, keep_blank_values=True))))


def bare_name(name: str) -> str:
    """Return the name of a control without the number that tells it from others of its kind.

    >>> bare_name("column_2"), bare_name("q"), bare_name("7")
    ('column', 'q', '7')
    """
    return _NUMBERED.sub("", name) or name
