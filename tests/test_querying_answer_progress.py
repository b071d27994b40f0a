"""An interrupted answer is remembered as far as it had come."""

from __future__ import annotations

import json

from hiddenweb.querying.answer_progress import MOST_INTERRUPTED, AnswerProgress, InterruptedAnswers


def test_pages_add_up_and_the_last_number_of_the_site_counts() -> None:
    progress = AnswerProgress(is_trying=True)
    progress.begin(promised=3.0, known=7)
    progress.add_page(10, 4, 25)
    progress.add_page(5, 0, None)

    assert (progress.shown, progress.new, progress.total) == (15, 4, 25)
    assert (progress.promised, progress.known_before, progress.is_trying) == (3.0, 7, True)


def test_later_pages_do_not_change_a_remembered_answer() -> None:
    interrupted, progress = InterruptedAnswers(), AnswerProgress(new=3, shown=5)
    interrupted.add((("film",), ()), progress)

    progress.begin(1.0, 9)

    assert interrupted.pop((("film",), ())) == AnswerProgress(new=3, shown=5)


def test_the_oldest_are_forgotten() -> None:
    interrupted = InterruptedAnswers()
    for number in range(MOST_INTERRUPTED + 1):
        interrupted.add(((f"w{number}",), ()), AnswerProgress(shown=number))

    assert interrupted.pop((("w0",), ())) is None
    assert interrupted.pop((("w1",), ())) == AnswerProgress(shown=1)


def test_interrupted_answers_are_restored() -> None:
    interrupted, restored = InterruptedAnswers(), InterruptedAnswers()
    query = (("film",), (("genre", "noir"),))
    progress = AnswerProgress(3, 5, 40, 2.5, True, ("*",), 11)
    interrupted.add(query, progress)

    restored.restore(json.loads(json.dumps(interrupted.to_json())))

    assert restored.pop(query) == progress
