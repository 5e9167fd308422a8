"""The attacks that worked against the card protocol without one of its rules.

Each test first carries the attack out against a weakened copy of the rule, to show that it is
one, and then against the real code, where it must fail. protocol/SPEC.md sections 2 to 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from unittest.mock import patch

import pytest

from p2p_hearts.cards import deal, keys, mixing, passing, play
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto import shuffle, sigma
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, decode_deck, encrypt, reencrypt
from p2p_hearts.crypto.group import (
    BASE,
    ORDER,
    Element,
    decode_elements,
    decode_scalars,
    dot,
    encode_elements,
)
from p2p_hearts.crypto.sigma import NonceSource
from p2p_hearts.crypto.transcript import Context, Transcript
from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    Card,
    CardClass,
    ClassSet,
    card_set,
    contains,
    parse_card,
)
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.play import claim, playable, start_play
from tests.cards.hands import FOUR, RULES, context_of, deal_hand, hand_of, ok, secret_of

ENCODING = Encoding(FOUR)
SECRET, RECEIVER, THIRD = secret_of(2), secret_of(3), secret_of(0)
PUBLIC, RECEIVER_KEY, THIRD_KEY = map(keys.public_key, (SECRET, RECEIVER, THIRD))
HERE = context_of(2, 30)
CARDS = tuple(parse_card(text) for text in ("5C", "QS", "9D", "2H", "AD"))
OTHER_CARDS = tuple(parse_card(text) for text in ("7C", "KS", "2D", "AH", "3S"))
HAND = hand_of(SECRET, ENCODING, CARDS)
OTHER_HAND = hand_of(replace(SECRET, attempt=1), ENCODING, OTHER_CARDS)


# Section 2: every list has the exact length that the verifier computes itself.


def test_exact_length__a_remask_of_fourteen_cards() -> None:
    """A card of one's own choice, added to the hand on the way through the re-mask."""
    cards = FOUR.pack[:13]
    hand = hand_of(SECRET, ENCODING, cards)
    extra = encrypt(ENCODING.point(parse_card("AS")), PUBLIC, 77)
    data, proof, after = passing.make_remask(SECRET, HERE, PUBLIC, (*hand, extra))

    # A verifier that takes the length from the message finds nothing wrong with it.
    assert (
        shuffle.verify_shuffle(
            Transcript(HERE, b"remask"), PUBLIC, (*hand, extra), decode_deck(data, 14), proof
        )
        is None
    )

    assert passing.check_remask(HERE, PUBLIC, hand, data, proof) is Flaw.MALFORMED
    for left_out in range(14):
        thirteen = data[: 64 * left_out] + data[64 * (left_out + 1) :]
        result = passing.check_remask(HERE, PUBLIC, hand, thirteen, proof)
        assert result is Flaw.REMASK_PROOF
    assert len(after) == 14


def test_exact_length__a_shuffle_with_one_commitment_more() -> None:
    """One more entry in any list of the proof, valid or not."""
    data, proof, _ = passing.make_remask(SECRET, HERE, PUBLIC, HAND)
    assert not isinstance(passing.check_remask(HERE, PUBLIC, HAND, data, proof), Flaw)
    for start in range(0, len(proof) + 1, 32):
        for extra in (proof[:32], proof[-32:], PUBLIC.data, bytes(32)):
            longer = proof[:start] + extra + proof[start:]
            assert passing.check_remask(HERE, PUBLIC, HAND, data, longer) is Flaw.REMASK_PROOF


def test_exact_length__a_pass_of_the_same_position_three_times() -> None:
    """The queen goes three times, so three copies of her come to the receiver."""
    positions = (1, 1, 1)
    sources = passing.selected(HAND, positions)
    cards, proof = passing.make_pass(SECRET, HERE, positions, sources, RECEIVER_KEY)

    # The pass proof has nothing against it: each card is the one that was selected.
    received = ok(passing.check_pass(HERE, PUBLIC, RECEIVER_KEY, sources, cards, proof))
    assert {deal.read_card(RECEIVER, ENCODING, card) for card in received} == {CARDS[1]}

    assert passing.check_selection(positions, 3, len(HAND)) is Flaw.PASS_POSITIONS


def test_exact_length__two_of_39_shares() -> None:
    """Two right shares with their proof, and the other 37 hands' cards stay closed."""
    dealt = deal_hand(verified=False)
    secret, public = dealt.secrets[0], dealt.publics[0]
    context = context_of(0, 30)
    due = tuple(sorted(dealt.shares[0]))
    assert len(due) == 39
    shares, proof = deal.make_shares(secret, context, dealt.deck, due[:2])

    # A verifier that pairs what it got with what it expects stops at the shorter list.
    assert not isinstance(
        deal.check_shares(context, public, dealt.deck, due[:2], shares, proof), Flaw
    )

    refused = deal.check_shares(context, public, dealt.deck, due, shares, proof)
    assert refused is Flaw.MALFORMED
    filled = shares + encode_elements([BASE] * 37)
    assert deal.check_shares(context, public, dealt.deck, due, filled, proof) is Flaw.SHARE_PROOF


# Section 3: a derived value binds everything that it depends on.


def _weak_mix(secret: HandSecret, key: Element, deck: Deck) -> Deck:
    """A shuffle whose permutation and factors follow from z and the round alone."""
    permutation = secret.permutation(len(deck), HERE.round, b"permutation", b"")
    factors = secret.scalars(len(deck), HERE.round, b"factor", b"")
    return tuple(
        reencrypt(deck[source], key, factor)
        for source, factor in zip(permutation, factors, strict=True)
    )


def _real_mix(secret: HandSecret, key: Element, deck: Deck) -> Deck:
    return mixing.make(secret, HERE, b"shuffle", key, deck)[2]


def _read_permutation(
    mix: Callable[[HandSecret, Element, Deck], Deck], first: Deck, second: Deck
) -> list[int | None]:
    """Find the permutation from two public inputs and outputs of one secret.

    With the same factor both times, what was added falls out of the difference.
    """
    before = [one.b - two.b for one, two in zip(first, second, strict=True)]
    pairs = zip(mix(SECRET, PUBLIC, first), mix(SECRET, PUBLIC, second), strict=True)
    after = [one.b - two.b for one, two in pairs]
    return [before.index(step) if step in before else None for step in after]


def test_derived_values__same_secret_for_two_decks_does_not_publish_the_permutation() -> None:
    true = SECRET.permutation(len(HAND), HERE.round, b"permutation", b"")
    assert _read_permutation(_weak_mix, HAND, OTHER_HAND) == list(true)

    assert _read_permutation(_real_mix, HAND, OTHER_HAND) == [None] * len(HAND)


def test_derived_values__permutation_and_factors_bind_deck_and_key() -> None:
    """One card or the key is another, and nothing of the shuffle is as it was."""
    moved = (*HAND[:-1], Ciphertext(HAND[-1].a, HAND[-1].b + BASE))
    mixes = [
        _real_mix(SECRET, key, deck)
        for key, deck in ((PUBLIC, HAND), (RECEIVER_KEY, HAND), (PUBLIC, moved))
    ]
    added = [
        {(after.a - before.a) for after in mix for before in deck}
        for mix, deck in zip(mixes, (HAND, HAND, moved), strict=True)
    ]
    assert not added[0] & added[1]
    assert not added[0] & added[2]


def _weak_pass(sources: Deck, receiver_key: Element) -> Deck:
    """A pass whose factors follow from z and the slot alone."""
    factors = SECRET.scalars(len(sources), HERE.round, b"pass factor", b"")
    return tuple(
        Ciphertext(factor * BASE, source.b - SECRET.x() * source.a + factor * receiver_key)
        for factor, source in zip(factors, sources, strict=True)
    )


def _real_pass(sources: Deck, receiver_key: Element, positions: Sequence[int] = (0,)) -> Deck:
    cards, _ = passing.make_pass(SECRET, HERE, positions, sources, receiver_key)
    return decode_deck(cards, len(sources))


def _difference(first: Ciphertext, second: Ciphertext) -> set[tuple[Card, Card]]:
    """What anybody reads off two passed cards: the pairs with this difference."""
    return {
        (one, two)
        for one in FOUR.pack
        for two in FOUR.pack
        if ENCODING.point(one) - ENCODING.point(two) == first.b - second.b
    }


def test_derived_values__same_secret_for_two_passed_cards_does_not_show_their_difference() -> None:
    (queen,), (other,) = _weak_pass(HAND[1:2], RECEIVER_KEY), _weak_pass(HAND[2:3], RECEIVER_KEY)
    assert queen.a == other.a
    seen = _difference(queen, other)
    assert (CARDS[1], CARDS[2]) in seen
    assert {one for one, _ in seen} == {parse_card("QS")}

    (queen,), (other,) = _real_pass(HAND[1:2], RECEIVER_KEY), _real_pass(HAND[2:3], RECEIVER_KEY)
    assert queen.a != other.a
    assert _difference(queen, other) == set()


def test_derived_values__same_secret_for_two_receivers_is_not_linkable() -> None:
    (one,), (two,) = _weak_pass(HAND[:1], RECEIVER_KEY), _weak_pass(HAND[:1], THIRD_KEY)
    assert one.a == two.a

    (one,), (two,) = _real_pass(HAND[:1], RECEIVER_KEY), _real_pass(HAND[:1], THIRD_KEY)
    assert one.a != two.a


def test_derived_values__pass_factor_binds_source_position_and_receiver() -> None:
    moved = (Ciphertext(HAND[0].a, HAND[0].b + BASE),)
    passes = [
        _real_pass(HAND[:1], RECEIVER_KEY),
        _real_pass(HAND[:1], RECEIVER_KEY, positions=(1,)),
        _real_pass(HAND[:1], THIRD_KEY),
        _real_pass(moved, RECEIVER_KEY),
        _real_pass((Ciphertext(HAND[0].a + BASE, HAND[0].b),), RECEIVER_KEY),
    ]
    assert len({deck[0].a for deck in passes}) == len(passes)


def _weak_nonces(secret: HandSecret, round_: int, label: bytes) -> NonceSource:
    """Nonces that follow from z, round and index alone."""

    def nonce(digest: bytes, index: int) -> int:
        del digest
        (scalar,) = secret.scalars(1, round_, label + bytes([index % 256, index // 256]), b"")
        return scalar

    return nonce


@contextmanager
def _with_weak_nonces() -> Iterator[None]:
    with patch.object(HandSecret, "nonce_source", _weak_nonces):
        yield


def _x_from(first: bytes, second: bytes) -> int:
    """The witness of two proofs with one nonce: (z - z') / (c - c')."""
    challenge, response, *_ = decode_scalars(first, len(first) // 32)
    other_challenge, other_response, *_ = decode_scalars(second, len(second) // 32)
    return (response - other_response) * pow(challenge - other_challenge, -1, ORDER) % ORDER


NO_CLUBS = ClassSet(ALL_CLASSES & ~(1 << CardClass.CLUBS))
ELSEWHERE = replace(HERE, rules=bytes(reversed(RULES)))


def _two_plays() -> tuple[bytes, bytes]:
    first, second = (
        play.make_play(SECRET, HERE, PUBLIC, ENCODING, HAND[0], CARDS[0], HAND[1:], CARDS[1:], said)
        for said in (None, NO_CLUBS)
    )
    return first, second


def _two_cards_played() -> tuple[bytes, bytes]:
    first, second = (
        play.make_play(SECRET, HERE, PUBLIC, ENCODING, HAND[i], CARDS[i], (), (), None)
        for i in (0, 1)
    )
    return first, second


def _two_passes() -> tuple[bytes, bytes]:
    first, second = (
        passing.make_pass(SECRET, HERE, (i,), HAND[i : i + 1], RECEIVER_KEY)[1] for i in (0, 1)
    )
    return first, second


def _two_lots_of_shares() -> tuple[bytes, bytes]:
    first, second = (
        deal.make_shares(SECRET, HERE, deck, (0, 1, 2))[1] for deck in (HAND, OTHER_HAND)
    )
    return first, second


def _two_keys() -> tuple[bytes, bytes]:
    return keys.make_key(SECRET, HERE)[2], keys.make_key(SECRET, ELSEWHERE)[2]


def _two_hands_without_opening() -> tuple[bytes, bytes]:
    first, second = (
        play.make_no_opening(SECRET, HERE, PUBLIC, ENCODING, hand, cards)
        for hand, cards in ((HAND, CARDS), (HAND[:3], CARDS[:3]))
    )
    return first, second


@pytest.mark.parametrize(
    "two_proofs",
    [
        _two_keys,
        _two_lots_of_shares,
        _two_passes,
        _two_plays,
        _two_cards_played,
        _two_hands_without_opening,
    ],
)
def test_nonces__same_secret_for_two_statements_does_not_give_away_x(
    two_proofs: Callable[[], tuple[bytes, bytes]],
) -> None:
    with _with_weak_nonces():
        assert _x_from(*two_proofs()) == SECRET.x()

    assert _x_from(*two_proofs()) != SECRET.x()


def _challenges_and_responses(context: Context) -> tuple[int, list[int], list[int]]:
    """The Schnorr challenge, the public u_1 … u_N, and the responses to the secret u'_i."""
    data, proof, deck = passing.make_remask(SECRET, context, PUBLIC, HAND)
    assert not isinstance(passing.check_remask(context, PUBLIC, HAND, data, proof), Flaw)
    parts = shuffle._decode(proof, len(HAND))
    own = shuffle._stated(Transcript(context, b"remask"), PUBLIC, HAND, deck)
    u = shuffle._permutation_challenges(own, parts.c)
    own.absorb(b"chain", encode_elements(parts.c_hat))
    challenge = shuffle._challenge(own, (*parts.t, *parts.t_hat))
    return challenge, list(u), list(parts.z_out)


def _permutation_from_proofs() -> list[int | None]:
    """Two proofs of one shuffle with one nonce each: z'_i - z''_i = c·u_π(i) - c'·u'_π(i)."""
    c, u, z = _challenges_and_responses(HERE)
    c_, u_, z_ = _challenges_and_responses(ELSEWHERE)
    table = [(c * a - c_ * b) % ORDER for a, b in zip(u, u_, strict=True)]
    steps = [(a - b) % ORDER for a, b in zip(z, z_, strict=True)]
    return [table.index(step) if step in table else None for step in steps]


def test_nonces__same_secret_for_two_statements_does_not_give_away_the_permutation() -> None:
    _, _, after = passing.make_remask(SECRET, HERE, PUBLIC, HAND)
    read = [deal.read_card(SECRET, ENCODING, card) for card in after]
    true = [CARDS.index(card) for card in read if card is not None]
    with _with_weak_nonces():
        assert _permutation_from_proofs() == true

    assert _permutation_from_proofs() == [None] * len(HAND)


# Section 4.3: the weights of the shares bind X and all pairs; the proof covers (G, X).


def test_shares__errors_that_cancel_under_known_weights_are_refused() -> None:
    """Two false shares, wrong by amounts that the weighted sum does not show."""
    positions = (0, 1)
    bases = [HAND[position].a for position in positions]
    transcript = Transcript(HERE, b"shares")
    weights = transcript.copy().challenges(b"weights", 2)
    images = [SECRET.x() * base for base in bases]
    forged = [images[0] + weights[1] * BASE, images[1] - weights[0] * BASE]

    # Were the weights drawn before the shares, the cheater would know them.
    relation = sigma.equality(PUBLIC, dot(weights, bases), dot(weights, forged))
    proof = sigma.prove(transcript, relation, [SECRET.x()], SECRET.nonce_source(1, b"cheat"))
    assert sigma.verify(transcript, relation, proof)

    data = encode_elements(forged)
    assert deal.check_shares(HERE, PUBLIC, HAND, positions, data, proof) is Flaw.SHARE_PROOF
    folded = deal._shares_transcript(HERE, positions)
    best = sigma.prove(
        folded,
        sigma.batched_equality(folded, PUBLIC, bases, forged),
        [SECRET.x()],
        SECRET.nonce_source(1, b"cheat"),
    )
    assert deal.check_shares(HERE, PUBLIC, HAND, positions, data, best) is Flaw.SHARE_PROOF


def test_shares__made_with_another_key_for_all_cards_are_refused() -> None:
    """All shares agree with each other, but not with the key share of the seat."""
    other = replace(SECRET, z=bytes(32))
    positions = (0, 1, 2)
    shares, proof = deal.make_shares(other, HERE, HAND, positions)

    # A proof that left (G, X) out would only say that one and the same x was used.
    images = decode_elements(shares, 3)
    one_x = sigma.Relation(
        1,
        tuple(
            sigma.Equation(image, ((0, HAND[position].a),))
            for position, image in zip(positions, images, strict=True)
        ),
    )
    transcript = Transcript(HERE, b"weak")
    weak = sigma.prove(transcript, one_x, [other.x()], other.nonce_source(1, b"weak"))
    assert sigma.verify(transcript, one_x, weak)

    assert deal.check_shares(HERE, PUBLIC, HAND, positions, shares, proof) is Flaw.SHARE_PROOF


# Section 5: what a play claims is derived from the rules, never listed.


@dataclass(frozen=True, slots=True)
class _Discard:
    """A play on trick one of Cancellation, where any suit may have been led."""

    led: str
    held: tuple[str, ...]


LISTED = ClassSet(ALL_CLASSES & ~(1 << CardClass.OPENING) & ~(1 << CardClass.CLUBS))
"""A list that somebody would write: on trick one clubs are led, so a discard has no clubs."""


@pytest.mark.parametrize(
    "case",
    [
        _Discard("9D", ("5C", "3D", "AS")),
        _Discard("9S", ("5D", "AS", "2H")),
        _Discard("9S", ("AD", "QS", "2H")),
        _Discard("9D", ("QS", "3D")),
    ],
)
def test_claims__a_discard_on_trick_one_of_cancellation_is_no_way_to_revoke(
    case: _Discard,
) -> None:
    rules = PRESETS["cancellation"]
    encoding = Encoding(rules)
    cards = tuple(parse_card(name) for name in case.held)
    hand = hand_of(SECRET, encoding, cards)
    state = start_play(rules, dealer=0).play(parse_card(case.led))
    assert state.turn == SECRET.seat
    assert not contains(playable(card_set(cards), state), cards[0])

    def attempt(said: ClassSet | None) -> Flaw | None:
        proof = play.make_play(
            SECRET, HERE, PUBLIC, encoding, hand[0], cards[0], hand[1:], cards[1:], said
        )
        return play.check_play(HERE, PUBLIC, encoding, hand[0], cards[0], hand[1:], said, proof)

    # The listed claim is true of this hand, so its proof holds and the revoke goes through.
    assert attempt(LISTED) is None

    assert attempt(claim(cards[0], state)) is Flaw.REVOKE
