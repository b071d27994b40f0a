"""Compressed bodies, the same bytes every time."""

from __future__ import annotations

import zlib

import brotli


def compress_body(body: bytes, encoding: str) -> bytes:
    """Return a body in an encoding of HTTP: gzip or br."""
    return brotli.compress(body, quality=1) if encoding == "br" else gzip_body(body)


def gzip_body(body: bytes, level: int = 1) -> bytes:
    """Return a gzip body without a time in it, so that equal pages have equal bytes."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)
    return packer.compress(body) + packer.flush()
