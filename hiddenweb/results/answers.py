"""What an answer is: the eight cases, told apart without knowing the language of the site.

The paper (dynamic indexing) names eight ways in which a form can answer: (1) all data at once, (2) data with next pages,
(3) part of the data, (4) data and the form again, (5) another form, (6) an error, (7) the same form again, asking for another
value, (8) an answer like an earlier one. We add a ninth that the paper counts among the errors: nothing was found. That is
a good answer to a bad keyword.

What decides is structure. Records are the blocks of the page, less those that stand on the form's own page, inside a form, or
on answers without records: a template repeats itself, answers do not. Blocks that lead nowhere could be anything, so one of
them has to hold the keyword. A single record is no repeated part: it is recognised by its address, which looks like those of
records seen before. Without records, the page is the form again, or says that nothing was found, or went wrong: nothing was
found if it repeats the keyword, says one of the usual words, or has the skeleton of a page that did; the form asks again
if it is there and the page says nothing of the kind. A redirect to the only match is a record by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from xxhash import xxh3_64_intdigest

from hiddenweb.identity import canonical
from hiddenweb.items import Record
from hiddenweb.results.pagination import next_page
from hiddenweb.results.records import asked_values, records_in, without_question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.items import Form, Link, Page, Query

Case = Literal[
    "all", "paged", "part", "with_form", "another_form", "error", "form_again", "duplicate", "nothing_found"
]
"""The eight cases in the paper's order, and the answer without records."""

WITH_RECORDS: frozenset[Case] = frozenset({"all", "paged", "part", "with_form"})

_NOTHING = re.compile(
    r"\bno (?:results?|match|records?|entries|items|hits|documents?|products?)|"
    r"\b(?:nothing|not) (?:was |were )?found|"
    r"\b0 (?:results?|hits?|treffer|resultados|risultati|résultats|wyników|sonuç|записей|результатов)|"
    r"\bdid not match|\bkeine? (?:\w+ )?(?:ergebnis|treffer|einträge|resultate|dokumente)|"
    r"nichts gefunden|\baucune? (?:\w+ )?(?:résultat|réponse|document|correspondance)|"
    r"\brien (?:n'a|trouvé)|pas de résultat|"
    r"\b(?:sin|no hay|ning[uú]n\w*) (?:\w+ ){0,2}(?:resultado|registro|coincidencia|elemento|encontrad)|"
    r"\bno (?:se (?:ha |han )?|hemos )encontr|\bnessun\w* (?:\w+ ){0,2}(?:risultat|element|corrispond|trovat)|"
    r"\bnon (?:è stato|sono stati|ci sono|abbiamo) |\bnenhum\w* (?:\w+ ){0,2}(?:resultado|registro|encontrad)|\bgeen \w*resulta|"
    r"\bbrak (?:wyników|rezultatów|wyszuk)|\bnic nie znalez\w*|\bnie znalez\w*|bulunamad\w*|"
    r"\bsonuç yok|ничего не (?:\w+ )?найд\w*|не найден\w*|нет результат\w*|لا توجد|"
    r"لم (?:يتم )?(?:ال)?(?:عثور|نعثر|يعثر)|لا نتائج|没有(?:找到|结果|符合|匹配)|未找到|找不到|沒有|見つかりません|"
    r"該当.{0,12}(?:ありません|なし)|ありませんでした|ไม่พบ|ไม่มีผล",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[.,\u00a0\u202f' ]\d{3})+(?!\d)|\d+")
_RESULT_WORDS = re.compile(
    r"(\d[\d.,\u00a0\u202f']*)\s*(?:results?|hits?|matches|records?|entries|items|documents?|treffer|ergebnis\w*|einträge|"
    r"résultats?|réponses?|resultados?|registros?|risultat\w*|wynik\w*|rezultat\w*|sonuç\w*|kayıt\w*|результат\w*|запис\w*|"
    r"نتيجة|نتائج|条|个结果|條|件|รายการ|ผลลัพธ์)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_FIRST_WORDS = 1500  # characters in which a page says how much it found
_HTTP_ERROR = 400


@dataclass(frozen=True, slots=True)
class Earlier:
    """What is known of a form when an answer comes: all it needs to tell old from new."""

    answers: frozenset[int] = frozenset()  # signatures of earlier answers
    page_fingerprint: int = 0  # of the form's own page
    page_blocks: frozenset[str] = frozenset()  # keys of blocks that belong to the template
    page_forms: frozenset[int] = frozenset()  # signatures of the forms on the form's page
    page_links: frozenset[str] = frozenset()  # canonical addresses the form's page links to
    shapes: frozenset[str] = frozenset()  # what addresses of records look like here
    empty: frozenset[int] = frozenset()  # structures of answers that said in words that nothing was found
    keys: frozenset[str] = frozenset()  # of all records seen


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question."""

    case: Case
    why: str
    records: tuple[Record, ...] = ()
    next: Link | None = None
    total: int | None = None  # how many records the site says it found
    form: Form | None = None  # another form, which asks for the rest
    signature: int = 0
    holding: float = 0.0  # the share of the records on its page, new or not, that hold the word asked for

    @property
    def has_records(self) -> bool:
        """Say whether it brought records, seen before or not."""
        return self.case in WITH_RECORDS


def earlier(page: Page) -> Earlier:
    """Return what is known before the first question: the page the form stands on."""
    return Earlier(
        page_fingerprint=page.fingerprint,
        page_blocks=frozenset(record.key for record in records_in(page)),
        page_forms=frozenset(_form_signature(form) for form in page.forms),
        page_links=frozenset(canonical(link.url) for link in page.links),
    )


def after(known: Earlier, page: Page, answer: Answer) -> Earlier:
    """Return what is known after an answer; blocks of a page without records belong to the template."""
    if answer.has_records:
        return replace(
            known,
            answers=known.answers | {answer.signature},
            keys=known.keys | {record.key for record in answer.records},
            shapes=known.shapes
            | {_shape(record.key) for record in answer.records if record.key.startswith("http")},
            empty=known.empty - {page.structure},
        )
    if answer.case in ("nothing_found", "form_again"):
        blocks = {record.key for record in records_in(page)} - known.keys
        says_so = answer.case == "nothing_found" and bool(_NOTHING.search(page.text))
        empty = known.empty | {page.structure} if says_so else known.empty
        return replace(known, page_blocks=known.page_blocks | blocks, empty=empty)
    return known


def judge_answer(
    page: Page, status: int, *, form: Form, query: Query, earlier: Earlier, number: int = 1
) -> Answer:
    """Say what page `number` of an answer is, and return what it brought."""
    if status >= _HTTP_ERROR:
        return Answer("error", f"the server answered {status}")
    records = _records(page, query, earlier) or _records_by_shape(page, query, earlier)
    if records:
        return _judge_records(page, records, form, query, earlier, number)
    if single := _only_match(page, query, earlier):
        answer = Answer("all", "it leads to the page of the only match", (single,))
        return replace(answer, signature=_signature(answer.records))
    return _judge_no_records(page, form, query, earlier)


def _records(page: Page, query: Query, earlier: Earlier) -> tuple[Record, ...]:
    """Return the blocks of a page that can be records."""
    forms = [form.text for form in page.forms]
    found = tuple(
        record
        for record in records_in(page, query)
        if record.key not in earlier.page_blocks
        and (
            record.key.startswith("http") or not earlier.shapes
        )  # where records have addresses, layout has none
        and not _is_of_a_form(record.text, forms)
    )
    if any(_holds_keyword(record.text, query) for record in found):
        return found
    lead_somewhere = all(record.key.startswith("http") for record in found)
    says_nothing = page.structure in earlier.empty or _NOTHING.search(_around(page))
    return found if lead_somewhere and not says_nothing else ()


def _records_by_shape(page: Page, query: Query, earlier: Earlier) -> tuple[Record, ...]:
    """Return what the page links to and what looks like the addresses of records: a single record is no repeated part."""
    if not earlier.shapes:
        return ()
    asked = asked_values(query)
    found: dict[str, Record] = {}
    for link in page.links:
        key = canonical(without_question(link.url, asked))
        if _shape(key) in earlier.shapes and not {key, canonical(link.url)} & earlier.page_links:
            found.setdefault(key, Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url))
    return tuple(record for key, record in found.items() if key not in earlier.page_blocks)


def _shapes_of(records: tuple[Record, ...]) -> frozenset[str]:
    """Return the shapes of the addresses of records, where they say more than "some page of the site"."""
    addresses = (record.key for record in records if record.key.startswith("http"))
    return frozenset(shape for shape in map(_shape, addresses) if not urlsplit(shape).path.startswith("/*"))


def _shape(url: str) -> str:
    """Return what addresses of one kind have in common: the folder, the ending, the names of parameters.

    >>> _shape("http://a.example/books/old-bridge-12.html"), _shape("http://a.example/show.php?id=12")
    ('http://a.example/books/*.html?', 'http://a.example/show.php?id')
    """
    parts = urlsplit(url)
    folder, _, last = parts.path.rstrip("/").rpartition("/")
    name, semicolon, _ = last.partition(";")
    ending = "." + name.rpartition(".")[2] if "." in name else ""
    names = sorted(part.partition("=")[0] for part in re.split("[&;]", parts.query) if part)
    last_part = name if names or semicolon else f"*{ending}"
    return f"{parts.scheme}://{parts.netloc}{folder}/{last_part}{semicolon}?{'&'.join(names)}"


def _is_of_a_form(text: str, forms: list[str]) -> bool:
    """Say whether a block lies in a form, or around one: it holds all the words of it."""
    words = set(_WORD.findall(text.casefold()))
    for form in forms:
        of_form = set(_WORD.findall(form.casefold()))
        if of_form and (words <= of_form or (len(of_form) > 1 and of_form <= words)):
            return True
    return False


def _holds_keyword(text: str, query: Query) -> bool:
    """Say whether a text holds what was asked, endings aside: many sites search by stems."""
    asked = query.keyword.casefold()
    return bool(asked) and asked[: max(3, len(asked) - 2)] in text.casefold()


def _around(page: Page) -> str:
    """Return the text of a page without that of its blocks."""
    text = page.text
    for block in page.blocks:
        text = text.replace(block.text, " ", 1)
    return text


def _judge_records(
    page: Page, records: tuple[Record, ...], form: Form, query: Query, earlier: Earlier, number: int
) -> Answer:
    signature = _signature(records)
    holding = sum(_holds_keyword(record.text, query) for record in records) / len(records)
    if signature in earlier.answers:
        return Answer(
            "duplicate", "an earlier answer brought the same records", signature=signature, holding=holding
        )
    following = next_page(page, asked_url=page.url or query.url, number=number)
    total = _total(page, records, number)
    case, why = _case_of_records(page, form, len(records), following, total, number)
    return Answer(case, why, records, following, total, signature=signature, holding=holding)


def _case_of_records(
    page: Page, form: Form, count: int, following: Link | None, total: int | None, number: int
) -> tuple[Case, str]:
    if following is not None:
        return "paged", f"{count} records, and more on the next page"
    if total is not None and number == 1 and total > count:
        return "part", f"{count} of {total} records, and no way to the others"
    if _has_form(page, form):
        return "with_form", f"{count} records and the form again"
    return "all", f"{count} records"


def _judge_no_records(page: Page, form: Form, query: Query, earlier: Earlier) -> Answer:
    if page.fingerprint and page.fingerprint == earlier.page_fingerprint:
        return Answer("form_again", "it is the page of the form again")
    text = f"{page.title} {page.text}"
    if said := _NOTHING.search(text):
        return Answer("nothing_found", f"it says {said[0].strip()!r}")
    if page.structure in earlier.empty:
        return Answer("nothing_found", "it looks like an answer that found nothing")
    again = _has_form(page, form)
    if query.keyword and query.keyword.casefold() in page.text.casefold():
        return Answer("nothing_found", "it repeats the keyword and shows no records")
    if again:
        return Answer("form_again", "the form is there again, and no records")
    if other := _another_form(page, earlier):
        return Answer("another_form", "another form asks for more", form=other)
    return Answer("error", "neither records nor a form")


def _only_match(page: Page, query: Query, earlier: Earlier) -> Record | None:
    """Return the page itself as a record, where the site sent us on to the only match."""
    asked, came = urlsplit(query.url), urlsplit(page.url)
    if not query.url or (asked.netloc, asked.path) == (came.netloc, came.path) or came.path in ("", "/"):
        return None
    if page.fingerprint == earlier.page_fingerprint or not query.keyword:
        return None
    if not _holds_keyword(f"{page.title} {page.text}", query):
        return None
    return Record(canonical(page.canonical or page.url), page.title, page.text, page.url)


def _has_form(page: Page, form: Form) -> bool:
    return any(_form_signature(other) == _form_signature(form) for other in page.forms)


def _another_form(page: Page, earlier: Earlier) -> Form | None:
    """Return the first form that was not on the form's page and has something to fill in."""
    for other in page.forms:
        fillable = any(f.kind not in ("hidden", "submit", "image", "button", "reset") for f in other.fields)
        if fillable and not other.needs_browser and _form_signature(other) not in earlier.page_forms:
            return other
    return None


def _form_signature(form: Form) -> int:
    """Return a number that is equal for a form and the same form filled in."""
    parts = urlsplit(form.action)
    names = sorted(
        {f"{f.kind}:{f.name}" for f in form.fields if f.name and f.kind not in ("hidden", "submit")}
    )
    return xxh3_64_intdigest(
        "|".join((form.method, parts.netloc, parts.path, *names)).encode("utf-8", "replace")
    )


def _signature(records: tuple[Record, ...]) -> int:
    keys = "\n".join(sorted(record.key for record in records))
    return xxh3_64_intdigest(keys.encode("utf-8", "replace"))


def _total(page: Page, records: tuple[Record, ...], number: int) -> int | None:
    """Return how many records were found, as the page says: "1-10 of 234", in any language and order, or "234 results"."""
    said = page.text[:_FIRST_WORDS]
    numbers = list(_numbers(said))
    count = len(records)
    for at in range(len(numbers) - 2):
        low, high, total = sorted(numbers[at : at + 3])
        if high - low + 1 == count and total >= high and (number > 1 or low == 1):
            return total
    found = _RESULT_WORDS.search(said)
    total = int(re.sub(r"\D", "", found[1])[:12]) if found else 0
    return total if total >= count else None


def _numbers(text: str) -> Iterator[int]:
    for found in _NUMBER.finditer(text):
        yield int(re.sub(r"\D", "", found[0])[:12])
