"""From a filled form to a request, as a browser makes it.

The entry list is built in tree order from the controls that count (HTML standard, "constructing the entry list"):
the chosen options of selects, checked boxes, what stands in text controls, hidden values, and the default button, as if
somebody had pressed Enter in the text box. Names and values are then encoded in the form's charset, with `&#8364;` for
characters it lacks, and serialised as `application/x-www-form-urlencoded` (URL standard): letters, digits and `*-._`
stand for themselves, a space is `+`, all other bytes are `%XX`. GET puts the result in the place of the action's query,
POST into the body.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from hiddenweb.items import Query

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiddenweb.items import Field, Form

FREE_TEXT = frozenset({"", "text", "search"})
URLENCODED = "application/x-www-form-urlencoded"

_SUBMIT = frozenset({"submit", "image"})
_UNSENT = frozenset({"button", "reset", "object", "output", "fieldset"})
_ONE_LINE = FREE_TEXT | {"password", "tel", "url", "email"}
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")
_ESCAPED = tuple(
    chr(byte) if byte in _PLAIN else "+" if byte == 0x20 else f"%{byte:02X}" for byte in range(256)
)
_NEWLINE = re.compile(r"\r\n?|\n")

# Labels whose meaning on the web is not Python's (Encoding standard), and what UTF-16 pages send.
_CODECS = {
    "ascii": "cp1252", "us-ascii": "cp1252", "iso-8859-1": "cp1252", "latin1": "cp1252", "iso8859-1": "cp1252",
    "iso-8859-9": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874", "windows-874": "cp874",
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "windows-31j": "cp932",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "big5": "big5hkscs", "gb2312": "gb18030", "gbk": "gb18030",
    "x-sjis": "cp932", "utf-16": "utf-8", "utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "utf-8",
}  # fmt: skip
_NAMES = {
    "utf-8": "UTF-8", "cp1252": "windows-1252", "cp1254": "windows-1254", "cp874": "windows-874",
    "cp932": "Shift_JIS", "cp949": "EUC-KR", "big5hkscs": "Big5", "gb18030": "gb18030",
}  # fmt: skip


class UnreadableForm(ValueError):
    """A form that cannot be submitted as it is; the message says what was found."""


def submission(form: Form, filled: Mapping[str, str]) -> Query:
    """Return the question that sends a form with some of its controls filled in, the others as they stand.

    Raises UnreadableForm for what a request cannot be made of: a control that is not there, files, other encodings
    than url-encoding, other schemes than http and https.
    """
    _refuse_unreadable(form, filled)
    codec = _codec(form.charset)
    entries = list(_entries(form, filled, _web_name(form.charset, codec)))
    encoded = serialised(entries, codec)
    box = text_box(form)
    query = Query(tuple(filled.items()), keyword=filled.get(box.name, "") if box else "")
    if form.method == "POST":
        return _posted(query, form.action, encoded)
    return Query(query.values, query.keyword, "GET", _with_query(form.action, encoded))


def text_box(form: Form) -> Field | None:
    """Return the only control of a form that takes free words, or None when there is none, or more than one."""
    boxes = [
        field
        for field in form.fields
        if field.kind in FREE_TEXT and field.name and not (field.disabled or field.readonly)
    ]
    return boxes[0] if len(boxes) == 1 else None


def serialised(entries: list[tuple[str, str]], codec: str = "utf-8") -> str:
    """Return names and values as a query string.

    >>> serialised([("q", "a b~*é"), ("price", "5 €")], "cp1250")
    'q=a+b%7E*%E9&price=5+%80'
    >>> serialised([("q", "日")], "latin-1")
    'q=%26%2326085%3B'
    """
    return "&".join(f"{_encoded(name, codec)}={_encoded(value, codec)}" for name, value in entries)


def _refuse_unreadable(form: Form, filled: Mapping[str, str]) -> None:
    where = f"{form.page_url}: the form at place {form.place}"
    if form.method not in ("GET", "POST"):
        raise UnreadableForm(f"{where} has the method {form.method}, wanted GET or POST")
    if urlsplit(form.action).scheme not in ("http", "https"):
        raise UnreadableForm(f"{where} is sent to {form.action!r}, wanted http or https")
    if form.method == "POST" and form.enctype != URLENCODED:
        raise UnreadableForm(f"{where} is sent as {form.enctype}, wanted {URLENCODED}")
    unknown = filled.keys() - {field.name for field in form.fields if not field.disabled}
    if unknown:
        raise UnreadableForm(f"{where} has no control named {', '.join(sorted(unknown))}")


def _entries(form: Form, filled: Mapping[str, str], charset: str) -> Iterator[tuple[str, str]]:
    """Yield names and values in the order in which the controls stand."""
    waiting = dict(filled)
    checked = {field.name: field for field in form.fields if field.kind == "radio" and field.checked}
    button = next((field for field in form.fields if field.kind in _SUBMIT), None)
    for field in form.fields:
        if field.disabled:
            continue
        if field.kind in _SUBMIT:
            if field is button:
                yield from _pressed(field)
        elif not field.name or field.kind in _UNSENT:
            continue
        elif field.kind == "select":
            yield from ((field.name, value) for value in _chosen(field, filled))
        elif field.kind in ("radio", "checkbox"):
            stands = checked.get(field.name) is field if field.kind == "radio" else field.checked
            if _is_checked(field, filled, stands):
                yield field.name, field.value
        else:
            value = waiting.pop(field.name, field.value)
            yield field.name, charset if _names_charset(field) else _typed(field, value)


def _pressed(button: Field) -> Iterator[tuple[str, str]]:
    """Yield what the default button adds; an image is pressed in its corner when nobody points at it."""
    if button.kind == "image":
        prefix = f"{button.name}." if button.name else ""
        yield from ((prefix + axis, "0") for axis in "xy")
    elif button.name:
        yield button.name, button.value


def _chosen(select: Field, filled: Mapping[str, str]) -> list[str]:
    """Return the values a select sends. A disabled option may be shown as chosen, and is not sent."""
    if select.name in filled:
        return [filled[select.name]]
    selected = [option for option in select.options if option.selected]
    if not select.multiple:
        first = next((option for option in select.options if not option.disabled), None)
        selected = selected[-1:] or ([first] if first else [])
    return [option.value for option in selected if not option.disabled]


def _is_checked(field: Field, filled: Mapping[str, str], as_it_stands: bool) -> bool:
    return filled[field.name] == field.value if field.name in filled else as_it_stands


def _names_charset(field: Field) -> bool:
    return field.kind == "hidden" and field.name.lower() == "_charset_"


def _typed(field: Field, value: str) -> str:
    """Return a value as the control holds it: one line in a box, no name of a file we do not have."""
    if field.kind == "file":
        return ""
    return value.replace("\r", "").replace("\n", "") if field.kind in _ONE_LINE else value


def _posted(query: Query, action: str, encoded: str) -> Query:
    url = urlunsplit(urlsplit(action)._replace(fragment=""))
    return Query(query.values, query.keyword, "POST", url, encoded.encode("ascii"), URLENCODED)


def _with_query(action: str, encoded: str) -> str:
    parts = urlsplit(action)
    before = urlunsplit(parts._replace(query="", fragment=""))
    return f"{before}?{encoded}"


def _encoded(text: str, codec: str) -> str:
    sent = _NEWLINE.sub("\r\n", text).encode(codec, "xmlcharrefreplace")
    return "".join([_ESCAPED[byte] for byte in sent])


def _codec(charset: str) -> str:
    """Return Python's name for what browsers understand by a charset label; UTF-8 where they know none."""
    label = charset.strip().lower()
    try:
        return _CODECS.get(label) or _CODECS.get(codecs.lookup(label).name) or codecs.lookup(label).name
    except LookupError:
        return "utf-8"


def _web_name(charset: str, codec: str) -> str:
    """Return the name a browser gives an encoding in a field called _charset_."""
    label = charset.strip().lower()
    if codec == "gb18030" and label != "gb18030":
        return "GBK"
    if codec in _NAMES:
        return _NAMES[codec]
    if codec.startswith("cp125"):
        return codec.replace("cp", "windows-")
    return codec.replace("_", "-").upper() if codec.startswith("iso") else charset
