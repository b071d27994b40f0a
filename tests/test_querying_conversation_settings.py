"""What a user who decides nothing gets."""

from __future__ import annotations

import sys

from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.policies.registry import known_policy


def test_by_default_forms_get_queries_without_a_limit_and_no_host_a_post() -> None:
    settings = ConversationSettings()

    assert settings.submit
    assert settings.queries == settings.pages == sys.maxsize
    assert settings.post_hosts == frozenset()
    assert not settings.obeys_nofollow


def test_the_default_policy_is_one() -> None:
    assert known_policy(ConversationSettings().policy) == "benefit"
