"""How one site words what it says: the same language, another webmaster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simweb.languages import Language


@dataclass(frozen=True, slots=True)
class Voice:
    """A language as a site with a number speaks it."""

    language: Language
    number: int

    def say(self, phrase: str, **values: object) -> str:
        """Return a phrase in the wording this site has chosen for it."""
        return self.language.say_variant(self.number, phrase, **values)
