"""Robots rules of a site: the file it serves, and whether a path is allowed by it.

The rules are the plan's; the file says them in the ways such files are written; `is_allowed` reads the plan, not the
file, by RFC 9309: the longest matching rule counts, and allowing wins a tie.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from simweb.messages import Response

if TYPE_CHECKING:
    from simweb.plan import RobotsPlan, SitePlan


def robots_text(plan: SitePlan) -> Response:
    """Return the robots.txt of a site."""
    if not plan.robots.has_file:
        return Response(404, b"", [("Content-Type", "text/plain")], "robots")
    lines = ["# robots.txt", "User-agent: *"] if plan.number % 2 else ["\ufeffuser-agent:*", "", "# be nice"]
    lines += [f"{'Allow' if allowed else 'Disallow'}: {pattern}" for allowed, pattern in plan.robots.rules]
    if not plan.robots.rules:
        lines.append("Disallow:")
    if plan.robots.crawl_delay is not None:
        lines.append(f"Crawl-delay: {plan.robots.crawl_delay:g}")
    if plan.has_sitemap:
        lines.append(f"Sitemap: http://{plan.host}/sitemap.xml")
    lines += ["", "User-agent: EvilBot", "Disallow: /"]
    ending = "\r\n" if plan.number % 3 == 0 else "\n"
    return Response(
        200, ending.join(lines).encode(), [("Content-Type", "text/plain; charset=utf-8")], "robots"
    )


def is_allowed(robots: RobotsPlan, target: str) -> bool:
    """Say whether everybody may fetch a path (with its query)."""
    if target == "/robots.txt":
        return True
    matching = [
        (len(pattern), allowed) for allowed, pattern in robots.rules if _pattern(pattern).match(target)
    ]
    return max(matching)[1] if matching else True


@lru_cache(maxsize=1024)
def _pattern(pattern: str) -> re.Pattern[str]:
    anchored = pattern.endswith("$")
    body = ".*".join(re.escape(part) for part in pattern.removesuffix("$").split("*"))
    return re.compile(body + ("$" if anchored else ""))
