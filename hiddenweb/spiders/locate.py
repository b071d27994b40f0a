"""`scrapy crawl locate -a topic=... -a seeds=...`: both stages, from seeds to further sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.focused.locating.seeds import BadSeeds
from hiddenweb.focused.topic import read_topic
from hiddenweb.spiders.explore import BadArguments, ExploreSpider

if TYPE_CHECKING:
    from collections.abc import Sequence


class LocateSpider(ExploreSpider):
    """Finds sites on a topic that have search forms, and the forms.

    It begins with the seeds, follows their links to other sites, the most promising first, and explores each for forms. With
    HIDDENWEB_SUBMIT those on topic are submitted too. The same command resumes, and another crawl of the topic starts with all that
    was learnt.
    """

    name = "locate"
    usage = (
        "-a topic=NAME or FILE, and -a seeds=ADDRESSES or FILE if the topic has none;"
        " budgets are -a pages=NUMBER for a site and -a time=30m for the crawl;"
        " -a include=PATTERNS and -a exclude=PATTERNS choose addresses"
    )
    follows_sites = True

    def __init__(self, topic: str = "", seeds: str = "", sites: str = "", **others: Any) -> None:
        super().__init__(sites=seeds or sites, topic=topic, **others)

    @classmethod
    def check_arguments(
        cls, sites: str = "", topic: str = "", seeds: str = "", **others: Any
    ) -> Sequence[str]:
        cls.check_other_arguments(others)
        if not topic.strip():
            raise BadArguments(f"{cls.name} needs a topic: it takes {cls.usage}")
        topic_seeds = read_topic(topic, seeds or sites).seeds
        if not topic_seeds:
            raise BadSeeds(
                f"the topic {topic!r} has no seeds: please name some with -a seeds=ADDRESSES or FILE"
            )
        return topic_seeds
