"""A whole table in memory: seats under a seeded network that delays, reorders, doubles and drops."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from p2p_hearts.bots.player import Player, make_player
from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.table.effects import Send, Store
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.lobby import Hello, Roster, SealedRoster, open_roster, sign_lobby
from p2p_hearts.wire.messages import VERSION, Kind


def seeded(*parts: object) -> bytes:
    """32 bytes that stand for the operating system's randomness in a test."""
    return blake2b(repr(parts).encode(), digest_size=32).digest()


@dataclass
class TestSecrets:
    """Secrets that a seed decides; remembers which were forgotten."""

    __test__ = False
    seed: object
    forgotten: list[tuple[bytes, int, int]] = field(default_factory=list)

    def nonce(self, roster: bytes) -> bytes:
        return seeded(self.seed, "nonce", roster)

    def hand(self, table: bytes, hand: int, attempt: int) -> bytes:
        return seeded(self.seed, "hand", table, hand, attempt)

    def forget(self, table: bytes, hand: int, attempt: int) -> None:
        self.forgotten.append((table, hand, attempt))


def make_identities(count: int, seed: object = 0) -> list[Identity]:
    return [Identity.from_private_bytes(seeded(seed, "identity", i)) for i in range(count)]


def make_roster(
    identities: Sequence[Identity],
    rules: RuleSet,
    seed: object = 0,
    formation: int = 1,
) -> SealedRoster:
    """A roster as a founder makes it, with real hellos."""
    instance = seeded(seed, "instance")
    hellos = []
    for number, identity in enumerate(identities):
        curve = f"{number:040d}".encode()
        table_key, proof = make_table_key(
            seeded(seed, "table key", number), instance, identity.public, curve
        )
        hello = Hello(
            version=VERSION,
            instance=instance,
            author=identity.public,
            curve=curve,
            nick=f"Player {number}",
            addresses=[("127.0.0.1", 7000 + number)],
            table_key=table_key,
            table_proof=proof,
        )
        hellos.append(sign_lobby(identity, hello))
    roster = Roster(
        version=VERSION,
        instance=instance,
        author=identities[0].public,
        formation=formation,
        name="test table",
        rules=dict(rules.to_dict()),
        entries=hellos,
    )
    return open_roster(sign_lobby(identities[0], roster))


@dataclass
class Weather:
    """How bad the network is; times in seconds."""

    delay: float = 0.001
    jitter: float = 0.0
    drop: float = 0.0
    double: float = 0.0


Interceptor = Callable[[int, int, bytes], list[tuple[int, bytes]]]
"""(from, to, frame) -> frames to deliver instead: a cheater's or a liar's hand on the wire."""


class Sim:
    """All peers of one table and the network between them, on one simulated clock."""

    def __init__(
        self,
        rules: RuleSet,
        *,
        seed: object = 0,
        weather: Weather | None = None,
        level: str = "normal",
    ) -> None:
        self.identities = make_identities(rules.seats, seed)
        self.roster = make_roster(self.identities, rules, seed)
        self.secrets = [TestSecrets((seed, place)) for place in range(rules.seats)]
        self.tables = [
            Table(identity, self.roster, secrets)
            for identity, secrets in zip(self.identities, self.secrets, strict=True)
        ]
        self.players: list[Player] = [make_player(level) for _ in range(rules.seats)]
        self.logs: list[list[bytes]] = [[] for _ in range(rules.seats)]
        self.weather = weather or Weather()
        self.random = random.Random(repr(seed))
        self.now = 0.0
        self.intercept: Interceptor | None = None
        self.cut: set[tuple[int, int]] = set()
        self.stopped: set[int] = set()
        self.sent_bytes = 0
        self._queue: list[tuple[float, int, int, int, bytes]] = []
        self._count = 0
        self._ticks = [0.0] * rules.seats

    def run(
        self, until: Callable[[], bool] | None = None, limit: float = 3000.0
    ) -> None:
        """Run until the condition holds (all finished, if none is given) or time is up."""
        done = until or (lambda: all(table.all_finished for table in self.tables))
        while not done():
            if self.now > limit:
                raise TimeoutError(
                    f"after {limit} s: {[table.waiting() for table in self.tables]}, "
                    f"{[table.history.current.place for table in self.tables]}"
                )
            self.step()

    def step(self) -> None:
        """Do everything that is due now, then move the clock."""
        for place, table in enumerate(self.tables):
            if place in self.stopped:
                continue
            if self.now >= self._ticks[place]:
                self._ticks[place] = table.tick(self.now)
            self.settle(place)
        times = [self._ticks[place] for place in range(len(self.tables))]
        if self._queue:
            times.append(self._queue[0][0])
        self.now = max(self.now, min(times))
        while self._queue and self._queue[0][0] <= self.now:
            _, _, sender, to, frame = heapq.heappop(self._queue)
            if to not in self.stopped:
                self.tables[to].receive(sender, frame)
                self.settle(to)

    def settle(self, place: int) -> None:
        """Let one peer decide and work until it waits for others."""
        table = self.tables[place]
        while True:
            self._decide(place)
            self._flush(place)
            if not table.work():
                break
        self._flush(place)

    def _decide(self, place: int) -> None:
        table = self.tables[place]
        kind, view = table.decision, table.view()
        if kind is None or view is None:
            return
        player = self.players[place]
        if kind is Kind.PASS_SELECT:
            table.choose_pass(player.choose_pass(view))
        elif kind is Kind.PLAY:
            table.choose_card(player.choose_card(view))
        else:
            table.choose_moon(MoonChoice.OTHERS_ADD)

    def _flush(self, place: int) -> None:
        for effect in self.tables[place].drain():
            if isinstance(effect, Store):
                self.logs[place].append(effect.envelope)
            elif isinstance(effect, Send):
                others = [to for to in range(len(self.tables)) if to != place]
                for to in others if effect.to is None else [effect.to]:
                    self._transmit(place, to, effect.frame)

    def _transmit(self, sender: int, to: int, frame: bytes) -> None:
        self.sent_bytes += len(frame)
        frames = self.intercept(sender, to, frame) if self.intercept else [(to, frame)]
        for target, data in frames:
            if (sender, target) in self.cut or self.random.random() < self.weather.drop:
                continue
            copies = 2 if self.random.random() < self.weather.double else 1
            for _ in range(copies):
                late = self.weather.delay + self.random.random() * self.weather.jitter
                self._count += 1
                heapq.heappush(
                    self._queue, (self.now + late, self._count, sender, target, data)
                )
