"""The features of a form in words, to explain a verdict to people."""

from __future__ import annotations

OF_TYPE_SEARCH = "type=search"
"""The evidence of a box that says "search" by its type, not in words."""

_PLACE_WORDS = {
    "button": "its button says",
    "button name": "its button is called",
    "box": "a box says",
    "box name": "a box is called",
    "only box": "its only box says",
    "select": "a select says",
    "option": "a select offers",
    "choice": "a choice says",
    "hidden": "a hidden control is called",
    "name": "its name says",
    "address": "its address says",
    "around": "what stands around it is called",
    "title": "the page's title says",
    "text": "it says",
    "own thing": "it begins with",
    "email": "its e-mail box says",
    "textarea": "its large box says",
    "password": "its password box says",
    "tel": "its telephone box says",
}
_THINGS = {
    "box": ("text box", "text boxes"),
    "select": ("select", "selects"),
    "password": ("password box", "password boxes"),
    "button": ("button", "buttons"),
    "hidden": ("hidden control", "hidden controls"),
    "email": ("e-mail box", "e-mail boxes"),
    "tel": ("telephone box", "telephone boxes"),
    "textarea": ("large text box", "large text boxes"),
    "radio": ("radio button", "radio buttons"),
    "checkbox": ("checkbox", "checkboxes"),
    "file": ("box for a file", "boxes for files"),
    "controls": ("visible control", "visible controls"),
    "words": ("word", "words"),
    "control without a name": ("control that is never sent", "controls that are never sent"),
}
_SHAPES = {
    "personal": "it has controls for a person's own data",
    "e-mail": "it asks for an e-mail address",
    "one box": "it has one text box",
    "one box and selects": "it has one text box and selects",
    "boxes": "it has several text boxes",
    "selects": "it has selects and no text box",
    "arranging selects": "it only sorts or pages a list",
    "choices": "it has choices and no text box",
    "buttons": "it has nothing to fill in",
}
_WHOLE_FEATURES = {
    "asks for e-mail": "it asks for an e-mail address",
    "short box": "a box takes only a few characters",
    "filled box": "a box is filled in already",
    "role of a search": "its role is search",
    "something is required": "something in it must be filled in",
    "several may be chosen": "several things may be chosen at once",
    "choice with a count": "its choices say how many there are of each",
    "select that arranges": "a select sorts or pages a list",
    "select that chooses": "a select chooses what is shown",
    "only box: nothing": "nothing says what its only box takes",
    "sent as multipart": "it is sent as multipart/form-data",
}
_PLACES = {"0": "nothing", "1": "one place", "2": "two places", "3+": "three or more places"}


def explain_feature(feature: str, seen: str) -> str:
    """Return a feature as a reason; `seen` are the words that are its evidence."""
    if feature in _WHOLE_FEATURES:
        return _WHOLE_FEATURES[feature]
    if seen == OF_TYPE_SEARCH:
        return "a box is of the type search"
    place, _, what = feature.partition(": ")
    if place == "shape":
        return _explain_shape(what, seen)
    if place in _THINGS and (not what or what[0].isdigit() or what.startswith("<") or what == "more"):
        one, many = _THINGS[place]
        return f"it has {seen or 'no'} {one if seen == '1' else many}"
    if place == "options":
        return f"a select has {seen} choices"
    if place.startswith("places that say"):
        if place.endswith("search") and what == "0":
            return "nothing in it says that it searches the content of the site"
        purpose = "search" if place.endswith("search") else "something other than search"
        return f"{_PLACES[what]} in it {'say' if what in ('2', '3+') else 'says'} {purpose}"
    if place == "source":
        return "a script reads it, it is no form"
    if place in _PLACE_WORDS:
        return f"{_PLACE_WORDS[place]} {seen!r}" + ("" if what in ("search", "go") else f" ({what})")
    return f"it is {feature}" + (f", {seen}" if seen else "")


def _explain_shape(what: str, seen: str) -> str:
    shape, _, more = what.partition(", ")
    text = _SHAPES[shape]
    match more:
        case "says search":
            return f"{text} and says search"
        case "says no search":
            return f"{text} and does not say that it searches the content of the site"
        case "says something else":
            return f"{text} and names another purpose than searching"
        case "by GET":
            return f"{text} and is sent by GET"
        case "for one's own thing":
            return f"{text} and looks for something of the user's own, {seen!r}"
        case _:
            return text
