"""What happens when a template has changed: an alarm, then a repair, a proposal, or a suspension.

The known values of records are searched in their new pages, and a new pattern is learnt from there (`hiddenweb.extraction.extractor`). It is used at once, or
proposed to a person, depending on the settings of the crawl.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Literal

from hiddenweb.extraction.active_extractors import save_entries
from hiddenweb.extraction.extractor import (
    MOST_LEARNT,
    Extractor,
    UnreadableExtractor,
    fit_extractor,
    repair_extractor,
)
from hiddenweb.extraction.extractor_store import ALARM, PUT_OFF
from hiddenweb.extraction.page_extraction import ExtractionChange
from hiddenweb.extraction.template_paths import bars_to_json
from hiddenweb.extraction.template_watch import WINDOW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiddenweb.extraction.active_extractors import ActiveExtractor, ActiveExtractors
    from hiddenweb.extraction.extractor import RepairProof
    from hiddenweb.extraction.extractor_store import ExtractionStore, TemplateEvent
    from hiddenweb.extraction.page_extraction import PageInput
    from hiddenweb.extraction.template_watch import TemplateAlarm
    from hiddenweb.html.layout import PageLayout

logger = logging.getLogger(__name__)

Repairs = Literal["auto", "ask"]
"""What becomes of a new pattern: it is used at once, or a person is asked."""

_ENDING_A_PROPOSAL = ("proposed", "learnt", "repaired", "accepted", "put_off")
_MOST_VERSIONS = 3  # of a page in which lost values are searched; a limit of taste


def parse_repairs(name: str) -> Repairs:
    """Return what becomes of new patterns; raises ValueError for an unknown name."""
    ways: dict[str, Repairs] = {"auto": "auto", "ask": "ask"}
    if name not in ways:
        raise ValueError(f"{name!r} is no way to treat a new pattern; there are {', '.join(ways)}")
    return ways[name]


class TemplateRepairs:
    """Raises alarms, and repairs the extractors that had one."""

    def __init__(self, store: ExtractionStore, active: ActiveExtractors, repairs: Repairs) -> None:
        self._store = store
        self._active = active
        self._repairs = repairs

    def raise_alarm(self, active: ActiveExtractor, alarm: TemplateAlarm, page: PageInput) -> ExtractionChange:
        """Note that the template of an extractor has changed; return that as a change."""
        active.state = ALARM
        summary = str(alarm)
        detail: dict[str, object] = {
            "kind": alarm.kind,
            "decision": alarm.decision.value,
            "finding": alarm.finding.facts() if alarm.finding else None,
            "old": bars_to_json(alarm.old),
            "new": bars_to_json(alarm.new),
            "pages": active.deviating_pages,
        }
        self._store.set_state(active.number, ALARM, summary)
        self._store.note(active.number, "alarm", summary, page.at, detail)
        self._active.count("alarms")
        logger.warning("%s: the template has changed: %s", active.name, summary)
        finding = alarm.finding
        return ExtractionChange(
            "template", active.name, alarm.attribute or (finding.path or "" if finding else ""),
            finding.was if finding else "", finding.now if finding else summary,
        )  # fmt: skip

    def repair(self, active: ActiveExtractor, extractor: Extractor, page: PageInput) -> None:
        """Find the known values of records in their new pages, and learn from there."""
        if self._repairs == "ask" and self._newest_proposal(active.number) is not None:
            return
        self._find_lost_values(active, extractor, page)
        known = active.lost | {
            number: values
            for number in active.deviating_pages
            if (values := self._store.attributes_on(active.number, number))
        }
        if len(known) <= active.tried:
            return
        active.tried = len(known)
        read = {
            number: (url, layout)
            for number, url, layout in self._store.layouts(
                {*active.deviating_pages, *active.lost} - {page.page}
            )
        }
        read[page.page] = page.url, page.layout
        fixed, proof = repair_extractor(
            extractor,
            [(read[number][1], values) for number, values in known.items() if number in read],
            list(read.values()),
        )
        if proof.still_holds:
            fixed = fit_extractor(extractor, list(read.values()))
        if proof.is_convincing or proof.still_holds:
            self._use(active, fixed, proof, read, page.at)
        elif proof.is_gone:
            self._suspend(active, proof, page.at)

    def find_proposal(self, number: int) -> Extractor | None:
        """Return the proposed extractor, unless the proposal is outdated."""
        event = self._newest_proposal(number)
        if event is not None:
            try:
                return Extractor.from_json(event.detail["source"])
            except (KeyError, UnreadableExtractor):
                logger.debug("extractor %d: the proposal cannot be read", number)
        return None

    def _newest_proposal(self, number: int) -> TemplateEvent | None:
        events = self._store.events(number, kinds=_ENDING_A_PROPOSAL, limit=1)
        return events[0] if events and events[0].kind == "proposed" else None

    def _use(
        self,
        active: ActiveExtractor,
        fixed: Extractor,
        proof: RepairProof,
        pages: Mapping[int, tuple[str, PageLayout]],
        at: float,
    ) -> None:
        """Use a better pattern, or propose it."""
        if self._repairs == "auto":
            self._active.replace_extractor(active, fixed, at, "repaired", str(proof), _proof_to_json(proof))
            self._extract_again(active, fixed, pages, at)
            logger.info("%s: repaired: %s", active.name, proof)
            return
        detail = {**_proof_to_json(proof), "source": fixed.to_json()}
        self._store.set_state(active.number, ALARM, f"{proof}: scrapy templates accept takes it over")
        self._store.note(active.number, "proposed", str(proof), at, detail)
        self._active.count("proposed")

    def _suspend(self, active: ActiveExtractor, proof: RepairProof, at: float) -> None:
        active.state = PUT_OFF
        why = f"what was known stands on none of {proof.pages} new pages: show the attributes again (scrapy extract add)"
        self._store.set_state(active.number, PUT_OFF, why)
        self._store.note(active.number, "put_off", why, at, _proof_to_json(proof))
        self._active.count("suspended")
        logger.warning("%s: suspended: %s", active.name, why)

    def _find_lost_values(self, active: ActiveExtractor, extractor: Extractor, page: PageInput) -> None:
        """If one attribute is gone from pages with an unchanged template, find its values in their earlier versions."""
        alarm = extractor.alarm()
        if (
            alarm is None
            or alarm.kind != "fill"
            or extractor.kind != "page"
            or len(active.lost) >= MOST_LEARNT
        ):
            return
        urls = {page.page: page.url}
        if not active.lost:
            newest = (number for number, _ in active.last[-WINDOW:])
            urls |= {number: url for number, url, _ in self._store.layouts(newest)}
        for number, url in urls.items():
            if (values := self._find_earlier_values(extractor, url, alarm.attribute)) is not None:
                active.lost[number] = [values]

    def _find_earlier_values(
        self, extractor: Extractor, url: str, attribute: str
    ) -> Mapping[str, Sequence[str]] | None:
        """Return the values of a page when it last had an attribute."""
        for layout in self._store.earlier_layouts(url, _MOST_VERSIONS):
            entries = extractor.read(layout).entries
            if len(entries) == 1 and entries[0].values.get(attribute):
                return entries[0].values
        return None

    def _extract_again(
        self,
        active: ActiveExtractor,
        extractor: Extractor,
        pages: Mapping[int, tuple[str, PageLayout]],
        at: float,
    ) -> None:
        """Extract with the new pattern from the pages since the change of the template."""
        for number, (_, layout) in pages.items():
            reading = extractor.read(layout)
            if reading.is_member:
                save_entries(self._store, active.number, extractor, number, reading.entries, at)
                active.last.append((number, False))
        active.is_dirty = True


def _proof_to_json(proof: RepairProof) -> dict[str, object]:
    return {
        "pages": proof.pages,
        "known": proof.known,
        "found_by_old": proof.found_by_old,
        "found_by_new": proof.found_by_new,
        "standing": proof.standing,
        "by_attribute": [list(each) for each in proof.by_attribute],
    }
