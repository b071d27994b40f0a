from __future__ import annotations

import gzip
import zlib

import pytest

from hiddenweb.fetch.content_decoding import decoder_for
from hiddenweb.fetch.errors import BrokenAnswer

TEXT = b"all that the server meant to say " * 100
ROOM = 1_000_000


@pytest.mark.parametrize("encoding", [b"", b"identity", b"none", b" , identity"])
def test_where_nothing_is_encoded_nothing_is_decoded(encoding: bytes) -> None:
    assert decoder_for(encoding) == (None, True)


@pytest.mark.parametrize("encoding", [b"utf-8", b"gzip, shoebox"])
def test_a_coding_that_nobody_knows_is_left_alone(encoding: bytes) -> None:
    assert decoder_for(encoding) == (None, False)


def test_codings_on_top_of_each_other_are_undone_from_the_outside() -> None:
    decoder, _ = decoder_for(b"deflate, GZip")
    assert decoder is not None

    assert decoder.feed(gzip.compress(zlib.compress(TEXT)), ROOM) == TEXT
    assert decoder.is_complete


def test_three_codings_on_top_of_each_other_are_too_many() -> None:
    with pytest.raises(BrokenAnswer, match="encoded 3 times over"):
        decoder_for(b"gzip, gzip, gzip")


def test_a_decoder_gives_no_more_than_there_is_room_for() -> None:
    decoder, _ = decoder_for(b"gzip")
    assert decoder is not None

    assert decoder.feed(gzip.compress(TEXT), 10) == TEXT[:10]
    assert not decoder.is_complete


def test_parts_that_follow_each_other_are_one_body_and_what_is_none_is_left_out() -> None:
    decoder, _ = decoder_for(b"gzip")
    assert decoder is not None

    assert decoder.feed(gzip.compress(b"one ") + gzip.compress(b"two") + b"padding", ROOM) == b"one two"
    assert decoder.is_complete
