"""Forms a crawler must leave alone: they log in, order, vote, delete, subscribe. Each counts its effects.

Some are sent by GET, some are worded like searches ("Find my order"), some hide in the same corner where other sites
have their search box. Whoever submits one has changed something for somebody; the site writes it down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from simweb.forms import LABELLINGS, Field, Form, Option

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from simweb.forms import Control
    from simweb.languages import Language


PURPOSES = (
    "login",
    "registration",
    "recovery",
    "newsletter",
    "contact",
    "comment",
    "cart",
    "order",
    "poll",
    "upload",
    "delete",
    "unsubscribe",
    "report",
    "language",
    "cookies",
    "track_order",
    "find_account",
    "coupon",
    "booking",
    "search_alert",
    "invite",
    "petition",
    "callback",
)
PHRASES = {
    "login": "log_in", "registration": "register", "recovery": "forgot_password", "newsletter": "newsletter",
    "contact": "contact", "comment": "comments", "cart": "cart", "order": "checkout", "poll": "poll_question",
    "upload": "upload", "delete": "delete", "unsubscribe": "unsubscribe", "report": "report",
    "language": "choose_language", "cookies": "accept_cookies", "track_order": "track_order",
    "find_account": "find_account", "coupon": "coupon", "booking": "booking", "search_alert": "search_and_subscribe",
    "invite": "invite_friend", "petition": "sign_petition", "callback": "request_callback",
}  # fmt: skip
LIKE_SEARCHES = frozenset({"track_order", "find_account", "search_alert", "booking", "coupon", "unsubscribe"})
BY_GET = frozenset(
    {
        "newsletter",
        "unsubscribe",
        "delete",
        "poll",
        "language",
        "cookies",
        "track_order",
        "coupon",
        "cart",
        "search_alert",
    }
)


def left_alone_form(purpose: str, language: Language, chance: Random, key: str) -> Form:
    """Return a form of a purpose, in a language; its key makes its address one of its own."""
    fields, button = _MAKERS[purpose](language)
    by_get = purpose in BY_GET and chance.random() < 0.6
    method: Literal["get", "post"] = "get" if by_get else "post"
    return Form(
        key=key,
        purpose=purpose,
        style=purpose,
        method=method,
        action=f"/{_FOLDER.get(purpose, 'account')}/{key.replace('_', '-')}",
        fields=tuple(fields),
        button=button,
        labelling=chance.choice(LABELLINGS),
        multipart=purpose == "upload",
        looks_like_search=purpose in LIKE_SEARCHES,
    )


_FOLDER = {
    "contact": "contact", "comment": "comments", "cart": "shop", "order": "shop", "poll": "poll", "upload": "files",
    "delete": "admin", "report": "comments", "language": "prefs", "cookies": "prefs", "track_order": "search",
    "find_account": "search", "search_alert": "search", "booking": "find", "coupon": "shop",
}  # fmt: skip


FOLDERS = tuple(sorted({f"/{folder}/" for folder in (*_FOLDER.values(), "account")}))


def _typed(
    language: Language, name: str, phrase: str, control: Control = "text", required: bool = False
) -> Field:
    return Field(name, control, "personal", language.say(phrase), required=required)


def _login(lang: Language) -> tuple[list[Field], str]:
    remember = Field("remember", "checkbox", "flag", lang.say("remember_me"), value="1")
    user = _typed(lang, "user", "user_name")
    return [user, _typed(lang, "password", "password", "password"), remember], lang.say("log_in")


def _registration(lang: Language) -> tuple[list[Field], str]:
    fields = [
        _typed(lang, "first_name", "first_name"),
        _typed(lang, "last_name", "last_name"),
        _typed(lang, "email", "email", "email", required=True),
        _typed(lang, "password", "password", "password", required=True),
        _typed(lang, "password2", "confirm_password", "password", required=True),
    ]
    return fields, lang.say("create_account")


def _recovery(lang: Language) -> tuple[list[Field], str]:
    return [_typed(lang, "email", "email")], lang.say("recover")


def _newsletter(lang: Language) -> tuple[list[Field], str]:
    return [_typed(lang, "mail", "email")], lang.say("subscribe")


def _contact(lang: Language) -> tuple[list[Field], str]:
    fields = [
        _typed(lang, "name", "your_name"),
        _typed(lang, "email", "email", "email"),
        _typed(lang, "subject", "subject"),
        _typed(lang, "message", "message", "textarea"),
    ]
    return fields, lang.say("send")


def _comment(lang: Language) -> tuple[list[Field], str]:
    entry = Field("entry", "hidden", "fixed", "", value="17")
    return [
        _typed(lang, "author", "your_name"),
        _typed(lang, "text", "write_comment", "textarea"),
        entry,
    ], lang.say("post_comment")


def _cart(lang: Language) -> tuple[list[Field], str]:
    item = Field("item", "hidden", "fixed", "", value="4711")
    quantity = Field("quantity", "number", "fixed", lang.say("quantity"), value="1")
    return [item, quantity], lang.say("add_to_cart")


def _order(lang: Language) -> tuple[list[Field], str]:
    fields = [
        _typed(lang, "address", "address", "textarea"),
        _typed(lang, "postal_code", "postal_code"),
        _typed(lang, "card", "card_number"),
    ]
    return fields, lang.say("place_order")


def _poll(lang: Language) -> tuple[list[Field], str]:
    options = (Option("1", lang.say("yes"), "1"), Option("0", lang.say("no"), "0"))
    return [Field("answer", "radio", "flag", lang.say("poll_question"), options=options)], lang.say("vote")


def _upload(lang: Language) -> tuple[list[Field], str]:
    return [Field("upload", "file", "personal", lang.say("choose_file"))], lang.say("upload")


def _delete(lang: Language) -> tuple[list[Field], str]:
    entry = Field("id", "hidden", "fixed", "", value="42")
    sure = Field("sure", "checkbox", "flag", lang.say("delete_confirm"), value="1")
    return [entry, sure], lang.say("delete_entry")


def _unsubscribe(lang: Language) -> tuple[list[Field], str]:
    return [_typed(lang, "q", "email")], lang.say("unsubscribe")


def _report(lang: Language) -> tuple[list[Field], str]:
    return [
        _typed(lang, "reason", "report_reason"),
        Field("entry", "hidden", "fixed", "", value="9"),
    ], lang.say("report")


def _language(lang: Language) -> tuple[list[Field], str]:
    names = (("en", "English"), ("de", "Deutsch"), ("fr", "Fran\u00e7ais"), ("es", "Espa\u00f1ol"))
    options = tuple(Option(code, name, code) for code, name in names)
    return [Field("lang", "select", "flag", lang.say("choose_language"), options=options)], "OK"


def _cookies(lang: Language) -> tuple[list[Field], str]:
    return [Field("accept", "hidden", "fixed", "", value="all")], lang.say("accept_cookies")


def _track_order(lang: Language) -> tuple[list[Field], str]:
    return [Field("q", "search", "personal", lang.say("order_number"))], lang.say("track_order")


def _find_account(lang: Language) -> tuple[list[Field], str]:
    return [_typed(lang, "search", "email"), _typed(lang, "phone", "phone", "tel")], lang.say("find_account")


def _coupon(lang: Language) -> tuple[list[Field], str]:
    return [_typed(lang, "code", "coupon")], lang.say("redeem")


def _booking(lang: Language) -> tuple[list[Field], str]:
    guests = tuple(Option(str(n), str(n), str(n)) for n in range(1, 7))
    fields = [
        Field("arrival", "date", "personal", lang.say("arrival")),
        Field("departure", "date", "personal", lang.say("departure")),
        Field("guests", "select", "flag", lang.say("guests"), options=guests, value="2"),
        _typed(lang, "name", "your_name"),
    ]
    return fields, lang.say("book_now")


def _search_alert(lang: Language) -> tuple[list[Field], str]:
    words = Field("query", "search", "keywords", lang.say("search_term"))
    return [words, _typed(lang, "mail", "email")], lang.say("search_and_subscribe")


def _invite(lang: Language) -> tuple[list[Field], str]:
    return [_typed(lang, "friend", "email", "email"), _typed(lang, "text", "message", "textarea")], lang.say(
        "invite_friend"
    )


def _petition(lang: Language) -> tuple[list[Field], str]:
    return [_typed(lang, "name", "your_name"), _typed(lang, "email", "email")], lang.say("sign_petition")


def _callback(lang: Language) -> tuple[list[Field], str]:
    return [_typed(lang, "phone", "phone", "tel")], lang.say("request_callback")


_MAKERS: dict[str, Callable[[Language], tuple[list[Field], str]]] = {
    "login": _login, "registration": _registration, "recovery": _recovery, "newsletter": _newsletter,
    "contact": _contact, "comment": _comment, "cart": _cart, "order": _order, "poll": _poll, "upload": _upload,
    "delete": _delete, "unsubscribe": _unsubscribe, "report": _report, "language": _language, "cookies": _cookies,
    "track_order": _track_order, "find_account": _find_account, "coupon": _coupon, "booking": _booking,
    "search_alert": _search_alert, "invite": _invite, "petition": _petition, "callback": _callback,
}  # fmt: skip
