"""Playing a hand to its end with open cards: for look-ahead and for measuring.

The same rules as ``p2p_hearts.rules.play``, read from the same tables, without a state for every
card: about twice as quick. A trick is three masks here: the faces played, those played twice
(with two packs), and those that can win. Nothing here is for a table, where hands are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol

from p2p_hearts.rules.cards import (
    EMPTY,
    FACE_COUNT,
    FACES,
    SUIT_FACES,
    Card,
    CardSet,
    card_set,
    union,
)
from p2p_hearts.rules.legality import preferences_of_trick
from p2p_hearts.rules.play import PlayState


class Policy(Protocol):
    """Who plays in a playout, for every seat: one of the faces of ``legal``, which is not empty.

    ``left`` are the cards that nobody has played, those of the seat itself included. Masks are
    plain integers here, bit by face as in a ``CardSet``.
    """

    def lead(self, seat: int, legal: int, left: int, taken: Sequence[int]) -> int:
        """Return the card to lead; ``taken`` is what each seat has won so far."""
        ...

    def follow(
        self, seat: int, legal: int, left: int, table: int, best: int, owner: int, after: int
    ) -> int:
        """Return a card of the led suit.

        ``table`` are the faces of the trick so far, ``best`` is the card that wins it and
        ``owner`` who played that (-1 for both where all are cancelled); ``after`` seats follow.
        """
        ...

    def discard(self, seat: int, legal: int, left: int, table: int, owner: int) -> int:
        """Return a card of another suit than the led one; arguments as for ``follow``."""
        ...


def play_out(
    state: PlayState,
    hands: Sequence[CardSet],
    policy: Policy,
    widow: CardSet,
    *,
    whole: bool = True,
) -> tuple[CardSet, ...]:
    """Return what each seat has taken once all cards are played.

    With ``whole`` off the play ends where no card that counts is left: who takes the others is
    not told then, and no score depends on it.

    ``hands`` are by seat; whoever has played to the trick holds a card less. ``widow`` goes to
    the winner of the first won trick, if it was not opened yet. ``ValueError`` if nobody leads
    yet, or if the hands have not as many cards each as are left to play.
    """
    past = state.past
    rules, leader = past.rules, past.leader
    if leader is None or any(
        hand.bit_count() != state.cards_left(seat) for seat, hand in enumerate(hands)
    ):
        raise ValueError("a hand is played out by a leader and hands that fit the tricks left")
    held: list[int] = list(hands)
    taken: list[CardSet] = list(past.taken)
    first, broken, preferred = state.is_first_trick, past.broken, past.preferred
    lying, left = past.stalled, int(state.unseen)
    if past.widow_owner is None:
        lying = union(lying, widow)
    elif past.widow_due:
        taken[past.widow_owner] = union(taken[past.widow_owner], widow)
    orders, two_packs = _clockwise(rules.seats), rules.packs == 2
    lead, follow, discard = policy.lead, policy.follow, policy.discard
    played = [int(card) for _, card in state.trick]
    faces = twice = 0
    for card in played:
        twice |= faces & 1 << card
        faces |= 1 << card
    counting = -1 if whole else rules.counting_cards
    for tricks_left in range(state.tricks_left, 0, -1):
        if not (left | lying | faces) & counting:
            break
        order = orders[leader]
        if not played:
            hand = held[leader]
            legal = hand & FACES if two_packs else hand
            for wish in preferred[-1]:
                legal = legal & wish or legal
            card = lead(leader, legal, left, taken)
            bit = faces = 1 << card
            if two_packs and hand >> FACE_COUNT & bit:  # of two copies the second goes first
                held[leader] = hand ^ bit << FACE_COUNT
            else:
                held[leader] = hand ^ bit
            left ^= bit << FACE_COUNT if two_packs and left >> FACE_COUNT & bit else bit
            played = [card]
        suit, wishes = SUIT_FACES[played[0] // 13], preferred[played[0] // 13]
        best = (faces & ~twice & suit).bit_length() - 1
        owner = order[played.index(best)] if best >= 0 else -1
        after = len(order) - len(played)
        for seat in order[len(played) :]:
            after -= 1
            hand = held[seat]
            legal = hand & FACES if two_packs else hand
            for wish in wishes:
                legal = legal & wish or legal
            if legal & suit:
                card = follow(seat, legal, left, faces, best, owner, after)
            else:
                card = discard(seat, legal, left, faces, owner)
            bit = 1 << card
            played.append(card)
            if two_packs:
                twice |= faces & bit
                faces |= bit
                best = (faces & ~twice & suit).bit_length() - 1
                owner = order[played.index(best)] if best >= 0 else -1
                left ^= bit << FACE_COUNT if left >> FACE_COUNT & bit else bit
                held[seat] = hand ^ (bit << FACE_COUNT if hand >> FACE_COUNT & bit else bit)
                continue
            if card > best and bit & suit:
                best, owner = card, seat
            faces |= bit
            left ^= bit
            held[seat] = hand ^ bit
        heap = card_set([Card(card) for card in played]) if twice else CardSet(faces)
        if lying:
            heap, lying = union(heap, lying), EMPTY
        if owner >= 0:
            leader = owner
        if owner >= 0 or tricks_left == 1:
            won = taken[leader]
            taken[leader] = union(won, heap) if won & heap else CardSet(won | heap)
        else:
            lying = heap
        if first or (not broken and faces & rules.breaking_faces):
            first, broken = False, broken or bool(faces & rules.breaking_faces)
            preferred = preferences_of_trick(rules, False, broken)
        played, faces, twice = [], 0, 0
    return tuple(taken)


@cache
def _clockwise(seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats in the order in which they play, by the leader of the trick."""
    return tuple((*range(seat, seats), *range(seat)) for seat in range(seats))


class Chosen:
    """A policy that chooses from what may be played and looks at nothing else."""

    def __init__(self, choose: Callable[[CardSet], Card]) -> None:
        self._choose = choose

    def lead(self, seat: int, legal: int, left: int, taken: Sequence[int]) -> int:
        """Choose from the cards that may be led."""
        return self._choose(CardSet(legal))

    def follow(
        self, seat: int, legal: int, left: int, table: int, best: int, owner: int, after: int
    ) -> int:
        """Choose from the cards that follow."""
        return self._choose(CardSet(legal))

    def discard(self, seat: int, legal: int, left: int, table: int, owner: int) -> int:
        """Choose from the cards that may be thrown."""
        return self._choose(CardSet(legal))
