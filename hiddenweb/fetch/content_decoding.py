"""Decoding Content-Encoding while the body arrives, within the limit of its size.

It supports gzip (any number of members; data after the last is ignored as by browsers), deflate (with its wrapper or raw),
br and zstd, at most two of them combined. A decoder returns at most as many bytes as there is room for,
so that a bomb costs no more than the limit. A body that ends before its encoding is broken.
"""

from __future__ import annotations

import sys
import zlib
from typing import Protocol

import brotli

from hiddenweb.fetch.errors import BrokenAnswer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_MAX_CODINGS = 2  # combined: a limit of taste
_MAX_MEMBERS = 1_000  # each costs a decoder of its own, and an empty one is twenty bytes
_WINDOW_LOG = 23  # 8 MB: what RFC 9659 lets a server expect


class Decoder(Protocol):
    """Decodes the bytes from the wire."""

    @property
    def is_complete(self) -> bool:
        """Whether the encoding has reached its end."""

    def feed(self, data: bytes, room: int) -> bytes:
        """Return the decoded data, at most `room` bytes."""


def decoder_for(encoding: bytes) -> tuple[Decoder | None, bool]:
    """Return the decoder of a Content-Encoding, None if nothing has to be decoded, and whether all codings are known.

    An unknown coding is ignored, as by browsers: some servers write their charset there, or "none".
    """
    if encoding in _DECODERS:
        return _DECODERS[encoding](), True
    names = [name.strip() for name in encoding.lower().split(b",")]
    names = [name for name in names if name not in (b"", b"identity", b"none")]
    if len(names) > _MAX_CODINGS:
        raise BrokenAnswer(f"encoded {len(names)} times over")
    if not all(name in _DECODERS for name in names):
        return None, False
    if not names:
        return None, True
    decoders = [_DECODERS[name]() for name in reversed(names)]
    return (decoders[0] if len(decoders) == 1 else _Chain(*decoders)), True


class _Gzip:
    def __init__(self) -> None:
        self.is_complete = False
        self._member = zlib.decompressobj(zlib.MAX_WBITS + 16)
        self._members = 1
        self._last = False

    def feed(self, data: bytes, room: int) -> bytes:
        pieces: list[bytes] = []
        while data and room > 0 and not self._last:
            if self.is_complete and not self._starts_another(data):
                break
            piece = _decompress(self._member, data, room)
            pieces.append(piece)
            room -= len(piece)
            self.is_complete = self._member.eof
            data = self._member.unused_data
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _starts_another(self, data: bytes) -> bool:
        if data[0] != 0x1F:
            self._last = True
            return False
        self._member = zlib.decompressobj(zlib.MAX_WBITS + 16)
        self._members = _count_member(self._members)
        self.is_complete = False
        return True


class _Deflate:
    def __init__(self) -> None:
        self.is_complete = False
        self._stream = zlib.decompressobj()
        self._first = b""
        self._started = False

    def feed(self, data: bytes, room: int) -> bytes:
        if not self._started:
            data = self._first + data
            if len(data) < 2:
                self._first = data
                return b""
            self._started = True
            if data[0] & 0x0F != 8 or (data[0] * 256 + data[1]) % 31:  # not the wrapper of RFC 1950
                self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
        if self.is_complete:
            return b""
        decoded = _decompress(self._stream, data, room)
        self.is_complete = self._stream.eof
        return decoded


class _Brotli:
    def __init__(self) -> None:
        self.is_complete = False
        self._stream = brotli.Decompressor()

    def feed(self, data: bytes, room: int) -> bytes:
        pieces: list[bytes] = []
        try:
            while room > 0 and not self.is_complete:
                piece = self._stream.process(data, output_buffer_limit=room)
                pieces.append(piece)
                room -= len(piece)
                self.is_complete = self._stream.is_finished()
                data = b""
                if self._stream.can_accept_more_data():
                    break
        except brotli.error as error:
            raise BrokenAnswer(f"brotli: {error}") from None
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class _Zstd:
    def __init__(self) -> None:
        self.is_complete = False
        self._frame = self._new_frame()
        self._frames = 1

    def feed(self, data: bytes, room: int) -> bytes:
        pieces: list[bytes] = []
        try:
            while data and room > 0:
                if self.is_complete:
                    self._frame = self._new_frame()
                    self._frames = _count_member(self._frames)
                piece = self._frame.decompress(data, room)
                pieces.append(piece)
                room -= len(piece)
                self.is_complete = self._frame.eof
                data = self._frame.unused_data
        except zstd.ZstdError as error:
            raise BrokenAnswer(f"zstd: {error}") from None
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    @staticmethod
    def _new_frame() -> zstd.ZstdDecompressor:
        return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _WINDOW_LOG})


class _Chain:
    def __init__(self, outer: Decoder, inner: Decoder) -> None:
        self._outer = outer
        self._inner = inner

    @property
    def is_complete(self) -> bool:
        return self._outer.is_complete and self._inner.is_complete

    def feed(self, data: bytes, room: int) -> bytes:
        intermediate = self._outer.feed(data, room)
        if len(intermediate) >= room:
            raise BrokenAnswer("encoded twice, and too large in between")
        return self._inner.feed(intermediate, room) if intermediate else b""


def _count_member(members: int) -> int:
    if members >= _MAX_MEMBERS:
        raise BrokenAnswer(f"compressed in more than {_MAX_MEMBERS} parts")
    return members + 1


def _decompress(stream: zlib._Decompress, data: bytes, room: int) -> bytes:
    try:
        return stream.decompress(data, room)
    except zlib.error as error:
        raise BrokenAnswer(f"compressed wrongly: {error}") from None


_DECODERS: dict[bytes, type[_Gzip] | type[_Deflate] | type[_Brotli] | type[_Zstd]] = {
    b"gzip": _Gzip,
    b"x-gzip": _Gzip,
    b"deflate": _Deflate,
    b"br": _Brotli,
    b"zstd": _Zstd,
}
