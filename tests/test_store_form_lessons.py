"""What is learnt about forms is held for those in use, and written with the commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.store.database import Store
from hiddenweb.store.form_lessons import HELD, FormLessons

if TYPE_CHECKING:
    from pathlib import Path


def lessons_of(store: Store) -> FormLessons[list[str]]:
    return FormLessons(store.knowledge, "words", str.split, " ".join)


def test_what_was_learnt_about_more_forms_than_are_held_is_kept(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        lessons = lessons_of(store)
        for form in range(HELD + 5):
            lessons.of(form).append(f"word{form}")
            lessons.note_change(form)
        lessons.save()

        assert [lessons.of(form) for form in (0, HELD)] == [["word0"], [f"word{HELD}"]]
        assert lessons_of(store).of(HELD + 4) == [f"word{HELD + 4}"]
        assert lessons_of(store).of(HELD + 9) == []
