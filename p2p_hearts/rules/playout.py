"""Playing a hand to its end with open cards: for look-ahead and for measuring.

The same rules as ``p2p_hearts.rules.play``, read from the same tables, without a state for every
card: about twice as quick. A trick is three masks here: the faces played, those played twice
(with two packs), and those that can win. Nothing here is for a table, where hands are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from p2p_hearts.rules.cards import EMPTY, FACE_COUNT, FACES, SUIT_FACES, Card, CardSet, union
from p2p_hearts.rules.play import PlayState, preferences_of_trick


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
    first, broken, preferred = state.is_first_trick, past.broken, past.preferred
    lying = past.stalled if past.widow_owner is not None else union(past.stalled, widow)
    orders, two_packs = _clockwise(rules.seats), rules.packs == 2
    for left in range(state.tricks_left, 0, -1):
        played: list[Card] = []
        faces = twice = 0
        wishes = preferred[-1]
        for seat in orders[leader]:
            hand = held[seat]
            legal = hand & FACES if two_packs else hand
            for wish in wishes:
                legal = legal & wish or legal
            card = choose(legal)  # type: ignore[arg-type]
            if not played:
                wishes = preferred[card // 13]
            played.append(card)
            bit = taken_out = 1 << card
            if two_packs:
                twice |= faces & bit
                if hand >> FACE_COUNT & bit:  # of two copies the second goes first
                    taken_out <<= FACE_COUNT
            faces |= bit
            held[seat] = hand ^ taken_out  # type: ignore[call-overload]
        able = faces & ~twice & SUIT_FACES[played[0] // 13]
        if able:
            leader = orders[leader][played.index(Card(able.bit_length() - 1))]
        heap: CardSet = faces | twice << FACE_COUNT  # type: ignore[assignment]
        if lying:
            heap, lying = union(heap, lying), EMPTY
        if able or left == 1:
            taken[leader] = union(taken[leader], heap)
        else:
            lying = heap
        if first or (not broken and faces & rules.breaking_faces):
            first, broken = False, broken or bool(faces & rules.breaking_faces)
            preferred = preferences_of_trick(rules, False, broken)
    return tuple(taken)


@cache
def _clockwise(seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats in the order in which they play, by the leader of the trick."""
    return tuple((*range(seat, seats), *range(seat)) for seat in range(seats))
