"""Which controls of a form are worth querying by, together and alone: the informativeness test of Madhavan et al. (2008).

A template is the set of controls that get values; the box for words counts as one, `WORDS`. A template is informative if its
answers differ: (different answers) / (queries) >= 0.2. An answer is identified by its records, in any order, and by the total of the
site. Templates grow from single controls: one with more controls is tried only when every part of it with one
control less is informative, up to three controls. So a control that changes nothing, such as an unrecognised order or page size,
costs a few queries and is then left alone.

Where we differ. With words in a template all its answers differ, whatever the other control does. So an answer counts as different only
if it also differs from that of the same query with one control less: this finds controls that change nothing. And a template is
judged as soon as it has five answers, or all that it can have, not after a sample of hundreds: our queries bring records while
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
"""The box for words; no other control can have this name."""

INFORMATIVE = 0.2
"""Different answers for a query (Madhavan et al.)."""

DECIDED_AFTER = 5
"""Answers after which a template is judged, if it can have that many; a limit of taste."""

MOST_CONTROLS = 3
"""Controls that get values at once (Madhavan et al. 2008)."""

MOST_TEMPLATES = 200
"""The most templates that are remembered; a limit of taste, it bounds the stored state."""

_MOST_SIGNATURES = 50
"""The most signatures of a template that are remembered; a limit of taste, a template is judged after far fewer."""

_SPREAD = 0x9E3779B97F4A7C15
"""A factor that spreads keys over all bits: 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 6.4)."""

_BITS = 2**52


class TemplateScore(NamedTuple):
    """What is known of a template."""

    queries: int
    different: int
    informative: bool | None  # None: not decided yet


@dataclass(slots=True)
class _Answers:
    """The answers of a template."""

    possible: int | None = None  # queries that it has, if that is known
    queries: int = 0
    different: int = 0
    signatures: dict[int, None] = field(default_factory=dict)  # the last ones


class QueryTemplates:
    """Decides which sets of controls are worth querying by."""

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
        """Learn from an answer; with_less has the signatures of the same query with one control less, possible is the number of queries of the template."""
        answers = self._answers.get(frozenset(controls))
        if answers is None:
            if len(self._answers) >= MOST_TEMPLATES:
                return
            answers = self._answers[frozenset(controls)] = _Answers()
        answers.possible = possible
        answers.queries += 1
        if signature in answers.signatures or signature in with_less:
            return
        answers.different += 1
        answers.signatures[signature] = None
        if len(answers.signatures) > _MOST_SIGNATURES:
            del answers.signatures[next(iter(answers.signatures))]

    def judge(self, controls: Iterable[str]) -> TemplateScore:
        """Return the score of a template; the empty one and the words alone are always informative."""
        template = frozenset(controls)
        answers = self._answers.get(template, _Answers())
        if template <= {WORDS}:
            return TemplateScore(answers.queries, answers.different, True)
        enough = (
            self._decided_after if answers.possible is None else min(self._decided_after, answers.possible)
        )
        if answers.queries < max(enough, 1):
            return TemplateScore(answers.queries, answers.different, None)
        # the first answer always counts as different, so a second one is needed
        is_informative = answers.different / answers.queries >= self._informative and answers.different > 1
        return TemplateScore(answers.queries, answers.different, is_informative)

    def may_be_submitted(
        self,
        controls: Iterable[str],
        *,
        always: Collection[str] = (),
        is_possible: Callable[[Template], bool] = lambda _: True,
    ) -> bool:
        """Say whether a template is worth a query: it is not known to be useless, and all its parts are informative.

        Controls that always have a value belong to every template, and do not count; nor do parts that no query can have.
        """
        template = frozenset(controls)
        free = template.difference(always)
        if self.judge(template).informative is False:
            return False
        if len(free) < 2:
            return True
        if len(template) > max(MOST_CONTROLS, len(always) + 1):
            return False
        parts = filter(is_possible, (template - {name} for name in free))
        return all(self.judge(part).informative for part in parts)

    def is_undecided(self, controls: Iterable[str]) -> bool:
        """Say whether more answers are needed to judge a template."""
        return self.judge(controls).informative is None

    def describe(self, names: Sequence[str] = ()) -> Iterator[str]:
        """Yield a sentence for every submitted template, those with fewest controls first."""
        place = {name: at for at, name in enumerate(names)}
        for template in sorted(self._answers, key=lambda each: (len(each), sorted(each))):
            score = self.judge(template)
            controls = sorted(template, key=lambda name: (place.get(name, -1), name))
            names_text = (
                " with ".join("words" if name == WORDS else repr(name) for name in controls)
                or "nothing chosen"
            )
            verdict = {True: "it is informative", False: "it is left", None: "not decided yet"}[
                score.informative
            ]
            answers = "answer" if score.different == 1 else "answers"
            queries = "query" if score.queries == 1 else "queries"
            yield f"{names_text}: {score.different} different {answers} to {score.queries} {queries}; {verdict}"

    def to_json(self) -> list[object]:
        """Return what was learnt."""
        return [
            [
                sorted(template),
                answers.possible,
                answers.queries,
                answers.different,
                list(answers.signatures)[-self._most_saved :],
            ]
            for template, answers in self._answers.items()
        ]

    def restore(self, saved: Iterable[Sequence[object]]) -> None:
        """Restore the saved state."""
        for names, possible, queries, different, signatures in saved:
            assert isinstance(names, list)
            assert isinstance(signatures, list)
            assert isinstance(queries, int)
            assert isinstance(different, int)
            assert possible is None or isinstance(possible, int)
            answers = _Answers(possible, queries, different, dict.fromkeys(signatures))
            self._answers[frozenset(names)] = answers

    @property
    def _most_saved(self) -> int:
        """The number of signatures of a template that are saved: as many as may still matter for its verdict."""
        return 2 * self._decided_after


def sign_records(keys: Iterable[int], signature: int = 0) -> int:
    """Return the signature of an answer with some more records; their order does not matter.

    >>> sign_records([1, 2], sign_records([3])) == sign_records([3, 2, 1]) != sign_records([1, 2])
    True
    """
    for key in keys:
        signature = (signature + (key * _SPREAD) % 2**64 // 2**12) % _BITS
    return signature
