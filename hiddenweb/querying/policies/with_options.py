"""Choosing between words, choices of the other controls, and both together.

A form may have selects, radio buttons, checkboxes, ranges and further boxes beside its box for words, or instead of one. What is asked is
whatever promises the most new records for its cost:

- a word, or several, as the policy for words says;
- a choice, or several of different controls. The options of a control share out the records, so how many a question finds can be told from those
  asked before (`OptionCounts`), and a question is left whose records were all shown by a wider one. A window of a range whose answer was cut is split in two;
- words together with choices. The policy for words is told choices as if they were words that records hold, and so pairs them as it pairs
  words. Which choices a record has is known if it was found by them, or told by its words (`OptionWords`). Where words do
  not tell, an answer that was cut is refined by the options of such a control, in the shares that these have of all records.

Promises of choices are corrected by what questions with the same controls brought before: got / predicted. Which controls go together is decided by the
informativeness test (`QueryTemplates`): a control that changes nothing is left after a few questions. While it is not decided what a control
does, one question in three may go to that.

A form without a box is asked without any choice first: that shows everything, or tells how much there is. Then the options of its controls
follow, and pairs only where answers were cut, until every record was seen or nothing is left to ask. A control that must have a value has
one in every question. Options may depend on another control; `offers` says what there is once that was chosen.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import combinations, islice, product
from math import exp, log, prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from hiddenweb.querying.answer_log import AnswerLog
from hiddenweb.querying.coverage import Estimate, estimate_by_numbers
from hiddenweb.querying.option_counts import NOTHING, OptionCounts
from hiddenweb.querying.option_words import OptionWords
from hiddenweb.querying.policies.benefit import QUESTION_COST, BenefitPolicy
from hiddenweb.querying.policies.published import QueryPolicy
from hiddenweb.querying.query import LedgerEntry, QueryProposal
from hiddenweb.querying.query_templates import INFORMATIVE, WORDS, QueryTemplates, sign_records
from hiddenweb.querying.record_words import TEXT, HasParts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.querying.option_counts import Choices
    from hiddenweb.querying.query import Choice, OpenAnswer
    from hiddenweb.querying.search_behaviour import AnswerReach

Kind = Literal["select", "radio", "checkboxes", "range", "box"]
"""What a control is; the options of all but the last two exclude each other, until answers tell otherwise."""

MOST_OFFERED = 1_000
"""Options that are remembered of controls that depend on others."""

GOING_ON = "going on"
"""The kind of a question that was asked before, and left."""

_CUT_ANSWERS = 60  # that are looked at to be refined
_PROMISING = 40  # questions, until all are looked at again
_REFRESHED = 10  # questions between two such looks, at most
_MUSTS = 500  # ways to choose what must be chosen
_TRIES = 30  # proposals of words that cannot be asked
_OF_A_WORD = 0.02  # the share of all records that hold a word of which nothing is known
_LEAST = 0.002  # new records that a question must promise
_TOLD = (
    0.3  # the share of records whose words tell a choice, from which the policy for words pairs it by itself
)
_SEEN = 0.9  # the share of records whose choice is guessed right, from which they are counted
_BELIEVED = 0.7  # of what words with choices promise, from which they need not be compared
_WORTH_LEARNING = 1.0  # new records that a question must promise which is asked to learn what a control does
_EXPLORED = 3  # one question in so many may be asked to learn what a control does
_MEMORY, _PRIOR = (
    0.9,
    2.0,
)  # of what questions of a kind brought, and how many count as just as promised before
_BY_CHANCE, _FAR = (
    3.0,
    2.0,
)  # records by which a promise may be off, and the logarithm of what it may be off by at most
_PAGES_BEFORE_DOUBT = 2
_EMPTY_IN_VAIN = 2  # questions without words after which choices are asked together with words only
_FRONTS_IN_VAIN = 2  # answers in which nothing new stood behind known records, more than others
_CHOICE = "choice"  # the part of a record that its choices are
_LEAVE_BELOW = 0.5


class ControlOption(NamedTuple):
    """An option of a control: what is sent, and what people read."""

    value: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class QueryControl:
    """A control beside the box for words, and what it can be given. Values of a range are windows; `split` makes two of one."""

    name: str
    kind: Kind
    options: tuple[ControlOption, ...] = ()
    label: str = ""
    must: bool = False  # every question has to have a value of it
    informative: float = 1.0  # a guess; what tells more is tried first
    split: Callable[[str], tuple[str, str] | None] | None = field(default=None, compare=False)


class WordPolicy(QueryPolicy, Protocol):
    """A policy for words that says how far answers reach; whoever is a `AnswerLog` does."""

    @property
    def reach(self) -> AnswerReach:
        """Return how many records of an answer can be had."""

    @property
    def under_way(self) -> OpenAnswer:
        """Return the answer whose pages are read."""

    def set_aside(self, answer: OpenAnswer) -> None:
        """Remember how much of an interrupted answer was read."""


class _Promise(NamedTuple):
    """A question and what it promises."""

    rate: float
    words: tuple[str, ...]
    choices: Choices
    new: float
    kind: str
    why: str
    goes_on: bool = False


@dataclass(slots=True)
class _Kinds:
    """By how much questions of one kind brought more or less than they promised; the latest count most."""

    missed_by: float = 0.0  # the sum of the logarithms
    questions: float = 0.0

    @property
    def ratio(self) -> float:
        return exp(self.missed_by / (self.questions + _PRIOR))

    def add(self, predicted: float, got: int) -> None:
        off = log((got + _BY_CHANCE) / (predicted + _BY_CHANCE))
        self.missed_by = _MEMORY * self.missed_by + min(max(off, -_FAR), _FAR)
        self.questions = _MEMORY * self.questions + 1


@dataclass(slots=True)
class _CutWords:
    """An answer to words that has more records than were shown."""

    total: int | None
    hidden: float  # the share of it that was not shown
    covered: float  # the share of all records that was known then
    refined: dict[str, dict[str, int | None]] = field(
        default_factory=dict
    )  # by control: options that were asked with it


@dataclass(slots=True)
class _CurrentAnswer:
    """The answer under way, as far as the policy for words does not know it."""

    words: tuple[str, ...]
    choices: Choices
    kind: str = ""
    predicted: float = 0.0
    elsewhere: float = 0.0  # new records for a page that the best question promises
    signature: int = 0
    goes_on: bool = False
    new_before_front: int | None = (
        None  # records that were new when pages began to be turned for what stands behind known ones
    )


class _NoWordPolicy(AnswerLog):
    """Takes in the answers to a form without a box for words."""

    def __init__(self, language: str = "") -> None:
        super().__init__(language)
        self.left: dict[tuple[str, ...], int] = {}  # answers, and how many records of them were read

    def read_before(self, words: Sequence[str]) -> int:
        return self.left.get(tuple(words), 0)

    def next(self) -> QueryProposal | None:
        return None

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        answer = self.under_way
        super().end_answer(had_more=had_more, cut=cut)
        self._note_left(answer.words, answer.shown, left=had_more)

    def failed(self) -> None:
        self.left.pop(self.under_way.words, None)
        super().failed()

    def set_aside(self, answer: OpenAnswer) -> None:
        super().set_aside(answer)
        self.left.pop(answer.words, None)

    def restore_line(self, line: LedgerEntry) -> None:
        self._note_left(line.words, line.found, left=line.left)

    def _note_left(self, words: tuple[str, ...], shown: int, *, left: bool) -> None:
        self.left.pop(words, None)
        if left:
            self.left[words] = shown


class OptionsPolicy:
    """Knows the records of one form's site, what its controls do, and what to ask next."""

    def __init__(
        self,
        words: WordPolicy | None,
        controls: Iterable[QueryControl],
        *,
        language: str = "",
        question_cost: float = QUESTION_COST,
        informative: float = INFORMATIVE,
    ) -> None:
        self._has_box = words is not None
        self._words: WordPolicy = words if words is not None else _NoWordPolicy(language)
        self._advises = isinstance(words, BenefitPolicy)  # the policy for words knows what choices are worth
        if isinstance(words, BenefitPolicy):
            words.adviser = self
        self._language = language
        self._question_cost = question_cost
        self._controls = {control.name: control for control in controls}
        self._musts = tuple(name for name, control in self._controls.items() if control.must)
        self._options = {name: list(control.options) for name, control in self._controls.items()}
        self._offered: dict[str, dict[Choices, list[ControlOption]]] = {}
        self.templates = QueryTemplates(informative=informative)
        self.counts = OptionCounts(
            {name: len(options) for name, options in self._options.items()},
            shares_out=[name for name, each in self._controls.items() if each.kind != "box"],
        )
        self.counts.size_elsewhere = self._size_by_words
        self._tells = {
            name: OptionWords({option.value: option.text for option in control.options}, language)
            for name, control in self._controls.items()
            if control.kind != "range"
        }
        for name, tells in self._tells.items():
            self.counts.names(name, tells.named)
        self._tokens: dict[str, Choice] = {}
        self._texts = {
            (name, option.value): option.text for name in self._options for option in self._options[name]
        }
        self._halves: dict[Choice, tuple[Choice, Choice]] = {}
        self._asked: dict[tuple[tuple[str, ...], Choices], int | None] = {}  # with signatures
        self._shown_of: dict[tuple[tuple[str, ...], Choices], int] = {}  # answers that were cut
        self._whole: set[Choices] = set()  # whose records were all shown
        self._cut: dict[Choices, None] = {}  # in the order they came
        self._silent: dict[Choices, int] = {}  # answers that do not say how many they found: records shown
        self._cut_words: dict[tuple[tuple[str, ...], Choices], _CutWords] = {}
        self._kinds: dict[str, _Kinds] = {}
        self._fronts = [0, 0]  # answers turned for what stands behind known records: in vain, and not
        self._empty_boxes = [0, 0]  # questions without words that brought nothing, and records
        self._explored = 0  # questions that were asked to learn what a control does
        self._explores = False  # the best one is such a question
        self._promising: list[tuple[tuple[str, ...], Choices]] = []
        self._refreshed = 0
        self._best: _Promise | None = None
        self._answer: _CurrentAnswer | None = None

    # The protocol

    def next(self) -> QueryProposal | None:
        """Return the best question; None when every record was seen, or nothing is left to ask."""
        if self._best is None:
            self._best = self._chosen()
        best = self._best
        if best is None:
            return None
        return QueryProposal(
            best.words, best.new, best.why, _in_order(best.choices, self._controls), best.goes_on
        )

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, goes_on: bool = False
    ) -> None:
        """Take note that this is asked now, whoever chose it."""
        asked, chosen = tuple(words), frozenset(choices)
        best, self._best = self._best, None
        answer = _CurrentAnswer(asked, chosen, goes_on=goes_on)
        if best is not None and (best.words, best.choices) == (asked, chosen):
            answer.kind, answer.predicted, answer.elsewhere = best.kind, best.new, best.rate
            self._explored += self._explores
        self._answer = answer
        self._asked.setdefault((asked, chosen), None)
        self._words.note_query(
            (*asked, *map(self._token, _in_order(chosen, self._controls))), goes_on=goes_on
        )

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        """Take in a page of the answer under way; return how many of its records are new."""
        answer = self._under_way
        answer.signature = sign_records((key for key, _ in records), answer.signature)
        return self._words.read(
            [(key, _RecordOptions(self, words, answer.choices)) for key, words in records], total
        )

    def is_worth_turning(self) -> bool:
        """Say whether the next page of the answer under way is worth a request."""
        asked, answer = self._under_way, self._words.under_way
        in_front = self._in_front(asked.words, asked.choices, answer.total)
        if answer.found and answer.shown < in_front + self._words.reach.page_size:
            if asked.new_before_front is None:
                asked.new_before_front = answer.new
            return True
        if self._has_box:
            return self._words.is_worth_turning()
        if answer.pages < _PAGES_BEFORE_DOUBT:
            return True
        here = sum(new for _, new in answer.latest) / _PAGES_BEFORE_DOUBT
        return here > 0 and here >= asked.elsewhere * _LEAVE_BELOW

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        """Take note that no more pages are read; had_more: another one was offered, and left; cut: there is more that cannot be had."""
        answer, read = self._under_way, self._words.under_way
        self._words.end_answer(had_more=had_more, cut=cut)
        self._answer = None
        if not answer.words:
            self._empty_boxes[read.shown > 0] += 1
        line = LedgerEntry(
            answer.words,
            _in_order(answer.choices, self._controls),
            read.shown,
            read.new,
            read.total,
            had_more,
        )
        self._take_in(line)
        if answer.kind and (self._has_box or not had_more):
            promised = answer.predicted / self._ratio(answer.kind)  # before it was corrected
            self._kinds.setdefault(answer.kind, _Kinds()).add(promised, read.new)
        if answer.new_before_front is not None:
            self._fronts[read.new > answer.new_before_front] += 1
        if not answer.goes_on and not self._may_want_words(answer.words, read.shown or read.total):
            self._judge(answer, read.total)

    def failed(self) -> None:
        """Take note that the question got no answer: it is not asked again, and others without words may get none either."""
        self._words.failed()
        if self._answer is not None and not self._answer.words:
            self._empty_boxes[False] += 1
        self._answer = None

    def interrupt_answer(self) -> None:
        """Take note that the host failed in the middle of the answer, or before its first page."""
        answer = self._words.under_way
        if answer.shown:
            self.end_answer(had_more=True)
            self._words.set_aside(answer)
        else:
            self._words.interrupt_answer()
            self._answer = None

    def offers(self, control: str, options: Iterable[ControlOption], *, given: Sequence[Choice] = ()) -> None:
        """Take note of what a control offers once something was chosen: the form came again, or says so itself."""
        if (
            control not in self._controls
            or sum(len(each) for of in self._offered.values() for each in of.values()) > MOST_OFFERED
        ):
            return
        known = self._offered.setdefault(control, {}).setdefault(frozenset(given), [])
        for option in options:
            if option.value not in {other.value for other in known}:
                known.append(option)
                self._texts[control, option.value] = option.text
        self._refreshed = 0
        self._best = None

    def estimate(self) -> Estimate | None:
        """Return how many records there are.

        As many as the question without words and choices found, if that was asked; or what the options of a control add up to, if nearly all were.
        """
        said, by_words = self.counts.size_said, self._words.estimate()
        known = by_words.known if by_words is not None else self.counts.known
        if said:
            size = max(said, float(known))
            return Estimate(known, size, size, size)
        if by_words is None or not (by_options := self.counts.size_by_options):
            return by_words
        size = max(by_options, float(known))
        return estimate_by_numbers(known, size - known, len(self._asked))

    def common(self, but: Collection[str]) -> str | None:
        """Return the plain word that most known records hold, of those that are not to be asked; None if there is none."""
        return self._words.common({*but, *self._tokens}) if self._has_box else None

    def example(self, words: Iterable[str]) -> int | None:
        """Return the key of a record that holds all of some words; None if none is known."""
        return self._words.example(words)

    def describe(self) -> Iterator[str]:
        """Yield a sentence for everything that was found out about controls."""
        yield from self.templates.describe(list(self._controls))

    def worth(self, words: Sequence[str]) -> float:
        """Return by what the policy for words has to multiply what it promises of words and of choices among them."""
        plain, choices = self._parted(words)
        if not choices or self._missing(choices):
            return 1.0
        if not plain or (plain, choices) in self._asked or not self._is_possible(plain, choices):
            return 0.0
        return self._ratio(self._kind(plain, choices))

    def are_seen(self, words: Sequence[str]) -> bool:
        """Say whether records tell the choices among some words."""
        _, choices = self._parted(words)
        return all(name in self._tells and self._tells[name].right >= _SEEN for name, _ in choices)

    def to_json(self) -> str:
        answer = self._answer
        state = {
            "words": self._words.to_json(),
            "templates": self.templates.to_json(),
            "tells": {name: tells.to_json() for name, tells in self._tells.items()},
            "kinds": {name: [kind.missed_by, kind.questions] for name, kind in self._kinds.items()},
            "explored": self._explored,
            "fronts": self._fronts,
            "empty_boxes": self._empty_boxes,
            "offered": [
                [control, sorted(given), options]
                for control, of in self._offered.items()
                for given, options in of.items()
            ],
            "under_way": None
            if answer is None
            else [
                answer.words, sorted(answer.choices), answer.kind, answer.predicted, answer.elsewhere,
                answer.signature, answer.goes_on,
            ],
        }  # fmt: skip
        return json.dumps(state, ensure_ascii=False)

    def restore(
        self, written: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        """Go on where another process ended."""
        state = json.loads(written) if written else {}
        if state:
            self._restore_small_state(state)
        lines = list(ledger)
        known = ((key, _RecordOptions(self, words, NOTHING), times) for key, words, times in records)
        told = (
            line._replace(words=(*line.words, *map(self._token, line.choices)), choices=()) for line in lines
        )
        self._words.restore(state.get("words", ""), known, told)
        for line in lines:
            self._asked.setdefault((line.words, frozenset(line.choices)), None)
            if line.answered:
                self._take_in(line)

    def _restore_small_state(self, state: Mapping[str, Any]) -> None:
        self.templates.restore(state["templates"])
        for name, tells in state["tells"].items():
            if name in self._tells:
                self._tells[name].restore(tells)
        self._kinds = {
            name: _Kinds(missed_by, questions) for name, (missed_by, questions) in state["kinds"].items()
        }
        self._explored = state["explored"]
        self._fronts = list(state.get("fronts", self._fronts))
        self._empty_boxes = list(state.get("empty_boxes", self._empty_boxes))
        for control, given, options in state["offered"]:
            self.offers(
                control,
                (ControlOption(*option) for option in options),
                given=[(name, value) for name, value in given],
            )
        if state["under_way"] is not None:
            words, choices, *rest = state["under_way"]
            chosen = frozenset((name, value) for name, value in choices)
            self._answer = _CurrentAnswer(tuple(words), chosen, *rest)
            self._asked.setdefault((self._answer.words, chosen), None)
            for choice in chosen:
                self._token(choice)

    # Answers

    @property
    def _under_way(self) -> _CurrentAnswer:
        if self._answer is None:
            raise ValueError(
                "a page was read, but nothing is asked: call note_query() before read() and end_answer()"
            )
        return self._answer

    def list_words(self, words: Iterable[str], choices: Choices) -> Iterator[str]:
        """Yield the words of a record that is new, and its choices as far as they are known."""
        held = tuple(words)
        yield from held if self._has_box else ()
        chosen = dict(choices)
        for name, tells in self._tells.items():
            if name in chosen:
                tells.learn(held, chosen[name])
                continue
            guess = tells.guess(held)
            self.counts.count_guess(name, tells.find_named(held))
            if guess is not None:
                yield self._token((name, guess))
        for choice in sorted(choices):
            yield self._token(choice)

    def _take_in(self, line: LedgerEntry) -> None:
        """Learn from an answer how many records there are, and how many of them were met."""
        choices = frozenset(line.choices)
        is_cut = self._words.reach.is_cut(line.found, line.total, had_more=line.left)
        found = line.total if line.total is not None else None if is_cut else line.found
        if is_cut:
            self._shown_of[line.words, choices] = line.found
        self.counts.met(choices, line.new)
        if choices and is_cut:
            self._refreshed = 0  # there is something new to refine
        if line.words:
            self._take_in_words(line, choices, found, is_cut=is_cut)
            return
        if not choices and (not found or (self._has_box and found < self.counts.known)):
            return  # many sites show nothing, or what is popular, to somebody who chose nothing
        if self._may_want_words(line.words, found):
            return
        if line.total is None and not line.left:
            self._silent[choices] = line.found
        self._note_end(choices, found, line.found, is_cut=is_cut)

    def _note_end(self, choices: Choices, found: int | None, shown: int, *, is_cut: bool) -> None:
        self.counts.learn_answer(choices, found=found, shown=shown)
        if is_cut:
            self._cut[choices] = None
        else:
            self._cut.pop(choices, None)
        (self._whole.add, self._whole.discard)[is_cut](choices)
        if is_cut:
            for choice in sorted(choices):
                self._split(choice)

    def _doubt_the_longest(self) -> None:
        """Take the longest answers for cut where the site does not say how many it found: nobody knows where they would have ended."""
        longest = max(self._silent.values(), default=0)
        for choices, shown in self._silent.items():
            is_cut = shown > 0 and (shown >= longest or self._words.reach.is_cut(shown, None, had_more=False))
            if is_cut != (choices in self._cut):
                self._note_end(choices, None if is_cut else shown, shown, is_cut=is_cut)

    def _take_in_words(self, line: LedgerEntry, choices: Choices, found: int | None, *, is_cut: bool) -> None:
        for choice in sorted(choices):
            wider = self._cut_words.get((line.words, choices - {choice}))
            if wider is None and choice[0] in self._musts:
                wider = self._cut_words[line.words, choices - {choice}] = _CutWords(None, 1.0, self._covered)
            if wider is not None:
                wider.refined.setdefault(choice[0], {})[choice[1]] = found
        if is_cut:
            hidden = 1 - line.found / found if found else 0.5
            self._cut_words[line.words, choices] = _CutWords(found, hidden, self._covered)

    def _judge(self, answer: _CurrentAnswer, total: int | None) -> None:
        """Learn whether an answer differs from others of its template."""
        signature = sign_records((total or 0,), answer.signature) if answer.signature or total else 0
        self._asked[answer.words, answer.choices] = signature
        less = {self._asked.get((answer.words, answer.choices - {choice})) for choice in answer.choices}
        if answer.words:
            less.add(self._asked.get(((), answer.choices)))
        template = self._template(answer.words, answer.choices)
        possible = None if answer.words else prod(len(self._options.get(name, ())) or 1 for name in template)
        with_less = {each for each in less if each is not None}
        self.templates.learn_answer(template, signature, with_less=with_less, possible=possible)

    def _split(self, choice: Choice) -> None:
        """Make two windows of one whose answer was cut."""
        split = self._controls[choice[0]].split if choice[0] in self._controls else None
        halves = split(choice[1]) if split is not None and choice not in self._halves else None
        if halves is not None:
            self._halves[choice] = ((choice[0], halves[0]), (choice[0], halves[1]))
            self.counts.halves(choice, self._halves[choice])

    # What to ask

    def _chosen(self) -> _Promise | None:
        self._doubt_the_longest()
        if self._all_is_seen():
            return None
        if self._refreshed <= 0:
            self._look_again()
        self._refreshed -= 1
        best = self._to_learn() if self._may_explore() else None
        self._explores = best is not None
        if best is not None:
            return best
        by_choices = (self._promise(words, choices) for words, choices in self._promising)
        promises = filter(None, (self._by_words(), *by_choices, *self._going_on()))
        best = max(promises, key=lambda promise: promise.rate, default=None)
        return self._chosen() if best is None and self._promising_is_stale() else best

    def _all_is_seen(self) -> bool:
        said = self.counts.size_said
        return said is not None and (NOTHING in self._whole or self.counts.known >= said)

    @property
    def _covered(self) -> float:
        return min(self.counts.known / max(self.counts.size, 1.0), 0.999)

    def _size_by_words(self) -> float:
        estimate = self._words.estimate() if self._has_box else None
        return estimate.size if estimate is not None else 0.0

    def _may_explore(self) -> bool:
        return self._has_box and (self._explored + 1) * _EXPLORED <= len(self._asked)

    def _to_learn(self) -> _Promise | None:
        """Return a choice of a control of which it is not decided yet what it does."""
        undecided = [
            control
            for name, control in self._controls.items()
            if not control.must
            and control.informative > 0
            and self.templates.is_undecided((name, *self._musts))
        ]
        for control in sorted(undecided, key=lambda control: -control.informative):
            offered = order_from_middle(list(self._choices_of(control.name, NOTHING)))
            singles = [frozenset((choice,)) for choice in offered]
            promises = (self._promise((), choices) for each in singles for choices in self._completed(each))
            best = max(filter(None, promises), key=lambda promise: promise.rate, default=None)
            if best is not None and best.new >= _WORTH_LEARNING:
                return best
        return None

    def _by_words(self) -> _Promise | None:
        """Return what the policy for words wants, if the form can be asked that.

        Words with choices promise more than they bring; corrected, they have to stand up to the best that follows without choices.
        """
        best: _Promise | None = None
        for _ in range(_TRIES):
            wanted = self._words.next()
            if wanted is None:
                return best
            words, choices = self._parted(wanted.words)
            promise = self._with_musts(words, choices, wanted) if words or wanted.goes_on else None
            if promise is not None and (best is None or promise.rate > best.rate):
                best = promise
            if promise is not None and (
                wanted.goes_on or not choices or self._advises or self._ratio(promise.kind) > _BELIEVED
            ):
                return best
            self._words.note_query(wanted.words)  # what is never asked has no answer, and does not come again
            self._words.failed()
        return best

    def _with_musts(self, words: tuple[str, ...], choices: Choices, wanted: QueryProposal) -> _Promise | None:
        """Return what the policy for words wants, with an option of what must be chosen besides: the one with the most records."""
        why = self._in_words(wanted.why)
        if wanted.goes_on:
            return self._promised(words, choices, wanted.expected, "words", why, goes_on=True)
        if not self._is_possible(words, choices):
            return None
        if not self._missing(choices):
            kind = self._kind(words, choices) if choices else "words"
            return self._promised(words, choices, wanted.expected * self._ratio(kind), kind, why)
        ways = [each for each in self._completed(choices) if (words, each) not in self._asked]
        if not ways or any((words, each) in self._asked for each in self._completed(choices)):
            return None  # the other options follow as refinements
        best = max(ways, key=self.counts.found)
        share = min(self.counts.found(best - choices) / max(self.counts.size, 1.0), 1.0)
        return self._promised(words, best, wanted.expected * share, "words", why)

    def _going_on(self) -> Iterator[_Promise]:
        """Yield the answers of a form without a box that were left, if their next pages may bring something by now."""
        if not isinstance(self._words, _NoWordPolicy):
            return
        for tokens, read in self._words.left.items():
            _, choices = self._parted(tokens)
            found = self.counts.found(choices)
            more = self._shown(found) - read
            new = more * self.counts.hidden(choices) / max(found, 1.0) * self._ratio(GOING_ON)
            if new >= _LEAST:
                why = f"{self._named(choices)} has about {found:,.0f} records, of which {read:,} were read"
                yield self._promised((), choices, new, GOING_ON, why, goes_on=True)

    def _look_again(self) -> None:
        """Look at all choices, alone and as refinements of answers that were cut, and remember the best."""
        self._refreshed = min(_REFRESHED, 1 + len(self._asked) // 20)
        found = [promise for promise in map(self._promise_of, dict.fromkeys(self._questions())) if promise]
        best = nlargest(_PROMISING, found, key=lambda promise: promise.rate)
        self._promising = [(promise.words, promise.choices) for promise in best]

    def _promising_is_stale(self) -> bool:
        """Say whether there may be something to ask among what was not remembered, and see to it that it is looked at."""
        before, self._refreshed = self._refreshed, 0
        return before < min(_REFRESHED, 1 + len(self._asked) // 20) - 1

    def _questions(self) -> Iterator[tuple[tuple[str, ...], Choices]]:
        """Yield what could be asked next: choices, and refinements of what was cut."""
        for base in self._completed(NOTHING):
            if base or not self._has_box:
                yield (), base
        if not self._musts:
            for name in self._controls:
                yield from (((), frozenset((choice,))) for choice in self._choices_of(name, NOTHING))
        for cut in nlargest(_CUT_ANSWERS, self._cut, key=self.counts.hidden):
            for name in self._controls:
                if name not in dict(cut):
                    yield from (((), cut | {choice}) for choice in self._choices_of(name, cut))
            for choice in sorted(cut):
                yield from (((), cut - {choice} | {half}) for half in self._halves.get(choice, ()))
        waiting = nlargest(_CUT_ANSWERS, self._cut_words.items(), key=lambda each: self._hidden(each[1]))
        for (words, choices), _ in waiting:
            for name in self._controls:
                if name not in dict(choices) and not self._told_by_words(name):
                    yield from ((words, choices | {choice}) for choice in self._choices_of(name, choices))

    def _told_by_words(self, name: str) -> bool:
        """Say whether the policy for words pairs the choices of a control by itself."""
        return name not in self._musts and name in self._tells and self._tells[name].tells >= _TOLD

    def _hidden(self, cut: _CutWords) -> float:
        """Return how many records of an answer to words are still hidden, if others were met in it as elsewhere."""
        left = (1 - self._covered) / max(1 - cut.covered, 1e-3)
        return (cut.total or self.counts.size * _OF_A_WORD) * cut.hidden * min(left, 1.0)

    def _promise_of(self, question: tuple[tuple[str, ...], Choices]) -> _Promise | None:
        return self._promise(*question)

    def _promise(self, words: tuple[str, ...], choices: Choices) -> _Promise | None:
        """Return what a question with choices promises; None if it cannot be asked, or is not worth it."""
        if (words, choices) in self._asked or not self._is_possible(words, choices) or self._missing(choices):
            return None
        if words:
            return self._promise_of_refinement(words, choices)
        if self._wants_words:
            return None
        found = self.counts.found(choices)
        hidden = self.counts.hidden(choices)
        if hidden < _LEAST:
            return None
        kind = self._kind(words, choices)
        in_front = min(self._in_front(words, choices), found - hidden)
        new = max(self._shown(found) - in_front, 0.0) * hidden / max(found - in_front, 1.0)
        why = f"about {found:,.0f} records have {self._named(choices)}, {hidden:,.0f} of them are not known"
        return self._promised((), choices, new * self._ratio(kind), kind, why)

    def _may_want_words(self, words: Sequence[str], found: int | None) -> bool:
        """Say whether a question may have found nothing just because the box was empty: many sites show nothing then, whatever was chosen."""
        return self._has_box and not words and not found and not self._empty_boxes[True]

    @property
    def _wants_words(self) -> bool:
        """Whether choices alone bring nothing, since the box must not be empty."""
        in_vain, found = self._empty_boxes
        return self._has_box and not found and in_vain >= _EMPTY_IN_VAIN

    def _promise_of_refinement(self, words: tuple[str, ...], choices: Choices) -> _Promise | None:
        best: _Promise | None = None
        for choice in sorted(choices):
            cut = self._cut_words.get((words, choices - {choice}))
            if cut is None:
                continue
            found, hidden = self._refined(cut, choice)
            in_front = self._shown_of.get((words, choices - {choice}), 0) * self.counts.share(choice)
            new = max(self._shown(found) - in_front, 0.0) * hidden * found / max(found - in_front, 1.0)
            if new < _LEAST or (best is not None and best.new >= new):
                continue
            kind = self._kind(words, choices)
            named = " ".join(words)
            why = f"{named!r} found more than was shown; with {self._named(choices)} about {found:,.0f} are found, {new:,.0f} of them new"
            best = self._promised(words, choices, new * self._ratio(kind), kind, why)
        return best

    def _refined(self, cut: _CutWords, choice: Choice) -> tuple[float, float]:
        """Return what a choice finds of a cut answer, and the share of it that is hidden."""
        control, _ = choice
        asked = cut.refined.get(control, {})
        shares = sum(self.counts.share((control, value)) for value in asked)
        known = sum(total or 0 for total in asked.values())
        share = self.counts.share(choice)
        if cut.total is None:
            whole = known / shares if shares else self.counts.size * _OF_A_WORD
            return whole * share, 1 - self._covered
        left = max(cut.total - known, 0) * min(share / max(1 - shares, share, 1e-6), 1.0)
        return left, self._hidden(cut) / max(cut.total, 1)

    def _promised(
        self,
        words: tuple[str, ...],
        choices: Choices,
        new: float,
        kind: str,
        why: str,
        *,
        goes_on: bool = False,
    ) -> _Promise:
        cost = (0.0 if goes_on else self._question_cost) + self._words.reach.pages(new)
        return _Promise(new / cost, words, choices, new, kind, why, goes_on)

    def _kind(self, words: Collection[str], choices: Choices) -> str:
        """Return what questions have in common whose promises are corrected together: their template."""
        return " + ".join(sorted(self._template(words, choices)))

    def _ratio(self, kind: str) -> float:
        """Return by how much a promise is corrected; the policy for words corrects its own."""
        return self._kinds[kind].ratio if kind in self._kinds and kind != "words" else 1.0

    def _shown(self, found: float) -> float:
        """Return how many records of an answer are shown, if about so many are found."""
        reach = self._words.reach
        if reach.refused is not None and found >= reach.refused:
            return 0.0
        return found if reach.most is None else min(found, reach.most)

    # Questions a form takes

    def _is_possible(self, words: tuple[str, ...], choices: Choices) -> bool:
        """Say whether choices go together, are worth it, and are offered."""
        if len(dict(choices)) < len(choices) or self._is_covered(choices):
            return False
        if not all(self._is_offered(choice, choices) for choice in sorted(choices)):
            return False
        template = self._template(words, choices)
        return self.templates.may_be_asked(template, always=self._musts, is_possible=self._has_options)

    def _is_covered(self, choices: Choices) -> bool:
        """Say whether all records with some choices were shown by a question with fewer."""
        sizes = range(len(choices) + 1)
        return any(frozenset(part) in self._whole for size in sizes for part in combinations(choices, size))

    def _in_front(self, words: tuple[str, ...], choices: Choices, found: float | None = None) -> float:
        """Return how many records of an answer were shown by the same question with one choice less, and stand in front of the others.

        They do where a site orders both answers the same way. Where it does not, pages were turned in vain, and none is expected in front.
        """
        in_vain, not_in_vain = self._fronts
        if in_vain - not_in_vain >= _FRONTS_IN_VAIN:
            return 0.0
        most = 0.0
        for choice in sorted(choices):
            wider = choices - {choice}
            shown = self._shown_of.get((words, wider), 0)
            if not shown:
                continue
            share = self.counts.share(choice)
            if found is not None:
                cut = self._cut_words.get((words, wider))
                whole = cut.total if cut is not None else self.counts.found(wider)
                share = min(found / whole, 1.0) if whole else share
            most = max(most, shown * share)
        return most

    def _is_offered(self, choice: Choice, choices: Choices) -> bool:
        """Say whether a choice is one that its control has, beside others that it may depend on."""
        name, value = choice
        narrowed = [options for given, options in self._offered.get(name, {}).items() if given <= choices]
        if not narrowed:
            return bool(self._options.get(name))
        return any(value == option.value for options in narrowed for option in options)

    def _has_options(self, template: frozenset[str]) -> bool:
        """Say whether the controls of a template offer something without any others, and without words."""
        if self._wants_words and WORDS not in template:
            return False
        dependent = [name for name in template if name and not self._options[name]]
        return all(
            any({control for control, _ in given} <= template for given in self._offered.get(name, ()))
            for name in dependent
        )

    def _choices_of(self, name: str, choices: Choices) -> Iterator[Choice]:
        """Yield what a control offers beside some choices; what it offers because of them goes before what it always does."""
        narrowed = [options for given, options in self._offered.get(name, {}).items() if given <= choices]
        for options in narrowed or [self._options[name]]:
            for option in options:
                yield name, option.value

    def _missing(self, choices: Choices) -> list[str]:
        chosen = dict(choices)
        return [name for name in self._musts if name not in chosen]

    def _completed(self, choices: Choices) -> Iterator[Choices]:
        """Yield choices with all ways to choose what must be chosen besides."""
        missing = [list(self._choices_of(name, choices)) for name in self._missing(choices)]
        for chosen in islice(product(*missing), _MUSTS):
            yield choices.union(chosen)

    def _template(self, words: Collection[str], choices: Choices) -> frozenset[str]:
        return frozenset((*(name for name, _ in choices), *((WORDS,) if words else ())))

    # Choices among words

    def _token(self, choice: Choice) -> str:
        """Return a choice as a word that no text holds."""
        token = f"{choice[0]} = {choice[1]}"
        self._tokens[token] = choice
        return token

    def _parted(self, tokens: Iterable[str]) -> tuple[tuple[str, ...], Choices]:
        """Return words without choices, and the choices."""
        known = [(token, self._tokens.get(token)) for token in tokens]
        words = tuple(token for token, choice in known if choice is None)
        return words, frozenset(choice for _, choice in known if choice is not None)

    def _named(self, choices: Choices) -> str:
        named = (self._called(choice) for choice in _in_order(choices, self._controls))
        return " and ".join(named) or "anything"

    def _called(self, choice: Choice) -> str:
        control = self._controls.get(choice[0])
        label = control.label if control is not None and control.label else choice[0]
        return f"{label} = {self._texts.get(choice) or choice[1]}"

    def _in_words(self, why: str) -> str:
        """Return what the policy for words says, with choices as people read them."""
        for token, choice in self._tokens.items():
            if repr(token) in why:
                why = why.replace(repr(token), repr(self._called(choice)))
        return why


class _RecordOptions:
    """The words of a record with its choices, and the parts in which the words stand; choices are a part of their own."""

    def __init__(self, policy: OptionsPolicy, words: Iterable[str], choices: Choices) -> None:
        self._policy, self._words, self._choices = policy, words, choices
        self._found: tuple[str, ...] | None = None

    def __iter__(self) -> Iterator[str]:
        if self._found is None:  # learning from a record twice would count it twice
            self._found = tuple(self._policy.list_words(self._words, self._choices))
        return iter(self._found)

    def parts(self) -> Mapping[str, str]:
        words = self._words
        stand_in = words.parts() if isinstance(words, HasParts) else dict.fromkeys(words, TEXT)
        return dict.fromkeys(self, _CHOICE) | dict(stand_in)


def order_from_middle(options: Sequence[Choice]) -> list[Choice]:
    """Return options in an order that takes them from all parts of a list, the rare ones at its ends last.

    >>> order_from_middle([("year", str(year)) for year in range(5)])
    [('year', '2'), ('year', '1'), ('year', '3'), ('year', '0'), ('year', '4')]
    """
    middle = (len(options) - 1) / 2
    return sorted(options, key=lambda option: abs(options.index(option) - middle))


def _in_order(choices: Iterable[Choice], controls: Iterable[str]) -> tuple[Choice, ...]:
    """Return choices in the order in which their controls stand."""
    place = {name: at for at, name in enumerate(controls)}
    return tuple(sorted(choices, key=lambda choice: (place.get(choice[0], len(place)), choice)))
