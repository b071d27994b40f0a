"""The tags that matter for reading a page, by the parser's numbers for them."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser


def numbers_of(names: str) -> frozenset[int]:
    """Return the numbers of the tags whose names are in a string."""
    return frozenset(NUMBERS[name] for name in names.split())


_BLOCK_NAMES = (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol p pre search section summary "
    "table tbody tfoot thead tr ul caption br frameset frame noframes"
)
_INLINE_NAMES = "a abbr acronym b bdi bdo big cite code em font i img br wbr kbd mark q s small span strike strong sub sup tt u var"
_OTHER_NAMES = (
    "script style template svg title textarea select iframe noembed xmp object embed audio video canvas math area base "
    "meta link input button label td th option optgroup datalist noscript map foreignobject desc annotation-xml "
    "mi mo mn ms mtext"
)
_TREE = LexborHTMLParser("")
NUMBERS = {
    name: _TREE.create_node(name).tag_id for name in f"{_BLOCK_NAMES} {_INLINE_NAMES} {_OTHER_NAMES}".split()
}
NAMES = {number: name for name, number in NUMBERS.items()}
TEXT, COMMENT = 2, 4  # the numbers that Lexbor gives to nodes that are no elements
OPTION = NUMBERS["option"]
DATALIST = NUMBERS["datalist"]
BLOCKS = numbers_of(_BLOCK_NAMES)
CELLS = numbers_of("td th")
INLINE = numbers_of(_INLINE_NAMES)
UNREAD = numbers_of("script style template title textarea select iframe noembed noframes xmp")
"""Tags whose contents a walk does not read."""
HEADINGS = numbers_of("h1 h2 h3 h4 h5 h6")
