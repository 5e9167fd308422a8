"""The rules of the program and of ``protocol/verify.py``, written apart, agree on any rule set."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from p2p_hearts.rules import dummy, play, rest, score
from p2p_hearts.rules.cards import Card, card_set, cards_in
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import RuleError, RuleSet
from protocol import verify

GAMES = 8
DEEP = 400


def any_options(random: Random) -> dict[str, int | str | bool]:
    packs = random.choice([1, 1, 2])
    return {
        **RuleSet().to_dict(),
        "packs": packs,
        "seats": random.randint(2, 7) if packs == 1 else random.randint(5, 12),
        "opening": "none" if packs == 2 else random.choice(["lowest-club", "none"]),
        "pass_count": 0,
        "first_trick_penalties": random.random() < 0.3,
        "heart_points": random.choice(["one", "face"]),
        "hearts_break": random.random() < 0.7,
        "jack_points": random.choice([0, -10]),
        "moon": random.choice(["others-add", "shooter-subtracts", "choice", "safe", "off"]),
        "queen_breaks": random.random() < 0.5,
        "queen_points": random.choice([0, 13]),
        "queen_waits": random.random() < 0.5,
        "hands": random.choice([1, 2]),
        "target": random.choice([1, 10, 30, 60]),
        "tie": random.choice(["another-hand", "latest-hand"]),
    }


def deal(rules: verify.Rules, random: Random) -> tuple[list[list[int]], list[int]]:
    """Hands and widow; often one hand has the high cards, for claims and moons."""
    pack, size = list(rules.pack), rules.hand_size
    random.shuffle(pack)
    if random.random() < 0.5:
        pack.sort(key=lambda face: -verify.rank(face))
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
    random.shuffle(hands)
    return hands, pack[rules.seats * size :]


def play_hand(
    rules: RuleSet, other: verify.Rules, dealer: int, random: Random
) -> tuple[play.PlayState, verify.Play]:
    """Play a hand in both, and compare all that is public after every card."""
    hands, widow = deal(other, random)
    opening = other.opening
    first = None if opening is None else next(s for s, hand in enumerate(hands) if opening in hand)
    state = play.start_play(rules, dealer, first)
    again = verify.Play(other, (dealer + 1) % rules.seats if first is None else first)
    claims = random.random() < 0.5
    while not state.over:
        assert (state.turn, state.widow_due) == (again.turn, again.widow_due)
        seat = state.turn
        if seat is None:
            state = state.with_widow([Card(face) for face in widow])
            again.open_widow(widow)
            continue
        hand = hands[seat]
        held = card_set([Card(face) for face in hand])
        legal = [int(card) for card in cards_in(play.playable(held, state))]
        assert set(legal) == verify.legal(other, set(hand), again.now)
        assert dummy.dummy_card(held, state) == verify.dummy_card(again, hand)
        stands = rest.claim_stands(state, seat, held)
        assert stands == again.claim_stands(seat, hand)
        if stands and claims:
            again.take_rest(seat)
            return rest.claim_rest(state, seat, held), again
        card = random.choice(legal)
        assert play.claim(Card(card), state) == verify.claim_of(other, card, again.now)
        state = state.play(Card(card))
        again.play(card)
        hand.remove(card)
    assert list(play.proven_voids(state)) == again.voids
    return state, again


def assert_agreement(seed: int) -> None:
    random = Random(seed)
    options = any_options(random)
    try:
        rules = RuleSet.from_dict(options)
    except RuleError:
        assert verify.bad_rules(options), options
        return
    assert not verify.bad_rules(options), options
    other, match, scores = verify.Rules(options), new_match(rules), list[list[int]]()
    while not match.over and len(scores) < 3:
        state, again = play_hand(rules, other, len(scores) % rules.seats, random)
        assert [Counter(map(int, cards_in(cards))) for cards in state.taken] == [
            Counter(cards) for cards in again.taken
        ]
        asked = score.choosing_shooter(rules, state.taken) is not None
        choice = random.choice(list(score.MoonChoice)) if asked else None
        found = score.score_hand(match, state.taken, choice)
        assert list(found) == verify.scored(other, again.taken, scores, choice or "")
        match = match.add(found)
        scores.append(list(found))
        assert match.over == verify.match_over(other, scores)


def test_rules__of_program_and_verifier_agree_on_hands_of_any_rule_set() -> None:
    for seed in range(GAMES):
        assert_agreement(seed)


@pytest.mark.deep
def test_rules__of_program_and_verifier_agree_on_hundreds_of_hands() -> None:
    for seed in range(GAMES, DEEP):
        assert_agreement(seed)
