"""Heads: equal exactly when everything that was said is equal."""

from __future__ import annotations

from itertools import permutations

from p2p_hearts.wire.chain import Place, first_head, next_head, place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Envelope, content_hash, seal, sign_bytes
from tests.wire.test_envelope import ALICE, MALLORY, content_of

ONE, TWO, THREE = (bytes([number]) * 32 for number in (1, 2, 3))
HERE = Place(1, 1, 5)


def test_head__does_not_depend_on_the_order_of_arrival() -> None:
    said = [(0, ONE), (1, TWO), (2, THREE)]
    heads = {next_head(ONE, HERE, order) for order in permutations(said)}
    assert len(heads) == 1


def test_head__differs_with_everything_it_stands_for() -> None:
    said = [(0, ONE), (1, TWO)]
    heads = [
        next_head(ONE, HERE, said),
        next_head(TWO, HERE, said),
        next_head(ONE, Place(2, 1, 5), said),
        next_head(ONE, Place(1, 2, 5), said),
        next_head(ONE, Place(1, 1, 6), said),
        next_head(ONE, HERE, [(0, ONE)]),
        next_head(ONE, HERE, [(0, ONE), (2, TWO)]),
        next_head(ONE, HERE, [(0, TWO), (1, ONE)]),
        next_head(ONE, HERE, [(0, ONE), (1, THREE)]),
        next_head(ONE, HERE, [(0, ONE), (1, TWO), (2, THREE)]),
        next_head(ONE, HERE, []),
        first_head(ONE),
        first_head(TWO),
    ]
    assert len(set(heads)) == len(heads)


def test_head__leaves_signatures_out() -> None:
    """Many signatures of one content do not make many histories."""
    data = encode(content_of())
    first, second = (
        decode(sign_bytes(signer, "content", data), Envelope) for signer in (ALICE, MALLORY)
    )
    assert first.signature != second.signature
    assert content_hash(first.content) == content_hash(second.content)
    assert seal(ALICE, content_of()).hash == content_hash(data)


def test_place__compares_in_the_order_of_play() -> None:
    places = [Place(0, 1, 1), Place(1, 1, 0), Place(1, 1, 1), Place(1, 2, 0), Place(2, 1, 0)]
    assert sorted(places) == places
    assert place_of(content_of()) == Place(1, 1, 2)
