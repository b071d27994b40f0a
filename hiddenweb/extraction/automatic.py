"""Extractors that a crawl makes automatically, from the answers of forms and from the pages of their records.

After ten pages of answers, the attributes of the fullest record become an example; after ten pages of records, their labelled values do
(`hiddenweb.extraction.labelled_values`). From then on their attributes are extracted and their templates watched. The first pages are no fair sample of the
later ones: the first queries have long answers with many pages, later ones short answers. So a page deviates from these extractors only if their
attributes are no longer found on it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.extraction.active_extractors import ActiveExtractor
from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.extractor import MOST_LEARNT, CannotLearn, learn_extractor
from hiddenweb.extraction.extractor_store import CRAWL, LEARNING, OFF
from hiddenweb.extraction.labelled_values import make_example
from hiddenweb.extraction.template_watch import LEAST_PAGES
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from hiddenweb.extraction.active_extractors import ActiveExtractors, SiteExtractors
    from hiddenweb.extraction.extractor_store import ExtractionStore
    from hiddenweb.extraction.page_extraction import PageInput
    from hiddenweb.html.layout import PageLayout

ENOUGH_PAGES = LEAST_PAGES + 4
"""Pages that an automatic extractor is learnt from; some may be of another kind."""

LEAST_RECORDS = 3
"""Records that an answer needs to show what a list of records looks like."""

_MOST_ATTRIBUTES = 12  # of a record; a limit of taste


class AutomaticExtractors:
    """Makes an extractor for the answers of each form, and one for the pages of its records."""

    def __init__(self, store: ExtractionStore, active: ActiveExtractors) -> None:
        self._store = store
        self._active = active
        self._pages: Counter[str] = (
            Counter()
        )  # that an extractor could be made from, by the name of the extractor

    def might_make(self, site: SiteExtractors, url: str, form: int | None, record_of: int | None) -> bool:
        """Return whether an extractor could be made from similar pages, and there is none yet."""
        return _name(url, form, record_of) not in ("", *site.automatic)

    def make(self, site: SiteExtractors, page: PageInput) -> None:
        """Make an extractor for the answers of a form, or for the pages of its records, when there are enough pages."""
        name = _name(page.url, page.form, page.record_of)
        if not self.might_make(site, page.url, page.form, page.record_of) or not _has_enough_records(page):
            return
        self._pages[name] += 1
        if self._pages[name] % LEAST_PAGES:
            return
        form = page.form if page.form is not None else page.record_of
        assert form is not None
        find = self._find_answers if page.form is not None else self._find_pages_of_records
        example, layout, pages = find(page, form, name)
        try:
            if example is None or layout is None:
                raise CannotLearn("nothing has a label")
            extractor = learn_extractor(example, layout, pages)
        except CannotLearn as error:
            if self._pages[name] >= MOST_LEARNT:  # until then another page may show more
                site.automatic.add(name)
                self._give_up(
                    example or Example(registered_domain(page.url), "", (), page.url, name), page, error
                )
            return
        del self._pages[name]
        site.automatic.add(name)
        number = self._store.add(example, extractor, page.at, origin=CRAWL, form=form)
        active = ActiveExtractor(number, name, CRAWL, form, LEARNING, example, extractor, [])
        self._active.replace_extractor(active, extractor, page.at, "learnt")
        site.active.append(active)

    def _give_up(self, example: Example, page: PageInput, why: CannotLearn) -> None:
        form = page.form if page.form is not None else page.record_of
        number = self._store.add(example, None, page.at, origin=CRAWL, form=form)
        self._store.set_state(number, OFF, str(why))
        self._active.count("not_learnt")

    def _find_answers(
        self, page: PageInput, form: int, name: str
    ) -> tuple[Example | None, PageLayout | None, list[tuple[str, PageLayout]]]:
        """Return the fullest record of an answer as an example, and further answers."""
        fullest = max(page.records, key=lambda record: len(dict(record.attributes)))
        attributes: dict[str, list[str]] = {}
        for attribute, value in fullest.attributes:
            attributes.setdefault(attribute, []).append(value)
        pairs = tuple((attribute, tuple(values)) for attribute, values in attributes.items())
        example = Example(
            registered_domain(page.url), "", pairs[:_MOST_ATTRIBUTES], page.url, name, kind="list"
        )
        return example, page.layout, self._store.pages_of_answers(form, ENOUGH_PAGES)

    def _find_pages_of_records(
        self, page: PageInput, form: int, name: str
    ) -> tuple[Example | None, PageLayout | None, list[tuple[str, PageLayout]]]:
        """Return the page of the fullest record as an example, and further pages of records."""
        pages = self._store.pages_of_records(form, ENOUGH_PAGES)
        example = make_example(pages, registered_domain(page.url), name)
        layout = next(
            (each.layout for each in pages if example is not None and each.url == example.page), None
        )
        return example, layout, [(each.url, each.layout) for each in pages]


def _has_enough_records(page: PageInput) -> bool:
    """Return whether a page, if it is an answer, has enough records with attributes to learn from."""
    return page.form is None or sum(bool(each.attributes) for each in page.records) >= LEAST_RECORDS


def _name(url: str, form: int | None, record_of: int | None) -> str:
    """Return the name of the extractor for pages like this one; empty if there is none."""
    if form is not None:
        return f"{registered_domain(url)} answers {form}"
    return f"{registered_domain(url)} records {record_of}" if record_of is not None else ""
