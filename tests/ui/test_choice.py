from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.rules.cards import EMPTY, Card, card_name, card_set, cards_in, contains, parse_card
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.texts import describe
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.choice import (
    BACKSPACE,
    ENTER,
    ESCAPE,
    FIRST,
    HINT,
    LAST,
    LEAVE,
    LEFT,
    NEXT_LEGAL,
    NEXT_SUIT,
    PREVIOUS_LEGAL,
    PREVIOUS_SUIT,
    RIGHT,
    TOGGLE,
    AddPlayer,
    AskHint,
    BeReady,
    Choice,
    ClaimRest,
    Click,
    CountMoon,
    Key,
    Leave,
    Move,
    Panel,
    PassCards,
    PlayCard,
    hand_order,
    settle,
)
from p2p_hearts.ui.pressing import react
from p2p_hearts.ui.prompts import message_lines, pass_prompt
from p2p_hearts.ui.scene import TableScene
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.words import SYMBOLS, cards_text
from tests.ui.scenes import (
    LOBBY,
    STATUS,
    UNREADY,
    claim_view,
    last_cards,
    moon_view,
    my_turn,
    passing_game,
    playing_game,
)


def press(
    view: View | None,
    *keys: Key,
    choice: Choice | None = None,
    status: Status | LobbyStatus = STATUS,
) -> tuple[Choice, list[Move]]:
    choice = settle(Choice(), None, view) if choice is None else choice
    moves: list[Move] = []
    for key in keys:
        choice, move = react(choice, view, status, key, SYMBOLS)
        if move is not None:
            moves.append(move)
    return choice, moves


PASSING = passing_game().view()
PLAYING = my_turn()
ORDER = hand_order(PASSING)


def typed(card: Card) -> tuple[str, ...]:
    return tuple(card_name(card).lower())


def test_pass__three_are_chosen_seen_and_confirmed() -> None:
    choice, moves = press(PASSING, TOGGLE, RIGHT, TOGGLE, RIGHT, RIGHT, TOGGLE)
    assert choice.chosen == (0, 1, 3)
    assert moves == []
    _, moves = press(PASSING, ENTER, choice=choice)
    assert moves == [PassCards(card_set((ORDER[0], ORDER[1], ORDER[3])))]


def test_pass__enter_chooses_until_enough_are_chosen() -> None:
    choice, moves = press(PASSING, ENTER, RIGHT, ENTER, RIGHT, ENTER)
    assert choice.chosen == (0, 1, 2)
    assert moves == []


def test_pass__is_undone_by_toggling_or_backspace_until_confirmed() -> None:
    choice, _ = press(PASSING, TOGGLE, RIGHT, TOGGLE, TOGGLE)
    assert choice.chosen == (0,)
    choice, _ = press(PASSING, RIGHT, TOGGLE, BACKSPACE, BACKSPACE, BACKSPACE, choice=choice)
    assert choice.chosen == ()


def test_pass__a_fourth_card_is_refused_and_nothing_is_lost() -> None:
    choice, _ = press(PASSING, *typed(ORDER[0]), *typed(ORDER[1]), *typed(ORDER[2]))
    after, moves = press(PASSING, *typed(ORDER[3]), choice=choice)
    assert after.chosen == (0, 1, 2)
    assert "Take one back" in after.feedback
    assert moves == []


def test_pass__typing_a_chosen_card_takes_it_back() -> None:
    choice, _ = press(PASSING, *typed(ORDER[4]))
    assert choice.chosen == (4,)
    choice, _ = press(PASSING, *typed(ORDER[4]), choice=choice)
    assert choice.chosen == ()


def missing_from(view: View) -> Card:
    return next(Card(face) for face in range(52) if not contains(view.hand, Card(face)))


@pytest.mark.parametrize("after", [ENTER, TOGGLE])
def test_pass__a_key_of_habit_after_a_typed_card_takes_nothing_back(after: Key) -> None:
    choice, moves = press(PASSING, *typed(ORDER[4]), after, *typed(ORDER[6]), after)
    assert choice.chosen == (4, 6)
    choice, moves = press(PASSING, *typed(missing_from(PASSING)), after, choice=choice)
    assert choice.chosen == (4, 6)
    assert "do not hold" in choice.feedback
    assert moves == []
    choice, _ = press(PASSING, after, choice=choice)
    assert choice.chosen == (4,), "pressed once more it is meant"


def test_pass__is_confirmed_after_the_last_typed_card_and_not_after_a_wrong_one() -> None:
    three = (*typed(ORDER[0]), *typed(ORDER[1]), *typed(ORDER[2]))
    assert press(PASSING, *three, ENTER)[1] == [PassCards(card_set(ORDER[:3]))]
    wrong, moves = press(PASSING, *three, *typed(missing_from(PASSING)), ENTER)
    assert moves == []
    assert press(PASSING, ENTER, choice=wrong)[1] == [PassCards(card_set(ORDER[:3]))]
    assert press(PASSING, *three, TOGGLE)[0].chosen == (0, 1, 2)


@pytest.mark.parametrize("after", [ENTER, TOGGLE])
def test_play__a_key_of_habit_after_a_typed_card_plays_no_other(after: Key) -> None:
    legal = cards_in(PLAYING.legal)
    illegal = next(card for card in cards_in(PLAYING.hand) if not contains(PLAYING.legal, card))
    for card in (missing_from(PLAYING), illegal):
        choice, moves = press(PLAYING, *typed(card), after)
        assert moves == []
        assert choice.feedback
    assert press(PLAYING, *typed(legal[0]), after)[1] == [PlayCard(legal[0])]


def test_settle__a_turn_that_comes_after_a_typed_card_is_played_with_the_first_enter() -> None:
    before = playing_game(2).view()
    choice, _ = press(before, *typed(cards_in(before.hand)[0]))
    assert press(PLAYING, ENTER, choice=settle(choice, before, PLAYING))[1]


def test_pass__clicking_toggles() -> None:
    choice, _ = press(PASSING, Click(5), Click(7), Click(5))
    assert choice.chosen == (7,)
    assert choice.cursor == 5
    assert press(PASSING, Click(99))[1] == []


def test_pass__is_sent_once_only() -> None:
    choice, moves = press(PASSING, ENTER, choice=Choice(chosen=(0, 1, 2), sent=True))
    assert moves == []
    assert "on its way" in choice.feedback


def test_pass_prompt__says_what_is_missing() -> None:
    assert pass_prompt(PASSING, STATUS, Choice(), SYMBOLS) == "Choose 3 cards to pass to Lena."
    one = pass_prompt(PASSING, STATUS, Choice(chosen=(0, 1)), SYMBOLS)
    assert one == "Choose 1 more card to pass to Lena."
    assert "on its way" in pass_prompt(PASSING, STATUS, Choice(sent=True), SYMBOLS)


def test_play__by_typing() -> None:
    card = cards_in(PLAYING.legal)[-1]
    assert press(PLAYING, *typed(card))[1] == [PlayCard(card)]


@pytest.mark.parametrize("keys", [("1", "0"), ("t",), ("T",)])
def test_play__a_ten_is_typed_in_either_way(keys: tuple[str, ...]) -> None:
    ten = parse_card("10c")
    assert contains(PLAYING.legal, ten)
    assert press(PLAYING, *keys, "c")[1] == [PlayCard(ten)]
    assert press(PLAYING, *keys, "♣")[1] == [PlayCard(ten)]


def test_play__by_arrows_and_enter() -> None:
    choice, moves = press(PLAYING, RIGHT, ENTER)
    assert moves == [PlayCard(hand_order(PLAYING)[choice.cursor])]


def test_play__an_illegal_card_is_explained_and_not_played() -> None:
    illegal = next(card for card in hand_order(PLAYING) if not contains(PLAYING.legal, card))
    choice, moves = press(PLAYING, *typed(illegal))
    assert moves == []
    assert choice.feedback.startswith("Clubs were led, and you hold")
    assert hand_order(PLAYING)[choice.cursor] == illegal


def test_play__a_card_not_held_is_named() -> None:
    choice, moves = press(PLAYING, "2", "h")
    assert moves == []
    assert choice.feedback == "You do not hold 2♥."


def test_play__out_of_turn_names_who_is_to_play() -> None:
    game = playing_game(2)
    view = game.view()
    choice, moves = press(view, ENTER)
    assert moves == []
    assert choice.feedback == "It is Nara's turn."


def test_play__a_card_is_sent_once_only() -> None:
    card = cards_in(PLAYING.legal)[0]
    choice, moves = press(PLAYING, *typed(card), choice=Choice(sent=True))
    assert moves == []
    assert "on its way" in choice.feedback


def test_typed__letters_that_start_no_card_are_ignored_and_backspace_corrects() -> None:
    choice, _ = press(PLAYING, "x", "z", "0", "%")
    assert choice.typed == ""
    choice, _ = press(PLAYING, "k", BACKSPACE, "1")
    assert choice.typed == "1"
    choice, _ = press(PLAYING, ESCAPE, choice=choice)
    assert choice.typed == ""


@pytest.mark.parametrize("begun", ["1", "9", "k", "10", "t"])
def test_typed__a_key_that_does_not_go_on_with_the_card_does_its_own_work(begun: str) -> None:
    def after(*keys: Key) -> tuple[Choice, list[Move]]:
        return press(PLAYING, *begun, *keys)

    assert after("l")[0].panel is Panel.LAST_TRICK
    assert after("?")[0].panel is Panel.HELP
    assert after("o")[0].panel is Panel.SETTINGS
    assert after(HINT)[1] == [AskHint()]
    assert after(LEAVE)[0].panel is Panel.LEAVE
    for key in ("l", "?", HINT, LEAVE, RIGHT, "x"):
        assert after(key)[0].typed == ""
    # Another rank is another card, and q alone is the beginning of a queen.
    assert after("q")[0].typed == "q"
    assert after("7")[0].typed == "7"
    assert after("q", ENTER)[0].panel is Panel.LEAVE


def test_typed__after_the_one_of_a_ten_the_suits_are_commands() -> None:
    assert press(PLAYING, "1", "h")[1] == [AskHint()]
    assert press(PLAYING, "1", "s")[0].panel is Panel.SCORES
    choice, moves = press(PLAYING, "1", "c")
    assert (choice.typed, moves) == ("", [])


@pytest.mark.parametrize("key", [ENTER, TOGGLE])
def test_typed__a_card_half_typed_is_not_played_for_another(key: Key) -> None:
    choice, moves = press(PLAYING, "9", key)
    assert moves == []
    assert choice.typed == "9"
    assert choice.feedback == "9 is no whole card yet; Esc takes it back."


def test_typed__s_and_h_are_suits_after_a_rank_and_commands_before() -> None:
    choice, _ = press(PLAYING, "s")
    assert choice.panel is Panel.SCORES
    choice, _ = press(PLAYING, "2", "s")
    assert choice.panel is Panel.NONE
    assert "2♠" in choice.feedback
    assert press(PLAYING, "h")[1] == [AskHint()]


def test_lobby__enter_is_being_ready_or_not_yet_where_that_is_asked() -> None:
    assert press(None, ENTER, status=UNREADY)[1] == [BeReady(True)]
    assert press(None, ENTER, status=replace(UNREADY, own_ready=True))[1] == [BeReady(False)]
    assert press(None, ENTER, status=LOBBY)[1] == []
    assert press(None, "o", ENTER, status=UNREADY)[0].panel is Panel.SETTINGS


def test_lobby__b_seats_a_computer_player_where_that_is_possible() -> None:
    assert press(None, "b", status=UNREADY)[1] == [AddPlayer()]
    assert press(None, "b", status=replace(UNREADY, may_add=False))[1] == []
    assert press(PLAYING, "b")[1] == []


def test_panels__open_close_and_replace_each_other() -> None:
    choice, _ = press(PLAYING, "l")
    assert choice.panel is Panel.LAST_TRICK
    choice, _ = press(PLAYING, "?", choice=choice)
    assert choice.panel is Panel.HELP
    choice, _ = press(PLAYING, "?", choice=choice)
    assert choice.panel is Panel.NONE
    for key in (ESCAPE, ENTER, TOGGLE, BACKSPACE):
        choice, moves = press(PLAYING, "s", key)
        assert choice.panel is Panel.NONE
        assert moves == []


def test_rules__scroll_by_arrows_from_the_first_to_the_last() -> None:
    rules = describe(PLAYING.rules)
    choice, moves = press(PLAYING, "r")
    assert (choice.panel, choice.row, moves) == (Panel.RULES, 0, [])
    assert press(PLAYING, LEFT, choice=choice)[0].row == 0
    assert press(PLAYING, RIGHT, NEXT_SUIT, PREVIOUS_SUIT, choice=choice)[0].row == 1
    end, _ = press(PLAYING, *[NEXT_SUIT] * (len(rules) + 3), choice=choice)
    assert end.row == len(rules) - 1
    assert end.cursor == choice.cursor
    for key in ("r", ENTER, ESCAPE):
        assert press(PLAYING, key, choice=choice)[0].panel is Panel.NONE
    lobby, _ = press(None, "r", RIGHT, RIGHT, RIGHT, status=LOBBY)
    assert (lobby.panel, lobby.row) == (Panel.RULES, len(LOBBY.rules) - 1)


def test_hint__is_asked_for_only_when_there_is_a_choice() -> None:
    assert press(PLAYING, HINT)[1] == [AskHint()]
    assert press(PASSING, "h")[1] == [AskHint()]
    choice, moves = press(playing_game(2).view(), "h")
    assert moves == []
    assert choice.feedback == "There is nothing to choose now."
    closed, _ = press(PLAYING, "h", choice=Choice(panel=Panel.HINT, hint="Low."))
    assert closed.panel is Panel.NONE


@pytest.mark.parametrize("keys", [(LEAVE,), ("q", ENTER), ("q", "q")])
def test_leave__is_asked_before(keys: tuple[str, ...]) -> None:
    choice, moves = press(PLAYING, *keys)
    assert choice.panel is Panel.LEAVE
    assert moves == []
    assert press(PLAYING, "y", choice=choice)[1] == [Leave()]
    for no in ("n", ESCAPE, ENTER, "q"):
        stayed, moves = press(PLAYING, no, choice=choice)
        assert stayed.panel is Panel.NONE
        assert moves == []
    stayed, moves = press(PLAYING, "x", choice=choice)
    assert stayed.panel is Panel.LEAVE
    assert moves == []


def test_leave__is_what_q_means_where_no_queen_can_be_typed() -> None:
    holds_nothing = replace(PLAYING, hand=card_set(()), legal=card_set(()))
    choice, moves = press(holds_nothing, "q")
    assert choice.panel is Panel.LEAVE
    assert moves == []
    assert press(holds_nothing, "k")[0].typed == ""


def test_leave__is_asked_by_q_and_enter_over_an_open_panel_too() -> None:
    assert press(PLAYING, "?", "q", ENTER)[0].panel is Panel.LEAVE


def test_leave__is_not_asked_when_the_game_is_finished() -> None:
    finished = replace(STATUS, finished=True)
    for key in (LEAVE, ENTER, "q"):
        assert press(PLAYING, key, status=finished)[1] == [Leave()]


def test_lobby__knows_help_and_leaving_only() -> None:
    choice, moves = press(None, "s", "l", ENTER, LEFT, "k", Click(0), status=LOBBY)
    assert choice == Choice()
    assert moves == []
    assert press(None, "?", status=LOBBY)[0].panel is Panel.HELP
    assert press(None, "q", status=LOBBY)[0].panel is Panel.LEAVE
    assert press(None, "q", "y", status=LOBBY)[1] == [Leave()]
    assert press(None, "h", status=LOBBY)[1] == []


def test_cursor__moves_and_wraps() -> None:
    count = len(ORDER)
    assert press(PASSING, LEFT)[0].cursor == count - 1
    assert press(PASSING, LAST)[0].cursor == count - 1
    assert press(PASSING, LAST, RIGHT)[0].cursor == 0
    assert press(PASSING, LAST, FIRST)[0].cursor == 0
    suits = [card // 13 for card in ORDER]
    at = press(PASSING, NEXT_SUIT)[0].cursor
    assert suits[at] != suits[at - 1]
    assert press(PASSING, NEXT_SUIT, PREVIOUS_SUIT)[0].cursor == 0


def test_cursor__tab_visits_cards_that_may_be_played() -> None:
    order = hand_order(PLAYING)
    choice = settle(Choice(), None, PLAYING)
    for _ in range(5):
        choice, _ = react(choice, PLAYING, STATUS, NEXT_LEGAL, SYMBOLS)
        assert contains(PLAYING.legal, order[choice.cursor])
    choice, _ = react(choice, PLAYING, STATUS, PREVIOUS_LEGAL, SYMBOLS)
    assert contains(PLAYING.legal, order[choice.cursor])


def test_cursor__of_an_empty_hand_is_harmless() -> None:
    view = replace(PLAYING, hand=card_set(()), legal=card_set(()))
    for key in (LEFT, RIGHT, FIRST, LAST, NEXT_SUIT, NEXT_LEGAL, ENTER, TOGGLE, BACKSPACE):
        choice, moves = press(view, key)
        assert moves == []
        assert choice.cursor == 0


def test_settle__the_cursor_stays_on_its_card() -> None:
    game = passing_game()
    before = game.view()
    order = hand_order(before)
    game.pass_cards(card_set(order[-3:]))
    after = replace(game.view(), legal=card_set(()))
    settled = settle(Choice(cursor=4), before, after)
    assert hand_order(after)[settled.cursor] == order[4]


def test_settle__at_your_turn_the_cursor_goes_to_a_legal_card() -> None:
    order = hand_order(PLAYING)
    far = replace(Choice(), cursor=len(order) - 1)
    settled = settle(far, None, PLAYING)
    assert contains(PLAYING.legal, order[settled.cursor])


def test_settle__an_equal_view_changes_nothing() -> None:
    choice = Choice(cursor=3, chosen=(1, 2), feedback="Hello.", sent=True)
    assert settle(choice, PASSING, PASSING) == choice


def test_settle__news_that_is_not_about_the_hand_keeps_the_choice() -> None:
    choice = Choice(cursor=3, chosen=(1, 2), sent=False)
    other = replace(PASSING, counts=(13, 13, 13, 12))
    assert settle(choice, PASSING, other).chosen == (1, 2)


def test_settle__a_new_phase_drops_the_choice_and_the_hint() -> None:
    choice = Choice(cursor=3, chosen=(1, 2, 4), sent=True, panel=Panel.HINT, hint="x", feedback="y")
    settled = settle(choice, PASSING, PLAYING)
    assert settled.chosen == ()
    assert not settled.sent
    assert settled.panel is Panel.NONE
    assert settled.feedback == ""


def test_settle__an_answer_from_before_does_not_stand_before_the_turn() -> None:
    waits = replace(PLAYING, legal=card_set(()))
    answered = Choice(feedback="You go on without Lena, as soon as the others decide so, too.")
    assert settle(answered, waits, replace(waits, counts=(12, 12, 12, 11))).feedback
    assert settle(answered, waits, PLAYING).feedback == ""


def test_settle__scores_stay_open_over_a_new_view() -> None:
    assert settle(Choice(panel=Panel.SCORES), PASSING, PLAYING).panel is Panel.SCORES


def test_moon__one_or_two_choose_and_nothing_else() -> None:
    view = moon_view()
    assert view.your_turn
    assert press(view, "1")[1] == [CountMoon(MoonChoice.OTHERS_ADD)]
    assert press(view, "2")[1] == [CountMoon(MoonChoice.SHOOTER_SUBTRACTS)]
    assert press(view, "3", "k", ENTER, LEFT)[1] == []
    assert press(view, "1", choice=Choice(sent=True))[1] == []


def test_feedback__is_gone_with_the_next_key() -> None:
    choice, _ = press(PLAYING, "2", "h")
    assert choice.feedback
    assert press(PLAYING, RIGHT, choice=choice)[0].feedback == ""


def test_claim__is_asked_first_and_made_with_y() -> None:
    choice, moves = press(claim_view(), "c")
    assert choice.panel is Panel.CLAIM
    assert not moves
    choice, moves = press(claim_view(), "c", "y")
    assert moves == [ClaimRest()]
    assert choice.panel is Panel.NONE


@pytest.mark.parametrize("key", ["n", ESCAPE, ENTER, BACKSPACE, "c"])
def test_claim__is_dropped_with_any_key_for_no(key: Key) -> None:
    choice, moves = press(claim_view(), "c", key)
    assert choice.panel is Panel.NONE
    assert not moves


@pytest.mark.parametrize("key", ["a", "x", RIGHT, TOGGLE, Click(0)])
def test_claim__waits_for_an_answer(key: Key) -> None:
    choice, moves = press(claim_view(), "c", key)
    assert choice.panel is Panel.CLAIM
    assert not moves


def test_claim__that_would_not_stand_is_refused_with_the_reason() -> None:
    choice, moves = press(replace(claim_view(), may_claim=False), "c", "y")
    assert choice.panel is Panel.NONE
    assert not moves
    choice, _ = press(replace(claim_view(), may_claim=False), "c")
    assert "from what everybody has seen it is not certain" in choice.feedback


def test_claim__is_refused_out_of_turn_and_while_a_move_is_on_its_way() -> None:
    choice, _ = press(playing_game(2).view(), "c")
    assert choice.panel is Panel.NONE
    assert choice.feedback
    choice, _ = press(claim_view(), "c", choice=Choice(sent=True))
    assert choice.feedback == "Your move is on its way to the table."


def test_claim__leaves_c_to_be_typed_as_a_suit() -> None:
    choice, _ = press(claim_view(), "k", "c")
    assert choice.panel is Panel.NONE


def test_claim__question_is_gone_with_the_turn() -> None:
    view = claim_view()
    choice, _ = press(view, "c")
    assert settle(choice, view, playing_game(2).view()).panel is Panel.NONE


def test_wait_pass__tells_what_was_passed_or_who_is_waited_for() -> None:
    """A program that was started again may not know its own pass yet: no sentence with a gap."""
    passed = last_cards(passing_game())
    waiting = replace(PASSING, phase=Phase.WAIT_PASS, passed=passed)

    def told(view: View) -> list[str]:
        shown = TableScene(view, STATUS, settle(Choice(), None, view), (), SYMBOLS)
        return [sentence for _, sentence in message_lines(shown)]

    assert f"You passed {cards_text(passed, SYMBOLS)} to Lena." in told(waiting)[0]
    assert told(replace(waiting, passed=EMPTY)) == [
        "The others are still choosing the cards to pass."
    ]
