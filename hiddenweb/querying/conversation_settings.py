"""What a user decides about conversations with forms."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from hiddenweb.querying.policies.registry import DEFAULT
from hiddenweb.querying.strategy import LEAST_NEW


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    """How much is submitted, to whom, and by which policy."""

    submit: bool = True  # False: forms are judged and stored, and get no queries
    queries: int = sys.maxsize  # for each form
    pages: int = sys.maxsize  # of an answer, before better queries come first
    post_hosts: frozenset[str] = frozenset()  # that may be sent a POST
    policy: str = DEFAULT
    least_new: float = LEAST_NEW  # records that a query must be expected to bring
    seed: int = 0
    obeys_nofollow: bool = False  # nofollow also excludes forms, further pages and records
