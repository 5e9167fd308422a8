"""How players did, over all matches that their logs prove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from p2p_hearts.record.stats.facts import GameFacts


@dataclass(slots=True)
class Tally:
    """What adds up, over some matches of one player."""

    matches: int = 0
    """Matches played to their end."""
    won: int = 0
    """Of these; a match that several win counts for each."""
    hands: int = 0
    """All certified hands, those of unfinished matches too."""
    points: int = 0
    moons: int = 0
    queens: int = 0

    @property
    def average(self) -> float | None:
        """Points a hand; ``None`` without a hand."""
        return self.points / self.hands if self.hands else None

    def add(self, game: GameFacts, seat: int) -> None:
        """Count one game of the player in this seat."""
        self.matches += bool(game.winners)
        self.won += seat in game.winners
        self.hands += len(game.hands)
        for hand in game.hands:
            self.points += hand.scores[seat]
            self.moons += hand.shooter == seat
            self.queens += hand.queens[seat] if hand.queens else 0

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        average = self.average
        return {
            "matches": self.matches,
            "won": self.won,
            "hands": self.hands,
            "points": self.points,
            "average": None if average is None else round(average, 3),
            "moons": self.moons,
            "queens": self.queens,
        }


@dataclass(slots=True)
class Opponent:
    """Games with one other player."""

    nick: str
    mine: Tally = field(default_factory=Tally)
    theirs: Tally = field(default_factory=Tally)
    ahead: int = 0
    """Matches that ended with me in front of them."""

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "nick": self.nick,
            "ahead": self.ahead,
            "mine": self.mine.to_dict(),
            "theirs": self.theirs.to_dict(),
        }


@dataclass(slots=True)
class Results:
    """One player, known by a key."""

    key: str
    nick: str
    whole: Tally = field(default_factory=Tally)
    by_preset: dict[str, Tally] = field(default_factory=dict)
    opponents: dict[str, Opponent] = field(default_factory=dict)
    """By key."""

    @property
    def met(self) -> list[Opponent]:
        """Opponents, those with most hands together first."""
        return sorted(self.opponents.values(), key=lambda item: -item.mine.hands)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "key": self.key,
            "nick": self.nick,
            "all": self.whole.to_dict(),
            "by_preset": {name: tally.to_dict() for name, tally in sorted(self.by_preset.items())},
            "opponents": {key: item.to_dict() for key, item in self.opponents.items()},
        }


def tables(games: Iterable[GameFacts]) -> list[GameFacts]:
    """Return every table once, the log that goes furthest, oldest first.

    Logs that name no table are left out.
    """
    best: dict[str, GameFacts] = {}
    for game in games:
        known = best.get(game.table)
        if game.table and (known is None or _reach(game) > _reach(known)):
            best[game.table] = game
    return sorted(best.values(), key=lambda game: (game.created, game.table))


def _reach(game: GameFacts) -> tuple[int, int]:
    return len(game.hands), len(game.winners)


def keeper(games: Iterable[GameFacts]) -> str:
    """Return the key of the player who kept most of the logs; "" for no logs or several of them."""
    ranked = Counter(game.owner for game in games if game.table).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return ""
    return ranked[0][0]


def results(games: Sequence[GameFacts]) -> list[Results]:
    """Return how every player did, those with most hands first; each table must be there once."""
    found: dict[str, Results] = {}
    for game in games:
        totals = [
            sum(hand.scores[seat] for hand in game.hands) for seat in range(len(game.players))
        ]
        for seat, player in enumerate(game.players):
            own = found.setdefault(player.key, Results(player.key, player.nick))
            own.nick = player.nick
            own.whole.add(game, seat)
            own.by_preset.setdefault(game.preset, Tally()).add(game, seat)
            for other_seat, other in enumerate(game.players):
                if other_seat == seat:
                    continue
                pair = own.opponents.setdefault(other.key, Opponent(other.nick))
                pair.nick = other.nick
                pair.mine.add(game, seat)
                pair.theirs.add(game, other_seat)
                pair.ahead += bool(game.winners) and totals[seat] < totals[other_seat]
    return sorted(found.values(), key=lambda item: (-item.whole.hands, item.key))
