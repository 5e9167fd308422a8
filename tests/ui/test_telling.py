from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.i18n import Language, gettext, use
from p2p_hearts.rules.cards import EMPTY, Card, card_set, cards_in, contains
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.answers import table_sentences
from p2p_hearts.ui.choice import Choice, settle
from p2p_hearts.ui.prompts import message_lines
from p2p_hearts.ui.scene import TableScene
from p2p_hearts.ui.sentences import (
    go_on_question,
    moon_sentence,
    open_sentence,
    pass_direction,
    taken_sentence,
    widow_sentence,
    winners_sentence,
)
from p2p_hearts.ui.telling import Chronicle, Kind, News, tell
from p2p_hearts.ui.words import SYMBOLS, wrap
from tests.ui.games import Game, with_totals
from tests.ui.scenes import (
    LOBBY,
    STATUS,
    claim_view,
    claimed_view,
    finished_game,
    last_cards,
    my_turn,
    passing_game,
    playing_game,
)


def kinds(told: tuple[News, ...]) -> list[Kind]:
    return [news.kind for news in told]


def test_tell__a_new_hand_and_the_direction_of_the_pass() -> None:
    told = tell(None, passing_game().view(), STATUS)
    assert [news.sentence for news in told] == [
        "Hand 1. Wira deals.",
        "You pass 3 cards to the left, to Lena.",
    ]


def test_tell__the_pass_and_what_came_back() -> None:
    game = passing_game()
    before = game.view()
    game.pass_cards(last_cards(game))
    told = tell(before, game.view(), STATUS)
    assert told[0].sentence.startswith("You passed ")
    assert told[1].sentence.startswith("Wira passed you ")
    assert kinds(told) == [Kind.PASS, Kind.PASS]
    assert "♥" in tell(before, game.view(), STATUS, SYMBOLS)[0].sentence


def test_tell__every_card_and_every_trick_once() -> None:
    game = playing_game(0)
    before = game.view()
    game.play_on(9)
    told = tell(before, game.view(), STATUS)
    assert kinds(told).count(Kind.CARD) == 9
    assert kinds(told).count(Kind.TRICK) == 2
    assert kinds(told)[4] is Kind.TRICK
    assert " leads " in told[0].sentence or told[0].sentence.startswith("You lead ")
    assert tell(game.view(), game.view(), STATUS) == ()


def test_tell__a_whole_hand_step_by_step_equals_the_hand_at_once() -> None:
    game = playing_game(0)
    start = before = game.view()
    told: tuple[News, ...] = ()
    while game.phase is Phase.PLAY:
        game.play_first_legal()
        told += tell(before, game.view(), STATUS)
        before = game.view()
    assert told == tell(start, game.view(), STATUS)
    assert kinds(told).count(Kind.BROKEN) == 1
    assert kinds(told)[-2:] == [Kind.SCORE, Kind.SCORE]


def test_tell__hearts_are_broken_only_where_they_must_be() -> None:
    game = playing_game(0, PRESETS["no-break"])
    before = game.view()
    game.finish_hand()
    assert Kind.BROKEN not in kinds(tell(before, game.view(), STATUS))


def test_tell__points_when_they_are_known_and_not_before() -> None:
    game = playing_game(50)
    before = game.view()
    game.finish_hand()
    unscored = replace(game.view(), match=new_match(game.rules))
    assert Kind.SCORE not in kinds(tell(before, unscored, STATUS))
    assert kinds(tell(unscored, game.view(), STATUS)) == [Kind.SCORE, Kind.SCORE]


def test_tell__the_end_of_the_match() -> None:
    game = finished_game()
    told = tell(replace(game.view(), phase=Phase.PLAY), game.view(), STATUS)
    assert told[-1].kind is Kind.MATCH
    assert told[-1].sentence == winners_sentence(game.view(), STATUS)


def test_chronicle__tells_news_once() -> None:
    chronicle = Chronicle()
    assert chronicle.news(None, LOBBY)
    assert chronicle.news(None, LOBBY) == ()
    view = my_turn()
    assert chronicle.news(view, STATUS)
    assert chronicle.news(view, STATUS) == ()


def test_chronicle__a_fact_that_is_verified_again_in_the_next_hand_is_told_again() -> None:
    chronicle = Chronicle()
    chronicle.news(None, STATUS)
    chronicle.news(None, replace(STATUS, verified=()))
    assert [n.sentence for n in chronicle.news(None, STATUS)] == [
        "Verified: shuffle verified by all 4.",
        "Verified: hands proven.",
        "Verified: every play proven.",
    ]


def test_moon_sentence__for_you_and_for_others_added_or_subtracted() -> None:
    view = my_turn()
    assert moon_sentence(view, STATUS, (5, 1, 20, 0)) == ""
    assert moon_sentence(view, STATUS, (0, 26, 26, 26)).startswith("You shot the moon: ")
    assert moon_sentence(view, STATUS, (26, 0, 26, 26)).startswith("Lena shot the moon: ")
    less = replace(view, rules=RuleSet(moon=Moon.SHOOTER_SUBTRACTS))
    assert "your total" in moon_sentence(less, STATUS, (-26, 0, 0, 0))
    assert "that total" in moon_sentence(less, STATUS, (0, 0, -26, 0))


def test_taken_sentence__tells_points_and_cancelled_tricks() -> None:
    game = playing_game()
    game.finish_hand()
    assert game.state is not None
    sentences = [taken_sentence(game.view(), STATUS, trick) for trick in game.state.tricks]
    assert any(sentence.endswith(" points.") for sentence in sentences)
    assert any(sentence.endswith("the trick.") for sentence in sentences)
    nobody = game.state.tricks[0]._replace(winner=None)
    assert "cancelled" in taken_sentence(game.view(), STATUS, nobody)


def test_winners_sentence__one_several_and_none_yet() -> None:
    view = my_turn()
    assert winners_sentence(view, STATUS) == "The match is over."
    shared = with_totals(replace(view, rules=RuleSet(hands=1)), (0, 0, 13, 13))
    assert winners_sentence(shared, STATUS) == (
        "You and Lena share the first place with 0 points each."
    )
    lost = with_totals(replace(view, rules=RuleSet(hands=1)), (1, 0, 13, 12))
    assert winners_sentence(lost, STATUS) == "Lena wins the match with 0 points."
    won = with_totals(replace(view, rules=RuleSet(hands=1)), (1, 2, 13, 10))
    assert winners_sentence(won, STATUS) == "You win the match with 1 point!"


def test_directions__are_named_for_every_offset() -> None:
    game = Game(RuleSet(seats=6), seed=1)
    game.deal()
    status = replace(STATUS, names=tuple("ABCDEF"))
    said = {
        offset: pass_direction(replace(game.view(), offset=offset), status) for offset in range(6)
    }
    assert said == {
        0: "Nothing is passed in this hand.",
        1: "You pass 3 cards to the left, to B.",
        2: "You pass 3 cards 2 places to the left, to C.",
        3: "You pass 3 cards across, to D.",
        4: "You pass 3 cards 2 places to the right, to E.",
        5: "You pass 3 cards to the right, to F.",
    }


def test_tell__a_claim_once_with_its_cards() -> None:
    told = tell(claim_view(), claimed_view(), STATUS)
    claims = [news for news in told if news.kind is Kind.CLAIM]
    assert len(claims) == 1
    assert claims[0].sentence.startswith("You claim the rest with ")
    assert Kind.CLAIM not in kinds(tell(claimed_view(), claimed_view(), STATUS))
    other = replace(claimed_view(), seat=2)
    (news,) = [
        n for n in tell(replace(claim_view(), seat=2), other, STATUS) if n.kind is Kind.CLAIM
    ]
    assert " claims the rest with " in news.sentence


def test_tell__the_widow_once_it_is_shown() -> None:
    game = playing_game(0, PRESETS["cancellation"])
    start = before = game.view()
    told: list[News] = []
    for _ in range(30):
        game.play_on(1)
        told += tell(before, game.view(), STATUS)
        before = game.view()
    assert before.play is not None
    assert before.play.widow
    widow = [news for news in told if news.kind is Kind.WIDOW]
    assert len(widow) == 1
    assert widow[0].sentence.startswith("The widow goes to ")
    assert kinds(tell(start, before, STATUS)).count(Kind.WIDOW) == 1
    mine = replace(before, seat=before.play.widow_owner or 0)
    assert widow_sentence(mine, STATUS, SYMBOLS).startswith("The widow goes to you: ")
    assert widow_sentence(start, STATUS, None) == ""


@pytest.mark.parametrize("language", ["en", "pt", "id"])
def test_go_on_question__is_read_whole_in_two_lines_of_a_terminal(language: Language) -> None:
    use(language)
    try:
        status = replace(STATUS, names=("Ana", "W" * 24, "Bo", "Cy"), may_go_on=(1,))
        asked = f"{gettext('Press v again.')} {go_on_question(status)}"
    finally:
        use("en")
    assert len(wrap(asked, 78)) <= 2


def test_tell__a_hand_that_lies_open_is_told_once_with_its_cards() -> None:
    before = my_turn()
    held = card_set((Card(0), Card(13)))
    known = (EMPTY, held, EMPTY, EMPTY)
    after = replace(before, dummy=1, known=known)
    (news,) = tell(before, after, STATUS)
    assert (news.kind, news.sentence) == (
        Kind.OPEN,
        "The cards of Lena lie open: 2 of clubs and 2 of diamonds.",
    )
    assert (
        tell(after, replace(after, known=(EMPTY, card_set((Card(0),)), EMPTY, EMPTY)), STATUS) == ()
    )
    assert news.sentence in table_sentences(after, STATUS)
    assert open_sentence(after, STATUS, SYMBOLS) == "The cards of Lena lie open: 2♣ 2♦."
    # It stands above why cards may not be played, for which there may be no room.
    at = next(i for i, card in enumerate(Choice().order(after)) if contains(after.legal, card))
    for cursor, place in ((at, 1), (at + len(cards_in(after.legal)), 2)):
        shown = TableScene(after, STATUS, Choice(cursor=cursor), (), SYMBOLS)
        sentences = [sentence for _style, sentence in message_lines(shown)]
        assert sentences[place] == "The cards of Lena lie open: 2♣ 2♦."
        assert any("were led, and you hold" in sentence for sentence in sentences)
    assert open_sentence(replace(after, phase=Phase.HAND_OVER), STATUS, None) == ""


def test_tell__who_comes_back_is_told_that_its_hand_plays_itself() -> None:
    before = my_turn()
    after = replace(before, dummy=before.seat, legal=EMPTY)
    (news,) = tell(before, after, STATUS)
    assert news.sentence == "Your cards lie open in this hand and are played by rule."
    shown = TableScene(after, STATUS, settle(Choice(), None, after), (), SYMBOLS)
    assert news.sentence in [sentence for _style, sentence in message_lines(shown)]
