"""The verdict on a form: what it is, and whether it is asked.

Two questions, answered apart. The classifier says what a form most likely is, from all that the form and its surroundings
say. The safety rules say whether sending it could do harm or break manners; no probability outweighs them. A form is asked if
it is a search for sure and nothing speaks against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.forms.buttons import button_to_press
from hiddenweb.forms.classifier import classify
from hiddenweb.forms.safety import refusals
from hiddenweb.forms.submission import as_sent
from hiddenweb.identity import host
from hiddenweb.items import Verdict
from hiddenweb.page.templates import without_repeats

if TYPE_CHECKING:
    from collections.abc import Container

    from hiddenweb.items import Form

SURE, SURE_BY_POST = 0.6, 0.8
"""The probability from which a form that is taken for a search is asked; a POST may do anything, so it takes more."""

NOFOLLOW = "its page says nofollow"
"""The one reason that holds only where a form was met: it may stand on another page too."""


def judge(
    form: Form, *, allow_post: bool = False, post_hosts: Container[str] = (), nofollow: bool = False
) -> Verdict:
    """Say what a form is, and whether it is a search that may be asked.

    Sent by POST it may be to the hosts that are named, or to any. What counts is the method and the address that the button
    gives it. With `nofollow` its page asks that nobody follow what is on it.
    """
    found = classify(form)
    button = button_to_press(form)
    sent = as_sent(form, button)
    box = form.fields[found.query_box] if found.query_box is not None else None
    allow_post = allow_post or host(sent.action) in post_hosts
    against = refusals(form, button=button, query_box=box, allow_post=allow_post)
    if not found.searchable:
        against = (f"it is taken for {_named(found.kind)}, not for a search", *against)
    elif found.probability < (enough := SURE_BY_POST if sent.method == "POST" else SURE):
        against = (f"that it searches is not sure enough ({found.probability:.2f} < {enough})", *against)
    if nofollow:
        against = (*against, NOFOLLOW)
    return Verdict(
        ask=not against,
        kind=found.kind,
        searchable=found.searchable,
        probability=found.probability,
        query_box=found.query_box,
        button=form.fields.index(button) if button is not None else None,
        why=found.why,
        refusals=against,
    )


def same_search(declared: Form, other: Form) -> bool:
    """Say whether a search that a page declares by the template of an address asks what a form, as it is sent, asks by GET."""
    if other.template:
        return declared.template == other.template
    return not without_repeats([declared], [other])


def _named(kind: str) -> str:
    if kind in ("other", "search"):
        return "something else"
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} form"
