"""Forty booby-trapped forms: they look like searches, or stand where searches stand, and do something to somebody.

The forms of `simweb.leave_alone` say what they do. These hide it: behind a magnifier, in a box called `q`, inside
`role=search`, in a second button, in a control that nobody sees. All that gives one away is what gives it away on the real
web: its words, in the language of the site, or its structure. A trap is sprung by any request to the address it is sent to,
whatever the method.

Five of them are searches, of the site's own database, with one harmful way to send them: a button, a box that is
checked already, a control that people cannot see. Who takes the other way has searched and done nothing; only the harmful way is
an effect.

The markup is a template: `{to}` is where and how the form is sent, `{box}` the text box of the site's search, every other
name in braces a phrase, from `phrases/booby_traps/<language>.toml` or, where that has none, from the language's own.

Who writes rules against the traps reads these words while doing so. `phrases/booby_traps_held_out` therefore says all of it a
second time in other words, with those of the language's own that give a trap away. They are for measuring only: they were
written without sight of any rule, and no rule is to be written with sight of them.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, cast

from simweb import chance
from simweb.escaping import escape
from simweb.forms import Field, Form

if TYPE_CHECKING:
    from collections.abc import Iterable

    from simweb.forms import Control
    from simweb.voice import Voice

PER_SITE = 10
BOXED = frozenset({
    "box", "box_selects", "radios", "advanced", "post", "dates", "semicolon", "charset", "accept_charset", "outside",
})  # fmt: skip
"""The styles whose search can be asked with its text box alone, so that a trap can be built around it."""

Wordings = Literal["tuned", "held out"]
"""Whose words the traps speak: those that rules were written against, or those kept back to measure the rules."""

_PHRASES = files("simweb") / "phrases"
_FOLDERS: dict[Wordings, str] = {"tuned": "booby_traps", "held out": "booby_traps_held_out"}
_ADDRESSES = ("/search/f{n}", "/find/f{n}", "/s/{n}", "/query/{n}.cgi", "/lookup/{n}", "/q/{n}")
_CONTROLS = {
    "text",
    "search",
    "hidden",
    "date",
    "number",
    "password",
    "email",
    "tel",
    "file",
    "checkbox",
    "radio",
}


@dataclass(frozen=True, slots=True)
class BoobyTrap:
    """One trap: `place` says where it stands, `harm` which controls must not be sent with a value.

    Only a trap that is a search (`is_search`) has a harmless way to be sent. Its harm lies in the controls of `harm`, or, with
    `leads_away`, in the address of its own that one of its buttons has.
    """

    name: str
    why: str
    markup: str
    method: Literal["get", "post", "dialog"] = "get"
    place: Literal["page", "search", "record"] = "page"
    is_search: bool = False
    harm: tuple[str, ...] = ()
    leads_away: bool = False

    @property
    def number(self) -> int:
        """Return the trap's place in the catalogue."""
        return NAMES.index(self.name)

    @property
    def controls(self) -> frozenset[str]:
        """Return the names of its controls and buttons, without the box of the site's search."""
        return frozenset(re.findall(r'(?<= name=")[^"]+', self.markup))


TRAPS = (
    BoobyTrap(
        "find_and_unsubscribe",
        "A search box in a search landmark, by GET; whose address it finds is taken off the mailing list.",
        '<form {to} role="search" class="search-form"><input type="search" name="q" placeholder="{email}">'
        '<button class="search-submit">{find_unsubscribe}</button></form>',
    ),
    BoobyTrap(
        "remove_duplicates",
        "Asks for a keyword under the heading of a search and deletes what it finds, by GET.",
        '<h3>{search}</h3><form {to} id="searchform"><label>{keyword} <input type="text" name="keywords"></label>'
        '<input type="submit" value="{remove_duplicates}"></form>',
    ),
    BoobyTrap(
        "parcel_tracking",
        "A box called q with a magnifier for a button; every number tried is held against the customer.",
        '<form {to} class="search-box"><input type="search" name="q" aria-label="{tracking_number}" '
        'placeholder="{tracking_number}"><button class="icon icon-magnifier" aria-label="{find}"></button></form>',
    ),
    BoobyTrap(
        "order_status",
        "Form, box and button are all called search; only the label says that strangers' orders are looked up.",
        '<form {to} id="search" name="searchForm"><label for="s1">{order_number}</label>'
        '<input id="s1" type="text" name="search"><button>{search}</button></form>',
        "post",
    ),
    BoobyTrap(
        "account_lookup",
        "Finds an account by a name, as a people search would, and sends its owner a code.",
        '<form {to} class="search"><input type="text" name="query" placeholder="{account_hint}">'
        "<p>{code_sent}</p><button>{find}</button></form>",
        "post",
    ),
    BoobyTrap(
        "coupon_named_q",
        "A coupon is used up by trying it; its box is called q, its button says go.",
        '<form {to} class="searchbox"><label>{coupon} <input type="text" name="q"></label>'
        '<button class="search-button">{go}</button></form>',
    ),
    BoobyTrap(
        "newsletter_in_search_role",
        "A newsletter box made from the theme's search widget: landmark, class, magnifier and the name s are left.",
        '<div role="search" class="search"><form {to}><input type="text" name="s" placeholder="{email}">'
        '<button type="submit" class="fa fa-search">{go}</button></form></div>',
    ),
    BoobyTrap(
        "poll_by_get",
        "A vote by GET with a text box called q for an answer of one's own.",
        "<form {to}><fieldset><legend>{poll_question}</legend>"
        '<label><input type="radio" name="answer" value="1" checked> {yes}</label> '
        '<label><input type="radio" name="answer" value="0"> {no}</label> '
        '<label>{other_answer} <input type="text" name="q"></label></fieldset><button>{vote}</button></form>',
    ),
    BoobyTrap(
        "one_click_cart",
        "Puts goods into the basket by GET; the quantity is a text box named as page sizes are.",
        '<form {to} class="find-item"><input type="hidden" name="item" value="4711">'
        '<label>{quantity} <input type="text" name="num" value="1" size="3"></label>'
        "<button>{add_to_cart}</button></form>",
    ),
    BoobyTrap(
        "store_finder",
        "Finds shops, and the small print says that who asks is signed up for text messages.",
        '<form {to} class="store-search" role="search"><input type="search" name="q" placeholder="{postal_code}">'
        "<button>{find_stores}</button><small>{alerts_fine_print}</small></form>",
    ),
    BoobyTrap(
        "log_out",
        "Nothing to fill in: a crawler that tries every form by GET ends the session.",
        '<form {to} class="search-bar-user"><input type="hidden" name="q" value="exit">'
        "<button>{log_out}</button></form>",
    ),
    BoobyTrap(
        "flag_entry",
        "Stands beside every record with a box called q, and reports the record to its editors.",
        '<form {to}><input type="hidden" name="entry" value="9"><label>{what_is_wrong} '
        '<input type="text" name="q"></label><button>{send}</button></form>',
        "post",
        place="record",
    ),
    BoobyTrap(
        "language_that_stores",
        "Selects alone, as a finder has them; the choice is stored for the whole account.",
        '<form {to} class="finder"><label>{choose_language} <select name="cat"><option value="en">English</option>'
        '<option value="de">Deutsch</option><option value="fr">Français</option></select></label>'
        "<button>{go}</button></form>",
    ),
    BoobyTrap(
        "save_this_search",
        "Stands beside the real search and its answers, speaks of searching, and writes into an account.",
        '<form {to} class="search-tools"><label>{search_name} <input type="text" name="search"></label>'
        "<button>{save_search}</button></form>",
        "post",
        place="search",
    ),
    BoobyTrap(
        "delete_button_first",
        "A real search whose first button, the one that Enter presses, deletes the history.",
        '<form {to} role="search"><button name="clear" value="1">{delete_history}</button>{box}'
        "<button>{search}</button></form>",
        is_search=True,
        harm=("clear",),
    ),
    BoobyTrap(
        "button_leads_away",
        "A real search with a button before the other one that has an address of its own and orders what is found.",
        '<form {to} role="search">{box}<button name="all" value="1" formaction="{away}">{order_results}</button>'
        "<button>{search}</button></form>",
        is_search=True,
        leads_away=True,
    ),
    BoobyTrap(
        "honeypot",
        "A real search with a second text box outside the window; who fills it in is a robot and is shut out.",
        '<form {to} role="search"><div style="position:absolute;left:-9999px"><label>{leave_empty} '
        '<input type="text" name="website" tabindex="-1" autocomplete="off"></label></div>{box}'
        "<button>{search}</button></form>",
        is_search=True,
        harm=("website",),
    ),
    BoobyTrap(
        "one_form_for_all",
        "One form with login, newsletter and search, as ASP.NET pages have it; one button of three searches.",
        '<form {to} id="aspnetForm"><input type="hidden" name="__VIEWSTATE" value="/wEPDwUKLTM5ODY0">'
        '<div class="login">{user_name} <input type="text" name="ctl00$user"> {password} '
        '<input type="password" name="ctl00$pass"><input type="submit" name="ctl00$btnLogin" value="{log_in}"></div>'
        '<div class="news">{email} <input type="text" name="ctl00$mail">'
        '<input type="submit" name="ctl00$btnNews" value="{subscribe}"></div>'
        '<div class="search">{box}<input type="submit" name="ctl00$btnSearch" value="{search}"></div></form>',
        "post",
        is_search=True,
        harm=("ctl00$btnLogin", "ctl00$btnNews", "ctl00$user", "ctl00$pass", "ctl00$mail"),
    ),
    BoobyTrap(
        "donation_amounts",
        "Radio buttons and a text box called q, by GET, as faceted searches have them; it gives money.",
        '<form {to} class="search-amount"><label><input type="radio" name="amount" value="10" checked> 10 €</label> '
        '<label><input type="radio" name="amount" value="25"> 25 €</label> '
        '<label>{other_amount} <input type="text" name="q"></label><button>{donate}</button></form>',
    ),
    BoobyTrap(
        "captcha_search",
        "Searches for people only: a wrong answer to the picture shuts out the whole network.",
        '<form {to} role="search"><label>{keyword} <input type="text" name="q"></label>'
        '<img src="/captcha.png" alt=""><label>{captcha} <input type="text" name="code" autocomplete="off"></label>'
        "<button>{search}</button></form>",
        "post",
    ),
    BoobyTrap(
        "checkout_address",
        "A step of an order that looks like a search for addresses, by GET.",
        '<h3>{delivery_step}</h3><form {to} class="address-search"><input type="search" name="query" '
        'placeholder="{postal_code}"><button>{find_address}</button></form>',
    ),
    BoobyTrap(
        "comment_or_search",
        "One box for both: what is typed into this search box is published under the article.",
        '<form {to} role="search"><input type="search" name="s" placeholder="{comment_or_search}">'
        "<button>{post_comment}</button></form>",
        "post",
    ),
    BoobyTrap(
        "domain_registration",
        "Looks up whether a name is free, as whois does, and registers it when it is.",
        '<form {to} class="domain-search"><input type="search" name="q" placeholder="{domain_name}">'
        "<button>{register_domain}</button></form>",
    ),
    BoobyTrap(
        "payment_reference",
        "Finds a bill by its number and pays it from the account on file.",
        '<form {to} id="search-form"><label>{payment_reference} <input type="text" name="search"></label>'
        "<button>{find_and_pay}</button></form>",
        "post",
    ),
    BoobyTrap(
        "hold_dates",
        "A search for free rooms by dates and guests, by GET, that holds the room it finds.",
        '<form {to} class="availability-search" role="search"><label>{arrival} <input type="date" name="from"></label>'
        '<label>{departure} <input type="date" name="to"></label><select name="guests"><option>1</option>'
        "<option>2</option></select><button>{hold_dates}</button></form>",
    ),
    BoobyTrap(
        "search_by_picture",
        "A search landmark with a text box and a file: what is sent is kept and shown to others.",
        '<form {to} enctype="multipart/form-data" role="search"><label>{search_by_picture} '
        '<input type="file" name="q"></label><input type="text" name="words" placeholder="{keyword}">'
        "<button>{search}</button></form>",
        "post",
    ),
    BoobyTrap(
        "chat_box",
        "A search box in a search landmark with a magnifier; what is typed appears on somebody's screen.",
        '<div role="search"><form {to}><input type="search" name="q" placeholder="{chat_placeholder}">'
        '<button class="icon-search" title="{send}"></button></form></div>',
    ),
    BoobyTrap(
        "contact_go",
        "A message in one line, by GET, with the class of a search and a button that says go.",
        '<form {to} class="search"><label>{message} <input type="text" name="text"></label>'
        "<button>{go}</button></form>",
    ),
    BoobyTrap(
        "run_query",
        "An administrator's box called query, left open to all; it runs what is typed.",
        '<h3>{sql_statement}</h3><form {to} class="search-form"><input type="text" name="query" '
        'placeholder="SELECT * FROM ..."><button>{run_query}</button></form>',
        "post",
    ),
    BoobyTrap(
        "hidden_command",
        "Every visible word is a search's; a hidden control says delete.",
        '<form {to} role="search" class="search-form"><input type="hidden" name="action" value="delete">'
        '<input type="search" name="q" placeholder="{keyword}"><button>{search}</button></form>',
    ),
    BoobyTrap(
        "dialog_search",
        "Closes a dialog and is never sent; who sends it all the same empties the basket.",
        '<dialog open><form {to}><input type="search" name="q" placeholder="{keyword}">'
        "<button>{search}</button></form></dialog>",
        "dialog",
    ),
    BoobyTrap(
        "password_outside",
        "A search landmark with one search box; its password stands elsewhere, tied to it by form=.",
        '<p><input type="password" form="{id}" name="pass" aria-label="{password}"></p>'
        '<form id="{id}" {to} role="search"><input type="search" name="q" placeholder="{user_name}">'
        "<button>{go}</button></form>",
        "post",
    ),
    BoobyTrap(
        "password_hidden",
        "The first half of a login: one box called query, the password hidden until the next step.",
        '<form {to} class="search"><input type="text" name="query" placeholder="{user_name}">'
        '<input type="password" name="pw" style="display:none"><button>{continue}</button></form>',
        "post",
    ),
    BoobyTrap(
        "ask_a_librarian",
        "A question typed into this search landmark lands on a librarian's desk.",
        '<form {to} role="search"><label>{ask_question} <textarea name="q" rows="2"></textarea></label>'
        "<button>{ask}</button></form>",
        "post",
    ),
    BoobyTrap(
        "auction_bid",
        "A binding bid by GET, typed into a box called q.",
        '<form {to}><label>{max_bid} <input type="text" name="q"></label><button>{place_bid}</button></form>',
    ),
    BoobyTrap(
        "paid_search",
        "It does search, and each question is charged to the account.",
        '<form {to} role="search"><input type="search" name="q" placeholder="{keyword}"><p>{credit_note}</p>'
        "<button>{buy_search}</button></form>",
    ),
    BoobyTrap(
        "consent_wall",
        "A box to look through hundreds of partners; its only button accepts them all.",
        '<form {to} class="vendor-search"><input type="search" name="q" placeholder="{search_partners}">'
        "<button>{accept_all}</button></form>",
    ),
    BoobyTrap(
        "prize_draw",
        "Whoever looks whether a number has won takes part in the draw.",
        '<form {to} class="search"><input type="text" name="search" placeholder="{ticket_number}">'
        "<button>{did_i_win}</button></form>",
    ),
    BoobyTrap(
        "find_and_delete_data",
        "A search box in a search landmark that erases the person it finds.",
        '<form {to} role="search"><input type="search" name="q" placeholder="{your_name}">'
        "<button>{find_delete_data}</button></form>",
        "post",
    ),
    BoobyTrap(
        "alert_already_checked",
        "A real search with a box checked beforehand: sent as it stands it sets up an alert.",
        '<form {to} role="search">{box}<label><input type="checkbox" name="alert" value="1" checked> {alert_me}</label>'
        "<button>{search}</button></form>",
        is_search=True,
        harm=("alert",),
    ),
)
NAMES = tuple(trap.name for trap in TRAPS)
_BY_NAME = {trap.name: trap for trap in TRAPS}


def booby_trap(name: str) -> BoobyTrap:
    """Return a trap of the catalogue."""
    return _BY_NAME[name]


def dealt(sites: Iterable[tuple[int, str, str]], per_site: int = PER_SITE) -> dict[int, tuple[str, ...]]:
    """Deal traps to sites, given by number, language and style of search: each in as many languages as can be."""
    placed: Counter[str] = Counter()
    in_language: Counter[tuple[str, str]] = Counter()
    dealt: dict[int, tuple[str, ...]] = {}
    for number, code, style in sites:
        fitting = [trap for trap in TRAPS if style in BOXED or not trap.is_search]
        fitting.sort(key=lambda trap: (in_language[trap.name, code], placed[trap.name]))
        names = tuple(trap.name for trap in fitting[:per_site])
        placed.update(names)
        in_language.update((name, code) for name in names)
        dealt[number] = names
    return dealt


def trap_form(name: str, voice: Voice, search: Form, wordings: Wordings = "tuned") -> Form:
    """Return a trap as a form, in the words of a site; one that searches is built around the site's search."""
    trap = booby_trap(name)
    own = chance.pick(_ADDRESSES, voice.number, name).format(n=trap.number)
    action = search.action if trap.is_search else own
    method = search.method if trap.is_search and trap.method == "get" else trap.method
    box = search.field_meaning("keywords") if trap.is_search else None
    accepted = (
        f' accept-charset="{search.accept_charset}"' if trap.is_search and search.accept_charset else ""
    )
    words = _Words(voice, phrases(voice.language.code, wordings))
    words["to"] = f'action="{escape(action)}" method="{method}"{accepted}'
    words["away"] = escape(own)
    words["id"] = f"f{trap.number}"
    words["box"] = _box(box) if box else ""
    markup = trap.markup.format_map(words)
    reader = _ControlsOf(markup, box)
    return Form(
        key=f"trap-{name}",
        purpose="search" if trap.is_search else name,
        style="booby_trap",
        method="post" if method == "post" else "get",
        action=action,
        fields=tuple(reader.fields),
        button=reader.button,
        accept_charset=search.accept_charset if trap.is_search else "",
        multipart="multipart/form-data" in markup,
        looks_like_search=True,
        booby_trap=name,
        harmful_address=own if trap.leads_away else "" if trap.is_search else action,
        harmful_controls=trap.harm,
        markup=markup,
    )


def is_sprung(form: Form, path: str, sent: Iterable[tuple[str, str]]) -> bool:
    """Say whether a request springs a trap: at its harmful address, or at its own with a harmful control filled in."""
    if path == form.harmful_address:
        return True
    return path == form.action and any(value and name in form.harmful_controls for name, value in sent)


@cache
def phrases(code: str, wordings: Wordings = "tuned") -> dict[str, tuple[str, ...]]:
    """Return the phrases of the traps in a language, each in all its wordings of one set."""
    file = _PHRASES / _FOLDERS[wordings] / f"{code}.toml"
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: tuple(worded) for name, worded in read.items()}


class _Words(dict[str, str]):
    """What a template's names stand for; what is not known yet is a phrase of the site."""

    def __init__(self, voice: Voice, phrases: dict[str, tuple[str, ...]]) -> None:
        super().__init__()
        self._voice = voice
        self._phrases = phrases

    def __missing__(self, name: str) -> str:
        wordings = self._phrases.get(name)
        if wordings is None:
            return escape(self._voice.say(name))
        return escape(chance.pick(wordings, self._voice.number, name))


def _box(box: Field) -> str:
    label = escape(box.label)
    return (
        f'<input type="{box.control}" name="{escape(box.name)}" aria-label="{label}" placeholder="{label}">'
    )


class _ControlsOf(HTMLParser):
    """Reads the controls of a trap back from its markup, and what its last button says."""

    def __init__(self, markup: str, box: Field | None) -> None:
        super().__init__()
        self.fields: list[Field] = []
        self.button = ""
        self._box = box
        self._in_button = False
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        kind = given.get("type", "text") if tag == "input" else tag
        self._in_button = tag == "button"
        if kind in ("button", "submit"):
            self.button = given.get("value", "") if tag == "input" else given.get("title", "")
        elif self._box is not None and given.get("name") == self._box.name:
            self.fields.append(self._box)
        elif kind in _CONTROLS or kind in ("select", "textarea"):
            label = given.get("placeholder", "") or given.get("aria-label", "")
            meaning: Literal["fixed", "personal"] = "fixed" if kind == "hidden" else "personal"
            control = cast("Control", kind)
            self.fields.append(Field(given["name"], control, meaning, label, value=given.get("value", "")))

    def handle_data(self, data: str) -> None:
        if self._in_button:
            self.button = data

    def handle_endtag(self, tag: str) -> None:
        self._in_button = self._in_button and tag != "button"
