"""Addresses with gaps: templates of searches that no <form> describes.

A SearchAction of schema.org and an OpenSearch description give one address with a gap for each value:
`https://a.example/find?q={words}&page={startPage?}`. A question mark in a gap means that it may stay empty. Before such a template is used
it is made absolute as the URL standard says, with placeholders for the gaps, since braces would be escaped in a path. Templates that could
lead anywhere are refused: with a gap in the scheme or host or at the very start, with braces that are no gap, or without any gap.

Of the operators of RFC 6570 those for a URL query are read: `{?a,b}` is `?a={a}&b={b}`, `{&a}` is `&a={a}`, `{+a}` is `{a}`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiddenweb import urls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.model import Form

GAP = re.compile(r"\{([\w.:-]{1,100})(\??)\}")
_ESCAPED_GAP = re.compile(r"%7B([\w.:-]{1,100}\??)%7D", re.IGNORECASE)
_QUERY_GAPS = re.compile(r"\{([?&])([\w.:,*-]{1,200})\}")
_RAW_GAP = re.compile(r"\{\+([\w.:-]{1,100})\}")
_PLACEHOLDER = re.compile(r"gap7x(\d+)x7")
_LONGEST = 2_000  # characters; a limit of taste
_MOST_GAPS = 20  # gaps of a template; a limit of taste
_SEPARATOR = re.compile("[&;]")
_TEXT_BOXES = frozenset({"text", "search"})


def absolute_template(template: str, base: str) -> str | None:
    """Return a template as an absolute address with its gaps; None if it has no gaps, or might lead anywhere.

    >>> absolute_template("/find/{words}?p={page?}", "http://A.example/x")
    'http://a.example/find/{words}?p={page?}'
    """
    written = _simplify_gaps("".join(template.split()))
    gaps = [gap[0] for gap in GAP.finditer(written)]
    if not gaps or len(gaps) > _MOST_GAPS or len(written) > _LONGEST or _PLACEHOLDER.search(written):
        return None
    numbers = iter(range(len(gaps)))
    with_placeholders = GAP.sub(lambda _: f"gap7x{next(numbers)}x7", written)
    if "{" in with_placeholders or "}" in with_placeholders or written.startswith("{"):
        return None
    address, _, fragment = with_placeholders.partition("#")
    url = urls.normalise_url(address, base)
    if url is None or _PLACEHOLDER.search(url[: urls.end_of_host(url)]):
        return None
    if _PLACEHOLDER.search(fragment):
        url = f"{url}#{fragment}"
    return _PLACEHOLDER.sub(lambda found: gaps[int(found[1])], url)


def gaps_of(template: str) -> dict[str, bool]:
    """Return the names of the gaps of a template, each with whether it may stay empty.

    >>> gaps_of("http://a.example/?q={words}&p={page?}")
    {'words': False, 'page': True}
    """
    gaps: dict[str, bool] = {}
    for name, may_be_empty in GAP.findall(template):
        gaps[name] = gaps.get(name, True) and bool(may_be_empty)
    return gaps


def start_of(template: str) -> str:
    """Return the fixed part of a template: without the query, and without the path from its first gap on.

    >>> start_of("http://a.example/find?in=all&q={words}"), start_of("http://a.example/tag/x-{words}.html")
    ('http://a.example/find', 'http://a.example/tag/')
    """
    fixed = template[: template.index("{")] if "{" in template else template
    whole = fixed.partition("#")[0].partition("?")[0]
    return whole if len(whole) < len(fixed) else fixed[: fixed.rfind("/") + 1]


def parameters_of(template: str) -> dict[str, str]:
    """Return the gaps in the query, each with the name of its parameter.

    >>> parameters_of("http://a.example/find?in=all&q={words}")
    {'words': 'q'}
    """
    query = template.partition("#")[0].partition("?")[2]
    pairs = (part.partition("=") for part in _SEPARATOR.split(GAP.sub(r"{\1}", query)))
    return {gap[1]: name for name, _, value in pairs if (gap := GAP.fullmatch(value))}


def needs_script(template: str) -> bool:
    """Say whether only a script can read the values: a gap stands behind the #, which is never sent."""
    return "{" in template.partition("#")[2]


def drop_repeats(declared: Iterable[Form], forms: Iterable[Form]) -> list[Form]:
    """Return the declared searches that repeat no form of the page, each once."""
    known = {target for form in forms if form.method == "GET" for target in _targets_of_form(form)}
    found: dict[str, Form] = {}
    for form in declared:
        if not (form.template and known.intersection(_targets_of_template(form.template))):
            found.setdefault(form.template or f"{form.method} {form.action}", form)
    return list(found.values())


def _simplify_gaps(template: str) -> str:
    """Return a template with all gaps written as {name} or {name?}, and without the escapes of HTML in them."""
    template = _ESCAPED_GAP.sub(r"{\1}", template.replace("&amp;", "&"))
    template = _RAW_GAP.sub(r"{\1}", template)
    return _QUERY_GAPS.sub(_gap_parameters, template)


def _gap_parameters(gaps: re.Match[str]) -> str:
    names = [name.rstrip("*") for name in gaps[2].split(",")]
    return gaps[1] + "&".join(f"{name}={{{name}}}" for name in names if name)


def _targets_of_form(form: Form) -> set[tuple[str, str]]:
    """Return where a form sends which text: address without scheme, and name of the box."""
    if form.template or form.needs_browser:
        return set()
    where = _strip_scheme(form.action)
    return {(where, field.name) for field in form.fields if field.kind in _TEXT_BOXES and field.name}


def _targets_of_template(template: str) -> set[tuple[str, str]]:
    where = _strip_scheme(start_of(template))
    return {(where, name) for name in parameters_of(template).values()}


def _strip_scheme(url: str) -> str:
    """Return an address for comparison, without scheme: sites that moved to https often still declare http."""
    return url.partition("://")[2].partition("?")[0].rstrip("/")
