"""What came of revisiting an address, by steps of which each costs more than the one before.

1. The server says that nothing was modified (304, after an ETag or a date).
2. The bytes are the same.
3. The text is the same: only what nobody reads differs, such as a token in a form.
4. The parts of the text are the same, in whatever order, and so are the records by key.
5. What differs is noise (`hiddenweb.revisit.noise`).
6. Something changed: words, or records.

A revisit that brought no page says nothing about the page. Cut answers, errors, pages that keep us out are failed revisits, and what is known stays
as it was. A page is gone only when it was missing at several revisits that lie apart (404, 410, moved for good, a page that says
so, a PDF or the like in its place), or when its server failed for very long; it is back when it answers again.

Many sites say "not found" with status 200. Whoever reads the words may hand in the reason (`SeenPage.failed`). Without words they give themselves away
in two other ways. A page of which next to nothing is left, and that became much shorter, is doubted, as is one that ends
before its end tag: it is reported as a change when the next revisits find that, too. And if other addresses of the site came to say exactly this too, it stands for missing pages.
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
"""The page is not there; its server does not answer as it should; or what came says nothing of the page."""

_MISSING_STATUS = frozenset((404, 410))  # HTTP statuses of a page that is not there
_MOVED_STATUS = frozenset((301, 308))  # HTTP statuses of a page that moved for good
_KEPT_OUT_STATUS = frozenset((401, 403, 407, 429, 451))  # HTTP statuses of a server that keeps us out
_NOT_MODIFIED_STATUS = 304  # the HTTP status
_CUT = frozenset(("truncated", "tag_cut", "too_deep", "many_tags", "slow", "not_html"))
"""Marks of a page that was not read whole."""

_MIN_PARTS = 4  # parts of a page of which can be said that little is left; a limit of taste
_MIN_RECORDS = 2  # records of an answer, likewise
_MAX_PARTS_LEFT = 0.15  # share of its parts, where little is left of a page; a limit of taste
_MAX_LENGTH_LEFT = 0.5  # share of its characters, likewise; a limit of taste
_MIN_REVISITS_OF_REST, _MIN_REVISITS_OF_HALF = 2, 3
"""Revisits in a row that find the same, before a page that lost nearly all, or its end, is reported. Limits of taste."""

_TAIL_BYTES = 2_000  # bytes at the end of a page in which its end tag is searched for; a limit of taste
_MIN_OTHER_ADDRESSES = 2  # other addresses that have the same text, for it to be a soft 404; a limit of taste
_MAX_TEXTS = 20_000  # texts of soft 404s that are remembered; a limit of taste
_MAX_EDITS = 200  # edits of one change that are reported; a limit of taste
_MAX_FACES = 4  # texts that a page takes turns with; a limit of taste
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
    """What came of a revisit of an address."""

    url: str
    at: float
    status: int | None = 200  # None: no answer at all
    page: Page | None = None
    raw: int = 0  # hash of the bytes
    etag: str = ""
    last_modified: str = ""
    records: tuple[Record, ...] = ()
    has_further: bool = (
        False  # these are not only the records of this page, but of all pages of the answer that it begins
    )
    is_part: bool = False  # one page of an answer that has more
    elsewhere: frozenset[str] = frozenset()  # keys of the records on the other pages of the answer
    redirect: str | None = None
    is_closed: bool = True  # its bytes end with the end tag of the page
    failed: str = ""  # why this is no page although it looks like one, or why none came
    is_missing: bool = False  # and that says that there is no such page
    is_refused: bool = False  # by our own rules: nothing was requested
    became: str = ""  # the type of what came instead of a page, such as application/pdf
    query: str = ""  # the query whose answer it is, for people
    version: PageVersion | None = None  # what the page says, if somebody has it already


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
    missing: tuple[float, ...] = ()  # revisits apart that found no page
    unreachable: tuple[float, ...] = ()
    gone: float | None = None  # since when
    doubts: int = 0  # revisits in a row that brought what is hardly the page
    is_closed: bool = False  # the last whole page ended with the end tag of its root
    faces: tuple[int, ...] = ()  # what it said at the last revisits that found something else, by hashes
    pages: int = 0  # of an answer: how many it had; 0: nobody looked further than the first
    is_whole: bool = False  # and its records are all that it has


@dataclass(frozen=True, slots=True)
class ComparisonOutcome:
    """Where a revisit ended, what is to be reported, what is known now."""

    step: Step
    known: ComparisonState
    changes: tuple[Change, ...] = ()
    hidden: tuple[HeldDifference, ...] = ()  # differences that masks hid
    why: str = ""  # it failed, or is doubted


class SoftNotFoundTexts:
    """Texts that took the place of pages, and at how many addresses: those of missing pages are all alike."""

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[str, int], frozenset[int]] = OrderedDict()

    def others(self, url: str, fingerprint: int) -> int:
        """Note that an address says a text now; return how many others came to say it."""
        key, page = (host(url), fingerprint), _number(url)
        known = self._texts.get(key, frozenset())
        if len(known) <= _MIN_OTHER_ADDRESSES:
            self._texts[key] = known | {page}
        while len(self._texts) > _MAX_TEXTS:
            self._texts.popitem(last=False)
        return len(known - {page})


def observe_page(
    item: Fetched | FetchFailure, url: str = "", failed: str = "", *, is_missing: bool = False
) -> SeenPage:
    """Return what came of a task; `failed` is why its page is none, for those who read words."""
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
    """Return the number by which the bytes of an answer are known."""
    return _to_signed(xxh3_64_intdigest(body))


def is_closed(body: bytes) -> bool:
    """Say whether the bytes of a page go on to the end tag of its root, or of its body."""
    end = body[-_TAIL_BYTES:].lower()
    return b"</html" in end or b"</body" in end


def compare_page(
    known: ComparisonState | None,
    seen: SeenPage,
    masks: NoiseMasks,
    soft_not_found: SoftNotFoundTexts | None = None,
    patience: GonePolicy = PATIENCE,
) -> ComparisonOutcome:
    """Return what came of a revisit of an address, step by step; masks learn from it."""
    early = try_cheap_steps(known, seen, masks, patience)
    if early is not None:
        return early
    assert known is not None
    assert known.version is not None
    assert seen.page is not None
    version = seen.version or version_of(seen.page, seen.records)
    why, enough = _doubt(known, known.version, seen, version)
    if (
        why
        and soft_not_found is not None
        and soft_not_found.others(seen.url, _text_of(version)) >= _MIN_OTHER_ADDRESSES
    ):
        return _count_failure(known, seen, "missing", patience, "says what stands for missing pages")
    if known.doubts + 1 < enough:
        return ComparisonOutcome("doubted", replace(known, doubts=known.doubts + 1), why=why)
    return _compare_content(known, known.version, seen, version, masks)


def try_cheap_steps(
    known: ComparisonState | None, seen: SeenPage, masks: NoiseMasks, patience: GonePolicy = PATIENCE
) -> ComparisonOutcome | None:
    """Return what came of a revisit if that is known without the old text; None if both have to be compared.

    The old version may lack its title and parts here, not its signs.
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
    if status in _KEPT_OUT_STATUS:
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
    """Keep what is known, and count the proof that a page is gone."""
    version = known.version
    if failure == "unfit" or version is None:
        return ComparisonOutcome("failed", known, why=why)
    if failure == "missing":
        times = _apart(known.missing, seen.at, patience.missing_apart)
        known = replace(known, missing=times)
        is_proved = len(times) >= patience.missing_times
    else:
        times = _apart(known.unreachable, seen.at, patience.unreachable_apart)
        known = replace(known, unreachable=times)
        is_proved = len(times) >= patience.unreachable_times
    if not is_proved or known.gone is not None:
        return ComparisonOutcome("failed", known, why=why)
    gone = Change("gone", seen.url, seen.at, host(seen.url), version.title, before=why, query=seen.query)
    return ComparisonOutcome("changed", replace(known, gone=seen.at), (gone,), why=why)


def _apart(times: tuple[float, ...], at: float, apart: float) -> tuple[float, ...]:
    """Return the times of proofs with one more, unless it follows too soon; those still to come are none: the clock was set back."""
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
    """Keep what is known, and let the places of the page have stood."""
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
    """Compare the parts of a page and its records."""
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
    """Return what became of records, but for those in whose unlabelled words only noise differs."""
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
    """Return why a page may be no page at all, but something in its place or half of it, and how many revisits in a row dispel that."""
    if known.is_closed and not seen.is_closed:
        return "it ends before its end", _MIN_REVISITS_OF_HALF
    if len(known.records) >= _MIN_RECORDS and not seen.records:
        return "all its records are gone", _MIN_REVISITS_OF_REST
    if seen.records or not old.parts or (new.parts and len(old.parts) < _MIN_PARTS):
        return "", 0
    left = (Counter(old.parts) & Counter(new.parts)).total()
    length, before = sum(map(len, new.parts)), sum(map(len, old.parts))
    if left <= _MAX_PARTS_LEFT * len(old.parts) and length <= _MAX_LENGTH_LEFT * before:
        return "next to nothing of the page is left", _MIN_REVISITS_OF_REST
    return "", 0


# Knowing


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
    """Return a number that is equal for pages of equal title and text."""
    return _to_signed(
        (page.fingerprint ^ xxh3_64_intdigest(page.title.encode("utf-8", "replace"))) & 0xFFFFFFFFFFFFFFFF
    )


def _text_of(version: PageVersion) -> int:
    return text_fingerprint("\n".join(map(shape, version.parts)))


def _number(url: str) -> int:
    return xxh3_64_intdigest(url.encode("utf-8", "replace"))


def _to_signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number
