"""Forms submitted by real Chromium and by ours: both send the same.

What Chromium sent is recorded, so ours is compared without a browser; with one, the record itself is compared.
"""

from __future__ import annotations

import pytest

from benchmarks._entry_cases import CASES, Case
from benchmarks._entry_lists import CHROMIUM, Sent, load_recording, send_by_chromium, send_by_hiddenweb

RECORD = load_recording()


def test_at_least_150_cases_are_recorded_under_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 150
    assert RECORD.answers.keys() == {case.name for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_we_send_what_chromium_sends(case: Case) -> None:
    sent = send_by_hiddenweb(case)
    if case.differs:
        assert case.differs.startswith("HTML standard, "), "a difference names the paragraph that asks for it"
        assert sent != RECORD.answers[case.name], f"there is no difference any more: {case.differs}"
    else:
        assert sent == RECORD.answers[case.name], case.html


@pytest.mark.skipif(CHROMIUM is None, reason="needs a real browser: apt-get install chromium")
@pytest.mark.timeout(900)  # half a minute on an idle machine
def test_the_record_is_what_chromium_sends() -> None:
    cases = CASES[::3]  # `python -m benchmarks forms` compares all of them
    live = send_by_chromium(cases)
    changed = [
        f"{case.name}\n  recorded  {RECORD.answers.get(case.name)}\n  now       {live.answers[case.name]}"
        for case in cases
        if live.answers[case.name] != RECORD.answers.get(case.name)
    ]
    assert not changed, f"Chromium {live.version}, recorded {RECORD.version}:\n" + "\n".join(changed)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data; boundary=x1", b"--x1\r\n\r\n\xe9\r\n--x1--\r\n"),
        ('multipart/form-data; boundary="another"', b"--another\r\n\r\n\xe9\r\n--another--\r\n"),
    ],
)
def test_requests_are_compared_without_host_fragment_and_boundary(content_type: str, body: bytes) -> None:
    sent = Sent.of("POST", "http://127.0.0.1:8080/s?#top", content_type, body)
    assert sent == Sent(
        "POST", "/s?", "multipart/form-data; boundary=BOUNDARY", "--BOUNDARY\r\n\r\n\xe9\r\n--BOUNDARY--\r\n"
    )
