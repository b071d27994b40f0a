"""Pages of which one and the same paragraph really changes again and again, in look after look, among others that stay as they are.

`benchmarks._changes_correctness` changes a page once. Here a tenth of the pages get three new words at each look after the first, always somewhere in the same paragraph: an article that is
written further, a notice that is kept up to date. To whoever learns noise this looks like noise, and it is none: every look but the first has a change to tell.
"""

from __future__ import annotations

from random import Random

from benchmarks._changes_site import html
from hiddenweb.html.reader import read_page
from hiddenweb.revisit.comparison import (
    ComparisonState,
    SeenPage,
    SoftNotFoundTexts,
    compare_page,
    is_closed,
    raw_hash,
)
from hiddenweb.revisit.noise import NoiseMasks

LOOKS = 4
DAY = 86_400.0
_START = 1_790_000_000.0
_PAGES = 1_000  # of the site, so that none of those taken is an index
_FIRST = 100


def count_missed(seed: int, *, pages: int) -> tuple[int, int]:
    """Return how many changes there were to tell, and how many were not told."""
    masks, soft_not_found = NoiseMasks(), SoftNotFoundTexts()
    known: dict[int, ComparisonState] = {}
    missed = 0
    changing = range(_FIRST, _FIRST + pages // 10)
    for number_of_look in range(1, LOOKS + 1):
        for number in range(_FIRST, _FIRST + pages):
            edition = number_of_look if number in changing else 1
            seen = _seen_page(seed, number, edition, _START + number_of_look * DAY + number)
            outcome = compare_page(known.get(number), seen, masks, soft_not_found)
            known[number] = outcome.known
            told = any(change.kind != "new" for change in outcome.changes)
            missed += number in changing and number_of_look > 1 and not told
    return len(changing) * (LOOKS - 1), missed


def page_of(seed: int, number: int, edition: int) -> str:
    """Return a page one of whose paragraphs has three more words in each edition."""
    before, mark, rest = html(seed, number, _PAGES).partition("<p class=text>")
    paragraph, end, after = rest.partition("</p>")
    words = paragraph.split()
    for later in range(2, edition + 1):
        draw = Random(f"{seed}/{number}/{later}")
        place = draw.randrange(1, len(words))
        words[place:place] = ["".join(draw.choices("bdfgklmnprstaeiou", k=6)) for _ in range(3)]
    return f"{before}{mark}{' '.join(words)}{end}{after}"


def _seen_page(seed: int, number: int, edition: int, at: float) -> SeenPage:
    url = f"https://site.example/page/{number}.html"
    body = page_of(seed, number, edition).encode()
    page = read_page(body, url, content_type="text/html; charset=utf-8")
    return SeenPage(url, at, 200, page, raw_hash(body), is_closed=is_closed(body))
