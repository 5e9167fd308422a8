"""Playing a hand: whose turn it is, which cards may be played, what a card proves.

A hand is narrowed to what the rules prefer (``legality``), one preference after the other; where it
holds none of the preferred cards, the preference does not bind. So at least one card may always be
played, and a card may be played exactly if no *single* other card of the hand is preferred to it.
That is what lets a seat prove legality by the classes of its remaining cards alone (``claim``;
protocol/SPEC.md section 5).

Errors: ``ValueError`` for a transition that is impossible (a card not left to play, nobody's
turn). Whether a card was *legal* is not asked here: hands are hidden, ``claim`` decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    EMPTY,
    FACE_COUNT,
    FACES,
    Card,
    CardSet,
    ClassSet,
    Suit,
    card_name,
    card_set,
    cards_in,
    difference,
    size,
    union,
)
from p2p_hearts.rules.legality import preferences_of_trick
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.trick import Plays, Trick, trick_winner

_tuple: Final = tuple.__new__
"""Makes a named tuple without the detour over its keyword arguments."""


class ClaimedRest(NamedTuple):
    """A claim of the rest that stood: who laid which cards open (``rules.rest``)."""

    seat: int
    hand: CardSet


class Progress(NamedTuple):
    """What the finished tricks of a hand left behind."""

    rules: RuleSet
    dealer: int
    leader: int | None
    """Who leads the trick being played; ``None`` before the opening card has shown its seat."""
    tricks: tuple[Trick, ...]
    broken: bool
    taken: tuple[CardSet, ...]
    """All cards each seat has won, the widow included once it is open."""
    stalled: CardSet
    """Cards of tricks that nobody won: they go to the next winner."""
    widow_owner: int | None
    """The seat that the widow goes to, once a trick was won."""
    widow: CardSet
    """The widow's cards, once they are open."""
    preferred: tuple[tuple[CardSet, ...], ...]
    """Preferences for the trick being played: by led suit, then the leader's."""
    claimed: ClaimedRest | None
    """The claim that ended the play; ``None`` where every card was played."""

    @property
    def widow_due(self) -> bool:
        """Whether the widow must be opened before anything else."""
        return self.widow_owner is not None and size(self.widow) < self.rules.widow_size

    @property
    def next_leader(self) -> int | None:
        """The seat that leads next, if the next thing to happen is a card."""
        rules = self.rules
        if len(self.tricks) == rules.hand_size or (rules.widow_size and self.widow_due):
            return None
        return self.leader


class PlayState(NamedTuple):
    """Everything public about the play of one hand.

    A named tuple, not a dataclass: it is made for every card, and this is twice as quick.
    """

    past: Progress
    trick: Plays
    """The trick being played, empty for its leader."""
    unseen: CardSet
    """The cards of the pack that nobody has played and that were not in an opened widow.

    None once the hand is over, be it that all were played or that a claim gave them away.
    """
    turn: int | None
    """The seat that must play next.

    ``None`` before the opening is seen, while the widow is due, and at the end.
    """

    @property
    def rules(self) -> RuleSet:
        """The rules of the table."""
        return self.past.rules

    @property
    def dealer(self) -> int:
        """The seat that dealt this hand."""
        return self.past.dealer

    @property
    def leader(self) -> int | None:
        """The seat that leads or led the current trick; ``None`` until the opening is seen."""
        return self.past.leader

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks, oldest first."""
        return self.past.tricks

    @property
    def taken(self) -> tuple[CardSet, ...]:
        """All cards each seat has won so far."""
        return self.past.taken

    @property
    def stalled(self) -> CardSet:
        """Cards that lie on the table because nobody could win them (two packs)."""
        return self.past.stalled

    @property
    def widow_owner(self) -> int | None:
        """The seat that the widow goes to; ``None`` while no trick was won."""
        return self.past.widow_owner

    @property
    def widow(self) -> CardSet:
        """The opened widow; empty before."""
        return self.past.widow

    @property
    def widow_due(self) -> bool:
        """Whether the widow must be opened before the next card."""
        return self.past.widow_due

    @property
    def claimed(self) -> ClaimedRest | None:
        """The claim that ended the play; ``None`` where every card was played."""
        return self.past.claimed

    @property
    def broken(self) -> bool:
        """Whether hearts are broken, the current trick included."""
        faces = self.past.rules.breaking_faces
        return self.past.broken or any(faces >> card & 1 for _, card in self.trick)

    @property
    def led(self) -> Suit | None:
        """The suit that was led to the current trick; ``None`` for the leader."""
        return Suit(self.trick[0][1] // 13) if self.trick else None

    @property
    def is_first_trick(self) -> bool:
        """Whether trick one is being played."""
        return not self.past.tricks

    @property
    def tricks_left(self) -> int:
        """Tricks not finished yet, the current one included."""
        return self.past.rules.hand_size - len(self.past.tricks)

    @property
    def over(self) -> bool:
        """Whether every card of the pack has its taker."""
        return not self.unseen

    def cards_left(self, seat: int) -> int:
        """Return how many cards a seat still holds."""
        if self.over:
            return 0
        return self.tricks_left - any(player == seat for player, _ in self.trick)

    def play(self, card: Card) -> PlayState:
        """Return the state after the seat in turn has played ``card``.

        ``ValueError`` if nobody is in turn, all copies of ``card`` have been seen, or the
        hand opens with another card.
        """
        past, trick, unseen, turn = self
        if turn is None:
            raise ValueError(f"{card_name(card)} cannot be played: it is nobody's turn")
        if not trick and not past.tricks:
            _check_opening(past.rules, card)
        bit = 1 << card
        if not unseen & bit:
            raise ValueError(f"{card_name(card)} is not left to be played")
        if unseen >> FACE_COUNT & bit:  # of two copies the second goes first
            bit <<= FACE_COUNT
        trick = (*trick, (turn, card))
        seats = past.rules.seats
        if len(trick) < seats:
            return _tuple(PlayState, (past, trick, unseen ^ bit, (turn + 1) % seats))
        past = _finish_trick(past, trick)
        return _tuple(PlayState, (past, (), unseen ^ bit, past.next_leader))

    def with_widow(self, cards: Iterable[Card]) -> PlayState:
        """Return the state after the widow was opened and given to its owner.

        ``ValueError`` if no widow is due, or these cannot be its cards.
        """
        widow, past = card_set(cards), self.past
        if not past.widow_due or past.widow_owner is None:
            raise ValueError("no widow is due")
        if size(widow) != past.rules.widow_size:
            raise ValueError(f"the widow has {past.rules.widow_size} cards, not {size(widow)}")
        unseen = difference(self.unseen, widow)
        taken = _give(past.taken, past.widow_owner, widow)
        past = past._replace(widow=widow, taken=taken)
        return PlayState(past, self.trick, unseen, past.next_leader)


@lru_cache(maxsize=256)
def start_play(rules: RuleSet, dealer: int, leader: int | None = None) -> PlayState:
    """Return the state before the first card.

    The seat with the opening card leads; until it is known, ``leader`` is ``None`` and it is
    nobody's turn. Without an opening card the dealer's left leads.
    """
    if leader is None and rules.opening_card is None:
        leader = (dealer + 1) % rules.seats
    past = Progress(
        rules=rules,
        dealer=dealer,
        leader=leader,
        tricks=(),
        broken=False,
        taken=(EMPTY,) * rules.seats,
        stalled=EMPTY,
        widow_owner=None,
        widow=EMPTY,
        preferred=preferences_of_trick(rules, True, False),
        claimed=None,
    )
    return PlayState(past, (), rules.pack_set, leader)


def playable(hand: CardSet, state: PlayState) -> CardSet:
    """Return the faces of ``hand`` that its seat may play next; empty for an empty hand only.

    Before the opening is seen only the opening card may be played: then the set is empty for
    every hand without it.
    """
    past, trick, _, _ = state
    cards = hand & FACES
    if trick:
        wishes = past.preferred[trick[0][1] // 13]
    else:
        wishes = past.preferred[-1]
        if past.leader is None:
            return CardSet(cards & wishes[0])
    for preferred in wishes:
        cards = cards & preferred or cards
    return CardSet(cards)


def claim(card: Card, state: PlayState) -> ClassSet | None:
    """Return what playing ``card`` says of the rest of that hand: it is of these classes.

    A class is in the claim if ``card`` is still playable from the hand of ``card`` and one
    card of that class. ``None`` if the claim says nothing. protocol/SPEC.md section 5.
    ``ValueError`` before the opening, for another card than the opening one.
    """
    if state.past.leader is None and card != state.past.rules.opening_card:
        raise ValueError(f"{card_name(card)} cannot open this hand")
    bit, barred = 1 << card, 0
    for card_class, sample in state.past.rules.class_samples:
        if not playable(CardSet(bit | sample), state) & bit:
            barred |= 1 << card_class
    return ClassSet(ALL_CLASSES & ~barred) if barred else None


def proven_voids(state: PlayState) -> tuple[ClassSet, ...]:
    """Return the classes that each seat has proven not to hold, by the claims of all its plays."""
    voids = [0] * state.rules.seats
    now = start_play(state.rules, state.dealer, _first_leader(state))
    for trick in (*(trick.cards for trick in state.tricks), state.trick):
        for seat, card in trick:
            said = claim(card, now)
            if said is not None:
                voids[seat] |= ALL_CLASSES & ~said
            now = now.play(card)
        if now.widow_due and state.widow:
            now = now.with_widow(cards_in(state.widow))
    return tuple(ClassSet(classes) for classes in voids)


def _first_leader(state: PlayState) -> int | None:
    return state.tricks[0].leader if state.tricks else state.leader


def _check_opening(rules: RuleSet, card: Card) -> None:
    opening = rules.opening_card
    if opening is not None and card != opening:
        raise ValueError(f"{card_name(opening)} opens this hand, not {card_name(card)}")


def _finish_trick(past: Progress, cards: Plays) -> Progress:
    """Give the trick and what lay on the table to the winner, who leads the next one.

    A trick without a winner stays on the table and its leader leads again; after the last
    trick the leader takes it all.
    """
    rules, dealer, _, tricks, broken, taken, stalled, widow_owner, widow, preferred, _ = past
    leader = cards[0][0]
    winner = taker = trick_winner(cards, rules.packs)
    if winner is None and len(tricks) + 1 == rules.hand_size:
        taker = leader
    faces = 0
    for _, card in cards:
        faces |= 1 << card
    heap = CardSet(faces)
    if rules.packs == 2:
        heap = union(card_set(card for _, card in cards), stalled)
    if taker is None:
        stalled = heap
    else:
        taken, stalled, leader = _give(taken, taker, heap), EMPTY, taker
        if widow_owner is None:
            widow_owner = taker
    if not tricks or (not broken and faces & rules.breaking_faces):
        broken = bool(faces & rules.breaking_faces)
        preferred = preferences_of_trick(rules, False, broken)
    tricks = (*tricks, _tuple(Trick, (cards[0][0], cards, winner)))
    return _tuple(
        Progress,
        (
            rules,
            dealer,
            leader,
            tricks,
            broken,
            taken,
            stalled,
            widow_owner,
            widow,
            preferred,
            None,
        ),
    )


def _give(taken: tuple[CardSet, ...], seat: int, cards: CardSet) -> tuple[CardSet, ...]:
    piles, held = list(taken), taken[seat]
    piles[seat] = union(held, cards) if held & cards else CardSet(held | cards)
    return tuple(piles)
