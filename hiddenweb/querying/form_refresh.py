"""When a form is fetched anew before it is asked.

Fetching the page of a form before every question would double what a site has to bear, and most forms need it never. So a form is
fetched anew only if there is a reason, and as long as it does some good:

- Hidden values look like tokens (`hiddenweb.forms.csrf_tokens`): the form is fetched once before its first question, with the
  cookies of that answer. If its values are the same as before and there are no cookies, they are no tokens.
- A question was refused ("session expired", status 419), or got the form again or nothing at all, and there is a sign of a session: the
  answer set a cookie, or hid other values in the same form than we sent.
- The values are old: sessions end after twenty minutes or more.

What was fetched serves for all following questions. If it is refused after it was good for one, it may be good for one only; if the next
question is then answered well with fresh values, every question gets fresh ones. If fresh values are refused at once, the
values are not the reason, and after a second time they are let alone.

An answer that has the form on it again brings fresh values for nothing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Stage = Literal["plain", "suspected", "in use", "useless"]
"""A form without tokens; one that is to be fetched anew; one that was; one for which that did no good."""

Reception = Literal["good", "doubtful", "refused"]
"""How a question was received: as questions are, so that it may have been refused, or refused for sure."""

OLD = 900.0
"""Seconds after which the hidden values of a form are not trusted any more: a quarter of an hour; a limit of taste."""

_MOST_IN_VAIN = 2
"""Refreshes that brought nothing, after which none is tried any more; a limit of taste."""

REFUSING = frozenset((419, 440, 498))
"""What servers answer when a session or a token is not good any more."""

DOUBTFUL = frozenset((400, 403, 409, 412, 422))
"""What servers answer to that, and to much else."""


@dataclass(frozen=True, slots=True)
class RefreshRule:
    """What is known about the hidden values of one form and how long they are good."""

    stage: Stage = "plain"
    why: str = ""
    fetched: float | None = None  # when the values were
    used: int = 0  # questions that were sent with them
    stale: bool = False  # they were refused
    once: bool = False  # they are good for one question
    may_be_once: bool = False
    proven: bool = False  # a question was answered well with them
    in_vain: int = 0  # times that fresh values were refused at once
    offered: bool = False  # an answer set a cookie that we did not keep

    @property
    def is_used(self) -> bool:
        """Whether the form has a session: fresh values, and cookies if there are any."""
        return self.stage == "in use"

    def wants_fetching(self, now: float) -> bool:
        """Say whether the form has to be fetched anew before the next question."""
        if self.stage == "suspected":
            return True
        if self.stage != "in use" or self.fetched is None:
            return False
        return self.stale or (self.once and self.used > 0) or now - self.fetched > OLD

    def note_fetch(self, now: float, *, differs: bool, has_cookies: bool) -> RefreshRule:
        """Return what is known after the form was fetched anew: whether its hidden values differ, and whether it set cookies."""
        if not differs and not has_cookies and not self.proven:
            return replace(self, stage="useless", why="its page is the same every time and sets no cookies")
        why = self.why or ("its hidden values change" if differs else "it needs its cookies")
        return replace(self, stage="in use", why=why, fetched=now, used=0, stale=False)

    def note_renewal(self, now: float) -> RefreshRule:
        """Return what is known after an answer brought fresh values with it."""
        return replace(self, fetched=now, used=0, stale=False)

    def note_missing(self, why: str) -> RefreshRule:
        """Return what is known when the form is no more where it was."""
        return replace(self, stage="useless", why=why)

    def note_sending(self) -> RefreshRule:
        """Return what is known when a question goes out."""
        return replace(self, used=self.used + 1)

    def learn_reception(self, reception: Reception, *, differs: bool = False) -> tuple[RefreshRule, bool]:
        """Return what is known after an answer, and whether the same question is worth asking once more with fresh values.

        `differs` says that the form was on the answer with other hidden values than were sent.
        """
        if reception == "good":
            return self._accepted(), False
        if self.stage == "plain":
            has_sign = reception == "refused" or self.offered or differs
            why = (
                "a query was refused"
                if reception == "refused"
                else "a query got no answer, and there is a session"
            )
            return (replace(self, stage="suspected", why=why), True) if has_sign else (self, False)
        if self.stage != "in use":
            return self, False
        if self.used > 1:
            return replace(self, stale=True, may_be_once=self.used == 2), True
        return self._refused_at_once(), False

    def _accepted(self) -> RefreshRule:
        if self.stage != "in use":
            return self
        is_fresh = self.used == 1
        once = self.once or (self.may_be_once and is_fresh)
        return replace(self, once=once, may_be_once=False, proven=True, in_vain=0)

    def _refused_at_once(self) -> RefreshRule:
        tried = replace(self, may_be_once=False, stale=True, in_vain=self.in_vain + 1)
        if tried.in_vain >= _MOST_IN_VAIN and not self.proven:
            return replace(tried, stage="useless", why="fresh values and cookies are refused as well")
        return tried

    def to_json(self) -> dict[str, Any]:
        """Return it as it is written down."""
        return asdict(self)

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> RefreshRule:
        """Take up what was written down."""
        return cls(**written)
