"""How far a form is on topic: the second of the two steps of SmartCrawler.

The first step, `forms.classifier`, looks at the structure of a form; this one at its words. All texts of a form (its text,
labels, placeholders, choices, heading, and its own names) becomes a vector of stemmed words without stop words, each weighing

    w(t) = 1 + ln tf(t)

and its relevance is the cosine between that vector and the topic's. It is 0 where either is empty, and never above 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.terms import cosine, terms, weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiddenweb.model import Form

_MAX_OPTIONS = 200  # of one select: a list of all towns of a country would drown the rest; a limit of taste
_FEW_TERMS = 6  # up to so many terms are few: a limit of taste
_MIN_LETTERS = 2  # letters of a term: names of controls often have one or two
_MAX_TEXT = 20_000  # characters, where one form holds a whole page: a limit of taste


def relevance(form: Form, topic_terms: Mapping[str, float]) -> float:
    """Return how relevant a form is to a topic, from 0 to 1; the terms of the topic are stemmed as `terms.terms` does it."""
    form_terms = weights(terms(_form_texts(form), form.language))
    return cosine(form_terms, topic_terms)


def has_few_words(form: Form) -> bool:
    """Say whether a form has too few words to say what it is about: a box and "Search", or lists of makes and models.

    An option of a list is a value, not a word about the topic.
    """
    options = (option.text for field in form.fields for option in field.options[:_MAX_OPTIONS])
    words = set(terms(_form_texts(form), form.language)) - set(terms(options, form.language))
    return sum(len(term) > _MIN_LETTERS for term in words) <= _FEW_TERMS


def _form_texts(form: Form) -> Iterator[str]:
    """Yield all texts of a form, once for each place."""
    yield form.text[:_MAX_TEXT]
    yield form.heading
    yield split_identifier(form.names)
    for field in form.fields:
        if field.kind == "hidden":
            continue
        yield from dict.fromkeys(
            (field.placeholder, *(hint.text for hint in field.hints), split_identifier(field.name))
        )
        for option in field.options[:_MAX_OPTIONS]:
            yield option.text
