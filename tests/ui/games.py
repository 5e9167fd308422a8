"""A whole table in memory, for tests of what one seat sees: no network, no proofs, no chance.

`Game` deals from a seeded order, lets every other seat play its first legal card and gives the
`View` of seat 0 after each step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from p2p_hearts.rules.cards import (
    EMPTY,
    Card,
    CardSet,
    ClassSet,
    card_set,
    cards_in,
    contains,
    difference,
    remove,
    size,
    union,
)
from p2p_hearts.rules.dealing import dealt
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import pass_offset
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.score import score_hand
from p2p_hearts.rules.view import Phase, View

NAMES = ("Ana", "Lena", "Nara", "Wira", "Bo", "Cy", "Dara", "Eko", "Fay", "Gus", "Hana")


class Game:
    """One match seen from `seat`; call `begin`, `pass_cards`, `play` as the table would."""

    def __init__(self, rules: RuleSet | None = None, *, seed: int = 1, seat: int = 0) -> None:
        self.rules = RuleSet() if rules is None else rules
        self.random = Random(seed)
        self.seat = seat
        self.match: Match = new_match(self.rules)
        self.dealer = self.rules.seats - 1
        self.hands: list[CardSet] = []
        self.passed: list[CardSet] = []
        self.received = EMPTY
        self.state: PlayState | None = None
        self.phase = Phase.DEAL

    @property
    def offset(self) -> int:
        return pass_offset(self.rules, self.number)

    @property
    def number(self) -> int:
        over = self.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)
        return len(self.match.hands) + (0 if over else 1)

    def deal(self) -> None:
        self.phase = Phase.DEAL
        order = list(self.rules.pack)
        self.random.shuffle(order)
        shares = dealt(self.rules, self.dealer)
        self.hands = [card_set(order[at] for at in positions) for positions in shares.hands]
        self.widow = [order[at] for at in shares.widow]
        self.passed = [EMPTY] * self.rules.seats
        self.received = EMPTY
        self.state = None
        if self.offset:
            self.phase = Phase.PASS
        else:
            self._start()

    def pass_cards(self, cards: CardSet) -> None:
        """Seat `self.seat` passes `cards`; everybody else the last cards of the hand."""
        count = self.rules.pass_count
        for seat in range(self.rules.seats):
            mine = seat == self.seat
            self.passed[seat] = cards if mine else card_set(cards_in(self.hands[seat])[-count:])
            self.hands[seat] = difference(self.hands[seat], self.passed[seat])
        for seat in range(self.rules.seats):
            to = (seat + self.offset) % self.rules.seats
            self.hands[to] = union(self.hands[to], self.passed[seat])
            if to == self.seat:
                self.received = self.passed[seat]
        self._start()

    def _start(self) -> None:
        opening = self.rules.opening_card
        leader = None
        if opening is not None:
            leader = next(s for s, hand in enumerate(self.hands) if contains(hand, opening))
        self.state = start_play(self.rules, self.dealer, leader)
        self.phase = Phase.PLAY

    @property
    def turn(self) -> int | None:
        return self.state.turn if self.state is not None and self.phase is Phase.PLAY else None

    def legal(self, seat: int) -> CardSet:
        assert self.state is not None
        return playable(self.hands[seat], self.state)

    def play(self, card: Card) -> None:
        assert self.state is not None
        assert self.state.turn is not None
        seat = self.state.turn
        assert contains(self.legal(seat), card)
        self.hands[seat] = remove(self.hands[seat], card)
        self.state = self.state.play(card)
        if self.state.widow_due:
            self.state = self.state.with_widow(self.widow)
        if self.state.over:
            self.match = self.match.add(score_hand(self.match, self.state.taken))
            self.phase = Phase.MATCH_OVER if self.match.over else Phase.HAND_OVER
            if self.phase is Phase.HAND_OVER:
                self.dealer = (self.dealer + 1) % self.rules.seats

    def play_first_legal(self) -> None:
        assert self.turn is not None
        self.play(cards_in(self.legal(self.turn))[0])

    def play_to_my_turn(self) -> Iterator[View]:
        """The others play; one View after each card."""
        while self.turn is not None and self.turn != self.seat:
            self.play_first_legal()
            yield self.view()

    def play_on(self, cards: int) -> None:
        """Everybody plays the first legal card, `cards` times."""
        for _ in range(cards):
            self.play_first_legal()

    def finish_hand(self) -> None:
        while self.phase is Phase.PLAY:
            self.play_first_legal()

    def view(self) -> View:
        mine = self.hands[self.seat] if self.hands else EMPTY
        legal = self.legal(self.seat) if self.turn == self.seat else EMPTY
        counts = tuple(size(hand) for hand in self.hands) or (0,) * self.rules.seats
        return View(
            rules=self.rules,
            seat=self.seat,
            phase=self.phase,
            hand_number=self.number,
            dealer=self.dealer,
            offset=self.offset,
            match=self.match,
            hand=mine,
            passed=self.passed[self.seat] if self.passed else EMPTY,
            received=self.received,
            play=self.state,
            legal=legal,
            counts=counts,
            void_classes=(ClassSet(0),) * self.rules.seats,
            known=(EMPTY,) * self.rules.seats,
        )


def with_totals(view: View, *hands: tuple[int, ...]) -> View:
    """The View with other hands finished before it."""
    match = new_match(view.rules)
    for scores in hands:
        match = match.add(scores)
    return replace(view, match=match)
