from __future__ import annotations

import copy
import hashlib
import pickle
import sys
from pathlib import Path

import pytest
import rbcl

from p2p_hearts.crypto import group
from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import (
    BASE,
    IDENTITY,
    ORDER,
    DecodeError,
    Element,
    base_mul,
    decode_element,
    decode_elements,
    decode_scalar,
    decode_scalars,
    dot,
    element_from_uniform,
    encode_elements,
    encode_scalar,
    encode_scalars,
    hash_to_element,
    scalar_from_hash,
    sum_elements,
)
from tests.crypto import rfc9496
from tests.crypto.helpers import element, scalar

P, Q = element("p"), element("q")


# RFC 9496


@pytest.mark.parametrize(("k", "text"), list(enumerate(rfc9496.MULTIPLES)))
def test_group__rfc9496_multiples_of_the_base(k: int, text: str) -> None:
    expected = bytes.fromhex(text)
    assert base_mul(k).data == expected
    assert (k * BASE).data == expected
    assert sum_elements([BASE] * k).data == expected
    if k:
        assert decode_element(expected) == base_mul(k)


@pytest.mark.parametrize(
    "text",
    rfc9496.NON_CANONICAL
    + rfc9496.NEGATIVE_FIELD_ELEMENT
    + rfc9496.NON_SQUARE
    + rfc9496.NEGATIVE_XY
    + rfc9496.MINUS_ONE,
)
def test_group__rfc9496_invalid_encodings_are_refused(text: str) -> None:
    with pytest.raises(DecodeError, match="canonical"):
        decode_element(bytes.fromhex(text))


@pytest.mark.parametrize(("text", "expected"), rfc9496.UNIFORM)
def test_group__rfc9496_one_way_map(text: str, expected: str) -> None:
    assert element_from_uniform(bytes.fromhex(text)).data.hex() == expected


@pytest.mark.parametrize(("label", "expected"), list(rfc9496.LABELS.items()))
def test_group__rfc9496_one_way_map_of_hashed_labels(label: str, expected: str) -> None:
    digest = hashlib.sha512(label.encode()).digest()
    assert element_from_uniform(digest).data.hex() == expected


# decoding


def test_group__identity_is_refused_at_decoding() -> None:
    with pytest.raises(DecodeError, match="identity"):
        decode_element(bytes(32))
    with pytest.raises(DecodeError, match="identity"):
        decode_elements(P.data + bytes(32), 2)


def test_group__a_second_encoding_with_the_highest_bit_is_refused() -> None:
    """The library alone would take it: an identity that is not recognised, an element twice."""
    for point in (IDENTITY, BASE, hash_to_element(b"any")):
        twin = point.data[:-1] + bytes([point.data[-1] | 0x80])
        with pytest.raises(DecodeError):
            decode_element(twin)


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_group__wrong_lengths_are_refused_at_decoding(length: int) -> None:
    with pytest.raises(DecodeError, match="32 bytes"):
        decode_element(P.data.ljust(64, b"\0")[:length])
    with pytest.raises(DecodeError, match="32 bytes"):
        decode_scalar(bytes(length))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_group__lists_decode_only_at_their_exact_length(count: int) -> None:
    with pytest.raises(DecodeError):
        decode_elements(encode_elements([P, Q]), count)
    with pytest.raises(DecodeError):
        decode_scalars(encode_scalars([1, 2]), count)
    assert decode_elements(encode_elements([P, Q]), 2) == (P, Q)
    assert decode_scalars(encode_scalars([1, 2]), 2) == (1, 2)


@pytest.mark.parametrize("value", [ORDER, ORDER + 1, 2 * ORDER, 2**253, 2**255, 2**256 - 1])
def test_group__unreduced_scalars_are_refused_at_decoding(value: int) -> None:
    with pytest.raises(DecodeError, match="reduced"):
        decode_scalar(value.to_bytes(32, "little"))


@pytest.mark.parametrize("value", [0, 1, ORDER - 1])
def test_group__reduced_scalars_go_there_and_back(value: int) -> None:
    assert decode_scalar(encode_scalar(value)) == value


@pytest.mark.parametrize("value", [-1, ORDER, 2**256])
def test_group__only_reduced_scalars_are_encoded(value: int) -> None:
    with pytest.raises(ValueError, match="ORDER"):
        encode_scalar(value)


def test_group__every_flipped_bit_of_an_element_is_another_element_or_none() -> None:
    for bit in range(256):
        data = (int.from_bytes(P.data, "little") ^ (1 << bit)).to_bytes(32, "little")
        try:
            assert decode_element(data) != P
        except DecodeError:
            continue


def test_group__an_element_is_never_made_from_unchecked_bytes() -> None:
    # The library answers the identity for invalid operands instead of an error …
    assert rbcl.crypto_core_ristretto255_add(b"\xff" * 32, b"\xff" * 32) == bytes(32)
    assert rbcl.crypto_core_ristretto255_sub(P.data, b"\xff" * 32) == bytes(32)
    # … so invalid bytes never become an operand.
    with pytest.raises(DecodeError):
        decode_element(b"\xff" * 32)
    with pytest.raises(TypeError):
        Element()
    with pytest.raises(TypeError):
        Element(b"\xff" * 32)  # type: ignore[call-arg]
    for other in (b"\xff" * 32, 1, None):
        with pytest.raises(TypeError):
            P + other  # type: ignore[operator]
        with pytest.raises(TypeError):
            P - other  # type: ignore[operator]
    with pytest.raises(TypeError):
        b"\1" * P  # type: ignore[operator]


def test_group__an_element_never_changes() -> None:
    with pytest.raises(AttributeError):
        P.data = Q.data
    with pytest.raises(AttributeError):
        del P.data
    assert copy.copy(P) is P
    assert copy.deepcopy(P) is P


def test_group__pickled_elements_are_checked_again() -> None:
    for value in (P, BASE, IDENTITY):
        assert pickle.loads(pickle.dumps(value)) == value
    with pytest.raises(DecodeError):
        pickle.loads(pickle.dumps(P).replace(P.data, b"\xff" * 32))


# arithmetic


def test_group__identity_arises_and_is_neutral() -> None:
    assert BASE != IDENTITY
    for zero in (0 * P, ORDER * P, 0 * BASE, base_mul(0), base_mul(ORDER), P - P, P + -P):
        assert zero == IDENTITY
        assert zero.is_identity
    assert 5 * IDENTITY == IDENTITY
    assert P + IDENTITY == P == IDENTITY + P
    assert P - IDENTITY == P
    assert IDENTITY - P == -P == (ORDER - 1) * P
    assert -IDENTITY == IDENTITY + IDENTITY == IDENTITY - IDENTITY == IDENTITY
    assert sum_elements([]) == dot([], []) == dot([0, 0], [P, Q]) == IDENTITY
    assert dot([3, ORDER - 3, 7], [P, P, IDENTITY]) == IDENTITY
    assert not P.is_identity


def test_group__is_a_group_of_prime_order() -> None:
    x, y = scalar("x"), scalar("y")
    assert x * P + y * P == (x + y) % ORDER * P
    assert x * (y * P) == (x * y) % ORDER * P
    assert x * P - y * P == (x - y) * P
    assert x * (P + Q) == x * P + x * Q
    assert -1 * P == -P
    assert x * BASE == base_mul(x) == x * decode_element(BASE.data)
    assert pow(2, ORDER - 1, ORDER) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_group__dot_is_the_sum_of_the_products(n: int) -> None:
    scalars = [scalar("dot", i) for i in range(n)]
    elements = [(P, BASE, Q)[i % 3] for i in range(n)]
    expected = IDENTITY
    for k, e in zip(scalars, elements, strict=True):
        expected = expected + k * e
    assert dot(scalars, elements) == expected


def test_group__dot_cuts_nothing_to_fit() -> None:
    with pytest.raises(ValueError, match="longer"):
        dot([1], [P, Q])
    with pytest.raises(ValueError, match="shorter"):
        dot([1, 2], [P])


def test_group__equality_and_hash_are_those_of_the_encoding() -> None:
    assert decode_element(P.data) == P
    assert len({P, decode_element(P.data), Q}) == 2
    assert P.data != P
    assert P.data.hex() in repr(P)


# generators and hashing


def test_group__labels_that_share_bytes_make_different_generators() -> None:
    labels = [b"", b"a", b"ab", frame(b"a", b"b"), frame(b"ab"), frame(b"", b"ab"), b"\0"]
    assert len({hash_to_element(label) for label in labels}) == len(labels)
    assert hash_to_element(b"a") == hash_to_element(b"a")


def test_group__64_bytes_are_reduced_to_a_scalar() -> None:
    assert scalar_from_hash(bytes(64)) == 0
    assert scalar_from_hash(b"\xff" * 64) == (2**512 - 1) % ORDER
    for wrong in (b"", bytes(32), bytes(65)):
        with pytest.raises(ValueError, match="64"):
            scalar_from_hash(wrong)
        with pytest.raises(ValueError, match="the map to the group takes 64 bytes"):
            element_from_uniform(wrong)


def test_group__takes_whole_numbers_as_scalars_only() -> None:
    with pytest.raises(TypeError):
        1.5 * hash_to_element(b"a")  # type: ignore[operator]


def test_group__constants_are_those_of_the_library() -> None:
    assert rbcl.crypto_core_ristretto255_BYTES == group.ELEMENT_BYTES
    assert rbcl.crypto_core_ristretto255_SCALARBYTES == group.SCALAR_BYTES
    one = encode_scalar(1)
    assert rbcl.crypto_scalarmult_ristretto255_base(one) == BASE.data
    assert rbcl.crypto_core_ristretto255_scalar_negate(one) == encode_scalar(ORDER - 1)


@pytest.mark.skipif(sys.platform == "win32", reason="a library in use cannot be deleted there")
def test_group__importing_leaves_no_file_behind() -> None:
    path = sys.modules["rbcl._sodium"].lib_path
    assert path.endswith(".so")
    assert not Path(path).exists()
