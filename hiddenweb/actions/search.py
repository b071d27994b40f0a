"""Searching the index, and showing hits to people and to programs."""

from __future__ import annotations

import json
import re
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text
from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import Action
from hiddenweb.actions.times import time_of
from hiddenweb.index.location import current_folder, last_indexed
from hiddenweb.index.process import OUTBOX
from hiddenweb.index.protocol import ForeignIndex, IndexProblem, NoStore, open_outbox
from hiddenweb.index.query_parser import BadQuery, ParsedQuery
from hiddenweb.index.whoosh import Hit, SearchResults, WhooshIndex
from hiddenweb.model import values_by_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


NO_INDEX, FOREIGN_INDEX = 3, 4
"""Exit codes for a missing index, and for one that another program made, as docs/commands.md says."""

_HIGHLIGHT = "bold yellow"
_MAX_VALUE = 80  # characters of an attribute; a limit of taste
_MAX_ATTRIBUTES = 240  # characters of all attributes of a hit; a limit of taste
_NAMED = re.compile(r"([+-]?[^\s:]+:)(\S.*)", re.DOTALL)


class SearchAction(Action):
    """Prints the documents that match some words, the best first."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        state = Path(self.settings.get("HIDDENWEB_STATE", "data"))
        query = _parse_arguments(args, opts, datetime.now(UTC))
        try:
            index = WhooshIndex(index_folder(state))
            answer = index.search(query)
        except IndexProblem as problem:
            self.exit_code = FOREIGN_INDEX if isinstance(problem, ForeignIndex) else NO_INDEX
            print(problem, file=sys.stderr)
            return
        except BadQuery as problem:
            raise UsageError(str(problem), print_help=False) from None
        if opts.json:
            show_json(answer, query)
        else:
            show(answer, query, Console(highlight=False))
        _report_missing_documents(state, self.settings.get("HIDDENWEB_OUTBOX", OUTBOX))
        self.exit_code = 0 if answer.total else 1


def index_folder(state: Path) -> Path:
    """Return the folder of the index of a state; the errors say which command helps."""
    if not state.is_dir():
        raise IndexProblem(
            f"There is no state folder {state}. A crawl makes one (scrapy crawl explore -a sites=...); "
            "HIDDENWEB_STATE says where it is."
        )
    try:
        return current_folder(state)
    except ForeignIndex as problem:
        raise ForeignIndex(f"{problem} scrapy reindex makes a new one from the store.") from None
    except IndexProblem as problem:
        raise IndexProblem(
            f"{problem} A crawl makes one while it runs, scrapy reindex from what is stored."
        ) from None


def show(answer: SearchResults, query: ParsedQuery, console: Console) -> None:
    """Print hits for people."""
    first = (query.page - 1) * query.limit
    for number, hit in enumerate(answer.hits, first + 1):
        console.print(_hit_text(number, hit), soft_wrap=True)
    console.print(_summary(answer, first, query))


def show_json(answer: SearchResults, query: ParsedQuery) -> None:
    """Print hits for programs: one JSON object per line."""
    first = (query.page - 1) * query.limit
    for number, hit in enumerate(answer.hits, first + 1):
        found = hit.document
        facts = {
            "rank": number,
            "score": round(hit.score, 4),
            "title": found.title,
            "url": found.url,
            "site": found.site,
            "kind": found.kind,
            "language": found.language,
            "behind_form": found.behind_form,
            "fetched_at": datetime.fromtimestamp(found.fetched_at, UTC).isoformat(timespec="seconds"),
            "attributes": values_by_name(found.attributes),
            "snippet": hit.snippet.text,
            "highlights": [list(mark) for mark in hit.snippet.marks],
            "key": found.key,
            "total": answer.total,
        }
        print(json.dumps(facts, ensure_ascii=False))


def _parse_arguments(args: list[str], opts: argparse.Namespace, now: datetime) -> ParsedQuery:
    end = args.index("--") if "--" in args else len(args)
    if unknown := [word for word in args[:end] if word.startswith("--")]:
        raise UsageError(f"there is no option {unknown[0]}; see scrapy search --help", print_help=False)
    words = " ".join(_quote_phrases(args[:end] + args[end + 1 :]))
    if not words.strip():
        raise UsageError("There is nothing to search for: scrapy search WORDS...", print_help=False)
    for name in ("limit", "page"):
        if getattr(opts, name) < 1:
            raise UsageError(f"--{name} must be at least 1, not {getattr(opts, name)}", print_help=False)
    since = None
    if opts.since is not None:
        try:
            since = time_of(opts.since, now).timestamp()
        except (ValueError, OverflowError):
            wanted = "a date such as 2024-05-01, or an age such as 12h, 7d or 2w"
            raise UsageError(f"--since {opts.since!r} is not {wanted}", print_help=False) from None
    return ParsedQuery(words, opts.site, since, opts.language, opts.behind_forms, opts.page, opts.limit)


def _quote_phrases(args: Sequence[str]) -> list[str]:
    """Return the words with the quotes that the shell removed: several words in one argument are a phrase.

    A single argument is a whole query, as in scrapy search "lost OR found".

    >>> _quote_phrases(["bronze", "lost wax", "author:jane smith"])
    ['bronze', '"lost wax"', 'author:"jane smith"']
    """
    if len(args) == 1:
        return list(args)
    return [_quote(word) if " " in word and '"' not in word else word for word in args]


def _quote(words: str) -> str:
    named = _NAMED.fullmatch(words)
    return f'{named[1]}"{named[2]}"' if named and " " in named[2] else f'"{words}"'


def _hit_text(number: int, hit: Hit) -> Text:
    found = hit.document
    day = datetime.fromtimestamp(found.fetched_at, UTC).strftime("%Y-%m-%d")
    behind = " · behind a form" if found.behind_form else ""
    title = found.title.strip() or found.url
    text = Text(f"{number:3}. ", "bold")
    text.append(_highlight(title, hit.title_marks if title == found.title else (), "bold"))
    text.append(f"\n     {found.url}\n", "blue")
    text.append(f"     {found.site} · {day}{behind}\n", "dim")
    if attributes := _attributes(hit):
        text.append("     ")
        text.append(attributes)
        text.append("\n")
    text.append("     ")
    text.append(_highlight(hit.snippet.text, hit.snippet.marks, ""))
    text.append("\n")
    return text


def _attributes(hit: Hit) -> Text:
    """Return the attributes of a hit on one line: matching ones first, as many as fit."""
    found = hit.document
    attributes = zip(found.attributes, hit.value_marks, strict=True)
    relevant = [
        (name, value, marks)
        for (name, value), marks in attributes
        if marks or value not in (found.title, found.url)
    ]
    parts: list[Text] = []
    letters = 0
    for name, value, marks in sorted(relevant, key=lambda part: not part[2]):
        words = _highlight(_replace_unprintable(value), marks, "")
        words.truncate(_MAX_VALUE, overflow="ellipsis")
        part = Text(f"{_replace_unprintable(name)}: ").append(words)
        letters += len(part)
        if parts and letters > _MAX_ATTRIBUTES:
            parts.append(Text("…"))
            break
        parts.append(part)
    return Text(" · ").join(parts)


def _replace_unprintable(text: str) -> str:
    """Return a text of the same length that cannot move the cursor."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _highlight(words: str, marks: Sequence[tuple[int, int]], style: str) -> Text:
    text = Text(words, style)
    for start, end in marks:
        text.stylize(_HIGHLIGHT, start, end)
    return text


def _summary(answer: SearchResults, first: int, query: ParsedQuery) -> str:
    took = f"{answer.seconds * 1000:,.0f} ms"
    if not answer.total:
        return f"Nothing found for {query.words} ({took})."
    if not answer.hits:
        pages = -(-answer.total // query.limit)
        return f"{answer.total:,} found ({took}), which is {pages:,} pages: page {query.page:,} is empty."
    return f"{first + 1:,} to {first + len(answer.hits):,} of {answer.total:,} found ({took})."


def _report_missing_documents(state: Path, name: str) -> None:
    """Print on the error channel how many documents are stored but not indexed yet."""
    try:
        with closing(open_outbox(state, name)) as outbox:
            missing = outbox.last() - last_indexed(state)
    except NoStore as problem:
        print(f"It is unknown whether the index is complete: {problem}", file=sys.stderr)
        return
    if missing > 0:
        what = "1 document is" if missing == 1 else f"{missing:,} documents are"
        print(
            f"{what} not indexed yet; a crawl does it while it runs, scrapy reindex at once.", file=sys.stderr
        )
