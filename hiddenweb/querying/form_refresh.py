"""When a form is fetched again before it is submitted.

Fetching the page of a form before every query would double the load on its site, and most forms do not need it. So a form is
fetched again only for a reason, and only as long as it helps:

- Hidden values look like tokens (`hiddenweb.forms.csrf_tokens`): the form is fetched once before its first query, with
  new cookies. If its values are the same as before and there are no cookies, they are no tokens.
- A query was refused ("session expired", status 419), or was answered with the form again or with nothing, and there is a sign of a session: the
  answer set a cookie, or its form has other hidden values than we sent.
- The values are old: sessions end after twenty minutes or more.

Fetched values are used for all following queries. If they are refused after one good answer, they may be valid only once; if the next
query then succeeds with fresh values, every query gets fresh ones. If fresh values are refused at once, the
values are not the reason, and after a second time the form is not fetched again.

An answer that contains the form brings fresh values without a request.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Stage = Literal["plain", "suspected", "in use", "useless"]
"""A form without tokens; one to fetch again; one that was fetched again; one for which that did not help."""

Reception = Literal["good", "doubtful", "refused"]
"""How a site received a query: normally, perhaps refused, or certainly refused."""

OLD = 900.0
"""Seconds after which the hidden values of a form are too old: a quarter of an hour; a limit of taste."""

_MOST_IN_VAIN = 2
"""Useless refreshes after which no other is tried; a limit of taste."""

REFUSING = frozenset((419, 440, 498))
"""Statuses of servers for an expired session or token."""

DOUBTFUL = frozenset((400, 403, 409, 412, 422))
"""Statuses that may mean the same, or something else."""


@dataclass(frozen=True, slots=True)
class RefreshRule:
    """What is known about the hidden values of one form and how long they are valid."""

    stage: Stage = "plain"
    why: str = ""
    fetched: float | None = None  # when the values were fetched
    used: int = 0  # queries that were sent with them
    stale: bool = False  # they were refused
    once: bool = False  # they are valid for one query
    may_be_once: bool = False
    proven: bool = False  # a query succeeded with them
    in_vain: int = 0  # times that fresh values were refused at once
    offered: bool = False  # an answer set a cookie that was not stored

    @property
    def is_used(self) -> bool:
        """Whether the form has a session: fresh values, and cookies if there are any."""
        return self.stage == "in use"

    def wants_fetching(self, now: float) -> bool:
        """Say whether the form must be fetched again before the next query."""
        if self.stage == "suspected":
            return True
        if self.stage != "in use" or self.fetched is None:
            return False
        return self.stale or (self.once and self.used > 0) or now - self.fetched > OLD

    def note_fetch(self, now: float, *, differs: bool, has_cookies: bool) -> RefreshRule:
        """Return the rule after the form was fetched again; differs: it has other hidden values."""
        if not differs and not has_cookies and not self.proven:
            return replace(self, stage="useless", why="its page is the same every time and sets no cookies")
        why = self.why or ("its hidden values change" if differs else "it needs its cookies")
        return replace(self, stage="in use", why=why, fetched=now, used=0, stale=False)

    def note_renewal(self, now: float) -> RefreshRule:
        """Return the rule after an answer brought fresh values."""
        return replace(self, fetched=now, used=0, stale=False)

    def note_missing(self, why: str) -> RefreshRule:
        """Return the rule when the form is no longer on its page."""
        return replace(self, stage="useless", why=why)

    def note_sending(self) -> RefreshRule:
        """Return the rule when a query is sent."""
        return replace(self, used=self.used + 1)

    def learn_reception(self, reception: Reception, *, differs: bool = False) -> tuple[RefreshRule, bool]:
        """Return the rule after an answer, and whether to resubmit the query with fresh values.

        differs: the answer contains the form with other hidden values than were sent.
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
        rule = replace(self, may_be_once=False, stale=True, in_vain=self.in_vain + 1)
        if rule.in_vain >= _MOST_IN_VAIN and not self.proven:
            return replace(rule, stage="useless", why="fresh values and cookies are refused as well")
        return rule

    def to_json(self) -> dict[str, Any]:
        """Return the state to save."""
        return asdict(self)

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> RefreshRule:
        """Return the rule of a saved state."""
        return cls(**saved)
