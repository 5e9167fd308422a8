"""A whole table in memory: seats under a seeded network that delays, reorders, doubles and drops.

Nothing here is left to chance: the same seed and weather make the same run, byte for byte.
"""

from __future__ import annotations

import copy
import copyreg
import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from types import MappingProxyType
from typing import Self

from p2p_hearts.bots.player import Player, make_player
from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Effect, Secrets, Send, Show, Store
from p2p_hearts.table.machine import Table
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.envelope import Identity, Signer
from p2p_hearts.wire.lobby import Hello, Roster, SealedRoster, open_roster, sign_lobby
from p2p_hearts.wire.messages import VERSION, Kind

copyreg.pickle(MappingProxyType, lambda proxy: (MappingProxyType, (dict(proxy),)))


def seeded(*parts: object) -> bytes:
    """32 bytes that stand for the operating system's randomness in a test."""
    return blake2b(repr(parts).encode(), digest_size=32).digest()


@dataclass
class TestSecrets:
    """Secrets that a seed decides; remembers which were forgotten."""

    __test__ = False
    seed: tuple[object, int]
    forgotten: list[tuple[bytes, int, int]] = field(default_factory=list)
    drawn: set[tuple[bytes, int, int]] = field(default_factory=set)

    def nonce(self, roster: bytes) -> bytes:
        return seeded(self.seed, "nonce", roster)

    def table_key(self, instance: bytes) -> bytes:
        return seeded(self.seed[0], "table key", self.seed[1])

    def hand(self, table: bytes, hand: int, attempt: int, *, fresh: bool) -> bytes:
        if (table, hand, attempt) in self.forgotten:
            raise LookupError("a secret that was forgotten is asked for")
        self.drawn.add((table, hand, attempt))
        return seeded(self.seed, "hand", table, hand, attempt)

    def forget(self, table: bytes, hand: int, attempt: int) -> None:
        self.forgotten.append((table, hand, attempt))


def make_identities(count: int, seed: object = 0) -> list[Identity]:
    return [Identity.from_private_bytes(seeded(seed, "identity", i)) for i in range(count)]


def make_hello(identity: Identity, number: int = 0, seed: object = 0) -> Hello:
    """What a guest says of itself, with a real table key."""
    instance = seeded(seed, "instance")
    curve = f"{number:040d}".encode()
    secret = seeded(seed, "table key", number)
    table_key, proof = make_table_key(secret, instance, identity.public, curve)
    return Hello(
        version=VERSION,
        instance=instance,
        author=identity.public,
        curve=curve,
        nick=f"Player {number}",
        addresses=[("127.0.0.1", 7000 + number)],
        table_key=table_key,
        table_proof=proof,
    )


def unsealed_roster(
    identities: Sequence[Identity], rules: RuleSet, seed: object = 0, formation: int = 1
) -> Roster:
    """What a founder signs, with real hellos."""
    hellos = [
        sign_lobby(identity, make_hello(identity, number, seed))
        for number, identity in enumerate(identities)
    ]
    return Roster(
        version=VERSION,
        instance=seeded(seed, "instance"),
        author=identities[0].public,
        formation=formation,
        name="test table",
        rules=dict(rules.to_dict()),
        entries=hellos,
    )


def make_roster(
    identities: Sequence[Identity], rules: RuleSet, seed: object = 0, formation: int = 1
) -> SealedRoster:
    """A roster as everybody at the table has verified it."""
    roster = unsealed_roster(identities, rules, seed, formation)
    return open_roster(sign_lobby(identities[0], roster))


@dataclass
class Weather:
    """How bad the network is; times in seconds."""

    delay: float = 0.001
    jitter: float = 0.0
    drop: float = 0.0
    double: float = 0.0


Watcher = Callable[[int, bytes], None]
"""(place, frame): told of every frame that a place sends, or that reaches it."""

Seating = Callable[[int, Signer, SealedRoster, Secrets], Table]
"""Makes the table of a place: where a cheater sits down."""


def honest(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
    """The table that everybody has."""
    return Table(signer, roster, secrets)


class Sim:
    """All peers of one table and the network between them, on one simulated clock."""

    def __init__(
        self,
        rules: RuleSet,
        *,
        seed: object = 0,
        weather: Weather | None = None,
        level: str = "normal",
        seating: Seating = honest,
        people: object | None = None,
        claims: bool = False,
        auto_vote: bool = False,
    ) -> None:
        """``people``: the seed of the identities, where they are not this table's own.

        ``claims``: whoever may claim the rest does so; otherwise every card is played.
        """
        self.claims = claims
        self.identities = make_identities(rules.seats, seed if people is None else people)
        self.roster = make_roster(self.identities, rules, seed)
        self.secrets = [TestSecrets((seed, place)) for place in range(rules.seats)]
        self.tables = [
            seating(place, self.identities[place], self.roster, self.secrets[place])
            for place in range(rules.seats)
        ]
        for table in self.tables:
            table.auto_vote = auto_vote
        self.players: list[Player] = [make_player(level) for _ in range(rules.seats)]
        self.logs: list[list[bytes]] = [[] for _ in range(rules.seats)]
        self.weather = weather or Weather()
        self.random = random.Random(repr(seed))
        self.now = 0.0
        self.on_send: Watcher | None = None
        self.on_arrival: Watcher | None = None
        self.cut: set[tuple[int, int]] = set()
        """Links that are down: from, to."""
        self.stopped: set[int] = set()
        self._queue: list[tuple[float, int, int, int, bytes]] = []
        self._shown: list[tuple[float, int, int, int, bytes]] = []
        """Parts of the next deal on their way."""
        self._dice = random.Random(repr(("ahead", seed)))
        self._count = 0
        self._ticks = [0.0] * rules.seats

    def copy(self) -> Self:
        """Return another table in the same state; what happens to one does not reach the other."""
        return copy.deepcopy(self)

    def run(self, until: Callable[[], bool] | None = None, limit: float = 3000.0) -> None:
        """Run until the condition holds (all finished, if none is given).

        ``TimeoutError`` with what everybody waits for, once the simulated clock passes ``limit``.
        """
        done = until or (lambda: all(table.all_finished for table in self.tables))
        while not done():
            if self.now > limit:
                raise TimeoutError(
                    f"after {limit} s: {[table.waiting() for table in self.tables]}, "
                    f"{[table.history.current.place for table in self.tables]}"
                )
            self.step()

    def wait(self, seconds: float) -> None:
        """Let simulated time pass."""
        end = self.now + seconds
        self.run(lambda: self.now >= end)

    def isolate(self, place: int) -> None:
        """Pull the cable of one peer."""
        others = [other for other in range(len(self.tables)) if other != place]
        self.cut |= {link for other in others for link in ((place, other), (other, place))}

    def step(self) -> None:
        """Do everything that is due now, then move the clock."""
        for place, table in enumerate(self.tables):
            if place in self.stopped:
                continue
            if self.now >= self._ticks[place]:
                self._ticks[place] = table.tick(self.now)
            self.settle(place)
        self.now = max(self.now, min(self._next_times(), default=self.now + 1.0))
        while self._shown and self._shown[0][0] <= self.now:
            _, _, sender, to, ahead = heapq.heappop(self._shown)
            if to not in self.stopped:
                self.tables[to].receive_ahead(sender, ahead)
                self.settle(to)
        while self._queue and self._queue[0][0] <= self.now:
            _, _, sender, to, frame = heapq.heappop(self._queue)
            if to not in self.stopped:
                if self.on_arrival:
                    self.on_arrival(to, frame)
                self.tables[to].receive(sender, frame)
                self.settle(to)

    def _next_times(self) -> list[float]:
        """When something happens next, as far as is known."""
        times = [tick for place, tick in enumerate(self._ticks) if place not in self.stopped]
        times += [queue[0][0] for queue in (self._queue, self._shown) if queue]
        return times

    def settle(self, place: int) -> None:
        """Let one peer decide and work until it waits for others."""
        table = self.tables[place]
        while True:
            self._decide(place)
            self._flush(place)
            if not table.work():
                break
        if type(table.voice) is Voice:  # A liar's history may refuse what it says, or lose it.
            assert not table.work(), "there was work when it said that there was none"
        self._flush(place)

    def _decide(self, place: int) -> None:
        table = self.tables[place]
        kind, view = table.decision, table.view()
        if kind is None or view is None:
            return
        player = self.players[place]
        if kind is Kind.PASS_SELECT:
            table.choose_pass(player.choose_pass(view))
        elif kind is Kind.PLAY and self.claims and view.may_claim:
            table.choose_claim()
        elif kind is Kind.PLAY:
            table.choose_card(player.choose_card(view))
        else:
            table.choose_moon(player.choose_moon(view))

    def _flush(self, place: int) -> None:
        for effect in self.tables[place].drain():
            self._carry_out(place, effect)

    def _carry_out(self, place: int, effect: Effect) -> None:
        if isinstance(effect, Store):
            self.logs[place].append(effect.envelope)
        elif isinstance(effect, Send):
            others = [to for to in range(len(self.tables)) if to != place]
            for to in others if effect.to is None else [effect.to]:
                self._transmit(place, to, effect.frame)
        elif isinstance(effect, Show):
            others = [to for to in range(len(self.tables)) if to != place]
            for to in others if effect.to is None else [effect.to]:
                self.show(place, to, effect.ahead)

    def show(self, sender: int, to: int, ahead: bytes) -> None:
        """Send a part of the next deal, by dice of its own: it changes no frame's way."""
        weather = self.weather
        if (sender, to) in self.cut or self._dice.random() < weather.drop:
            return
        late = weather.delay + self._dice.random() * weather.jitter
        self._count += 1
        heapq.heappush(self._shown, (self.now + late, self._count, sender, to, ahead))

    def _transmit(self, sender: int, to: int, frame: bytes) -> None:
        if self.on_send:
            self.on_send(sender, frame)
        weather = self.weather
        if (sender, to) in self.cut or self.random.random() < weather.drop:
            return
        for _ in range(2 if self.random.random() < weather.double else 1):
            late = weather.delay + self.random.random() * weather.jitter
            self._count += 1
            heapq.heappush(self._queue, (self.now + late, self._count, sender, to, frame))
