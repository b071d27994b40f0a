"""Telling people of changes: feeds at once, messages as digests.

Each rule (`hiddenweb.notify.rules`) has places: feeds, a webhook, an apprise address. A feed gets every change when it is
known; readers come for it when they like. A message disturbs, so a rule sends one in `every` seconds at most: the first change goes out at once,
those that follow wait until the time is over and are sent together, the first `LISTED` in full, the others counted.

What cannot be delivered is kept and tried again, later each time, in the same message with the same id. When it was delivered the ids of its
changes are remembered, and none of them is sent there again. All this is in one file, replaced as a whole before and after each
sending, and a second one to which changes are added as they come, so a crawl that is killed loses nothing. Should it be killed in the very moment between delivery and noting it, the message is sent twice, with one
id (`Idempotency-Key`), by which a receiver can tell; to lose it instead would be worse.

Webhooks are sent by a function that is handed in: who fetches pages also knows which addresses must not be reached. Apprise sends by
itself, to addresses that only the user names, and is imported only when a rule has one.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from hiddenweb.notify.atom import feed_of, write_feed, write_whole
from hiddenweb.notify.wording import change_id, digest
from hiddenweb.revisit.change import Change, Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.notify.rules import NotificationRule

LISTED = 50
"""Changes that a message has in full. A limit of taste."""

Post = Callable[[str, bytes, Mapping[str, str]], Awaitable[bool]]
"""Sends a body with headers to an address; returns whether it was taken, or raises OSError."""

Notify = Callable[[str, str, str], Awaitable[bool]]
"""Sends a title and a text to an apprise address, likewise."""

_MAX_WAITING = 10_000
"""Changes that wait in full for a place that cannot be reached; more are only counted; a limit of taste."""

_MAX_REMEMBERED = 10_000  # ids of changes that were reported to a place; a limit of taste
_FIRST_RETRY = 60.0  # seconds; twice as many after each failure. A limit of taste
_LAST_RETRY = 86_400.0  # seconds: once a day at least; a limit of taste


class CannotNotify(RuntimeError):
    """Something is missing to notify people as the rules say, or what was kept for them cannot be read."""


@dataclass(slots=True)
class _Target:
    """What was reported to one place, and is still to be."""

    waiting: dict[str, Change] = field(default_factory=dict)  # by id
    beyond: dict[str, int] = field(default_factory=dict)  # kinds of changes beyond what is kept
    sending: list[str] = field(default_factory=list)  # ids in the message that is under way
    reported: dict[str, None] = field(default_factory=dict)  # ids, the oldest first
    not_before: float = 0.0
    failures: int = 0

    def add(self, name: str, change: Change) -> bool:
        if name in self.reported or name in self.waiting:
            return False
        if len(self.waiting) >= _MAX_WAITING:
            self.beyond[change.kind] = self.beyond.get(change.kind, 0) + 1
        else:
            self.waiting[name] = change
        return True

    def mark_delivered(self) -> None:
        for name in self.sending:
            self.reported[name] = None
            self.waiting.pop(name, None)
        for name in list(islice(self.reported, max(len(self.reported) - _MAX_REMEMBERED, 0))):
            del self.reported[name]
        self.sending, self.failures = [], 0

    def mark_failed(self, now: float) -> None:
        self.not_before = now + min(_FIRST_RETRY * 2**self.failures, _LAST_RETRY)
        self.failures += 1


class Notifier:
    """Tells changes by rules. Hand in changes with `add`, and call `send` now and then: it sends what is due."""

    def __init__(
        self,
        rules: Sequence[NotificationRule],
        kept_in: Path,
        *,
        post: Post | None = None,
        notify: Notify | None = None,
        topic: str = "",
    ) -> None:
        self._rules = rules
        self._kept_in = kept_in
        self._topic = topic
        self._post = post
        self._notify = notify
        self._check()
        self._lock = asyncio.Lock()
        self.counts: Counter[str] = Counter()
        names = {_name(rule, place) for rule in rules for place in _places_of(rule)}
        self._places = {name: place for name, place in _read(kept_in).items() if name in names}
        self._news = kept_in.with_name(f"{kept_in.name}.new")
        kept_in.parent.mkdir(parents=True, exist_ok=True)
        if self._news.exists():
            for change in _read_news(self._news):
                self._take(change)
            self._keep()

    def add(self, changes: Iterable[Change]) -> int:
        """Take changes in; return how many anybody is notified of. They are kept before this returns."""
        wanted = [change for change in changes if self._take(change)]
        if wanted:
            lines = "".join(f"{json.dumps(asdict(change))}\n" for change in wanted)
            with self._news.open("a", encoding="ascii") as file:
                file.write(lines)
        self.counts["wanted"] += len(wanted)
        return len(wanted)

    async def send(self, now: float) -> None:
        """Write feeds, and send the messages whose time has come."""
        async with self._lock:
            for rule in self._rules:
                for name in _places_of(rule):
                    place = self._place(rule, name)
                    place.not_before = min(
                        place.not_before, now + max(rule.every, _LAST_RETRY)
                    )  # clocks may be set back
                    if place.waiting and place.not_before <= now:
                        await self._send(rule, name, place, now)

    def next_time(self) -> float | None:
        """Return when there is something to send; None: nothing waits."""
        return min((place.not_before for place in self._places.values() if place.waiting), default=None)

    def _take(self, change: Change) -> bool:
        name = change_id(change)
        places = [
            self._place(rule, place)
            for rule in self._rules
            if rule.wants(change)
            for place in _places_of(rule)
        ]
        return sum(place.add(name, change) for place in places) > 0

    async def _send(self, rule: NotificationRule, name: str, place: _Target, now: float) -> None:
        if not place.sending:
            place.sending = list(place.waiting)
            self._keep()
        changes = [place.waiting[each] for each in place.sending]
        beyond = Counter(place.beyond)
        try:
            taken = await self._hand_over(rule, name, changes, place)
        except OSError:
            taken = False
        if taken:
            place.not_before = now if name == "atom" else now + rule.every
            place.mark_delivered()
            place.beyond = dict(Counter(place.beyond) - beyond)  # some may have come meanwhile
        else:
            place.mark_failed(now)
        self.counts[f"{name} {'sent' if taken else 'failed'}"] += 1
        self._keep()

    async def _hand_over(
        self, rule: NotificationRule, name: str, changes: list[Change], place: _Target
    ) -> bool:
        if name == "atom":
            return self._write_feeds(rule, changes)
        text = digest(changes, place.beyond, LISTED)
        if name == "apprise":
            assert self._notify is not None
            return await self._notify(rule.apprise, f"{rule.name}: {text.splitlines()[0]}", text)
        assert self._post is not None
        message = _message(rule, changes, place, text)
        headers = {"Content-Type": "application/json", "Idempotency-Key": message["id"]}
        return await self._post(rule.webhook, json.dumps(message).encode(), headers)

    def _write_feeds(self, rule: NotificationRule, changes: list[Change]) -> bool:
        feeds: dict[tuple[str, str], list[Change]] = {}
        for change in changes:
            if feed := feed_of(rule, change, self._topic):
                feeds.setdefault(feed, []).append(change)
        for (path, title), entries in feeds.items():
            write_feed(Path(path), title, entries)
        return True

    def _place(self, rule: NotificationRule, name: str) -> _Target:
        return self._places.setdefault(_name(rule, name), _Target())

    def _check(self) -> None:
        if self._post is None and any(rule.webhook for rule in self._rules):
            raise CannotNotify("a rule has a webhook, and nothing was handed in to send it with")
        if self._notify is None and any(rule.apprise for rule in self._rules):
            self._notify = load_apprise()

    def _keep(self) -> None:
        kept = {name: asdict(place) for name, place in self._places.items()}
        write_whole(self._kept_in, json.dumps(kept).encode())
        self._news.unlink(missing_ok=True)  # they are in it


def load_apprise() -> Notify:
    """Return what sends by apprise; raises CannotTell without it."""
    try:
        apprise = import_module("apprise")
    except ImportError as error:
        raise CannotNotify(
            "a rule has an apprise address, and apprise is not installed: pip install hiddenweb[notify]"
        ) from error

    async def notify(address: str, title: str, text: str) -> bool:
        sender = apprise.Apprise()
        return bool(sender.add(address)) and bool(await sender.async_notify(title=title, body=text))

    return notify


def _places_of(rule: NotificationRule) -> list[str]:
    return [name for name in ("atom", "webhook", "apprise") if getattr(rule, name)]


def _name(rule: NotificationRule, place: str) -> str:
    return f"{rule.name}\n{place}"


def _message(rule: NotificationRule, changes: list[Change], place: _Target, text: str) -> dict[str, Any]:
    kinds = Counter(map(attrgetter("kind"), changes)) + Counter(place.beyond)
    return {
        "id": uuid5(NAMESPACE_URL, "\n".join([rule.name, *place.sending])).urn,
        "rule": rule.name,
        "total": kinds.total(),
        "kinds": dict(kinds),
        "sites": dict(Counter(change.site for change in changes)),
        "changes": [{"id": change_id(change), **asdict(change)} for change in changes[:LISTED]],
        "text": text,
    }


def _read(path: Path) -> dict[str, _Target]:
    try:
        kept = json.loads(path.read_bytes())
        return {name: _place_from(place) for name, place in kept.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CannotNotify(f"{path}: what is still to be reported cannot be read: {error!r}") from error


def _read_news(path: Path) -> list[Change]:
    """Return the changes that came after the rest was kept; a line that was cut by the end of a crawl is none."""
    lines = path.read_text(encoding="ascii").splitlines(keepends=True)
    return [_change_from(json.loads(line)) for line in lines if line.endswith("}\n")]


def _place_from(kept: Mapping[str, Any]) -> _Target:
    return _Target(
        waiting={name: _change_from(change) for name, change in kept["waiting"].items()},
        beyond=dict(kept["beyond"]),
        sending=list(kept["sending"]),
        reported=dict.fromkeys(
            kept["reported"] if "reported" in kept else kept["told"]
        ),  # its name until 0.1
        not_before=float(kept["not_before"]),
        failures=int(kept["failures"]),
    )


def _change_from(kept: Mapping[str, Any]) -> Change:
    return Change(**{**kept, "edits": tuple(Edit(**edit) for edit in kept["edits"])})
