"""A second engine, deliberately naive, written from the sentences of the source pages.

Cards are texts such as ``Q♠``; nothing is shared with the engine but the options and, for
translation only, the names of cards. Slow and plain on purpose: it is a judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from p2p_hearts.rules.options import RuleSet

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def suit(card: str) -> str:
    return card[-1]


def strength(card: str) -> int:
    return RANKS.index(card[:-1])


def pack(rules: RuleSet) -> list[str]:
    cards = [rank + s for s in "♣♦♠♥" for rank in RANKS] * rules.packs
    if rules.packs == 1:
        gone = {3: ["2♣"], 4: [], 5: ["2♣", "2♦"], 6: ["2♣", "2♦", "3♣", "2♠"]}[rules.seats]
        cards = [card for card in cards if card not in gone]
    return cards


def opener(rules: RuleSet) -> str | None:
    if rules.opening.value == "none":
        return None
    return {3: "3♣", 4: "2♣", 5: "3♣", 6: "4♣"}[rules.seats]


def is_penalty(rules: RuleSet, card: str) -> bool:
    return suit(card) == "♥" or (card == "Q♠" and rules.queen_points == 13)


def points(rules: RuleSet, card: str) -> int:
    if suit(card) == "♥":
        return strength(card) + 2 if rules.heart_points.value == "face" else 1
    if card == "Q♠":
        return rules.queen_points
    if card == "J♦":
        return rules.jack_points
    return 0


class Table:
    """One hand being played: who has what, what lies on the table, who took what."""

    def __init__(self, rules: RuleSet, dealer: int, hands: list[list[str]], widow: list[str]):
        self.rules = rules
        self.hands = hands
        self.widow = widow
        self.widow_given = False
        self.table: list[tuple[int, str]] = []
        self.left_lying: list[str] = []
        self.piles: list[list[str]] = [[] for _ in hands]
        self.finished = 0
        self.broken = False
        self.player = (dealer + 1) % rules.seats
        for seat, hand in enumerate(hands):
            if opener(rules) in hand:
                self.player = seat

    def legal(self) -> list[str]:
        hand, rules = self.hands[self.player], self.rules
        first = self.finished == 0
        if not self.table:
            # The opening card must be led to the first trick.
            if first and opener(rules) is not None:
                return [opener(rules) or ""]
            cards = list(hand)
            # No penalty cards on the first trick, unless there is nothing else.
            if first and not rules.first_trick_penalties:
                cards = [c for c in cards if not is_penalty(rules, c)] or cards
            # Hearts cannot be led until hearts are broken, unless there is nothing else; the
            # queen of spades neither, where it has to wait.
            if not self.broken:
                barred = []
                if rules.hearts_break:
                    barred += [c for c in cards if suit(c) == "♥"]
                if rules.queen_waits:
                    barred += [c for c in cards if c == "Q♠"]
                cards = [c for c in cards if c not in barred] or cards
            return cards
        # Follow suit if you can; if not, play any card.
        led = suit(self.table[0][1])
        cards = [c for c in hand if suit(c) == led]
        if not cards:
            cards = list(hand)
        # No penalty cards on the first trick, unless you may play nothing else.
        if first and not rules.first_trick_penalties:
            cards = [c for c in cards if not is_penalty(rules, c)] or cards
        return cards

    def play(self, card: str) -> None:
        self.hands[self.player].remove(card)
        self.table.append((self.player, card))
        if suit(card) == "♥" or (card == "Q♠" and self.rules.queen_breaks):
            self.broken = True
        self.player = (self.player + 1) % self.rules.seats
        if len(self.table) == self.rules.seats:
            self.sweep()

    def sweep(self) -> None:
        times = Counter(card for _, card in self.table)
        led = suit(self.table[0][1])
        able = [(strength(c), seat) for seat, c in self.table if suit(c) == led and times[c] == 1]
        leader = self.table[0][0]
        self.left_lying += [card for _, card in self.table]
        self.table = []
        self.finished += 1
        last = not any(self.hands)
        if able or last:
            taker = max(able)[1] if able else leader
            self.piles[taker] += self.left_lying
            self.left_lying = []
            if not self.widow_given:
                self.piles[taker] += self.widow
                self.widow_given = True
            self.player = taker
        else:
            self.player = leader


def shooter(rules: RuleSet, piles: Sequence[Sequence[str]]) -> int | None:
    """All hearts and all Q♠ (the hearts alone where Q♠ is no penalty) in one pile."""
    if rules.moon.value == "off":
        return None
    hearts, queens = 13 * rules.packs, rules.packs
    for seat, pile in enumerate(piles):
        if sum(suit(card) == "♥" for card in pile) == hearts and (
            rules.queen_points == 0 or list(pile).count("Q♠") == queens
        ):
            return seat
    return None


def scores(
    rules: RuleSet,
    piles: Sequence[Sequence[str]],
    totals: Sequence[int],
    choice: str | None,
    last_hand: bool,
) -> list[int]:
    plain = [sum(points(rules, card) for card in pile) for pile in piles]
    who = shooter(rules, piles)
    if who is None:
        return plain
    worth = {("one", 13): 26, ("one", 0): 13, ("face", 13): 117, ("face", 0): 104}[
        (rules.heart_points.value, rules.queen_points)
    ] * rules.packs
    jacks = [rules.jack_points * list(pile).count("J♦") for pile in piles]
    added = [jacks[s] + (0 if s == who else worth) for s in range(rules.seats)]
    taken_off = [jacks[s] - (worth if s == who else 0) for s in range(rules.seats)]
    kind = rules.moon.value
    if kind == "choice":
        kind = choice or ""
    if kind == "safe":
        after = [total + score for total, score in zip(totals, added, strict=True)]
        ends, winners = end_of_match(rules, [added], after, last_hand)
        kind = "shooter-subtracts" if ends and who not in winners else "others-add"
    return added if kind == "others-add" else taken_off


def end_of_match(
    rules: RuleSet, hands: Sequence[Sequence[int]], totals: Sequence[int], last_hand: bool
) -> tuple[bool, list[int]]:
    """Whether the match ends after ``hands``, and who wins it then."""
    lowest = [seat for seat in range(rules.seats) if totals[seat] == min(totals)]
    if rules.tie.value == "latest-hand":
        for hand in list(hands)[::-1]:
            lowest = [s for s in lowest if hand[s] == min(hand[t] for t in lowest)]
    if last_hand:
        return True, lowest
    if any(total >= rules.target for total in totals) and len(lowest) == 1:
        return True, lowest
    return False, []
