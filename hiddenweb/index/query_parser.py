"""Parsing typed search queries.

All words are required unless `OR` stands between them; `-word` and `NOT word` exclude; `"lost wax"` is a phrase, `cast*` a beginning;
`site:books.example`, `language:de` and `kind:record` narrow the search; `author:smith`, `author:"jane smith"` and `author:smi*` search in one attribute, if any
document of the index has one of that name; round brackets group. Anything else is words: no text is a syntax error.

A word stands for its stems in the languages of the index. A word that is too common to be indexed in one of them ("die" in
German, "war" too) cannot be required of documents in that language: next to other words it is required only of the other documents.

Two kinds of conditions are not in the terms and are checked for the documents that match the rest: whether a phrase is in
the text, or in one value of an attribute, and when a document was fetched. Several words without spaces, `price:12.50`, are a phrase in an attribute: the
words are adjacent there.
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

_SHORTEST_BEGINNING = (
    2  # characters of begin*: a shorter one matches half of the dictionary; a limit of taste
)
_NARROWING = r"(?<!\w)(?P<text>site|language|kind):(?=\w)"
_NAME = r'(?:(?<![^\s(])|(?<=(?<![^\s(])[+-]))(?P<text>[^\s:"()*+-][^\s:"()*]*):(?=[^\s:)*])'
_ATTRIBUTE = "attribute"


class BadQuery(Exception):
    """A query that can match nothing; the message says why."""


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A search with its options."""

    words: str
    site: str = ""  # a host, with its subdomains
    since: float | None = None  # fetched at that time or later
    language: str = ""
    behind_forms: bool = False  # only documents that links do not reach
    page: int = 1
    limit: int = 10


@cache
def schema() -> fields.Schema:
    """Return the schema of the fields for Whoosh."""
    exact = {name: _Exact() for name in (_ATTRIBUTE, "behind_form", "key", "kind", "language", "site")}
    columns = {"document": fields.COLUMN(DOCUMENTS), "fetched_at": fields.COLUMN(TIMES)}
    return fields.Schema(text=_DocumentWords(), **exact, **columns)


def parse_query(
    parsed: ParsedQuery, reader: IndexReader, unpack: Unpacked
) -> tuple[query.Query, VisibleTerms]:
    """Return the Whoosh query for an index, and its terms that can be marked in a text."""
    if not parsed.words.strip():
        raise BadQuery("There is nothing to search for: give at least one word.")
    builder = _QueryBuilder(_languages(parsed, reader), partial(_has_attribute, reader), unpack)
    built = builder.parse(parsed.words)
    if built == query.NullQuery:
        raise BadQuery(f"{parsed.words!r} has no word that could be found: all are too common, or signs.")
    return _narrow(built, parsed), _visible_terms(built)


class _DocumentWords(fields.FieldType):  # type: ignore[misc]
    """The words of a document; only counts are stored."""

    def __init__(self) -> None:
        super().__init__(EXISTENCE, None, scorable=True)


class _Exact(fields.FieldType):  # type: ignore[misc]
    """A field whose whole value is a term."""

    def __init__(self) -> None:
        super().__init__(EXISTENCE, None)

    def process_text(self, qstring: str, mode: str = "", **_: object) -> list[str]:  # noqa: ARG002
        return [qstring.lower()]


@dataclass(frozen=True, slots=True)
class _SearchScope:
    """Where words are searched: everywhere, or in one attribute."""

    name: str = ""  # of the attribute

    @property
    def field(self) -> str:
        return _ATTRIBUTE if self.name else "text"

    def term(self, text: str) -> query.Query:
        return query.Term(self.field, f"{self._prefix}{text}")

    def beginning(self, text: str) -> query.Query:
        return query.Prefix(self.field, f"{self._prefix}{text}")

    def texts(self, document: IndexDocument) -> Iterator[str]:
        """Yield the texts of a document that may contain a phrase."""
        if not self.name:
            yield f"{document.title}\n{document.text}"
        for name, value in document.attributes:
            if self.name in ("", attribute_name(name)):
                yield value

    @property
    def _prefix(self) -> str:
        return f"{self.name}{NAME_END}" if self.name else ""


class _QueryWord(query.Or):  # type: ignore[misc]
    """A word of a query, and the languages in which it is too common to be indexed."""

    common: tuple[str, ...] = ()


class _CheckedMatcher(WrappingQuery):  # type: ignore[misc]
    """The documents of a query that also pass a check, which is made only for them."""

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
    """The documents of a query that do not match another one.

    Whoosh's own matcher wrongly passes the first document when the other query begins before it.
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
        """Return the query of a text."""
        return _apply_our_rules(self._parser.parse(words, normalize=False)).normalize()

    def field_of(self, typed: str) -> str | None:
        """Return the field for an attribute, None if no document has it."""
        name = attribute_name(typed)
        return f"{_ATTRIBUTE}{NAME_END}{name}" if name and self._has_attribute(name) else None

    def word(self, text: str, scope: _SearchScope) -> query.Query | None:
        """Return the query of a text without spaces: usually one word, several in "wax-casting"."""
        if scope.name:
            return self.phrase(text, scope)
        return _all([self._piece(piece, scope, is_run=is_run) for _, piece, is_run in pieces(text)])

    def beginning(self, text: str, scope: _SearchScope) -> query.Query | None:
        """Return the query of words with this beginning."""
        word = self.word(text, scope)
        last = [piece for _, piece, _ in pieces(text)][-1:]
        if not last or len(last[0]) < _SHORTEST_BEGINNING:
            return word
        prefix = scope.beginning(fold_word(last[0].lower()))
        return query.Or([prefix, word]) if word else prefix

    def phrase(self, text: str, scope: _SearchScope) -> query.Query | None:
        """Return the query of adjacent words."""
        parts = [self._piece(piece, scope, is_run=is_run) for _, piece, is_run in pieces(text)]
        everywhere = [part for part in parts if not _is_common(part)]
        words = _all(everywhere or parts)
        if words is None or len(list(pieces(text))) == 1:
            return words
        return _CheckedMatcher(words, self._phrase_check(text, scope))

    def _phrase_query(self, field: str, words: Sequence[str], **_: object) -> query.Query | None:
        scope = _scope_of(field)
        if scope is None:
            return query.Term(field, " ".join(words))
        return self.phrase(" ".join(words), scope) or query.NullQuery

    def _piece(self, piece: str, scope: _SearchScope, *, is_run: bool) -> query.Query | None:
        if is_run:
            return self._run(piece.lower(), scope)
        terms = alternatives(piece, self._languages, common=bool(scope.name))
        if not terms:
            return None
        word = _QueryWord([scope.term(term) for term in terms])
        if not scope.name:
            word.common = tuple(name for name in self._languages if not terms_of(name)[piece.lower()])
        return word

    def _run(self, run: str, scope: _SearchScope) -> query.Query:
        units = cells(run)
        if len(units) == 1:
            return scope.beginning(run)
        pairs = [scope.term(first + second) for first, second in pairwise(units)]
        return (
            pairs[0] if len(pairs) == 1 else _CheckedMatcher(query.And(pairs), self._phrase_check(run, scope))
        )

    def _phrase_check(self, phrase: str, scope: _SearchScope) -> Check:
        def check(reader: IndexReader) -> Callable[[int], bool]:
            bodies = reader.column_reader("document")
            phrases: dict[str, str] = {}  # by language

            def has_phrase(number: int) -> bool:
                document = self._unpack(bodies[number])
                language = document.language
                if language not in phrases:
                    phrases[language] = spread(phrase, language)
                return any(phrases[language] in spread(text, language) for text in scope.texts(document))

            return has_phrase

        return check

    def _schema(self) -> fields.Schema:
        text = _DocumentWords()
        text.self_parsing = lambda: True
        text.parse_query = lambda field, words, **_: self.word(words, _scope_of(field) or _SearchScope())
        text.process_text = lambda words, **_: [words]
        known = fields.Schema(text=text, site=_Exact(), language=_Exact(), kind=_Exact())
        known.add(f"{_ATTRIBUTE}{NAME_END}*", text, glob=True)
        return known


def _plugins(builder: _QueryBuilder) -> list[qparser.Plugin]:
    class PrefixNode(qparser.PrefixPlugin.PrefixNode):  # type: ignore[misc]
        def query(self, parser: qparser.QueryParser) -> query.Query | None:  # noqa: ARG002
            return builder.beginning(self.text, _scope_of(self.fieldname or "text") or _SearchScope())

    class AttributeTagger(qparser.FieldsPlugin.FieldnameTagger):  # type: ignore[misc]
        def create(self, parser: qparser.QueryParser, match: re.Match[str]) -> Any:  # noqa: ARG002
            field = builder.field_of(match["text"])
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


def _apply_our_rules(parsed: query.Query) -> query.Query:
    """Return a parsed query with our own rules for words that are common or excluded."""
    if isinstance(parsed, query.Not):
        return query.NullQuery
    if isinstance(parsed, query.AndNot):
        return _ExcludingMatcher(_apply_our_rules(parsed.a), parsed.b)
    if isinstance(parsed, query.And):
        banned = [part.query for part in parsed if isinstance(part, query.Not)]
        required = _join_leniently([part for part in parsed if not isinstance(part, query.Not)])
        return _ExcludingMatcher(required, query.Or(banned)) if banned else required
    if isinstance(parsed, _QueryWord) or parsed.is_leaf():
        return parsed
    return parsed.apply(_apply_our_rules)


def _join_leniently(parts: list[query.Query]) -> query.Query:
    """Join parts; a word is not required of documents in whose language it is too common, if there are other words."""
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
    present = [part for part in parts if part is not None]
    return query.And(present) if len(present) > 1 else next(iter(present), None)


def _narrow(built: query.Query, parsed: ParsedQuery) -> query.Query:
    terms = []
    if parsed.site:
        terms.append(("site", parsed.site.lower()))
    if parsed.language:
        terms.append(("language", parsed.language.lower()))
    if parsed.behind_forms:
        terms.append(("behind_form", "1"))
    if terms:
        narrow = query.And([query.Term(*term) for term in terms])
        built = query.And([built, query.ConstantScoreQuery(narrow, 0.0)])
    return built if parsed.since is None else _CheckedMatcher(built, partial(_is_fetched_since, parsed.since))


def _is_fetched_since(since: float, reader: IndexReader) -> Callable[[int], bool]:
    times = reader.column_reader("fetched_at", translate=False)
    return lambda number: times[number] >= since


def _languages(parsed: ParsedQuery, reader: IndexReader) -> list[str]:
    if parsed.language:
        return [parsed.language.lower()]
    return ["", *(name if isinstance(name, str) else name.decode() for name in reader.lexicon("language"))]


def _has_attribute(reader: IndexReader, name: str) -> bool:
    return any(True for _ in reader.expand_prefix(_ATTRIBUTE, f"{name}{NAME_END}"))


def _scope_of(field: str) -> _SearchScope | None:
    """Return the scope of a field, None for fields whose whole value is a term."""
    if field == "text":
        return _SearchScope()
    kind, _, name = field.partition(NAME_END)
    return _SearchScope(name) if kind == _ATTRIBUTE else None


def _visible_terms(built: query.Query) -> VisibleTerms:
    terms: dict[str, set[str]] = {"": set()}
    beginnings: dict[str, list[str]] = {}
    for field, text in built.iter_all_terms():
        name, term = _split_attribute(field, text if isinstance(text, str) else text.decode())
        if field in ("text", _ATTRIBUTE):
            terms.setdefault(name, set()).add(term)
    for leaf in built.leaves():
        if isinstance(leaf, query.Prefix):
            name, term = _split_attribute(leaf.fieldname, leaf.text)
            beginnings.setdefault(name, []).append(term)
    names = sorted(terms.keys() | beginnings)
    visible = {name: (frozenset(terms.get(name, ())), tuple(beginnings.get(name, ()))) for name in names}
    return VisibleTerms(
        *visible.pop(""), tuple((name, VisibleTerms(*of_name)) for name, of_name in visible.items())
    )


def _split_attribute(field: str, text: str) -> tuple[str, str]:
    """Return the attribute of a term, empty for the text, and the term without it."""
    name, end, term = text.partition(NAME_END)
    return (name, term) if field == _ATTRIBUTE and end else ("", text)
