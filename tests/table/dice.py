"""Seats that lie by dice: twins of what they say, words held back or told late, votes for nothing.

Two of them know of each other's twins, and vote as if they held them (``Circle``).

Unlike the cheaters (``cheats``) and liars (``liars``) it goes on lying, in any round, to any part
of the table, at any time, and knows no plan that somebody thought of. Its own program may fail at
what it does to itself; that is its affair.
"""

from __future__ import annotations

import random
from typing import ClassVar

from msgspec.structs import replace

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.machine import Table
from p2p_hearts.table.round import Round
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, Signer, seal
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BODIES, VERSION, Ack, Confirm, Content, Kind, Vote
from tests.table.sim import TestSecrets, Weather
from tests.table.test_crash import CrashSim
from tests.table.two_faced import Unmoved

BALLOTS = (Kind.VOTE, Kind.CONFIRM)
LATE = (0.3, 2.0, 8.0, 20.0, 40.0)
"""Seconds after which a twin may be told."""


class Dice:
    """What one liar is like, and what it has done: all by one seed."""

    def __init__(self, seed: object, seats: int) -> None:
        self.seats = seats
        self.told: list[str] = []
        """Its lies, for who looks into a game that went wrong."""
        self.random = random.Random(repr(seed))
        choice = self.random.choice
        self.twins, self.holds = choice((0.02, 0.05, 0.15)), choice((0.0, 0.05, 0.2))
        self.votes = choice((0.0, 0.01, 0.05, 0.2))
        self.only = choice((None, None, Kind.ACK, "speech", Kind.SHUFFLE, Kind.VOTE))
        self.most, self.first_round = choice((1, 2, 3, 6, 20)), self.random.randrange(30)

    def is_up_to_it(self, item: Round) -> bool:
        """Whether it lies at all in a round."""
        hand, attempt, number = item.place
        begins = hand > 1 or attempt > 1 or number >= self.first_round
        return hand > 0 and begins and len(self.told) < self.most

    def likes(self, kind: str) -> bool:
        """Whether it lies about a kind of content."""
        group = kind if kind == Kind.ACK else Kind.VOTE if kind in BALLOTS else "speech"
        return self.only in (None, group, kind)

    def some(self, me: int) -> list[int]:
        """Return some of the other seats."""
        return [seat for seat in range(self.seats) if seat != me and self.random.random() < 0.5]

    def twin_of(self, content: Content) -> Content:
        """Return another content for the same place, of the same form or of none."""
        dice = self.random
        kind = Kind(content.kind)
        if kind is Kind.ACK:
            head = dice.choice((bytes(32), dice.randbytes(32), content.prev))
            return replace(content, body=encode(Ack(head)))
        body = decode(content.body, BODIES[kind])
        if isinstance(body, Vote):
            return replace(content, body=encode(self._other_vote(content.seat, body)))
        if isinstance(body, Confirm):
            value = [held if dice.random() < 0.5 else b"" for held in body.value]
            return replace(content, body=encode(replace(body, value=value)))
        proof = getattr(body, "proof", None)
        if proof and dice.random() < 0.7:
            spoilt = proof[:-1] + bytes([proof[-1] ^ 1])
            return replace(content, body=encode(replace(body, proof=spoilt)))
        if dice.random() < 0.3:
            return replace(content, body=b"\xc0")
        kind = dice.choice((kind, Kind.PLAY, Kind.LOST, Kind.SHARES))
        last = dice.choice((content.last, bytes(32)))
        sequence = max(0, content.sequence + dice.choice((0, 1, -1)))
        return replace(content, sequence=sequence, last=last, kind=kind)

    def _other_vote(self, me: int, vote: Vote) -> Vote:
        dice = self.random
        view = [held if dice.random() < 0.5 else b"" for held in vote.view]
        target = dice.choice([seat for seat in range(self.seats) if seat != me])
        changes: tuple[dict[str, object], ...] = (
            {"target": target},
            {"ballot": vote.ballot + dice.randrange(1, 4)},
            {"view": view},
            {"lock": b""},
        )
        return replace(vote, **dice.choice(changes))


class Circle:
    """What liars who help each other tell each other."""

    def __init__(self) -> None:
        self.twins: dict[tuple[Place, int], Sealed] = {}
        """By place and seat, a further content that one of them has signed for a speech."""

    def note(self, sealed: Sealed) -> None:
        """Remember a twin."""
        content = sealed.content
        if content.kind not in (Kind.ACK, *BALLOTS):
            self.twins[place_of(content), content.seat] = sealed

    def of(self, item: Round, me: int) -> dict[int, Sealed]:
        """Return what the others of the circle have signed besides in a round, by seat."""
        return {
            seat: sealed
            for (place, seat), sealed in self.twins.items()
            if place == item.place and seat in item.speakers and seat != me
        }


class DiceVoice(Voice):
    """Says what the dice make of it."""

    table: Gambler

    def sign(self, content: Content) -> None:
        dice = self.table.dice
        if content.kind == Kind.VOTE:
            content = self.help_with(content)
        item = self.history.current
        if not dice.is_up_to_it(item) or not dice.likes(content.kind):
            super().sign(content)
        elif dice.random.random() < dice.twins * (1 if content.kind == Kind.ACK else 4):
            self.say_both(content, dice.twin_of(content))
        elif dice.random.random() < dice.holds * (1 if content.kind == Kind.ACK else 2):
            dice.told.append(f"{content.kind} held back")
            sealed = seal(self.signer, content)
            self.tell(sealed, dice.some(content.seat))
            if self.table.has_partner:
                when = self.post.now + dice.random.choice(LATE)
                self.table.later.append((when, sealed, dice.some(content.seat)))
        else:
            super().sign(content)

    def help_with(self, content: Content) -> Content:
        """Vote as if one held what another liar has told to nobody, and tell it now."""
        dice, me = self.table.dice, content.seat
        item = self.history.find(place_of(content))
        twins = {} if item is None else self.table.circle.of(item, me)
        if item is None or not twins or dice.random.random() < 0.3:
            return content
        vote = decode(content.body, Vote)
        view = list(vote.view)
        for seat, twin in twins.items():
            view[item.speakers.index(seat)] = twin.hash
            self.hearing.take(twin)
            self.deliver(twin, [other for other in range(dice.seats) if other != me])
        dice.told.append("a vote that names a twin")
        return replace(content, body=encode(replace(vote, view=view)))

    def say_both(self, content: Content, twin: Content) -> None:
        """Take one of two for one's own word; tell each to some, the other one perhaps late."""
        dice = self.table.dice
        dice.told.append(f"{content.kind} and a twin")
        sealed, other = seal(self.signer, content), seal(self.signer, twin)
        if self.table.has_partner:
            self.table.circle.note(other)
            if dice.random.random() < 0.4:
                # Told by who votes for it, if anybody; everybody hears the first one.
                self.hearing.take(sealed)
                self.post.send(None, [sealed.data])
                return
        self.hearing.take(sealed if dice.random.random() < 0.7 else other)
        first = dice.some(content.seat)
        rest = [seat for seat in range(dice.seats) if seat not in (*first, content.seat)]
        if dice.random.random() < 0.3:
            rest = dice.some(content.seat)
        self.deliver(sealed, first)
        if dice.random.random() < 0.6:
            self.deliver(other, rest)
        else:
            self.table.later.append((self.post.now + dice.random.choice(LATE), other, rest))

    def vote_for_nothing(self) -> None:
        """Vote in some round, lately mostly, where no vote is due."""
        dice, me = self.table.dice, self.course.seat
        rounds = [item for item in self.history.rounds if item.place.hand > 0]
        if me is None or not rounds:
            return
        recent = rounds[-4:] if dice.random.random() < 0.8 else rounds
        item = dice.random.choice(recent)
        target = dice.random.choice([seat for seat in range(dice.seats) if seat != me])
        view = [
            item.speeches[seat].hash if seat in item.speeches else b"" for seat in item.speakers
        ]
        ballot = dice.random.choice((1, 1, 1, 2, 3))
        hand, attempt, number = item.place
        content = Content(
            version=VERSION,
            table=item.table,
            hand=hand,
            attempt=attempt,
            round=number,
            seat=me,
            author=self.signer.public,
            sequence=self.hearing.spoken.count,
            last=self.hearing.spoken.last,
            prev=item.prev,
            kind=Kind.VOTE,
            body=encode(Vote(ballot, target, me, view, b"")),
        )
        dice.told.append(f"a vote in round {number}")
        self.tell(seal(self.signer, content), dice.some(me))

    def tell(self, sealed: Sealed, seats: list[int]) -> None:
        """Take for one's own word and tell some seats."""
        self.hearing.take(sealed)
        self.deliver(sealed, seats)

    def deliver(self, sealed: Sealed, seats: list[int]) -> None:
        """Tell some seats."""
        for seat in seats:
            self.post.send(self.table.player_at(seat), [sealed.data])


class Gambler(Table):
    """The table of a seat that lies by dice, and does not stop for being found out."""

    voice_type = DiceVoice
    voice: DiceVoice
    has_partner: ClassVar[bool] = False

    def __init__(
        self,
        signer: Signer,
        roster: SealedRoster,
        secrets: TestSecrets,
        dice: Dice,
        circle: Circle,
    ) -> None:
        super().__init__(signer, roster, secrets)
        self.dice = dice
        self.circle = circle
        self.later: list[tuple[float, Sealed, list[int]]] = []
        self.failures: list[Exception] = []
        """Of its own program: it works on a history that it has spoilt itself."""
        self.voice.table = self

    def tick(self, now: float) -> float:
        due = [item for item in self.later if item[0] <= now]
        self.later = [item for item in self.later if item[0] > now]
        for _when, sealed, seats in due:
            self.voice.deliver(sealed, seats)
        is_up_to_it = self.dice.is_up_to_it(self.history.current)
        if is_up_to_it and self.dice.random.random() < self.dice.votes:
            self.voice.vote_for_nothing()
        soon = [now + 0.3, *(when for when, _sealed, _seats in self.later)]
        try:
            return min(super().tick(now), *soon)
        except Exception as error:
            self.failures.append(error)
            return min(soon)

    def work(self) -> bool:
        try:
            return super().work()
        except Exception as error:
            self.failures.append(error)
            return False

    def receive(self, place: int, data: bytes) -> None:
        try:
            super().receive(place, data)
        except Exception as error:
            self.failures.append(error)


class Accomplice(Gambler):
    """One of several, whom no fault stops."""

    consent_type = Unmoved
    has_partner = True


class Game:
    """A table with a gambler or two, in some weather; honest peers may die and come back."""

    def __init__(self, seed: int, seats: int, restarts: int, liars: int = 1) -> None:
        chance = random.Random(f"game {seed}")
        self.liar = chance.randrange(seats)
        more = chance.sample([place for place in range(seats) if place != self.liar], liars - 1)
        self.liars = [self.liar, *more]
        self.honest = [place for place in range(seats) if place not in self.liars]
        self.dice = Dice(("dice", seed), seats)
        self.circle = Circle()
        deaths = {
            (
                chance.choice(self.honest),
                chance.choice(("store", "send")),
                chance.randrange(20, 260),
            )
            for _ in range(restarts)
        }
        self.sim = CrashSim(
            RuleSet(seats=seats, hands=1, grace=15),
            seed=f"gamble {seed % 7}",
            seating=self._sit,
            auto_vote=True,
            claims=True,
            dies=lambda place, what, number: (place, what, number) in deaths,
            away=chance.choice((0.0, 1.0, 6.0)),
            weather=chance.choice(
                (Weather(), Weather(0.01, 0.1), Weather(0.02, 0.4, drop=0.1, double=0.1))
            ),
        )

    def _sit(self, place: int, signer: Signer, roster: SealedRoster, secrets: object) -> Table:
        assert isinstance(secrets, TestSecrets)
        if place not in self.liars:
            return Table(signer, roster, secrets)
        kind = Gambler if len(self.liars) == 1 else Accomplice
        return kind(signer, roster, secrets, self.dice, self.circle)

    @property
    def tables(self) -> list[Table]:
        """The tables of the honest peers."""
        return [self.sim.tables[place] for place in self.honest]

    def resumed(self, place: int) -> Table:
        """The table of a peer as its log alone gives it."""
        sim = self.sim
        secrets = TestSecrets(sim.secrets[place].seed)
        return Table.resume(sim.identities[place], sim.roster, secrets, list(sim.logs[place]), 9)
