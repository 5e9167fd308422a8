"""Views in the middle of a hand, made of the names of cards."""

from __future__ import annotations

from p2p_hearts.rules.cards import (
    EMPTY,
    CardSet,
    ClassSet,
    card_set,
    parse_card,
    size,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.rest import may_claim
from p2p_hearts.rules.trick import Trick
from p2p_hearts.rules.view import Phase, View

DEFAULT = RuleSet()
SHOOTER_HAS = "QS 2H 3H 4H 5H 6H 7H"
"""What a seat has taken that may be shooting the moon."""


def cards(text: str) -> CardSet:
    return card_set(parse_card(name) for name in text.split())


def position(
    hand: str,
    trick: str = "",
    *,
    taken: dict[int, str] | None = None,
    gone: str = "",
    rules: RuleSet = DEFAULT,
    broken: bool = True,
    voids: dict[int, ClassSet] | None = None,
) -> View:
    """Seat 0 of four to play, after ``trick``; ``taken`` and ``gone`` (by seat 1 unless said
    otherwise) are the tricks before, cards not named are out."""
    held, table = cards(hand), [parse_card(name) for name in trick.split()]
    piles = [cards((taken or {}).get(seat, "")) for seat in range(4)]
    piles[1] = CardSet(piles[1] | cards(gone))
    unseen = rules.pack_set
    for pile in piles:
        unseen = CardSet(unseen & ~pile)
    unseen = CardSet(unseen & ~card_set(table))
    left = size(held)
    leader = (-len(table)) % 4
    state = start_play(rules, 3, leader)
    past = state.past._replace(
        tricks=(Trick(0, (), 0),) * (13 - left), taken=tuple(piles), broken=broken
    )
    # A finished trick sets the preferences; here one is made up.
    past = past._replace(preferred=_later_preferences(rules, broken))
    plays = tuple(((leader + at) % 4, card) for at, card in enumerate(table))
    play = PlayState(past, plays, unseen, 0)
    counts = [left] * 4
    for seat, _ in plays:
        counts[seat] -= 1
    return View(
        rules=rules,
        seat=0,
        phase=Phase.PLAY,
        hand_number=1,
        dealer=3,
        offset=0,
        match=new_match(rules),
        hand=held,
        passed=EMPTY,
        received=EMPTY,
        play=play,
        legal=playable(held, play),
        counts=tuple(counts),
        void_classes=tuple((voids or {}).get(seat, ClassSet(0)) for seat in range(4)),
        known=(EMPTY,) * 4,
    )


def _later_preferences(rules: RuleSet, broken: bool) -> tuple[tuple[CardSet, ...], ...]:
    heart = "2H" if broken else "6C"
    state = start_play(rules, 3, 0)
    for name in ("2C", "3C", "4C", "5C", "7C", "8C", "9C", heart):
        state = state.play(parse_card(name))
    return state.past.preferred


def view_of(left: dict[int, str], *, mine: str = "", others: str = "") -> View:
    """Seat 0 leads with what ``left`` names; it has taken ``mine``, seat 1 ``others``."""
    rules = RuleSet()
    held = [cards(left[seat]) for seat in range(4)]
    count = size(held[0])
    unseen = CardSet(held[0] | held[1] | held[2] | held[3])
    past = start_play(rules, 3, 0).past._replace(
        tricks=(Trick(0, (), 0),) * (13 - count),
        broken=True,
        taken=(cards(mine), cards(others), CardSet(0), CardSet(0)),
    )
    play = PlayState(past, (), unseen, 0)
    return View(
        rules=rules,
        seat=0,
        phase=Phase.PLAY,
        hand_number=4,
        dealer=3,
        offset=0,
        match=new_match(rules),
        hand=held[0],
        passed=CardSet(0),
        received=CardSet(0),
        play=play,
        legal=held[0],
        counts=(count,) * 4,
        void_classes=(ClassSet(0),) * 4,
        known=(CardSet(0),) * 4,
        may_claim=may_claim(play, 0, held[0]),
    )
