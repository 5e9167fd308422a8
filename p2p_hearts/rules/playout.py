"""Playing a hand to its end with open cards: for look-ahead and for measuring.

The same rules as ``p2p_hearts.rules.play``, read from the same tables, without a state for every
card: about twice as quick. Nothing here is for a table, where hands are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2p_hearts.rules.cards import FACE_COUNT, FACES, Card, CardSet, card_set, union
from p2p_hearts.rules.play import PlayState, preferences_of_trick
from p2p_hearts.rules.trick import trick_winner


def play_out(
    state: PlayState,
    hands: Sequence[CardSet],
    choose: Callable[[CardSet], Card],
    widow: CardSet,
) -> tuple[CardSet, ...]:
    """Return what each seat has taken once all cards are played.

    ``state`` is at the beginning of a trick; ``hands`` are by seat. ``choose`` picks one of the
    faces it is given, those that may be played. ``widow`` goes to the winner of the first won
    trick if ``state`` has no owner for it yet. ``ValueError`` in the middle of a trick, or if
    the hands have not as many cards each as there are tricks left.
    """
    past = state.past
    rules, leader = past.rules, past.leader
    if state.trick or leader is None or {hand.bit_count() for hand in hands} != {state.tricks_left}:
        raise ValueError("a hand is played out from the beginning of a trick, by equal hands")
    held, taken = list(hands), list(past.taken)
    seats, packs, stalled = rules.seats, rules.packs, past.stalled
    first, broken, preferred = state.is_first_trick, past.broken, past.preferred
    due = widow if past.widow_owner is None else CardSet(0)
    for left in range(state.tricks_left, 0, -1):
        trick: list[tuple[int, Card]] = []
        wishes, faces, seat = preferred[-1], 0, leader
        for _ in range(seats):
            hand = held[seat]
            legal = hand & FACES
            for wish in wishes:
                legal = legal & wish or legal
            card = choose(CardSet(legal))
            bit = 1 << card
            if not trick:
                wishes = preferred[card // 13]
            held[seat] = CardSet(hand ^ (bit << FACE_COUNT if hand >> FACE_COUNT & bit else bit))
            trick.append((seat, card))
            faces |= bit
            seat += 1
            if seat == seats:
                seat = 0
        winner = trick_winner(tuple(trick), packs)
        if winner is None and left == 1:
            winner = leader
        heap = CardSet(faces)
        if packs == 2:
            heap = union(card_set([card for _, card in trick]), stalled)
        if winner is None:
            stalled = heap
        else:
            taken[winner] = union(taken[winner], union(heap, due) if due else heap)
            leader, stalled, due = winner, CardSet(0), CardSet(0)
        if first or not broken:
            first, broken = False, broken or bool(faces & rules.breaking_faces)
            preferred = preferences_of_trick(rules, False, broken)
    return tuple(taken)
