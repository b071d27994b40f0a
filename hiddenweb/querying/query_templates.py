"""Which controls of a form are worth asking by, together and alone: the informativeness test of Madhavan et al. (2008).

A template is the set of controls that get values; the box for words counts as one, `WORDS`. A template is informative if its
answers differ: (different answers) / (questions) >= 0.2. An answer is known by the records it showed and the number the site
says, in whatever order. Templates grow from single controls: one with more controls is tried only when every part of it with one
control less is informative, up to three controls. So a control that changes nothing, an order or a page size that was not taken for
one, costs a few questions and is left.

Where we differ. With words in a template all its answers differ, whatever the other control does. So an answer counts as different only
if it also differs from that of the same question with one control less: what changes nothing beside the same word is found out. And a template is
judged as soon as it has five answers, or all that it can have, not after a sample of hundreds: our questions bring records while
they test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

Template = frozenset[str]
"""Names of controls."""

WORDS = ""
"""The box for words, which no other control can be called."""

INFORMATIVE = 0.2
"""Different answers for a question; of Madhavan et al."""

DECIDED_AFTER = 5
"""Answers after which a template is judged, if it can have that many; a limit of taste."""

MOST_CONTROLS = 3
"""Controls that get values at once (Madhavan et al. 2008)."""

MOST_TEMPLATES = 200
"""Templates that are remembered; a limit of taste, it bounds the stored state."""

_SIGNATURES_KEPT = 50
"""Signatures of a template that are remembered; a limit of taste, a template is judged after far fewer."""

_SPREAD = 0x9E3779B97F4A7C15
"""A factor that spreads keys over all bits: 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 6.4)."""

_BITS = 2**52


class TemplateScore(NamedTuple):
    """What is known of a template."""

    questions: int
    different: int
    informative: bool | None  # None: not decided yet


@dataclass(slots=True)
class _Answers:
    """What the answers of a template were."""

    possible: int | None = None  # questions that it has, if that is known
    questions: int = 0
    different: int = 0
    signatures: dict[int, None] = field(default_factory=dict)  # the last ones


class QueryTemplates:
    """Says which sets of controls are worth asking by."""

    def __init__(self, *, informative: float = INFORMATIVE, decided_after: int = DECIDED_AFTER) -> None:
        self._informative = informative
        self._decided_after = decided_after
        self._answers: dict[Template, _Answers] = {}

    def learn_answer(
        self,
        controls: Iterable[str],
        signature: int,
        *,
        with_less: Collection[int] = (),
        possible: int | None = None,
    ) -> None:
        """Learn from an answer; with_less has those of the same question with one control less, possible says how many questions there are."""
        known = self._answers.get(frozenset(controls))
        if known is None:
            if len(self._answers) >= MOST_TEMPLATES:
                return
            known = self._answers[frozenset(controls)] = _Answers()
        known.possible = possible
        known.questions += 1
        if signature in known.signatures or signature in with_less:
            return
        known.different += 1
        known.signatures[signature] = None
        if len(known.signatures) > _SIGNATURES_KEPT:
            del known.signatures[next(iter(known.signatures))]

    def judged(self, controls: Iterable[str]) -> TemplateScore:
        """Return what is known of a template, and whether it is informative; nothing and the words always are."""
        template = frozenset(controls)
        known = self._answers.get(template, _Answers())
        if template <= {WORDS}:
            return TemplateScore(known.questions, known.different, True)
        enough = self._decided_after if known.possible is None else min(self._decided_after, known.possible)
        if known.questions < max(enough, 1):
            return TemplateScore(known.questions, known.different, None)
        # of two answers one is always different, so it takes a second one to tell that a control does anything
        is_informative = known.different / known.questions >= self._informative and known.different > 1
        return TemplateScore(known.questions, known.different, is_informative)

    def may_be_asked(
        self,
        controls: Iterable[str],
        *,
        always: Collection[str] = (),
        is_possible: Callable[[Template], bool] = lambda _: True,
    ) -> bool:
        """Say whether a template is worth a question: it is not known to be useless, and all that it grows from is informative.

        Controls that always have a value belong to every template, and say nothing about it; nor do parts that no question can have.
        """
        template = frozenset(controls)
        free = template.difference(always)
        if self.judged(template).informative is False:
            return False
        if len(free) < 2:
            return True
        if len(template) > max(MOST_CONTROLS, len(always) + 1):
            return False
        parts = filter(is_possible, (template - {name} for name in free))
        return all(self.judged(part).informative for part in parts)

    def is_undecided(self, controls: Iterable[str]) -> bool:
        """Say whether more answers are needed to judge a template."""
        return self.judged(controls).informative is None

    def describe(self, names: Sequence[str] = ()) -> Iterator[str]:
        """Yield a sentence for every template that was asked, those with fewest controls first."""
        place = {name: at for at, name in enumerate(names)}
        for template in sorted(self._answers, key=lambda each: (len(each), sorted(each))):
            judged = self.judged(template)
            controls = sorted(template, key=lambda name: (place.get(name, -1), name))
            called = (
                " with ".join("words" if name == WORDS else repr(name) for name in controls)
                or "nothing chosen"
            )
            verdict = {True: "it is informative", False: "it is left", None: "not decided yet"}[
                judged.informative
            ]
            answers = "answer" if judged.different == 1 else "answers"
            questions = "question" if judged.questions == 1 else "questions"
            yield f"{called}: {judged.different} different {answers} to {judged.questions} {questions}; {verdict}"

    def to_json(self) -> list[object]:
        """Return what was learnt."""
        return [
            [
                sorted(template),
                known.possible,
                known.questions,
                known.different,
                list(known.signatures)[-self._kept :],
            ]
            for template, known in self._answers.items()
        ]

    def restore(self, written: Iterable[Sequence[object]]) -> None:
        """Go on from what was written down."""
        for names, possible, questions, different, signatures in written:
            assert isinstance(names, list)
            assert isinstance(signatures, list)
            assert isinstance(questions, int)
            assert isinstance(different, int)
            assert possible is None or isinstance(possible, int)
            known = _Answers(possible, questions, different, dict.fromkeys(signatures))
            self._answers[frozenset(names)] = known

    @property
    def _kept(self) -> int:
        """Signatures of a template that are written down: as many as may still matter for its verdict."""
        return 2 * self._decided_after


def sign_records(keys: Iterable[int], signature: int = 0) -> int:
    """Return the signature of an answer with some more records; their order does not matter.

    >>> sign_records([1, 2], sign_records([3])) == sign_records([3, 2, 1]) != sign_records([1, 2])
    True
    """
    for key in keys:
        signature = (signature + (key * _SPREAD) % 2**64 // 2**12) % _BITS
    return signature
