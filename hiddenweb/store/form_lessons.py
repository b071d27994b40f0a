"""What was learnt about the records of each form: read when it is needed, held for the forms in use, written with the commit of what taught it."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.store.knowledge import KnowledgeStore

Lesson = TypeVar("Lesson")

HELD = 256
"""Forms whose lessons are held in memory; a limit of taste."""


class FormLessons(Generic[Lesson]):
    """The lessons of one kind, by form."""

    def __init__(
        self,
        knowledge: KnowledgeStore,
        part: str,
        read: Callable[[str], Lesson],
        write: Callable[[Lesson], str],
    ) -> None:
        """Take how a lesson is read from a text, which is empty for a new form, and how it is written as one."""
        self._knowledge = knowledge
        self._part = part
        self._read, self._write = read, write
        self._held: OrderedDict[int, Lesson] = OrderedDict()
        self._changed: set[int] = set()

    def of(self, form: int) -> Lesson:
        """Return what was learnt about a form."""
        if form not in self._held:
            self._held[form] = self._read(self._knowledge.get(self._part, str(form)) or "")
            if len(self._held) > HELD:
                self.save()
                self._held.popitem(last=False)
        self._held.move_to_end(form)
        return self._held[form]

    def note_change(self, form: int) -> None:
        """Have the lesson of a form written with the next commit."""
        self._changed.add(form)

    def save(self) -> None:
        """Write what changed."""
        for form in self._changed & self._held.keys():
            self._knowledge.put(self._part, str(form), self._write(self._held[form]))
        self._changed.clear()
