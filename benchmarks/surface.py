"""surface: how much of a database is reached with how many questions, by the policy that chooses them.

Real records (films, books, works of art; generated ones where the data is not there) behind sites that answer with pages of 20, ordered by
BM25: (a) all that is found; (b) at most 100 of it; (c) at most 50, and only words of three letters or more are searched for; (d) at most
100, and two selects stand beside the box; (e) two selects alone, and at most 1,000 (`benchmarks._surface_choices`). Every
policy begins with the same five words, drawn by chance; what is reported is the mean over several draws. Beside them runs an oracle that
knows the whole database (`benchmarks._surface_oracle`).

- coverage_at_100: the share of the records that 100 questions reach.
- coverage_vs_oracle: records reached with 100 (a), 500 (b) and 1,000 (c) questions, by those that the oracle reaches with them.
- queries_to_90_vs_oracle, pages_to_90_vs_oracle: questions, and pages, until 90 % are reached, by those that the oracle needs, or the best of
  two, one of which chooses by page.
- queries_to_90_vs_pairs: the same beside an oracle that may ask two words at once (in b; elsewhere beside the oracle).
- requests_per_record: pages for a record, over the whole run.
- vs_term_frequency, vs_adaptive, vs_random, vs_top_k: questions of the policy by ours, until both have 90 %, or what the worse of the two reaches at all;
  more than 1 is better. ahead: by how much more of the records ours has when the questions that are compared are asked, than the best of these.
- estimate_error: by how much the estimate of the size is off when 60 % are reached; estimate_error_90: when 90 % are.
- interval_hits: how often the size lies within the interval that is given when 10, 30, 60 and 90 % are reached.
- by_number_vs_oracle: coverage_vs_oracle where answers come by number; lost_without_totals: how much less it is where sites do not say what they found;
  stems_vs_oracle: the same at 1,000 questions where the forms of a word find the same, answers end at 50, and no totals are said.
- ms_per_question: CPU milliseconds that ours takes to choose a question and to learn from its answer.
- through_pages_vs_rows: records that a conversation (`hiddenweb.querying.conversation`) with our policy reaches by pages of HTML
  (`benchmarks._surface_pages`), by those that the same policy reaches with as many questions when it is given the rows.
  through_pages_requests: its pages by those of the policy. records_read: the share of the records on its pages that it read as
  records. ms_per_answer_page: its CPU milliseconds for a page, with parsing.

All of these are of ours. `cases` has the same for each case, and for each database of it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from math import isnan, nan
from multiprocessing import get_context
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from benchmarks._surface_choices import BOX, ChoicesAsWords, Form, ours, questions_of, reachable
from benchmarks._surface_oracle import greedy, greedy_with_pairs
from benchmarks._surface_pages import PagedRun, SearchPages
from benchmarks._surface_site import Database, Manner, Shown, Site, load, put
from benchmarks.report import table
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.published import AdaptivePolicy, FrequencyPolicy, RandomPolicy, TopKPolicy
from hiddenweb.querying.query import QueryProposal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from benchmarks import Options
    from hiddenweb.querying.policies.protocol import QueryPolicy

WANTED = 0.9  # of all records
BEGIN_WITH = 5  # words
ESTIMATED_AT = (0.6, 0.9)
INTERVALS_AT = (0.1, 0.3, 0.6, 0.9)
POLICIES: Mapping[str, Callable[[int], QueryPolicy]] = {
    "random": lambda seed: RandomPolicy(Random(seed), "en"),
    "term frequency": lambda _: FrequencyPolicy("en"),
    "adaptive": lambda _: AdaptivePolicy("en"),
    "top k": lambda _: TopKPolicy("en"),
    "ours": lambda _: BenefitPolicy("en"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of site, and how many questions it is asked."""

    name: str
    manner: Manner
    questions: int  # at most
    compared_at: int  # questions after which records are compared with those of the oracle
    form: Form = BOX
    is_variant: bool = False  # of another case: not in the means over all, and only ours is asked
    through_pages: bool = False  # a conversation reads the site's pages, too

    def is_over(self, questions: int, share: float) -> bool:
        """Say whether enough was asked when a share of the records was reached."""
        return (
            questions >= self.questions or (share >= WANTED and questions >= self.compared_at) or share == 1.0
        )


BY_NUMBER, NO_TOTALS, STEMS = "b, by number", "b, no totals", "stems, cap 50, no totals"
CONVERSATION = "ours, through pages"
"""A conversation with our policy, which reads pages; not a policy that is given rows."""

CASES = (
    Case("a: no cap", Manner(), 300, 100),
    Case("b: cap 100", Manner(cap=100), 2_500, 500),
    Case("c: cap 50, words of 3", Manner(cap=50, shortest=3), 1_000, 1_000),
    Case("d: box and two selects, cap 100", Manner(cap=100), 2_500, 500, Form(selects=True)),
    Case("e: two selects, cap 1,000", Manner(cap=1_000), 1_000, 50, Form(box=False, selects=True)),
    Case(BY_NUMBER, Manner(cap=100, order="number"), 500, 500, is_variant=True),
    Case(NO_TOTALS, Manner(cap=100, says_total=False), 500, 500, is_variant=True),
    Case(STEMS, Manner(cap=50, says_total=False, stems=True), 1_000, 1_000, is_variant=True),
    Case("through pages", Manner(cap=100), 200, 200, is_variant=True, through_pages=True),
    Case(
        "through pages, cap 50, no totals",
        Manner(cap=50, shortest=3, says_total=False),
        200,
        200,
        is_variant=True,
        through_pages=True,
    ),
)
QUICK_CASES = (
    Case("b: cap 100", Manner(cap=100), 300, 200),
    Case("c: cap 50, words of 3", Manner(cap=50, shortest=3), 200, 200),
    Case("d: box and two selects, cap 100", Manner(cap=100), 150, 100, Form(selects=True)),
    Case("e: two selects, cap 1,000", Manner(cap=1_000), 150, 50, Form(box=False, selects=True)),
    Case("through pages", Manner(cap=100), 40, 40, is_variant=True, through_pages=True),
)
ORACLES = ("oracle", "oracle by pages")
WITH_PAIRS = "oracle with pairs"


@dataclass(frozen=True, slots=True)
class Job:
    """One policy on one database, with one beginning; no policy is the oracle's."""

    database: str
    case: Case
    policy: str
    seed: int
    data: Path | None


@dataclass(slots=True)
class Run:
    """What came of a job: after each question, the records reached and the pages read."""

    records: int  # of the database that the form can reach
    known: list[int] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    errors: dict[float, float] = field(default_factory=dict)  # of the size, at shares of the records
    hits: dict[float, bool] = field(default_factory=dict)  # whether the size lies within the interval then
    seconds: float = 0.0
    shown: int = 0  # records on the pages that a conversation read

    def note(self, known: int, site: Site | SearchPages) -> None:
        """Take note of what is known now; whoever takes up an answer that was left asks no further question."""
        if len(self.known) == site.queries:
            self.known[-1], self.pages[-1] = known, site.pages
        else:
            self.known.append(known)
            self.pages.append(site.pages)

    def questions_to(self, share: float) -> float:
        """Return after how many questions a share was reached; not a number if it was not."""
        return self.questions_for(share * self.records)

    def questions_for(self, records: float) -> float:
        """Return after how many questions so many records were reached; not a number if they were not."""
        return next((float(at) for at, known in enumerate(self.known, 1) if known >= records), nan)

    def pages_to(self, share: float) -> float:
        """Return after how many pages a share was reached; not a number if it was not."""
        at = self.questions_to(share)
        return nan if isnan(at) else float(self.pages[int(at) - 1])

    def count_after(self, questions: int) -> int:
        """Return how many records were reached with so many questions."""
        return self.known[min(questions, len(self.known)) - 1] if self.known else 0


def parser() -> argparse.ArgumentParser:
    """The options of this benchmark."""
    result = argparse.ArgumentParser(prog="python -m benchmarks surface", allow_abbrev=False)
    result.add_argument(
        "--case",
        action="append",
        default=[],
        help="a case alone, by the beginning of its name: c, 'b: cap', 'b, by number'; may be repeated",
    )
    result.add_argument("--ours", action="store_true", help="only ours and the oracle, no published policies")
    return result


def is_full(options: Options) -> bool:
    """Say whether all cases and policies are measured."""
    asked = parser().parse_args(options.further)
    return not asked.case and not asked.ours


def run(options: Options) -> Mapping[str, object]:
    """Let all policies ask all databases, and print how far they get."""
    asked = parser().parse_args(options.further)
    names = ("books",) if options.quick else ("movies", "books", "artworks")
    cases = _choose_cases(asked.case, QUICK_CASES if options.quick else CASES)
    seeds = range(options.seed, options.seed + (1 if options.quick else 5))
    jobs = [
        Job(name, case, policy, seed, options.data)
        for name in names
        for case in cases
        for policy in _policies_of(case, quick=options.quick, only_ours=asked.ours)
        for seed in (seeds if policy in (*POLICIES, CONVERSATION) else seeds[:1])
    ]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        runs = {}
        for job, run in zip(jobs, pool.map(done, jobs), strict=True):
            runs[job] = run
            print(f"\r{len(runs):,} of {len(jobs):,} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    figures = {case.name: _figures_of_case(case, names, runs) for case in cases}
    overall: dict[str, object] = {
        name: _mean(figures[case.name][name] for case in cases if not case.is_variant)
        for name in next(iter(figures.values()))
        if name != "databases"
    }
    overall |= _figures_through_pages(figures)
    if not options.quick and is_full(options):
        b = figures["b: cap 100"]["coverage_vs_oracle"]
        silent = figures[NO_TOTALS]["coverage_vs_oracle"]
        assert isinstance(b, float)
        assert isinstance(silent, float)
        overall["by_number_vs_oracle"] = figures[BY_NUMBER]["coverage_vs_oracle"]
        overall["lost_without_totals"] = round(b - silent, 3)
        overall["stems_vs_oracle"] = figures[STEMS]["coverage_vs_oracle"]
    material = "real" if options.data else "generated"
    return overall | {"cases": figures, "seeds": list(seeds), "material": material}


def _choose_cases(beginnings: Sequence[str], cases: Sequence[Case]) -> tuple[Case, ...]:
    chosen = tuple(case for case in cases if not beginnings or case.name.startswith(tuple(beginnings)))
    if not chosen:
        named, known = ", ".join(beginnings), "; ".join(case.name for case in cases)
        raise SystemExit(f"surface: no case begins with {named}. The cases: {known}")
    return chosen


def _policies_of(case: Case, *, quick: bool, only_ours: bool) -> tuple[str, ...]:
    if case.is_variant or only_ours:
        return ("oracle", "ours", *((CONVERSATION,) if case.through_pages else ()))
    return (*ORACLES, *((WITH_PAIRS,) if case.name.startswith("b") and not quick else ()), *POLICIES)


def done(job: Job) -> Run:
    """Do a job."""
    database = _database(job.database, job.data, job.case.manner.stems)
    site = Site(database, job.case.manner)
    if job.policy == CONVERSATION:
        return _run_conversation(job, site)
    if job.policy not in POLICIES:
        run = Run(reachable(site, job.case.form))
        if job.policy == WITH_PAIRS:
            best = greedy_with_pairs(site)
        else:
            questions = questions_of(site, job.case.form)
            best = greedy(site, by_page="pages" in job.policy, questions=questions)
        for known, pages in best:
            run.known.append(known)
            run.pages.append(pages)
            if job.case.is_over(len(run.known), known / run.records):
                break
        return run
    return _run_policy(job, site)


def _run_policy(job: Job, site: Site) -> Run:
    """Let a policy ask until nearly all records are reached, the questions are spent, or it has nothing left to ask."""
    database, policy = site.database, _policy(job, site.database)
    run = Run(reachable(site, job.case.form))
    begin = _beginning(database, job.seed) if job.case.form.box else []
    known = 0
    while not job.case.is_over(len(run.known), known / run.records):
        started = time.process_time() - site.seconds
        wanted = QueryProposal((begin.pop(),), 0.0, "to begin with") if begin else policy.next()
        if wanted is None:
            break
        known += put(wanted, policy, site)
        run.seconds += time.process_time() - site.seconds - started
        run.note(known, site)
        _note_estimate(run, policy, len(database))
    return run


def _run_conversation(job: Job, site: Site) -> Run:
    """Let a conversation read the pages of a site until its questions are spent."""
    run = Run(len(site.database))
    pages = SearchPages(site, _beginning(site.database, job.seed))
    conversation = PagedRun(pages, job.case.questions, job.seed)
    for known in conversation.known_after_pages():
        run.note(known, pages)
    run.seconds, run.shown = conversation.seconds, len(pages.shown)
    return run


def _policy(job: Job, database: Database) -> QueryPolicy:
    """Return the policy of a job; where the form has selects, ours takes them as such and the others as words."""
    policy, form = POLICIES[job.policy](job.seed), job.case.form
    if not form.selects:
        return policy
    return (
        ours(database, form, job.seed)
        if job.policy == "ours"
        else ChoicesAsWords(policy, database, form, job.seed)
    )


def _note_estimate(run: Run, policy: QueryPolicy, records: int) -> None:
    for share in INTERVALS_AT:
        if share not in run.errors and run.known[-1] >= share * run.records and (found := policy.estimate()):
            run.errors[share] = abs(found.size / records - 1)
            run.hits[share] = found.low <= records <= found.high


def _beginning(database: Database, seed: int) -> list[str]:
    """Return the words to begin with: neither the rarest nor the most common."""
    words = sorted(
        word for word in database.vocabulary if len(word) > 2 and 5 <= database.frequency(word) <= 500
    )
    return Random(seed).sample(words, BEGIN_WITH)


@lru_cache(maxsize=1)
def _database(name: str, data: Path | None, stems: bool) -> Database:
    return load(name, data, stems=stems) if data is not None else generate_records(name, stems=stems)


def generate_records(name: str, records: int = 5_000, *, stems: bool = False) -> Database:
    """Return records of generated words: common ones are common as in any language, and kinds of records have words of their own."""
    chance = Random(name)
    words = [f"{chance.choice('bcdfghklmnprstvw')}{chance.choice('aeiou')}{at:x}" for at in range(20_000)]
    weights = [1 / (at + 5) for at in range(1_000)]
    shown = []
    for _ in range(records):
        kind = chance.randrange(40)
        own = words[1_000 + 300 * kind : 1_300 + 300 * kind]
        text = chance.choices(words[:1_000], weights, k=chance.randrange(5, 30))
        text += chance.choices(own, weights[:300], k=chance.randrange(2, 10))
        choices = {
            "kind": f"kind {kind // 4}",
            "decade": f"{1900 + 10 * min(chance.randrange(12), chance.randrange(12))}s",
        }
        shown.append(Shown(" ".join((*text, *choices.values())), choices))
    return Database(name, shown, stems=stems)


# Figures


def _figures_of_case(case: Case, names: Sequence[str], runs: Mapping[Job, Run]) -> dict[str, object]:
    """Print the table of a case, and return its figures: those of ours on each database, and their means."""
    print(f"\nCase {case.name}, {case.questions:,} questions at most\n")
    by_database: dict[str, dict[str, float | None]] = {}
    rows = []
    for name in names:
        of_name = {job: run for job, run in runs.items() if job.database == name and job.case == case}
        oracle = _only(of_name, "oracle")
        for policy in dict.fromkeys(job.policy for job in of_name):
            of_policy = [run for job, run in of_name.items() if job.policy == policy]
            rows.append((name, policy, *_row(of_policy, case)))
        by_database[name] = _figures(case, of_name, oracle)
    print(
        table(
            ("database", "policy", "at 100", "at 500", "in the end", "questions to 90 %", "pages to 90 %"),
            rows,
        )
    )
    means: dict[str, object] = {
        figure: _mean(each[figure] for each in by_database.values())
        for figure in next(iter(by_database.values()))
    }
    return means | {"databases": by_database}


def _row(runs: Sequence[Run], case: Case) -> tuple[object, ...]:
    shares = (fmean(run.count_after(at) / run.records for run in runs) for at in (100, 500, case.questions))
    return (
        *(round(share, 3) for share in shares),
        _or_never([run.questions_to(WANTED) for run in runs]),
        _or_never([run.pages_to(WANTED) for run in runs]),
    )


def _figures(case: Case, runs: Mapping[Job, Run], oracle: Run) -> dict[str, float | None]:
    of: dict[str, list[Run]] = {}
    for job, run in runs.items():
        of.setdefault(job.policy, []).append(run)
    ours = of["ours"]
    at = case.compared_at
    reached = (run.pages_to(WANTED) for policy in ORACLES for run in of.get(policy, ()))
    pages = min((each for each in reached if not isnan(each)), default=nan)
    with_pairs = of.get(WITH_PAIRS, [oracle])[0]
    hits = [hit for run in ours for hit in run.hits.values()]
    figures = {
        "coverage_at_100": _mean(run.count_after(100) / run.records for run in ours),
        "coverage_vs_oracle": _mean(run.count_after(at) / oracle.count_after(at) for run in ours),
        "queries_to_90_vs_oracle": _mean(
            run.questions_to(WANTED) / oracle.questions_to(WANTED) for run in ours
        ),
        "queries_to_90_vs_pairs": _mean(
            run.questions_to(WANTED) / with_pairs.questions_to(WANTED) for run in ours
        ),
        "pages_to_90_vs_oracle": _mean(run.pages_to(WANTED) / pages for run in ours),
        "requests_per_record": _mean(run.pages[-1] / run.known[-1] for run in ours),
        "estimate_error": _mean(run.errors.get(ESTIMATED_AT[0], nan) for run in ours),
        "estimate_error_90": _mean(run.errors.get(ESTIMATED_AT[1], nan) for run in ours),
        "interval_hits": _mean(map(float, hits)),
        "ms_per_question": _mean(1000 * run.seconds / len(run.known) for run in ours),
    }
    others = [policy for policy in POLICIES if policy != "ours"]
    compared = {
        f"vs_{policy.replace(' ', '_')}": _times_more(of[policy], ours) if policy in of else None
        for policy in others
    }
    best = max(
        (fmean(run.count_after(at) / run.records for run in of[policy]) for policy in others if policy in of),
        default=nan,
    )
    ahead = {"ahead": _mean([fmean(run.count_after(at) / run.records for run in ours) - best])}
    through_pages = _compare_with_rows(of[CONVERSATION], ours, at) if CONVERSATION in of else {}
    return figures | compared | ahead | through_pages


def _compare_with_rows(runs: Sequence[Run], ours: Sequence[Run], at: int) -> dict[str, float | None]:
    """Return how conversations got on that read pages, beside the policy that was given rows."""
    pairs = list(zip(runs, ours, strict=True))
    return {
        "through_pages_vs_rows": _mean(run.count_after(at) / our.count_after(at) for run, our in pairs),
        "through_pages_requests": _mean(run.pages[-1] / our.pages[-1] for run, our in pairs),
        "records_read": _mean(run.known[-1] / run.shown for run in runs),
        "ms_per_answer_page": _mean(1000 * run.seconds / run.pages[-1] for run in runs),
    }


def _figures_through_pages(cases: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Return the means over the cases in which a conversation read pages."""
    names = ("through_pages_vs_rows", "through_pages_requests", "records_read", "ms_per_answer_page")
    measured = [figures for figures in cases.values() if names[0] in figures]
    return {name: _mean(figures[name] for figures in measured) for name in names if measured}


def _times_more(runs: Sequence[Run], ours: Sequence[Run]) -> float:
    """Return how many times more questions other runs took to 90 %, or to what the worse of two that began alike reached."""
    spent = spent_by_ours = 0.0
    for run, our in zip(runs, ours, strict=True):
        records = min(WANTED * run.records, run.known[-1], our.known[-1])
        spent += run.questions_for(records)
        spent_by_ours += our.questions_for(records)
    return round(spent / spent_by_ours, 3)


def _only(runs: Mapping[Job, Run], policy: str) -> Run:
    return next(run for job, run in runs.items() if job.policy == policy)


def _mean(values: Iterable[object]) -> float | None:
    known = [float(value) for value in values if isinstance(value, (int, float)) and not isnan(value)]
    return round(fmean(known), 3) if known else None


def _or_never(values: Sequence[float]) -> object:
    known = [value for value in values if not isnan(value)]
    return round(fmean(known)) if len(known) == len(values) else "not reached"
