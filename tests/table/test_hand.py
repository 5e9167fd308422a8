"""A hand from the inside: the player's decisions, and the choice after a moon."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import Struct

from p2p_hearts.agreement.rounds import Facts, next_stage
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.crypto.elgamal import Ciphertext
from p2p_hearts.crypto.group import BASE
from p2p_hearts.rules.cards import EMPTY, Card, Suit, card_set, cards_in, make_card
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.score import MoonChoice, score_hand
from p2p_hearts.rules.view import Phase
from p2p_hearts.table.hand import Ground, Hand
from p2p_hearts.table.machine import Table
from p2p_hearts.table.views import make_view
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.lobby import hash_rules
from p2p_hearts.wire.messages import Choice, Complaint, Kind, Open, Play, Seals
from tests.table.cheats import ONE_HAND
from tests.table.sim import Sim

CHOICE = RuleSet(pass_count=0).with_options({"opening": "none", "moon": "choice"})
TABLE = bytes(32)


def shot_moon(rules: RuleSet) -> PlayState:
    """A hand in which seat 0, left of the dealer, has won every trick."""
    state = start_play(rules, dealer=3)
    for suit in Suit:
        for top in range(3):
            for rank in (14 - top, *(2 + 3 * top + other for other in range(3))):
                state = state.play(make_card(suit, rank))
    for suit in Suit:
        state = state.play(make_card(suit, 11))
    return state


def hand_after_a_moon(rules: RuleSet, seat: int = 0) -> Hand:
    ground = Ground(
        TABLE, rules, hash_rules(rules), Encoding(rules), (), TableKey(bytes(32), bytes(32))
    )
    hand = Hand(ground, 1, 1, 3, seat, HandSecret(bytes(32), TABLE, 1, 1, seat))
    hand.facts = Facts(seats=4, keyed=True, shuffles=4, shared=True)
    hand.play = shot_moon(rules)
    hand.close(Kind.PLAY)
    return hand


def test_choice__is_asked_of_the_shooter_before_the_reveal() -> None:
    for seat in range(4):
        hand = hand_after_a_moon(CHOICE, seat)
        stage = hand.next_stage()
        assert stage is not None
        assert stage.kind is Kind.CHOICE
        assert hand.speakers(stage) == (0,)
        assert hand.needs_decision(Kind.CHOICE)
        decision = Kind.CHOICE if seat == 0 else None
        view = make_view(hand, new_match(CHOICE), decision)
        assert view.phase is (Phase.CHOOSE_MOON if seat == 0 else Phase.HAND_OVER)
        assert view.your_turn == (seat == 0)


@pytest.mark.parametrize(
    ("choice", "scores"),
    [
        (MoonChoice.OTHERS_ADD, (0, 26, 26, 26)),
        (MoonChoice.SHOOTER_SUBTRACTS, (-26, 0, 0, 0)),
    ],
)
def test_choice__decides_the_score(choice: MoonChoice, scores: tuple[int, ...]) -> None:
    hand = hand_after_a_moon(CHOICE)
    hand.chosen_moon = choice
    assert not hand.needs_decision(Kind.CHOICE)
    said = hand.speak(Kind.CHOICE, 60)
    assert said == Choice(str(choice))
    assert hand.take(Kind.CHOICE, 0, 60, said) is None
    hand.close(Kind.CHOICE)
    stage = next_stage(hand.facts)
    assert stage is not None
    assert stage.kind is Kind.REVEAL
    assert hand.play is not None
    assert score_hand(new_match(CHOICE), hand.play.taken, hand.moon) == scores


@pytest.mark.parametrize("moon", ["", "both", "OTHERS-ADD", "others_add", "safe"])
def test_choice__that_the_rules_do_not_offer_is_refused(moon: str) -> None:
    hand = hand_after_a_moon(CHOICE)
    assert hand.take(Kind.CHOICE, 0, 60, Choice(moon)) is Rule.CHOICE
    assert hand.moon is None


def test_choice__is_not_asked_where_the_rules_have_decided() -> None:
    for rules in (RuleSet(pass_count=0), CHOICE.with_options({"moon": "off"})):
        hand = hand_after_a_moon(rules.with_options({"opening": "none"}))
        stage = hand.next_stage()
        assert stage is not None
        assert stage.kind is Kind.REVEAL


def hand_in_play(seat: int) -> Hand:
    """The first lead is due, from seat 0; this seat holds all clubs."""
    hand = hand_after_a_moon(CHOICE, seat)
    hand.facts = replace(hand.facts, play_over=False, choice_waits=False)
    hand.play = start_play(CHOICE, dealer=3)
    hand.cards = tuple(make_card(Suit.CLUBS, rank) for rank in range(2, 15))
    for side in hand.sides:
        side.public = BASE
    return hand


def test_legal__is_nothing_out_of_turn() -> None:
    leader, follower = hand_in_play(0), hand_in_play(1)
    assert leader.legal() == leader.own_cards == follower.own_cards != EMPTY
    assert follower.legal() == EMPTY


@pytest.mark.parametrize(
    ("owners", "rule"), [([], None), ([1], Rule.COMPLAINT), ([2, 0], Rule.COMPLAINT)]
)
@pytest.mark.parametrize("more", [[], [4]])
def test_seals__with_complaints_of_itself_in_disorder_or_of_nobody_are_refused(
    owners: list[int], more: list[int], rule: Rule | None
) -> None:
    complaints = [Complaint(owner, bytes(32), bytes(64)) for owner in (*owners, *more)]
    found = hand_in_play(0).take(Kind.SEALS, 1, 7, Seals(complaints))
    assert found is (Rule.COMPLAINT if more else rule)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (Kind.OPEN, Open(0, bytes(64))),
        (Kind.PLAY, Play(0, int(make_card(Suit.CLUBS, 2)), bytes(64))),
    ],
)
@pytest.mark.parametrize("holds", [False, True])
def test_card__at_no_place_of_the_hand_or_without_a_proof_is_refused(
    kind: Kind, body: Struct, holds: bool
) -> None:
    hand = hand_in_play(1)
    hand.ground = replace(hand.ground, rules=RuleSet(), encoding=Encoding(RuleSet()))
    hand.sides[0].hand = (Ciphertext(BASE, BASE),) if holds else ()
    proof = Rule.OPENING_PROOF if kind is Kind.OPEN else Rule.CARD
    assert hand.take(kind, 0, 9, body) is (proof if holds else Rule.POSITION)
    assert not hand.sides[0].opened


def waiting_for(kind: Kind) -> Table:
    """A table that waits for its player."""
    sim = Sim(ONE_HAND)
    found: list[Table] = []
    usual = sim._decide

    def decide(place: int) -> None:
        table = sim.tables[place]
        if table.decision is kind:
            found.append(table)
            sim.stopped.update(range(4))
        else:
            usual(place)

    sim._decide = decide  # type: ignore[method-assign]
    sim.run(lambda: bool(found))
    return found[0]


def asked_of(table: Table) -> Kind | None:
    return table.decision


def test_pass__of_cards_that_may_not_be_passed_is_refused_with_a_sentence() -> None:
    table = waiting_for(Kind.PASS_SELECT)
    assert table.hand is not None
    own = cards_in(table.hand.own_cards)
    foreign = [Card(face) for face in range(52) if face not in own]
    for cards in ([], own[:2], own[:4], [*own[:2], foreign[0]]):
        with pytest.raises(ValueError, match="passed"):
            table.choose_pass(card_set(cards))
    assert asked_of(table) is Kind.PASS_SELECT
    with pytest.raises(ValueError, match="does not wait"):
        table.choose_card(own[0])
    with pytest.raises(ValueError, match="does not wait"):
        table.choose_moon(MoonChoice.OTHERS_ADD)
    with pytest.raises(ValueError, match="does not wait"):
        table.choose_claim()
    table.choose_pass(card_set(own[-3:]))
    assert asked_of(table) is None
    with pytest.raises(ValueError, match="does not wait"):
        table.choose_pass(card_set(own[-3:]))


def test_play__of_a_card_that_may_not_be_played_is_refused_and_said_to_nobody() -> None:
    table = waiting_for(Kind.PLAY)
    view = table.view()
    assert view is not None
    for face in range(52):
        if not view.may_play(Card(face)):
            with pytest.raises(ValueError, match="may not be played"):
                table.choose_card(Card(face))
    assert asked_of(table) is Kind.PLAY
    with pytest.raises(ValueError, match="does not wait"):
        table.choose_pass(card_set([]))
    table.choose_card(cards_in(view.legal)[0])
    assert asked_of(table) is None
