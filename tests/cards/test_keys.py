from __future__ import annotations

import pytest

from p2p_hearts.cards import keys
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.group import BASE, ORDER, encode_scalar
from tests.cards.hands import TABLE, context_of, ok, secret_of


def test_key__round_trip() -> None:
    secret, context = secret_of(1), context_of(1)
    commitment, public, proof = keys.make_key(secret, context)
    assert (len(commitment), len(public), len(proof)) == (32, 32, 64)
    assert commitment == secret.commitment()
    assert ok(keys.check_key(context, commitment, public, proof)) == secret.x() * BASE


def test_key__same_secret_same_bytes() -> None:
    assert keys.make_key(secret_of(1), context_of(1)) == keys.make_key(secret_of(1), context_of(1))


def test_key__of_another_place_is_refused_at_making() -> None:
    with pytest.raises(ValueError, match="one seat"):
        keys.make_key(secret_of(1), context_of(2))


def test_key__copied_by_another_seat_is_refused() -> None:
    copied = keys.make_key(secret_of(1), context_of(1))
    assert keys.check_key(context_of(2), *copied) is Flaw.KEY_PROOF


def test_key__the_others_key_taken_off_is_refused() -> None:
    """The rogue key: x·G less the key of seat 0 would make the joint key x·G."""
    victim = ok(keys.check_key(context_of(0), *keys.make_key(secret_of(0), context_of(0))))
    commitment, _, proof = keys.make_key(secret_of(1), context_of(1))
    rogue = keys.public_key(secret_of(1)) - victim
    assert keys.check_key(context_of(1), commitment, rogue.data, proof) is Flaw.KEY_PROOF


@pytest.mark.parametrize("bad", [bytes(32), b"\xff" * 32, b"", bytes(31), BASE.data + b"\0"])
def test_key__no_element_is_malformed(bad: bytes) -> None:
    commitment, _, proof = keys.make_key(secret_of(1), context_of(1))
    assert keys.check_key(context_of(1), commitment, bad, proof) is Flaw.MALFORMED


@pytest.mark.parametrize("bad", [b"", bytes(31), bytes(33)])
def test_key__commitment_of_another_length_is_malformed(bad: bytes) -> None:
    _, public, proof = keys.make_key(secret_of(1), context_of(1))
    assert keys.check_key(context_of(1), bad, public, proof) is Flaw.MALFORMED


def test_key__scalars_that_are_not_reduced_are_refused() -> None:
    commitment, public, proof = keys.make_key(secret_of(1), context_of(1))
    for start in (0, 32):
        scalar = int.from_bytes(proof[start : start + 32], "little")
        shifted = (scalar + ORDER).to_bytes(32, "little")
        assert shifted != encode_scalar(scalar)
        bad = proof[:start] + shifted + proof[start + 32 :]
        assert keys.check_key(context_of(1), commitment, public, bad) is Flaw.KEY_PROOF


def test_joint_key__is_the_sum() -> None:
    publics = [keys.public_key(secret_of(seat)) for seat in range(4)]
    total = sum(secret_of(seat).x() for seat in range(4)) % ORDER
    assert ok(keys.joint_key(publics)) == total * BASE


def test_joint_key__that_cancels_is_refused() -> None:
    publics = [keys.public_key(secret_of(seat)) for seat in range(3)]
    minus = -ok(keys.joint_key(publics))
    assert keys.joint_key([*publics, minus]) is Flaw.JOINT_KEY
    assert keys.joint_key([]) is Flaw.JOINT_KEY


def test_commitment__is_of_this_table_and_secret() -> None:
    assert secret_of(1).commitment() == HandSecret(secret_of(1).z, TABLE, 1, 0, 1).commitment()
