"""How the questions of the ledger are told, to people and to programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hiddenweb.reports.printable import time_text

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from hiddenweb.reports.ledger import LedgerRow


def described_question(entry: LedgerRow, allowed_by_hand: Container[int] = ()) -> dict[str, Any]:
    """Return all that the ledger says of a question, for programs."""
    facts = {**asdict(entry), "filled": [list(pair) for pair in entry.filled]}
    return {**facts, "form_allowed_by_hand": entry.form in allowed_by_hand}


def question_lines(entries: Iterable[LedgerRow], allowed_by_hand: Container[int] = ()) -> Iterator[str]:
    """Yield what the ledger says, for people: what was asked, why, and what came of it; and all in sum."""
    states: Counter[str] = Counter()
    forms: set[int] = set()
    new = 0
    for entry in entries:
        states[entry.state] += 1
        forms.add(entry.form)
        new += entry.new_records
        yield f"{time_text(entry.planned)}  #{entry.form} of {entry.site}, {entry.method}: {_asked(entry)}"
        if entry.form in allowed_by_hand:
            yield "    of a form that the user allowed by hand"
        if entry.reason:
            yield f"    asked, for {entry.reason}"
        yield f"    {_became(entry)}"
    if not states:
        yield "No questions."
        return
    counted = ", ".join(f"{number:,} {state}" for state, number in sorted(states.items()))
    yield ""
    yield f"{_many(states.total(), 'question')} to {_many(len(forms), 'form')} ({counted}); {_many(new, 'new record')}."


def _asked(entry: LedgerRow) -> str:
    """Return what was filled in: the keyword, and whatever else got a value."""
    others = [f"{name}={value}" for name, value in entry.filled if value != entry.keyword]
    beside = f" with {', '.join(others)}" if others else ""
    return f"{entry.keyword!r}{beside}" if entry.keyword else ", ".join(others) or "nothing filled in"


def _became(entry: LedgerRow) -> str:
    outcome = f", {entry.outcome}" if entry.outcome else ""
    why = f" ({entry.why})" if entry.why else ""
    parts = [f"{entry.state}{outcome}{why}"]
    if entry.state == "answered":
        said = f"{entry.total:,} found as it says" if entry.total is not None else "no total"
        records = f"{entry.new_records:,} new and {entry.seen_records:,} seen records"
        parts += [said, f"{_many(entry.pages, 'page')} read", records, *filter(None, [entry.not_come])]
    return "; ".join(parts)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
