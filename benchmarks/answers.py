"""Answers: is every page that a form answers with read for what it is, with its records, its next page and its total?

Answers of simweb are read by the conversation with the form (`hiddenweb.querying.conversation`), in their order, with what it knows by
then. The label of each follows from simweb's database (`benchmarks._answer_labels`). Most questions are ours, of all kinds, and the conversation gets
them as if they were its own (`benchmarks._answer_pages`, `benchmarks._answer_reader`). In a second part it asks what it wants itself
(`benchmarks._led_answers`). Rules were tuned on the worlds of seed 1; the worlds reported are others.

- answer_accuracy: the case is right, and so is the number of records.
- case_accuracy: the case alone. Beside the eight cases of the paper and "nothing found" these are told apart: blocked, a missing page
  that calls itself a success (soft_404), and "did you mean" with the word that is suggested.
- record_recall, record_precision: of the records on pages that bring some, how many were found, and how many of those found are
  records; by their addresses, or by what they say where they have none.
- next_page_accuracy: on pages with records, the address leads to exactly the records of the next page, or there is none.
- total_accuracy: on pages with records, the total is the one the page tells, or none where it tells none.
- first_accuracy: answer_accuracy of the first answer of each form, when only the form's own page is known.
- led_accuracy, led_pages: answer_accuracy of the answers to what conversations ask by themselves, and how many these are; `led` has all their figures.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks._answer_labels import records_on_page
from benchmarks._answer_pages import answers_of
from benchmarks._answer_reader import AnswerReader
from benchmarks._led_answers import lead_conversations
from benchmarks.report import table
from hiddenweb.forms.stored_form import form_hash
from simweb.forms import STYLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from benchmarks import Options
    from benchmarks._answer_labels import Answered
    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.model import Record
    from simweb.site import Site

SITES = 320  # of one world; 58 of them have a database
WORLDS, QUICK_WORLDS = 4, 1
WANTED = 0.98
FEWEST_PAGES, FEWEST_LANGUAGES = 300, 10
_SHOWN_MISTAKES = 12


@dataclass(frozen=True, slots=True)
class Judged:
    """A page of an answer, what was made of it, and whether anything was known from answers before it."""

    truth: Answered
    said: AnswerVerdict
    is_first: bool
    found: int  # records of the page that were found
    leads_on: bool  # to the page that follows, or nowhere if there is none

    @property
    def label(self) -> str:
        """What was said, in the words of the labels."""
        if self.said.case == "nothing_found" and self.said.suggestion:
            return "suggestion"
        return "soft_404" if self.said.case == "error" and self.said.missing else self.said.case

    @property
    def case_is_right(self) -> bool:
        """Whether it was taken for what it is."""
        is_word = self.said.suggestion == self.truth.truth.suggestion
        return self.label == self.truth.truth.label and (is_word or self.label != "suggestion")

    @property
    def is_right(self) -> bool:
        """Whether the case is right, and the number of records."""
        is_counted = self.truth.truth.label != "duplicate"  # its records were counted when they first came
        return self.case_is_right and (
            not is_counted or len(self.said.records) == len(self.truth.truth.shown)
        )


def run(options: Options) -> dict[str, object]:
    """Judge the answers of some worlds and count what is right."""
    worlds = QUICK_WORLDS if options.quick else WORLDS
    seeds = range(options.seed, options.seed + worlds)
    judged = [each for seed in seeds for each in judge_world(seed)]
    led = [each for seed in seeds for each in judge_led(seed)]
    figures, of_led = figures_of(judged), figures_of(led)
    worlds_named = f"{len(seeds)} worlds of simweb, seeds {seeds[0]} to {seeds[-1]}"
    _print_tables(f"{len(judged)} answers of {worlds_named}, to questions of ours", judged)
    _print_tables(f"{len(led)} answers of {worlds_named}, to what conversations ask by themselves", led)
    figures |= {"led_accuracy": of_led["answer_accuracy"], "led_pages": of_led["pages"], "led": of_led}
    for line in shortfalls(figures):
        print(line)
    return figures


def _print_tables(title: str, judged: Sequence[Judged]) -> None:
    print(f"\n{title}\n\n{confusions(judged)}")
    print(f"\n{shares('language', judged, _language)}")
    print(f"\n{shares('style', judged, _style)}")
    print(f"\n{mistakes(judged)}")


def judge_world(seed: int, sites: int = SITES) -> list[Judged]:
    """Judge all answers of one world, each site with what was learnt of it before."""
    return list(judge_answers(answers_of(seed, sites)))


def judge_answers(answers: Iterable[Answered]) -> Iterator[Judged]:
    """Yield what the conversations with the forms of some sites make of answers to our questions."""
    readers: dict[str, AnswerReader] = {}
    for each in answers:
        if (reader := readers.get(each.site.plan.host)) is None:
            reader = readers[each.site.plan.host] = AnswerReader(each)
        is_first = not reader.knows(each.form)
        said = reader.read(each)
        yield _judged(each, said, is_first=is_first)


def judge_led(seed: int, sites: int = SITES) -> list[Judged]:
    """Judge the answers of one world to what conversations ask by themselves."""
    forms: set[tuple[str, int]] = set()
    judged = []
    for each, said in lead_conversations(seed, sites):
        form = each.site.plan.host, form_hash(each.form)
        judged.append(_judged(each, said, is_first=form not in forms))
        forms.add(form)
    return judged


def _judged(each: Answered, said: AnswerVerdict, *, is_first: bool) -> Judged:
    return Judged(each, said, is_first, len(count_records(each, said)), leads_on(each, said))


def figures_of(judged: Sequence[Judged]) -> dict[str, object]:
    """Return all figures."""
    with_records = [each for each in judged if each.truth.truth.shown]
    of_lists = [each for each in with_records if each.truth.is_list]
    found = sum(each.found for each in with_records)
    return {
        "answer_accuracy": _share(each.is_right for each in judged),
        "case_accuracy": _share(each.case_is_right for each in judged),
        "record_recall": round(found / max(1, sum(len(each.truth.truth.shown) for each in with_records)), 4),
        "record_precision": round(
            found / max(1, sum(len(each.said.records) for each in judged if each.said.case != "duplicate")), 4
        ),
        "next_page_accuracy": _share(each.leads_on for each in of_lists),
        "total_accuracy": _share(each.said.total == each.truth.truth.total for each in of_lists),
        "first_accuracy": _share(each.is_right for each in judged if each.is_first),
        "pages": len(judged),
        "forms": sum(each.is_first for each in judged),
        "styles": len({_style(each) for each in judged}),
        "languages": len({_language(each) for each in judged}),
        "by_case": {
            label: _share(each.is_right for each in judged if each.truth.truth.label == label)
            for label in sorted({each.truth.truth.label for each in judged})
        },
    }


def count_records(each: Answered, said: AnswerVerdict) -> set[int]:
    """Return the records of a page that were found, by their addresses, or by what they say."""
    shown, found = set(each.truth.shown), set[int]()
    for record in said.records:
        numbers = _numbers_of(each.site, record, shown - found)
        found |= set(numbers[:1])
    return found


def _numbers_of(site: Site, record: Record, among: set[int]) -> list[int]:
    """Return the numbers that a record may have."""
    assert site.plan.database is not None
    if site.plan.database.has_details:
        parts = urlsplit(record.url or "")
        path, query = site.strip_session(parts.path, parts.query)
        number = site.record_at(f"{path}?{query}" if query else path)
        return [number] if number in among else []
    told = " ".join(record.text.split())
    texts = {number: kept for number in sorted(among) if (kept := site.record(number, 0))}
    return [
        n for n, kept in texts.items() if all(_join_line(part) in told for part in (kept.title, kept.text))
    ]


def _join_line(text: str) -> str:
    return " ".join(text.split())


def leads_on(each: Answered, said: AnswerVerdict) -> bool:
    """Say whether the next page that was found is the one that follows."""
    if said.next is None:
        return not each.truth.goes_on
    return records_on_page(each.site, said.next.url) == each.truth.following


def confusions(judged: Sequence[Judged]) -> str:
    """Return a table: a row for what answers are, with how often they were taken for what."""
    rows = []
    for label in sorted({each.truth.truth.label for each in judged}):
        ours = [each for each in judged if each.truth.truth.label == label]
        wrong = Counter(each.label for each in ours if each.label != label)
        miscounted = sum(each.case_is_right and not each.is_right for each in ours)
        said = ", ".join(f"{other} {count}" for other, count in wrong.most_common())
        rows.append((label, len(ours), _share(each.is_right for each in ours), miscounted, said))
    return table(("case", "pages", "right", "other number of records", "taken for"), rows)


def shares(name: str, judged: Sequence[Judged], of: Callable[[Judged], str]) -> str:
    """Return a table of what is right by language, or by style."""
    groups: dict[str, list[Judged]] = defaultdict(list)
    for each in judged:
        groups[of(each)].append(each)
    rows = []
    for group, ours in sorted(groups.items()):
        wrong = Counter(each.truth.truth.label for each in ours if not each.is_right)
        said = ", ".join(f"{label} {count}" for label, count in wrong.most_common())
        rows.append((group, len(ours), _share(each.is_right for each in ours), said))
    return table((name, "pages", "right", "wrong among"), rows)


def mistakes(judged: Sequence[Judged]) -> str:
    """Return a table of the first pages that were read wrongly, with the reason that was given."""
    wrong = [each for each in judged if not each.is_right]
    rows = [
        (
            each.truth.site.plan.host, each.truth.role, each.truth.query.keyword,
            f"{each.truth.truth.label} {len(each.truth.truth.shown)}", f"{each.label} {len(each.said.records)}", each.said.why,
        )
        for each in wrong[:_SHOWN_MISTAKES]
    ]  # fmt: skip
    return table(("host", "question", "word", "is", "said", "because"), rows) if rows else "No mistakes."


def shortfalls(figures: Mapping[str, object]) -> Iterator[str]:
    """Yield a line for everything that is not as wanted."""
    least = {
        "answer_accuracy": WANTED,
        "led_accuracy": WANTED,
        "pages": FEWEST_PAGES,
        "languages": FEWEST_LANGUAGES,
        "styles": len(STYLES),
    }
    for name, wanted in least.items():
        if float(str(figures[name])) < wanted:
            yield f"MISSED: {name} is {figures[name]}, wanted is at least {wanted}"


def _style(each: Judged) -> str:
    assert each.truth.site.plan.database is not None
    return each.truth.site.plan.database.style


def _language(each: Judged) -> str:
    return each.truth.site.plan.language


def _share(truths: Iterable[bool]) -> float:
    """Return the share of what is true, to four digits; 1 where there is nothing."""
    values = list(truths)
    return round(mean(values), 4) if values else 1.0
