"""Comparing a page with what is known of it, by steps of which each costs more than the one before.

1. The server says that nothing was modified (304, after an ETag or a date).
2. The bytes are the same.
3. The text is the same: only what nobody reads differs, such as a token in a form.
4. The parts of the text are the same, in whatever order, and so are the records by key.
5. What differs is noise (`hiddenweb.revisit.noise`).
6. Something changed: words, or records.

A revisit that brought no page says nothing about the page. Truncated responses, errors and access denials are failed revisits, and the known state stays
as it was. A page is gone only when it was missing at several revisits some time apart (404, 410, moved permanently, a page that says
so, a PDF or the like in its place), or when its server failed for a long time; it is back when it is served again.

Many sites say "not found" with status 200 (soft 404). The caller may recognise the words and pass the reason (`SeenPage.failed`). Without such words there
are two other signs. A page that lost nearly all its text, or that ends before its end tag, is doubted: it is reported as a change when the next
revisits find the same. And if other addresses of the site changed to exactly this text too, it is a soft 404.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from xxhash import xxh3_64_intdigest

from hiddenweb.model import Fetched
from hiddenweb.near_duplicates.sketch import text_fingerprint
from hiddenweb.revisit.change import Change
from hiddenweb.revisit.diff import record_changes, strip_labelled_values, word_edits
from hiddenweb.revisit.parts import PageVersion, shape, version_of
from hiddenweb.urls import host

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.model import FetchFailure, Page, Record
    from hiddenweb.revisit.change import Edit
    from hiddenweb.revisit.diff import RecordChange
    from hiddenweb.revisit.noise import HeldDifference, NoiseMasks, NoiseVerdict
    from hiddenweb.revisit.noise_counts import OwnCount
    from hiddenweb.revisit.part_differences import Difference

Step = Literal[
    "first",
    "failed",
    "not_modified",
    "same_bytes",
    "same_text",
    "same_parts",
    "only_noise",
    "doubted",
    "changed",
]
"""Where a revisit ended."""

FailureKind = Literal["missing", "unreachable", "unfit"]
"""The page is not there; its server does not answer as it should; or the response says nothing about the page."""

_MISSING_STATUS = frozenset((404, 410))  # HTTP statuses of a page that is not there
_MOVED_STATUS = frozenset((301, 308))  # HTTP statuses of a page that moved permanently
_DENIED_STATUS = frozenset((401, 403, 407, 429, 451))  # HTTP statuses of a server that denies access
_NOT_MODIFIED_STATUS = 304  # the HTTP status
_CUT = frozenset(("truncated", "tag_cut", "too_deep", "many_tags", "slow", "not_html"))
"""Marks of a page that was not read completely."""

_MIN_PARTS = 4  # parts of a page that can lose nearly all of them; a limit of taste
_MIN_RECORDS = 2  # records of an answer, likewise
_MAX_PARTS_LEFT = 0.15  # share of its parts, where little is left of a page; a limit of taste
_MAX_LENGTH_LEFT = 0.5  # share of its characters, likewise; a limit of taste
_MIN_REVISITS_OF_REST, _MIN_REVISITS_OF_HALF = 2, 3
"""Revisits in a row that must find the same before the loss of nearly all, or of the end, is reported. Limits of taste."""

_TAIL_BYTES = 2_000  # bytes at the end of a page in which its end tag is searched for; a limit of taste
_MIN_OTHER_ADDRESSES = 2  # other addresses that have the same text, for it to be a soft 404; a limit of taste
_MAX_TEXTS = 20_000  # texts of soft 404s that are remembered; a limit of taste
_MAX_EDITS = 200  # edits of one change that are reported; a limit of taste
_MAX_FACES = 4  # texts that a page alternates between; a limit of taste
_MAX_COMPARED = 20_000
"""Characters of a part in which words are compared, which bounds the time; a limit of taste."""


@dataclass(frozen=True, slots=True)
class GonePolicy:
    """How often, and how far apart in seconds, a page must fail before it is gone. The defaults are limits of taste."""

    missing_times: int = 3
    missing_apart: float = 6 * 3600.0
    unreachable_times: int = 10
    unreachable_apart: float = 2 * 86_400.0


PATIENCE = GonePolicy()


@dataclass(frozen=True, slots=True)
class SeenPage:
    """What a revisit of an address brought."""

    url: str
    at: float
    status: int | None = 200  # None: no answer at all
    page: Page | None = None
    raw: int = 0  # hash of the bytes
    etag: str = ""
    last_modified: str = ""
    records: tuple[Record, ...] = ()
    has_further: bool = False  # the records are those of all pages of the answer that begins with this page
    is_part: bool = False  # one page of an answer that has more
    elsewhere: frozenset[str] = frozenset()  # keys of the records on the other pages of the answer
    redirect: str | None = None
    is_closed: bool = True  # its bytes end with the end tag of the page
    failed: str = ""  # why this is no page although it looks like one, or why none was received
    is_missing: bool = False  # the reason in `failed` is that there is no such page
    is_refused: bool = False  # by our own rules: nothing was requested
    became: str = ""  # the type of what was sent instead of a page, such as application/pdf
    query: str = ""  # the query that the page answers, for people
    version: PageVersion | None = None  # what the page says, if it was computed already


@dataclass(frozen=True, slots=True)
class ComparisonState:
    """What is known of an address from the revisits before."""

    url: str
    at: float = 0.0  # of the last revisit that brought the page
    etag: str = ""
    last_modified: str = ""
    raw: int = 0
    fingerprint: int = 0
    version: PageVersion | None = None  # None: it never brought a page
    records: tuple[Record, ...] = ()
    own: tuple[OwnCount, ...] = ()  # how often which of its places changed
    held: tuple[HeldDifference, ...] = ()  # what masks hid since it was last reported
    missing: tuple[float, ...] = ()  # times of revisits that found no page, some time apart
    unreachable: tuple[float, ...] = ()
    gone: float | None = None  # since when
    doubts: int = 0  # revisits in a row that brought a doubtful page
    is_closed: bool = False  # the last whole page ended with the end tag of its root
    faces: tuple[int, ...] = ()  # hashes of its texts at the last revisits that found another text
    pages: int = 0  # of an answer: how many it had; 0: only the first was read
    is_whole: bool = False  # of an answer: all its records are known


@dataclass(frozen=True, slots=True)
class ComparisonOutcome:
    """Where a revisit ended, what to report, and what is known now."""

    step: Step
    known: ComparisonState
    changes: tuple[Change, ...] = ()
    hidden: tuple[HeldDifference, ...] = ()  # differences that masks hid
    why: str = ""  # it failed, or is doubted


class SoftNotFoundTexts:
    """Texts that replaced pages, with the addresses they were seen at: soft 404s of a site share one text."""

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[str, int], frozenset[int]] = OrderedDict()

    def count_others(self, url: str, fingerprint: int) -> int:
        """Note the text of an address; return how many other addresses changed to the same text."""
        key, page = (host(url), fingerprint), _number(url)
        addresses = self._texts.get(key, frozenset())
        if len(addresses) <= _MIN_OTHER_ADDRESSES:
            self._texts[key] = addresses | {page}
        while len(self._texts) > _MAX_TEXTS:
            self._texts.popitem(last=False)
        return len(addresses - {page})


def observe_page(
    item: Fetched | FetchFailure, url: str = "", failed: str = "", *, is_missing: bool = False
) -> SeenPage:
    """Return what a task brought; `failed` is why it is no page, if its words say so."""
    url = url or item.task.url
    if not isinstance(item, Fetched):
        return SeenPage(
            url,
            item.at,
            item.status,
            failed=failed or item.why,
            is_missing=is_missing,
            is_refused=item.refused,
        )
    return SeenPage(
        url,
        item.at,
        item.status,
        item.page,
        raw_hash(item.body),
        item.etag,
        item.last_modified,
        item.records,
        redirect=item.redirect,
        is_closed=is_closed(item.body),
        failed=failed,
        is_missing=is_missing,
    )


def raw_hash(body: bytes) -> int:
    """Return the hash of the bytes of a response."""
    return _to_signed(xxh3_64_intdigest(body))


def is_closed(body: bytes) -> bool:
    """Return whether the bytes of a page reach the end tag of its root or of its body."""
    end = body[-_TAIL_BYTES:].lower()
    return b"</html" in end or b"</body" in end


def compare_page(
    known: ComparisonState | None,
    seen: SeenPage,
    masks: NoiseMasks,
    soft_not_found: SoftNotFoundTexts | None = None,
    patience: GonePolicy = PATIENCE,
) -> ComparisonOutcome:
    """Compare a page with what is known of it, step by step; masks learn from it."""
    early = try_cheap_steps(known, seen, masks, patience)
    if early is not None:
        return early
    assert known is not None
    assert known.version is not None
    assert seen.page is not None
    version = seen.version or version_of(seen.page, seen.records)
    why, needed = _doubt(known, known.version, seen, version)
    if (
        why
        and soft_not_found is not None
        and soft_not_found.count_others(seen.url, _text_of(version)) >= _MIN_OTHER_ADDRESSES
    ):
        return _count_failure(known, seen, "missing", patience, "says what stands for missing pages")
    if known.doubts + 1 < needed:
        return ComparisonOutcome("doubted", replace(known, doubts=known.doubts + 1), why=why)
    return _compare_content(known, known.version, seen, version, masks)


def try_cheap_steps(
    known: ComparisonState | None, seen: SeenPage, masks: NoiseMasks, patience: GonePolicy = PATIENCE
) -> ComparisonOutcome | None:
    """Return the outcome of a revisit if it follows without the old text; None if both versions have to be compared.

    The old version may lack its title and parts here, but not its signs.
    """
    failure, why = failure_of(seen)
    if failure is not None:
        return _count_failure(known or ComparisonState(seen.url), seen, failure, patience, why)
    if known is None or known.version is None:
        return _first(known or ComparisonState(seen.url), seen)
    if seen.status == _NOT_MODIFIED_STATUS:
        return _keep_known("not_modified", known, known.version, seen, masks)
    if seen.has_further and _texts_by_key(seen.records) != _texts_by_key(known.records):
        return None
    if seen.raw and seen.raw == known.raw:
        return _keep_known("same_bytes", known, known.version, seen, masks)
    assert seen.page is not None
    if _fingerprint(seen.page) == known.fingerprint:
        return _keep_known("same_text", known, known.version, seen, masks)
    return None


# Failures


def failure_of(seen: SeenPage) -> tuple[FailureKind | None, str]:
    """Return whether a revisit failed, and why."""
    status = seen.status
    if seen.is_refused:
        return "unfit", seen.failed or "refused"
    if status is None:
        return "unreachable", seen.failed or "no answer"
    if status in _MISSING_STATUS:
        return "missing", f"status {status}"
    if status in _MOVED_STATUS and seen.redirect:
        return "missing", f"moved for good to {seen.redirect}"
    if status in _DENIED_STATUS:
        return "unfit", f"status {status}"
    if status >= 500:
        return "unreachable", f"status {status}"
    if status == _NOT_MODIFIED_STATUS:
        return ("unreachable", seen.failed) if seen.failed else (None, "")
    if seen.failed:
        return ("missing" if seen.is_missing else "unfit"), seen.failed
    if seen.became:
        return "missing", f"it is {seen.became} now"
    if seen.page is None:
        return "unfit", f"no page, status {status}"
    cut = _CUT.intersection(seen.page.marks)
    return ("unfit", f"the page is {', '.join(sorted(cut))}") if cut else (None, "")


def _count_failure(
    known: ComparisonState, seen: SeenPage, failure: FailureKind, patience: GonePolicy, why: str
) -> ComparisonOutcome:
    """Keep the known state, and count the evidence that a page is gone."""
    version = known.version
    if failure == "unfit" or version is None:
        return ComparisonOutcome("failed", known, why=why)
    if failure == "missing":
        times = _add_time(known.missing, seen.at, patience.missing_apart)
        known = replace(known, missing=times)
        is_proved = len(times) >= patience.missing_times
    else:
        times = _add_time(known.unreachable, seen.at, patience.unreachable_apart)
        known = replace(known, unreachable=times)
        is_proved = len(times) >= patience.unreachable_times
    if not is_proved or known.gone is not None:
        return ComparisonOutcome("failed", known, why=why)
    gone = Change("gone", seen.url, seen.at, host(seen.url), version.title, before=why, query=seen.query)
    return ComparisonOutcome("changed", replace(known, gone=seen.at), (gone,), why=why)


def _add_time(times: tuple[float, ...], at: float, apart: float) -> tuple[float, ...]:
    """Return the times with one more unless it follows too soon; times in the future are dropped: the clock was set back."""
    times = tuple(time for time in times if time <= at)
    return (*times, at) if not times or at - times[-1] >= apart else times


# Steps


def _first(known: ComparisonState, seen: SeenPage) -> ComparisonOutcome:
    if seen.page is None:  # not modified, and yet nothing is known
        return ComparisonOutcome("failed", known, why="not modified since a revisit that is forgotten")
    version = seen.version or version_of(seen.page, seen.records)
    known = _update_known(known, seen, version)
    new = Change("new", seen.url, seen.at, host(seen.url), version.title, query=seen.query)
    return ComparisonOutcome("first", known, (new,))


def _keep_known(
    step: Step, known: ComparisonState, version: PageVersion, seen: SeenPage, masks: NoiseMasks
) -> ComparisonOutcome:
    """Keep the known state, and count the places of the page as unchanged."""
    judged = masks.learn_unchanged(
        seen.url, version.structure, version.signs, seen_at=known.at, own=known.own, held=known.held
    )
    changes = [*_back(known, seen, version), *_word_changes(judged, seen, version.title)]
    known = replace(
        known, at=seen.at, etag=seen.etag or known.etag, last_modified=seen.last_modified or known.last_modified,
        raw=seen.raw or known.raw, own=judged.own, held=judged.held, missing=(), unreachable=(), gone=None, doubts=0,
    )  # fmt: skip
    return ComparisonOutcome("changed" if judged.reported else step, known, tuple(changes))


def _compare_content(
    known: ComparisonState, old: PageVersion, seen: SeenPage, new: PageVersion, masks: NoiseMasks
) -> ComparisonOutcome:
    """Compare the parts and the records of a page."""
    before, face = _text_of(old), _text_of(new)
    judged = masks.judge(
        seen.url, old, new, seen_at=known.at, now=seen.at, own=known.own, held=known.held,
        is_turn=face != before and face in known.faces,
    )  # fmt: skip
    news, has_noisy_records = _compare_records(known, seen, new.structure, masks)
    changes = [
        *_back(known, seen, new),
        *(_record_change(each, seen) for each in news),
        *_word_changes(judged, seen, new.title),
    ]
    step: Step = (
        "changed" if changes else "only_noise" if judged.hidden or has_noisy_records else "same_parts"
    )
    faces = tuple(dict.fromkeys((face, before, *known.faces)))[:_MAX_FACES]
    known = replace(_update_known(known, seen, new), own=judged.own, held=judged.held, faces=faces)
    return ComparisonOutcome(step, known, tuple(changes), judged.hidden)


def _compare_records(
    known: ComparisonState, seen: SeenPage, structure: int, masks: NoiseMasks
) -> tuple[list[RecordChange], bool]:
    """Return the changes of records, without those of unlabelled words that differ by noise only."""
    changes = record_changes(known.records, seen.records, is_whole=not seen.is_part, elsewhere=seen.elsewhere)
    old = {record.key: record for record in known.records}
    words = [
        (each.key, strip_labelled_values(old[each.key]), strip_labelled_values(each))
        for each in seen.records
        if each.key in old
    ]
    noisy = masks.judge_records(seen.url, structure, words, seen_at=known.at, now=seen.at)
    news = [
        each
        for each in changes
        if each.attribute or each.kind != "record changed" or each.record.key not in noisy
    ]
    return news, len(news) < len(changes)


def _back(known: ComparisonState, seen: SeenPage, version: PageVersion) -> tuple[Change, ...]:
    if known.gone is None:
        return ()
    return (Change("back", seen.url, seen.at, host(seen.url), version.title, query=seen.query),)


def _word_changes(judged: NoiseVerdict, seen: SeenPage, title: str) -> Iterator[Change]:
    if edits := edits_of(judged.reported):
        yield Change("content", seen.url, seen.at, host(seen.url), title, edits=edits, query=seen.query)


def _record_change(change: RecordChange, seen: SeenPage) -> Change:
    edits = (
        word_edits(change.before, change.after)
        if change.kind == "record changed" and not change.attribute
        else ()
    )
    return Change(
        change.kind, seen.url, seen.at, host(seen.url), change.record.title, change.record.key, change.attribute,
        change.before, change.after, edits, seen.query,
    )  # fmt: skip


def edits_of(differences: Iterable[Difference]) -> tuple[Edit, ...]:
    """Return the words in which parts of a page differ."""
    edits: list[Edit] = []
    for each in differences:
        edits += word_edits(each.before[:_MAX_COMPARED], each.after[:_MAX_COMPARED])
        if len(edits) >= _MAX_EDITS:
            break
    return tuple(edits[:_MAX_EDITS])


# Doubt


def _doubt(known: ComparisonState, old: PageVersion, seen: SeenPage, new: PageVersion) -> tuple[str, int]:
    """Return why a page may be replaced or cut, and how many equal revisits in a row end that doubt."""
    if known.is_closed and not seen.is_closed:
        return "it ends before its end", _MIN_REVISITS_OF_HALF
    if len(known.records) >= _MIN_RECORDS and not seen.records:
        return "all its records are gone", _MIN_REVISITS_OF_REST
    if seen.records or not old.parts or (new.parts and len(old.parts) < _MIN_PARTS):
        return "", 0
    parts_left = (Counter(old.parts) & Counter(new.parts)).total()
    length, before = sum(map(len, new.parts)), sum(map(len, old.parts))
    if parts_left <= _MAX_PARTS_LEFT * len(old.parts) and length <= _MAX_LENGTH_LEFT * before:
        return "next to nothing of the page is left", _MIN_REVISITS_OF_REST
    return "", 0


# The known state


def _update_known(known: ComparisonState, seen: SeenPage, version: PageVersion) -> ComparisonState:
    assert seen.page is not None
    return replace(
        known, at=seen.at, etag=seen.etag, last_modified=seen.last_modified, raw=seen.raw,
        fingerprint=_fingerprint(seen.page), version=version, records=seen.records, missing=(), unreachable=(),
        gone=None, doubts=0, is_closed=seen.is_closed,
    )  # fmt: skip


def _texts_by_key(records: Iterable[Record]) -> dict[str, str]:
    return {record.key: record.text for record in records}


def _fingerprint(page: Page) -> int:
    """Return the hash of the title and the text of a page."""
    return _to_signed(
        (page.fingerprint ^ xxh3_64_intdigest(page.title.encode("utf-8", "replace"))) & 0xFFFFFFFFFFFFFFFF
    )


def _text_of(version: PageVersion) -> int:
    return text_fingerprint("\n".join(map(shape, version.parts)))


def _number(url: str) -> int:
    return xxh3_64_intdigest(url.encode("utf-8", "replace"))


def _to_signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number
