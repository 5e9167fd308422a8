"""Claims of the rest: never accepted when another distribution would refute them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from p2p_hearts.rules.cards import (
    CardSet,
    card_set,
    cards_in,
    contains,
    parse_card,
    remove,
    size,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.rest import (
    claim_rest,
    claim_stands,
    may_claim,
    rest_is_mine,
    rest_is_worthless,
    taken_after_claim,
)
from p2p_hearts.rules.score import points_of
from p2p_hearts.rules.trick import Trick
from tests.rules.dealer import Hand, RandomPlayer, play_hand
from tests.rules.strategies import generators, rule_sets


def cards(text: str) -> CardSet:
    return card_set(parse_card(name) for name in text.split())


def endgame(left: dict[int, str]) -> PlayState:
    """Four seats, seat 0 leads, the named cards are left, and no void was proven."""
    rules = RuleSet()
    held = [cards(left.get(seat, "")) for seat in range(4)]
    count = size(held[0])
    assert {size(hand) for hand in held} == {count}
    state = start_play(rules, 3, 0)
    gone = rules.pack_set
    for hand in held:
        gone = CardSet(gone & ~hand)
    past = state.past._replace(
        tricks=(Trick(0, (), 0),) * (13 - count), broken=True, taken=(gone, *state.taken[1:])
    )
    return PlayState(past, (), CardSet(rules.pack_set & ~gone), 0)


def test_rest__is_mine_with_the_highest_cards() -> None:
    state = endgame({0: "AH KH", 1: "QH 2C", 2: "JH 3C", 3: "10H 4C"})
    assert rest_is_mine(state, 0, cards("AH KH"))


def test_rest__is_not_mine_while_a_higher_heart_is_out() -> None:
    state = endgame({0: "KH QH", 1: "AH 2C", 2: "JH 3C", 3: "10H 4C"})
    assert not rest_is_mine(state, 0, cards("KH QH"))
    assert not claim_stands(state, 0, cards("KH QH"))


def test_rest__a_lower_card_is_good_once_the_higher_one_must_have_fallen() -> None:
    """A Q against the king alone: its holder must follow to the ace."""
    state = endgame({0: "AH QH", 1: "KH 2C", 2: "2D 3C", 3: "3D 4C"})
    assert rest_is_mine(state, 0, cards("AH QH"))


def test_rest__a_higher_card_may_be_guarded_by_any_other_of_its_suit() -> None:
    """K and 2 may be in one hand, wherever they really are."""
    state = endgame({0: "AH QH", 1: "KH 2C", 2: "2H 3C", 3: "3D 4C"})
    assert not rest_is_mine(state, 0, cards("AH QH"))


def test_rest__proven_voids_may_leave_no_room_for_a_guard() -> None:
    """Seat 2 can have spades only, seat 1 must have the heart, seat 3 the diamond: so the two
    clubs that are out are in two hands, and both fall under the ace."""
    state = endgame({0: "AC QC", 1: "KC 5H", 2: "7S 8S", 3: "5C 6D"})
    shown = [
        (0, "2C 3C 3D 4C"),  # seat 2 has no club
        (3, "4D 5D 3S 4S"),  # seats 1 and 2 have no diamond
        (0, "3H 4H 5S 6S"),  # seats 2 and 3 have no heart
    ]
    tricks = tuple(
        Trick(lead, tuple(((lead + at) % 4, parse_card(c)) for at, c in enumerate(row.split())), 0)
        for lead, row in shown
    )
    made_up = (Trick(0, (), 0),)
    known = state._replace(past=state.past._replace(tricks=tricks + made_up * 8))
    assert rest_is_mine(known, 0, cards("AC QC"))
    less = state._replace(past=state.past._replace(tricks=tricks[:2] + made_up * 9))
    assert not rest_is_mine(less, 0, cards("AC QC"))


def test_rest__a_queen_that_must_wait_comes_last_of_its_suit() -> None:
    """Unbroken, the nine must be led before the queen, and the ten may be guarded until then."""
    state = endgame({0: "AS QS 9S", 1: "10S 2S 2C", 2: "3C 4C 5C", 3: "6C 7C 8C"})
    rules = RuleSet(queen_waits=True)
    waiting = state._replace(past=state.past._replace(rules=rules, broken=False))
    assert not rest_is_mine(waiting, 0, cards("AS QS 9S"))
    broken = state._replace(past=state.past._replace(rules=rules))
    assert rest_is_mine(broken, 0, cards("AS QS 9S"))


def test_rest__is_claimed_by_the_leader_only() -> None:
    state = endgame({0: "2H 3H", 1: "AH KH", 2: "2C 3C", 3: "2D 3D"})
    assert not rest_is_mine(state, 1, cards("AH KH"))


def test_rest__is_not_claimed_in_the_middle_of_a_trick() -> None:
    state = endgame({0: "AH KH", 1: "QH 2C", 2: "JH 3C", 3: "10H 4C"}).play(parse_card("AH"))
    assert not rest_is_mine(state, 0, cards("KH"))


def test_rest__is_not_claimed_on_trick_one() -> None:
    rules = RuleSet()
    clubs = cards("2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC")
    assert not rest_is_mine(start_play(rules, 3, 0), 0, clubs)


def test_rest__is_worthless_once_all_that_counts_is_taken() -> None:
    state = endgame({0: "2C 3C", 1: "AC KC", 2: "2D 3D", 3: "2S 3S"})
    assert rest_is_worthless(state)
    assert claim_stands(state, 0, cards("2C 3C"))
    assert claim_stands(state, 1, cards("AC KC"))
    assert not rest_is_worthless(endgame({0: "2C 3C", 1: "AC KC", 2: "2D 3D", 3: "2S 2H"}))


def test_rest__the_jack_counts_in_omnibus() -> None:
    state = endgame({0: "2C 3C", 1: "AC KC", 2: "JD 3D", 3: "2S 3S"})
    assert rest_is_worthless(state)
    rules = PRESETS["omnibus"]
    assert not rest_is_worthless(state._replace(past=state.past._replace(rules=rules)))


def test_rest__a_penalty_on_the_table_is_not_worthless() -> None:
    state = endgame({0: "2H 3C", 1: "AC KC", 2: "2D 3D", 3: "2S 3S"}).play(parse_card("2H"))
    assert not rest_is_worthless(state)


def test_rest__refuses_a_hand_of_another_size() -> None:
    state = endgame({0: "AH KH", 1: "QH 2C", 2: "JH 3C", 3: "10H 4C"})
    with pytest.raises(ValueError, match="2 cards, not 1"):
        claim_stands(state, 0, cards("AH"))


def test_rest__an_equal_card_with_two_packs_may_cancel() -> None:
    rules = PRESETS["cancellation"]
    past = start_play(rules, 5).past._replace(
        tricks=(Trick(0, (), 0),) * 16, widow_owner=0, widow=cards("2C 2C")
    )
    state = PlayState(past, (), cards("AC AC 2D 3D 4D 5D"), 0)
    assert not rest_is_mine(state, 0, cards("AC"))
    state = PlayState(past, (), cards("AC KC 2D 3D 4D 5D"), 0)
    assert rest_is_mine(state, 0, cards("AC"))


def test_taken_after_claim__gives_the_claimer_all_that_is_left() -> None:
    state = endgame({0: "AH KH", 1: "QH 2C", 2: "JH 3C", 3: "10H 4C"})
    taken = taken_after_claim(state, 0)
    assert taken[0] == RuleSet().pack_set
    assert sum(points_of(RuleSet(), pile) for pile in taken) == 26


def test_claim_rest__ends_the_hand_with_everything_given_away() -> None:
    state = endgame({0: "AH KH", 1: "QH 2C", 2: "JH 3C", 3: "10H 4C"})
    assert may_claim(state, 0, cards("AH KH"))
    after = claim_rest(state, 0, cards("AH KH"))
    assert after.over
    assert after.turn is None
    assert after.taken[0] == RuleSet().pack_set
    assert after.claimed == (0, cards("AH KH"))
    assert [after.cards_left(seat) for seat in range(4)] == [0] * 4


def test_claim_rest__refuses_a_false_claim_and_cards_that_are_gone() -> None:
    state = endgame({0: "KH QH", 1: "AH 2C", 2: "JH 3C", 3: "10H 4C"})
    assert not may_claim(state, 0, cards("KH QH"))
    assert not may_claim(state, 1, cards("AH 2C"))  # it is not its turn
    with pytest.raises(ValueError, match="does not make it certain"):
        claim_rest(state, 0, cards("KH QH"))
    with pytest.raises(ValueError, match="does not hold AS"):
        claim_rest(state, 0, cards("KH AS"))


def test_rest__is_not_claimed_while_the_widow_lies_hidden() -> None:
    past = start_play(PRESETS["cancellation"], 5).past._replace(tricks=(Trick(0, (), None),) * 16)
    state = PlayState(past, (), cards("AC KC 2D 3D 4D 5D 2C 2C"), 0)
    assert not rest_is_mine(state, 0, cards("AC"))


def worst_case(state: PlayState, hands: list[CardSet], seat: int) -> bool:
    """Whether ``seat`` wins every trick left whatever the others legally play: all plays of the
    others are tried, against the best order of leads."""
    if not state.unseen:
        return True
    turn = state.turn
    assert turn is not None
    outcomes = []
    for card in cards_in(playable(hands[turn], state)):
        rest = list(hands)
        rest[turn] = remove(hands[turn], card)
        after = state.play(card)
        won = bool(after.trick) or after.tricks[-1].winner == seat
        outcomes.append(won and worst_case(after, rest, seat))
        if outcomes[-1] == (turn == seat):
            break
    return any(outcomes) if turn == seat else all(outcomes)


def test_rest__is_accepted_only_where_every_play_of_the_true_hands_bears_it_out() -> None:
    """On real endgames: whatever stands is true for the hands as they were, too."""
    rng = random.Random(11)
    stood = refused = 0

    def watch(hand: Hand) -> None:
        nonlocal stood, refused
        play = hand.play
        assert play is not None
        if play.turn is None or play.trick or not 1 <= play.tricks_left <= 3:
            return
        if rest_is_mine(play, play.turn, hand.hands[play.turn]):
            stood += 1
            assert worst_case(play, list(hand.hands), play.turn)
        else:
            refused += 1

    for _ in range(150):
        play_hand(new_match(RuleSet()), 0, [RandomPlayer(rng)] * 4, rng, watch)
    assert stood > 20
    assert refused > 20


def test_rest__is_accepted_exactly_if_no_distribution_of_the_last_two_tricks_refutes_it() -> None:
    """All distributions that public facts allow are dealt out, on real endgames."""
    rng = random.Random(12)
    seen = {True: 0, False: 0}

    def watch(hand: Hand) -> None:
        play = hand.play
        assert play is not None
        if play.turn is None or play.trick or play.tricks_left != 2:
            return
        mine = hand.hands[play.turn]
        stands = rest_is_mine(play, play.turn, mine)
        seen[stands] += 1
        assert stands == all(
            worst_case(play, hands, play.turn) for hands in _distributions(hand, play)
        )

    for _ in range(60):
        play_hand(new_match(RuleSet()), 0, [RandomPlayer(rng)] * 4, rng, watch)
    assert min(seen.values()) > 5


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_rest__stands_only_where_every_play_of_the_true_hands_bears_it_out_in_every_preset(
    preset: str,
) -> None:
    rules, rng = PRESETS[preset], random.Random(preset)
    stood = 0

    def watch(hand: Hand) -> None:
        nonlocal stood
        play = hand.play
        assert play is not None
        if play.turn is None or play.trick or play.tricks_left > 2:
            return
        if rest_is_mine(play, play.turn, hand.hands[play.turn]):
            stood += 1
            assert worst_case(play, list(hand.hands), play.turn)

    for _ in range(25):
        play_hand(new_match(rules), 0, [RandomPlayer(rng)] * rules.seats, rng, watch)
    assert stood > 5


@settings(max_examples=30, deadline=None)
@given(rule_sets(), generators())
def test_claim_rest__ends_the_hand_with_every_card_taken_in_random_rules(
    rules: RuleSet, rng: random.Random
) -> None:
    def watch(hand: Hand) -> None:
        play = hand.play
        assert play is not None
        assert play.turn is not None
        mine = hand.hands[play.turn]
        if not may_claim(play, play.turn, mine):
            return
        after = claim_rest(play, play.turn, mine)
        assert after.over
        assert after.turn is None
        assert after.claimed == (play.turn, mine)
        assert after.taken == taken_after_claim(play, play.turn)
        assert sum(size(pile) for pile in after.taken) == len(rules.pack)
        assert {after.cards_left(seat) for seat in range(rules.seats)} == {0}
        if rest_is_worthless(play):
            left = points_of(rules, after.taken[play.turn])
            assert left == points_of(rules, play.taken[play.turn])

    play_hand(new_match(rules), 0, [RandomPlayer(rng)] * rules.seats, rng, watch)


def _distributions(hand: Hand, play: PlayState) -> list[list[CardSet]]:
    """Every way in which the hidden cards may lie, by voids and numbers of cards."""
    assert play.turn is not None
    others = [seat for seat in range(4) if seat != play.turn]
    hidden = [card for card in cards_in(play.unseen) if not contains(hand.hands[play.turn], card)]
    found: list[list[CardSet]] = []

    def place(at: int, held: dict[int, list[int]]) -> None:
        if at == len(hidden):
            hands = list(hand.hands)
            for seat, given in held.items():
                hands[seat] = card_set(hidden[i] for i in given)
            found.append(hands)
            return
        for seat in others:
            void = hand.voids[seat] >> hand.rules.card_class(hidden[at]) & 1
            if len(held[seat]) < play.tricks_left and not void:
                place(at + 1, {**held, seat: [*held[seat], at]})

    place(0, {seat: [] for seat in others})
    return found
