"""What a hand waits for from its own player, says for it, and shows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.rerun import Step
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.crypto.elgamal import Ciphertext
from p2p_hearts.crypto.group import BASE, base_mul
from p2p_hearts.rules.cards import EMPTY, Card, card_set, cards_in
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import start_play
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table import hand as hand_module
from p2p_hearts.table.hand import Ground, Hand
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.lobby import hash_rules
from p2p_hearts.wire.messages import Kind, Lost, Open, Play

TABLE = bytes(32)
RULES = RuleSet().with_options({"opening": "none"})
DEALER = 3
MOON = next(iter(MoonChoice))
CARDS = tuple(map(Card, (0, 1, 2, 3)))
PLACES = tuple(Ciphertext(base_mul(number), BASE) for number in (1, 2, 3, 4))
"""Four cards as they lie, before anybody has read them."""


def hand_of(seat: int = 0, rules: RuleSet = RULES, **fields: Any) -> Hand:
    """A hand of a seat that holds four cards and has decided nothing, but for these fields."""
    ground = Ground(
        TABLE, rules, hash_rules(rules), Encoding(rules), (), TableKey(bytes(32), bytes(32))
    )
    hand = Hand(ground, 1, 1, DEALER, seat, HandSecret(bytes(32), TABLE, 1, 1, seat))
    hand.cards = CARDS
    for side in hand.sides:
        side.hand, side.public = PLACES, BASE
    for name, value in fields.items():
        setattr(hand, name, value)
    return hand


def playing_hand(seat: int = 0) -> Hand:
    """The first lead is due, from seat 0."""
    return hand_of(seat, play=start_play(RULES, DEALER))


@pytest.mark.parametrize(
    ("kind", "fields", "needs"),
    [
        (Kind.PASS_SELECT, {}, True),
        (Kind.PASS_SELECT, {"chosen_pass": (0, 1, 2)}, False),
        (Kind.PASS_SELECT, {"lost": True}, False),
        (Kind.PLAY, {}, True),
        (Kind.PLAY, {"chosen_card": Card(3)}, False),
        (Kind.PLAY, {"chosen_claim": True}, False),
        (Kind.CHOICE, {}, True),
        (Kind.CHOICE, {"chosen_moon": MOON}, False),
        (Kind.KEY, {}, False),
    ],
)
def test_hand__waits_for_what_its_player_decides_and_has_not(
    kind: Kind, fields: dict[str, Any], needs: bool
) -> None:
    assert hand_of(**fields).needs_decision(kind) is needs


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        (Kind.PLAY, {}, Kind.PLAY),
        (Kind.PLAY, {"chosen_claim": True}, Kind.CLAIM),
        (Kind.REVEAL, {"chosen_claim": True}, Kind.REVEAL),
        (Kind.PLAY, {"lost": True}, Kind.LOST),
    ],
)
def test_hand__says_what_the_round_is_for_but_for_a_claim_and_a_lost_secret(
    kind: Kind, fields: dict[str, Any], said: Kind
) -> None:
    assert hand_of(**fields).kind_to_speak(kind) is said


def test_hand__whose_secret_is_lost_says_so_and_proves_nothing() -> None:
    assert hand_of(lost=True).speak(Kind.LOST, 3) == Lost()


@pytest.mark.parametrize(
    ("seat", "dummy", "lost", "reads"),
    [
        (0, None, False, True),
        (0, 1, False, True),
        (0, 0, False, False),
        (0, None, True, False),
        (NOBODY, None, False, False),
    ],
)
def test_hand__reads_cards_that_its_seat_alone_can_read(
    seat: int, dummy: int | None, lost: bool, reads: bool
) -> None:
    assert hand_of(seat, away=dummy, lost=lost).reads_own is reads


@pytest.mark.parametrize(
    ("seat", "dummy", "facts", "own"),
    [
        (0, None, {}, CARDS[1:]),
        (0, None, {"play_over": True}, ()),
        (NOBODY, None, {}, ()),
        (0, 0, {}, (Card(7),)),
        (0, 1, {}, CARDS[1:]),
        (0, None, {"selected": True}, CARDS[2:]),
        (0, None, {"selected": True, "remasked": True}, CARDS[1:]),
    ],
)
def test_hand__shows_its_player_the_cards_it_holds_now(
    seat: int, dummy: int | None, facts: dict[str, bool], own: tuple[Card, ...]
) -> None:
    hand = hand_of(seat, away=dummy, passed=card_set(CARDS[1:2]), known={PLACES[1]: Card(7)})
    hand.facts = replace(hand.facts, **facts)
    hand.sides[0].opened = {0: CARDS[0]}
    assert hand.own_cards == card_set(own)


def test_legal__are_cards_in_the_own_turn_alone() -> None:
    assert playing_hand(0).legal() == card_set(CARDS)
    assert playing_hand(1).legal() == EMPTY
    assert hand_of().legal() == EMPTY
    assert not hand_of().may_claim()


@pytest.mark.parametrize("cards", [(0, 1), (0, 1, 2, 3), (0, 1, 9)])
def test_choose_pass__of_too_few_too_many_or_of_cards_not_held_is_refused(
    cards: tuple[int, ...],
) -> None:
    hand = hand_of()
    with pytest.raises(ValueError, match="pass"):
        hand.choose_pass(card_set(map(Card, cards)))
    assert hand.chosen_pass is None
    hand.choose_pass(card_set(CARDS[1:]))
    assert hand.chosen_pass == (1, 2, 3)


def test_choices__that_the_rules_refuse_are_not_made() -> None:
    hand = playing_hand()
    with pytest.raises(ValueError, match="may not be played"):
        hand.choose_card(Card(9))
    hand.cards = tuple(map(Card, (*range(12), 13)))
    with pytest.raises(ValueError, match="cannot claim"):
        hand.choose_claim()
    assert (hand.chosen_card, hand.chosen_claim) == (None, False)
    hand.choose_card(CARDS[0])
    assert hand.chosen_card == CARDS[0]


@pytest.mark.parametrize("true", [True, False])
def test_may_claim__if_the_rest_is_certain(true: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_module, "may_claim", lambda state, seat, cards: true)
    assert playing_hand().may_claim() is true


def test_prepare__refuses_what_depends_on_how_the_hand_goes_on() -> None:
    with pytest.raises(RuntimeError, match="is not prepared"):
        playing_hand().prepare(Kind.PLAY, 9)


def test_reveal__makes_work_of_the_steps_of_others_that_have_revealed() -> None:
    """The own steps need no second look, and of a seat that is away there is no secret."""
    hand = hand_of()
    for side, secret in zip(hand.sides, (b"a" * 32, b"b" * 32, b"", b"d" * 32), strict=True):
        side.secret, side.steps = secret, [Step((b"",), lambda secret: (b"",))]
    hand.close(Kind.REVEAL)
    assert [job.seat for job in hand.jobs] == [1, 3]


@pytest.mark.parametrize("over", [True, False])
def test_open_cards__of_a_dummy_are_those_it_has_not_played(over: bool) -> None:
    known = dict(zip(PLACES[:2], CARDS, strict=False))
    hand = hand_of(away=0, known=known)
    hand.facts = replace(hand.facts, play_over=over)
    hand.sides[0].opened = {1: CARDS[1]}
    assert hand.open_cards(0) == (EMPTY if over else card_set(CARDS[:1]))


def test_play__from_a_place_that_is_empty_is_that_fault_and_no_other() -> None:
    hand = playing_hand()
    hand.sides[0].opened = {1: CARDS[1]}
    hand.play = hand.state().play(Card(9)).play(Card(10)).play(Card(11)).play(Card(12))
    turn, before = hand.state().turn, hand.play
    assert turn is not None
    hand.sides[turn].opened = {1: CARDS[1]}
    for position, rule in ((0, Rule.CARD), (1, Rule.POSITION), (4, Rule.POSITION)):
        body = Play(position=position, card=9, proof=b"")
        assert hand.take(Kind.PLAY, turn, 9, body) is rule, "the card was played before"
    assert hand.play is before


@pytest.mark.parametrize("card", cards_in(card_set(CARDS)))
def test_play__whose_proof_is_refused_changes_nothing(card: Card) -> None:
    hand = playing_hand()
    before = hand.play
    assert hand.take(Kind.PLAY, 0, 9, Play(0, int(card), bytes(64))) is not None
    assert hand.play is before
    assert not hand.sides[0].opened


def test_opening__whose_proof_is_refused_opens_nothing() -> None:
    hand = hand_of(rules=RuleSet())
    assert hand.take(Kind.OPEN, 0, 9, Open(4, bytes(64))) is Rule.POSITION
    assert hand.take(Kind.OPEN, 0, 9, Open(0, bytes(64))) is Rule.OPENING_PROOF
    assert hand.sides[0].opener is None
