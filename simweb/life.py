"""When records come, change and go, and when pages are rewritten: all of it a function of the seed and the day.

Nothing is stored. A record's revision is how many of its own periods have passed; newcomers arrive at a steady
rate and get the next number; a few records are gone for good one day. Periods are spread widely, as on the
real web: most things hardly ever change, some change daily. A hand may be laid on top (`Hand`): commands such as
"change record 7 now" are remembered and added to what the schedule says.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simweb.chance import share

DAY = 86_400
NEVER = 1 << 40


@dataclass(slots=True)
class Hand:
    """What was changed on command at one site, on top of its schedule."""

    revisions: dict[int, int] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    added: int = 0
    rewritten: dict[int, int] = field(default_factory=dict)
    redesigns: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PageLife:
    """When the public pages of one site are rewritten."""

    seed: int
    host: str

    def revision(self, page: int, day: int, hand: Hand) -> int:
        """Return how often a page has been rewritten by a day."""
        scheduled = day // _period(self.seed, self.host, "page", page) if day else 0
        return scheduled + hand.rewritten.get(page, 0)

    def written(self, page: int, day: int) -> int:
        """Return the day a page was last rewritten by its schedule."""
        period = _period(self.seed, self.host, "page", page) if day else 1
        return day // period * period


@dataclass(frozen=True, slots=True)
class RecordLife:
    """When the records of one database come, change and go."""

    seed: int
    host: str
    records: int
    most: int
    arrivals_per_day: float
    leaving_share: float
    changing_share: float

    def newest(self, day: int, hand: Hand) -> int:
        """Return the highest record number there is on a day."""
        return min(self.most, self.records + int(self.arrivals_per_day * day) + hand.added)

    def is_alive(self, number: int, day: int, hand: Hand) -> bool:
        """Say whether a record is in the database on a day."""
        if number in hand.removed or not 1 <= number <= self.newest(day, hand):
            return False
        return day == 0 or not self._leaves_by(number, day)

    def revision(self, number: int, day: int, hand: Hand) -> int:
        """Return how often a record has changed by a day."""
        commanded = hand.revisions.get(number, 0)
        if day == 0 or share(self.seed, self.host, "changes", number) >= self.changing_share:
            return commanded
        return commanded + day // _period(self.seed, self.host, "record", number)

    def _leaves_by(self, number: int, day: int) -> bool:
        if share(self.seed, self.host, "leaves", number) >= self.leaving_share:
            return False
        is_newcomer = number > self.records and self.arrivals_per_day
        arrived = int((number - self.records) / self.arrivals_per_day) if is_newcomer else 0
        stays = 1 + int(365 * share(self.seed, self.host, "stays", number))
        return day - arrived >= stays


def _period(seed: int, host: str, what: str, number: int) -> int:
    """Return the days between two changes: from one to about two years, spread evenly on a log scale."""
    return int(2 ** (share(seed, host, what, "period", number) * 9.5)) + 1
