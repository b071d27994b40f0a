"""Search forms that guard themselves: a token that is good once, and only with the cookie that came with it.

Whoever fetches a page with such a form gets a session by cookie, unless he has one, and a token in a hidden control. A question is answered
if it carries a token that was given to this session and not used before; further pages of an answer need the session alone. Everything else is
refused, with the form and a fresh token. Sessions and tokens follow from the number of the request that they were given to, so nothing has
to be remembered of them but which were used.
"""

from __future__ import annotations

from dataclasses import replace
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from simweb import chance

if TYPE_CHECKING:
    from simweb.forms import Form
    from simweb.messages import Parameters, Request
    from simweb.site import Site

GUARDED = frozenset({"token", "token_post"})
"""Styles of forms that guard themselves."""

COOKIE = "visit"
TOKEN = "csrf_token"


def guard_form(site: Site, form: Form, request: Request, session: str) -> Form:
    """Return a form with a fresh token for a session."""
    token = _sign(site, "token", request.count, session)
    fields = tuple(
        replace(field, value=token) if field.meaning == "token" else field for field in form.fields
    )
    return replace(form, fields=fields)


def session_of(site: Site, request: Request) -> str:
    """Return the session of a visitor: the one of his cookie if it is of this site, or a new one."""
    known = _cookie(request)
    return known if _is_ours(site, "session", known) else _sign(site, "session", request.count)


def is_refused(site: Site, request: Request, parameters: Parameters, *, turns_page: bool) -> bool:
    """Say whether a question is not answered, and remember its token as used if it is."""
    session = _cookie(request)
    if not _is_ours(site, "session", session):
        return True
    if turns_page:
        return False
    token = dict(parameters).get(TOKEN, "")
    if token in site.hand.used_tokens or not _is_ours(site, "token", token, session):
        return True
    site.hand.used_tokens.add(token)
    return False


def _cookie(request: Request) -> str:
    try:
        sent = SimpleCookie(request.headers.get("cookie", ""))
    except CookieError:
        return ""
    return sent[COOKIE].value if COOKIE in sent else ""


def _sign(site: Site, what: str, count: int, session: str = "") -> str:
    return f"{count:x}-{chance.draw(site.key, what, count, session):016x}"


def _is_ours(site: Site, what: str, text: str, session: str = "") -> bool:
    number = text.partition("-")[0]
    try:
        return _sign(site, what, int(number, 16), session) == text
    except ValueError:
        return False
