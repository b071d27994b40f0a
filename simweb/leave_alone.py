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
    from simweb.voice import Voice


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


def make_form(purpose: str, voice: Voice, chance: Random, key: str) -> Form:
    """Return a form of a purpose, in the words of a site; its key makes its address one of its own."""
    fields, button = _MAKERS[purpose](voice)
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


def _text_field(
    voice: Voice, name: str, phrase: str, control: Control = "text", required: bool = False
) -> Field:
    return Field(name, control, "personal", voice.say(phrase), required=required)


def _login(voice: Voice) -> tuple[list[Field], str]:
    remember = Field("remember", "checkbox", "flag", voice.say("remember_me"), value="1")
    user = _text_field(voice, "user", "user_name")
    return [user, _text_field(voice, "password", "password", "password"), remember], voice.say("log_in")


def _registration(voice: Voice) -> tuple[list[Field], str]:
    fields = [
        _text_field(voice, "first_name", "first_name"),
        _text_field(voice, "last_name", "last_name"),
        _text_field(voice, "email", "email", "email", required=True),
        _text_field(voice, "password", "password", "password", required=True),
        _text_field(voice, "password2", "confirm_password", "password", required=True),
    ]
    return fields, voice.say("create_account")


def _recovery(voice: Voice) -> tuple[list[Field], str]:
    return [_text_field(voice, "email", "email")], voice.say("recover")


def _newsletter(voice: Voice) -> tuple[list[Field], str]:
    return [_text_field(voice, "mail", "email")], voice.say("subscribe")


def _contact(voice: Voice) -> tuple[list[Field], str]:
    fields = [
        _text_field(voice, "name", "your_name"),
        _text_field(voice, "email", "email", "email"),
        _text_field(voice, "subject", "subject"),
        _text_field(voice, "message", "message", "textarea"),
    ]
    return fields, voice.say("send")


def _comment(voice: Voice) -> tuple[list[Field], str]:
    entry = Field("entry", "hidden", "fixed", "", value="17")
    return [
        _text_field(voice, "author", "your_name"),
        _text_field(voice, "text", "write_comment", "textarea"),
        entry,
    ], voice.say("post_comment")


def _cart(voice: Voice) -> tuple[list[Field], str]:
    item = Field("item", "hidden", "fixed", "", value="4711")
    quantity = Field("quantity", "number", "fixed", voice.say("quantity"), value="1")
    return [item, quantity], voice.say("add_to_cart")


def _order(voice: Voice) -> tuple[list[Field], str]:
    fields = [
        _text_field(voice, "address", "address", "textarea"),
        _text_field(voice, "postal_code", "postal_code"),
        _text_field(voice, "card", "card_number"),
    ]
    return fields, voice.say("place_order")


def _poll(voice: Voice) -> tuple[list[Field], str]:
    options = (Option("1", voice.say("yes"), "1"), Option("0", voice.say("no"), "0"))
    return [Field("answer", "radio", "flag", voice.say("poll_question"), options=options)], voice.say("vote")


def _upload(voice: Voice) -> tuple[list[Field], str]:
    return [Field("upload", "file", "personal", voice.say("choose_file"))], voice.say("upload")


def _delete(voice: Voice) -> tuple[list[Field], str]:
    entry = Field("id", "hidden", "fixed", "", value="42")
    sure = Field("sure", "checkbox", "flag", voice.say("delete_confirm"), value="1")
    return [entry, sure], voice.say("delete_entry")


def _unsubscribe(voice: Voice) -> tuple[list[Field], str]:
    return [_text_field(voice, "q", "email")], voice.say("unsubscribe")


def _report(voice: Voice) -> tuple[list[Field], str]:
    return [
        _text_field(voice, "reason", "report_reason"),
        Field("entry", "hidden", "fixed", "", value="9"),
    ], voice.say("report")


def _language(voice: Voice) -> tuple[list[Field], str]:
    names = (("en", "English"), ("de", "Deutsch"), ("fr", "Fran\u00e7ais"), ("es", "Espa\u00f1ol"))
    options = tuple(Option(code, name, code) for code, name in names)
    return [Field("lang", "select", "flag", voice.say("choose_language"), options=options)], "OK"


def _cookies(voice: Voice) -> tuple[list[Field], str]:
    return [Field("accept", "hidden", "fixed", "", value="all")], voice.say("accept_cookies")


def _track_order(voice: Voice) -> tuple[list[Field], str]:
    return [Field("q", "search", "personal", voice.say("order_number"))], voice.say("track_order")


def _find_account(voice: Voice) -> tuple[list[Field], str]:
    return [_text_field(voice, "search", "email"), _text_field(voice, "phone", "phone", "tel")], voice.say(
        "find_account"
    )


def _coupon(voice: Voice) -> tuple[list[Field], str]:
    return [_text_field(voice, "code", "coupon")], voice.say("redeem")


def _booking(voice: Voice) -> tuple[list[Field], str]:
    guests = tuple(Option(str(n), str(n), str(n)) for n in range(1, 7))
    fields = [
        Field("arrival", "date", "personal", voice.say("arrival")),
        Field("departure", "date", "personal", voice.say("departure")),
        Field("guests", "select", "flag", voice.say("guests"), options=guests, value="2"),
        _text_field(voice, "name", "your_name"),
    ]
    return fields, voice.say("book_now")


def _search_alert(voice: Voice) -> tuple[list[Field], str]:
    words = Field("query", "search", "keywords", voice.say("search_term"))
    return [words, _text_field(voice, "mail", "email")], voice.say("search_and_subscribe")


def _invite(voice: Voice) -> tuple[list[Field], str]:
    return [
        _text_field(voice, "friend", "email", "email"),
        _text_field(voice, "text", "message", "textarea"),
    ], voice.say("invite_friend")


def _petition(voice: Voice) -> tuple[list[Field], str]:
    return [_text_field(voice, "name", "your_name"), _text_field(voice, "email", "email")], voice.say(
        "sign_petition"
    )


def _callback(voice: Voice) -> tuple[list[Field], str]:
    return [_text_field(voice, "phone", "phone", "tel")], voice.say("request_callback")


_MAKERS: dict[str, Callable[[Voice], tuple[list[Field], str]]] = {
    "login": _login, "registration": _registration, "recovery": _recovery, "newsletter": _newsletter,
    "contact": _contact, "comment": _comment, "cart": _cart, "order": _order, "poll": _poll, "upload": _upload,
    "delete": _delete, "unsubscribe": _unsubscribe, "report": _report, "language": _language, "cookies": _cookies,
    "track_order": _track_order, "find_account": _find_account, "coupon": _coupon, "booking": _booking,
    "search_alert": _search_alert, "invite": _invite, "petition": _petition, "callback": _callback,
}  # fmt: skip
