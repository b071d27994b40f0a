"""How well a million pages are told apart, and those that say nearly the same found again.

A state is filled with pages as a crawl fills it: most are strangers, a tenth are records of one template whose words are mostly
the same (half of them with one and the same title, the worst case). Among them are the texts that are looked for: of each a copy is
asked for in which 3 % of the words (characters, where a script writes no spaces) were replaced at random.

- `fingerprints`, `rss_mb`: pages in the state, and by how much the memory of the process grew from before it was opened.
- `us_per_insert`: a page kept, with its row and its version. `us_per_lookup`: strangers, records of the template and changed copies
  in equal parts; `us_per_lookup_of_stranger`, `…_of_template` and `…_of_copy` one by one. `cpu_us_…` is without the time in which others
  had the machine.
- `bytes_per_page`: on disk, for what finds duplicates: index of fingerprints, bands, sketches.
- `recall_at_3_percent`: by kind of text, the share of changed copies that are called the page they were made from;
  `recall_at_3_percent_on_swde`: the same for real pages, changed anywhere, labels and values too.
- `merges_template`: records of the generated template that were called another one. `merges_swde` of `pairs_swde`: the same for real
  records, each site read in order, as in a crawl; `merges_swde_pairs_alone`: every pair judged as if there were no others on the site;
  `merges_swde_without_titles`: and as if they had no titles.
"""

from __future__ import annotations

import json
import lzma
import random
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, cast

from benchmarks.data import data_folder
from hiddenweb.html.reader import read_page
from hiddenweb.model import CrawlTask, Fetched, Page
from hiddenweb.near_duplicates.compare import compare_texts as judged
from hiddenweb.near_duplicates.sketch import BINS, fingerprint_and_sketch, unpack_sketch
from hiddenweb.store.database import Store
from hiddenweb.store.sqlite_file import FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHANGED = 0.03
SITES = 100
TEMPLATE_SITE, TEXT_SITE = SITES, SITES + 1
_ASKED = ("stranger", "template", "copy")
LENGTHS = {"short": 50, "medium": 300, "long": 3_000}


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    fingerprints: int = 1_000_000
    texts: int = 100  # of each kind
    lookups: int = 2_000
    swde_sites: int = 1_000


QUICK = Scale(50_000, 25, 300, 4)


def sameness(*, quick: bool = False, seed: int = 7) -> dict[str, object]:
    """Return what was measured."""
    return measure(QUICK if quick else Scale(), seed)


def measure(scale: Scale, seed: int) -> dict[str, object]:
    """Return what was measured, as the head of this module describes it."""
    before = _resident_mb()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as state:
        bench = _Bench(state, random.Random(seed), before)
        figures = bench.fill(scale)
        figures |= bench.look_up(scale)
        figures["rss_mb"] = round(bench.most - before, 1)
        state.commit()
        figures["bytes_per_page"] = _bytes_per_page(state, scale)
        figures["file_mb"] = round((Path(folder) / FILE).stat().st_size / 1e6, 1)
    return figures | _measure_real_pages(scale, seed)


class _Bench:
    """A state that is filled and asked."""

    def __init__(self, state: Store, rng: random.Random, before: float) -> None:
        self.state, self.rng = state, rng
        self.texts = _Texts(rng)
        self.copies: dict[str, list[tuple[int, Page]]] = {}
        self.link = 0
        self.most = before

    def fill(self, scale: Scale) -> dict[str, object]:
        """Keep strangers, records of a template and texts that have copies, mixed."""
        kinds = _Deck(self.rng, scale, self.texts.kinds())
        seconds = cpu = 0.0
        for number, kind in enumerate(kinds):
            site, page = self._page_of(kind)
            self.state.pages.find_duplicate(site, 0, page)  # as a crawl does
            start, cpu_start = perf_counter(), process_time()
            kept = self.keep(site, page)
            if number % 500 == 0:
                self.state.commit()
            seconds, cpu = seconds + perf_counter() - start, cpu + process_time() - cpu_start
            if kind not in ("stranger", "template"):
                self.copies.setdefault(kind, []).append((kept, self.texts.copy_of(kind, page)))
            if number % 5_000 == 0:
                self.most = max(self.most, _resident_mb())
        self.state.commit()
        self.most = max(self.most, _resident_mb())
        return {
            "fingerprints": scale.fingerprints,
            "us_per_insert": round(seconds / scale.fingerprints * 1e6, 1),
            "cpu_us_per_insert": round(cpu / scale.fingerprints * 1e6, 1),
        }

    def look_up(self, scale: Scale) -> dict[str, object]:
        """Ask for pages that are new, for further records of the template, and for changed copies."""
        strangers = [self.stranger() for _ in range(scale.lookups)]
        records = [(TEMPLATE_SITE, self.texts.record()) for _ in range(scale.lookups)]
        copies = [(kind, number, copy) for kind, made in self.copies.items() for number, copy in made]
        _, *of_stranger = self._measure_lookups(strangers)
        merged, *of_template = self._measure_lookups(records)
        found, *of_copy = self._measure_lookups([(TEXT_SITE, copy) for _, _, copy in copies])
        right = Counter(kind for (kind, number, _), one in zip(copies, found, strict=True) if one == number)
        wall, cpu = zip(of_stranger, of_template, of_copy, strict=True)
        self.most = max(self.most, _resident_mb())
        return {
            "us_per_lookup": round(sum(wall) / 3, 1),
            "cpu_us_per_lookup": round(sum(cpu) / 3, 1),
            **{f"us_per_lookup_of_{kind}": round(us, 1) for kind, us in zip(_ASKED, wall, strict=True)},
            **{f"cpu_us_per_lookup_of_{kind}": round(us, 1) for kind, us in zip(_ASKED, cpu, strict=True)},
            "recall_at_3_percent": {kind: round(right[kind] / scale.texts, 3) for kind in self.texts.kinds()},
            "merges_template": sum(one is not None for one in merged),
        }

    def keep(self, site: int, page: Page) -> int:
        """Keep a page as a crawl does; return its number."""
        self.link += 1
        task = CrawlTask(self.link, site, site, page.url)
        return self.state.pages.save(Fetched(task, page.url, 200, 1e9, b"<p>", page=page), page)

    def stranger(self) -> tuple[int, Page]:
        """Return a site, and a page that is like no other; its sketch is drawn, not made."""
        sketch = unpack_sketch(self.rng.randbytes(4 * BINS))
        name = f"page {self.link}"
        page = Page(
            f"http://a.example/{self.link}", name, name, fingerprint=self.rng.getrandbits(63), sketch=sketch
        )
        return self.rng.randrange(TEMPLATE_SITE), page

    def _page_of(self, kind: str) -> tuple[int, Page]:
        if kind == "stranger":
            return self.stranger()
        if kind == "template":
            return TEMPLATE_SITE, self.texts.record()
        return TEXT_SITE, self.texts.page(kind)

    def _measure_lookups(self, wanted: list[tuple[int, Page]]) -> tuple[list[int | None], float, float]:
        """Return what was found, and the microseconds it took, on the clock and of the CPU."""
        start, cpu_start = perf_counter(), process_time()
        found = [self.state.pages.find_duplicate(site, 0, page) for site, page in wanted]
        wall, cpu = perf_counter() - start, process_time() - cpu_start
        numbers = [duplicate.page if duplicate else None for duplicate in found]
        return numbers, wall / len(wanted) * 1e6, cpu / len(wanted) * 1e6


class _Deck:
    """What kinds of pages come, in what order."""

    def __init__(self, rng: random.Random, scale: Scale, kinds: list[str]) -> None:
        wanted = [kind for kind in kinds for _ in range(scale.texts)]
        places = rng.sample(range(scale.fingerprints), len(wanted))
        rng.shuffle(wanted)
        self._special = dict(zip(places, wanted, strict=True))
        self._count = scale.fingerprints

    def __iter__(self) -> Iterator[str]:
        for number in range(self._count):
            yield self._special.get(number, "template" if number % 10 == 0 else "stranger")


class _Texts:
    """Texts of several lengths and scripts, copies of them, and records of one template."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        letters = "eeeetttaaaooiinnsshhrrdlcumwfgypbvk"
        self._words = ["".join(rng.choices(letters, k=rng.randint(2, 10))) for _ in range(8_000)]
        self._weights = [1 / (place + 10) for place in range(len(self._words))]
        self._characters = [chr(code) for code in range(0x4E00, 0x5600)]
        self._template = self._prose(120)
        self._made = 0

    def kinds(self) -> list[str]:
        return [f"{script}_{length}" for script in ("spaced", "unspaced") for length in LENGTHS]

    def page(self, kind: str) -> Page:
        """Return a page with a text of a kind."""
        script, _, length = kind.partition("_")
        count = LENGTHS[length]
        parts = self._prose(count) if script == "spaced" else self._unspaced_text(count)
        self._made += 1
        return _page(f"http://a.example/text/{self._made}", f"Text {self._made}", _write_text(parts, script))

    def copy_of(self, kind: str, page: Page) -> Page:
        """Return a page at another address that says the same but for 3 % of the words."""
        script = kind.partition("_")[0]
        if script == "spaced":
            text = change_words(page.text, self._rng, self._word)
        else:
            text = _change_characters(page.text, self._rng, lambda: self._rng.choice(self._characters))
        return _page(f"{page.url}/copy", page.title, text)

    def record(self) -> Page:
        """Return a page of a template: a name, some values and a sentence are its own."""
        rng = self._rng
        self._made += 1
        name = f"{self._word()} {self._word()}".title()
        values = [
            f"Author\t{self._word().title()} {self._word().title()}",
            f"Price\t$ {rng.randrange(5, 90)}.00",
        ]
        values += [f"Pages\t{rng.randrange(90, 900)}", f"Number\t{rng.randrange(10**9)}"]
        own = " ".join(self._prose(10))
        text = "\n".join((name, *values, own, _write_text(self._template, "spaced")))
        title = "A shop for books" if self._made % 2 else f"{name} | A shop for books"
        return _page(f"http://shop.example/{self._made}", title, text)

    def _word(self) -> str:
        return self._rng.choice(self._words)

    def _prose(self, count: int) -> list[str]:
        """Return words, some of them numbers, in sentences."""
        rng = self._rng
        words = rng.choices(self._words, self._weights, k=count)
        for place in rng.sample(range(count), count // 50):
            words[place] = str(rng.randrange(1, 2_030))
        place = 0
        while (place := place + rng.randint(6, 22)) < count:
            words[place - 1] += "."
        return words

    def _unspaced_text(self, count: int) -> list[str]:
        parts = self._rng.choices(self._characters, k=count)
        for place in range(19, count, 20):
            parts[place] = "。"
        return parts


def change_words(text: str, rng: random.Random, word: Callable[[], str]) -> str:
    """Return a text with 3 % of its words, at least one, replaced; lines and columns stay."""
    lines = [[cell.split() for cell in line.split("\t")] for line in text.split("\n")]
    places = [(line, cell, at) for line, cells in enumerate(lines) for cell, words in enumerate(cells) for at in range(len(words))]  # fmt: skip
    for line, cell, at in rng.sample(places, max(1, round(len(places) * CHANGED))):
        lines[line][cell][at] = word()
    return "\n".join("\t".join(" ".join(words) for words in cells) for cells in lines)


def _change_characters(text: str, rng: random.Random, character: Callable[[], str]) -> str:
    characters = list(text)
    places = [place for place, found in enumerate(characters) if not found.isspace()]
    for place in rng.sample(places, max(1, round(len(places) * CHANGED))):
        characters[place] = character()
    return "".join(characters)


def _write_text(parts: list[str], script: str) -> str:
    """Return words or characters as paragraphs."""
    between = " " if script == "spaced" else ""
    return "\n".join(between.join(parts[start : start + 100]) for start in range(0, len(parts), 100))


def _page(url: str, title: str, text: str) -> Page:
    fingerprint, sketch = fingerprint_and_sketch(text)
    return Page(url, title, text, fingerprint=fingerprint, sketch=sketch)


def _copy(page: Page, text: str) -> Page:
    fingerprint, sketch = fingerprint_and_sketch(text)
    return replace(page, text=text, fingerprint=fingerprint, sketch=sketch)


def _bytes_per_page(state: Store, scale: Scale) -> float:
    names = "('bands', 'sketches', 'pages_by_fingerprint')"
    (size,) = cast("tuple[int]", state.rows(f"SELECT sum(pgsize) FROM dbstat WHERE name IN {names}")[0])
    return round(size / scale.fingerprints, 1)


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


# Real pages


def _measure_real_pages(scale: Scale, seed: int) -> dict[str, object]:
    sites = list(_swde(scale.swde_sites))
    if not sites:
        return {"pairs_swde": 0}
    rng = random.Random(seed)
    merges: list[str] = []
    alone = untitled = pairs = found = asked = 0
    for name, pages in sites:
        merges += [f"{name}: {one} = {other}" for one, other in _find_merged(pages)]
        for one, other in combinations(pages, 2):
            if one.fingerprint != other.fingerprint:
                pairs += 1
                alone += judged(one.text, other.text, title=one.title, other_title=other.title).same
                untitled += judged(one.text, other.text).same
        found, asked = found + _count_found(pages, rng), asked + len(pages)
    return {
        "sites_swde": len(sites),
        "pairs_swde": pairs,
        "merges_swde": len(merges),
        "merges_swde_pairs_alone": alone,
        "merges_swde_without_titles": untitled,
        "merged_swde": merges,
        "recall_at_3_percent_on_swde": round(found / asked, 3),
    }


def _find_merged(pages: list[Page]) -> list[tuple[str, str]]:
    """Return the pages that were called another one though they are different records, read in order."""
    merges = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as state:
        bench = _Bench(state, random.Random(0), 0)
        addresses: dict[int, str] = {}
        for page in pages:
            found = state.pages.find_duplicate(1, 0, page)
            if found and not found.exact:
                merges.append((addresses[found.page], page.url))
            addresses[bench.keep(1, page)] = page.url
    return merges


def _count_found(pages: list[Page], rng: random.Random) -> int:
    """Return how many changed copies are found among all pages of their site."""
    words = sorted({word for page in pages for word in page.text.split()})
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as state:
        bench = _Bench(state, rng, 0)
        kept = [bench.keep(1, page) for page in pages]
        copies = [_copy(page, change_words(page.text, rng, lambda: rng.choice(words))) for page in pages]
        found = [state.pages.find_duplicate(1, 0, copy) for copy in copies]
    return sum(one is not None and one.page == number for one, number in zip(found, kept, strict=True))


def _swde(sites: int) -> Iterator[tuple[str, list[Page]]]:
    folder = data_folder()
    files = sorted((folder / "swde").glob("*.jsonl.xz")) if folder else []
    step = max(1, len(files) // sites)
    for path in files[::step][:sites]:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            name = path.name.partition(".")[0]
            pages = [json.loads(line) for line in lines]
        read = [read_page(page["html"].encode(), f"http://swde.example/{page['id']}") for page in pages]
        yield name, [replace(page, url=page.url.rpartition("/")[2]) for page in read]
