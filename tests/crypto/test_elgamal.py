from __future__ import annotations

import pytest

from p2p_hearts.crypto.elgamal import (
    CIPHERTEXT_BYTES,
    Ciphertext,
    decode_deck,
    decrypt,
    encode_deck,
    encrypt,
    reencrypt,
    sum_ciphertexts,
)
from p2p_hearts.crypto.group import BASE, IDENTITY, DecodeError, base_mul
from tests.crypto.helpers import element, malformed, scalar

X = scalar("x")
KEY = base_mul(X)
M, N = element("m"), element("n")
DECK = tuple(encrypt(element("card", i), KEY, scalar("s", i)) for i in range(3))


def test_elgamal__decrypts_what_was_encrypted() -> None:
    ciphertext = encrypt(M, KEY, scalar("s"))
    assert decrypt(ciphertext, X) == M
    assert decrypt(ciphertext, X + 1) != M
    assert encrypt(M, KEY, 0) == (IDENTITY, M)


def test_elgamal__reencryption_changes_everything_but_the_plaintext() -> None:
    old = encrypt(M, KEY, scalar("s"))
    new = reencrypt(old, KEY, scalar("again"))
    assert new.a != old.a
    assert new.b != old.b
    assert decrypt(new, X) == M
    assert new == encrypt(M, KEY, scalar("s") + scalar("again"))


def test_elgamal__is_linear() -> None:
    m, n = encrypt(M, KEY, 5), encrypt(N, KEY, 7)
    assert decrypt(sum_ciphertexts([m, n]), X) == M + N
    assert sum_ciphertexts([m]) == m
    assert sum_ciphertexts([]) == Ciphertext(IDENTITY, IDENTITY)
    assert sum_ciphertexts(iter(DECK)) == sum_ciphertexts(DECK)


def test_elgamal__decks_go_there_and_back() -> None:
    data = encode_deck(DECK)
    assert len(data) == CIPHERTEXT_BYTES * 3
    assert data[:64] == DECK[0].a.data + DECK[0].b.data
    assert decode_deck(data, 3) == DECK
    assert decode_deck(b"", 0) == ()


@pytest.mark.parametrize("count", [0, 2, 4])
def test_elgamal__a_deck_of_another_length_is_refused(count: int) -> None:
    with pytest.raises(DecodeError, match="ciphertexts"):
        decode_deck(encode_deck(DECK), count)


def test_elgamal__identity_and_invalid_components_are_refused_at_decoding() -> None:
    for name, data in malformed(encode_deck(DECK), 6):
        with pytest.raises(DecodeError):
            pytest.fail(f"{name}: {decode_deck(data, 3)}")


def test_elgamal__an_intermediate_identity_does_not_come_back_from_the_wire() -> None:
    zero = Ciphertext(BASE - BASE, M)
    with pytest.raises(DecodeError, match="identity"):
        decode_deck(encode_deck([zero]), 1)
