"""Which button of a form is pressed, and whether it may be.

The button is what does it, so it has to be understood. It says a word for searching, or one for going on and nothing else, in one
of some fifty languages; or it says nothing at all, as a magnifier does. A word for searching alone is not enough, though: "Search
and register", "Find out if you have won" and "Clear my searches" hold one as well. So a button that joins two deeds, speaks of
what is mine or yours, or goes on for more than a few words is not pressed. By GET it may also show or apply what was chosen
("Show cars", "Apply"). Where the button is read strictly, whatever stands beside the word for searching has to be known as
harmless ("start", "new", "the catalogue"): sent by POST, which may do anything, and in languages that we know little of. In languages
that put the verb first, that holds for whatever stands before it: "Mémoriser la recherche" keeps a search.

Where all else says that a form searches (`vouched`), a word beside one for searching that is not understood is no objection where
it can only be what is searched: after the verb ("Search events"), in languages that put the verb last before it. It may
then be longer, and one's own ("Find your new home"). A button without a word for searching stays one that is not understood, but
for one that only says to send ("Submit"), where the box is made for searching and says so.

Of several buttons the one that says least beside searching is pressed; if none speaks of searching, the first, which is what the
Enter key presses.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from hiddenweb.language import lexicon
from hiddenweb.language.folding import fold
from hiddenweb.language.phrases import (
    APPLY,
    DISPLAY,
    GO,
    HARMLESS,
    OTHER_PURPOSES,
    PLAIN_PURPOSES,
    RESULTS,
    SEARCH,
    SEARCHED,
    SENDING,
)
from hiddenweb.language.tokens import UNSPACED_CHARACTER

if TYPE_CHECKING:
    from hiddenweb.language.phrase_matcher import PhraseMatcher
    from hiddenweb.model import Field, Form

PRESSED = ("submit", "image")


_WORD = re.compile(r"(?:[^\W\d_]|[\u0900-\u0963\u0970-\u0dff])+")
_MONEY = re.compile(r"[$€£¥₽₺₹฿₩]")
_MOST_WORDS, _MOST_LETTERS = 4, 24
_MOST_WORDS_IF_VOUCHED = 7  # words of a button that another sign says is one; a limit of taste
_WORDS_OF_VERB_AND_OBJECT = 2  # words of "search books", in languages that write spaces
_MAX_ENDING = 2  # letters of a verb's ending, where words are not spaced; a limit of taste


def button_to_press(form: Form) -> Field | None:
    """Return the button that searches, or that is pressed by the Enter key; None if the form has none."""
    buttons = [field for field in form.fields if field.kind in PRESSED and not field.disabled]
    speaking = [button for button in buttons if says_search(button)] or [b for b in buttons if says_go(b)]
    return min(speaking or buttons[:1], key=_doubts_about, default=None)


def find_objection(
    button: Field, *, by_post: bool = False, strictly: bool = False, language: str = "", vouched: bool = False
) -> str:
    """Return why a button is not pressed, in words; nothing if it may be. By POST it is read strictly.

    If all else that the form says has `vouched` for it, only what is understood as more than searching counts.
    """
    strictly = strictly or by_post
    said = button_text(button)
    if pressing := _pressing().match(fold(said)):
        said = fold(said)[pressing.end() :].strip() or said
    if not said or says_go(button) or (applies(button) and not by_post):
        return ""
    if vouched and sends_search(button):
        return ""
    shows = bool(DISPLAY.find_words(said)) and not by_post
    if not (says_search(button) or shows):
        return f"its button says {said!r}, which is no word for searching that we know"
    if _joins(said, language) and not (vouched and _is_known_throughout(said, language)):
        return f"its button says {said!r}, which is more than searching"
    if speaks_of_own(said) and (by_post or not vouched):
        return f"its button says {said!r}, which speaks of somebody's own"
    most = _MOST_WORDS_IF_VOUCHED if vouched else _MOST_WORDS
    if len(said.split()) > most or _letters_unspaced(said) > _MOST_LETTERS:
        return f"its button says {said!r}, which is too long for a search"
    if (any(map(str.isdigit, said)) and not shows) or _MONEY.search(said):
        return f"its button says {said!r}, which names a number or a price"
    before = _place_of_verb(language) == "first" or (
        strictly and not (vouched and _place_of_verb(language) == "last")
    )
    after = strictly and not (
        vouched and (_place_of_verb(language) != "last" or _imperative().match(fold(said)))
    )
    if strange := _doubtful_words(said, SEARCH.find_words(said), before, after):
        return f"its button says {said!r}, and we do not know what {strange!r} does"
    return ""


def button_text(button: Field) -> str:
    """Return what a button says; a value without a label is what an input shows."""
    said = button.label or (button.value if button.kind != "image" else "")
    if not any(map(str.isalnum, said)):
        return ""  # >>
    is_picture = len(said) == 1 and not UNSPACED_CHARACTER.search(said)  # a single letter, from a font
    return "" if is_picture else said


def says_search(button: Field) -> bool:
    """Say whether a button says that it searches; a word for a query means that only if it stands alone ("Run query")."""
    said = button_text(button)
    if fold(said).strip() in lexicon.fold_phrases("buttons.search_alone"):
        return True
    word = SEARCH.find_words(said)
    return bool(word) and not (
        lexicon.search_pattern("buttons.query").fullmatch(word) and len(said.split()) > 1
    )


def shows_results(button: Field) -> bool:
    """Say whether a button shows what a search finds, and says nothing else: "See results", "Treffer anzeigen"."""
    said = button_text(button)
    word = RESULTS.find_words(said)
    is_shown = DISPLAY.find_words(said) or GO.find_words(said)
    return bool(word and is_shown) and not _strange_words(said, word, DISPLAY, GO, HARMLESS)


def _joins(said: str, language: str) -> bool:
    """Say whether a text joins two deeds; where the language is not known, every word that may do so counts."""
    text = fold(said)
    joining = lexicon.search_pattern("buttons.joining")
    return bool(joining.search(text)) or not _short_joining(language).isdisjoint(_WORD.findall(text))


@cache
def _short_joining(language: str) -> frozenset[str]:
    """Return the words of a language that join, and are words of others; of all languages, if it is not known."""
    purpose = "buttons.joining_here"
    return (
        frozenset(lexicon.split_patterns(lexicon.read_in_language(purpose, language)))
        if language
        else frozenset(lexicon.phrases(purpose))
    )


@cache
def _pressing() -> re.Pattern[str]:
    """What says how a button is pressed, not what it does: "Click to search"."""
    return re.compile(rf"^\W*(?:{lexicon.alternatives('buttons.pressing')})(?= |(?<=[^a-zа-я ]))")


@cache
def _imperative() -> re.Pattern[str]:
    """What puts first what is done where others put it last: "Zoek boeken" beside "Boeken zoeken", "Suche in allen Werken"."""
    return re.compile(rf"\s*(?:{lexicon.alternatives('grammar.imperative')})")


@cache
def _place_of_verb(language: str) -> str:
    """Return whether a verb stands `first` or `last`; `anywhere` where that is not known."""
    return str(lexicon.read_in_language("grammar.verb", language) or "anywhere")


def speaks_of_own(text: str) -> bool:
    """Say whether a text speaks of what is somebody's own: "my", "your"."""
    return bool(lexicon.search_pattern("buttons.own").search(fold(text)))


def _is_known_throughout(said: str, language: str) -> bool:
    """Say whether every word searches, shows, goes on or joins: "Search & filter", "Rechercher et afficher"."""
    short = _short_joining(language) if language else frozenset()
    joining = lexicon.search_pattern("buttons.joining")
    words = (word for word in _WORD.findall(joining.sub(" ", fold(said))) if word not in short)
    return not UNSPACED_CHARACTER.search(said) and all(
        any(vocabulary.find_words(word) for vocabulary in (SEARCH, DISPLAY, GO, HARMLESS)) for word in words
    )


def says_go(button: Field) -> bool:
    """Say whether a button says to go on, and nothing else."""
    said = button_text(button)
    word = GO.find_longest(said)
    return bool(word) and not says_search(button) and not _strange_words(said, word, GO, HARMLESS)


def applies(button: Field) -> bool:
    """Say whether a button takes over what was chosen, and says nothing else."""
    said = button_text(button)
    word = APPLY.find_words(said)
    return bool(word) and not _strange_words(said, word)


def sends(button: Field) -> bool:
    """Say whether a button says to send what was written, which a message is as well: "Submit"."""
    return bool(SENDING.find_words(button_text(button)))


def only_sends(button: Field) -> bool:
    """Say whether a button says to send what was written, and nothing else."""
    said = button_text(button)
    word = SENDING.find_words(said)
    return bool(word) and not _strange_words(said, word, SENDING, HARMLESS)


def sends_search(button: Field) -> bool:
    """Say whether a button says to send a search, and nothing else: "Submit search", "Suche absenden"."""
    said = button_text(button)
    word = SENDING.find_words(said)
    return bool(word) and says_search(button) and not _strange_words(said, word, SENDING, SEARCH, HARMLESS)


def runs(button: Field) -> bool:
    """Say whether a button begins with a word for going on, and names one thing that is run: "Run SQL", "Start report"."""
    words = _WORD.findall(fold(button_text(button)))
    return (
        len(words) == _WORDS_OF_VERB_AND_OBJECT
        and bool(GO.find_words(words[0]))
        and not UNSPACED_CHARACTER.search(button_text(button))
    )


def _doubtful_words(said: str, word: str, before: bool, after: bool) -> str:
    """Return what a button says before and after its word for searching that is not known as harmless."""
    if not word or not (before or after):
        return ""
    left, right = _split_at_word(fold(said), word)
    read = f"{left if before else ''}{word}{right if after else ''}"
    return _strange_words(read, word, SEARCH, GO, HARMLESS, SEARCHED)


def _split_at_word(said: str, word: str) -> tuple[str, str]:
    """Return what stands before and after a word of a text; in scripts with spaces it is no part of another word."""
    found = (
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said) if not UNSPACED_CHARACTER.search(word) else None
    )
    at = found.start() if found else said.find(word)
    return (said[:at], said[at + len(word) :]) if at >= 0 else (said, "")


def _strange_words(said: str, word: str, *known: PhraseMatcher) -> str:
    """Return what a button says beside a word and is not known as harmless."""
    if UNSPACED_CHARACTER.search(said):
        rest = fold(said).replace(word, " ", 1)
        for vocabulary in (*known, HARMLESS):
            rest = rest.replace(vocabulary.find_words(rest) or " ", "")
        rest = rest.strip(" .!>»›→")
        return rest if len(rest) > _MAX_ENDING else ""
    rest = " ".join(_WORD.findall(fold(said))).replace(word, " ", 1)
    strange = (each for each in rest.split() if not any(vocabulary.find_words(each) for vocabulary in known))
    return " ".join(strange)


def _letters_unspaced(said: str) -> int:
    """Return how many letters stand in scripts without spaces; in Thai, where a word takes more of them, half as many."""
    return sum(
        2 if letter > "\u3000" else 1
        for letter in said
        if letter.isalpha() and UNSPACED_CHARACTER.match(letter)
    )


def _doubts_about(button: Field) -> tuple[bool, int]:
    said = button_text(button)
    harmful = PLAIN_PURPOSES.find(said) or OTHER_PURPOSES.find(said)
    return bool(harmful or find_objection(button, by_post=True)), len(said.split())
