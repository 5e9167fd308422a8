"""Moons among players of one level: made, stopped and tried."""

from __future__ import annotations

from p2p_hearts.bots.budget import playouts
from p2p_hearts.bots.candidates import Candidate, Findings, Seen
from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.bots.ideas import ALL_IDEAS
from p2p_hearts.bots.passing import choose_pass
from p2p_hearts.bots.player import make_player
from p2p_hearts.bots.search import SearchPlayer
from p2p_hearts.rules.cards import EMPTY, CardSet, card_set, parse_card
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.view import View
from tests.bots.positions import view_of
from tools.ladder.moons import Moons, Played, Trying, alone, self_play

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"


def cards(text: str) -> CardSet:
    return card_set(map(parse_card, text.split()))


def test_alone__is_what_one_seat_had_before_another_took_a_penalty_card() -> None:
    moments = [
        (EMPTY, EMPTY, EMPTY, EMPTY),
        (EMPTY, cards("2H 3H AC"), EMPTY, EMPTY),
        (EMPTY, cards("2H 3H AC QS"), cards("KC"), EMPTY),
    ]
    assert alone(RuleSet(), moments) == 15
    stopped = (EMPTY, cards("2H 3H AC QS"), cards("KC 4H"), EMPTY)
    more = (EMPTY, cards("2H 3H AC QS 5H 6H"), cards("KC 4H"), EMPTY)
    assert alone(RuleSet(), [*moments, stopped, more]) == 15
    assert alone(RuleSet(), [*moments, (EMPTY, cards(f"QS {HEARTS}"), EMPTY, EMPTY)]) == 26
    assert alone(RuleSet(), moments[:1]) == 0


def test_alone__leaves_the_bonus_of_the_jack_aside() -> None:
    """J♦ is no penalty card: it makes no moon and stops none."""
    moments = [(cards("JD"), cards("2H QS"), EMPTY, EMPTY)]
    assert alone(PRESETS["omnibus"], moments) == 14


MADE, NEARLY, STOPPED_AT_ONCE = 26, 50, 1
"""Deals of four ``normal``: a moon; a threat that was stopped; a second seat with few points."""


def test_self_play__tells_moons_from_threats_that_were_stopped() -> None:
    normal = make_player("normal")
    made, nearly, few = self_play(RuleSet(), normal, (MADE, NEARLY, STOPPED_AT_ONCE))
    assert (made.seed, made.made, made.alone) == (MADE, 1, 26)
    assert nearly.made == few.made == 0
    assert few.alone < 18 <= nearly.alone < 26
    found = Moons(RuleSet(), [made, nearly, few], tells=False)
    assert (found.made.count, found.threats.count, found.stopped.count) == (1, 2, 1)
    assert found.made.number == found.threats.number == found.stopped.number == 3
    assert (found.stopped_of_threats.count, found.stopped_of_threats.number) == (1, 2)
    assert "tries" not in str(found)


def played(made: int, points: int, tries: int = 0, tries_made: int = 0) -> Played:
    return Played(1, made, points, tries, tries_made, 0.75 * tries)


def test_moons__a_threat_begins_at_the_part_that_is_stated() -> None:
    hands = [played(0, 13), played(0, 17), played(0, 18), played(1, 26)]
    for part, least, stopped in ((2 / 3, 18, 1), (0.5, 13, 3), (0.65, 17, 2)):
        found = Moons(RuleSet(), hands, tells=False, threat=part)
        assert (found.least, found.stopped.count) == (least, stopped)
        assert f"({least} points or more alone)" in str(found)
        assert found.threats.count == stopped + 1


def test_moons__tells_tries_and_what_was_hoped_for() -> None:
    hands = [played(1, 26, 1, 1), played(0, 20, 2), played(1, 26), played(0, 1)]
    text = str(Moons(RuleSet(), hands, tells=True))
    assert "tries knowingly begun: 0.750" in text
    assert "of the tries made: 33.3%" in text
    assert "1 of 3; hoped for: 75.0%" in text


def test_trying__chooses_as_hard_and_notes_the_first_try_of_a_seat() -> None:
    view = view_of(
        {0: "AC KC QC JC", 1: "2C 3C 2D 3D", 2: "4D 5D 6D 7D", 3: "2H 8D 9D 10D"},
        mine="QS 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
    )
    player = Trying(playouts(60), ALL_IDEAS)
    player.begun = {}
    assert player.search_cards(view) == SearchPlayer(playouts(60)).search_cards(view)
    player.begun = {}
    player.note(view, Findings((tried(view.legal, False),), 4))
    assert not player.begun
    player.note(view, Findings((tried(view.legal, True),), 4))
    player.note(view, Findings((tried(view.legal, True, moons=1),), 4))
    assert player.begun == {view.seat: 0.75}


def tried(cards: CardSet, shoots: bool, moons: int = 3) -> Candidate:
    """A choice after which so many of four deals became moons."""
    seen = [Seen(0, False, at < moons, False) for at in range(4)]
    return Candidate(cards, shoots, values=[0.0] * 4, seen=seen)


class Bold(Trying):
    """Plays as ``normal``, and says that it tries to shoot the moon in every hand of a seat."""

    seat = 0

    def search_pass(self, view: View) -> Findings:
        return Findings((Candidate(choose_pass(view), False),), 0)

    def search_cards(self, view: View) -> Findings:
        card = CardSet(1 << HeuristicPlayer().choose_card(view))
        return self.note(view, Findings((tried(card, view.seat == self.seat),), 4))


def test_self_play__counts_tries_hand_by_hand() -> None:
    player, made = Bold(playouts(1), ALL_IDEAS), []
    for player.seat in range(4):
        hands = list(self_play(RuleSet(), player, (MADE, MADE, NEARLY)))
        assert [hand.tries for hand in hands] == [1, 1, 1]
        assert [hand.tries_hoped for hand in hands] == [0.75] * 3
        made.append([hand.tries_made for hand in hands])
    assert sorted(made) == [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 0]]
