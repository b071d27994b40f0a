"""Notifying people of changes: feeds at once, messages as digests.

Each rule (`hiddenweb.notify.rules`) has targets: feeds, a webhook, an apprise address. A feed gets every change at once;
readers poll it. A message disturbs, so a rule sends at most one in `every` seconds: the first change is sent at once,
later ones wait until the time is over and are sent together, the first `LISTED` in full, the others counted.

Undelivered messages are stored and tried again, with growing pauses, unchanged and with the same id. After delivery the ids of the
changes are remembered, and none of them is sent to this target again. All this is in one file, replaced as a whole before and after each
sending, and a second one to which new changes are appended, so a killed crawl loses nothing. If it is killed between delivery and the note of it, the message is sent twice, with the same
id (`Idempotency-Key`), by which a receiver can recognise it; losing it would be worse.

Webhooks are sent by a function that is passed in, because the fetching side knows which addresses must not be reached. Apprise sends by
itself, only to addresses that the user names, and is imported only when a rule has one.
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
"""Changes that a message lists in full. A limit of taste."""

Post = Callable[[str, bytes, Mapping[str, str]], Awaitable[bool]]
"""Sends a body with headers to an address; returns whether it was accepted, or raises OSError."""

Notify = Callable[[str, str, str], Awaitable[bool]]
"""Sends a title and a text to an apprise address, likewise."""

_MAX_WAITING = 10_000
"""Changes that wait in full for a target that cannot be reached; more are only counted; a limit of taste."""

_MAX_REMEMBERED = 10_000  # ids of changes that were reported to a target; a limit of taste
_FIRST_RETRY = 60.0  # seconds; twice as many after each failure. A limit of taste
_LAST_RETRY = 86_400.0  # seconds: once a day at least; a limit of taste


class CannotNotify(RuntimeError):
    """Something is missing to notify people by the rules, or stored notifications cannot be read."""


@dataclass(slots=True)
class _Target:
    """What was reported to one target, and what still waits."""

    waiting: dict[str, Change] = field(default_factory=dict)  # by id
    beyond: dict[str, int] = field(default_factory=dict)  # further changes, counted by kind
    sending: list[str] = field(default_factory=list)  # ids in the message that is being sent
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
    """Notifies people of changes by rules. Pass changes to `add`, and call `send` regularly: it sends what is due."""

    def __init__(
        self,
        rules: Sequence[NotificationRule],
        state_file: Path,
        *,
        post: Post | None = None,
        notify: Notify | None = None,
        topic: str = "",
    ) -> None:
        self._rules = rules
        self._state_file = state_file
        self._topic = topic
        self._post = post
        self._notify = notify
        self._check()
        self._lock = asyncio.Lock()
        self.counts: Counter[str] = Counter()
        names = {_name(rule, kind) for rule in rules for kind in _target_kinds(rule)}
        self._targets = {name: target for name, target in _read(state_file).items() if name in names}
        self._news = state_file.with_name(f"{state_file.name}.new")
        state_file.parent.mkdir(parents=True, exist_ok=True)
        if self._news.exists():
            for change in _read_news(self._news):
                self._accept(change)
            self._save()

    def add(self, changes: Iterable[Change]) -> int:
        """Add changes; return how many of them any rule reports. They are stored before this returns."""
        accepted = [change for change in changes if self._accept(change)]
        if accepted:
            lines = "".join(f"{json.dumps(asdict(change))}\n" for change in accepted)
            with self._news.open("a", encoding="ascii") as file:
                file.write(lines)
        self.counts["wanted"] += len(accepted)
        return len(accepted)

    async def send(self, now: float) -> None:
        """Write feeds, and send the messages that are due."""
        async with self._lock:
            for rule in self._rules:
                for kind in _target_kinds(rule):
                    target = self._target(rule, kind)
                    target.not_before = min(
                        target.not_before, now + max(rule.every, _LAST_RETRY)
                    )  # clocks may be set back
                    if target.waiting and target.not_before <= now:
                        await self._send(rule, kind, target, now)

    def next_time(self) -> float | None:
        """Return when there is something to send; None: nothing waits."""
        return min((target.not_before for target in self._targets.values() if target.waiting), default=None)

    def _accept(self, change: Change) -> bool:
        name = change_id(change)
        targets = [
            self._target(rule, kind)
            for rule in self._rules
            if rule.wants(change)
            for kind in _target_kinds(rule)
        ]
        return sum(target.add(name, change) for target in targets) > 0

    async def _send(self, rule: NotificationRule, kind: str, target: _Target, now: float) -> None:
        if not target.sending:
            target.sending = list(target.waiting)
            self._save()
        changes = [target.waiting[each] for each in target.sending]
        beyond = Counter(target.beyond)
        try:
            is_delivered = await self._deliver(rule, kind, changes, target)
        except OSError:
            is_delivered = False
        if is_delivered:
            target.not_before = now if kind == "atom" else now + rule.every
            target.mark_delivered()
            target.beyond = dict(Counter(target.beyond) - beyond)  # some may have been added meanwhile
        else:
            target.mark_failed(now)
        self.counts[f"{kind} {'sent' if is_delivered else 'failed'}"] += 1
        self._save()

    async def _deliver(
        self, rule: NotificationRule, kind: str, changes: list[Change], target: _Target
    ) -> bool:
        if kind == "atom":
            return self._write_feeds(rule, changes)
        text = digest(changes, target.beyond, LISTED)
        if kind == "apprise":
            assert self._notify is not None
            return await self._notify(rule.apprise, f"{rule.name}: {text.splitlines()[0]}", text)
        assert self._post is not None
        message = _message(rule, changes, target, text)
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

    def _target(self, rule: NotificationRule, kind: str) -> _Target:
        return self._targets.setdefault(_name(rule, kind), _Target())

    def _check(self) -> None:
        if self._post is None and any(rule.webhook for rule in self._rules):
            raise CannotNotify("a rule has a webhook, and nothing was handed in to send it with")
        if self._notify is None and any(rule.apprise for rule in self._rules):
            self._notify = load_apprise()

    def _save(self) -> None:
        facts = {name: asdict(target) for name, target in self._targets.items()}
        write_whole(self._state_file, json.dumps(facts).encode())
        self._news.unlink(missing_ok=True)  # they are in it


def load_apprise() -> Notify:
    """Return a function that sends by apprise; raises CannotNotify if it is not installed."""
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


def _target_kinds(rule: NotificationRule) -> list[str]:
    return [name for name in ("atom", "webhook", "apprise") if getattr(rule, name)]


def _name(rule: NotificationRule, kind: str) -> str:
    return f"{rule.name}\n{kind}"


def _message(rule: NotificationRule, changes: list[Change], target: _Target, text: str) -> dict[str, Any]:
    kinds = Counter(map(attrgetter("kind"), changes)) + Counter(target.beyond)
    return {
        "id": uuid5(NAMESPACE_URL, "\n".join([rule.name, *target.sending])).urn,
        "rule": rule.name,
        "total": kinds.total(),
        "kinds": dict(kinds),
        "sites": dict(Counter(change.site for change in changes)),
        "changes": [{"id": change_id(change), **asdict(change)} for change in changes[:LISTED]],
        "text": text,
    }


def _read(path: Path) -> dict[str, _Target]:
    try:
        targets = json.loads(path.read_bytes())
        return {name: _target_from_json(facts) for name, facts in targets.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CannotNotify(f"{path}: what is still to be reported cannot be read: {error!r}") from error


def _read_news(path: Path) -> list[Change]:
    """Return the changes since the last save; a line that was cut by the end of a crawl is ignored."""
    lines = path.read_text(encoding="ascii").splitlines(keepends=True)
    return [_change_from_json(json.loads(line)) for line in lines if line.endswith("}\n")]


def _target_from_json(facts: Mapping[str, Any]) -> _Target:
    return _Target(
        waiting={name: _change_from_json(change) for name, change in facts["waiting"].items()},
        beyond=dict(facts["beyond"]),
        sending=list(facts["sending"]),
        reported=dict.fromkeys(
            facts["reported"] if "reported" in facts else facts["told"]
        ),  # its name until 0.1
        not_before=float(facts["not_before"]),
        failures=int(facts["failures"]),
    )


def _change_from_json(facts: Mapping[str, Any]) -> Change:
    return Change(**{**facts, "edits": tuple(Edit(**edit) for edit in facts["edits"])})
