from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.rules.cards import CardSet, add, card_set, cards_in, contains, parse_card
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet
from p2p_hearts.rules.play import playable, start_play
from p2p_hearts.rules.score import hand_scores
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.reasons import why_dimmed, why_not, why_not_now
from p2p_hearts.ui.scores import moon_seat, ranking, running_totals, taken_text
from p2p_hearts.ui.words import LETTERS, SYMBOLS
from tests.ui.games import Game
from tests.ui.scenes import STATUS, my_turn, passing_game, playing_game

OMNIBUS = PRESETS["omnibus"]


def cards(*names: str) -> CardSet:
    return card_set(parse_card(name) for name in names)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("jack_taker", range(3))
@pytest.mark.parametrize("moon", [Moon.OTHERS_ADD, Moon.SHOOTER_SUBTRACTS])
def test_moon_seat__is_told_from_the_scores_with_and_without_the_jack(
    seats: int, jack_taker: int, moon: Moon
) -> None:
    for jack in (0, -10):
        rules = RuleSet(seats=seats, moon=moon, jack_points=jack)
        taken = [card_set(()) for _ in range(seats)]
        taken[1] = rules.penalty_cards
        taken[jack_taker] = add(taken[jack_taker], parse_card("jd"))
        scores = hand_scores(rules, tuple(taken), (0,) * seats)
        assert moon_seat(rules, scores) == 1


def test_moon_seat__is_nobody_in_a_plain_hand_or_without_the_rule() -> None:
    game = playing_game()
    game.finish_hand()
    assert moon_seat(game.rules, game.match.hands[0]) is None
    assert moon_seat(RuleSet(moon=Moon.OFF), (0, 26, 26, 26)) is None
    assert moon_seat(OMNIBUS, (26, -10, 0, 0)) is None
    assert moon_seat(RuleSet(), (26, 0, 0, 0)) is None


def test_running_totals__add_up() -> None:
    match = new_match(RuleSet()).add((1, 2, 23, 0)).add((26, 0, 26, 26))
    assert running_totals(match) == ((1, 2, 23, 0), (27, 2, 49, 26))
    assert running_totals(new_match(RuleSet())) == ()


def test_ranking__winners_come_first_and_equal_totals_share_a_place() -> None:
    match = new_match(RuleSet(hands=1)).add((13, 0, 13, 0))
    assert ranking(match) == ((1, 1), (1, 3), (3, 0), (3, 2))
    decided = new_match(PRESETS["playboard"])
    decided = replace(decided, rules=replace(decided.rules, target=20))
    decided = decided.add((10, 6, 5, 5)).add((6, 0, 11, 9))
    assert ranking(decided)[0] == (1, 1)


def test_taken_text__counts_hearts_and_names_queen_and_jack() -> None:
    taken = cards("2h", "5h", "qs", "jd", "4c")
    assert taken_text(RuleSet(), card_set(()), SYMBOLS) == ""
    assert taken_text(RuleSet(), taken, SYMBOLS) == "♥×2 Q♠"
    assert taken_text(OMNIBUS, taken, SYMBOLS) == "♥×2 Q♠ J♦"
    assert taken_text(PRESETS["british"], taken, SYMBOLS) == "♥×2"
    assert taken_text(RuleSet(), taken, LETTERS) == "Hx2 QS"


def test_reasons__follow_suit() -> None:
    view = my_turn()
    assert why_not(view, parse_card("2d"), SYMBOLS) == ("Clubs were led, and you hold 7♣ 10♣ K♣.")
    assert why_not(view, parse_card("7c"), SYMBOLS) is None
    assert why_dimmed(view, SYMBOLS) == "Clubs were led, and you hold 7♣ 10♣ K♣."
    assert "7 of clubs, 10 of clubs and king of clubs" in (why_dimmed(view, None) or "")


def test_reasons__a_card_not_held() -> None:
    assert why_not(my_turn(), parse_card("2h"), SYMBOLS) == "You do not hold 2♥."


def test_reasons__whose_turn_it_is() -> None:
    assert why_not_now(my_turn(), STATUS) is None
    assert why_not_now(passing_game().view(), STATUS) is None
    assert why_not_now(playing_game(2).view(), STATUS) == "It is Nara's turn."
    waiting = replace(passing_game().view(), phase=Phase.WAIT_PASS)
    assert why_not_now(waiting, STATUS) == "The others are still choosing the cards to pass."
    assert why_not_now(replace(waiting, phase=Phase.DEAL), STATUS) == "No card can be played now."


def leading(*names: str, rules: RuleSet | None = None) -> View:
    """The person leads the second trick with these cards; hearts are not broken."""
    rules = RuleSet() if rules is None else rules
    state = start_play(rules, 3, 0)
    for name in ("2c", "3c", "4c", "5c"):
        state = state.play(parse_card(name))
    state = state._replace(past=state.past._replace(leader=0))
    hand = cards(*names)
    view = playing_game().view()
    return replace(view, rules=rules, play=state, hand=hand, legal=playable(hand, state))


def test_reasons__hearts_wait_to_be_broken() -> None:
    view = leading("6c", "2h")
    assert why_dimmed(view, SYMBOLS) == "Hearts cannot be led before they are broken."


def test_reasons__the_queen_waits_where_the_table_says_so() -> None:
    view = leading("6c", "qs", rules=RuleSet(queen_waits=True))
    assert why_dimmed(view, SYMBOLS) == "You cannot lead Q♠ before hearts are broken."


def test_reasons__no_penalty_card_on_the_first_trick() -> None:
    state = start_play(RuleSet(), 3, 3).play(parse_card("2c"))
    hand = cards("6d", "qs", "2h")
    view = replace(playing_game().view(), play=state, hand=hand, legal=playable(hand, state))
    assert why_dimmed(view, SYMBOLS) == (
        "No penalty card may be played on the first trick while you hold another card."
    )


def test_reasons__the_opening_card_opens() -> None:
    hand = cards("2c", "6d")
    for state in (start_play(RuleSet(), 3, 0), None):
        legal = cards("2c")
        view = replace(playing_game().view(), play=state, hand=hand, legal=legal)
        assert why_dimmed(view, SYMBOLS) == "The first trick must be opened with 2♣."


def test_reasons__every_dimmed_card_of_many_hands_has_one() -> None:
    """No card is dimmed for a reason that the words do not know."""
    for seed in range(12):
        for rules in (RuleSet(), PRESETS["omnibus"], RuleSet(queen_waits=True)):
            game = Game(rules, seed=seed)
            game.deal()
            game.pass_cards(card_set(cards_in(game.hands[0])[:3]))
            while game.phase is Phase.PLAY:
                view = game.view()
                if view.your_turn:
                    for card in cards_in(view.hand):
                        reason = why_not(view, card, SYMBOLS)
                        assert (reason is None) == contains(view.legal, card)
                        assert "do not allow" not in (reason or "")
                game.play_first_legal()
