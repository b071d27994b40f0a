"""Everything learnt about the controls of one form, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.querying.option_counts import NOTHING, OptionCounts
from hiddenweb.querying.policies.options.corrections import PromiseCorrections
from hiddenweb.querying.policies.options.empty_box import EmptyBox
from hiddenweb.querying.policies.options.known_front import KnownFront
from hiddenweb.querying.policies.options.offers import OfferedOptions
from hiddenweb.querying.policies.options.option_answers import OptionAnswers
from hiddenweb.querying.policies.options.record_options import RecordOptions
from hiddenweb.querying.policies.options.submitted_queries import SubmittedQueries
from hiddenweb.querying.policies.options.tokens import OptionTokens
from hiddenweb.querying.policies.options.word_answers import WordAnswers
from hiddenweb.querying.query_templates import INFORMATIVE, WORDS, QueryTemplates

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Self

    from hiddenweb.querying.option_counts import Choices
    from hiddenweb.querying.query import LedgerEntry
    from hiddenweb.querying.query_control import QueryControl
    from hiddenweb.querying.search_behaviour import AnswerReach


@dataclass(frozen=True, slots=True)
class OptionKnowledge:
    """What is known of the controls of one form, and of the answers to them."""

    has_box: bool
    offers: OfferedOptions
    counts: OptionCounts
    templates: QueryTemplates
    tokens: OptionTokens
    record_options: RecordOptions
    word_answers: WordAnswers
    option_answers: OptionAnswers
    known_front: KnownFront
    empty_box: EmptyBox
    corrections: PromiseCorrections
    submitted: SubmittedQueries

    @classmethod
    def of_form(
        cls,
        controls: Iterable[QueryControl],
        *,
        has_box: bool,
        language: str = "",
        informative: float = INFORMATIVE,
    ) -> Self:
        """Return what is known of a form before its first answer."""
        offers = OfferedOptions(controls)
        by_name = offers.controls
        counts = OptionCounts(
            {name: len(control.options) for name, control in by_name.items()},
            exclusive=[name for name, control in by_name.items() if control.kind != "box"],
        )
        tokens = OptionTokens(offers.describe_choice)
        word_answers = WordAnswers(counts, offers.required)
        return cls(
            has_box=has_box,
            offers=offers,
            counts=counts,
            templates=QueryTemplates(informative=informative),
            tokens=tokens,
            record_options=RecordOptions(
                by_name.values(), counts, tokens, has_box=has_box, language=language
            ),
            word_answers=word_answers,
            option_answers=OptionAnswers(counts, by_name),
            known_front=KnownFront(counts, word_answers),
            empty_box=EmptyBox(has_box=has_box),
            corrections=PromiseCorrections(),
            submitted=SubmittedQueries(),
        )

    def learn(self, line: LedgerEntry, reach: AnswerReach) -> bool:
        """Learn from an answer how many records there are and were found; say whether there is a new cut answer to refine."""
        choices = frozenset(line.choices)
        is_cut = reach.is_cut(line.found, line.total, had_more=line.left)
        found = line.total if line.total is not None else None if is_cut else line.found
        if is_cut:
            self.known_front.note_cut(line.words, choices, line.found)
        self.counts.count_new(choices, line.new)
        if line.words:
            self.word_answers.learn(line, found, is_cut=is_cut)
        elif self._is_informative(choices, found):
            is_silent = line.total is None and not line.left
            self.option_answers.learn(
                choices, found=found, shown=line.found, is_cut=is_cut, is_silent=is_silent
            )
        return bool(choices) and is_cut

    def _is_informative(self, choices: Choices, found: int | None) -> bool:
        """Say whether an answer without words shows how many records there are: without a choice many sites show nothing, or popular records."""
        if not choices and (not found or (self.has_box and found < self.counts.known)):
            return False
        return not self.empty_box.may_explain((), found)

    def judge(self, words: tuple[str, ...], choices: Choices, signature: int) -> None:
        """Learn whether an answer differs from others of its template."""
        template = self.template(words, choices)
        self.templates.learn_answer(
            template,
            signature,
            with_less=self.submitted.sign(words, choices, signature),
            possible=None if words else self.offers.count_combinations(template),
        )

    def is_all_known(self) -> bool:
        """Say whether all records that the site shows are known."""
        total = self.counts.reported_size
        return total is not None and (self.option_answers.is_whole(NOTHING) or self.counts.known >= total)

    def is_possible(self, words: tuple[str, ...], choices: Choices) -> bool:
        """Say whether choices can be combined, are worth a query, and are offered."""
        if len(dict(choices)) < len(choices) or self.option_answers.is_covered(choices):
            return False
        if not all(self.offers.is_offered(choice, choices) for choice in sorted(choices)):
            return False
        return self.templates.may_be_submitted(
            self.template(words, choices), always=self.offers.required, is_possible=self._has_options
        )

    def _has_options(self, template: frozenset[str]) -> bool:
        """Say whether a query can be made of the controls of a template and no others."""
        if self.empty_box.finds_nothing and WORDS not in template:
            return False
        return self.offers.has_options(template)

    def kind(self, words: Collection[str], choices: Choices) -> str:
        """Return the kind of a query, whose promises are corrected together: its template."""
        return " + ".join(sorted(self.template(words, choices)))

    @staticmethod
    def template(words: Collection[str], choices: Choices) -> frozenset[str]:
        """Return the controls that a query gives values to, the box for words included."""
        return frozenset((*(name for name, _ in choices), *((WORDS,) if words else ())))

    def to_json(self) -> dict[str, Any]:
        """Return what is neither in the records nor in the ledger."""
        return {
            "templates": self.templates.to_json(),
            "tells": self.record_options.to_json(),
            "kinds": self.corrections.to_json(),
            "fronts": self.known_front.to_json(),
            "empty_boxes": self.empty_box.to_json(),
            "offered": self.offers.to_json(),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the saved state."""
        self.templates.restore(saved["templates"])
        self.record_options.restore(saved["tells"])
        self.corrections.restore(saved["kinds"])
        if "fronts" in saved:
            self.known_front.restore(saved["fronts"])
        if "empty_boxes" in saved:
            self.empty_box.restore(saved["empty_boxes"])
        self.offers.restore(saved["offered"])
