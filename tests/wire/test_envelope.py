"""Signatures: nobody speaks for another, and no bit of what was said can change."""

from __future__ import annotations

from hashlib import sha512

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.wire import envelope as module
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.envelope import (
    BadSignatureError,
    Envelope,
    Identity,
    content_hash,
    digest,
    open_envelope,
    seal,
    sign_bytes,
    verify_bytes,
)
from p2p_hearts.wire.messages import Content

FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
SIGN = 1 << 255
D = -121665 * pow(121666, -1, FIELD) % FIELD
ROOT = pow(2, (FIELD - 1) // 4, FIELD)
"""A square root of -1."""

BASE_Y = 4 * pow(5, -1, FIELD) % FIELD

ALICE = Identity.from_private_bytes(bytes(range(32)))
MALLORY = Identity.from_private_bytes(bytes(range(1, 33)))

Point = tuple[int, int]


def content_of(author: bytes = ALICE.public, body: bytes = b"body") -> Content:
    return Content(
        version=1,
        table=bytes(32),
        hand=1,
        attempt=1,
        round=2,
        seat=3,
        author=author,
        sequence=4,
        last=bytes(32),
        prev=bytes(32),
        kind="play",
        body=body,
    )


def add(one: Point, other: Point) -> Point:
    """Addition on edwards25519, straight from RFC 8032 section 5.1.4."""
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2 % FIELD
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, FIELD) % FIELD
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, FIELD) % FIELD
    return x, y


def point_with(y: int) -> Point | None:
    """The point of the curve with this y and an even x, if there is one."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    for root in (x, x * ROOT % FIELD):
        if root * root % FIELD == square:
            return (-root % FIELD if root & 1 else root), y
    return None


BASE = point_with(BASE_Y) or (0, 0)
"""The base point: its x is even."""


def times(number: int, point: Point) -> Point:
    total = (0, 1)
    for bit in bin(number)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, point)
    return total


def small_order_points() -> set[Point]:
    """The eight points of small order: multiples of any point of the curve by the big order."""
    found: set[Point] = set()
    y = 2
    while len(found) < 8:
        point = point_with(y)
        if point is not None:
            torsion = times(ORDER, point)
            found |= {times(number, torsion) for number in range(8)}
        y += 1
    return found


SMALL = sorted(small_order_points())
SMALL_ENCODINGS = sorted(
    {
        (y + more | sign).to_bytes(32, "little")
        for _, y in SMALL
        for more in (0, FIELD)
        for sign in (0, SIGN)
        if y + more < SIGN
    }
)
"""Every encoding of a point of small order, canonical or not, with either sign."""


def test_envelope__names_exactly_the_points_of_small_order() -> None:
    assert len(SMALL) == 8
    assert all(times(8, point) == (0, 1) for point in SMALL)
    assert {y for _, y in SMALL} == module._SMALL_ORDER_Y


def test_identity__a_companion_is_the_same_for_a_name_and_shows_nothing_of_its_owner() -> None:
    ana, bo = (Identity.from_private_bytes(bytes([number]) * 32) for number in (1, 2))
    assert ana.companion("Nara").public == ana.companion("Nara").public
    keys = [owner.companion(name).public for owner in (ana, bo) for name in ("Nara", "Lena")]
    assert len({*keys, ana.public, bo.public}) == 6
    assert ana.companion("Nara").private_bytes() != ana.private_bytes()


def test_envelope__gives_back_what_was_signed() -> None:
    sealed = seal(ALICE, content_of())
    opened = open_envelope(sealed.data)
    assert opened == sealed
    assert opened.content == content_of()
    assert opened.hash == content_hash(decode(sealed.data, Envelope).content)


def test_envelope__is_refused_with_any_bit_flipped() -> None:
    data = seal(ALICE, content_of()).data
    for at in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[at] ^= 1 << bit
            with pytest.raises((DecodeError, BadSignatureError)):
                open_envelope(bytes(flipped))


def test_envelope__signed_by_another_key_than_it_names_is_refused() -> None:
    with pytest.raises(BadSignatureError):
        open_envelope(seal(MALLORY, content_of(author=ALICE.public)).data)


def test_envelope__of_one_domain_is_refused_in_another() -> None:
    data = encode(content_of())
    open_envelope(sign_bytes(ALICE, "content", data))
    for domain in ("hello", "roster", "card", "", "content "):
        with pytest.raises(BadSignatureError):
            open_envelope(sign_bytes(ALICE, domain, data))


def test_envelope__of_something_that_is_no_content_is_refused() -> None:
    for data in (b"", b"\x80", encode(content_of()) + b"\x00"):
        with pytest.raises(DecodeError):
            open_envelope(sign_bytes(ALICE, "content", data))


@pytest.mark.parametrize("key", SMALL_ENCODINGS, ids=lambda key: key.hex())
def test_envelope__forged_under_a_key_of_small_order_is_refused(key: bytes) -> None:
    """Who names such a key needs no secret: the equation holds for every eighth message or so."""
    for number in range(1000):
        scalar = 1000 + number
        point = encoded(times(scalar, BASE))
        envelope = Envelope(str(number).encode(), point + scalar.to_bytes(32, "little"))
        if holds(key, envelope):
            break
    else:
        raise AssertionError("no forgery was found")
    with pytest.raises(BadSignatureError):
        verify_bytes(key, "content", envelope)


def test_envelope__whose_signature_point_is_of_small_order_is_refused() -> None:
    """A signer that takes no nonce at all: its private key lies open, and the equation holds."""
    hashed = bytearray(sha512(ALICE.private_bytes()).digest()[:32])
    hashed[0] &= 248
    hashed[31] = hashed[31] & 127 | 64
    private = int.from_bytes(hashed, "little")
    assert encoded(times(private, BASE)) == ALICE.public
    point = encoded((0, 1))
    challenge = challenge_of(ALICE.public, point, b"anything")
    scalar = challenge * private % ORDER
    envelope = Envelope(b"anything", point + scalar.to_bytes(32, "little"))
    assert holds(ALICE.public, envelope)
    with pytest.raises(BadSignatureError):
        verify_bytes(ALICE.public, "content", envelope)


@pytest.mark.parametrize("point", SMALL_ENCODINGS, ids=lambda point: point.hex())
def test_envelope__with_any_signature_point_of_small_order_is_refused(point: bytes) -> None:
    for key in (*SMALL_ENCODINGS, ALICE.public):
        for scalar in (0, 1, 8):
            signature = point + scalar.to_bytes(32, "little")
            with pytest.raises(BadSignatureError):
                verify_bytes(key, "content", Envelope(b"anything", signature))


def encoded(point: Point) -> bytes:
    """RFC 8032 section 5.1.2."""
    x, y = point
    return (y | (x & 1) * SIGN).to_bytes(32, "little")


def decoded(data: bytes) -> Point | None:
    """RFC 8032 section 5.1.3, as lax as libraries are: y may be p or more, x may be -0."""
    number = int.from_bytes(data, "little")
    point = point_with(number % SIGN % FIELD)
    if point is None:
        return None
    x, y = point
    return (-x % FIELD if x & 1 != number // SIGN else x), y


def challenge_of(key: bytes, point: bytes, message: bytes) -> int:
    signed = digest("sign content", message)
    return int.from_bytes(sha512(point + key + signed).digest(), "little") % ORDER


def holds(key: bytes, envelope: Envelope) -> bool:
    """Whether s*B = R + h*A: all that a lax verifier asks."""
    signer, point = decoded(key), decoded(envelope.signature[:32])
    if signer is None or point is None:
        return False
    scalar = int.from_bytes(envelope.signature[32:], "little")
    challenge = challenge_of(key, envelope.signature[:32], envelope.content)
    return times(scalar, BASE) == add(point, times(challenge, signer))


def test_envelope__with_a_key_or_point_that_is_not_canonical_is_refused() -> None:
    good = decode(seal(ALICE, content_of()).data, Envelope)
    verify_bytes(ALICE.public, "content", good)
    for y in range(FIELD, SIGN):
        for sign in (0, SIGN):
            encoded = (y | sign).to_bytes(32, "little")
            changed = Envelope(good.content, encoded + good.signature[32:])
            for author, envelope in ((encoded, good), (ALICE.public, changed)):
                with pytest.raises(BadSignatureError):
                    verify_bytes(author, "content", envelope)


def test_envelope__with_a_scalar_beyond_the_order_is_refused() -> None:
    """Else everybody could make a second signature from a first one."""
    good = decode(seal(ALICE, content_of()).data, Envelope)
    scalar = int.from_bytes(good.signature[32:], "little")
    for more in (ORDER, 2 * ORDER, 8 * ORDER, SIGN):
        changed = (scalar + more).to_bytes(32, "little")
        with pytest.raises(BadSignatureError):
            verify_bytes(
                ALICE.public, "content", Envelope(good.content, good.signature[:32] + changed)
            )


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_envelope__under_a_key_of_another_length_is_refused(length: int) -> None:
    good = decode(seal(ALICE, content_of()).data, Envelope)
    with pytest.raises(BadSignatureError):
        verify_bytes(ALICE.public[:length].ljust(length, b"\x01"), "content", good)


def test_identity__never_shows_its_private_half() -> None:
    secret = bytes(range(32)).hex()
    assert secret not in repr(ALICE)
    assert secret not in str(vars(module))
    assert repr(ALICE) == f"Identity({ALICE.public.hex()[:16]})"
    assert Identity.from_private_bytes(ALICE.private_bytes()).public == ALICE.public


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_envelope__of_any_bytes_is_refused_without_raising_anything_else(data: bytes) -> None:
    with pytest.raises((DecodeError, BadSignatureError)):
        open_envelope(data)


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(min_size=64, max_size=64))
def test_envelope__with_any_key_and_signature_is_refused(key: bytes, signature: bytes) -> None:
    with pytest.raises(BadSignatureError):
        open_envelope(encode(Envelope(encode(content_of(author=key)), signature)))
