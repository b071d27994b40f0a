from __future__ import annotations

import pytest

from hiddenweb.fetch.errors import (
    BrokenAnswer,
    FetchError,
    Postponed,
    Refused,
    TimedOut,
    TlsFailure,
    TooLarge,
    Unreachable,
    Unresolvable,
)


@pytest.mark.parametrize("error", [BrokenAnswer, TimedOut, Unreachable, Unresolvable])
def test_errors_have_a_default_whether_they_are_temporary(error: type[FetchError]) -> None:
    assert error("why").temporary
    assert not error("why", temporary=False).temporary


@pytest.mark.parametrize("error", [Refused, TlsFailure, TooLarge])
def test_what_will_not_change_is_not_temporary(error: type[FetchError]) -> None:
    assert not error("why").temporary
    assert error("why", temporary=True).temporary


def test_an_error_says_why_and_has_a_name_of_its_own_in_statistics() -> None:
    errors = FetchError.__subclasses__()

    assert str(Refused("it is this machine")) == Refused("it is this machine").why == "it is this machine"
    assert len({error.name for error in errors if error.__module__ == FetchError.__module__}) == 7


def test_a_postponement_says_for_how_long_and_for_whom() -> None:
    not_yet = Postponed("robots.txt was requested first", 2.0)

    assert (str(not_yet), not_yet.seconds, not_yet.whole_host) == (
        "robots.txt was requested first",
        2.0,
        False,
    )
