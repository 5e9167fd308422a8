"""One value has one encoding, and nothing else decodes."""

from __future__ import annotations

from struct import pack
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.wire.codec import MAX_BYTES, DecodeError, decode, encode
from p2p_hearts.wire.messages import Ack, Choice, Content, Frame, Open, Play, Shuffle
from tests.wire.values import WIRE_TYPES, values_of

HEAD = bytes(range(32))
ACK = b"\x81\xa4head\xc4\x20" + HEAD
PLAY = b"\x83\xa8position\x05\xa4card\x07\xa5proof\xc4\x02ok"


@pytest.mark.parametrize("kind", WIRE_TYPES, ids=lambda kind: kind.__name__)
def test_codec__gives_back_every_value_of_every_wire_type(kind: type[msgspec.Struct]) -> None:
    @settings(max_examples=40, deadline=None)
    @given(values_of(kind))
    def check(value: msgspec.Struct) -> None:
        data = encode(value)
        assert decode(data, kind) == value
        assert encode(decode(data, kind)) == data

    check()


def test_codec__writes_the_encoding_of_the_specification() -> None:
    assert encode(Ack(HEAD)) == ACK
    assert encode(Play(5, 7, b"ok")) == PLAY
    assert decode(PLAY, Play) == Play(5, 7, b"ok")


REFUSED: dict[str, bytes] = {
    "nothing": b"",
    "trailing bytes": PLAY + b"\x00",
    "a second value": PLAY + PLAY,
    "cut short": PLAY[:-1],
    "not msgpack": b"\xc1",
    "another type": b"\x05",
    "a list for the map": b"\x93\x05\x07\xc4\x02ok",
    "none": b"\xc0",
    "an unknown field": b"\x84" + PLAY[1:] + b"\xa4more\x01",
    "a missing field": b"\x82" + PLAY[1:-10],
    "fields in another order": b"\x83\xa4card\x07\xa8position\x05\xa5proof\xc4\x02ok",
    "a key twice": b"\x84\xa4card\x07" + PLAY[1:],
    "the same key and value twice": b"\x84" + PLAY[1:] + b"\xa5proof\xc4\x02ok",
    "a number as a key": b"\x83\x01\x05\xa4card\x07\xa5proof\xc4\x02ok",
    "bytes as a key": b"\x83\xc4\x08position\x05\xa4card\x07\xa5proof\xc4\x02ok",
    "a longer number than needed": PLAY.replace(b"\x05\xa4card", b"\xcc\x05\xa4card"),
    "a 64-bit number": PLAY.replace(b"\x05\xa4card", b"\xcf" + pack(">Q", 5) + b"\xa4card"),
    "a signed number": PLAY.replace(b"\x05\xa4card", b"\xd0\x05\xa4card"),
    "a number out of range": PLAY.replace(b"\x07\xa5", b"\x34\xa5"),
    "a negative number": PLAY.replace(b"\x07\xa5", b"\xff\xa5"),
    "a whole number as a float": PLAY.replace(b"\x07\xa5", b"\xcb" + pack(">d", 7.0) + b"\xa5"),
    "not a number": PLAY.replace(b"\x07\xa5", b"\xcb" + pack(">d", float("nan")) + b"\xa5"),
    "infinity": PLAY.replace(b"\x07\xa5", b"\xca" + pack(">f", float("inf")) + b"\xa5"),
    "true for one": PLAY.replace(b"\x07\xa5", b"\xc3\xa5"),
    "a text for the number": PLAY.replace(b"\x07\xa5", b"\xa17\xa5"),
    "a text for bytes": PLAY.replace(b"\xc4\x02ok", b"\xa2ok"),
    "a list for bytes": PLAY.replace(b"\xc4\x02ok", b"\x92\x01\x02"),
    "a longer length than needed": PLAY.replace(b"\xc4\x02ok", b"\xc5\x00\x02ok"),
    "a longer text length than needed": PLAY.replace(b"\xa4card", b"\xd9\x04card"),
    "a longer map length than needed": b"\xde\x00\x03" + PLAY[1:],
    "an extension type": PLAY.replace(b"\xc4\x02ok", b"\xd5\x05ok"),
    "an empty extension type": PLAY.replace(b"\xc4\x02ok", b"\xc7\x00\x05"),
    "a timestamp": PLAY.replace(b"\xc4\x02ok", b"\xd6\xff\x00\x00\x00\x00"),
    "a length beyond the end": PLAY.replace(b"\xc4\x02ok", b"\xc6\xff\xff\xff\xff"),
    "a list beyond the end": b"\xdd\xff\xff\xff\xff",
    "a map beyond the end": b"\xdf\xff\xff\xff\xff",
    "600 lists": b"\x91" * 600 + b"\x00",
    "600 maps": b"\x81\xa4card" * 600 + b"\x00",
    "100,000 lists": b"\x91" * 100_000 + b"\x00",
    "a list of 100,000": b"\xdd" + pack(">I", 100_000) + bytes(100_000),
    "too many bytes": b"\xc6" + pack(">I", MAX_BYTES) + bytes(MAX_BYTES),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("kind", [Play, Open, Shuffle, Content, Frame])
def test_codec__refuses_everything_but_the_one_encoding(
    name: str, kind: type[msgspec.Struct]
) -> None:
    assert REFUSED[name] != PLAY
    with pytest.raises(DecodeError):
        decode(REFUSED[name], kind)


def test_codec__refuses_more_bytes_than_its_limit_though_every_field_keeps_its_own() -> None:
    envelope = bytes(96 * 1024)
    small = Frame(HEAD, [envelope], None)
    assert decode(encode(small), Frame) == small
    with pytest.raises(DecodeError, match="more than"):
        decode(encode(Frame(HEAD, [envelope, envelope], None)), Frame)


def test_codec__refuses_text_that_is_not_utf8() -> None:
    assert decode(b"\x81\xa4moon\xa2ab", Choice) == Choice("ab")
    for text in (b"\xff\xfe", b"\xc0\x80", b"\xed\xa0"):
        with pytest.raises(DecodeError):
            decode(b"\x81\xa4moon\xa2" + text, Choice)


def test_codec__refuses_a_free_map_whose_keys_are_not_in_order() -> None:
    class Free(msgspec.Struct, frozen=True):
        rules: dict[str, int]

    assert encode(Free({"b": 1, "a": 2})) == b"\x81\xa5rules\x82\xa1a\x02\xa1b\x01"
    with pytest.raises(DecodeError):
        decode(b"\x81\xa5rules\x82\xa1b\x01\xa1a\x02", Free)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(WIRE_TYPES))
def test_codec__answers_any_bytes_with_a_value_or_a_decode_error(
    data: bytes, kind: type[msgspec.Struct]
) -> None:
    check_decodes_or_refuses(data, kind)


_PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.binary(max_size=8)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(_PLAIN, st.sampled_from(WIRE_TYPES))
def test_codec__answers_any_msgpack_with_a_value_or_a_decode_error(
    plain: Any, kind: type[msgspec.Struct]
) -> None:
    check_decodes_or_refuses(msgpack.packb(plain), kind)


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(WIRE_TYPES))
def test_codec__never_decodes_two_encodings_to_one_value(
    data: st.DataObject, kind: type[msgspec.Struct]
) -> None:
    value = data.draw(values_of(kind))
    encoded = bytearray(encode(value))
    at = data.draw(st.integers(0, len(encoded) - 1))
    encoded[at] ^= data.draw(st.integers(1, 255))
    try:
        other = decode(bytes(encoded), kind)
    except DecodeError:
        return
    assert other != value


def check_decodes_or_refuses(data: bytes, kind: type[msgspec.Struct]) -> None:
    try:
        value = decode(data, kind)
    except DecodeError:
        return
    assert encode(value) == data
