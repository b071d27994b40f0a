"""When records come, change and go, and when pages are rewritten: all of it a function of the seed and the day.

Nothing is stored. A record's revision is how many of its own periods have passed; newcomers arrive at a steady
rate and get the next number; a few records are gone for good one day. Periods are spread widely, as on the
real web: most things hardly ever change, some change daily. A hand may be laid on top (`Hand`): commands such as
"change record 7 now" are remembered and added to what the schedule says.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from simweb.chance import share

DAY = 86_400
NEVER = 1 << 40


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that was done by hand: what, to which page or record, at what time of the clock."""

    clock: float
    what: Literal["change", "remove", "add", "rewrite", "redesign"]
    number: int
    name: str = ""


@dataclass(slots=True)
class Hand:
    """What was changed on command at one site, on top of its schedule."""

    revisions: dict[int, int] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    added: int = 0
    rewritten: dict[int, int] = field(default_factory=dict)
    redesigns: list[str] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    used_tokens: set[str] = field(default_factory=set)

    def change(self, record: int, clock: float) -> None:
        """Change a record."""
        self.revisions[record] = self.revisions.get(record, 0) + 1
        self.commands.append(Command(clock, "change", record))

    def remove(self, record: int, clock: float) -> None:
        """Take a record away for good."""
        self.removed.add(record)
        self.commands.append(Command(clock, "remove", record))

    def add(self, count: int, clock: float) -> None:
        """Add so many records."""
        self.added += count
        self.commands.append(Command(clock, "add", count))

    def rewrite(self, page: int, clock: float) -> None:
        """Rewrite a paragraph of a page."""
        self.rewritten[page] = self.rewritten.get(page, 0) + 1
        self.commands.append(Command(clock, "rewrite", page))

    def redesign(self, name: str, clock: float) -> None:
        """Change the template."""
        self.redesigns.append(name)
        self.commands.append(Command(clock, "redesign", 0, name))

    def state_at(self, clock: float) -> Hand:
        """Return what the hand had done by a time."""
        earlier = Hand()
        for command in self.commands:
            if command.clock <= clock:
                match command.what:
                    case "change":
                        earlier.change(command.number, command.clock)
                    case "remove":
                        earlier.remove(command.number, command.clock)
                    case "add":
                        earlier.add(command.number, command.clock)
                    case "rewrite":
                        earlier.rewrite(command.number, command.clock)
                    case "redesign":
                        earlier.redesign(command.name, command.clock)
        return earlier

    def last_touched(self, page: int) -> float:
        """Return when a page was last rewritten or redesigned by hand; 0 for never."""
        times = [
            c.clock for c in self.commands if c.what == "redesign" or (c.what, c.number) == ("rewrite", page)
        ]
        return max(times, default=0.0)


@dataclass(frozen=True, slots=True)
class PageLife:
    """When the public pages of one site are rewritten."""

    seed: int
    site: int

    def revision(self, page: int, day: int, hand: Hand) -> int:
        """Return how often a page has been rewritten by a day."""
        scheduled = day // _period(self.seed, self.site, "page", page) if day else 0
        return scheduled + hand.rewritten.get(page, 0)

    def last_written(self, page: int, day: int) -> int:
        """Return the day a page was last rewritten by its schedule."""
        period = _period(self.seed, self.site, "page", page) if day else 1
        return day // period * period


@dataclass(frozen=True, slots=True)
class RecordLife:
    """When the records of one database come, change and go."""

    seed: int
    site: int
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
        if day == 0 or share(self.seed, self.site, "changes", number) >= self.changing_share:
            return commanded
        return commanded + day // _period(self.seed, self.site, "record", number)

    def _leaves_by(self, number: int, day: int) -> bool:
        if share(self.seed, self.site, "leaves", number) >= self.leaving_share:
            return False
        if number > self.records and not self.arrivals_per_day:
            return False  # added by hand
        arrived = int((number - self.records) / self.arrivals_per_day) if number > self.records else 0
        stays = 1 + int(365 * share(self.seed, self.site, "stays", number))
        return day - arrived >= stays


def _period(seed: int, site: int, what: str, number: int) -> int:
    """Return the days between two changes: from one to about two years, spread evenly on a log scale."""
    return int(2 ** (share(seed, site, what, "period", number) * 9.5)) + 1
