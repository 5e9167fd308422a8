"""What one audited log contributes to statistics: plain values, to be kept as JSON.

Of a log in which a fault is proven, or that ends early, the hands that were certified count: they
are as sure as any. Of a deal every card must be known, or it says nothing about chance.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from p2p_hearts.record.audit import Report, Verdict
from p2p_hearts.record.audit.story import HandStory
from p2p_hearts.rules.cards import (
    QUEEN_OF_SPADES,
    SUIT_FACES,
    CardSet,
    Suit,
    cards_in,
    copies,
    of_faces,
    size,
)
from p2p_hearts.rules.options import OptionValue

VERSION: Final = 1
"""Of the form of what is kept."""

Count = Annotated[int, Meta(ge=0, lt=1000)]


class PlayerFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat in a seat."""

    key: str
    """Identity, 64 hex digits."""
    nick: str


class HandFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """One certified hand; lists are by seat."""

    scores: list[int]
    queens: list[Count]
    """Queens of spades that each seat took."""
    shooter: int | None
    suits: list[list[Count]]
    """Cards of each suit as dealt; empty unless all hands are known."""
    dealt_queens: list[Count]
    dealt_points: list[int]
    """What the cards count that each seat was dealt; empty unless all are known."""


class GameFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """One log."""

    verdict: str
    table: str
    """Table id in hex; empty if the log ends before the draw."""
    name: str
    created: int
    preset: str
    rules: dict[str, OptionValue]
    owner: str
    """Key of the player who kept the log."""
    players: list[PlayerFacts]
    """By seat."""
    hands: list[HandFacts]
    winners: list[int]
    """Seats; empty unless the match was played to its end."""


def facts_of(report: Report, preset: str) -> GameFacts:
    """Return what a log contributes; ``report`` must have its story. ``preset`` names its rules."""
    is_sound = report.verdict in (Verdict.CLEAN, Verdict.INCOMPLETE, Verdict.FAULT)
    is_seated = bool(report.table) and is_sound
    told = {hand.number: hand for hand in report.story if not hand.is_void}
    return GameFacts(
        verdict=str(report.verdict),
        table=report.table.hex() if is_seated else "",
        name=report.name,
        created=report.created or 0,
        preset=preset,
        rules=dict(report.rules),
        owner=report.owner.hex(),
        players=[PlayerFacts(player.key.hex(), player.nick) for player in report.players],
        hands=[
            _hand_facts(told[number], scores)
            for number, scores in enumerate(report.scores if is_seated else (), 1)
            if number in told
        ],
        winners=list(report.winners) if is_seated else [],
    )


def _hand_facts(hand: HandStory, scores: tuple[int, ...]) -> HandFacts:
    taken = () if hand.play is None else hand.play.taken
    is_whole = all(size(cards) == hand.rules.hand_size for cards in hand.dealt)
    dealt = hand.dealt if is_whole else ()
    return HandFacts(
        scores=list(scores),
        queens=[copies(cards, QUEEN_OF_SPADES) for cards in taken],
        shooter=hand.shooter,
        suits=[_suits(cards) for cards in dealt],
        dealt_queens=[copies(cards, QUEEN_OF_SPADES) for cards in dealt],
        dealt_points=[sum(hand.rules.points(card) for card in cards_in(cards)) for cards in dealt],
    )


def _suits(cards: CardSet) -> list[int]:
    return [size(of_faces(cards, SUIT_FACES[suit])) for suit in Suit]
