from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2p_hearts.cards import play
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.keys import public_key
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.elgamal import Ciphertext
from p2p_hearts.crypto.group import BASE, ORDER
from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    Card,
    CardClass,
    ClassSet,
    card_set,
    contains,
    parse_card,
)
from p2p_hearts.rules.options import PRESETS, Opening, RuleSet
from p2p_hearts.rules.play import PlayState, claim, playable, start_play
from tests.cards.hands import FOUR, OPEN_ROUND, PLAY_ROUND, context_of, hand_of, secret_of

SECRET = secret_of(1)
PUBLIC = public_key(SECRET)
HERE = context_of(1, PLAY_ROUND)
OPEN = context_of(1, OPEN_ROUND)
ENCODING = Encoding(FOUR)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(name) for name in text.split())


def _without(*kinds: CardClass) -> ClassSet:
    return ClassSet(ALL_CLASSES & ~sum(1 << kind for kind in kinds))


def _try(
    held: str,
    said: ClassSet | None,
    named: str | None = None,
    rules: RuleSet = FOUR,
) -> Flaw | None:
    """Play the first of the `held` cards (or claim that it is `named`); what others make of it."""
    cards = _cards(held)
    encoding = Encoding(rules)
    hand = hand_of(SECRET, encoding, cards)
    card = cards[0] if named is None else parse_card(named)
    proof = play.make_play(SECRET, HERE, PUBLIC, encoding, hand[0], card, hand[1:], cards[1:], said)
    return play.check_play(HERE, PUBLIC, encoding, hand[0], card, hand[1:], said, proof)


def _state(*plays: str, rules: RuleSet = FOUR, leader: int | None = 0) -> PlayState:
    """The state after these cards; seat 0 leads."""
    state = start_play(rules, rules.seats - 1, leader)
    for name in plays:
        state = state.play(parse_card(name))
    return state


def _move(held: str, state: PlayState) -> Flaw | None:
    """Play the first of the `held` cards in this state, with the claim that is due there."""
    cards = _cards(held)
    assert state.turn == SECRET.seat
    result = _try(held, claim(cards[0], state), rules=state.rules)
    legal = contains(playable(card_set(cards), state), cards[0])
    assert (result is None) == legal
    return result


# Honest plays.


def test_play__following_suit_needs_no_class_proof() -> None:
    state = _state("2C")
    assert claim(parse_card("5C"), state) is None
    assert _move("5C AS QS 2H", state) is None
    assert play.proof_bytes(None, hand_of(SECRET, ENCODING, _cards("AS"))) == 64


def test_play__lengths_of_proofs() -> None:
    rest = hand_of(SECRET, ENCODING, _cards("AS KD"))
    assert play.proof_bytes(None, rest) == 64
    assert play.proof_bytes(_without(CardClass.OPENING, CardClass.CLUBS), rest) == 224
    assert play.proof_bytes(ClassSet(1 << CardClass.HEARTS), rest) == 128
    assert play.proof_bytes(ClassSet(1 << CardClass.HEARTS), ()) == 64
    assert play.proof_due(ClassSet(1 << CardClass.HEARTS), rest)
    assert not play.proof_due(None, rest), "where nothing is claimed nothing is proven of the rest"


def test_play__the_last_card_needs_no_class_proof() -> None:
    said = ClassSet(1 << CardClass.HEARTS)
    assert not play.proof_due(said, ())
    assert _try("2H", said) is None
    assert _try("AS", said) is None


@pytest.mark.parametrize("mask", range(ALL_CLASSES + 1))
def test_class_proof__is_accepted_exactly_if_the_rest_is_within_the_claim(mask: int) -> None:
    said = ClassSet(mask)
    for rest, kinds in (
        ("5C 6C", {CardClass.CLUBS}),
        ("AD QS 2H KS", {CardClass.DIAMONDS, CardClass.QUEEN, CardClass.HEARTS, CardClass.SPADES}),
        ("2C QS", {CardClass.OPENING, CardClass.QUEEN}),
    ):
        within = all(mask >> kind & 1 for kind in kinds)
        assert _try(f"9D {rest}", said) is (None if within else Flaw.REVOKE)


def test_class_proof__two_equal_cards_of_two_packs_are_one_value() -> None:
    rules = PRESETS["cancellation"]
    said = _without(CardClass.CLUBS)
    assert _try("QS QS AD AD 2H", said, rules=rules) is None
    assert _try("QS QS AD AD 2C", said, rules=rules) is Flaw.REVOKE


# False class proofs, where the rules make the claim.


def test_play__revoke_is_refused() -> None:
    lead = _state("2C", leader=0)
    assert _move("9D 5C AS", lead) is Flaw.REVOKE
    assert _move("9D AS QS 2H", lead) is None


def test_play__opening_card_kept_while_clubs_are_led_is_a_revoke() -> None:
    assert _move("9D 2C", _state("3C", rules=RuleSet(opening=Opening.NONE))) is Flaw.REVOKE


def test_play__penalty_on_trick_one_is_refused() -> None:
    lead = _state("2C", leader=0)
    assert _move("2H 9D 3H", lead) is Flaw.REVOKE
    assert _move("QS AS 3H", lead) is Flaw.REVOKE
    assert _move("QS 2H 3H", lead) is None
    assert _move("2H QS 3H", lead) is None


def test_play__heart_led_before_hearts_are_broken_is_refused() -> None:
    lead = _state("2C", "AC", "4C", "5C")
    assert lead.turn == SECRET.seat
    assert not lead.broken
    assert _move("2H 9D", lead) is Flaw.REVOKE
    assert _move("2H QS", lead) is Flaw.REVOKE
    assert _move("2H 3H AH", lead) is None


def test_play__queen_led_early_where_she_must_wait_is_refused() -> None:
    lead = _state("2C", "AC", "4C", "5C", rules=RuleSet(queen_waits=True))
    assert _move("QS 9D", lead) is Flaw.REVOKE
    assert _move("QS 2H", lead) is None


def test_open__the_opening_card_needs_no_class_proof() -> None:
    state = start_play(FOUR, 0, SECRET.seat)
    assert _move("2C AS QS 2H", state) is None


def test_open__hiding_the_opening_card_is_refused() -> None:
    for held, flaw in (("3C 9D QS 2H", None), ("3C 9D 2C 2H", Flaw.OPENING_HIDDEN)):
        cards = _cards(held)
        hand = hand_of(SECRET, ENCODING, cards)
        proof = play.make_no_opening(SECRET, OPEN, PUBLIC, ENCODING, hand, cards)
        assert len(proof) == 256
        assert play.check_no_opening(OPEN, PUBLIC, ENCODING, hand, proof) is flaw


@pytest.mark.parametrize(
    "told", ["3C 9D 3C 2H", "3C 9D 3D 2H", "3C 9D AS 2H", "3C 9D 2H", "2H 2H 2H 2H"]
)
def test_open__no_story_about_the_hand_hides_the_opening_card(told: str) -> None:
    cards = _cards("3C 9D 2C 2H")
    hand = hand_of(SECRET, ENCODING, cards)
    proof = play.make_no_opening(SECRET, OPEN, PUBLIC, ENCODING, hand, _cards(told))
    flaw = play.check_no_opening(OPEN, PUBLIC, ENCODING, hand, proof)
    assert flaw is Flaw.OPENING_HIDDEN


def test_open__nobody_is_asked_for_an_opening_card_that_the_rules_do_not_have() -> None:
    encoding = Encoding(PRESETS["cancellation"])
    hand = hand_of(SECRET, encoding, _cards("3C"))
    with pytest.raises(ValueError, match="no opening card"):
        play.check_no_opening(OPEN, PUBLIC, encoding, hand, bytes(256))


@pytest.mark.parametrize(
    "counts",
    [(1, 1, 0, 1), (2, 0, 0, 1), (0, 0, 0, 3), (ORDER - 1, 2, 1, 1), (0, 0, 0, 0)],
)
@pytest.mark.parametrize("ranks", [0, 9 + 5 + 2, 9 + 2, ORDER - 5])
def test_class_proof__no_choice_of_counts_hides_a_card(counts: Sequence[int], ranks: int) -> None:
    """A revoke with a club in the rest, proven with any witness but a true one."""
    cards = _cards("AD 9D 5C 2H")
    hand = hand_of(SECRET, ENCODING, cards)
    said = _without(CardClass.OPENING, CardClass.CLUBS)
    relation = play._play_relation(PUBLIC, ENCODING, hand[0], cards[0], hand[1:], said)
    transcript = play._play_transcript(HERE, hand[0], cards[0], hand[1:], said)
    witness = [SECRET.x(), ranks % ORDER, *counts]
    proof = sigma.prove(transcript, relation, witness, SECRET.nonce_source(1, b"cheat"))
    flaw = play.check_play(HERE, PUBLIC, ENCODING, hand[0], cards[0], hand[1:], said, proof)
    assert flaw is Flaw.REVOKE


# Cards that are not there.


@pytest.mark.parametrize("named", ["3C", "2D", "2C", "QS", "AH"])
def test_play__a_card_that_the_place_does_not_hold_is_refused(named: str) -> None:
    assert _try("2H 3C AD", None, named) is Flaw.CARD_PROOF
    assert _try("2H 3C AD", _without(CardClass.SPADES), named) is Flaw.REVOKE
    assert _try("2H", None, named) is Flaw.CARD_PROOF


def test_play__of_another_seats_card_is_refused() -> None:
    other = hand_of(secret_of(2), ENCODING, _cards("2H"))
    proof = play.make_play(SECRET, HERE, PUBLIC, ENCODING, other[0], parse_card("2H"), (), (), None)
    flaw = play.check_play(HERE, PUBLIC, ENCODING, other[0], parse_card("2H"), (), None, proof)
    assert flaw is Flaw.CARD_PROOF


def test_play__of_a_ciphertext_that_holds_no_card_is_refused() -> None:
    (ciphertext,) = hand_of(SECRET, ENCODING, _cards("2H"))
    moved = Ciphertext(ciphertext.a, ciphertext.b + BASE)
    card = parse_card("2H")
    proof = play.make_play(SECRET, HERE, PUBLIC, ENCODING, moved, card, (), (), None)
    flaw = play.check_play(HERE, PUBLIC, ENCODING, moved, card, (), None, proof)
    assert flaw is Flaw.CARD_PROOF


@pytest.mark.parametrize("number", [-1, 52, 103, 255, 256, 2**64])
def test_play__a_number_that_is_no_card_is_refused(number: int) -> None:
    (ciphertext,) = hand_of(SECRET, ENCODING, _cards("2H"))
    flaw = play.check_play(HERE, PUBLIC, ENCODING, ciphertext, Card(number), (), None, bytes(64))
    assert flaw is Flaw.CARD_UNKNOWN


def test_play__a_card_outside_the_pack_is_refused() -> None:
    three = Encoding(RuleSet(seats=3))
    (ciphertext,) = hand_of(SECRET, three, _cards("2H"))
    removed = parse_card("2C")
    flaw = play.check_play(HERE, PUBLIC, three, ciphertext, removed, (), None, bytes(64))
    assert flaw is Flaw.CARD_UNKNOWN
    with pytest.raises(ValueError, match="not in the pack"):
        play.make_play(SECRET, HERE, PUBLIC, three, ciphertext, removed, (), (), None)


# Proofs that are due, and that are not.


def _lengths(said: ClassSet | None, proof: bytes) -> Flaw | None:
    hand = hand_of(SECRET, ENCODING, _cards("9D AS QS 2H"))
    return play.check_play(HERE, PUBLIC, ENCODING, hand[0], parse_card("9D"), hand[1:], said, proof)


def _proof(said: ClassSet | None) -> bytes:
    cards = _cards("9D AS QS 2H")
    hand = hand_of(SECRET, ENCODING, cards)
    return play.make_play(
        SECRET, HERE, PUBLIC, ENCODING, hand[0], cards[0], hand[1:], cards[1:], said
    )


def test_play__a_class_proof_that_is_due_must_be_there() -> None:
    said = _without(CardClass.CLUBS)
    assert _lengths(said, _proof(said)) is None
    assert _lengths(said, _proof(None)) is Flaw.PROOF_MISSING


def test_play__a_class_proof_that_is_not_due_must_not_be_there() -> None:
    assert _lengths(None, _proof(None)) is None
    assert _lengths(None, _proof(_without(CardClass.CLUBS))) is Flaw.PROOF_NOT_DUE
    assert _lengths(None, _proof(ALL_CLASSES)) is Flaw.PROOF_NOT_DUE


def test_play__proofs_of_no_known_length_are_malformed() -> None:
    said = _without(CardClass.CLUBS)
    for length in (0, 1, 32, 63, 65, 320, 1000):
        assert _lengths(None, bytes(length)) is Flaw.MALFORMED
        assert _lengths(said, bytes(length)) is Flaw.MALFORMED
    # A class proof for a claim of another size is not the one that was due.
    assert _lengths(said, _proof(ALL_CLASSES)) is Flaw.MALFORMED


def test_unplayed__is_the_rest_of_the_hand_in_order() -> None:
    hand = hand_of(SECRET, ENCODING, _cards("9D AS QS 2H"))
    assert play.unplayed(hand, set()) == hand
    assert play.unplayed(hand, {0, 2}) == (hand[1], hand[3])
    assert play.unplayed(hand, (0, 1, 2, 3)) == ()


def test_play__proof_says_nothing_of_how_many_cards_are_of_a_class() -> None:
    """Two hands with the same classes allowed make proofs of one length."""
    said = _without(CardClass.CLUBS)
    assert len(_proof(said)) == play.proof_bytes(said, hand_of(SECRET, ENCODING, _cards("AH")))
