"""How a control changes the value it is given: the value sanitisation of the HTML standard, type by type.

Where Chromium goes beyond the standard we do as it does: a colour is read as in CSS, and a range is moved in decimal steps, so that
a third step of 0.1 is 0.3.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import TYPE_CHECKING

from hiddenweb import urls

if TYPE_CHECKING:
    from hiddenweb.model import Field

_ASCII_SPACE = " \t\n\f\r"
_ONE_LINE = frozenset({"", "text", "search", "tel", "password"})
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?")
_MONTH = re.compile(r"(\d{4,6})-(\d\d)")
_WEEK = re.compile(r"(\d{4,6})-W(\d\d)")
_DAY = re.compile(r"(\d{4,6})-(\d\d)-(\d\d)")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?")
_LAST_DAY = (275_760, 9, 13)  # year, month, day: the last one in ECMAScript, which has only its midnight
_LAST_WEEK = (275_760, 37)  # year and week of that day
_LARGEST = Decimal("1.7976931348623157e308")
_DEFAULT_MAXIMUM = Decimal(100)  # of a range, as the HTML standard says
_YEARS_OF_CYCLE = 400  # years after which the Gregorian calendar repeats itself
_LAST_YEAR_OF_PYTHON = 9999  # that a `date` can hold
_MIN_EXPONENT = -1023
"""Power of ten: Chromium reads smaller numbers as 0 (`python -m benchmarks forms`)."""

_DIGITS = Context(prec=18)  # significant digits: as many as Chromium counts (`python -m benchmarks forms`)
_MAX_NUMBER = 24  # characters that Chromium writes without an exponent (`python -m benchmarks forms`)


def sanitise(field: Field, value: str | None = None) -> str:
    """Return the value that a control has after it is given `value`, or else that of the page."""
    value = field.value if value is None else value
    kind = field.kind
    if kind in _ONE_LINE:
        return _drop_line_breaks(value)
    if kind in ("url", "email"):
        value = _drop_line_breaks(value)
        parts = value.split(",") if kind == "email" and field.multiple else [value]
        parts = [part.strip(_ASCII_SPACE) for part in parts]
        return ",".join(map(_encode_host, parts) if kind == "email" else parts)
    if kind == "number":
        return value if _number(value) is not None else ""
    if kind == "range":
        return _range(field, value)
    if kind == "color":
        return _colour(value)
    valid = _VALID.get(kind)
    if valid is not None:
        return value if valid(value) else ""
    if kind == "datetime-local":
        return _moment(value)
    return value


def _drop_line_breaks(value: str) -> str:
    return value.replace("\r", "").replace("\n", "") if "\r" in value or "\n" in value else value


def _encode_host(address: str) -> str:
    """Return an e-mail address with its host in ASCII, as the DNS has it."""
    before, at, host = address.rpartition("@")
    if not at or host.isascii() or not before.isascii():
        return address
    plain = urls.normalise_url(f"http://{host}/")
    return f"{before}@{urls.host(plain)}" if plain else address


# Numbers


def _number(written: str) -> Decimal | None:
    """Return a valid floating-point number; None for anything else, and for numbers that are too large."""
    if not _NUMBER.fullmatch(written) or not written.isascii():
        return None
    try:
        number = Decimal(written)
    except InvalidOperation:  # no Decimal has so large an exponent
        return Decimal(0) if "e-" in written.lower() else None
    if not number or number.adjusted() < _MIN_EXPONENT:
        return Decimal(0)
    return number if number.copy_abs() <= _LARGEST else None


def _range(field: Field, value: str) -> str:
    """Return the value of a slider: in its bounds, on a step, in the middle if the value is no number."""
    lowest = _number(field.minimum)
    low = lowest if lowest is not None else Decimal(0)
    high = max(_or(_number(field.maximum), _DEFAULT_MAXIMUM), low)
    wanted = _or(_number(value), low + (high - low) / 2)
    wanted = min(max(wanted, low), high)
    step = _step(field.step)
    if step is None:
        return _write_number(wanted)
    base = lowest if lowest is not None else _or(_number(field.value), Decimal(0))
    steps = _DIGITS.divide(wanted - base, step).to_integral_value(ROUND_HALF_UP)
    nearest = base + steps * step
    if nearest > high:
        nearest -= step
    elif nearest < low:
        nearest += step
    return _write_number(nearest if low <= nearest <= high else wanted)


def _step(written: str) -> Decimal | None:
    """Return the step of a slider; None if any number is allowed."""
    if written.lower() == "any":
        return None
    step = _number(written)
    return step if step is not None and step > 0 else Decimal(1)


def _or(number: Decimal | None, other: Decimal) -> Decimal:
    return number if number is not None else other


def _write_number(number: Decimal) -> str:
    number = _DIGITS.plus(number)
    if not number:
        return "0"
    text = format(number, "f")
    if len(text) > _MAX_NUMBER:
        return format(number.normalize(), "e")
    return text.rstrip("0").rstrip(".") if "." in text else text


# Dates and times


def _is_month(written: str) -> bool:
    found = _MONTH.fullmatch(written)
    if found is None or not written.isascii():
        return False
    year, month = map(int, found.groups())
    return year > 0 and 1 <= month <= 12 and (year, month) <= _LAST_DAY[:2]


def _is_week(written: str) -> bool:
    found = _WEEK.fullmatch(written)
    if found is None or not written.isascii():
        return False
    year, week = map(int, found.groups())
    return year > 0 and 1 <= week <= _weeks(year) and (year, week) <= _LAST_WEEK


def _is_day(written: str) -> bool:
    found = _DAY.fullmatch(written)
    if found is None or not written.isascii():
        return False
    year, month, day = map(int, found.groups())
    try:
        date(_like_year(year), month, day)
    except ValueError:
        return False
    return (year, month, day) <= _LAST_DAY


def _is_time(written: str) -> bool:
    return _TIME.fullmatch(written) is not None and written.isascii()


def _moment(written: str) -> str:
    """Return a local date and time in its normal form, or ""."""
    day, _, time = written.replace(" ", "T", 1).partition("T")
    clock = _TIME.fullmatch(time)
    if not clock or not _is_day(day) or not time.isascii():
        return ""
    fraction = (clock[4] or "").rstrip("0")
    seconds = f":{clock[3]}" if clock[3] and (clock[3] != "00" or fraction) else ""
    is_midnight = time[:5] == "00:00" and not seconds
    if not is_midnight and tuple(map(int, day.split("-"))) == _LAST_DAY:
        return ""
    return f"{day}T{clock[1]}:{clock[2]}{seconds}{'.' + fraction if fraction else ''}"


def _weeks(year: int) -> int:
    return date(_like_year(year), 12, 28).isocalendar().week


def _like_year(year: int) -> int:
    """Return a year that Python supports with the same calendar: it repeats every 400 years."""
    return (year - 1) % _YEARS_OF_CYCLE + 2001 if year > _LAST_YEAR_OF_PYTHON else year


_VALID = {"month": _is_month, "week": _is_week, "date": _is_day, "time": _is_time}

# Colours


def _colour(written: str) -> str:
    """Return a colour of CSS as #rrggbb, without its transparency; black for anything else."""
    colour = written.strip(_ASCII_SPACE).lower()
    found = re.fullmatch(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", colour)
    if found:
        digits = found[1] if len(found[1]) > 4 else "".join(digit * 2 for digit in found[1])
        return f"#{digits[:6]}"
    if found := re.fullmatch(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/][^)]*)?\)", colour):
        return "#" + "".join(f"{min(int(part[:9]), 255):02x}" for part in found.groups())
    return f"#{_NAMED.get(colour, '000000')}"


_COLOURS = """
    aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4
    black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a burlywood:deb887 cadetblue:5f9ea0
    chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c cyan:00ffff
    darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 darkgreen:006400 darkgrey:a9a9a9
    darkkhaki:bdb76b darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc darkred:8b0000
    darksalmon:e9967a darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f
    darkturquoise:00ced1 darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969
    dodgerblue:1e90ff firebrick:b22222 floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc
    ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520 gray:808080 green:008000 greenyellow:adff2f grey:808080
    honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c indigo:4b0082 ivory:fffff0 khaki:f0e68c lavender:e6e6fa
    lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080 lightcyan:e0ffff
    lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3 lightpink:ffb6c1
    lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:778899 lightslategrey:778899
    lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00 limegreen:32cd32 linen:faf0e6 magenta:ff00ff maroon:800000
    mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db mediumseagreen:3cb371
    mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc mediumvioletred:c71585
    midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead navy:000080
    oldlace:fdf5e6 olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 orchid:da70d6 palegoldenrod:eee8aa
    palegreen:98fb98 paleturquoise:afeeee palevioletred:db7093 papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f
    pink:ffc0cb plum:dda0dd powderblue:b0e0e6 purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f
    royalblue:4169e1 saddlebrown:8b4513 salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee sienna:a0522d
    silver:c0c0c0 skyblue:87ceeb slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa springgreen:00ff7f
    steelblue:4682b4 tan:d2b48c teal:008080 thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0 violet:ee82ee
    wheat:f5deb3 white:ffffff whitesmoke:f5f5f5 yellow:ffff00 yellowgreen:9acd32
"""
_NAMED = dict(pair.split(":") for pair in _COLOURS.split())
