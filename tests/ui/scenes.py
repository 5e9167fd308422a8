"""The main views of the table, made from one seeded game, for pictures and golden files."""

from __future__ import annotations

from dataclasses import replace

from p2p_hearts.rules.cards import CardSet, card_set, cards_in, parse_card
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet
from p2p_hearts.rules.play import ClaimedRest, PlayState
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.choice import Choice, Panel, settle
from p2p_hearts.ui.scene import Scene
from p2p_hearts.ui.status import Acquaintance, LobbyStatus, Status
from p2p_hearts.ui.words import LETTERS, SYMBOLS, Glyphs
from tests.ui.games import NAMES, Game, with_totals

STATUS = Status(
    names=NAMES[:4],
    table_name="Sunday table",
    phrase="amber otter violin nine",
    verified=("shuffle verified by all 4", "hands proven", "every play proven"),
    verified_briefly=("shuffle", "hands", "plays"),
    history="3fa9c1d2",
)
PEOPLE = (Acquaintance.SELF, Acquaintance.KNOWN, Acquaintance.NEW, Acquaintance.CHANGED)
FINISHED = ((5, 1, 20, 0), (26, 0, 26, 26), (3, 4, 16, 3))
"""Three hands: the second is a moon of seat 1."""
LOG = "/home/ana/.local/share/p2p-hearts/games/sunday.hearts"
FAULT = "Wira (seat 4) played a heart although Wira holds a spade: revoke, proven in round 42."
HINT = (
    "Play 7♣. It cannot win the trick, and a low card is easy to lose later.\n"
    "Clubs were led, and you hold 7♣ 10♣ K♣. You may play 7♣ 10♣ K♣.\n"
    "Q♠ is still out: any trick may bring her."
)


def last_cards(game: Game) -> CardSet:
    """The three last cards of the person's hand."""
    return card_set(cards_in(game.hands[game.seat])[-game.rules.pass_count :])


def passing_game(rules: RuleSet | None = None, seed: int = 3) -> Game:
    game = Game(rules, seed=seed)
    game.deal()
    return game


def playing_game(cards: int = 1, rules: RuleSet | None = None, seed: int = 3) -> Game:
    game = passing_game(rules, seed)
    if game.phase is Phase.PASS:
        game.pass_cards(last_cards(game))
    game.play_on(cards)
    return game


def my_turn(cards: int = 1, rules: RuleSet | None = None, seed: int = 3) -> View:
    game = playing_game(cards, rules, seed)
    list(game.play_to_my_turn())
    return game.view()


def finished_game(seed: int = 3) -> Game:
    game = Game(RuleSet(target=60), seed=seed)
    while game.phase is not Phase.MATCH_OVER:
        game.deal()
        if game.phase is Phase.PASS:
            game.pass_cards(last_cards(game))
        game.finish_hand()
    return game


def moon_view() -> View:
    """The person has taken every penalty card and may choose how the moon counts."""
    game = playing_game(rules=RuleSet(moon=Moon.CHOICE))
    while game.phase is Phase.PLAY and game.state is not None and not game.state.over:
        if len(game.state.tricks) == 12 and len(game.state.trick) == 3:
            break
        game.play_first_legal()
    assert game.state is not None
    game.state = game.state.play(cards_in(game.legal(game.turn or 0))[0])
    past = game.state.past._replace(taken=(game.rules.pack_set, CardSet(0), CardSet(0), CardSet(0)))
    game.state = game.state._replace(past=past)
    game.hands = [CardSet(0)] * 4
    game.phase = Phase.CHOOSE_MOON
    return game.view()


def claim_view() -> View:
    """The person may claim the rest instead of leading a card."""
    return replace(my_turn(21), may_claim=True)


def claimed_view() -> View:
    """What follows ``claim_view`` once the person has claimed."""
    view = claim_view()
    assert view.play is not None
    past = view.play.past._replace(claimed=ClaimedRest(view.seat, view.hand))
    return replace(
        view,
        phase=Phase.HAND_OVER,
        play=PlayState(past, view.play.trick, CardSet(0), None),
        hand=CardSet(0),
        legal=CardSet(0),
        counts=(0,) * view.rules.seats,
        may_claim=False,
    )


def scene(
    view: View | None,
    choice: Choice | None = None,
    status: Status | LobbyStatus = STATUS,
    glyphs: Glyphs = SYMBOLS,
    messages: tuple[str, ...] = (),
) -> Scene:
    settled = settle(Choice(), None, view) if choice is None else choice
    return Scene(view, status, settled, messages, glyphs)


LOBBY = LobbyStatus(
    table_name="Sunday table",
    players=("Ana", "Bo"),
    seats=4,
    rules=("Four players, one pack of 52 cards.", "Three cards are passed."),
    invitations=("p2p-hearts join 10.0.0.4:7001#AB12",),
    warnings=("Bo has a new key since you last played together.",),
    phrase="amber otter violin nine",
    stage="Waiting for players.",
)


UNREADY = replace(
    LOBBY,
    players=("Ana", "Bo", "Zé"),
    ready=(True, False, True),
    own_ready=False,
    warnings=(),
    people=(Acquaintance.KNOWN, Acquaintance.CHANGED, Acquaintance.SELF),
    may_add=True,
)


def main_scenes() -> dict[str, Scene]:
    """The views that have golden files, by name."""
    passing = passing_game().view()
    playing = with_totals(my_turn(), *FINISHED)
    middle = with_totals(my_turn(21), *FINISHED)
    game = playing_game(4)
    waiting = with_totals(playing_game(2).view(), *FINISHED)
    over = playing_game()
    over.finish_hand()
    match_over = finished_game().view()
    return {
        "lobby": scene(None, status=LOBBY),
        "ready": scene(None, status=UNREADY),
        "passing": scene(passing, Choice(chosen=(1, 4), cursor=5)),
        "pass-chosen": scene(passing, Choice(chosen=(1, 4, 9), cursor=9)),
        "playing": scene(playing),
        "middle": scene(middle, messages=("Lena is back.",)),
        "trick-taken": scene(with_totals(game.view(), *FINISHED)),
        "waiting": scene(waiting, status=replace(STATUS, waiting_for=(2,), waiting_seconds=42.4)),
        "last-trick": scene(middle, Choice(panel=Panel.LAST_TRICK)),
        "scores": scene(middle, Choice(panel=Panel.SCORES)),
        "hint": scene(playing, Choice(panel=Panel.HINT, hint=HINT)),
        "help": scene(playing, Choice(panel=Panel.HELP)),
        "leave": scene(playing, Choice(panel=Panel.LEAVE)),
        "people": scene(playing, Choice(panel=Panel.PEOPLE), replace(STATUS, people=PEOPLE)),
        "settings": scene(playing, Choice(panel=Panel.SETTINGS, row=2)),
        "rules": scene(playing, Choice(panel=Panel.RULES, row=3)),
        "tour": scene(passing, Choice(panel=Panel.TOUR, row=1)),
        "tour-lobby": scene(None, Choice(panel=Panel.TOUR), LOBBY),
        "claim": scene(claim_view(), Choice(panel=Panel.CLAIM)),
        "may-claim": scene(claim_view()),
        "hand-over": scene(over.view()),
        "moon": scene(moon_view()),
        "match-over": scene(match_over, status=replace(STATUS, finished=True, log_path=LOG)),
        "fault": scene(waiting, status=replace(STATUS, fault=FAULT)),
        "letters": scene(playing, glyphs=LETTERS),
        "six": scene(my_turn(8, RuleSet(seats=6)), status=replace(STATUS, names=NAMES[:6])),
        "eleven": scene(
            my_turn(13, replace(PRESETS["cancellation"], seats=11)),
            status=replace(STATUS, names=NAMES),
        ),
    }


QUEEN = parse_card("qs")
