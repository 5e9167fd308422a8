"""What an audit tells of a game: as much as its log proves, and no more."""

from __future__ import annotations

from itertools import count

import pytest

from p2p_hearts.record.audit import Report, Verdict, audit
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.record.audit.story import HandStory, known_cards
from p2p_hearts.record.log import read_log
from p2p_hearts.rules.cards import EMPTY, Card, CardSet, card_set, cards_in, size
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import start_play
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind
from tests.record.cheats import Once, another_secret, illegal_card
from tests.record.games import MEMO, ONE_HAND, cancellation_game, honest_game
from tests.record.maker import Game, Records, write
from tests.record.stories import assert_told


def told(records: Records, memo: Memo = MEMO) -> Report:
    return audit(read_log(write(records)), memo=memo, tells=True)


def hand_of(records: Records) -> HandStory:
    (hand,) = told(records).story
    return hand


def test_story__has_the_cards_that_were_dealt_and_passed() -> None:
    seen: list[list[tuple[Card, ...]]] = []

    def look(game: Game, kind: Kind) -> bool:
        if kind is Kind.PASS:
            seen.append([
                tuple(game.read(seat, card) for card in game.hands[seat]) for seat in game.seats
            ])  # fmt: skip
        return False

    game = Game(ONE_HAND, stop_at=look).run()
    hand = hand_of(game.records())
    for seat, dealt in enumerate(seen[0]):
        assert hand.dealt[seat] == card_set(dealt)
        assert hand.passed[seat] == card_set(dealt[at] for at in game.chosen[seat])
        played = card_set(card for player, card in hand.plays if player == seat)
        assert hand.held[seat] == played
    assert hand.play == game.playing
    assert hand.scores == game.match.hands[0]


@pytest.mark.parametrize(
    "game", [honest_game, pytest.param(cancellation_game, marks=pytest.mark.deep)]
)
def test_story__of_a_clean_match_accounts_for_every_card(game: object) -> None:
    assert callable(game)
    report = told(game().records())
    assert report.verdict is Verdict.CLEAN
    assert_told(report)


def test_story__of_a_claimed_hand_shows_every_card() -> None:
    game = Game(RuleSet(hands=1), seed="claims 2", claims=True).run()
    report = told(game.records())
    assert_told(report)
    before = told(game.records()[: index_of(game, Kind.REVEAL)])
    play = before.story[0].play
    assert play is not None
    assert play.claimed is not None
    assert size(before.story[0].held[play.claimed.seat]) == ONE_HAND.hand_size


def index_of(game: Game, kind: Kind, number: int = 0) -> int:
    """The record at which the content of this kind stands."""
    places = [at for at, sealed in enumerate(game.contents, 2) if sealed.content.kind == kind]
    return places[number]


def test_story__shows_nothing_of_a_hand_that_was_not_revealed_but_what_was_played() -> None:
    game = honest_game()
    hand = hand_of(game.records()[: index_of(game, Kind.PLAY, 20)])
    assert hand.dealt == hand.passed == (EMPTY,) * 4
    assert len(hand.plays) == 21  # with the opening
    assert not hand.is_shown
    assert hand.scores is None
    for seat in range(4):
        assert hand.held[seat] == card_set(card for player, card in hand.plays if player == seat)


def test_story__shows_the_hands_of_those_who_revealed_and_what_they_prove_of_others() -> None:
    """One secret shows what its seat was dealt and passed, and what it was passed."""
    game = honest_game()
    whole = hand_of(game.records())
    hand = hand_of(game.records()[: index_of(game, Kind.REVEAL, 1)])
    (shown,) = hand.revealed
    giver = (shown - hand.offset) % 4
    for seat in range(4):
        assert hand.dealt[seat] == (whole.dealt[seat] if seat == shown else EMPTY)
        assert hand.passed[seat] == (whole.passed[seat] if seat in (shown, giver) else EMPTY)
    assert hand.held == whole.held


def test_story__shows_what_was_dealt_to_the_last_one_who_has_not_revealed() -> None:
    """Its play was open, and what it passed and got is known from the others' secrets."""
    game = honest_game()
    hand = hand_of(game.records()[: index_of(game, Kind.REVEAL, 3)])
    assert len(hand.revealed) == 3
    whole = hand_of(game.records())
    assert (hand.dealt, hand.passed, hand.held) == (whole.dealt, whole.passed, whole.held)


def test_story__of_a_log_that_ends_while_cards_are_dealt_has_steps_alone() -> None:
    game = honest_game()
    hand = hand_of(game.records()[: index_of(game, Kind.SHARES)])
    assert hand.play is None
    assert hand.held == (EMPTY,) * 4
    assert [step.kind for step in hand.steps[:5]] == [Kind.KEY] * 4 + [Kind.SHUFFLE]


def test_story__of_a_log_without_hands_is_empty() -> None:
    assert told(honest_game().records()[:4]).story == ()
    assert told([]).story == ()


def test_story__is_told_only_where_asked_for() -> None:
    assert audit(read_log(honest_game().log()), memo=MEMO).story == ()


def test_story__names_what_every_step_proved() -> None:
    hand = hand_of(honest_game().records())
    kinds = [step.kind for step in hand.steps]
    assert kinds.count(Kind.SHUFFLE) == kinds.count(Kind.REVEAL) == 4
    (reveal, *_) = [step for step in hand.steps if step.kind is Kind.REVEAL]
    assert reveal.verified["revealed secrets"] == 1
    assert reveal.verified["messages made again"] > 7
    due = [step for step in hand.steps if step.verified.get("class proofs")]
    assert due
    assert all(step.kind is Kind.PLAY for step in due)


def test_story__takes_time_by_the_clock_it_is_given() -> None:
    ticks = count()
    memo = Memo(lambda: float(next(ticks)))
    records = honest_game().records()[: index_of(honest_game(), Kind.SHARES)]
    first, second = told(records, memo), told(records, memo)
    steps = first.story[0].steps
    assert {step.seconds for step in steps if step.kind is Kind.SHUFFLE} == {1.0}
    assert {step.seconds for step in steps if step.kind is Kind.SEALS} == {0.0}
    assert second.story[0].seconds == first.story[0].seconds == sum(s.seconds for s in steps) > 0


def test_story__marks_the_step_that_broke_a_rule() -> None:
    game = Game(ONE_HAND, tamper=Once(Kind.PLAY, illegal_card(Rule.REVOKE))).run()
    hand = hand_of(game.records())
    broken = [step for step in hand.steps if step.rule is not None]
    assert [(step.seat, step.rule) for step in broken] == [(game.liar, Rule.REVOKE)]
    assert broken[0] is hand.steps[-1]
    assert (broken[0].seat, broken[0].card) not in hand.plays


def test_story__reads_no_card_with_another_secret_than_the_one_of_the_hand() -> None:
    game = Game(ONE_HAND, tamper=Once(Kind.REVEAL, another_secret)).run()
    hand = hand_of(game.records())
    assert game.liar not in hand.revealed
    assert hand.dealt == hand_of(honest_game().records()).dealt  # the others' secrets prove it


def test_known_cards__adds_what_a_claim_shows_to_what_was_played() -> None:
    rules = ONE_HAND
    opened = start_play(rules, 0, 2).play(Card(0))
    hidden = [(None,) * 13 for _ in range(4)]
    held = [*hidden[:2], (Card(0), *(None,) * 12), hidden[3]]
    _, _, after = known_cards(rules, 0, hidden, (), held, opened)
    assert [cards_in(cards) for cards in after] == [(), (), (0,), ()]
    assert known_cards(rules, 0, hidden, (), hidden, None)[2] == (CardSet(0),) * 4
