"""Plays with which one seat takes every penalty card, because all others help it."""

from __future__ import annotations

from random import Random

from p2p_hearts.rules.cards import Card, CardSet, cards_in, contains, remove
from p2p_hearts.rules.play import PlayState, playable
from p2p_hearts.rules.score import moon_shooter


def find_moon(start: PlayState, hands: list[CardSet], tries: int = 900) -> list[Card] | None:
    """Cards in the order of play, from ``start``, that end in a moon; by trying."""
    random = Random(0)
    for number in range(tries):
        shooter, state, held, line = number % len(hands), start, list(hands), []
        while (seat := state.turn) is not None:
            card = _help(state, seat, playable(held[seat], state), shooter, random)
            if not spoils(state, card, shooter):
                held[seat] = remove(held[seat], card)
                line.append(card)
                state = state.play(card)
                continue
            break
        else:
            if moon_shooter(state.rules, state.taken) == shooter:
                return line
    return None


def spoils(state: PlayState, card: Card, shooter: int) -> bool:
    """Whether another seat than the shooter has taken a penalty card already."""
    faces = state.rules.penalty_faces
    return any(cards & faces for seat, cards in enumerate(state.taken) if seat != shooter)


def _help(state: PlayState, seat: int, legal: CardSet, shooter: int, random: Random) -> Card:
    cards = sorted(set(cards_in(legal)), key=lambda card: card % 13)
    if seat == shooter:
        return cards[-1] if random.random() < 0.8 else random.choice(cards)
    costly = [card for card in cards if contains(state.rules.penalty_faces, card)]
    free = [card for card in cards if card not in costly]
    if not state.trick:
        return random.choice(free or cards)
    led = state.trick[0][1] // 13
    high, winner = max((card, player) for player, card in state.trick if card // 13 == led)
    low = [card for card in cards if card // 13 != led or card < high]
    gifts = [card for card in low if card in costly]
    if winner == shooter and gifts:
        return gifts[-1]
    harmless = [card for card in low if card in free]
    return random.choice(harmless or free or cards)
