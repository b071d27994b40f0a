"""What somebody types, as a query.

Words are all wanted unless `OR` stands between them; `-word` and `NOT word` exclude; `"lost wax"` is a phrase, `cast*` a beginning;
`site:books.example`, `language:de` and `kind:record` narrow; `author:smith`, `author:"jane smith"` and `author:smi*` look into one attribute, if any
document of the index has one of that name; round brackets group. Anything else is words: no text is wrong.

A word stands for its stems in the languages of the index. A word that is too common to be indexed in one of them ("die" in
German, "war" too) cannot be asked of documents in that language: beside other words it is wanted of the others only.

Two kinds of conditions are not in the terms and are looked up for the documents that fulfil the rest: whether a phrase is in
the text, or in one value of an attribute, and when a document was fetched. What is written without spaces, `price:12.50`, is a phrase in an attribute: its
words stand beside each other there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from whoosh import fields, matching, qparser, query
from whoosh.query.wrappers import WrappingQuery

from hiddenweb.index.analysis import NAME_END, alternatives, attribute_name, cells, pieces, spread, terms_of
from hiddenweb.index.snippets import VisibleTerms
from hiddenweb.index.whoosh_segments import DOCUMENTS, EXISTENCE, TIMES
from hiddenweb.language.folding import fold_word

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Sequence

    from whoosh.reading import IndexReader

    from hiddenweb.model import IndexDocument

    Unpacked = Callable[[bytes], IndexDocument]
    Check = Callable[[IndexReader], Callable[[int], bool]]

_SHORTEST_BEGINNING = 2  # characters of begin*: a shorter one means half of the dictionary; a limit of taste
_NARROWING = r"(?<!\w)(?P<text>site|language|kind):(?=\w)"
_NAME = r'(?:(?<![^\s(])|(?<=(?<![^\s(])[+-]))(?P<text>[^\s:"()*+-][^\s:"()*]*):(?=[^\s:)*])'
_ATTRIBUTE = "attribute"


class BadQuery(Exception):
    """A question that means nothing; the message says why."""


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """What somebody looks for."""

    words: str
    site: str = ""  # a host, with the hosts below it
    since: float | None = None  # fetched at that time or later
    language: str = ""
    behind_forms: bool = False  # only what links do not reach
    page: int = 1
    limit: int = 10


@cache
def schema() -> fields.Schema:
    """Return what Whoosh has to know about the fields."""
    exact = {name: _Exact() for name in (_ATTRIBUTE, "behind_form", "key", "kind", "language", "site")}
    columns = {"document": fields.COLUMN(DOCUMENTS), "fetched_at": fields.COLUMN(TIMES)}
    return fields.Schema(text=_DocumentWords(), **exact, **columns)


def parse_query(
    question: ParsedQuery, reader: IndexReader, unpack: Unpacked
) -> tuple[query.Query, VisibleTerms]:
    """Return the query a question means in an index, and what of it can be shown in a text."""
    if not question.words.strip():
        raise BadQuery("There is nothing to search for: give at least one word.")
    meant = _QueryBuilder(_languages(question, reader), partial(_has_attribute, reader), unpack)
    wanted = meant.parse(question.words)
    if wanted == query.NullQuery:
        raise BadQuery(f"{question.words!r} has no word that could be found: all are too common, or signs.")
    return _narrow(wanted, question), _visible_terms(wanted)


class _DocumentWords(fields.FieldType):  # type: ignore[misc]
    """The words of a document; only counts are kept."""

    def __init__(self) -> None:
        super().__init__(EXISTENCE, None, scorable=True)


class _Exact(fields.FieldType):  # type: ignore[misc]
    """A field of which the whole value is a term."""

    def __init__(self) -> None:
        super().__init__(EXISTENCE, None)

    def process_text(self, qstring: str, mode: str = "", **_: object) -> list[str]:  # noqa: ARG002
        return [qstring.lower()]


@dataclass(frozen=True, slots=True)
class _SearchScope:
    """Where words are looked for: in the text and everything else, or in one attribute."""

    name: str = ""  # of the attribute

    @property
    def field(self) -> str:
        return _ATTRIBUTE if self.name else "text"

    def term(self, text: str) -> query.Query:
        return query.Term(self.field, f"{self._prefix}{text}")

    def beginning(self, text: str) -> query.Query:
        return query.Prefix(self.field, f"{self._prefix}{text}")

    def texts(self, document: IndexDocument) -> Iterator[str]:
        """Yield the texts of a document in one of which a phrase must be."""
        if not self.name:
            yield f"{document.title}\n{document.text}"
        for name, value in document.attributes:
            if self.name in ("", attribute_name(name)):
                yield value

    @property
    def _prefix(self) -> str:
        return f"{self.name}{NAME_END}" if self.name else ""


class _QueryWord(query.Or):  # type: ignore[misc]
    """A word of a question, and the languages in which it is too common to be indexed."""

    common: tuple[str, ...] = ()


class _CheckedMatcher(WrappingQuery):  # type: ignore[misc]
    """Those documents of a query that also pass a check, which is made only for them."""

    def __init__(self, child: query.Query, check: Check) -> None:
        super().__init__(child)
        self._check = check

    def _rewrap(self, child: query.Query) -> _CheckedMatcher:
        return _CheckedMatcher(child, self._check)

    def normalize(self) -> query.Query:
        child = self.child.normalize()
        return child if child == query.NullQuery else self._rewrap(child)

    def matcher(self, searcher: Any, context: Any = None) -> matching.Matcher:
        passes = self._check(searcher.reader())
        candidates = self.child.matcher(searcher, searcher.boolean_context())
        return matching.FilterMatcher(
            self.child.matcher(searcher, context),
            {number for number in candidates.all_ids() if passes(number)},
        )


class _ExcludingMatcher(WrappingQuery):  # type: ignore[misc]
    """Those documents of a query that do not fulfil another one.

    Whoosh's own matcher lets the first document through when the other query begins before it.
    """

    def __init__(self, child: query.Query, banned: query.Query) -> None:
        super().__init__(child)
        self._banned = banned

    def _rewrap(self, child: query.Query) -> _ExcludingMatcher:
        return _ExcludingMatcher(child, self._banned)

    def normalize(self) -> query.Query:
        child = self.child.normalize()
        return child if child == query.NullQuery else _ExcludingMatcher(child, self._banned.normalize())

    def matcher(self, searcher: Any, context: Any = None) -> matching.Matcher:
        banned = set(self._banned.matcher(searcher, searcher.boolean_context()).all_ids())
        return matching.FilterMatcher(self.child.matcher(searcher, context), banned, exclude=True)


class _QueryBuilder:
    """Makes queries in the languages of an index."""

    def __init__(
        self, languages: Sequence[str], has_attribute: Callable[[str], bool], unpack: Unpacked
    ) -> None:
        self._languages = languages
        self._has_attribute = has_attribute
        self._unpack = unpack
        self._parser = qparser.QueryParser(
            "text", self._schema(), _plugins(self), phraseclass=self._phrase_query
        )

    def parse(self, words: str) -> query.Query:
        """Return the query that a text means."""
        return _apply_our_rules(self._parser.parse(words, normalize=False)).normalize()

    def field_of(self, typed: str) -> str | None:
        """Return the field that stands for an attribute, None where no document has it."""
        name = attribute_name(typed)
        return f"{_ATTRIBUTE}{NAME_END}{name}" if name and self._has_attribute(name) else None

    def word(self, text: str, place: _SearchScope) -> query.Query | None:
        """Return the query of a text without spaces: one word as a rule, several in "wax-casting"."""
        if place.name:
            return self.phrase(text, place)
        return _all([self._piece(piece, place, is_run=is_run) for _, piece, is_run in pieces(text)])

    def beginning(self, text: str, place: _SearchScope) -> query.Query | None:
        """Return the query of words that begin so."""
        word = self.word(text, place)
        last = [piece for _, piece, _ in pieces(text)][-1:]
        if not last or len(last[0]) < _SHORTEST_BEGINNING:
            return word
        begins = place.beginning(fold_word(last[0].lower()))
        return query.Or([begins, word]) if word else begins

    def phrase(self, text: str, place: _SearchScope) -> query.Query | None:
        """Return the query of words that follow each other."""
        parts = [self._piece(piece, place, is_run=is_run) for _, piece, is_run in pieces(text)]
        everywhere = [part for part in parts if not _is_common(part)]
        rest = _all(everywhere or parts)
        if rest is None or len(list(pieces(text))) == 1:
            return rest
        return _CheckedMatcher(rest, self._phrase_check(text, place))

    def _phrase_query(self, field: str, words: Sequence[str], **_: object) -> query.Query | None:
        place = _place_of(field)
        if place is None:
            return query.Term(field, " ".join(words))
        return self.phrase(" ".join(words), place) or query.NullQuery

    def _piece(self, piece: str, place: _SearchScope, *, is_run: bool) -> query.Query | None:
        if is_run:
            return self._run(piece.lower(), place)
        terms = alternatives(piece, self._languages, common=bool(place.name))
        if not terms:
            return None
        word = _QueryWord([place.term(term) for term in terms])
        if not place.name:
            word.common = tuple(name for name in self._languages if not terms_of(name)[piece.lower()])
        return word

    def _run(self, run: str, place: _SearchScope) -> query.Query:
        units = cells(run)
        if len(units) == 1:
            return place.beginning(run)
        pairs = [place.term(first + second) for first, second in pairwise(units)]
        return (
            pairs[0] if len(pairs) == 1 else _CheckedMatcher(query.And(pairs), self._phrase_check(run, place))
        )

    def _phrase_check(self, phrase: str, place: _SearchScope) -> Check:
        def check(reader: IndexReader) -> Callable[[int], bool]:
            bodies = reader.column_reader("document")
            said: dict[str, str] = {}

            def says(number: int) -> bool:
                document = self._unpack(bodies[number])
                language = document.language
                if language not in said:
                    said[language] = spread(phrase, language)
                return any(said[language] in spread(text, language) for text in place.texts(document))

            return says

        return check

    def _schema(self) -> fields.Schema:
        text = _DocumentWords()
        text.self_parsing = lambda: True
        text.parse_query = lambda field, words, **_: self.word(words, _place_of(field) or _SearchScope())
        text.process_text = lambda words, **_: [words]
        known = fields.Schema(text=text, site=_Exact(), language=_Exact(), kind=_Exact())
        known.add(f"{_ATTRIBUTE}{NAME_END}*", text, glob=True)
        return known


def _plugins(meaning: _QueryBuilder) -> list[qparser.Plugin]:
    class PrefixNode(qparser.PrefixPlugin.PrefixNode):  # type: ignore[misc]
        def query(self, parser: qparser.QueryParser) -> query.Query | None:  # noqa: ARG002
            return meaning.beginning(self.text, _place_of(self.fieldname or "text") or _SearchScope())

    class AttributeTagger(qparser.FieldsPlugin.FieldnameTagger):  # type: ignore[misc]
        def create(self, parser: qparser.QueryParser, match: re.Match[str]) -> Any:  # noqa: ARG002
            field = meaning.field_of(match["text"])
            return qparser.syntax.FieldnameNode(field, match[0]) if field else None

    class Fields(qparser.FieldsPlugin):  # type: ignore[misc]
        def taggers(self, parser: qparser.QueryParser) -> list[tuple[Any, int]]:
            return [*super().taggers(parser), (AttributeTagger(_NAME), 0)]

    prefix = qparser.PrefixPlugin()
    prefix.nodetype = PrefixNode
    return [
        Fields(_NARROWING),
        prefix,
        qparser.PhrasePlugin(),
        qparser.GroupPlugin(),
        qparser.OperatorsPlugin(AndNot=None, AndMaybe=None, Require=None),
        qparser.PlusMinusPlugin(r"(?<![^\s(])\+(?=\S)", r"(?<![^\s(])-(?=[^\s-])"),
    ]


def _apply_our_rules(wanted: query.Query) -> query.Query:
    """Return a parsed query with our own rules for words that are common or excluded."""
    if isinstance(wanted, query.Not):
        return query.NullQuery
    if isinstance(wanted, query.AndNot):
        return _ExcludingMatcher(_apply_our_rules(wanted.a), wanted.b)
    if isinstance(wanted, query.And):
        banned = [part.query for part in wanted if isinstance(part, query.Not)]
        rest = _join_leniently([part for part in wanted if not isinstance(part, query.Not)])
        return _ExcludingMatcher(rest, query.Or(banned)) if banned else rest
    if isinstance(wanted, _QueryWord) or wanted.is_leaf():
        return wanted
    return wanted.apply(_apply_our_rules)


def _join_leniently(parts: list[query.Query]) -> query.Query:
    """Let documents in whose language a word is too common do without it, where there are other words."""
    if all(map(_is_common, parts)):
        return query.And(parts)
    return query.And(
        [_optional_if_common(part) if _is_common(part) else _apply_our_rules(part) for part in parts]
    )


def _optional_if_common(word: _QueryWord) -> query.Query:
    languages = [query.Term("language", language) for language in word.common]
    return query.Or([*word, query.ConstantScoreQuery(query.Or(languages), 0.0)])


def _is_common(part: query.Query | None) -> bool:
    return part is None or (isinstance(part, _QueryWord) and bool(part.common))


def _all(parts: list[query.Query | None]) -> query.Query | None:
    wanted = [part for part in parts if part is not None]
    return query.And(wanted) if len(wanted) > 1 else next(iter(wanted), None)


def _narrow(wanted: query.Query, question: ParsedQuery) -> query.Query:
    terms = []
    if question.site:
        terms.append(("site", question.site.lower()))
    if question.language:
        terms.append(("language", question.language.lower()))
    if question.behind_forms:
        terms.append(("behind_form", "1"))
    if terms:
        narrow = query.And([query.Term(*term) for term in terms])
        wanted = query.And([wanted, query.ConstantScoreQuery(narrow, 0.0)])
    return (
        wanted
        if question.since is None
        else _CheckedMatcher(wanted, partial(_is_fetched_since, question.since))
    )


def _is_fetched_since(since: float, reader: IndexReader) -> Callable[[int], bool]:
    times = reader.column_reader("fetched_at", translate=False)
    return lambda number: times[number] >= since


def _languages(question: ParsedQuery, reader: IndexReader) -> list[str]:
    if question.language:
        return [question.language.lower()]
    return ["", *(name if isinstance(name, str) else name.decode() for name in reader.lexicon("language"))]


def _has_attribute(reader: IndexReader, name: str) -> bool:
    return any(True for _ in reader.expand_prefix(_ATTRIBUTE, f"{name}{NAME_END}"))


def _place_of(field: str) -> _SearchScope | None:
    """Return where words are looked for that are asked of a field, None for those of which the whole value is a term."""
    if field == "text":
        return _SearchScope()
    kind, _, name = field.partition(NAME_END)
    return _SearchScope(name) if kind == _ATTRIBUTE else None


def _visible_terms(wanted: query.Query) -> VisibleTerms:
    terms: dict[str, set[str]] = {"": set()}
    beginnings: dict[str, list[str]] = {}
    for field, text in wanted.iter_all_terms():
        name, term = _split_attribute(field, text if isinstance(text, str) else text.decode())
        if field in ("text", _ATTRIBUTE):
            terms.setdefault(name, set()).add(term)
    for leaf in wanted.leaves():
        if isinstance(leaf, query.Prefix):
            name, term = _split_attribute(leaf.fieldname, leaf.text)
            beginnings.setdefault(name, []).append(term)
    names = sorted(terms.keys() | beginnings)
    shown = {name: (frozenset(terms.get(name, ())), tuple(beginnings.get(name, ()))) for name in names}
    return VisibleTerms(*shown.pop(""), tuple((name, VisibleTerms(*asked)) for name, asked in shown.items()))


def _split_attribute(field: str, text: str) -> tuple[str, str]:
    """Return the name of the attribute that a term is about, empty for the text, and the term without it."""
    name, end, term = text.partition(NAME_END)
    return (name, term) if field == _ATTRIBUTE and end else ("", text)
