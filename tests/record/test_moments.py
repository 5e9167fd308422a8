from __future__ import annotations

from p2p_hearts.record.moments import Event, moments, points_after, state_at
from p2p_hearts.rules.cards import Card, cards_in
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.wire.messages import Kind
from tests.record.games import honest_game
from tests.record.synthetic import played_hand
from tests.record.test_story import hand_of, index_of


def test_moments__of_a_hand_are_deal_pass_cards_and_score() -> None:
    hand = played_hand()
    told = moments(hand)
    assert [moment.event for moment in told] == [
        Event.DEAL, Event.PASS, *[Event.PLAY] * 52, Event.SCORE
    ]  # fmt: skip
    plays = told[2:-1]
    assert [(moment.seat, moment.card) for moment in plays] == list(hand.plays)
    assert [moment.trick for moment in plays[:5]] == [0, 0, 0, 0, 1]
    assert [moment.ends_trick for moment in plays[:4]] == [False] * 3 + [True]


def test_moments__of_a_hand_without_a_pass_have_none() -> None:
    hand = played_hand(number=4)
    assert Event.PASS not in [moment.event for moment in moments(hand)]


def test_state_at__is_the_play_card_by_card() -> None:
    hand = played_hand()
    for moment in moments(hand):
        state = state_at(hand, moment)
        if moment.event in (Event.DEAL, Event.PASS):
            assert state is None
            continue
        assert state is not None
        cards = sum(len(trick.cards) for trick in state.tricks) + len(state.trick)
        assert cards == moment.plays
    assert state == hand.play


def test_points_after__grow_to_the_points_of_the_hand() -> None:
    hand = played_hand()
    told = moments(hand)
    assert points_after(hand, told[0]) == (0, 0, 0, 0)
    assert sum(points_after(hand, told[-1])) == 26
    before: tuple[int, ...] = (0, 0, 0, 0)
    for moment in told:
        now = points_after(hand, moment)
        assert all(new >= old for new, old in zip(now, before, strict=True))
        before = now


def test_moments__show_a_widow_after_the_trick_that_won_it() -> None:
    hand = played_hand(PRESETS["cancellation"])
    assert hand.play is not None
    told = moments(hand)
    (at,) = [number for number, moment in enumerate(told) if moment.event is Event.WIDOW]
    trick = next(n for n, trick in enumerate(hand.play.tricks) if trick.winner is not None)
    assert told[at].seat == hand.play.tricks[trick].winner
    assert told[at].plays == (trick + 1) * 6
    state = state_at(hand, told[at])
    assert state is not None
    assert state.widow == hand.play.widow
    before = state_at(hand, told[at - 1])
    assert before is not None
    assert not before.widow
    assert state_at(hand, told[-1]) == hand.play


def test_moments__end_with_a_claim() -> None:
    hand = played_hand(seed=3, claims=True)
    assert hand.play is not None
    assert hand.play.claimed is not None
    *_, claim, score = moments(hand)
    assert [claim.event, score.event] == [Event.CLAIM, Event.SCORE]
    assert claim.seat == hand.play.claimed.seat
    assert claim.step is not None
    assert claim.step.kind is Kind.CLAIM
    assert state_at(hand, claim) == hand.play
    assert sum(points_after(hand, score)) == 26


def test_moments__of_a_hand_that_was_not_played_are_its_deal() -> None:
    game = honest_game()
    hand = hand_of(game.records()[: index_of(game, Kind.SHARES)])
    assert [moment.event for moment in moments(hand)] == [Event.DEAL]
    played = hand_of(game.records()[: index_of(game, Kind.PLAY, 20)])
    assert [moment.event for moment in moments(played)].count(Event.PLAY) == 21
    assert cards_in(played.held[0]) == tuple(sorted(
        Card(card) for seat, card in played.plays if seat == 0
    ))  # fmt: skip
