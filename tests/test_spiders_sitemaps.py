"""Reading a sitemap before revisits are planned; fetching it is tested in `test_journey_sitemaps.py`."""

from __future__ import annotations

from hiddenweb.spiders.sitemaps import _of_site, _read
from hiddenweb.urls import url_hash

SITEMAP = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://a.com/1</loc><lastmod>2024-01-02</lastmod></url>
<url><loc>https://a.com/2</loc></url>
<url><loc>https://b.com/1</loc><lastmod>2024-01-02</lastmod></url>
<url><loc>https://a.com/3</loc><lastmod>2024-01-02</lastmod></url>
</urlset>"""


def test_dates_are_those_of_known_pages_of_the_host() -> None:
    links = {
        url_hash(f"https://{place}"): link for link, place in enumerate(("a.com/1", "a.com/2", "b.com/1"))
    }

    _, dates = _read(SITEMAP, "https://a.com/sitemap.xml", "https://a.com", links)

    assert list(dates) == [0]


def test_sitemaps_of_other_sites_are_left_alone() -> None:
    urls = [
        "https://a.com/one.xml",
        "https://b.com/two.xml",
        "/three.xml",
        "https://www.a.com/one.xml",
    ]

    assert _of_site(urls, "https://a.com") == [
        "https://a.com/one.xml",
        "https://a.com/three.xml",
        "https://www.a.com/one.xml",
    ]
