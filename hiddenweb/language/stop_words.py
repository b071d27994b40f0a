"""Stop words: the words of a language that have no meaning alone.

The search index leaves out a shorter list, that of Whoosh (`hiddenweb.index.analysis`): what it leaves out cannot be found.
"""

from __future__ import annotations

from functools import cache

import stopwordsiso


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language; none if it has no list."""
    return frozenset(stopwordsiso.stopwords(language)) if stopwordsiso.has_lang(language) else frozenset()
