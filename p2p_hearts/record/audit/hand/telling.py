"""The story of a hand, as far as its log proves it; nothing is judged here."""

from __future__ import annotations

from p2p_hearts.crypto.elgamal import Deck
from p2p_hearts.record.audit.hand.state import HandState
from p2p_hearts.record.audit.story import HandStory, known_cards
from p2p_hearts.rules.cards import Card


def tell(hand: HandState, *, is_void: bool = False) -> HandStory:
    """Return what was proven of this attempt so far, cards and all."""
    dealt = [_known(hand, seat, cards) for seat, cards in enumerate(hand.dealt)]
    held = [_known(hand, seat, cards) for seat, cards in enumerate(hand.hands)]
    hidden = [(None,) * hand.rules.hand_size for _ in hand.seats]
    before, passed, after = known_cards(
        hand.rules,
        hand.offset,
        dealt or hidden,
        hand.selections,
        held if hand.closed else hidden,
        hand.play,
    )
    return HandStory(
        rules=hand.rules,
        number=hand.number,
        attempt=hand.attempt,
        dealer=hand.dealer,
        offset=hand.offset,
        is_void=is_void,
        dummy=hand.dummy,
        revealed=frozenset(hand.owners),
        dealt=before,
        passed=passed,
        held=after,
        play=hand.play,
        choice=hand.choice,
        scores=hand.scores,
        steps=tuple(hand.told),
    )


def _known(hand: HandState, seat: int, cards: Deck) -> tuple[Card | None, ...]:
    """Read cards with its seat's revealed secret, or as far as its cards lie open."""
    if seat in hand.owners:
        return tuple(hand.owners[seat].cards(cards))
    return tuple(hand.faces.get(card, hand.shown.get(card)) for card in cards)
