"""What makes two requests the same: method, canonical address, body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import xxhash

from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from scrapy import Request


class UrlFingerprinter:
    """Fingerprints requests by the URL standard first and our canonical form then, as the frontier does."""

    def fingerprint(self, request: Request) -> bytes:
        if request.method == "GET" and not request.body:
            return url_hash(request.url).to_bytes(8, "big", signed=True)
        parts = f"{request.method} {url_hash(request.url)} ".encode() + request.body
        return xxhash.xxh3_64_digest(parts)
