"""Which links of a page go into the frontier.

Not followed are links with nofollow, links to files we do not read, links that do something (log out,
delete, add to a cart), links that lead behind a page instead of to one (its editor, its history, two versions compared), and those that show the marks of a trap: too many hops from the seed, addresses that are very
long or repeat themselves. Breadth first: the bucket of a link is its distance. Queries and the further pages of their answers come before
everything else; the own pages of records come after pages within two links of a seed, and what can wait (`hiddenweb.frontier.deferral`) after everything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiddenweb.model import TaskSeed
from hiddenweb.urls import has_repeated_segments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hiddenweb.model import CrawlTask, Link

QUERIES, FIRST, LAST = 0, 1, 15
"""Buckets: queries and the further pages of their answers; pages, by their distance from the seed."""

RECORDS = FIRST + 3
"""The bucket of records' own pages. Each completes one record, a page of an answer has many; and a form within two links of a seed comes first."""

ONLY_LINKS, STRICT = NOFOLLOW_POLICIES = ("links", "strict")
"""What nofollow forbids: to explore links; or also the searches of a page, their further pages and their records."""

LONGEST = 300
"""Letters of a link's texts that are stored. A limit of taste."""

_FILES = re.compile(
    r"\.(?:7z|aac|apk|avi|bin|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|flac|flv|gif|gz|ico|img|iso|jar|jpe?g|js"
    r"|json|m4[av]|midi?|mkv|mov|mp[34]|mpe?g|msi|odp|ods|odt|og[agv]|otf|pdf|png|pps|pptx?|ps|psd|rar|rpm|rss|rtf"
    r"|svg|swf|tar|tgz|tiff?|tt[cf]|txt|wav|web[mp]|wm[av]|woff2?|xlsx?|xml|xz|zip|zst)$",
    re.IGNORECASE,
)
_ACTIONS = re.compile(  # as a whole segment of the path, or as the name or the value of a parameter
    r"(?:^|[/?&=])(?:log[-_]?(?:out|off)|sign[-_]?out|delete|remove|destroy|unsubscribe|subscribe|upvote|downvote|vote"
    r"|(?:add[-_]?)?to[-_]?(?:cart|basket)|cart[-_]?add|add[-_]?(?:cart|item)|checkout|report[-_]?abuse|flag"
    r"|confirm[-_]?order|buy[-_]?now|abmelden|loeschen|l%C3%B6schen|supprimer|eliminar|borrar|cerrar[-_]?sesion|esci)"
    r"(?:\.\w{2,5})?(?=$|[/?&=])",
    re.IGNORECASE,
)
_BEHIND = re.compile(  # a page: as the last segment of the path, as a parameter, or as what a parameter says that names an action
    r"(?:^|[/?&;])(?:edit|rename|revert|rollback)(?:\.\w{2,5})?/?(?=$|[?&;])"
    r"|(?:^|[?&;])(?:oldid|diff|undo|redlink|replytocom)="
    r"|(?:^|[?&;])(?:action|do|act|cmd|op|task|mode|veaction)=(?:edit\w*|history\w*|diff\w*|revisions?|rename|revert|rollback|undo"
    r"|login|register|protect|purge|blame|annotate|export_\w+)(?=$|[&;])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FrontierScope:
    """Limits of following links."""

    max_hops: int = 30
    max_redirects: int = 10
    max_url_length: int = 2000


def nofollow_policy(name: str, *, user_named_site: bool = True) -> str:
    """Return the nofollow policy of a crawl; raises ValueError for an unknown one.

    A user who names a site wants its search. A site that a crawl found by itself is treated strictly.
    """
    if name not in NOFOLLOW_POLICIES:
        raise ValueError(f"{name!r} is no policy for nofollow; there are {', '.join(NOFOLLOW_POLICIES)}")
    return name if user_named_site else STRICT


def links_to_follow(
    links: Iterable[Link],
    task: CrawlTask,
    rules: FrontierScope,
    ignored: Callable[[Link, str], None],
    *,
    ranked: bool = False,
    can_wait: Callable[[Link], bool] | None = None,
) -> list[TaskSeed]:
    """Return the links of a page that are worth a visit; `ignored` is called with each other one, and why.

    Links that will be `ranked` keep their texts. Those that `can_wait` come last.
    """
    hops = task.hops + 1
    if hops > rules.max_hops:
        for link in links:
            ignored(link, "too_many_hops")
        return []
    bucket = min(FIRST + hops, LAST)
    chosen = []
    for link in links:
        why = "nofollow" if link.nofollow else reason_to_ignore(link.url, rules)
        if why:
            ignored(link, why)
        elif ranked:
            chosen.append(
                TaskSeed(
                    link.url, "page", bucket, hops, parent=task.link, anchor=link.anchor[:LONGEST],
                    around=link.around[:LONGEST], tag_path=link.tag_path[:LONGEST],
                )
            )  # fmt: skip
        else:
            place = LAST if can_wait is not None and can_wait(link) else bucket
            chosen.append(TaskSeed(link.url, "page", place, hops, parent=task.link))
    return chosen


def reason_to_ignore(url: str, rules: FrontierScope) -> str | None:
    """Return why an address is never followed; None if it may be.

    >>> reason_to_ignore("https://a.example/report.pdf", FrontierScope())
    'file'
    >>> reason_to_ignore("https://a.example/account/logout?next=/", FrontierScope())
    'action'
    >>> reason_to_ignore("https://a.example/wiki?title=Bee&action=history", FrontierScope())
    'behind'
    >>> reason_to_ignore("https://a.example/books/7", FrontierScope())
    """
    if len(url) > rules.max_url_length:
        return "too_long"
    parts = urlsplit(url)
    if _FILES.search(parts.path):
        return "file"
    if _ACTIONS.search(parts.path) or (parts.query and _ACTIONS.search(parts.query)):
        return "action"
    if _BEHIND.search(parts.path) or (parts.query and _BEHIND.search(parts.query)):
        return "behind"
    if has_repeated_segments(url):
        return "repeats"
    return None
