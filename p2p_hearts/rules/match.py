"""A match: hands added up until it is over (docs/rules.md, "The end of the match")."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.rules.options import RuleSet, Tie


@dataclass(frozen=True, slots=True)
class Match:
    """Totals by seat, and the scores of every hand played, oldest first.

    Scores are those after the moon was applied. Lower is better.
    """

    rules: RuleSet
    totals: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]

    def add(self, scores: tuple[int, ...]) -> Match:
        """Return the match with one more hand; ``ValueError`` if it is over or the seats differ."""
        if self.over:
            raise ValueError("the match is over")
        if len(scores) != self.rules.seats:
            raise ValueError(f"{self.rules.seats} scores are needed, not {len(scores)}")
        totals = tuple(total + score for total, score in zip(self.totals, scores, strict=True))
        return Match(self.rules, totals, (*self.hands, scores))

    @property
    def hand_number(self) -> int:
        """The number of the next hand, from 1."""
        return len(self.hands) + 1

    @property
    def on_last_hand(self) -> bool:
        """Whether the next hand is the last one the table plays, whatever it brings."""
        return self.hand_number == self.rules.hands

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the lowest total that the table's rule for ties leaves in front."""
        lowest = min(self.totals)
        leading = [seat for seat, total in enumerate(self.totals) if total == lowest]
        if self.rules.tie is Tie.LATEST_HAND:
            for scores in reversed(self.hands):
                best = min(scores[seat] for seat in leading)
                leading = [seat for seat in leading if scores[seat] == best]
        return tuple(leading)

    @property
    def over(self) -> bool:
        """Whether the match has ended.

        It ends when its last hand was played, or when somebody has reached the target and one
        seat alone is in front.
        """
        if not self.hands:
            return False
        if len(self.hands) == self.rules.hands:
            return True
        return max(self.totals) >= self.rules.target and len(self.leaders) == 1

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty while the match is not over.

        The lowest total wins, even if every total is above the target. Several seats win only
        where the table's last hand left them level.
        """
        return self.leaders if self.over else ()


def new_match(rules: RuleSet) -> Match:
    """Return a match before its first hand."""
    return Match(rules, (0,) * rules.seats, ())
