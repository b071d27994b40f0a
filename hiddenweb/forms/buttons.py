"""Which button of a form is pressed, and whether it may be pressed.

The button starts the action, so its label has to be understood. The label has a word for searching, or only one such as "go", in one of
some fifty languages; or it is empty, as on a magnifier. A word for searching alone is not enough: "Search and register", "Find out if
you have won" and "Clear my searches" have one, too. So a button that joins two actions, has a word such as "my" or "your", or has more
than a few words is not pressed. By GET it may also show or apply what was chosen ("Show cars", "Apply"). A button is read strictly if
it is sent by POST, which may do anything, or if its language is little known: then every other word has to be known as harmless
("start", "new", "the catalogue"). In languages that put the verb first this always holds for the words before the word for searching:
"Mémoriser la recherche" saves a search.

If everything else says that a form searches (it is `trusted`), an unknown word is no objection at the place of the thing that is
searched: after the verb ("Search events"), or before it in languages that put the verb last. The label may then be longer, and
have a word such as "your" ("Find your new home"). A button without a word for searching is still not understood, except one that only
says to send ("Submit") if the box is made for searching and says so.

Of several buttons the one with the fewest words other than those for searching is pressed; if none has a word for searching, the first,
which the Enter key presses.
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
_MOST_WORDS_IF_TRUSTED = 7  # words of a button of a trusted form; a limit of taste
_WORDS_OF_VERB_AND_OBJECT = 2  # words of "search books", in languages that write spaces
_MAX_ENDING = 2  # letters of a verb's ending, where words are not spaced; a limit of taste


def button_to_press(form: Form) -> Field | None:
    """Return the button that searches, or that is pressed by the Enter key; None if the form has none."""
    buttons = [field for field in form.fields if field.kind in PRESSED and not field.disabled]
    understood = [button for button in buttons if says_search(button)] or [b for b in buttons if says_go(b)]
    return min(understood or buttons[:1], key=_doubts_about, default=None)


def find_objection(
    button: Field, *, by_post: bool = False, strictly: bool = False, language: str = "", trusted: bool = False
) -> str:
    """Return why a button is not pressed, in words; "" if it may be pressed. By POST it is read strictly.

    In a `trusted` form only words that are known to be more than searching count.
    """
    strictly = strictly or by_post
    label = button_text(button)
    if pressing := _pressing().match(fold(label)):
        label = fold(label)[pressing.end() :].strip() or label
    if not label or says_go(button) or (says_apply(button) and not by_post):
        return ""
    if trusted and says_send_search(button):
        return ""
    shows = bool(DISPLAY.find_words(label)) and not by_post
    if not (says_search(button) or shows):
        return f"its button says {label!r}, which is no known word for searching"
    if _joins_actions(label, language) and not (trusted and _is_known_throughout(label, language)):
        return f"its button says {label!r}, which is more than searching"
    if speaks_of_own(label) and (by_post or not trusted):
        return f"its button says {label!r}, which names something of the user's own"
    most = _MOST_WORDS_IF_TRUSTED if trusted else _MOST_WORDS
    if len(label.split()) > most or _letters_unspaced(label) > _MOST_LETTERS:
        return f"its button says {label!r}, which is too long for a search"
    if (any(map(str.isdigit, label)) and not shows) or _MONEY.search(label):
        return f"its button says {label!r}, which names a number or a price"
    before = _place_of_verb(language) == "first" or (
        strictly and not (trusted and _place_of_verb(language) == "last")
    )
    after = strictly and not (
        trusted and (_place_of_verb(language) != "last" or _imperative().match(fold(label)))
    )
    if unknown := _doubtful_words(label, SEARCH.find_words(label), before, after):
        return f"its button says {label!r}, and we do not know what {unknown!r} does"
    return ""


def button_text(button: Field) -> str:
    """Return the label of a button; an input without a label shows its value."""
    label = button.label or (button.value if button.kind != "image" else "")
    if not any(map(str.isalnum, label)):
        return ""  # >>
    is_picture = len(label) == 1 and not UNSPACED_CHARACTER.search(label)  # a single letter, from a font
    return "" if is_picture else label


def says_search(button: Field) -> bool:
    """Say whether a button says that it searches; a word for a query counts only if it stands alone (not in "Run query")."""
    label = button_text(button)
    if fold(label).strip() in lexicon.fold_phrases("buttons.search_alone"):
        return True
    word = SEARCH.find_words(label)
    return bool(word) and not (
        lexicon.search_pattern("buttons.query").fullmatch(word) and len(label.split()) > 1
    )


def shows_results(button: Field) -> bool:
    """Say whether a button only says that it shows results: "See results", "Treffer anzeigen"."""
    label = button_text(button)
    word = RESULTS.find_words(label)
    is_shown = DISPLAY.find_words(label) or GO.find_words(label)
    return bool(word and is_shown) and not _unknown_words(label, word, DISPLAY, GO, HARMLESS)


def _joins_actions(label: str, language: str) -> bool:
    """Say whether a label joins two actions; if the language is not known, every word that may do so counts."""
    text = fold(label)
    joining = lexicon.search_pattern("buttons.joining")
    return bool(joining.search(text)) or not _short_joining(language).isdisjoint(_WORD.findall(text))


@cache
def _short_joining(language: str) -> frozenset[str]:
    """Return the joining words of a language that mean something else in others; those of all languages, if it is not known."""
    purpose = "buttons.joining_here"
    return (
        frozenset(lexicon.split_patterns(lexicon.read_in_language(purpose, language)))
        if language
        else frozenset(lexicon.phrases(purpose))
    )


@cache
def _pressing() -> re.Pattern[str]:
    """The words that say how a button is pressed, not what it does: "Click to search"."""
    return re.compile(rf"^\W*(?:{lexicon.alternatives('buttons.pressing')})(?= |(?<=[^a-zа-я ]))")


@cache
def _imperative() -> re.Pattern[str]:
    """Imperatives that come first in languages that put other verbs last: "Zoek boeken" but "Boeken zoeken", "Suche in allen Werken"."""
    return re.compile(rf"\s*(?:{lexicon.alternatives('grammar.imperative')})")


@cache
def _place_of_verb(language: str) -> str:
    """Return whether a verb stands `first` or `last`; `anywhere` if that is not known."""
    return str(lexicon.read_in_language("grammar.verb", language) or "anywhere")


def speaks_of_own(text: str) -> bool:
    """Say whether a text has a word such as "my" or "your"."""
    return bool(lexicon.search_pattern("buttons.own").search(fold(text)))


def _is_known_throughout(label: str, language: str) -> bool:
    """Say whether every word is known: it searches, shows, joins or means "go": "Search & filter", "Rechercher et afficher"."""
    short = _short_joining(language) if language else frozenset()
    joining = lexicon.search_pattern("buttons.joining")
    words = (word for word in _WORD.findall(joining.sub(" ", fold(label))) if word not in short)
    return not UNSPACED_CHARACTER.search(label) and all(
        any(vocabulary.find_words(word) for vocabulary in (SEARCH, DISPLAY, GO, HARMLESS)) for word in words
    )


def says_go(button: Field) -> bool:
    """Say whether a button only says "go" or the like."""
    label = button_text(button)
    word = GO.find_longest(label)
    return bool(word) and not says_search(button) and not _unknown_words(label, word, GO, HARMLESS)


def says_apply(button: Field) -> bool:
    """Say whether a button only says that it applies what was chosen."""
    label = button_text(button)
    word = APPLY.find_words(label)
    return bool(word) and not _unknown_words(label, word)


def says_send(button: Field) -> bool:
    """Say whether a button says that it sends something, which may be a message: "Submit"."""
    return bool(SENDING.find_words(button_text(button)))


def says_only_send(button: Field) -> bool:
    """Say whether a button only says that it sends something."""
    label = button_text(button)
    word = SENDING.find_words(label)
    return bool(word) and not _unknown_words(label, word, SENDING, HARMLESS)


def says_send_search(button: Field) -> bool:
    """Say whether a button only says that it sends a search: "Submit search", "Suche absenden"."""
    label = button_text(button)
    word = SENDING.find_words(label)
    return bool(word) and says_search(button) and not _unknown_words(label, word, SENDING, SEARCH, HARMLESS)


def says_run(button: Field) -> bool:
    """Say whether a button begins with a word such as "run", and names one thing: "Run SQL", "Start report"."""
    words = _WORD.findall(fold(button_text(button)))
    return (
        len(words) == _WORDS_OF_VERB_AND_OBJECT
        and bool(GO.find_words(words[0]))
        and not UNSPACED_CHARACTER.search(button_text(button))
    )


def _doubtful_words(label: str, word: str, before: bool, after: bool) -> str:
    """Return the words before and after the word for searching that are not known as harmless."""
    if not word or not (before or after):
        return ""
    left, right = _split_at_word(fold(label), word)
    read = f"{left if before else ''}{word}{right if after else ''}"
    return _unknown_words(read, word, SEARCH, GO, HARMLESS, SEARCHED)


def _split_at_word(label: str, word: str) -> tuple[str, str]:
    """Return the text before and after a word; in scripts with spaces the word is no part of another one."""
    found = (
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", label) if not UNSPACED_CHARACTER.search(word) else None
    )
    at = found.start() if found else label.find(word)
    return (label[:at], label[at + len(word) :]) if at >= 0 else (label, "")


def _unknown_words(label: str, word: str, *vocabularies: PhraseMatcher) -> str:
    """Return the other words of a label that are not known as harmless."""
    if UNSPACED_CHARACTER.search(label):
        rest = fold(label).replace(word, " ", 1)
        for vocabulary in (*vocabularies, HARMLESS):
            rest = rest.replace(vocabulary.find_words(rest) or " ", "")
        rest = rest.strip(" .!>»›→")
        return rest if len(rest) > _MAX_ENDING else ""
    rest = " ".join(_WORD.findall(fold(label))).replace(word, " ", 1)
    unknown = (
        each for each in rest.split() if not any(vocabulary.find_words(each) for vocabulary in vocabularies)
    )
    return " ".join(unknown)


def _letters_unspaced(label: str) -> int:
    """Return the number of letters in scripts without spaces; Thai letters count half, since Thai words have more of them."""
    return sum(
        2 if letter > "\u3000" else 1
        for letter in label
        if letter.isalpha() and UNSPACED_CHARACTER.match(letter)
    )


def _doubts_about(button: Field) -> tuple[bool, int]:
    label = button_text(button)
    harmful = PLAIN_PURPOSES.find(label) or OTHER_PURPOSES.find(label)
    return bool(harmful or find_objection(button, by_post=True)), len(label.split())
